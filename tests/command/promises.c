/* SPDX-License-Identifier: Apache-2.0 */
/* What an ordinary run says of a plugin that does not keep its word. */
#include "command.h"

#include <stdio.h>
#include <string.h>

TestSuite(promises, SCRATCH);

#define STEPS_OF(BREAKS) "--plugin", bad_plugin(BREAKS), "--seed", "1", "--device", "cpu", "--threads", "1"

/* A run that ends well, and says one line with these words before its report. */
static void says(const outcome *o, const char *words)
{
    assert_done(o, 0);
    cr_assert_eq(strncmp(o->err, "mass-engine: ", 13), 0, "%s", o->err);
    const char *end = strchr(o->err, '\n'), *at = strstr(o->err, words);
    cr_assert(at && at < end, "%s", o->err);
    cr_assert_null(strstr(end, "mass-engine: "), "%s", o->err);
}

static void says_of_trial(const char *name, const char *words)
{
    const outcome o = RUN(STEPS_OF(name));
    says(&o, words);
    cr_assert_not_null(strstr(o.err, "results may be wrong, as a trial on a few places shows: "), "%s", o.err);
}

Test(promises, that_are_kept_are_no_line)
{
    const outcome o = RUN(STEPS_OF("promise-kept"));
    assert_done(&o, 0);
    cr_assert_null(strstr(o.err, "mass-engine: "), "%s", o.err);
}

Test(promises, reach_that_was_forgotten)
{
    says_of_trial("promise-sees", "callback look, step 1: at place (");
    says_of_trial("promise-sees", "it sees the place (-1, 0) away, which is farther than 0, the .reach of its phase");
}

/* A trial waits for a processor, as on a machine in use, or sleeps: it looks for as much as without. */
Test(promises, reach_that_a_trial_that_waits_shows)
{
    says_of_trial("promise-sees-late", "it sees the place (-1, 0) away, which is farther than 0, the .reach of its");
}

Test(promises, radius_that_is_too_small)
{
    says_of_trial("promise-reads", "callback grow, step 1: at place (3, 0) of world 0 it reads the place (2, 0) away, "
                                   "which is farther than 1, its radius");
}

Test(promises, values_that_are_kept_between_calls)
{
    says_of_trial("promise-counts", "callback grow, field grass, step 1: its value for place (0, 0) of world 0");
}

/* Bodies in turn run twice on the few places of a trial, the second time in another order that must give the same. */
Test(promises, bodies_in_turn_that_act_in_memory_of_their_own)
{
    const outcome o = RUN(STEPS_OF("promise-turn-kept"));
    assert_done(&o, 0);
    cr_assert_null(strstr(o.err, "mass-engine: "), "%s", o.err);
    says_of_trial("promise-turn-counts-places", "callback grow, field grass, place (");
    says_of_trial("promise-turn-counts-places", "step 1: it differs when the phase is repeated: the body keeps values");
    says_of_trial("promise-turn-far", "callback grow, field grass, place (");
    says_of_trial("promise-turn-far", "it depends on the order of those that are too far apart to matter to each "
                                      "other: the body acts beyond its radius, by addresses of its own");
    says_of_trial("promise-turn-counts-sheep", "callback graze, field found, agent ");
    says_of_trial("promise-turn-third", "it reads or changes the place (0, 0, 1) away, along an axis that it does not "
                                        "have: it has 2 of them");
    says_of_trial("promise-turn-remembers", "callback graze, field found, agent ");
}

/* In a trial, as many agents of load as there is room for act; their places are known from all that load may give. */
Test(promises, reach_of_agents_that_load_places)
{
    const outcome kept = RUN(STEPS_OF("promise-load"));
    assert_done(&kept, 0);
    cr_assert_null(strstr(kept.err, "mass-engine: "), "%s", kept.err);
    const outcome sheep = RUN(STEPS_OF("promise-load"), "--set", "look=1"),
                  birds = RUN(STEPS_OF("promise-load"), "--set", "glance=1");
    says(&sheep, "a trial on a few places shows: callback graze, step 1: at place (");
    const outcome far = RUN(STEPS_OF("promise-load"), "--set", "look=3");
    says(&far, "it sees the place (3, 0) away, which is farther than 0, the .reach of its phase");
    says(&birds, "a trial on a few places shows: callback fly, step 1: at place (");
}

/* The trial says it, but where values come from files, which it has none of; and the run fails at its end. */
Test(promises, numbers_out_of_their_range)
{
    const outcome plain = RUN(STEPS_OF("promise-exceeds"));
    cr_assert_eq(plain.status, MASS_BAD_PLUGIN, "%s", plain.err);
    cr_assert_not_null(strstr(plain.err, "a trial on a few places shows: callback grow, field grass, step 2: at place "
                                         "(5, 0) of world 0 it is 2, and grass has 0 to 1"), "%s", plain.err);
    cr_assert_not_null(strstr(plain.err, "\nmass-engine: results are wrong: "), "%s", plain.err);
    FILE *f = fopen(scratch("grass.csv"), "w");
    for (int i = 0; i < 32 * 16; i++) fprintf(f, i % 32 < 31 ? "0," : "0\n");
    fclose(f);
    const outcome o = RUN(STEPS_OF("promise-exceeds"), "--load", path_of("grass=%s", scratch("grass.csv")), "--json");
    cr_assert_eq(o.status, MASS_BAD_PLUGIN, "%s", o.err);
    cr_assert_null(strstr(o.err, "trial"), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "\nmass-engine: results are wrong: "), "%s", o.err);
    const json_t *faults = json_object_get(outcome_json(&o), "faults");
    cr_assert_eq(json_array_size(faults), 1, "%s", o.out);
    cr_assert_not_null(strstr(json_string_value(json_array_get(faults, 0)), "results are wrong: "), "%s", o.out);
}

/* One line, and no report after it. */
static void says_alone(const outcome *o, const char *words)
{
    assert_done(o, 0);
    cr_assert_eq(line_count(o->err), 1, "%s", o->err);
    cr_assert_not_null(strstr(o->err, words), "%s", o->err);
}

Test(promises, faults_are_said_to_who_wants_no_lines)
{
    const outcome trial = RUN(STEPS_OF("promise-sees"), "--quiet"), run = RUN(STEPS_OF("promise-dies"), "--quiet");
    says_alone(&trial, "mass-engine: results may be wrong, as a trial on a few places shows: callback look, step 1: ");
    says_alone(&run, "mass-engine: callback look asks to die by KILL, and nobody dies: ");
    const outcome none = RUN(STEPS_OF("promise-kept"), "--quiet");
    assert_done(&none, 0);
    cr_assert_str_empty(none.err);
}

/* The member `faults` of the object: so many, with this in the first. */
static void lists(const outcome *o, size_t count, const char *words)
{
    cr_assert_eq(o->status, 0, "%s", o->err);
    const json_t *faults = json_object_get(outcome_json(o), "faults");
    cr_assert(json_is_array(faults) && json_array_size(faults) == count, "%s", o->out);
    if (count) cr_assert_not_null(strstr(json_string_value(json_array_get(faults, 0)), words), "%s", o->out);
}

Test(promises, faults_are_in_the_object)
{
    const outcome kept_word = RUN(STEPS_OF("promise-kept"), "--json"), trial = RUN(STEPS_OF("promise-sees"), "--json"),
                  run = RUN(STEPS_OF("promise-dies"), "--json", "--quiet");
    lists(&kept_word, 0, "");
    lists(&trial, 1, "results may be wrong, as a trial on a few places shows: callback look, step 1: ");
    lists(&run, 1, "callback look asks to die by KILL");
}

/* Nothing is written of a run that does not begin. */
Test(promises, faults_of_the_trial_are_failures_of_strict_runs)
{
    REFUSED(RUN(STEPS_OF("promise-sees"), "--strict", "--checkpoint", scratch("none"), "--image", scratch("none.png")),
            MASS_BAD_PLUGIN, "results may be wrong, as a trial", "callback look, step 1: ");
    cr_assert(!file_exists(scratch("none")) && !file_exists(scratch("none.png")));
    REFUSED(RUN(STEPS_OF("promise-sees"), "--strict", "--quiet", "--json"), MASS_BAD_PLUGIN, "results may be wrong");
    REFUSED(RUN("--explain", STEPS_OF("promise-sees"), "--strict"), MASS_BAD_PLUGIN, "results may be wrong");
    const outcome kept_word = RUN(STEPS_OF("promise-kept"), "--strict");
    assert_done(&kept_word, 0);
}

/* What is found in the run ends it there, and what is found at its end is told after all is written. */
Test(promises, faults_of_the_run_are_failures_of_strict_runs)
{
    REFUSED(RUN(STEPS_OF("promise-dies"), "--strict", "--steps", "9", "--quiet", "--checkpoint", scratch("one"),
                "--checkpoint-every", "3"), MASS_BAD_PLUGIN, "callback look asks to die by KILL");
    cr_assert(!file_exists(scratch("one/ckpt-000000000009.h5")));
    REFUSED(RUN(STEPS_OF("promise-dies"), "--strict", "--steps", "9", "--quiet", "--checkpoint", scratch("all")),
            MASS_BAD_PLUGIN, "callback look asks to die by KILL");
    cr_assert(file_exists(scratch("all/ckpt-000000000009.h5")));
}

/* Numbers that are subnormal are no fault: results are right, and slow. */
Test(promises, numbers_that_fade_are_said_of_the_trial_and_of_the_run)
{
    const char *words = "100 % of attribute height, which callback grow writes, is subnormal, and CPUs are slow with "
                        "such numbers: declare the attribute with .flush = 1, or let the callback write 0 for what "
                        "is below 1e-153\n";
    const outcome fades = RUN(STEPS_OF("promise-fades"), "--steps", "20"),
                  quiet = RUN(STEPS_OF("promise-fades"), "--steps", "20", "--quiet", "--strict"),
                  plan = RUN("--explain", "--plugin", bad_plugin("promise-fades")),
                  ends = RUN(STEPS_OF("promise-ends"), "--steps", "20");
    assert_done(&fades, 0);
    const char *trial = path_of("mass-engine: a trial on a few places shows: %s", words);
    cr_assert_eq(strncmp(fades.err, trial, strlen(trial)), 0, "%s", fades.err);
    cr_assert_not_null(strstr(fades.err, path_of("\nmass-engine: %s", words)), "%s", fades.err);
    assert_done(&quiet, 0);
    cr_assert_str_empty(quiet.err);
    cr_assert_eq(plan.status, 0);
    cr_assert_str_eq(plan.err, trial);
    assert_done(&ends, 0);
    cr_assert_null(strstr(ends.err, "subnormal"), "%s", ends.err);
}

Test(promises, device_that_checks_says_it_itself)
{
    REFUSED(RUN("--plugin", bad_plugin("promise-sees"), "--seed", "1", "--device", "paranoid"), MASS_BAD_PLUGIN,
            "callback look", "farther than 0");
}

Test(promises, death_where_nobody_dies)
{
    const outcome o = RUN(STEPS_OF("promise-dies"));
    says(&o, "callback look asks to die by KILL, and nobody dies: population sheep is declared .constant");
}

Test(promises, children_of_whom_nothing_is_written)
{
    says_of_trial("promise-bears", "callback look, field found, agent 3, step 1: it asks for a child, and does not "
                                   "write this attribute of it");
}

Test(promises, children_that_depend_on_who_is_called_first)
{
    says_of_trial("promise-numbers", "callback look, field found, agent ");
    says_of_trial("promise-numbers", "it depends on the order of the calls");
}

/* Whichever thread it happens in, and after how many steps. */
Test(promises, floats_that_are_rounded_otherwise)
{
    REFUSED(RUN(STEPS_OF("promise-rounds"), "--quiet"), MASS_BAD_PLUGIN,
            "callback grow, step 1: it changes how floats are rounded");
    REFUSED(RUN(STEPS_OF("promise-rounds-late")), MASS_BAD_PLUGIN, "callback grow, step 20: it");
    REFUSED(RUN("--plugin", bad_plugin("promise-rounds"), "--seed", "1", "--device", "paranoid"), MASS_BAD_PLUGIN,
            "callback grow", "it changes how floats are rounded");
}

Test(promises, floats_of_the_host_are_its_own)
{
    const outcome kept_word = RUN(STEPS_OF("promise-kept"), "--json", "--quiet");
    const outcome rounds = RUN(STEPS_OF("promise-loads-rounding"), "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&rounds, 0), outcome_hash(&kept_word, 0));
}
