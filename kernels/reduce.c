/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of reduce.h, compiled by the C compiler and by nvcc. */
#include "reduce.h"

#include <mass/mass.h>
#include <mass/reductions.h>

#define SUMMED(FIELD)                        \
    FIELD(value, ELEMENT, READ, value)       \
    FIELD(sum,   TOTAL,   SUM,  sum)
#define SUMMED_BODY ADD(sum, (TOTAL)IN(value));

#define AVERAGED(FIELD)                      \
    FIELD(value, ELEMENT, READ, value)       \
    FIELD(mean,  double,  SUM,  mean)
#define AVERAGED_BODY ADD(mean, (double)IN(value));

#define LEAST_OF(FIELD)                      \
    FIELD(value, ELEMENT, READ, value)       \
    FIELD(least, EXTREME, MIN,  least)
#define LEAST_OF_BODY LEAST(least, (EXTREME)IN(value));

#define MOST_OF(FIELD)                       \
    FIELD(value, ELEMENT, READ, value)       \
    FIELD(most,  EXTREME, MAX,  most)
#define MOST_OF_BODY MOST(most, (EXTREME)IN(value));

#define BINNED(FIELD)                        \
    FIELD(value, ELEMENT, READ,  value)      \
    FIELD(low,   double,  PARAM, low)        \
    FIELD(high,  double,  PARAM, high)       \
    FIELD(width, double,  PARAM, width)      \
    FIELD(bins,  int64_t, PARAM, bins)       \
    FIELD(count, int64_t, BINS,  count)      \
    FIELD(below, int64_t, SUM,   below)      \
    FIELD(above, int64_t, SUM,   above)      \
    FIELD(nan,   int64_t, SUM,   nan)
#define BINNED_BODY                                                                                      \
    const double v = (double)IN(value);                                                                  \
    ADD(below, v < PARAM(low));                                                                          \
    ADD(above, v > PARAM(high));                                                                         \
    ADD(nan, v != v);                                                                                    \
    if ((v >= PARAM(low)) & (v <= PARAM(high)))                                                          \
        COUNT_IN(count, bin_of(v, PARAM(low), PARAM(width), PARAM(bins)));

/* The division is off by one bin at most, since bins are not too narrow for that (core/reduction.c); their edges
 * decide. */
MASS_FN int64_t bin_of(double v, double low, double width, int64_t bins)
{
    int64_t i = (int64_t)((v - low) / width);
    if (i > bins - 1) i = bins - 1;
    if (v < low + (double)i * width) i--;
    else if (i < bins - 1 && v >= low + (double)(i + 1) * width) i++;
    return i;
}

#define REDUCE(OF_PLACES, OF_AGENTS, LIST)                            \
    MASS_MAP(OF_PLACES, LIST) { MASS_JOIN(LIST, _BODY) }              \
    REDUCE_AGENTS(OF_AGENTS, LIST) { MASS_JOIN(LIST, _BODY) }
#define REDUCE_AGENTS(NAME, LIST) MASS_AGENT(NAME, LIST, 0) /* once NAME is expanded */

#define TYPE i8
#define ELEMENT int8_t
#include "reduce_type.h"
#define TYPE u8
#define ELEMENT uint8_t
#include "reduce_type.h"
#define TYPE i16
#define ELEMENT int16_t
#include "reduce_type.h"
#define TYPE u16
#define ELEMENT uint16_t
#include "reduce_type.h"
#define TYPE i32
#define ELEMENT int32_t
#include "reduce_type.h"
#define TYPE u32
#define ELEMENT uint32_t
#include "reduce_type.h"
#define TYPE i64
#define ELEMENT int64_t
#include "reduce_type.h"
#define TYPE u64
#define ELEMENT uint64_t
#define EXTREME double
#include "reduce_type.h"
#define TYPE f32
#define ELEMENT float
#define TOTAL double
#include "reduce_type.h"
#define TYPE f64
#define ELEMENT double
#define TOTAL double
#include "reduce_type.h"

#ifndef __CUDACC__

#define OF_TYPE(TYPE, MASS_TYPE) [MASS_TYPE] = {                                                    \
    {{&sum_places_##TYPE, &sum_agents_##TYPE}, {&mean_places_##TYPE, &mean_agents_##TYPE},          \
     {&min_places_##TYPE, &min_agents_##TYPE}, {&max_places_##TYPE, &max_agents_##TYPE},            \
     {&hist_places_##TYPE, &hist_agents_##TYPE}}}

enum { OPERATIONS = 5 };
static const struct {
    const mass_callback *over[OPERATIONS][2];
} callbacks[] = {OF_TYPE(i8, MASS_I8), OF_TYPE(u8, MASS_U8), OF_TYPE(i16, MASS_I16), OF_TYPE(u16, MASS_U16),
                 OF_TYPE(i32, MASS_I32), OF_TYPE(u32, MASS_U32), OF_TYPE(i64, MASS_I64), OF_TYPE(u64, MASS_U64),
                 OF_TYPE(f32, MASS_F32), OF_TYPE(f64, MASS_F64)};

static int number_of(uint32_t operation)
{
    switch (operation) {
    case MASS_SUM: return 0;
    case MASS_MEAN: return 1;
    case MASS_MIN: return 2;
    case MASS_MAX: return 3;
    default: return 4;
    }
}

const mass_callback *mass_reduce_callback(uint32_t operation, uint32_t type, uint32_t over)
{
    if (type >= sizeof callbacks / sizeof *callbacks) return 0;
    return callbacks[type].over[number_of(operation)][over == MASS_OVER_AGENTS];
}

int mass_reduce_is_real(uint32_t operation, uint32_t type)
{
    const int is_float = type == MASS_F32 || type == MASS_F64;
    if (operation == MASS_MIN || operation == MASS_MAX) return is_float || type == MASS_U64;
    return operation == MASS_MEAN || (operation == MASS_SUM && is_float);
}

#endif
