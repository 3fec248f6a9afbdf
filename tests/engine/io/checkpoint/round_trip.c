/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints come back as they were written. */
#include "folder.h"
#include "models.h"
#include "snapshot/snapshot.h"

#include "text/parameter.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

static void round_trip(mass_model m, int32_t worlds)
{
    mass_snapshot s = filled(&m, worlds, 250);
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert(holds(path, &s));
    cr_assert_eq(mass_checkpoint_verify(path, &e), MASS_OK, "%s", e.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, of_one_world_comes_back) { round_trip(full_model(), 1); }
Test(checkpoint, of_three_worlds_comes_back) { round_trip(full_model(), 3); }
Test(checkpoint, of_keys_comes_back) { round_trip(small_keys_model(), 3); }
Test(checkpoint, of_a_sweep_comes_back) { round_trip(small_swept_model(), 3); }

Test(checkpoint, of_no_attributes_comes_back)
{
    mass_model m = empty_model();
    add_space(&m, "grid", 1, 4, 0, 0);
    round_trip(m, 1);
}

Test(checkpoint, says_what_it_is)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 250);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX], hash[33];
    write_one(&s, path);
    cr_assert_not_null(strstr(path, "/ckpt-000000000250.h5"));
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK, "%s", e.text);
    cr_assert_str_eq(c->model.plugin, "life");
    cr_assert_str_eq(c->model.version, "1.0.0");
    cr_assert_str_eq(c->engine_version, MASS_ENGINE_VERSION);
    cr_assert_eq(c->abi_minor, MASS_ABI_MINOR);
    cr_assert_eq(c->seed, INT64_MAX - 3);
    cr_assert_eq(c->step, 250);
    cr_assert_eq(c->every, 50);
    cr_assert_eq(c->keep, 0);
    cr_assert_eq(c->last_step, 900);
    cr_assert_eq(c->worlds, 1);
    cr_assert_eq(c->first_world, 2);
    cr_assert_eq(c->model.space_count, 1);
    cr_assert_eq(c->model.spaces[0].dimensions, 2);
    cr_assert_eq(c->model.spaces[0].torus, MASS_AXIS_X);
    cr_assert_eq(c->model.spaces[0].size[1], 5);
    mass_snapshot_hash(&s, hash);
    cr_assert_str_eq(c->state_hash, hash);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, longest_text_comes_back_and_a_longer_one_is_refused)
{
    mass_model m = small_model();
    mass_error e = {0};
    char text[MASS_CHECKPOINT_TEXT_MAX + 2], path[PATH_MAX];
    memset(text, 'x', sizeof text);
    text[MASS_CHECKPOINT_TEXT_MAX] = '\0';
    mass_parameter_set(mass_parameters_find(&m.parameters, "pattern"), text, &e);
    mass_snapshot s = filled(&m, 1, 1);
    write_one(&s, path);
    cr_assert(holds(path, &s));
    text[MASS_CHECKPOINT_TEXT_MAX] = 'x';
    text[MASS_CHECKPOINT_TEXT_MAX + 1] = '\0';
    mass_parameter_set(mass_parameters_find(&m.parameters, "pattern"), text, &e);
    s.step = 2;
    cr_assert_eq(try_write(&s, 0, path, &e), MASS_BAD_USAGE);
    cr_assert_eq(files_in_folder(), 1);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, is_read_by_h5py)
{
    static const char *const script =
        "import sys, h5py\n"
        "f = h5py.File(sys.argv[1], 'r')\n"
        "assert f['places/grid/i32'].shape == (3, 1, 13), f['places/grid/i32'].shape\n"
        "assert f['places/box/u8'].shape == (3, 3, 5, 7, 2)\n"
        "assert f['places/line/long'].shape == (3, 700000, 3)\n"
        "assert f['places/box/cells'].dtype.names == ('mass', 'kind', 'alive', 'spare', 'heat')\n"
        "assert f['places/grid/i32'].attrs['mass_type'] == b'i32'\n"
        "assert f['places/box/u8'].attrs['dimension_labels'] == b'world z y x component'\n"
        "assert f['tallies/total/value'][1] == (4000012 - 500 + 0) / 2**20, f['tallies/total/value'][1]\n"
        "assert f['parameters'].attrs['density'] == 0.1 and f['parameters'].attrs['agents'] == -7\n"
        "assert f['parameters'].attrs['edge'] == b'dead'\n"
        "assert f['parameters'].attrs['edge.kind'] == b'choice given'\n"
        "assert f.attrs['step'] == 250 and len(f.attrs['state_hash']) == 32\n";
    mass_model m = full_model();
    mass_snapshot s = filled(&m, 3, 250);
    char path[PATH_MAX];
    write_one(&s, path);
    assert_h5py_reads(path, script);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, reads_into_a_model_declared_in_another_order)
{
    mass_model was = small_model(), is = empty_model();
    add_attribute(&was, "grid", "age", MASS_I16, 1);
    add_space(&is, "grid", 2, 12, 5, 0);
    add_attribute(&is, "grid", "age", MASS_I16, 1);
    add_attribute(&is, "grid", "health", MASS_U8, 1);
    add_tally(&is, "population", MASS_SUM, MASS_TALLY_INTEGER, 0);
    mass_snapshot s = filled(&was, 1, 100);
    assert_comes_back_into(&is, &s);
    mass_snapshot_free(&s);
    mass_model_free(&was), mass_model_free(&is);
}

Test(checkpoint, probe_accepts_what_is_whole)
{
    mass_model m = full_model();
    mass_snapshot s = filled(&m, 2, 100);
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_probe(path, &e), MASS_OK, "%s", e.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
