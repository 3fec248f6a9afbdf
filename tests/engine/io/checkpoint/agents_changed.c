/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in a checkpoint that the HDF5 library itself has changed are refused, whatever they ask for. */
#include "crowd.h"
#include "folder.h"
#include "refused.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>

static mass_model model;
static mass_snapshot snapshot;

static void make(void)
{
    make_folder();
    model = crowd_model();
    snapshot = crowd_snapshot(&model, 1, 0, 20);
}

static void unmake(void)
{
    mass_snapshot_free(&snapshot);
    mass_model_free(&model);
    remove_folder();
}

TestSuite(checkpoint_agents, .init = make, .fini = unmake);

static void assert_refused(void (*change)(hid_t), const char *words)
{
    assert_change_refused(&snapshot, change, words);
}

static void no_agents(hid_t file) { H5Ldelete(file, "/agents", H5P_DEFAULT); }
static void no_ants(hid_t file) { H5Ldelete(file, "/agents/ants", H5P_DEFAULT); }
static void no_id(hid_t file) { H5Ldelete(file, "/agents/ants/id", H5P_DEFAULT); }
static void no_lost(hid_t file) { H5Ldelete(file, "/agents/wasps/lost", H5P_DEFAULT); }
static void no_world(hid_t file) { H5Ldelete(file, "/agents/ants/world", H5P_DEFAULT); }
static void no_place(hid_t file) { H5Ldelete(file, "/agents/ants/place", H5P_DEFAULT); }
static void no_age(hid_t file) { H5Ldelete(file, "/agents/ants/age", H5P_DEFAULT); }
static void no_next_id(hid_t file) { H5Ldelete(file, "/tallies/ants_next_id", H5P_DEFAULT); }
static void none_left(hid_t file)
{
    no_ants(file);
    H5Ldelete(file, "/agents/wasps", H5P_DEFAULT);
}

Test(checkpoint_agents, without_a_part_are_refused)
{
    assert_refused(no_agents, "schema");
    assert_refused(no_ants, "schema");
    assert_refused(none_left, "'/agents' and no population");
    assert_refused(no_id, "population 'ants' has no 'id'");
    assert_refused(no_lost, "population 'wasps' has no 'lost'");
    assert_refused(no_world, "population 'ants' has no 'world'");
    assert_refused(no_place, "population 'ants' has no 'place'");
    assert_refused(no_age, "schema");
    assert_refused(no_next_id, "no '/tallies/ants_next_id'");
}

static void one_more(hid_t file) { set_number(file, "/agents/ants", "agents", 21); }
static void endless(hid_t file) { set_number(file, "/agents/ants", "agents", UINT64_MAX); }
static void a_wasp(hid_t file) { set_number(file, "/agents/wasps", "agents", 1); }
static void more_room(hid_t file) { set_number(file, "/agents/ants", "capacity", 3); }
static void endless_room(hid_t file) { set_number(file, "/agents/ants", "capacity", UINT64_MAX); }
static void on_the_line(hid_t file) { set_attribute(file, "/agents/ants", "space", "line"); }
static void on_no_space(hid_t file) { set_attribute(file, "/agents/ants", "space", "grit"); }
static void longer_id(hid_t file) { set_number(file, "/agents/ants/id", "length", 2); }
static void no_sum(hid_t file) { set_attribute(file, "/tallies/ants_next_id", "op", "max"); }
static void restarting(hid_t file) { set_number(file, "/tallies/ants_next_id", "cumulative", 0); }

Test(checkpoint_agents, of_changed_facts_are_refused)
{
    assert_refused(one_more, "other extents");
    assert_refused(endless, "beyond");
    assert_refused(a_wasp, "other extents");
    assert_refused(more_room, "schema");
    assert_refused(endless_room, "beyond");
    assert_refused(on_the_line, "schema");
    assert_refused(on_no_space, "'grit', which is not declared");
    assert_refused(longer_id, "'id' has 2 components");
    assert_refused(no_sum, "tally 'ants_next_id' does not count ids");
    assert_refused(restarting, "tally 'ants_next_id' does not count ids");
}

/* Other places: 20, or none of 2^40, which are not stored. */
static void replace_place(hid_t file, hid_t type, const char *mass_type, hsize_t extent, bool stored)
{
    replace_values(file, "/agents/ants/place", type, mass_type, chunks_with_checksums(1, (hsize_t[]){20}), 1, &extent,
                   stored);
}

static void places_of_another_type(hid_t file) { replace_place(file, H5T_STD_I32LE, "i32", 20, true); }
static void places_that_lie_about_their_type(hid_t file) { replace_place(file, H5T_STD_I32LE, "i64", 20, true); }
static void more_places_than_agents(hid_t file) { replace_place(file, H5T_STD_I64LE, "i64", 40, true); }
static void places_not_stored(hid_t file) { replace_place(file, H5T_STD_I64LE, "i64", 20, false); }
static void countless_agents(hid_t file)
{
    set_number(file, "/agents/ants", "agents", (uint64_t)1 << 40);
    replace_place(file, H5T_STD_I64LE, "i64", (hsize_t)1 << 40, false);
}
static void another_group(hid_t file)
{
    H5Gclose(H5Gcreate2(file, "/agents/ants/more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void a_soft_link(hid_t file)
{
    H5Lcreate_soft("/agents/ants/age", file, "/agents/ants/older", H5P_DEFAULT, H5P_DEFAULT);
}
static void named_like_a_space(hid_t file)
{
    H5Lmove(file, "/agents/ants", file, "/agents/grid", H5P_DEFAULT, H5P_DEFAULT);
}

Test(checkpoint_agents, of_other_storage_are_refused)
{
    assert_refused(places_of_another_type, "'place' is not of type i32");
    assert_refused(places_that_lie_about_their_type, "'place' has another type");
    assert_refused(more_places_than_agents, "other extents");
    assert_refused(places_not_stored, "not stored whole");
    assert_refused(countless_agents, "");
    assert_refused(another_group, "");
    assert_refused(a_soft_link, "a soft link, which this program does not write");
    assert_refused(named_like_a_space, "two populations or spaces named 'grid'");
}
