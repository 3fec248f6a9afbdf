/* SPDX-License-Identifier: Apache-2.0 */
/* --params: a file of parameters does what --set does, and what the user is told of a bad one. */
#include "command.h"

#include <stdio.h>
#include <string.h>

TestSuite(params, SCRATCH);

#define HEAT "--plugin", "heat", "--size", "24x16", "--steps", "20", "--seed", "1", "--quiet", "--json"

static const char *file(const char *name, const char *text)
{
    const char *path = scratch(name);
    file_write_text(path, text);
    return path;
}

Test(params, are_those_of_set)
{
    const outcome set = RUN(HEAT, "--set", "heat=-50", "--set", "alpha=0.1");
    const outcome yaml = RUN(HEAT, "--params", file("a.yaml", "heat: -50\nalpha: 0.1\n"));
    const outcome json = RUN(HEAT, "--params", file("a.json", "{\"heat\": -50, \"alpha\": 0.1}"));
    cr_assert_str_eq(outcome_hash(&yaml, 0), outcome_hash(&set, 0));
    cr_assert_str_eq(outcome_hash(&json, 0), outcome_hash(&set, 0));
}

/* A value that --set replaces is not even looked at. */
Test(params, give_way_to_set)
{
    const outcome set = RUN(HEAT, "--set", "heat=7", "--set", "alpha=0.1");
    const outcome both = RUN(HEAT, "--set", "heat=7", "--params", file("a.yaml", "heat: hot\nalpha: 0.1\n"));
    cr_assert_str_eq(outcome_hash(&both, 0), outcome_hash(&set, 0));
}

Test(params, go_on_from_a_checkpoint)
{
    const char *path = file("a.yaml", "heat: -50\n");
    const outcome whole = RUN(HEAT, "--params", path);
    DONE(RUN(HEAT, "--params", path, "--steps", "9", "--checkpoint", scratch("out")));
    remove(path);
    const outcome rest = RUN("--resume", scratch("out"), "--steps", "20", "--quiet", "--json");
    cr_assert_str_eq(outcome_hash(&rest, 0), outcome_hash(&whole, 0));
    REFUSED(RUN("--resume", scratch("out"), "--params", path), MASS_BAD_USAGE, "leave out --set, --params");
}

Test(params, are_shared_by_a_sweep)
{
    const char *table = file("sweep.csv", "heat\n7\n8\n"), *params = file("a.yaml", "alpha: 0.1\n");
    const outcome set = RUN(HEAT, "--sweep", table, "--set", "alpha=0.1");
    const outcome read = RUN(HEAT, "--sweep", table, "--params", params);
    cr_assert_str_eq(outcome_hash(&read, 0), outcome_hash(&set, 0));
    REFUSED(RUN(HEAT, "--sweep", table, "--params", file("b.yaml", "\nheat: 3\n")), MASS_BAD_INPUT,
            "sweep.csv, line 1: parameter heat is given by", "b.yaml, line 2, too");
}

Test(params, bad_values_are_refused_with_their_line)
{
    REFUSED(RUN(HEAT, "--params", file("a.yaml", "alpha: 0.1\nhat: 3\n")), MASS_BAD_USAGE,
            "a.yaml, line 2: there is no parameter 'hat'; did you mean 'heat'? It has");
    REFUSED(RUN(HEAT, "--params", file("a.json", "{\"alpha\": 0.1,\n\"heat\": \"hot\"}")), MASS_BAD_USAGE,
            "a.json, line 2: parameter heat: 'hot' is not a number");
    REFUSED(RUN(HEAT, "--params", file("a.yaml", "heat: [1]\n")), MASS_BAD_USAGE,
            "a.yaml, line 1: parameter heat: '[1]' is not a number");
    REFUSED(RUN(HEAT, "--params", scratch("none.yaml")), MASS_BAD_INPUT, "none.yaml: No such file");
}

Test(params, a_file_that_is_too_large)
{
    static char bytes[(1 << 20) + 1];
    memset(bytes, '#', sizeof bytes);
    file_write(scratch("a.yaml"), bytes, sizeof bytes);
    REFUSED(RUN(HEAT, "--params", scratch("a.yaml")), MASS_BAD_INPUT, "a.yaml: it has 1048577 bytes");
}
