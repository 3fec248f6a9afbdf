/* SPDX-License-Identifier: Apache-2.0 */
/* Which versions of a plugin go with which of the engine. */
#include "plugin/elf.h"

#include <criterion/criterion.h>

static bool accepts(uint32_t engine_major, uint32_t engine_minor, uint32_t major, uint32_t minor)
{
    return mass_abi_accepts((mass_abi){engine_major, engine_minor}, (mass_abi){major, minor});
}

Test(abi, while_major_is_0_both_numbers_must_be_equal)
{
    cr_assert(accepts(0, 1, 0, 1));
    cr_assert_not(accepts(0, 2, 0, 1));
    cr_assert_not(accepts(0, 1, 0, 2));
    cr_assert(accepts(0, 0, 0, 0));
}

Test(abi, from_1_0_on_an_older_minor_number_is_accepted)
{
    cr_assert(accepts(1, 0, 1, 0));
    cr_assert(accepts(1, 3, 1, 0));
    cr_assert(accepts(7, 3, 7, 3));
    cr_assert_not(accepts(1, 3, 1, 4));
    cr_assert_not(accepts(1, 3, 1, UINT32_MAX));
}

Test(abi, another_major_number_is_never_accepted)
{
    cr_assert_not(accepts(1, 0, 0, 0));
    cr_assert_not(accepts(0, 1, 1, 1));
    cr_assert_not(accepts(2, 5, 1, 1));
    cr_assert_not(accepts(1, 5, 2, 1));
}
