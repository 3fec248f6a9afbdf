/* SPDX-License-Identifier: Apache-2.0 */
/* The views: how a body holds the values of a field. Each entry of a list has one (entries.h). Each view has a row
 * here, with everything that is the same on every device. A row that lacks a column does not compile.
 *
 * The members of a body's window, and the code that loads and stores them, are in:
 * - kernel_cpu.h for the loops of CPUs (MASS_WINDOW_, MASS_ROW_ and MASS_GET_);
 * - kernel_cuda_fields.h for CUDA kernels over places (mass_held);
 * - kernel_cuda_agents.h for CUDA kernels over agents (mass_met);
 * - kernel_world.h for block-resident worlds (mass_visited). */
#ifndef MASS_VIEWS_H
#define MASS_VIEWS_H

#include <mass/impl/each.h>

#define MASS_VIEWS_(X)                                                                        \
    X(AROUND_)  /* the element of its own place, and those around */                          \
    X(POINT_)   /* a pointer to its own element */                                            \
    X(WHOLE_)   /* a pointer to the elements of all places */                                 \
    X(OTHERS_)  /* the elements of the agents on its place, by number */                      \
    X(NEARBY_)  /* the elements of agents nearby, by handle (kernel_agents_nearby.h) */       \
    X(ANYBODY_) /* the elements of any agents, by handle (kernel_anybody.h) */                \
    X(VALUE_)   /* its own element: loaded before the body, if at all, and stored after it */ \
    X(SCALAR_)  /* a value of the world */                                                    \
    X(LIST_)    /* a pointer to a list of values of the world */                              \
    X(SUM_)     /* its contribution to a sum */                                               \
    X(EXTREME_) /* its contribution to a minimum or maximum */                                \
    X(BINS_)    /* the bins in which it counts */                                             \
    X(KEYS_)    /* the keys that it counts */

/* The rows, for an access and a type T. A column is a term of a sum over fields, or empty: nothing.
 *     ELEMENT  the type of the elements at the field's pointer
 *     WIDE     1 if a place has more than a byte of it: strips of CUDA threads are shorter then
 *     BITS     1 if its elements are bits
 *     WRITES   1 if a body writes to places by it
 *     GATHERS  1 if its accumulators are too many for a thread's registers
 *     UNFUSED  1 if a callback with it cannot advance several steps at once
 *     FLUSHES  1 if a body may leave numbers near 0 in it (flush.h) */
/*                                            TAKE(ELEMENT, WIDE, BITS, WRITES, GATHERS, UNFUSED, FLUSHES) */
#define MASS_VIEW_OF_AROUND_(TAKE, ACCESS, T) TAKE(T, + (sizeof(T) > 1), + MASS_IS_BIT_(T), , , + !MASS_IS_FUSED_(T), )
#define MASS_VIEW_OF_POINT_(TAKE, ACCESS, T) \
    TAKE(T, , , , , + 1, + (MASS_IS_REQUEST_(ACCESS) && MASS_MAY_FLUSH_(T)))
#define MASS_VIEW_OF_WHOLE_(TAKE, ACCESS, T) TAKE(T, + 1, , + 1, , + 1, )
#define MASS_VIEW_OF_OTHERS_(TAKE, ACCESS, T) \
    TAKE(T, , , , , + 1, + (!MASS_IS_CONST_(ACCESS) && MASS_MAY_FLUSH_(T)))
#define MASS_VIEW_OF_NEARBY_(TAKE, ACCESS, T) TAKE(T, , , , , + 1, )
#define MASS_VIEW_OF_ANYBODY_(TAKE, ACCESS, T) TAKE(T, , , , , + 1, )
#define MASS_VIEW_OF_VALUE_(TAKE, ACCESS, T)                     \
    TAKE(T, + (sizeof(T) > 1), + MASS_IS_BIT_(T), + 1, ,         \
         + ((ACCESS) != MASS_WRITE || !MASS_IS_FUSED_(T)), + MASS_MAY_FLUSH_(T))
#define MASS_VIEW_OF_SCALAR_(TAKE, ACCESS, T) TAKE(T, , , , , , )
#define MASS_VIEW_OF_LIST_(TAKE, ACCESS, T) TAKE(T, , , , , + 1, )
#define MASS_VIEW_OF_SUM_(TAKE, ACCESS, T) TAKE(int64_t, , , , + MASS_IS_REAL_SUM_(T), + MASS_IS_REAL_SUM_(T), )
#define MASS_VIEW_OF_EXTREME_(TAKE, ACCESS, T) TAKE(int64_t, , , , , , )
#define MASS_VIEW_OF_BINS_(TAKE, ACCESS, T) TAKE(int64_t, , , , + 1, + 1, )
#define MASS_VIEW_OF_KEYS_(TAKE, ACCESS, T) TAKE(mass_key_table, + 1, , , + 1, + 1, )
#define MASS_IS_BIT_(T) (MASS_TYPE_OF(T) == MASS_BIT)
#define MASS_IS_REAL_SUM_(T) (MASS_TYPE_OF(T) == MASS_F64)
#define MASS_IS_FUSED_(T) (sizeof(T) <= 4 && MASS_TYPE_OF(T) != MASS_STRUCT && MASS_TYPE_OF(T) != MASS_BIT)

/* One column of a field's row. `(0 MASS_EACH_(MASS_..., LIST))` is the number of fields that have it. */
#define MASS_VIEW_HAS_(COLUMN, VIEW, ACCESS, T) MASS_VIEW_OF_##VIEW(MASS_TAKE_##COLUMN##_, ACCESS, T)
#define MASS_TAKE_ELEMENT_(element, wide, bits, writes, gathers, unfused, flushes) element
#define MASS_TAKE_WIDE_(element, wide, bits, writes, gathers, unfused, flushes) wide
#define MASS_TAKE_BITS_(element, wide, bits, writes, gathers, unfused, flushes) bits
#define MASS_TAKE_WRITES_(element, wide, bits, writes, gathers, unfused, flushes) writes
#define MASS_TAKE_GATHERS_(element, wide, bits, writes, gathers, unfused, flushes) gathers
#define MASS_TAKE_UNFUSED_(element, wide, bits, writes, gathers, unfused, flushes) unfused
#define MASS_TAKE_FLUSHES_(element, wide, bits, writes, gathers, unfused, flushes) flushes
#define MASS_WIDE_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_VIEW_HAS_(WIDE, VIEW, ACCESS, T)
#define MASS_BITS_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_VIEW_HAS_(BITS, VIEW, ACCESS, T)
#define MASS_WRITES_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_VIEW_HAS_(WRITES, VIEW, ACCESS, T)
#define MASS_GATHERS_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_VIEW_HAS_(GATHERS, VIEW, ACCESS, T)
#define MASS_UNFUSED_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_VIEW_HAS_(UNFUSED, VIEW, ACCESS, T)
#define MASS_FLUSHES_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_VIEW_HAS_(FLUSHES, VIEW, ACCESS, T)

/* The members of a window for fields of other agents. Those of agents nearby are in a struct of their own, and those of
 * any agents in another: NEARBY, ANYBODY and CHANGES of one attribute have the same name, and OF selects by the type of
 * the handle.
 *
 * The arrays have one element more than a number. In that of near_, each population that NEARBY or ADDS names is a bit.
 * In that of any_, those are bits that ANYBODY, ADDS_ANYBODY or BY_ID name. That of seeks_ counts FREE_PLACES. */
#define MASS_OTHERS_(LIST) \
    MASS_OTHERS_OF_(LIST, MASS_OTHER_MEMBER_, (0 MASS_EACH_(MASS_NEAR_BIT_, LIST)), mass_walked)
#define MASS_OTHERS_OF_(LIST, MEMBER, NEAR, WALKED)           \
    struct { MASS_EACH_(MEMBER, LIST) } others_;              \
    struct { MASS_EACH_(MASS_ANY_MEMBER_, LIST) } anybody_;   \
    char (*near_)[1 + (NEAR)];                                \
    char (*any_)[1 + (0 MASS_EACH_(MASS_ANY_BIT_, LIST))];    \
    char (*seeks_)[1 + (0 MASS_EACH_(MASS_SEEKS_, LIST))];    \
    uint32_t self_; /* the agent's number, or MASS_NOBODY */  \
    WALKED walked_;
#define MASS_OTHER_MEMBER_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) \
    MASS_REST_(MASS_OTHER_MEMBER_##VIEW(ACCESS, n2, T, OWNER))
#define MASS_OTHER_MEMBER_NEARBY_(ACCESS, n2, T, OWNER) \
    ~, MASS_CONST_(ACCESS) T *n2, *MASS_JOIN(n2, _nobody); char (*MASS_JOIN(n2, _owner))[(OWNER) + 1];
#define MASS_ANY_MEMBER_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) \
    MASS_REST_(MASS_ANY_MEMBER_##VIEW(ACCESS, MASS_ANY_NAME_(ACCESS, n, n2), T, OWNER))
/* The name by which OF and the like find a field: that of CHANGES is n. */
#define MASS_ANY_NAME_(ACCESS, n, n2) MASS_JOIN(MASS_ANY_NAME_, MASS_COUNT_(MASS_ANY_IS_FIRST_##ACCESS))(n, n2)
#define MASS_ANY_IS_FIRST_MASS_RESIDENT_UPDATE ~, ~
#define MASS_ANY_NAME_1(n, n2) n2
#define MASS_ANY_NAME_2(n, n2) n
#define MASS_ANY_MEMBER_ANYBODY_(ACCESS, n2, T, OWNER) MASS_OTHER_MEMBER_NEARBY_(ACCESS, n2, T, OWNER)
#define MASS_NEAR_BIT_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) MASS_REST_(MASS_NEAR_BIT_##VIEW(OWNER))
#define MASS_NEAR_BIT_NEARBY_(OWNER) ~, | 1 << (OWNER)
#define MASS_ANY_BIT_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) \
    MASS_REST_(MASS_ANY_BIT_##VIEW(ACCESS, OWNER))
#define MASS_ANY_BIT_ANYBODY_(ACCESS, OWNER) ~, | ((ACCESS) != MASS_FREE_PLACES) << (OWNER)
#define MASS_SEEKS_(CLASS, VIEW, ACCESS, ...) MASS_REST_(MASS_SEEKS_##VIEW(ACCESS))
#define MASS_SEEKS_ANYBODY_(ACCESS) ~, + ((ACCESS) == MASS_FREE_PLACES)
/* Sets them for a body: `holder` is others_ or anybody_. */
#define MASS_GET_OTHER_(holder, n, n2, T)            \
    ~, T MASS_JOIN(n, _of_nobody);                   \
    memset(&MASS_JOIN(n, _of_nobody), 0, sizeof(T)); \
    window.holder.n2 = f.n, window.holder.MASS_JOIN(n2, _nobody) = &MASS_JOIN(n, _of_nobody);
#define MASS_GET_ANY_(n, name, T) MASS_GET_OTHER_(anybody_, n, name, T)

#endif
