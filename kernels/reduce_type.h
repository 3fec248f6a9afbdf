/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of one element type; reduce.c includes this once a type, with
 *     TYPE     its name, as in u8
 *     ELEMENT  its C type
 *     TOTAL    what it is summed in: double, or int64_t if nothing is said
 *     EXTREME  what its least and greatest are kept in: as TOTAL if nothing is said */
#ifndef TOTAL
#define TOTAL int64_t
#endif
#ifndef EXTREME
#define EXTREME TOTAL
#endif

#define NAMED(OPERATION, OVER) MASS_JOIN(MASS_JOIN(OPERATION, OVER), TYPE)

REDUCE(NAMED(sum, _places_), NAMED(sum, _agents_), SUMMED)
REDUCE(NAMED(mean, _places_), NAMED(mean, _agents_), AVERAGED)
REDUCE(NAMED(min, _places_), NAMED(min, _agents_), LEAST_OF)
REDUCE(NAMED(max, _places_), NAMED(max, _agents_), MOST_OF)
REDUCE(NAMED(hist, _places_), NAMED(hist, _agents_), BINNED)

#undef NAMED
#undef TYPE
#undef ELEMENT
#undef TOTAL
#undef EXTREME
