/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a refusal of a pattern is one line that begins with the number of an existing line. */
#ifndef MASS_FUZZ_PATTERN_REFUSAL_H
#define MASS_FUZZ_PATTERN_REFUSAL_H

#include "harness.h"
#include "pattern.h"

#include <string.h>

/* Checks the error of a pattern that was refused: it names a line of the file, and is printable. */
static inline void check_refusal(const uint8_t *bytes, size_t size, mass_status status, const life_pattern_error *error)
{
    int64_t lines = 1;
    for (size_t i = 0; i < size; i++) lines += bytes[i] == '\n' || bytes[i] == '\r';
    char start[40];
    int length = snprintf(start, sizeof start, "line %lld: ", (long long)error->line);
    ALWAYS(status == MASS_BAD_INPUT);
    ALWAYS(error->line >= 1 && error->line <= lines);
    ALWAYS(strncmp(error->text, start, (size_t)length) == 0);
    ALWAYS(strlen(error->text) > (size_t)length && strlen(error->text) + 1 < sizeof error->text);
    for (const char *c = error->text; *c; c++) ALWAYS(*c >= 0x20 && *c < 0x7f);
}

#endif
