/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of one element type. reduce.c includes this file once for each type, and defines:
 *     TYPE     its name, as in u8
 *     ELEMENT  its C type
 *     TOTAL    the type of its sums: double or, by default, int64_t
 *     EXTREME  the type of its least and greatest; by default, TOTAL */
#ifndef TOTAL
#define TOTAL int64_t
#endif
#ifndef EXTREME
#define EXTREME TOTAL
#endif

REDUCE(sum, ADD(sum, (TOTAL)IN(value)), SUMS(TYPED(sum, TOTAL)))
REDUCE(mean, ADD(mean, (double)IN(value)), SUMS(TYPED(mean, double)))
REDUCE(min, LEAST(least, (EXTREME)IN(value)), MINS(TYPED(least, EXTREME)))
REDUCE(max, MOST(most, (EXTREME)IN(value)), MAXES(TYPED(most, EXTREME)))
REDUCE(hist, BINNED_BODY, BINNED)

#undef TYPE
#undef ELEMENT
#undef TOTAL
#undef EXTREME
