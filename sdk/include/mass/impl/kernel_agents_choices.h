/* SPDX-License-Identifier: Apache-2.0 */
/* Choices among the agents nearby: the one with the least or the greatest value of an expression, and one drawn from
 * those for which a condition holds. Both are expressions of the handle. They are evaluated for one agent after the
 * other, in the order of a walk, so the result is the same on every device. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_AGENTS_CHOICES_H
#define MASS_KERNEL_AGENTS_CHOICES_H

/* Is true if a value comes before the best one: there is none yet, or it is less, or greater. A NaN never does: it is
 * not at most its copy. */
#define MASS_IS_BETTER_(found, BETTER, value, copy, best) (IS_ANYBODY(found) ? (value)BETTER(best) : (value) <= (copy))

/* Finds the agent with the best value, the first of those with the same. Names end with the handle's, so that the
 * expression may choose among others. C++ gets functions of the handle: nvcc cannot take the type, or a member, of
 * every statement that is an expression. */
#ifdef __cplusplus
MASS_FN mass_other mass_nobody_of(const mass_walk &) { return mass_nobody(); }
MASS_FN mass_peer mass_nobody_of(const mass_turn_walk &) { return mass_turn_nobody(); }
template <class Handle, bool MOST, class Walk, class Value> MASS_FN auto mass_walk_best(Walk w, Value value_of)
{
    auto best = mass_nobody_of(w);
    Handle o;
    decltype(value_of(o) + 0) most = 0;
    while (mass_walk_next(&w, &o)) {
        const decltype(value_of(o) + 0) value = value_of(o), copy = value;
        if (MOST ? MASS_IS_BETTER_(best, >, value, copy, most) : MASS_IS_BETTER_(best, <, value, copy, most))
            best = o, most = value;
    }
    return best;
}
/* The handle of an expression, by the type of `walked_` in the body's window. */
template <class Walked, uint32_t K> struct mass_chosen_of_ { typedef mass_walked_other<K> type; };
template <uint32_t K> struct mass_chosen_of_<mass_turn_walked, K> { typedef mass_peer type; };
#define MASS_CHOSEN_(k) typename mass_chosen_of_<decltype(Window::walked_), (uint32_t)(k)>::type
#define MASS_BEST_NEARBY_(k, call, BETTER, o, r, value)                   \
    mass_walk_best<MASS_CHOSEN_(k), (1 BETTER 0)>(MASS_WALK_(k, call, r), \
                                                  [&](const MASS_CHOSEN_(k) & o) { return (value) + 0; })
#else
#define MASS_CHOSEN_ __typeof__(*MASS_BY_TURN_((mass_peer *)0, (mass_other *)0))
#define MASS_CHOSEN_NOBODY_ MASS_BY_TURN_(mass_turn_nobody, mass_nobody)()
#define MASS_NEXT_(walk, o) MASS_BY_TURN_(mass_turn_walk_next, mass_walk_next)(walk, o)
#define MASS_BEST_NEARBY_(k, call, BETTER, o, r, value)                                               \
    __extension__({                                                                                   \
        MASS_CHOSEN_ mass_best_##o = MASS_CHOSEN_NOBODY_, o;                                          \
        __typeof__((value) + 0) mass_most_##o = 0;                                                    \
        MASS_WALK_TYPE_ mass_walk_##o = MASS_WALK_(k, call, r);                                       \
        while (MASS_NEXT_(&mass_walk_##o, &o)) {                                                      \
            const __typeof__(mass_most_##o) mass_value_##o = (value), mass_copy_##o = mass_value_##o; \
            if (MASS_IS_BETTER_(mass_best_##o, BETTER, mass_value_##o, mass_copy_##o, mass_most_##o)) \
                mass_best_##o = o, mass_most_##o = mass_value_##o;                                    \
        }                                                                                             \
        mass_best_##o;                                                                                \
    })
#endif
#define LEAST_NEARBY(o, r, value) MASS_BEST_NEARBY_(0, "LEAST_NEARBY(" #o ", " #r ", " #value ")", <, o, r, value)
#define MOST_NEARBY(o, r, value) MASS_BEST_NEARBY_(0, "MOST_NEARBY(" #o ", " #r ", " #value ")", >, o, r, value)
#define LEAST_NEARBY_OF(population, o, r, value)       \
    MASS_BEST_NEARBY_(MASS_POPULATION_IN_(population), \
                      "LEAST_NEARBY_OF(" #population ", " #o ", " #r ", " #value ")", <, o, r, value)
#define MOST_NEARBY_OF(population, o, r, value)        \
    MASS_BEST_NEARBY_(MASS_POPULATION_IN_(population), \
                      "MOST_NEARBY_OF(" #population ", " #o ", " #r ", " #value ")", >, o, r, value)

/* Draws one of those for which the condition holds: the first walk counts them, the second one stops at it. */
#ifdef __cplusplus
template <class Handle, class Walk, class Condition, class Random>
MASS_FN auto mass_walk_one_where(Walk w, Condition holds_for, Random words) -> decltype(mass_nobody_of(w))
{
    Walk counting = w;
    uint32_t count = 0;
    Handle o;
    while (mass_walk_next(&counting, &o)) count += holds_for(o) ? 1 : 0;
    if (!count) return mass_nobody_of(w);
    const mass_random4 drawn = words();
    uint32_t left = 1 + mass_below_u32(count, drawn.v[0], drawn.v[1]);
    while (mass_walk_next(&w, &o))
        if (holds_for(o) && --left == 0) return o;
    return mass_nobody_of(w);
}
#define MASS_ONE_WHERE_(k, call, o, r, draw, condition)                                                             \
    mass_walk_one_where<MASS_CHOSEN_(k)>(MASS_WALK_(k, call, r),                                                    \
                                         [&](const MASS_CHOSEN_(k) & o) { return (condition) ? 1 : 0; },            \
                                         [&]() { return RANDOM(draw); })
#else
#define MASS_ONE_WHERE_(k, call, o, r, draw, condition)                                                  \
    __extension__({                                                                                      \
        MASS_CHOSEN_ mass_one_##o = MASS_CHOSEN_NOBODY_, o;                                              \
        MASS_WALK_TYPE_ mass_walk_##o = MASS_WALK_(k, call, r), mass_count_##o = mass_walk_##o;          \
        uint32_t mass_left_##o = 0;                                                                      \
        while (MASS_NEXT_(&mass_count_##o, &o)) mass_left_##o += (condition) ? 1 : 0;                    \
        if (mass_left_##o) {                                                                             \
            const mass_random4 mass_words_##o = RANDOM(draw);                                            \
            mass_left_##o = 1 + mass_below_u32(mass_left_##o, mass_words_##o.v[0], mass_words_##o.v[1]); \
        }                                                                                                \
        while (mass_left_##o && MASS_NEXT_(&mass_walk_##o, &o))                                          \
            if ((condition) && --mass_left_##o == 0) mass_one_##o = o;                                   \
        mass_one_##o;                                                                                    \
    })
#endif
#define ONE_NEARBY_WHERE(o, r, draw, condition) \
    MASS_ONE_WHERE_(0, "ONE_NEARBY_WHERE(" #o ", " #r ", " #draw ", " #condition ")", o, r, draw, condition)
#define ONE_NEARBY_WHERE_OF(population, o, r, draw, condition)                                          \
    MASS_ONE_WHERE_(MASS_POPULATION_IN_(population),                                                    \
                    "ONE_NEARBY_WHERE_OF(" #population ", " #o ", " #r ", " #draw ", " #condition ")", o, r, draw, \
                    condition)

#endif
