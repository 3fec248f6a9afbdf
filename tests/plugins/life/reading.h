/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns that are read from texts and files, and the results. */
#ifndef MASS_TESTS_LIFE_READING_H
#define MASS_TESTS_LIFE_READING_H

#include "pattern.h"

/* Extent in places of the space for which texts are read. */
enum { SPACE = 64 };

/* The caller frees it with life_pattern_free. */
life_pattern parsed(life_pattern_format format, const char *text);
/* rows: as in a .cells file, each as wide as the pattern and ended by a newline. */
void expect_cells(life_pattern_format format, const char *text, const char *rows);
void expect_refusal(life_pattern_format format, const char *text, const char *saying);

/* The caller frees the bytes. */
typedef struct read_result {
    mass_status status;
    uint8_t *bytes;
    size_t size;
    char message[200];
} read_result;

read_result read_file(const char *path);

#endif
