/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes with .flush: numbers near 0 become 0 after a body has written them. So no later arithmetic meets subnormal
 * numbers, which make CPUs slow. Numbers below 2^-60 (floats) or 2^-508 (doubles) become 0. With this bound, a product
 * of two remaining numbers and a factor of 1/64 is not subnormal.
 *
 * It is a comparison and a selection, with the same bits everywhere. It does not use the flush modes of processors:
 * they change other attributes too, and those of CPUs and GPUs differ. Included by kernel.h. */
#ifndef MASS_FLUSH_H
#define MASS_FLUSH_H

#include <mass/arithmetic.h>
#include <mass/impl/entries.h>
#include <mass/impl/launch.h>

#define MASS_FLUSHED_BELOW_F32 0x1p-60f
#define MASS_FLUSHED_BELOW_F64 0x1p-508

/* Return v, or 0 if it is nearer to 0 than `below`. NaN does not change. */
MASS_FN float mass_flushed_f32(float v, float below) { return __builtin_fabsf(v) < below ? 0.0f : v; }
MASS_FN double mass_flushed_f64(double v, double below) { return __builtin_fabs(v) < below ? 0.0 : v; }

/* Flush a float, a double, or a struct of either, as the launch record tells of its field. */
MASS_FN void mass_flush_f32(void *value, size_t bytes, int floats, int doubles)
{
    float v;
    (void)bytes, (void)doubles;
    memcpy(&v, value, sizeof v);
    v = mass_flushed_f32(v, floats ? MASS_FLUSHED_BELOW_F32 : 0.0f);
    memcpy(value, &v, sizeof v);
}
MASS_FN void mass_flush_f64(void *value, size_t bytes, int floats, int doubles)
{
    double v;
    (void)bytes, (void)floats;
    memcpy(&v, value, sizeof v);
    v = mass_flushed_f64(v, doubles ? MASS_FLUSHED_BELOW_F64 : 0.0);
    memcpy(value, &v, sizeof v);
}
MASS_FN void mass_flush_numbers(void *value, size_t bytes, int floats, int doubles)
{
    char *const at = (char *)value;
    for (size_t i = 0; floats && i + sizeof(float) <= bytes; i += sizeof(float)) mass_flush_f32(at + i, 0, 1, 0);
    for (size_t i = 0; doubles && i + sizeof(double) <= bytes; i += sizeof(double)) mass_flush_f64(at + i, 0, 0, 1);
}
#define MASS_MAY_FLUSH_(T) \
    (MASS_TYPE_OF(T) == MASS_F32 || MASS_TYPE_OF(T) == MASS_F64 || MASS_TYPE_OF(T) == MASS_STRUCT)
/* Flushes a value by its type: one that is no float, double or struct stays as it is. */
#ifdef __cplusplus
template <class T> MASS_FN void mass_flush_(void *value, int floats, int doubles)
{
    if constexpr (MASS_TYPE_OF(T) == MASS_F32) mass_flush_f32(value, sizeof(T), floats, doubles);
    else if constexpr (MASS_TYPE_OF(T) == MASS_F64) mass_flush_f64(value, sizeof(T), floats, doubles);
    else if constexpr (MASS_TYPE_OF(T) == MASS_STRUCT)
        if (floats | doubles) { /* a copy, so that the value itself can stay in registers */
            T copy = *(T *)value;
            mass_flush_numbers(&copy, sizeof(T), floats, doubles);
            *(T *)value = copy;
        }
}
#define MASS_FLUSH_ONE_(T, value, floats, doubles) mass_flush_<T>((value), (floats), (doubles))
#else
#define MASS_FLUSH_ONE_(T, value, floats, doubles)                                                               \
    do                                                                                                           \
        if (MASS_MAY_FLUSH_(T))                                                                                  \
            _Generic((T *)0, float *: mass_flush_f32, double *: mass_flush_f64, default: mass_flush_numbers)(    \
                (value), sizeof(T), (floats), (doubles));                                                        \
    while (0)
#endif

/* The number of fields of a list to which a body may write such numbers. */
#define MASS_FLUSHABLE_(LIST) (0 MASS_EACH_(MASS_FLUSHES_, LIST))
/* The number of those that belong to agents. */
#define MASS_FLUSHABLE_AGENTS_(LIST) (0 MASS_EACH_(MASS_FLUSHABLE_AGENT_FIELD_, LIST))
#define MASS_FLUSHABLE_AGENT_FIELD_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_REST_(MASS_FLUSHABLE_AGENT_##VIEW(ACCESS, T))
#define MASS_FLUSHABLE_AGENT_OTHERS_(ACCESS, T) ~, MASS_VIEW_HAS_(FLUSHES, OTHERS_, ACCESS, T)
#define MASS_FLUSHABLE_AGENT_POINT_(ACCESS, T) ~, MASS_VIEW_HAS_(FLUSHES, POINT_, ACCESS, T)

/* Flushes after a body: the values in its window, in its residents, sprouts and children, of the fields whose bit is
 * set in FLOATS or DOUBLES (mass_launch.flush_floats). */
#define MASS_FLUSH_FIELDS_(LIST, FLOATS, DOUBLES) MASS_FLUSH_EACH_(MASS_FLUSH_FIELD_, LIST, FLOATS, DOUBLES)
#define MASS_FLUSH_EACH_(MACRO, LIST, FLOATS, DOUBLES)                   \
    if (MASS_FLUSHABLE_(LIST)) {                                         \
        const uint64_t mass_floats = (FLOATS), mass_doubles = (DOUBLES); \
        enum { MASS_EACH_(MASS_FLUSH_NUMBER_, LIST) mass_flush_end };    \
        (void)mass_floats, (void)mass_doubles;                           \
        MASS_EACH_(MACRO, LIST)                                          \
    }
#define MASS_FLUSH_NUMBER_(CLASS, VIEW, ACCESS, n, ...) MASS_JOIN(n, _flush_number),
#define MASS_FLUSH_FIELD_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_FLUSH_OF_##VIEW(ACCESS, n, T))
#define MASS_FLUSH_BITS_(n) (int)(mass_floats >> MASS_JOIN(n, _flush_number) & 1), \
                            (int)(mass_doubles >> MASS_JOIN(n, _flush_number) & 1)
#define MASS_FLUSH_OF_VALUE_(ACCESS, n, T) ~, MASS_FLUSH_ONE2_(T, &window.n, MASS_FLUSH_BITS_(n));
#define MASS_FLUSH_OF_OTHERS_(ACCESS, n, T)                                                                       \
    ~, if (!MASS_IS_CONST_(ACCESS) && MASS_MAY_FLUSH_(T) &&                                                       \
           ((mass_floats | mass_doubles) >> MASS_JOIN(n, _flush_number) & 1))                                     \
        for (uint32_t mass_o = sizeof *window.MASS_JOIN(n, _owner) - 1,                                           \
                      mass_a = MASS_IS_SPROUT_(ACCESS) ? 0 : MASS_FIRST_OF_(&window, mass_o),                     \
                      mass_e = MASS_IS_SPROUT_(ACCESS) ? mass_sprouts_touched(&window.site, mass_o)               \
                                                       : MASS_END_OF_(&window, mass_o);                           \
             mass_a < mass_e; mass_a++)                                                                           \
            for (uint32_t mass_k = 0; mass_k < MASS_FLUSHED_OF_(ACCESS, mass_o, mass_a); mass_k++)                \
                MASS_FLUSH_ONE2_(T, (void *)(uintptr_t)(window.n + (MASS_IS_SPROUT_(ACCESS)                       \
                                        ? mass_sprout_at(&window.site, mass_o, mass_a)                            \
                                        : (size_t)mass_k * l.populations[mass_o].room + mass_a)),                 \
                                 MASS_FLUSH_BITS_(n));
/* The numbers of a resident: its own one, or those of the children that it has been asked for. */
#define MASS_FLUSHED_OF_(ACCESS, o, a) \
    (MASS_IS_REQUEST_(ACCESS) ? l.populations[o].asked[a] & ~MASS_ASKED_KILL : 1)
#define MASS_FLUSH_OF_POINT_(ACCESS, n, T) ~, MASS_REST_(MASS_FLUSH_OF_##ACCESS(n, T))
#define MASS_FLUSH_OF_MASS_CHILD(n, T)                                                                      \
    ~, if (MASS_MAY_FLUSH_(T) && ((mass_floats | mass_doubles) >> MASS_JOIN(n, _flush_number) & 1))         \
        for (uint32_t mass_k = 0; mass_k < (window.asked & ~MASS_ASKED_KILL); mass_k++)                     \
            MASS_FLUSH_ONE2_(T, window.n + (size_t)mass_k * l.populations[0].room, MASS_FLUSH_BITS_(n));
#define MASS_FLUSH_ONE2_(...) MASS_FLUSH_ONE_(__VA_ARGS__)

#endif
