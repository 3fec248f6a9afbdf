/* SPDX-License-Identifier: Apache-2.0 */
/* Values within declared ranges, of every type and at the ends of what it can hold. */
#include "model/range.h"

#include <criterion/criterion.h>
#include <math.h>

static mass_attribute_def ranged(uint32_t type, double least, double most)
{
    return (mass_attribute_def){.name = "a", .type = type, .length = 1, .component_size = mass_type_size(type),
                                .ranged = true, .least = least, .most = most};
}

#define EXPECT(TYPE, T, LEAST, MOST, FIRST, ...)                                                     \
    do {                                                                                             \
        const mass_attribute_def a_ = ranged(TYPE, LEAST, MOST);                                     \
        const T values_[] = {__VA_ARGS__};                                                           \
        cr_assert_eq(mass_range_find(&a_, values_, sizeof values_ / sizeof *values_), (size_t)FIRST); \
    } while (0)

Test(range, finds_the_first_value_outside)
{
    EXPECT(MASS_U8, uint8_t, 0, 1, 2, 0, 1, 7, 9);
    EXPECT(MASS_U8, uint8_t, 1, 6, 3, 1, 6, 3, 0);
    EXPECT(MASS_U8, uint8_t, 1, 6, 3, 1, 6, 3);
    EXPECT(MASS_I8, int8_t, -3, -1, 1, -3, 0);
    EXPECT(MASS_I16, int16_t, -1e9, 5, 1, INT16_MIN, 6);
    EXPECT(MASS_U16, uint16_t, 5, 1e9, 1, UINT16_MAX, 4);
    EXPECT(MASS_I32, int32_t, -0.5, 1.5, 2, 0, 1, 2);
    EXPECT(MASS_U32, uint32_t, 0.5, INFINITY, 1, UINT32_MAX, 0);
    EXPECT(MASS_I64, int64_t, -INFINITY, 0x1p62, 2, INT64_MIN, (int64_t)1 << 62, ((int64_t)1 << 62) + 1);
    EXPECT(MASS_I64, int64_t, -0x1p63, 0x1p63, 2, INT64_MIN, INT64_MAX);
    EXPECT(MASS_U64, uint64_t, 1, 0x1p64, 1, UINT64_MAX, 0);
    EXPECT(MASS_F32, float, 0, 0.1, 1, 0.05f, 0.1f); /* the nearest float is more */
    EXPECT(MASS_F64, double, 0, 0.1, 2, -0.0, 0.1, nextafter(0.1, 1));
}

Test(range, holds_no_nan)
{
    EXPECT(MASS_F32, float, -INFINITY, INFINITY, 1, INFINITY, NAN);
    EXPECT(MASS_F64, double, -1, 1, 0, NAN);
}

Test(range, is_searched_in_all_of_a_long_array)
{
    static uint8_t values[10001];
    const mass_attribute_def a = ranged(MASS_U8, 0, 1);
    for (size_t i = 0; i < sizeof values; i += 997) {
        values[i] = 2;
        cr_assert_eq(mass_range_find(&a, values, sizeof values), i);
        cr_assert_eq(mass_range_find(&a, values, i), i);
        values[i] = 1;
    }
}

Test(range, that_is_none_holds_everything)
{
    mass_attribute_def a = ranged(MASS_F32, 0, 1);
    a.ranged = false;
    cr_assert_eq(mass_range_find(&a, (const float[]){NAN, 3}, 2), 2);
}

Test(range, of_two_worlds_is_what_either_has)
{
    mass_attribute_def a = ranged(MASS_U8, 1, 3), b = ranged(MASS_U8, 0, 2), none = ranged(MASS_U8, 0, 0);
    none.ranged = false;
    mass_range_widen(&a, &b);
    cr_assert(a.ranged && a.least == 0 && a.most == 3);
    mass_range_widen(&a, &none);
    cr_assert_not(a.ranged);
}
