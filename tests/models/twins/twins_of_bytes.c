/* SPDX-License-Identifier: Apache-2.0 */
/* The same model as it was before there were bits: its checkpoints hold bytes. */
#include <stdint.h>
#define BIT uint8_t
#define TRUTH(v) ((v) != 0)
#include "twins.c"
