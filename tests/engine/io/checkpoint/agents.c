/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in checkpoints come back as they were written, into models that match. */
#include "crowd.h"
#include "folder.h"
#include "refused.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(checkpoint_agents, .init = make_folder, .fini = remove_folder);

static void round_trip(int32_t worlds, uint64_t wasps, uint64_t ants)
{
    mass_model m = crowd_model();
    mass_snapshot s = crowd_snapshot(&m, worlds, wasps, ants);
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_verify(path, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_checkpoint_probe(path, &e), MASS_OK, "%s", e.text);
    assert_comes_back_into(&m, &s);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint_agents, come_back) { round_trip(1, 300, 2000); }
Test(checkpoint_agents, of_three_worlds_come_back) { round_trip(3, 301, 2999); }
Test(checkpoint_agents, one_comes_back) { round_trip(1, 1, 1); }
Test(checkpoint_agents, none_come_back) { round_trip(1, 0, 0); }
Test(checkpoint_agents, none_of_one_population_come_back) { round_trip(2, 0, 1000); }
Test(checkpoint_agents, of_many_boxes_come_back) { round_trip(1, 300000, 0); }

Test(checkpoint_agents, come_back_into_a_model_declared_in_another_order)
{
    mass_model was = crowd_model(), is = spaces_model();
    add_population(&is, "ants", "grid", 2);
    add_agent_attribute(&is, "ants", "age", MASS_U64, 1, MASS_PLANES);
    add_agent_attribute(&is, "ants", "bag", MASS_STRUCT, 1, MASS_PLANES);
    add_agent_attribute(&is, "ants", "bags", MASS_STRUCT, 2, MASS_PLANES);
    add_population(&is, "wasps", "line", 0);
    add_agent_attribute(&is, "ants", "genes", MASS_U8, 3, MASS_INTERLEAVED);
    add_agent_attribute(&is, "wasps", "sting", MASS_I16, 1, MASS_PLANES);
    add_agent_attribute(&is, "ants", "memory", MASS_F32, 4, MASS_PLANES);
    mass_snapshot s = crowd_snapshot(&was, 2, 30, 200);
    assert_comes_back_into(&is, &s);
    mass_snapshot_free(&s);
    mass_model_free(&was), mass_model_free(&is);
}

Test(checkpoint_agents, are_not_read_where_there_is_no_room_for_them)
{
    mass_model m = crowd_model();
    mass_snapshot s = crowd_snapshot(&m, 1, 30, 200), small = crowd_snapshot(&m, 1, 30, 199);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK);
    cr_assert_eq(mass_checkpoint_read(c, &small, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, "has 200 agents of population 'ants'"), "%s", e.text);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s), mass_snapshot_free(&small);
    mass_model_free(&m);
}

Test(checkpoint_agents, are_read_by_h5py)
{
    static const char *const script =
        "import sys, h5py\n"
        "f = h5py.File(sys.argv[1], 'r')\n"
        "ants, wasps = f['agents/ants'], f['agents/wasps']\n"
        "assert ants['memory'].shape == (200, 4) and ants['age'].shape == (200,)\n"
        "assert ants['bag'].dtype.names[:3] == ('weight', 'kind', 'open')\n"
        "assert ants['memory'].attrs['dimension_labels'] == b'agent component'\n"
        "assert ants['id'].attrs['mass_type'] == b'u64' and ants['age'].attrs['unit'] == b'kg'\n"
        "assert ants.attrs['space'] == b'grid' and ants.attrs['capacity'] == 2 and ants.attrs['agents'] == 200\n"
        "assert list(ants['world'][98:102]) == [0, 0, 1, 1] and ants['place'][199] < 3000\n"
        "assert wasps['id'].shape == (0,) and wasps['lost'].dtype == 'uint8' and wasps['place'].dtype == 'int64'\n"
        "assert f['tallies/ants_next_id/accumulator'].shape == (2,)\n";
    mass_model m = crowd_model();
    mass_snapshot s = crowd_snapshot(&m, 2, 0, 200);
    char path[PATH_MAX];
    write_one(&s, path);
    assert_h5py_reads(path, script);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint_agents, of_another_schema_are_refused_by_the_first_difference)
{
    mass_model was = crowd_model(), is = spaces_model();
    mass_snapshot s = crowd_snapshot(&was, 1, 3, 4);
    assert_no_match(&s, is, "it has a population 'ants' that the plugin does not have");
    is = crowd_model();
    add_population(&is, "bees", "grid", 0);
    assert_no_match(&s, is, "it has no population 'bees'");
    is = crowd_model();
    is.populations[ANTS].space = 0;
    assert_no_match(&s, is, "population 'ants' lived on space 'grid' and now lives on 'line'");
    is = crowd_model();
    is.populations[ANTS].capacity = 1;
    assert_no_match(&s, is, "a place had room for 2 agents of population 'ants' and now has for 1");
    is = crowd_model();
    add_agent_attribute(&is, "wasps", "age", MASS_U64, 1, MASS_PLANES);
    assert_no_match(&s, is, "it has no attribute 'age' of population 'wasps'");
    is = crowd_model();
    is.attributes[mass_model_find_agent_attribute(&is, ANTS, "age")].type = MASS_I64;
    assert_no_match(&s, is, "attribute 'age' of population 'ants' was u64[1] and now is i64[1]");
    is = crowd_model();
    is.attributes[mass_model_find_agent_attribute(&is, ANTS, "memory")].length = 3;
    assert_no_match(&s, is, "attribute 'memory' of population 'ants' was f32[4] and now is f32[3]");
    is = crowd_model();
    snprintf(is.attributes[mass_model_find_agent_attribute(&is, ANTS, "bag")].members[1].name, MASS_NAME_SIZE, "sort");
    assert_no_match(&s, is, "attribute 'bag' of population 'ants' had other members");
    mass_snapshot_free(&s);
    is = crowd_model();
    add_agent_attribute(&was, "ants", "speed", MASS_F64, 1, MASS_PLANES);
    s = crowd_snapshot(&was, 1, 3, 4);
    assert_no_match(&s, is, "it has an attribute 'speed' that the plugin does not have");
    mass_snapshot_free(&s);
    mass_model_free(&was);
}
