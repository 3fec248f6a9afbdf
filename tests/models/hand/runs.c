/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by hand: as a plain loop has them, the same in every way to run, and each mistake in one line. */
#include "ways.h"

Test(hand, a_plain_loop_has_the_same_tallies)
{
    for (int steps = 0; steps < 3; steps++) expect_plain(24, 18, 2, steps, "--threads 1");
    expect_plain(24, 18, 1, 45, "--threads 1");
    expect_plain(7, 31, 4, 30, "--threads 2");
    expect_plain(4, 4, 1, 5, "--threads 1"); /* many on each place */
}

Test(hand, every_way_to_run_is_the_same)
{
    static const char *const ways[] = {"--threads 2", "--device paranoid", "--threads 2 --partitions 3",
                                       "--threads 1 --partitions 7", "--first-world 5"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) expect_plain(24, 18, 1 + (int)w % 3, 25, ways[w]);
}

Test(hand, a_run_that_stops_and_goes_on_is_one_that_never_stopped)
{
    const char *expected = engine_result(hand_options("--worlds 2 --steps 12 --threads 1"));
    for (int step = 0; step < 12; step += 5) {
        const char *folder = folder_make();
        engine_result(hand_options(text("--worlds 2 --steps %d --threads 1 --checkpoint %s", step, folder)));
        cr_expect_str_eq(engine_result(text("--plugin '%s/hand.so' --resume %s --steps 12 --partitions %d",
                                            MASS_TEST_PLUGINS, folder, 1 + step % 3)), expected, "from %d", step);
    }
}

/* Reads what a checkpoint has of folk. */
static dataset read_column(const char *folder, const char *name)
{
    return dataset_read(checkpoint_path(folder, 0), text("/agents/folk/%s", name));
}

#define EXPECT_COLUMN(NAME, TYPE, I, EXPECTED)                                                                   \
    do {                                                                                                         \
        const dataset set = read_column(folder, NAME);                                                           \
        for (int64_t i = 0; i < w.alive; i++)                                                                    \
            cr_assert_eq(((const TYPE *)set.bytes)[I], (TYPE)(EXPECTED), "%s of agent %d", NAME, (int)i);        \
        free(set.bytes);                                                                                         \
    } while (0)

Test(hand, every_value_is_the_one_that_was_given)
{
    const char *folder = folder_make();
    const hand_world w = hand_after(24, 18, 0, 0);
    engine_result(hand_options(text("--steps 0 --checkpoint %s", folder)));
    EXPECT_COLUMN("place", int64_t, i, w.all[i].place);
    EXPECT_COLUMN("id", uint64_t, i, w.all[i].id);
    EXPECT_COLUMN("energy", int64_t, i, w.all[i].energy);
    EXPECT_COLUMN("kind", uint8_t, i, w.all[i].kind);
    EXPECT_COLUMN("size", double, i, w.all[i].size);
    for (int k = 0; k < 3; k++) EXPECT_COLUMN("gene", float, 3 * i + k, w.all[i].gene[k]);
    EXPECT_COLUMN("tag", int32_t, 2 * i, w.all[i].tag);
    EXPECT_COLUMN("tag", float, 2 * i + 1, w.all[i].weight);
    free(w.all);
}

/* Writes the folk of two worlds as a table, without their tags. */
static const char *write_table(void)
{
    const char *path = text("%s/folk.csv", folder_make());
    FILE *to = fopen(path, "w");
    cr_assert(to);
    for (int i = 0; i < 2; i++) {
        const hand_world w = hand_after(24, 18, i, 0);
        hand_write(&w, i, i == 0, to);
        free(w.all);
    }
    fclose(to);
    return path;
}

Test(hand, a_table_replaces_the_agents_of_load)
{
    const char *path = write_table();
    outcome all = engine_run(hand_options("--worlds 2 --steps 0"));
    outcome table = engine_run(hand_options(text("--worlds 2 --steps 0 --set folk_table=%s", path)));
    cr_expect_str_eq(all.tallies, table.tallies);
    outcome_free(&all), outcome_free(&table);
    outcome o = engine_run(hand_options(text("--steps 0 --set how=none --set folk_table=%s", path)));
    const hand_world w = hand_after(24, 18, 0, 0);
    expect_tally(&o, "alive", 0, w.alive, "how=none with a table");
    free(w.all);
    outcome_free(&o);
    const char *three = text("%s/three.csv", folder_make());
    FILE *to = fopen(three, "w");
    cr_assert(to);
    fprintf(to, "x,y\n1,1\n2,2\n3,3\n");
    fclose(to);
    o = engine_run(hand_options(text("--steps 0 --set folk_table=%s", three)));
    expect_tally(&o, "alive", 0, 3, "a table of three");
    expect_tally(&o, "huts_alive", 0, HAND_LAST, "a table of three");
    outcome_free(&o);
}

Test(hand, no_agents_are_no_mistake)
{
    outcome o = engine_run(hand_options("--set how=none --steps 4 --worlds 2"));
    for (int w = 0; w < 2; w++) expect_tally(&o, "alive", w, 0, "how=none");
    outcome_free(&o);
}

/* Only if its agents, on places that the trial lacks, are in the trial, too. */
Test(hand, the_trial_has_agents_of_places_beyond_its_space)
{
    outcome o = engine_run(hand_options("--set how=fixed --steps 2"));
    expect_tally(&o, "alive", 0, 3, "how=fixed");
    expect_tally(&o, "huts_alive", 0, 200, "how=fixed");
    outcome_free(&o);
    engine_refuse(hand_options("--set how=fixed --set fragile=1 --steps 0"), 3, "when it is tried");
}

Test(hand, worlds_of_a_sweep_have_the_agents_of_their_number)
{
    const char *path = text("%s/sweep.csv", folder_make());
    FILE *to = fopen(path, "w");
    cr_assert(to);
    fprintf(to, "large\n1\n2\n3\n");
    fclose(to);
    const char *options = hand_options(text("--steps 6 --sweep %s", path));
    outcome o = engine_run(options);
    for (int i = 0; i < 3; i++) {
        const hand_world w = hand_after(24, 18, i, 6);
        expect_tally(&o, "alive", i, w.alive, options);
        expect_tally(&o, "trace", i, w.trace, options);
        free(w.all);
    }
    outcome_free(&o);
}

Test(hand, each_mistake_is_named_in_one_line)
{
    static const struct { const char *how, *said; } mistakes[] = {
        {"population", "hand: load adds agents to population 'folks', which it did not declare"},
        {"initial", "hand: load adds agents to population guests, which starts in another way: declare it with "
                    ".initial = MASS_BY_LOAD"},
        {"world", "hand: load adds agents of population folk to world 1, and the run has 1"},
        {"negative", "hand: load adds -1 agents to population folk"},
        {"outside", "hand: load, population folk, agent 1: x: 24 is not an integer from 0 to 23"},
        {"below", "hand: load, population folk, agent 2: y: -1 is not an integer from 0 to 17"},
        {"place", "hand: load, population folk, agent 1: place: 432 is not an integer from 0 to 431"},
        {"axis", "hand: load gives agents of population folk no .y, and space town has 2 dimensions"},
        {"more", "hand: load gives agents of population folk an array .z, and space town has 2 dimensions"},
        {"both", "hand: load gives agents of population folk both .place and coordinates: give one of them"},
        {"id", "hand: load, population folk, agent 1: id: 4611686018427387905 is not an integer from 0 to"},
        {"equal", "hand: load, population folk, agent 2: id: an agent before it in world 0 has the id 4, too"},
        {"between", "hand: load, population folk, agent 6: id: an agent before it in world 0 has the id 4, too"},
        {"capacity", "hand: load, population huts, agent 2: its place would have more agents of population huts than "
                     "the 2 that it holds"},
        {"attribute", "hand: load gives attribute 'enrgy' of population 'folk', which it did not declare"},
        {"lost", "hand: load gives attribute 'lost' of population 'folk', which it did not declare"},
        {"twice", "hand: load gives attribute 'kind' of population 'folk', twice in one call"},
        {"elements", "hand: load gives attribute 'gene' of population 'folk', in an array of other elements than those "
                     "of the attribute"},
        {"type", "hand: load gives attribute 'energy' of population 'folk', in an array of another type than int8_t to "
                 "uint64_t, float, double or bool"},
        {"nan", "hand: load, population folk, agent 2: size: nan is not a value of type f64"},
        {"infinite", "hand: load, population folk, agent 0: size: inf is not a value of type f64"},
        {"range", "hand: load, population folk, agent 1: gene[2]: 1001 is not a value that folk have: -1000 to "
                  "1000"},
        {"fraction", "hand: load, population folk, agent 1: energy: 0.5 is not a value of type i64"},
        {"wide", "hand: load, population folk, agent 1: kind: 1001 is not a value of type u8"},
        {"array", "hand: load gives attribute 'energy' of population 'folk', without an array"},
        {"late", "hand: it adds agents, and load is not running"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        engine_refuse(hand_options(text("--steps 1 --set how=%s", mistakes[i].how)), 3, mistakes[i].said);
}
