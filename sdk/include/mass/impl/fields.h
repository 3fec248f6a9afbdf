/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a callback's list of entries: an unknown entry, a wrong type, an offset beyond the radius. Each gives one
 * sentence, before compilers report errors in the code that the list expands to. Included by kernel.h. */
#ifndef MASS_FIELDS_H
#define MASS_FIELDS_H

#include <mass/callback.h>
#include <mass/impl/entries.h>

#ifdef __cplusplus
#define MASS_ASSERT_(CONDITION, TEXT) static_assert(CONDITION, TEXT);
#else
#define MASS_ASSERT_(CONDITION, TEXT) _Static_assert(CONDITION, TEXT);
#endif

/* Checks that an entry is one that this kind of callback may have; an empty list is fine. */
#define MASS_CHECK_ENTRY_(KIND, entry)                                                               \
    MASS_JOIN(MASS_CHECK_ENTRY_OF_, MASS_COUNT_(MASS_SLIP_##entry))(KIND, #entry, MASS_SLIP_##entry, \
                                                                    MASS_WORD_##entry, MASS_UNKNOWN, )
#define MASS_CHECK_ENTRY_OF_1(...) MASS_CHECK_WORD_(__VA_ARGS__)
#define MASS_CHECK_WORD_(KIND, text, slip, first, ACCESS, ...)              \
    MASS_JOIN(MASS_CHECK_PLACED_, MASS_COUNT_(MASS_ALLOWED_(KIND, ACCESS)))( \
        text " is not an entry of a callback over " MASS_ENTRIES_OF_##KIND)
#define MASS_CHECK_PLACED_1(sentence) MASS_ASSERT_(0, sentence) MASS_LOST_
#define MASS_CHECK_PLACED_2(sentence)
#define MASS_CHECK_ENTRY_OF_2(...) MASS_CHECK_SLIP_(__VA_ARGS__)
#define MASS_CHECK_SLIP_(KIND, text, slip, sentence, first, ACCESS, ...)   \
    MASS_JOIN(MASS_CHECK_MEANT_, MASS_COUNT_(MASS_ALLOWED_(KIND, ACCESS)))( \
        sentence, text " is not an entry of a callback over " MASS_ENTRIES_OF_##KIND)
#define MASS_CHECK_MEANT_1(sentence, other) MASS_CHECK_PLACED_1(other)
#define MASS_CHECK_MEANT_2(sentence, other) MASS_ASSERT_(0, sentence)
#define MASS_CHECK_ENTRY_OF_3(...) MASS_CHECK_STRAY_(__VA_ARGS__)
#define MASS_CHECK_STRAY_(KIND, text, slip, sentence, ...) MASS_CHECK_PLACED_1(sentence)
#define MASS_CHECK_ENTRY_OF_4(...)
/* Checks that a list is not empty. Only agents may do without: they can move. Another callback without entries can
 * change nothing. */
#define MASS_CHECK_LIST_(NAME, KIND, text)                     \
    MASS_ASSERT_(sizeof(text) > 1 || MASS_MAY_BE_EMPTY_##KIND, \
                 #NAME " has no entries and can change nothing; there are, over " MASS_ENTRIES_OF_##KIND)
#define MASS_MAY_BE_EMPTY_AGENTS_ 1
#define MASS_MAY_BE_EMPTY_REFUSED_ 1
#define MASS_MAY_BE_EMPTY_PLACES_ 0
#define MASS_MAY_BE_EMPTY_RESIDENTS_ 0
#define MASS_MAY_BE_EMPTY_OCCUPIED_ 0
#define MASS_MAY_BE_EMPTY_NODES_ 0
#define MASS_MAY_BE_EMPTY_ON_NODES_ 1
#define MASS_MAY_BE_EMPTY_WORLDS_ 0
#define MASS_MAY_BE_EMPTY_TURNS_ 1
#define MASS_MAY_BE_EMPTY_PLACES_IN_TURN_ 0
#define MASS_MAY_BE_EMPTY_NODES_IN_TURN_ 0

/* The types that fit an access. */
#define MASS_IS_WIDE_(T) (MASS_TYPE_OF(T) == MASS_I64 || MASS_TYPE_OF(T) == MASS_F64)
#define MASS_IS_WORD_(T)                                                                          \
    (MASS_TYPE_OF(T) == MASS_I32 || MASS_TYPE_OF(T) == MASS_U32 || MASS_TYPE_OF(T) == MASS_I64 || \
     MASS_TYPE_OF(T) == MASS_U64)
#define MASS_FITS_(access, T)                                                     \
    ((access) == MASS_BINS || (access) == MASS_KEYS ? MASS_TYPE_OF(T) == MASS_I64 \
     : (access) == MASS_SUM || (access) == MASS_MIN || (access) == MASS_MAX ||    \
       (access) == MASS_PARAM || (access) == MASS_TOTAL ? MASS_IS_WIDE_(T)         \
     : (access) == MASS_LIST ? MASS_TYPE_OF(T) == MASS_STRUCT                     \
     : (access) == MASS_WORLD ? MASS_IS_WIDE_(T) || MASS_TYPE_OF(T) == MASS_STRUCT \
     : (access) == MASS_SCATTER_ADD || (access) == MASS_NEARBY_ADD ||               \
       (access) == MASS_ANYBODY_ADD ? MASS_IS_WORD_(T) : 1)
/* A field's type for this callback, which must fit its access. A name that was not declared fails to compile here and
 * nowhere else. */
#define MASS_FIELD_TYPE_(CLASS, VIEW, ACCESS, n, n2, S, T, name, ...)                                \
    typedef S T;                                                                                     \
    MASS_ASSERT_(MASS_FITS_(ACCESS, T), name ": what is counted by BINS and KEYS is int64_t; SUMS, " \
                 "MINS, MAXES, GIVEN and TOTALS take int64_t or double; LISTS takes a MASS_PARAMETER_LIST " \
                 "or MASS_PARAMETER_TABLE, WORLD a MASS_WORLD_ATTRIBUTE; SCATTERS, ADDS and ADDS_ANYBODY int32_t, " \
                 "uint32_t, int64_t or uint64_t")

/* Checks that a number is not an entry: an entry there means that the number before the list is missing. */
#define MASS_NUMBER_(x) MASS_JOIN(MASS_NUMBER_OF_, MASS_COUNT_(MASS_WORD_##x))(x)
#define MASS_NUMBER_OF_1(x) x
#define MASS_NUMBER_OF_5(x) 0
#define MASS_CHECK_NUMBER_(NAME, what, x) \
    MASS_ASSERT_(MASS_COUNT_(MASS_WORD_##x) == 1, #NAME " lacks " what " before " #x)
#define MASS_RADIUS_MOST 1024
#define MASS_CHECK_RADIUS_(NAME, RADIUS)                                                \
    MASS_CHECK_NUMBER_(NAME, "its radius", RADIUS)                                      \
    MASS_ASSERT_(MASS_NUMBER_(RADIUS) >= 0 && MASS_NUMBER_(RADIUS) <= MASS_RADIUS_MOST, \
                 #NAME " has a radius of " #RADIUS ", not 0 to 1024")

/* An expression that fails to compile, with a reason. */
#ifdef __cplusplus
#define MASS_LACKING_(TEXT, value) __extension__({ MASS_ASSERT_(0, TEXT) value; })
#else
#define MASS_LACKING_(TEXT, value) ((void)sizeof(struct { _Static_assert(0, TEXT); int mass_; }), value)
#endif

/* Checks that a place has a number for each dimension of the callback. An array of the window has one element more than
 * dimensions; that of a map, which fits any space, counts 0. No code remains. */
#ifdef __cplusplus
#define MASS_CHECK_AXES_(GIVEN, call, axis) \
    (void)sizeof(__extension__({ MASS_CHECK_AXES_GIVEN_(GIVEN, call, axis) 0; })),
#else
#define MASS_CHECK_AXES_(GIVEN, call, axis) \
    (void)sizeof(struct { MASS_CHECK_AXES_GIVEN_(GIVEN, call, axis) int mass_; }),
#endif
#define MASS_CHECK_AXES_GIVEN_(GIVEN, call, axis)              \
    MASS_ASSERT_(sizeof(MASS_AXES_OF_(mass_w)) <= (GIVEN) + 1, \
                 call " lacks a number for " #axis ": give one for each dimension of the callback, 0 for no offset")
#ifdef __CUDACC__
#define MASS_AXES_OF_(w) (w)->axes_
#else
#define MASS_AXES_OF_(w) (w)->radius_[0][0][0][0]
#endif

/* Checks that a callback asks its population with a number: an array of the window has one element more than the set of
 * those that it asks. No code remains. */
#ifdef __cplusplus
#define MASS_CHECK_ASKS_(call, k) (void)sizeof(__extension__({ MASS_CHECK_ASKED_(call, k) 0; })),
#else
#define MASS_CHECK_ASKS_(call, k) (void)sizeof(struct { MASS_CHECK_ASKED_(call, k) int mass_; }),
#endif
#define MASS_CHECK_ASKED_(call, k)                                           \
    MASS_ASSERT_((sizeof *MASS_MEMBER_OF_(ASKED, asks_) - 1) >> (k) & 1,     \
                 call " asks an agent of a population that the list does not name: add ASKS(population)")

/* Checks in C that an offset that is a literal is within the radius. Other offsets are known only at run time. */
#ifndef __cplusplus
#define MASS_CHECK_OFFSET_(f, dx, dy, dz)                                                                \
    (void)sizeof MASS_MEMBER_OF_(POINTER, near_##f), (void)sizeof(struct {                               \
        MASS_CHECK_AXIS_(f, x, dx, mass_w->radius_[0]) MASS_CHECK_AXIS_(f, y, dy, mass_w->radius_[0][0]) \
        MASS_CHECK_AXIS_(f, z, dz, mass_w->radius_[0][0][0]) int mass_; }),
/* The array has one element more than the radius. */
#define MASS_CHECK_AXIS_(f, axis, offset, array)                                      \
    _Static_assert(MASS_LITERAL_(offset) < (int)(sizeof(array) / sizeof(array[0])) && \
                   MASS_LITERAL_(offset) > -(int)(sizeof(array) / sizeof(array[0])),  \
                   "NEAR(" #f ", ...): the offset " #offset " along " #axis " is beyond the radius");
#define MASS_LITERAL_(v) __builtin_choose_expr(MASS_IS_LITERAL_(v), (v), 0)
#define MASS_IS_LITERAL_(v) _Generic(1 ? (void *)((intptr_t)(v) * 0) : (int *)0, int *: 1, default: 0)
#else
#define MASS_CHECK_OFFSET_(f, dx, dy, dz)
#endif

/* Is true for the address of a world attribute that is an array. */
#ifdef __cplusplus
template <class P> struct mass_pointed_;
template <class T> struct mass_pointed_<T *> { typedef T type; };
template <class T> struct mass_pointed_<const T *> { typedef T type; };
#define MASS_IS_ARRAY_OF_WORLD_(at) (MASS_TYPE_OF(typename mass_pointed_<decltype(+(at))>::type) == MASS_STRUCT)
#else
#define MASS_IS_ARRAY_OF_WORLD_(at) (MASS_TYPE_OF(__typeof__(*(at))) == MASS_STRUCT)
#endif
#ifdef __cplusplus
#define MASS_AUTO_ const auto
#define MASS_CHECK_ARRAY_OF_WORLD_(at, text) \
    (void)sizeof(__extension__({ MASS_ASSERT_(MASS_IS_ARRAY_OF_WORLD_(at), text) 0; })),
#else
#define MASS_AUTO_ const __auto_type
#define MASS_CHECK_ARRAY_OF_WORLD_(at, text) \
    (void)sizeof(struct { MASS_ASSERT_(MASS_IS_ARRAY_OF_WORLD_(at), text) int mass_; }),
#endif

/* Is true for a contribution that is a real number; and for a SUM field that adds integers. */
#ifdef __cplusplus
template <class T> struct mass_is_real_ { static constexpr bool value = false; };
template <> struct mass_is_real_<float> { static constexpr bool value = true; };
template <> struct mass_is_real_<double> { static constexpr bool value = true; };
template <class T> struct mass_is_pointer_ { static constexpr bool value = false; };
template <class T> struct mass_is_pointer_<T *> { static constexpr bool value = true; };
#define MASS_IS_REAL_(v) (mass_is_real_<decltype((v) + 0)>::value)
#define MASS_IS_INTEGER_SUM_(sum) (!mass_is_pointer_<decltype(sum)>::value)
#else
#define MASS_IS_REAL_(v) _Generic((v), float: 1, double: 1, default: 0)
#define MASS_IS_INTEGER_SUM_(sum) _Generic((sum), mass_sum: 1, default: 0)
#endif

#endif
