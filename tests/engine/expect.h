/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that take the error `e` and return its status: they succeed, or are refused in these words. */
#ifndef MASS_TESTS_EXPECT_H
#define MASS_TESTS_EXPECT_H

#include "base/error.h"

#include <criterion/criterion.h>

#define EXPECT_OK(CALL)                                   \
    do {                                                  \
        mass_error error_ = {0}, *e = &error_;            \
        cr_assert_eq((CALL), MASS_OK, "%s", error_.text); \
        cr_assert_str_empty(error_.text);                 \
    } while (0)

#define EXPECT_REFUSAL(CALL, STATUS, TEXT)                                                                     \
    do {                                                                                                       \
        mass_error error_ = {0}, *e = &error_;                                                                 \
        cr_assert_eq((CALL), (STATUS), "not refused as '%s' but %d '%s'", (TEXT), error_.status, error_.text); \
        cr_assert_eq(error_.status, (STATUS));                                                                 \
        cr_assert_str_eq(error_.text, (TEXT));                                                                 \
    } while (0)

#endif
