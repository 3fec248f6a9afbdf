/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers of a file are values of an attribute. */
#include "text/number.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static mass_number real(double f) { return (mass_number){.kind = MASS_NUMBER_REAL, .f = f}; }
static mass_number signed_of(int64_t i) { return (mass_number){.kind = MASS_NUMBER_SIGNED, .i = i}; }
static mass_number unsigned_of(uint64_t u) { return (mass_number){.kind = MASS_NUMBER_UNSIGNED, .u = u}; }

static bool fits(uint32_t type, mass_number n)
{
    uint64_t to;
    return mass_number_store_exactly(type, n, &to);
}

Test(number, integers_may_be_written_as_reals)
{
    mass_number n;
    cr_assert(mass_number_read("5.0", false, &n) && n.kind == MASS_NUMBER_UNSIGNED && n.u == 5);
    cr_assert(mass_number_read("-5.00", false, &n) && n.kind == MASS_NUMBER_SIGNED && n.i == -5);
    cr_assert(mass_number_read("1e3", false, &n) && n.u == 1000);
    cr_assert(mass_number_read("18446744073709551615", false, &n) && n.u == UINT64_MAX);
    cr_assert_not(mass_number_read("5.5", false, &n));
    cr_assert_not(mass_number_read("nan", false, &n));
}

Test(number, integers_that_fit_exactly)
{
    cr_assert(fits(MASS_U8, real(255)) && !fits(MASS_U8, real(256)) && !fits(MASS_U8, real(-1)));
    cr_assert(!fits(MASS_U8, real(0.5)) && !fits(MASS_U8, real(NAN)) && !fits(MASS_I64, real(INFINITY)));
    cr_assert(fits(MASS_U8, real(-0.0)) && fits(MASS_I8, real(-128)) && !fits(MASS_I8, signed_of(-129)));
    cr_assert(fits(MASS_I64, real(-0x1p63)) && !fits(MASS_I64, real(0x1p63)) && fits(MASS_U64, real(0x1p63)));
    cr_assert(!fits(MASS_U64, real(0x1p64)) && !fits(MASS_I64, unsigned_of(UINT64_MAX)));
    cr_assert(fits(MASS_U64, unsigned_of(UINT64_MAX)) && !fits(MASS_U64, signed_of(-1)));
}

Test(number, reals_that_fit_exactly)
{
    cr_assert(fits(MASS_F64, signed_of(INT64_C(1) << 53)) && !fits(MASS_F64, signed_of((INT64_C(1) << 53) + 1)));
    cr_assert(fits(MASS_F32, unsigned_of(1 << 24)) && !fits(MASS_F32, unsigned_of((1 << 24) + 1)));
    cr_assert(fits(MASS_F64, signed_of(INT64_MIN)) && !fits(MASS_F64, signed_of(INT64_MAX)));
    cr_assert(!fits(MASS_F64, unsigned_of(UINT64_MAX)) && !fits(MASS_F32, unsigned_of(UINT64_MAX)));
    cr_assert(fits(MASS_F32, real(0.5)) && !fits(MASS_F32, real(0.1)) && fits(MASS_F64, real(0.1)));
    cr_assert(!fits(MASS_F32, real(1e39)) && fits(MASS_F32, real(INFINITY)) && fits(MASS_F32, real(NAN)));
    cr_assert(fits(MASS_F32, signed_of(-3)) && fits(MASS_F64, signed_of(-1)));
}

/* What fits is read back as the number that it was. */
Test(number, come_back)
{
    for (int64_t i = -300; i <= 300; i++)
        for (uint32_t type = MASS_I8; type <= MASS_F64; type++) {
            uint64_t to;
            if (!mass_number_store_exactly(type, signed_of(i), &to)) continue;
            const mass_number n = mass_number_at(type, &to);
            cr_assert(n.kind == MASS_NUMBER_REAL ? n.f == (double)i : n.i == i, "%d as %s", (int)i,
                      mass_type_name(type));
        }
}

Test(number, the_one_nan)
{
    const uint64_t odd = 0xfff8000000000123;
    double from, to;
    memcpy(&from, &odd, sizeof from);
    cr_assert(mass_number_store_exactly(MASS_F64, real(from), &to));
    uint64_t bits;
    memcpy(&bits, &to, sizeof bits);
    cr_assert_eq(bits, 0x7ff8000000000000);
}

Test(number, decimals_go_to_the_nearest)
{
    float to;
    cr_assert(mass_number_store(MASS_F32, real(0.1), &to));
    cr_assert_eq(to, 0.1f);
    cr_assert(!mass_number_store(MASS_F32, real(1e39), &to) && !mass_number_store(MASS_F32, real(NAN), &to));
}

Test(number, becomes_the_nearest_double)
{
    cr_assert(mass_number_double(signed_of(-7)) == -7 && mass_number_double(real(0.25)) == 0.25);
    cr_assert(mass_number_double(unsigned_of(UINT64_MAX)) == 0x1p64);
}
