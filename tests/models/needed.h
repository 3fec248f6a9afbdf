/* SPDX-License-Identifier: Apache-2.0 */
/* For test programs that need something that not every machine has. If the engine reports that it is absent, the main
 * function, in needed.c, prints that and ends with a status that ctest shows as "Skipped". */
#ifndef MASS_TESTS_MODELS_NEEDED_H
#define MASS_TESTS_MODELS_NEEDED_H

/* A run of the engine that needs it, and words of the messages, with status 5, that report its absence. Any other
 * failure is one of the tests. The list ends with NULL. */
typedef struct needed {
    const char *options;
    const char *absent[8];
} needed;

/* The needs of this program. */
extern const needed what_is_needed;

#endif
