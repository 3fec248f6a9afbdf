/* SPDX-License-Identifier: Apache-2.0 */
/* --run: a file of options does what the options do; --print-run prints it; and what the user is told of a bad one. */
#include "command.h"

#include <stdio.h>
#include <string.h>

TestSuite(run_file, SCRATCH);

#define HEAT "--plugin", "heat", "--size", "24x16", "--steps", "20", "--seed", "1"
#define HEAT_FILE "plugin: heat\nsize: [24, 16]\nsteps: 20\nseed: 1\nset:\n  heat: -50\n"

static const char *file(const char *name, const char *text)
{
    const char *path = scratch(name);
    file_write_text(path, text);
    return path;
}

static const char *printed(outcome o)
{
    cr_assert_eq(o.status, 0, "%s", o.err);
    return o.out;
}

Test(run_file, is_the_options_that_it_has)
{
    const outcome set = RUN(HEAT, "--quiet", "--json", "--set", "heat=-50");
    const outcome yaml = RUN("--run", file("a.yaml", HEAT_FILE "quiet: true\njson: true\nstrict: false\n"));
    const outcome json = RUN("--quiet", "--json", "--run",
                             file("a.json", "{\"plugin\": \"heat\", \"size\": \"24x16\",\n\t\"steps\": 2e1, "
                                            "\"seed\": 1, \"set\": {\"heat\": -50}}\n"));
    cr_assert_str_eq(outcome_hash(&yaml, 0), outcome_hash(&set, 0));
    cr_assert_str_eq(outcome_hash(&json, 0), outcome_hash(&set, 0));
}

Test(run_file, gives_way_to_options)
{
    const char *path = file("a.yaml", HEAT_FILE "  alpha: 0.1\nlog: {mean_heat: mean(temperature)}\nlog-every: 5\n");
    const char *text = printed(RUN("--run", path, "--print-run", "--steps", "30", "--set", "alpha=0.2", "life",
                                   "--log", "population", "--series", "rows.csv"));
    cr_assert_str_eq(text, "plugin: life\nset:\n  heat: -50\n  alpha: 0.2\nsize: 24x16\nsteps: 30\nseed: 1\nlog:\n"
                           "  - mean_heat=mean(temperature)\n  - population\nlog-every: 5\nseries: rows.csv\n");
}

/* The file of a command is the command: printing it again changes nothing, in either language. */
Test(run_file, is_printed_of_a_command)
{
    const char *yaml = printed(RUN(HEAT, "--set", "heat=-50", "--load", "temperature=a b.npy", "--view=control",
                                   "--shares", "3,1", "--until", "0", "--image", "\"#.png", "--agents", "a=a b.csv",
                                   "--agents", "b=b.csv", "--force", "--print-run"));
    const char *again = printed(RUN("--run", file("a.yaml", yaml), "--print-run"));
    cr_assert_str_eq(again, yaml);
    const char *json = printed(RUN("--run", scratch("a.yaml"), "--print-run", "--json"));
    cr_assert_str_eq(printed(RUN("--run", file("a.json", json), "--print-run")), yaml);
}

Test(run_file, is_printed_of_a_checkpoint)
{
    const outcome run = RUN(HEAT, "--quiet", "--json", "--set", "heat=-50", "--checkpoint", scratch("out"));
    const char *text = printed(RUN("--print-run", scratch("out")));
    cr_assert_str_eq(text, "plugin: heat\nset:\n  heat: -50\nsize: 24x16\nsteps: 20\nseed: 1\n");
    const outcome again = RUN("--run", file("a.yaml", text), "--quiet", "--json");
    cr_assert_str_eq(outcome_hash(&again, 0), outcome_hash(&run, 0));
    cr_assert_not_null(strstr(printed(RUN("--print-run", scratch("out"), "--steps", "9")), "steps: 9\n"));
    file_write_text(scratch("sweep.csv"), "heat\n7\n8\n");
    DONE(RUN(HEAT, "--quiet", "--sweep", scratch("sweep.csv"), "--checkpoint", scratch("swept")));
    REFUSED(RUN("--print-run", scratch("swept")), MASS_BAD_USAGE, "is of a sweep over heat");
    REFUSED(RUN("--print-run", folder_make(scratch("empty"))), MASS_BAD_INPUT, "there is no checkpoint in");
}

/* Each run of a sweep, and a resumed run, get the file's options as well. */
Test(run_file, serves_sweeps_and_resumed_runs)
{
    const char *path = file("a.yaml", HEAT_FILE);
    const outcome whole = RUN("--run", path, "--quiet", "--json");
    DONE(RUN("--run", path, "--quiet", "--steps", "9", "--checkpoint", scratch("out")));
    const outcome rest = RUN("--run", path, "--quiet", "--json", "--resume", scratch("out"));
    cr_assert_str_eq(outcome_hash(&rest, 0), outcome_hash(&whole, 0));
    file_write_text(scratch("sweep.csv"), "steps\n10\n20\n");
    const char *text = path_of("plugin: heat\nsize: 24\nseed: 1\nquiet: true\nsweep: %s\n", scratch("sweep.csv"));
    const outcome runs = RUN("--run", file("b.yaml", text), "--json");
    cr_assert_eq(json_array_size(json_object_get(outcome_json(&runs), "runs")), 2);
}

typedef struct refusal {
    const char *text, *said;
    int status;
} refusal;

Test(run_file, mistakes_are_refused_with_their_line)
{
    static const refusal all[] = {
        {"seed: 1\nstps: 3\n", "a.yaml, line 2: a run has no 'stps'; did you mean 'steps'?", MASS_BAD_USAGE},
        {"model: heat\n", "line 1: a run has no 'model'; did you mean 'plugin'?", MASS_BAD_USAGE},
        {"log_every: 3\n", "line 1: a run has no 'log_every'; did you mean 'log-every'?", MASS_BAD_USAGE},
        {"temperature: 3\n", "line 1: a run has no 'temperature'; the keys are the options", MASS_BAD_USAGE},
        {"\ninfo: true\n", "line 2: info is an option of the command line alone", MASS_BAD_USAGE},
        {"steps: x\n", "line 1: steps x is not an integer from 0 to", MASS_BAD_USAGE},
        {"size: [4, 0]\n", "line 1: size 4x0 is not N, NXxNY", MASS_BAD_USAGE},
        {"steps: 5\nseed: 1\nsteps: 6\n", "line 3: steps is given twice", MASS_BAD_INPUT},
        {"set: {heat: 1,\n  heat: 2}\n", "line 2: heat is given twice", MASS_BAD_INPUT},
        {"set:\n  heat:\n", "line 2: heat is given no value", MASS_BAD_INPUT},
        {"set:\n  heat: {a: 1}\n", "line 2: heat is a map", MASS_BAD_INPUT},
        {"set:\n  het: 3\n", "a.yaml, line 2: there is no parameter 'het'; did you mean 'heat'?", MASS_BAD_USAGE},
        {"set: 4\n", "line 1: set 4 is not of the form NAME=VALUE", MASS_BAD_USAGE},
        {"force: 1\n", "line 1: force is '1', and has to be true or false", MASS_BAD_INPUT},
        {"steps: [1]\n", "line 1: steps is a list, and has to be a number or a text", MASS_BAD_INPUT},
        {"steps: *a\n", "line 1: ", MASS_BAD_INPUT},
        {"steps: 1\n}\n", "line 2: it is not YAML", MASS_BAD_INPUT},
        {"- a\n", "line 1: a map of options, as in NAME: VALUE, is expected here", MASS_BAD_INPUT},
        {"", "line 1: a map of options", MASS_BAD_INPUT}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        REFUSED(RUN("heat", "--steps", "1", "--seed", "1", "--size", "9", "--run", file("a.yaml", all[i].text)),
                all[i].status, all[i].said);
    REFUSED(RUN("heat", "--run", file("a.json", "{\n\"steps\": 3,\n}")), MASS_BAD_INPUT,
            "a.json, line 3: it is not JSON");
    REFUSED(RUN("heat", "--run", file("a.txt", "steps: 3\n")), MASS_BAD_INPUT, "does not end in .yaml, .yml or .json");
    REFUSED(RUN("--run", scratch("none.yaml")), MASS_BAD_INPUT, "none.yaml: No such file");
    REFUSED(RUN("heat", "--run="), MASS_BAD_USAGE, "--run needs a value");
    REFUSED(RUN("--print-run"), MASS_BAD_USAGE, "name a model");
    REFUSED(RUN("heat", "--print-run", "--image", "\xff.png"), MASS_BAD_USAGE, "is not UTF-8");
}

/* Damaged files are read or refused, and nothing else happens. */
Test(run_file, survives_damage)
{
    const char *path = file("a.yaml", HEAT_FILE "log: [a, \"b=c\"]\nview: control\nshares: [1, 2]\ntally: {a: b}\n");
    const content whole = file_read(path);
    uint64_t random = 1;
    for (int trial = 0; trial < 40; trial++) {
        file_write_damaged(path, &whole, trial, &random);
        const outcome o = RUN("heat", "--print-run", "--run", path);
        cr_assert(o.signal == 0 && (o.status == 0 || o.status == MASS_BAD_USAGE || o.status == MASS_BAD_INPUT),
                  "trial %d: status %d, signal %d: %s", trial, o.status, o.signal, o.err);
    }
}
