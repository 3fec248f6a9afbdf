/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of the counting model. */
#ifndef COUNT_KERNELS_H
#define COUNT_KERNELS_H

#include <mass/callback.h>

extern const mass_callback count_add, count_look;

#endif
