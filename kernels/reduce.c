/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of reduce.h, compiled by the C compiler and by nvcc. */
#include "reduce.h"

#include <mass/kernel.h>
#include <mass/reductions.h>

#define BINNED                                                                                           \
    GIVEN(TYPED(low, double), TYPED(high, double), TYPED(width, double), TYPED(bins, int64_t)),          \
    BINS(TYPED(count, int64_t)), SUMS(TYPED(below, int64_t), TYPED(above, int64_t), TYPED(nan, int64_t))
#define BINNED_BODY                                                        \
    const double v = (double)VALUE;                                        \
    ADD(below, v < PARAM(low));                                            \
    ADD(above, v > PARAM(high));                                           \
    ADD(nan, v != v);                                                      \
    if ((v >= PARAM(low)) & (v <= PARAM(high)))                            \
        COUNT_IN(count, bin_of(v, PARAM(low), PARAM(width), PARAM(bins)))

/* Returns the bin of a value that is in the histogram. Bins are wide enough (model/reduction.c) that the division is
 * off by one bin at most; the bins' edges decide. */
MASS_FN int64_t bin_of(double v, double low, double width, int64_t bins)
{
    int64_t i = (int64_t)((v - low) / width);
    if (i > bins - 1) i = bins - 1;
    if (v < low + (double)i * width) i--;
    else if (i < bins - 1 && v >= low + (double)(i + 1) * width) i++;
    return i;
}

/* Defines the callbacks of an operation: over places, and over agents of a population. */
#define REDUCE(OPERATION, BODY, ...)                                                                                   \
    MASS_MAP(NAMED(OPERATION, _places_), READS(TYPED(value, ELEMENT)), __VA_ARGS__) { BODY; }                          \
    MASS_AGENT(NAMED(OPERATION, _agents_), any, 0, READS(TYPED(value, ELEMENT)), __VA_ARGS__) { BODY; }
#define NAMED(OPERATION, OVER) MASS_JOIN(MASS_JOIN(OPERATION, OVER), TYPE)

#define VALUE IN(value)
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
#define SUMMED double
#include "reduce_type.h"
#define TYPE f64
#define ELEMENT double
#define SUMMED double
#include "reduce_type.h"

#define TYPE bit
#define ELEMENT bool
#include "reduce_type.h"

/* Interleaved components, of agents alone: positions, and what else has a direction. */
#undef REDUCE
#undef VALUE
#define REDUCE(OPERATION, BODY, ...)                                                                                  \
    MASS_AGENT(NAMED(OPERATION, _agents_), any, 0, READS(TYPED(value, ELEMENT)), GIVEN(TYPED(component, int64_t)),    \
               __VA_ARGS__) { BODY; }
#define VALUE (PARAM(component) == 0 ? IN(value).x : IN(value).y)
#define TYPE float_2
#define ELEMENT mass_point_float_2
#define SUMMED double
#include "reduce_type.h"
#define TYPE double_2
#define ELEMENT mass_point_double_2
#define SUMMED double
#include "reduce_type.h"
#undef VALUE
#define VALUE (PARAM(component) == 0 ? IN(value).x : PARAM(component) == 1 ? IN(value).y : IN(value).z)
#define TYPE float_3
#define ELEMENT mass_point_float_3
#define SUMMED double
#include "reduce_type.h"
#define TYPE double_3
#define ELEMENT mass_point_double_3
#define SUMMED double
#include "reduce_type.h"

#ifndef __CUDACC__

/* Is a row of the table of callbacks of reductions: those of one type, by operation, over places and over agents. */
#define OF_TYPE(TYPE, MASS_TYPE) [MASS_TYPE] = {                                                    \
    {{&sum_places_##TYPE, &sum_agents_##TYPE}, {&mean_places_##TYPE, &mean_agents_##TYPE},          \
     {&min_places_##TYPE, &min_agents_##TYPE}, {&max_places_##TYPE, &max_agents_##TYPE},            \
     {&hist_places_##TYPE, &hist_agents_##TYPE}}}

enum { OPERATIONS = 5 };
static const struct {
    const mass_callback *over[OPERATIONS][2];
} callbacks[] = {OF_TYPE(i8, MASS_I8), OF_TYPE(u8, MASS_U8), OF_TYPE(i16, MASS_I16), OF_TYPE(u16, MASS_U16),
                 OF_TYPE(i32, MASS_I32), OF_TYPE(u32, MASS_U32), OF_TYPE(i64, MASS_I64), OF_TYPE(u64, MASS_U64),
                 OF_TYPE(f32, MASS_F32), OF_TYPE(f64, MASS_F64), OF_TYPE(bit, MASS_BIT)};

/* The same of interleaved components, by operation: of floats and doubles, of two and three. */
#define OF_COMPONENTS(TYPE) \
    {&sum_agents_##TYPE, &mean_agents_##TYPE, &min_agents_##TYPE, &max_agents_##TYPE, &hist_agents_##TYPE}
static const mass_callback *const component_callbacks[2][2][OPERATIONS] = {
    {OF_COMPONENTS(float_2), OF_COMPONENTS(float_3)}, {OF_COMPONENTS(double_2), OF_COMPONENTS(double_3)}};

/* Returns the row of a reduction in callbacks[].over. Every other operation is a histogram. */
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

const mass_callback *mass_reduce_component_callback(uint32_t operation, uint32_t type, uint32_t length, uint32_t over)
{
    if ((type != MASS_F32 && type != MASS_F64) || length < 2 || length > 3 || over != MASS_OVER_AGENTS) return 0;
    return component_callbacks[type == MASS_F64][length - 2][number_of(operation)];
}

int mass_reduce_is_real(uint32_t operation, uint32_t type)
{
    const int is_float = type == MASS_F32 || type == MASS_F64;
    if (operation == MASS_MIN || operation == MASS_MAX) return is_float || type == MASS_U64;
    return operation == MASS_MEAN || (operation == MASS_SUM && is_float);
}

#endif
