/* SPDX-License-Identifier: Apache-2.0 */
/* Identities: random, or as tests say. */
#include "base/identity.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char *made(void)
{
    static char identity[MASS_IDENTITY_SIZE];
    mass_error error = {0};
    cr_assert_eq(mass_identity_make(identity, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(strlen(identity), 32);
    cr_assert(mass_is_hex(identity, 32));
    return identity;
}

Test(identity, differs_from_run_to_run)
{
    char first[MASS_IDENTITY_SIZE];
    unsetenv("MASS_IDENTITY");
    strcpy(first, made());
    cr_assert_str_neq(first, made());
}

Test(identity, is_what_the_environment_says)
{
    setenv("MASS_IDENTITY", "00112233445566778899aabbccddeeff", 1);
    cr_assert_str_eq(made(), "00112233445566778899aabbccddeeff");
}

Test(identity, of_the_environment_that_is_none)
{
    static const char *const wrong[] = {"", "0", "00112233445566778899aabbccddeef", "00112233445566778899AABBCCDDEEFF",
        "00112233445566778899aabbccddeeff0", "00112233445566778899aabbccddeef/"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char identity[MASS_IDENTITY_SIZE];
        mass_error error = {0};
        setenv("MASS_IDENTITY", wrong[i], 1);
        cr_assert_eq(mass_identity_make(identity, &error), MASS_BAD_USAGE, "'%s'", wrong[i]);
        cr_assert_not_null(strstr(error.text, "MASS_IDENTITY"));
    }
}

Test(identity, a_process_has_one_writer)
{
    char first[MASS_WRITER_SIZE];
    strcpy(first, mass_writer());
    cr_assert(strlen(first) == 16 && mass_is_hex(first, 16));
    cr_assert_str_eq(mass_writer(), first);
}
