/* SPDX-License-Identifier: Apache-2.0 */
/* Places that see agents around them, on one process. Each run compares its last step with that of a plain program. */
#include "../../extended.h"
#include "ways.h"

#include "named.h"
#include "same.h"

#include <string.h>

Test(around, every_way_to_run_is_that_of_a_plain_program)
{
    static const char *const ways[] = {"--threads 2", "--threads 3 --partitions 2", "--device paranoid",
                                       "--threads 1 --partitions 3", "--threads 2 --partitions 5"};
    for (int i = 0; i < AROUNDS; i++) {
        const char *expected = engine_result(text("%s --threads 1", around_options(i)));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if (takes_part((size_t)i + w, 3))
                cr_expect_str_eq(engine_result(text("%s %s", around_options(i), ways[w])), expected, "%s %s",
                             around_options(i), ways[w]);
    }
}

/* Returns a tally over all worlds. */
static int64_t in_all_worlds(const outcome *o, const char *name)
{
    const json_t *tally = json_object_get(json_object_get(o->report, "tallies"), name);
    int64_t sum = json_integer_value(tally);
    for (size_t w = 0; w < json_array_size(tally); w++) sum += json_integer_value(json_array_get(tally, w));
    return sum;
}

Test(around, bits_are_what_bytes_are)
{
    static const char *const ways[] = {"--threads 3", "--threads 2 --partitions 3", "--device paranoid"};
    for (int i = 0; i < AROUND_BITS; i++) {
        outcome o = engine_run(text("%s --threads 1", around_bits_options(i)));
        cr_expect_eq(in_all_worlds(&o, "wrong"), 0, "%s", around_bits_options(i));
        cr_expect_gt(in_all_worlds(&o, "marks"), 0, "%s", around_bits_options(i));
        outcome_free(&o);
        const char *expected = engine_result(text("%s --threads 1", around_bits_options(i)));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if (takes_part((size_t)i + w, 3))
                cr_expect_str_eq(engine_result(text("%s %s", around_bits_options(i), ways[w])), expected, "%s %s",
                             around_bits_options(i), ways[w]);
    }
}

Test(around, every_distance_is_that_of_a_plain_program)
{
    for (int far = 0; far <= 7; far++) {
        const char *options = text("--plugin '%s/around.so' --size 11x9 --seed 20 --steps 2 --set far=%d "
                                   "--set torus=%d", MASS_TEST_PLUGINS, far, far % 4);
        cr_expect_str_eq(engine_result(text("%s --threads 2 --partitions 4", options)),
                         engine_result(text("%s --threads 1", options)), "%s", options);
    }
}

/* Returns the options of a run that the engine may complain of. */
static const char *odd(const char *more)
{
    return text("--plugin '%s/around.so' --seed 1 --steps 3 %s", MASS_TEST_PLUGINS, more);
}

Test(around, a_walk_beyond_the_radius_meets_those_within)
{
    expect_same_hash(odd("--threads 1 --set far=9"), odd("--threads 2 --set far=9 --partitions 3"), true);
    expect_same_hash(odd("--threads 1 --set far=9"), odd("--threads 1 --set far=7"), true);
    expect_same_hash(odd("--threads 1 --set far=6"), odd("--threads 1 --set far=7"), false);
    for (int i = 1; i <= 2; i++)
        expect_same_hash(odd(text("--threads 1 --set odd=%d", i)),
                         odd(text("--threads 2 --partitions 3 --set odd=%d", i)), true);
}

Test(around, paranoid_names_what_no_walk_gives)
{
    static const char where[] = "callback around_look, step 1: at place (";
    paranoid_names(odd("--set far=8"), "it walks the agents within 8, which is farther than 7, its radius", where);
    paranoid_names(odd("--set odd=1"), "it names nobody, where no agent was found: ask IS_ANYBODY first", where);
    paranoid_names(odd("--set odd=2"), "it names an agent (30000, 0) away that no walk of that population has given",
                   where);
}

/* Returns how --info lists the populations that a callback sees. */
static const char *seen_by(const outcome *o, const char *callback)
{
    size_t i;
    const json_t *c;
    json_array_foreach(json_object_get(o->report, "callbacks"), i, c)
        if (strcmp(json_string_value(json_object_get(c, "name")), callback) == 0) {
            const json_t *sees = json_object_get(c, "sees");
            const char *first = json_string_value(json_array_get(sees, 0));
            const char *second = json_string_value(json_array_get(sees, 1));
            return text("%s %s", first ? first : "-", second ? second : "-");
        }
    return "no such callback";
}

Test(around, info_names_the_populations_that_places_see)
{
    process p = engine_start(odd("--info"));
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 0, "%s", o.errors);
    cr_expect_str_eq(seen_by(&o, "around_look"), "ants bees");
    cr_expect_str_eq(seen_by(&o, "around_mark"), "bees -");
    cr_expect_str_eq(seen_by(&o, "around_warm"), "- -");
    outcome_free(&o);
}

Test(around, worlds_and_checkpoints_change_nothing)
{
    const model m = {.options = text("--plugin '%s/around.so' --size 17x12 --seed 5", MASS_TEST_PLUGINS),
                     .state = "/places/field/seen", .rows = 12, .steps = 9};
    const char *plugin = text("--plugin '%s/around.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{3, "--threads 1"}, {5, text("%s --threads 2 --partitions 2", plugin)},
                        {0, text("%s --device paranoid", plugin)}};
    expect_same_worlds(&m, "--threads 1", "--threads 1");
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
