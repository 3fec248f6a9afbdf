/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that no run can have left are refused, although every hash says that they are what was written. */
#include "crowd.h"
#include "folder.h"
#include "refused.h"
#include "../../crowd.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>

TestSuite(checkpoint_agents, .init = make_folder, .fini = remove_folder);

/* Writes wasps (any number a place) or ants (at most two) after `change`, and expects the probe and the
 * reader to refuse them in the same `words`. */
static void assert_impossible(uint32_t population, void (*change)(mass_snapshot *s, uint32_t population),
                              const char *words)
{
    mass_model m = crowd_model();
    mass_snapshot s = crowd_snapshot(&m, 2, population == WASPS ? 140002 : 0, population == ANTS ? 6002 : 0);
    mass_error verified = {0}, read = {0};
    char path[PATH_MAX], hex[33];
    change(&s, population);
    write_one(&s, path);
    assert_refused_by_all(path, words);
    mass_checkpoint_verify(path, &verified);
    cr_assert_eq(hash_in(path, &m, hex, &read), MASS_BAD_INPUT);
    cr_assert_str_eq(read.text, verified.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* The agent that is changed: in the second part of the wasps as they are read, and in the second world. */
static uint64_t victim(const mass_snapshot *s, uint32_t population) { return s->agents[population] - 1000; }

#define ID ((uint64_t *)crowd_column(s, p, MASS_AGENT_ID))
#define LOST ((uint8_t *)crowd_column(s, p, MASS_AGENT_LOST))
#define WORLD ((int32_t *)crowd_column(s, p, MASS_AGENT_WORLD))
#define PLACE ((int64_t *)crowd_column(s, p, MASS_AGENT_PLACE))

static void world_beyond(mass_snapshot *s, uint32_t p) { WORLD[victim(s, p)] = 2; }
static void world_before(mass_snapshot *s, uint32_t p) { WORLD[victim(s, p)] = -1; }
static void place_beyond(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p)] = p == WASPS ? 40 : 3000; }
static void place_before(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p)] = -1; }
static void lost_twice(mass_snapshot *s, uint32_t p) { LOST[victim(s, p)] = 2; }
static void id_not_given(mass_snapshot *s, uint32_t p) { ID[victim(s, p)] = (uint64_t)crowd_next_ids(s, p)[1]; }
static void id_far_off(mass_snapshot *s, uint32_t p) { ID[victim(s, p)] = UINT64_MAX; }
static void next_id_negative(mass_snapshot *s, uint32_t p) { crowd_next_ids(s, p)[1] = -1; }
static void next_id_zero(mass_snapshot *s, uint32_t p) { crowd_next_ids(s, p)[0] = 0; }
static void world_again(mass_snapshot *s, uint32_t p) { WORLD[victim(s, p)] = 0; }
static void place_again(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p)]--; }
static void place_too_early(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p) - 10000]++; }
static void id_twice(mass_snapshot *s, uint32_t p) { ID[victim(s, p)] = ID[victim(s, p) - 1]; }
static void ids_swapped(mass_snapshot *s, uint32_t p)
{
    const uint64_t i = victim(s, p), id = ID[i];
    ID[i] = ID[i - 1], ID[i - 1] = id;
}
/* On either side of where one part ends, as they are read. */
static void ids_swapped_between_parts(mass_snapshot *s, uint32_t p)
{
    const uint64_t id = ID[65536];
    ID[65536] = ID[65535], ID[65535] = id;
}
static void place_again_between_parts(mass_snapshot *s, uint32_t p) { PLACE[65536] = PLACE[65535] - 1; }

static void three_on_a_place(mass_snapshot *s, uint32_t p)
{
    const uint64_t i = victim(s, p);
    for (uint64_t k = i; k < i + 3; k++) {
        PLACE[k] = PLACE[i];
        ID[k] = ID[i] + (k - i);
    }
}

Test(checkpoint_agents, in_no_world_are_refused)
{
    assert_impossible(WASPS, world_beyond, "agent 139002 of population 'wasps' (counted from 0) is in a world that");
    assert_impossible(ANTS, world_before, "is in a world that does not exist");
}

Test(checkpoint_agents, on_no_place_are_refused)
{
    assert_impossible(WASPS, place_beyond, "is on a place that does not exist");
    assert_impossible(ANTS, place_beyond, "is on a place that does not exist");
    assert_impossible(ANTS, place_before, "is on a place that does not exist");
}

Test(checkpoint_agents, half_lost_are_refused)
{
    assert_impossible(ANTS, lost_twice, "has a lost that is neither 0 nor 1");
}

Test(checkpoint_agents, with_ids_to_come_are_refused)
{
    assert_impossible(WASPS, id_not_given, "agent 139002 of population 'wasps' (counted from 0) has an id that");
    assert_impossible(WASPS, id_far_off, "has an id that no agent was given yet");
    assert_impossible(ANTS, next_id_negative, "tally 'ants_next_id' is -1, which no run gets to");
    assert_impossible(ANTS, next_id_zero, "agent 0 of population 'ants' (counted from 0) has an id that");
}

Test(checkpoint_agents, out_of_order_are_refused)
{
    assert_impossible(WASPS, world_again, "agent 139002 of population 'wasps' (counted from 0) is out of the order");
    assert_impossible(ANTS, place_again, "is out of the order of world, place and id");
    assert_impossible(WASPS, place_too_early, "agent 129003 of population 'wasps' (counted from 0) is out of");
    assert_impossible(WASPS, id_twice, "agent 139002 of population 'wasps' (counted from 0) is out of");
    assert_impossible(WASPS, ids_swapped, "agent 139002 of population 'wasps' (counted from 0) is out of");
    assert_impossible(WASPS, ids_swapped_between_parts, "agent 65536 of population 'wasps'");
    assert_impossible(WASPS, place_again_between_parts, "agent 65536 of population 'wasps'");
}

Test(checkpoint_agents, beyond_the_capacity_are_refused)
{
    assert_impossible(ANTS, three_on_a_place, "agent 5004 of population 'ants' (counted from 0) is on a place that is "
                      "full");
}
