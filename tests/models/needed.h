/* SPDX-License-Identifier: Apache-2.0 */
/* Test programs that need what not every machine has: where the engine says that it is absent, their main function,
 * of needed.c, says so on standard output and ends with a status that ctest shows as "Skipped". */
#ifndef MASS_TESTS_MODELS_NEEDED_H
#define MASS_TESTS_MODELS_NEEDED_H

/* A run of the engine that needs it, and words of the lines, after status 5, by which it says that it is not there; any
 * other failure is one of the tests. The list ends with NULL. */
typedef struct needed {
    const char *options;
    const char *absent[4];
} needed;

/* What this program needs. */
extern const needed what_is_needed;

#endif
