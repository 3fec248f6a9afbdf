/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as the page's JavaScript can have them. */
#include "view/json.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect(mass_number n, const char *text)
{
    json_t *value = mass_view_value(n);
    char *written = json_dumps(value, JSON_ENCODE_ANY);
    cr_assert(strcmp(written, text) == 0, "%s, not %s", written, text);
    free(written);
    json_decref(value);
}

Test(json, integers_that_doubles_do_not_hold_are_texts)
{
    expect((mass_number){.kind = MASS_NUMBER_SIGNED, .i = -5}, "-5");
    expect((mass_number){.kind = MASS_NUMBER_UNSIGNED, .u = 1ull << 53}, "9007199254740992");
    expect((mass_number){.kind = MASS_NUMBER_UNSIGNED, .u = (1ull << 53) + 1}, "\"9007199254740993\"");
    expect((mass_number){.kind = MASS_NUMBER_UNSIGNED, .u = UINT64_MAX}, "\"18446744073709551615\"");
    expect((mass_number){.kind = MASS_NUMBER_SIGNED, .i = INT64_MIN}, "\"-9223372036854775808\"");
}

Test(json, reals_that_are_no_numbers_are_null)
{
    expect((mass_number){.kind = MASS_NUMBER_REAL, .f = 0.5}, "0.5");
    expect((mass_number){.kind = MASS_NUMBER_REAL, .f = NAN}, "null");
    expect((mass_number){.kind = MASS_NUMBER_REAL, .f = -INFINITY}, "null");
}
