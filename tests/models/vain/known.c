/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"
#include "run.h"
#include "vain.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char idle[] = "mass-engine: agents of population ants ask to move, to have children or to die, and no ";
static const char barren[] = "mass-engine: callback vain_ask asks for children by SPAWN, and none are born: population";
static const char teeming[] = "mass-engine: callback vain_ask asks for more children by SPAWN than the 1 that an agent";
static const char edge[] = "mass-engine: callback vain_ask asks by CHILD_TO for places over the edge of the space";
static const char draws[] = "mass-engine: callback vain_ask asks for a draw above 65535";
static const char rolls[] = "mass-engine: callback vain_roll asks for a draw above 65535";

static const char immortal[] = "mass-engine: callback vain_urge asks agents to die by KILL_RESIDENT, and nobody dies: "
                               "population ants is declared .constant";
static const char swarming[] = "mass-engine: callback vain_urge asks for more children by SPAWN_OF_RESIDENT than an "
                               "agent of population ants has at most";

static const struct { int asks, draw, manage, children; const char *said; } cases[] = {
    {MOVES, 0, BEHIND, 0, NULL},
    {MOVES, 0, NOWHERE, 0, idle},
    {MOVES, 0, BEFORE, 0, idle},
    {MOVES, 0, NEVER, 0, NULL},
    {0, 0, NOWHERE, 0, NULL},
    {BREEDS, 0, BEHIND, 1, NULL},
    {BREEDS, 0, BEHIND, 0, barren},
    {BREEDS, 0, BEFORE, 1, idle},
    {TEEMS, 0, BEHIND, 1, teeming},
    {TEEMS, 0, BEHIND, 0, barren},
    {BREEDS + AWAY, 0, BEHIND, 1, edge},
    {DRAWS, 65535, BEHIND, 0, NULL},
    {DRAWS, 65536, BEHIND, 0, draws},
    {SHUFFLES, 65528, BEHIND, 0, NULL},
    {SHUFFLES, 65529, BEHIND, 0, draws},
    {DICE, 65535, BEHIND, 0, NULL},
    {DICE, 65536, BEHIND, 0, rolls},
    {FELLS, 0, BEHIND, 0, immortal},
    {FELLS, 0, BEHIND, 1, NULL},
    {FELLS, 0, BEFORE, 1, idle},
    {SWARMS, 0, BEHIND, 1, swarming}};

static int count_of(const char *words, const char *in)
{
    int count = 0;
    for (const char *at = strstr(in, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

static void expect_said(const char *options, const char *said)
{
    process p = engine_start(options);
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 0, "%s: %s", options, o.errors);
    cr_assert_eq(count_of("mass-engine: ", o.errors), said != NULL, "%s: %s", options, o.errors);
    if (said) cr_assert_eq(count_of(said, o.errors), 1, "%s: %s", options, o.errors);
    outcome_free(&o);
}

void expect_words(const char *options, int steps)
{
    const int when[] = {1, (steps + 1) / 2, steps};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_said(text("--plugin '%s/vain.so' --seed 1 %s --steps %d --set when=%d --set asks=%d --set draw=%d --set "
                         "manage=%d --set children=%d", MASS_TEST_PLUGINS, options, steps, when[i % 3], cases[i].asks,
                         cases[i].draw, cases[i].manage, cases[i].children), cases[i].said);
}
