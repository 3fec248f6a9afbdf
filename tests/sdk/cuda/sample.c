/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

sample sample_on_host(uint64_t i) { return sample_of(i); }
