/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a list of fields is one, said in a sentence before compilers stumble over what it would become: an access
 * that there is not, a type that it cannot be of, a line that is in no list. Included by kernel.h. */
#ifndef MASS_FIELDS_H
#define MASS_FIELDS_H

#include <mass/types.h>

#ifdef __cplusplus
#define MASS_ASSERT_(CONDITION, TEXT) static_assert(CONDITION, TEXT);
#else
#define MASS_ASSERT_(CONDITION, TEXT) _Static_assert(CONDITION, TEXT);
#endif

/* 1 if what is asked about was defined as MASS_YES_, else 0. */
#define MASS_YES_ 0, 1
#define MASS_SECOND_(a, b, ...) b
#define MASS_IS_YES_(...) MASS_SECOND_(__VA_ARGS__, 0, 0)
#define MASS_JOINED_(a, b) a##b

/* Outside of a list, whose parameter goes by that name. */
#ifndef FIELD
#define FIELD(name, ...)                                                                                            \
    MASS_ASSERT_(0, "FIELD(" #name ", ...) is in no list: the line before it lacks its backslash at the very end")
#endif

/* What bodies of a kind may have: those of all kinds, and others. */
#define MASS_IN_ALL_READ MASS_YES_
#define MASS_IN_ALL_UPDATE MASS_YES_
#define MASS_IN_ALL_PARAM MASS_YES_
#define MASS_IN_ALL_SUM MASS_YES_
#define MASS_IN_ALL_MIN MASS_YES_
#define MASS_IN_ALL_MAX MASS_YES_
#define MASS_IN_ALL_BINS MASS_YES_
#define MASS_IN_ALL_KEYS MASS_YES_
#define MASS_IN_ALL_SCATTER_ADD MASS_YES_
#define MASS_IN_PLACES_WRITE MASS_YES_
#define MASS_IN_PLACES_ITEMS MASS_YES_
#define MASS_IN_RESIDENTS_WRITE MASS_YES_
#define MASS_IN_RESIDENTS_RESIDENT MASS_YES_
#define MASS_IN_RESIDENTS_RESIDENT_UPDATE MASS_YES_
#define MASS_IN_OCCUPIED_RESIDENT MASS_YES_
#define MASS_IN_OCCUPIED_RESIDENT_UPDATE MASS_YES_
#define MASS_IN_AGENTS_WRITE MASS_YES_
#define MASS_IN_AGENTS_PLACE MASS_YES_
#define MASS_IN_AGENTS_CHILD MASS_YES_
#define MASS_IN_AGENTS_RACE MASS_YES_

#define MASS_KNOWS_(KIND, access) \
    (MASS_IS_YES_(MASS_JOINED_(MASS_IN_ALL_, access)) || MASS_IS_YES_(MASS_JOINED_(MASS_IN_##KIND##_, access)))
#define MASS_KNOWN_(KIND, OF, name, access, OTHERS)                                                                 \
    MASS_ASSERT_(MASS_KNOWS_(KIND, access), "field " #name ": " #access " is no access of bodies " OF               \
                 ": READ, UPDATE, PARAM, SUM, MIN, MAX, BINS, KEYS, SCATTER_ADD, " OTHERS)

/* Types that go with an access; a sum's is known by its very word. */
#define MASS_IS_WIDE_(T) (MASS_TYPE_OF(T) == MASS_I64 || MASS_TYPE_OF(T) == MASS_F64)
#define MASS_IS_WORD_(T) \
    (MASS_TYPE_OF(T) == MASS_I32 || MASS_TYPE_OF(T) == MASS_U32 || MASS_TYPE_OF(T) == MASS_I64 || \
     MASS_TYPE_OF(T) == MASS_U64)
#define MASS_ADDS_int64_t MASS_YES_
#define MASS_ADDS_double MASS_YES_
#define MASS_FITS_READ(T) 1
#define MASS_FITS_WRITE(T) 1
#define MASS_FITS_UPDATE(T) 1
#define MASS_FITS_PARAM(T) MASS_IS_WIDE_(T)
#define MASS_FITS_SUM(T) MASS_IS_YES_(MASS_JOINED_(MASS_ADDS_, T))
#define MASS_FITS_MIN(T) MASS_IS_WIDE_(T)
#define MASS_FITS_MAX(T) MASS_IS_WIDE_(T)
#define MASS_FITS_BINS(T) (MASS_TYPE_OF(T) == MASS_I64)
#define MASS_FITS_KEYS(T) (MASS_TYPE_OF(T) == MASS_I64)
#define MASS_FITS_ITEMS(T) 1
#define MASS_FITS_PLACE(T) 1
#define MASS_FITS_CHILD(T) 1
#define MASS_FITS_RACE(T) 1
#define MASS_FITS_RESIDENT(T) 1
#define MASS_FITS_RESIDENT_UPDATE(T) 1
#define MASS_FITS_SCATTER_ADD(T) MASS_IS_WORD_(T)
#define MASS_FITTING_(name, type, access)                                                                            \
    MASS_ASSERT_(MASS_JOINED_(MASS_FITS_, access)(type), "field " #name " is " #access " and of type " #type         \
                 ": BINS and KEYS are int64_t; SUM, MIN, MAX and PARAM int64_t or double; SCATTER_ADD int32_t, "     \
                 "uint32_t, int64_t or uint64_t")

#define MASS_CHECK_PLACES_(name, type, access, target)              \
    MASS_KNOWN_(PLACES, "over places", name, access, "WRITE, ITEMS") \
    MASS_FITTING_(name, type, access)
#define MASS_CHECK_RESIDENTS_(name, type, access, target)                                         \
    MASS_KNOWN_(RESIDENTS, "over residents", name, access, "WRITE, RESIDENT, RESIDENT_UPDATE") \
    MASS_FITTING_(name, type, access)
#define MASS_CHECK_OCCUPIED_(name, type, access, target)                                          \
    MASS_KNOWN_(OCCUPIED, "over occupied places", name, access, "RESIDENT, RESIDENT_UPDATE")      \
    MASS_FITTING_(name, type, access)
#define MASS_CHECK_AGENTS_(name, type, access, target)                              \
    MASS_KNOWN_(AGENTS, "over agents", name, access, "WRITE, PLACE, CHILD, RACE") \
    MASS_FITTING_(name, type, access)

/* Whether a contribution is a real number, and whether what a body sees of a SUM field is one of integers. */
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
