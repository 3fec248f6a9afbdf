/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that no manage applies are reported once a run, on CPUs. */
#include "known.h"
#include "run.h"
#include "vain.h"

#include <criterion/criterion.h>
#include <string.h>

Test(vain, what_nobody_carries_out_is_said_once)
{
    expect_words("--device cpu --threads 2 --partitions 3", 9);
    expect_words("--device cpu --threads 1 --worlds 3", 2);
}

Test(vain, it_alone_is_said_with_quiet)
{
    outcome o = engine_run(text("--plugin '%s/vain.so' --seed 1 --set asks=%d --set manage=%d", MASS_TEST_PLUGINS,
                                MOVES + BREEDS, NOWHERE));
    cr_assert_not_null(strstr(o.errors, "mass-engine: agents of population ants ask to move"), "%s", o.errors);
    outcome_free(&o);
}

/* What is a mistake of one agent is refused there. */
Test(vain, the_paranoid_device_says_it_too)
{
    const char *run = text("--plugin '%s/vain.so' --seed 1 --device paranoid", MASS_TEST_PLUGINS);
    process p = engine_start(text("%s --set asks=%d --set draw=65536 --set manage=%d", run,
                                  MOVES + BREEDS + DRAWS + DICE, NOWHERE));
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 0, "%s", o.errors);
    static const char *const all[] = {"callback vain_ask asks for children", "callback vain_ask asks for a draw",
                                      "callback vain_roll asks for a draw", "agents of population ants ask"};
    for (int i = 0; i < 4; i++) cr_assert(strstr(o.errors, all[i]), "not '%s', but: %s", all[i], o.errors);
    outcome_free(&o);
    engine_refuse(text("%s --set asks=%d --set children=1", run, BREEDS + AWAY), 3, "over the edge of the space");
}
