/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of one element type. reduce.c includes this file once for each type, and defines:
 *     TYPE     its name, as in u8
 *     ELEMENT  its C type
 *     VALUE    the number of an element in a body
 *     SUMMED   the type of its sums: double or, by default, int64_t
 *     EXTREME  the type of its least and greatest; by default, SUMMED */
#ifndef SUMMED
#define SUMMED int64_t
#endif
#ifndef EXTREME
#define EXTREME SUMMED
#endif

REDUCE(sum, ADD(sum, (SUMMED)VALUE), SUMS(TYPED(sum, SUMMED)))
REDUCE(mean, ADD(mean, (double)VALUE), SUMS(TYPED(mean, double)))
REDUCE(min, LEAST(least, (EXTREME)VALUE), MINS(TYPED(least, EXTREME)))
REDUCE(max, MOST(most, (EXTREME)VALUE), MAXES(TYPED(most, EXTREME)))
REDUCE(hist, BINNED_BODY, BINNED)

#undef TYPE
#undef ELEMENT
#undef SUMMED
#undef EXTREME
