/* SPDX-License-Identifier: Apache-2.0 */
#include "losers/known.h"

#include <criterion/criterion.h>

model losers_model(int nx, int ny, int steps, const char *more)
{
    static const char *const attributes[] = {"mark", "pace", NULL};
    return (model){.options = text("--plugin '%s/losers.so' --size %dx%d %s", MASS_TEST_PLUGINS, nx, ny, more),
                   .state = "/places/floor/scent", .rows = ny, .steps = steps, .population = "dancers",
                   .attributes = attributes};
}

void each_refused(void (*check)(const model *m))
{
    static const char *const kinds[] = {
        "--seed 1", "--seed 2 --set late=1000000 --set order=kill_spawn_migrate",
        "--seed 3 --set dies=300 --set order=kill_spawn_migrate",
        "--seed 4 --set bears=900 --set order=kill_migrate_spawn",
        "--seed 5 --set dies=2000 --set bears=5000", "--seed 6 --set late=2 --set order=kill_spawn_migrate",
        "--seed 7 --set late=2 --set order=kill_migrate_spawn"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const model m = losers_model(40, 30, 75, kinds[i]);
        check(&m);
        const model crowded = losers_model(23, 19, 40, kinds[i]);
        check(&crowded);
    }
}

void expect_all_losers(const model *m, const char *where)
{
    outcome o = engine_run(text("%s --steps %d %s", m->options, m->steps, where));
    const json_t *const tallies = json_object_get(o.report, "tallies");
    const json_int_t lost = json_integer_value(json_object_get(tallies, "lost"));
    cr_expect_gt(lost, 0, "nobody lost: %s", m->options);
    cr_expect_eq(json_integer_value(json_object_get(tallies, "retried")), lost, "%s %s", m->options, where);
    outcome_free(&o);
}
