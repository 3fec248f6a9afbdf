/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the library share: small runs, the state by the command, and expectations of failures. */
#ifndef MASS_TESTS_ENGINE_LIBRARY_SCENE_H
#define MASS_TESTS_ENGINE_LIBRARY_SCENE_H

#include <criterion/criterion.h>
#include <mass/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens a run, which has to succeed. */
#define OPEN(PLUGIN, ...) open_run(PLUGIN, (const mass_engine_option[]){__VA_ARGS__}, \
    sizeof((const mass_engine_option[]){__VA_ARGS__}) / sizeof(mass_engine_option))

/* Opens a run, which must succeed. The caller closes it. */
static inline mass_engine *open_run(const char *plugin, const mass_engine_option *options, size_t count)
{
    mass_engine *run = NULL;
    const int status = mass_engine_open(plugin, options, count, &run);
    cr_assert_eq(status, MASS_OK, "%d: %s", status, mass_engine_error());
    return run;
}

#define WORKS(CALL) cr_assert_eq(CALL, MASS_OK, "%s: %s", #CALL, mass_engine_error())

/* Checks that a call fails with this status and a sentence that has these words. */
#define FAILS(CALL, STATUS, WORDS) \
    do { \
        cr_expect_eq(CALL, STATUS, "%s", #CALL); \
        cr_expect(strstr(mass_engine_error(), WORDS), "%s: '%s'", #CALL, mass_engine_error()); \
    } while (0)

/* Runs the command with these words, and writes the state that it reports. */
static inline void state_of_command(const char *words, char hex[33])
{
    char line[1000];
    snprintf(line, sizeof line, "%s %s 2>&1", getenv("MASS_ENGINE"), words); /* the report is for people */
    FILE *f = popen(line, "r");
    cr_assert(f);
    hex[0] = '\0';
    while (fgets(line, sizeof line, f)) sscanf(line, " state %32s", hex);
    cr_assert_eq(pclose(f), 0, "%s", words);
    cr_assert_eq(strlen(hex), 32, "%s", words);
}

/* Expects a state hash. */
static inline void check_state(mass_engine *run, const char *expected)
{
    char hex[33];
    WORKS(mass_engine_hash(run, hex));
    cr_expect_str_eq(hex, expected);
}

#endif
