/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of Histogram, and the bins of `apart`. */
#ifndef HISTOGRAM_KERNELS_H
#define HISTOGRAM_KERNELS_H

#include <mass/callback.h>

extern const mass_callback histogram_bytes;
/* For bins as wide as a power of two, and for any. */
extern const mass_callback histogram_u16_shift, histogram_u32_shift;
extern const mass_callback histogram_u16, histogram_u32, histogram_f32;

extern const mass_callback histogram_fold, histogram_words, histogram_word_starts;

enum { APART_BELOW, APART_ABOVE, APART_INFINITE, APART_NAN, APART_BINS };

#endif
