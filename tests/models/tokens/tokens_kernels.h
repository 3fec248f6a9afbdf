/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of the model `tokens`. */
#include <mass/mass.h>

extern const mass_callback tokens_words, tokens_rows, tokens_numbers, tokens_ever, tokens_walk, tokens_crowds;
