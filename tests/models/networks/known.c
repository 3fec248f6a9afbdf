/* SPDX-License-Identifier: Apache-2.0 */
/* Models on networks, against what is known of them. */
#include "run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PEOPLE = 200000, INFECTED = 200, CONTACTS = 10 };

/* Returns the chance that an infectious person ever passes the disease on to a contact. It recovers on each day with
 * chance r, after it has passed it on or not. */
static double passes(double p, double r) { return 1 - r * (1 - p) / (1 - (1 - r) * (1 - p)); }

/* Returns the chance a day for which that is t. */
static double chance_of(double t, double r) { return t * r / (1 - t * (1 - r)); }

/* Returns the part of a random network that an epidemic reaches. The degrees are those of Poisson, with that mean times
 * the chance of a contact to pass it on: M. E. J. Newman, "Spread of epidemic disease on networks" (2002). */
static double final_size(double reproduction)
{
    const double begun = (double)INFECTED / PEOPLE;
    double size = 1;
    for (int i = 0; i < 10000; i++) size = 1 - (1 - begun) * exp(-reproduction * size);
    return size;
}

/* Runs an epidemic to its end, and returns the part of the people that had the disease. */
static double size_of(double reproduction, const char *more)
{
    const double r = 0.25, p = chance_of(reproduction / CONTACTS, r);
    cr_assert(fabs(passes(p, r) - reproduction / CONTACTS) < 1e-12);
    outcome o = engine_run(text("epidemic --size %d --set degree=%d --set infected=%d --set infection=%.17g --set "
                                "recovery=%.17g --steps 3000 --until 'infectious + exposed == 0' --seed 4 %s", PEOPLE,
                                CONTACTS, INFECTED, p, r, more));
    const double size = (double)tally_of(&o, "recovered") / PEOPLE;
    cr_expect_eq(tally_of(&o, "susceptible") + tally_of(&o, "recovered"), PEOPLE);
    outcome_free(&o);
    return size;
}

Test(networks_known, an_epidemic_has_the_final_size_of_the_theory)
{
    static const double reproduction[] = {1.2, 1.5, 2, 3};
    for (int i = 0; i < 4; i++) {
        const double expected = final_size(reproduction[i]), size = size_of(reproduction[i], "");
        cr_expect(fabs(size - expected) < (i == 0 ? 0.02 : 0.006), "%g: %g and %g", reproduction[i], size, expected);
    }
    cr_expect(fabs(size_of(2, "--set onset=1") - final_size(2)) < 0.006, "the time of exposure changes no size");
}

Test(networks_known, an_epidemic_has_its_threshold_at_1)
{
    static const double reproduction[] = {0.5, 0.8, 0.9};
    for (int i = 0; i < 3; i++) {
        const double mean = (double)INFECTED / PEOPLE / (1 - reproduction[i]);
        const double size = size_of(reproduction[i], "");
        cr_expect(fabs(size / mean - 1) < 0.3, "%g: %g and %g", reproduction[i], size, mean);
        cr_expect(fabs(size / final_size(reproduction[i]) - 1) < 0.3);
    }
    cr_expect(size_of(1.2, "") > 100.0 * INFECTED / PEOPLE);
}

Test(networks_known, contacts_of_a_file_have_weights)
{
    const char *folder = folder_make(), *path = text("%s/contacts.csv", folder);
    FILE *f = fopen(path, "w");
    fputs("source,target,weight\n0,1,0\n", f);
    for (int i = 1; i < 50; i++) fprintf(f, "%d,%d,%g\n", i, i + 1, i == 30 ? 0 : 2.0);
    fclose(f);
    /* a chain in which the disease comes one person farther in each step, up to weights of 0 */
    for (int infected = 0; infected < 2; infected++) {
        outcome o = engine_run(text("epidemic --set contacts=%s --set infection=0.5 --set onset=1 --set recovery=0 "
                                    "--set infected=%d --steps 60 --seed 2", path, infected ? 51 : 1));
        const int64_t all = tally_of(&o, "infectious") + tally_of(&o, "susceptible"), sick = tally_of(&o, "infectious");
        cr_expect_eq(all, 51);
        cr_expect(infected ? sick == 51 : sick == 1 || sick == 30 || sick == 20, "%d", (int)sick);
        outcome_free(&o);
    }
}

/* Writes contacts in a ring, and as many of another weight between people who are not next to each other. */
static const char *write_contacts(const char *path, const char *weight)
{
    enum { PEOPLE_IN_RING = 300 };
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fputs("source,target,weight\n", f);
    for (int i = 0; i < PEOPLE_IN_RING; i++)
        fprintf(f, "%d,%d,1\n%d,%d,%s\n", i, (i + 1) % PEOPLE_IN_RING, i, (i * 7 + 90) % PEOPLE_IN_RING, weight);
    fclose(f);
    return path;
}

Test(networks_known, contacts_of_weights_below_0_are_none)
{
    static const char *const weights[] = {"0", "-3", "-1e30"};
    const char *folder = folder_make(), *expected = NULL;
    for (int i = 0; i < 3; i++) {
        const char *path = write_contacts(text("%s/%d.csv", folder, i), weights[i]);
        const char *result = engine_result(text("epidemic --set contacts=%s --set infection=0.5 --set infected=20 "
                                                "--steps 10 --seed 2", path));
        if (expected) cr_expect_str_eq(result, expected, "%s", weights[i]);
        else expected = result;
    }
}

/* Returns the mean time to consensus of voters in a complete network, over worlds. */
static double consensus(int voters, const char *more)
{
    outcome o = engine_run(text("voter --size %d --worlds 300 --steps %d --seed 3 %s", voters, 12 * voters, more));
    const json_t *times = json_object_get(json_object_get(o.report, "tallies"), "consensus");
    double sum = 0;
    cr_assert_eq(json_array_size(times), 300);
    for (size_t i = 0; i < 300; i++) {
        const double time = json_number_value(json_array_get(times, i));
        cr_expect(time > 0, "world %zu has no consensus", i);
        sum += time;
    }
    outcome_free(&o);
    return sum / 300;
}

Test(networks_known, voters_agree_after_a_time_that_grows_as_their_number)
{
    /* Each draws a voter that it follows, as in the model of Wright and Fisher: 2 n log 2 steps in the mean, with a
     * standard deviation of about as much. */
    for (int voters = 40; voters <= 160; voters *= 2) {
        const double per_voter = consensus(voters, "") / voters;
        cr_expect(fabs(per_voter / (2 * log(2)) - 1) < 0.15, "%d: %g", voters, per_voter);
    }
}

Test(networks_known, voters_who_agree_stay_so)
{
    outcome o = engine_run("voter --size 500 --set network=small-world --set share=1 --steps 20 --seed 1");
    cr_expect_eq(tally_of(&o, "ones"), 500);
    cr_expect_eq(tally_of(&o, "discord"), 0);
    cr_expect_eq(tally_of(&o, "consensus"), 1);
    outcome_free(&o);
}

/* Returns the part of people who have adopted an innovation, in the mean of worlds. */
static double adopters(int steps, const char *more)
{
    enum { WORLDS = 24, OF_WORLD = 5000 };
    outcome o = engine_run(text("innovation --size %d --worlds %d --steps %d --seed 3 --set degree=3 %s", OF_WORLD,
                                WORLDS, steps, more));
    const json_t *of_worlds = json_object_get(json_object_get(o.report, "tallies"), "adopters");
    double sum = 0;
    cr_assert_eq(json_array_size(of_worlds), WORLDS);
    for (size_t i = 0; i < WORLDS; i++) sum += json_number_value(json_array_get(of_worlds, i));
    outcome_free(&o);
    return sum / WORLDS / OF_WORLD;
}

Test(networks_known, an_innovation_among_links_that_all_change_is_that_of_bass)
{
    /* Each step draws whom people listen to. They then adopt as in the model of F. M. Bass, "A new product growth for
     * model consumer durables" (1969). People who keep listening to the same ones learn of it later. */
    static const double chances[][2] = {{0.02, 0.4}, {0.01, 0.6}};
    for (int i = 0; i < 2; i++) {
        const char *more = text("--set invention=%g --set imitation=%g", chances[i][0], chances[i][1]);
        double expected = 0;
        for (int step = 1; step <= 12; step++) {
            expected += (1 - expected) * (chances[i][0] + chances[i][1] * expected);
            if (step % 4) continue;
            const double part = adopters(step, text("%s --set churn=1", more));
            cr_expect(fabs(part - expected) < 0.008, "%s, step %d: %g and %g", more, step, part, expected);
            if (step == 8)
                cr_expect_lt(adopters(step, text("%s --set churn=0", more)), expected - 0.05, "%s", more);
        }
    }
}
