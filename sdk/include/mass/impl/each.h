/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of the preprocessor: kernel.h uses them for the fields of a callback. And macros that expand to something only
 * if another macro is defined. They do without __VA_OPT__, which C17 does not have. */
#ifndef MASS_EACH_H
#define MASS_EACH_H

#define MASS_JOIN_(a, b) a##b
#define MASS_JOIN(a, b) MASS_JOIN_(a, b)
#define MASS_UNWRAPPED_(...) __VA_ARGS__

/* The second of its arguments, and all but the first. If a macro is defined as `~, something`, MASS_REST_ of it is
 * something. If it is not defined, it is a single argument, and MASS_REST_ of it is nothing. */
#define MASS_SECOND_(...) MASS_SECOND1_(__VA_ARGS__, , )
#define MASS_SECOND1_(a, b, ...) b
#define MASS_REST_(...) MASS_REST1_(__VA_ARGS__)
#define MASS_REST1_(a, ...) __VA_ARGS__

/* Is the number of arguments, at most 49. */
#define MASS_COUNT_(...)                                                                                       \
    MASS_COUNT1_(__VA_ARGS__, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30,  \
    29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, \
    0)
#define MASS_COUNT1_(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19,   \
    _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, _33, _34, _35, _36, _37, _38, _39, _40, \
    _41, _42, _43, _44, _45, _46, _47, _48, _49, N, ...) N

/* Is 1 for one argument, or none, and 2 for several, at most 49. It does not expand them. */
#define MASS_IS_ALONE_(...)                                                                                     \
    MASS_COUNT1_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, \
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0)

/* A list is a pair of parentheses around tuples, each after a comma: (, (a, b), (c, d)). MASS_EACH_(M, LIST) is M(a, b)
 * M(c, d). */
#define MASS_EACH_(M, LIST) MASS_EACH_OF_(M, MASS_UNWRAPPED_ LIST)
#define MASS_EACH_OF_(M, ...) MASS_JOIN(MASS_EACH_, MASS_COUNT_(__VA_ARGS__))(M, __VA_ARGS__)
#define MASS_EACH_1(M, none)
#define MASS_EACH_2(M, none, a) M a
#define MASS_EACH_3(M, none, a, ...) M a MASS_EACH_2(M, none, __VA_ARGS__)
#define MASS_EACH_4(M, none, a, ...) M a MASS_EACH_3(M, none, __VA_ARGS__)
#define MASS_EACH_5(M, none, a, ...) M a MASS_EACH_4(M, none, __VA_ARGS__)
#define MASS_EACH_6(M, none, a, ...) M a MASS_EACH_5(M, none, __VA_ARGS__)
#define MASS_EACH_7(M, none, a, ...) M a MASS_EACH_6(M, none, __VA_ARGS__)
#define MASS_EACH_8(M, none, a, ...) M a MASS_EACH_7(M, none, __VA_ARGS__)
#define MASS_EACH_9(M, none, a, ...) M a MASS_EACH_8(M, none, __VA_ARGS__)
#define MASS_EACH_10(M, none, a, ...) M a MASS_EACH_9(M, none, __VA_ARGS__)
#define MASS_EACH_11(M, none, a, ...) M a MASS_EACH_10(M, none, __VA_ARGS__)
#define MASS_EACH_12(M, none, a, ...) M a MASS_EACH_11(M, none, __VA_ARGS__)
#define MASS_EACH_13(M, none, a, ...) M a MASS_EACH_12(M, none, __VA_ARGS__)
#define MASS_EACH_14(M, none, a, ...) M a MASS_EACH_13(M, none, __VA_ARGS__)
#define MASS_EACH_15(M, none, a, ...) M a MASS_EACH_14(M, none, __VA_ARGS__)
#define MASS_EACH_16(M, none, a, ...) M a MASS_EACH_15(M, none, __VA_ARGS__)
#define MASS_EACH_17(M, none, a, ...) M a MASS_EACH_16(M, none, __VA_ARGS__)
#define MASS_EACH_18(M, none, a, ...) M a MASS_EACH_17(M, none, __VA_ARGS__)
#define MASS_EACH_19(M, none, a, ...) M a MASS_EACH_18(M, none, __VA_ARGS__)
#define MASS_EACH_20(M, none, a, ...) M a MASS_EACH_19(M, none, __VA_ARGS__)
#define MASS_EACH_21(M, none, a, ...) M a MASS_EACH_20(M, none, __VA_ARGS__)
#define MASS_EACH_22(M, none, a, ...) M a MASS_EACH_21(M, none, __VA_ARGS__)
#define MASS_EACH_23(M, none, a, ...) M a MASS_EACH_22(M, none, __VA_ARGS__)
#define MASS_EACH_24(M, none, a, ...) M a MASS_EACH_23(M, none, __VA_ARGS__)
#define MASS_EACH_25(M, none, a, ...) M a MASS_EACH_24(M, none, __VA_ARGS__)
#define MASS_EACH_26(M, none, a, ...) M a MASS_EACH_25(M, none, __VA_ARGS__)
#define MASS_EACH_27(M, none, a, ...) M a MASS_EACH_26(M, none, __VA_ARGS__)
#define MASS_EACH_28(M, none, a, ...) M a MASS_EACH_27(M, none, __VA_ARGS__)
#define MASS_EACH_29(M, none, a, ...) M a MASS_EACH_28(M, none, __VA_ARGS__)
#define MASS_EACH_30(M, none, a, ...) M a MASS_EACH_29(M, none, __VA_ARGS__)
#define MASS_EACH_31(M, none, a, ...) M a MASS_EACH_30(M, none, __VA_ARGS__)
#define MASS_EACH_32(M, none, a, ...) M a MASS_EACH_31(M, none, __VA_ARGS__)
#define MASS_EACH_33(M, none, a, ...) M a MASS_EACH_32(M, none, __VA_ARGS__)
#define MASS_EACH_34(M, none, a, ...) M a MASS_EACH_33(M, none, __VA_ARGS__)
#define MASS_EACH_35(M, none, a, ...) M a MASS_EACH_34(M, none, __VA_ARGS__)
#define MASS_EACH_36(M, none, a, ...) M a MASS_EACH_35(M, none, __VA_ARGS__)
#define MASS_EACH_37(M, none, a, ...) M a MASS_EACH_36(M, none, __VA_ARGS__)
#define MASS_EACH_38(M, none, a, ...) M a MASS_EACH_37(M, none, __VA_ARGS__)
#define MASS_EACH_39(M, none, a, ...) M a MASS_EACH_38(M, none, __VA_ARGS__)
#define MASS_EACH_40(M, none, a, ...) M a MASS_EACH_39(M, none, __VA_ARGS__)
#define MASS_EACH_41(M, none, a, ...) M a MASS_EACH_40(M, none, __VA_ARGS__)
#define MASS_EACH_42(M, none, a, ...) M a MASS_EACH_41(M, none, __VA_ARGS__)
#define MASS_EACH_43(M, none, a, ...) M a MASS_EACH_42(M, none, __VA_ARGS__)
#define MASS_EACH_44(M, none, a, ...) M a MASS_EACH_43(M, none, __VA_ARGS__)
#define MASS_EACH_45(M, none, a, ...) M a MASS_EACH_44(M, none, __VA_ARGS__)
#define MASS_EACH_46(M, none, a, ...) M a MASS_EACH_45(M, none, __VA_ARGS__)
#define MASS_EACH_47(M, none, a, ...) M a MASS_EACH_46(M, none, __VA_ARGS__)
#define MASS_EACH_48(M, none, a, ...) M a MASS_EACH_47(M, none, __VA_ARGS__)
#define MASS_EACH_49(M, none, a, ...) M a MASS_EACH_48(M, none, __VA_ARGS__)

/* M(CONTEXT, a) M(CONTEXT, b) for the entries a, b as they are written: no macro in them is expanded before M gets
 * them. Macros pass such a list on after an empty E: __VA_ARGS__##E is the same list, not expanded. */
#define MASS_ENTRIES_(E, M, CONTEXT, ...) \
    MASS_JOIN(MASS_ENTRIES_, MASS_COUNT_WRITTEN_(E, __VA_ARGS__##E))(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_COUNT_WRITTEN_(E, ...)                                                                                   \
    MASS_COUNT1_(__VA_ARGS__##E, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30,      \
    29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MASS_ENTRIES_1(E, M, CONTEXT, a) M(CONTEXT, E##a)
#define MASS_ENTRIES_2(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_1(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_3(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_2(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_4(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_3(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_5(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_4(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_6(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_5(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_7(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_6(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_8(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_7(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_9(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_8(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_10(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_9(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_11(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_10(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_12(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_11(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_13(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_12(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_14(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_13(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_15(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_14(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_16(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_15(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_17(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_16(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_18(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_17(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_19(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_18(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_20(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_19(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_21(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_20(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_22(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_21(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_23(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_22(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_24(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_23(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_25(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_24(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_26(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_25(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_27(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_26(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_28(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_27(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_29(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_28(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_30(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_29(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_31(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_30(E, M, CONTEXT, __VA_ARGS__##E)
#define MASS_ENTRIES_32(E, M, CONTEXT, a, ...) M(CONTEXT, E##a) MASS_ENTRIES_31(E, M, CONTEXT, __VA_ARGS__##E)
/* The same for arguments that are expanded, for use within it. */
#define MASS_NAMES_(M, CONTEXT, ...) MASS_JOIN(MASS_NAMES_, MASS_COUNT_(__VA_ARGS__))(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_1(M, CONTEXT, a) M(CONTEXT, a)
#define MASS_NAMES_2(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_1(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_3(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_2(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_4(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_3(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_5(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_4(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_6(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_5(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_7(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_6(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_8(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_7(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_9(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_8(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_10(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_9(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_11(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_10(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_12(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_11(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_13(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_12(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_14(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_13(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_15(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_14(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_16(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_15(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_17(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_16(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_18(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_17(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_19(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_18(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_20(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_19(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_21(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_20(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_22(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_21(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_23(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_22(M, CONTEXT, __VA_ARGS__)
#define MASS_NAMES_24(M, CONTEXT, a, ...) M(CONTEXT, a) MASS_NAMES_23(M, CONTEXT, __VA_ARGS__)

#endif
