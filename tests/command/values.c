/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints with right hashes and with numbers that no run has. Anybody with h5py can make them. The command refuses
 * them in one line that names the file, or takes the numbers as they are. */
#include "command.h"
#include "snapshot/snapshot.h"

#include "io/checkpoint/checkpoint.h"

#include <hdf5.h>
#include <limits.h>
#include <string.h>

TestSuite(values, SCRATCH);

static const char *whole(void) { return scratch("a/ckpt-000000000006.h5"); }
static const char *lie(void) { return scratch("lie.h5"); }

static void make_run(void)
{
    DONE(RUN("--plugin", "sugarscape", "--size", "16x16", "--worlds", "3", "--steps", "6", "--seed", "1", "--quiet",
             "--checkpoint", scratch("a")));
}

static outcome resume(void) { return RUN("--resume", lie(), "--steps", "9", "--quiet", "--checkpoint", scratch("b")); }

/* The axis of the worlds, where there is one, says what their numbers are. */
static void number_worlds(hid_t f, int64_t first)
{
    const hid_t axis = H5Dopen2(f, "/places/grid/world", H5P_DEFAULT);
    if (axis < 0) return;
    const int64_t numbers[] = {first, first + 1, first + 2};
    cr_assert_geq(H5Dwrite(axis, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), 0);
    H5Dclose(axis);
}

static void change_fact(const char *name, uint64_t value)
{
    file_copy(whole(), lie());
    const hid_t f = H5Fopen(lie(), H5F_ACC_RDWR, H5P_DEFAULT), a = H5Aopen(f, name, H5P_DEFAULT);
    cr_assert_geq(H5Awrite(a, H5T_NATIVE_UINT64, &value), 0, "%s", name);
    if (strcmp(name, "first_world") == 0) number_worlds(f, (int64_t)value);
    H5Aclose(a);
    H5Fclose(f);
}

Test(values, of_facts_that_no_run_has)
{
    static const struct { const char *name; uint64_t value; } lies[] = {
        {"seed", UINT64_MAX}, {"seed", (uint64_t)1 << 63}, {"first_world", INT32_MAX},
        {"first_world", (uint64_t)1 << 30},
        {"step", UINT64_MAX}, {"step", (uint64_t)1 << 40}, {"last_step", UINT64_MAX}, {"last_step", (uint64_t)1 << 40},
        {"checkpoint_every", UINT64_MAX}, {"keep", UINT32_MAX}, {"worlds", INT32_MAX}};
    make_run();
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        change_fact(lies[i].name, lies[i].value);
        const outcome o = resume();
        cr_assert_eq(o.status, MASS_BAD_INPUT, "%s: status %d: %s", lies[i].name, o.status, o.err);
        assert_refused(&o, MASS_BAD_INPUT, ARGUMENTS("lie.h5 is damaged", lies[i].name));
    }
}

Test(values, of_facts_at_the_ends_of_what_a_run_has)
{
    static const struct { const char *name; uint64_t value; } ends[] = {
        {"seed", INT64_MAX}, {"first_world", ((uint64_t)1 << 30) - 1}, {"last_step", ((uint64_t)1 << 40) - 1},
        {"checkpoint_every", INT64_MAX}, {"keep", INT32_MAX}};
    make_run();
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        change_fact(ends[i].name, ends[i].value);
        DONE(resume());
    }
}

/* ---- tallies ---- */

/* Written by the engine itself, which makes the hashes. */
static void change_tally(const char *name, int64_t value)
{
    char path[PATH_MAX];
    mass_error error = {0};
    mass_checkpoint *c;
    mass_snapshot s;
    cr_assert_eq(mass_checkpoint_open(whole(), &c, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(mass_snapshot_allocate(&s, &c->model, c->worlds, c->agents, &error), MASS_OK);
    cr_assert_eq(mass_checkpoint_read(c, &s, &error), MASS_OK, "%s", error.text);
    const mass_tally_def *t = s.model->tallies;
    while (strcmp(t->name, name) != 0) t++;
    int64_t *values = s.tallies + mass_tally_at(t, s.worlds, 0);
    values[0] = values[2] = value;
    values[1] = value > 0 ? value : 1;
    const char *folder = folder_make(scratch(path_of("%s-%lld", name, (long long)value)));
    const mass_checkpoint_settings settings = {.folder = folder, .last_step = c->last_step};
    cr_assert_eq(mass_checkpoint_write(&settings, &s, path, &error), MASS_OK, "%s", error.text);
    file_copy(path, lie());
    mass_snapshot_free(&s);
    mass_checkpoint_close(c);
}

static void read_hash(const char *object, char hash[33])
{
    const hid_t f = H5Fopen(scratch("c/ckpt-000000000009.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t o = H5Oopen(f, object, H5P_DEFAULT), a = H5Aopen(o, "hash", H5P_DEFAULT), type = H5Aget_type(a);
    cr_assert(a >= 0 && H5Tget_size(type) == 33 && H5Aread(a, type, hash) >= 0, "%s", object);
    H5Tclose(type), H5Aclose(a), H5Oclose(o), H5Fclose(f);
}

/* Sums wrap, as they do in a run that gets there; places and agents stay what they are. */
Test(values, of_tallies_at_the_ends_of_their_range)
{
    static const char *const names[] = {"births", "deaths", "eaten", "grown", "burnt", "wealth", "ants"};
    static const char *const attributes[] = {"/places/grid/sugar", "/agents/ants/place", "/agents/ants/wealth"};
    static const int64_t ends[] = {INT64_MAX, INT64_MIN, -1};
    char honest[3][33], hash[33];
    make_run();
    file_copy(whole(), lie());
    for (size_t i = 0; i < 1 + 3 * sizeof names / sizeof *names; i++) {
        if (i > 0) change_tally(names[(i - 1) / 3], ends[(i - 1) % 3]);
        DONE(RUN("--resume", lie(), "--steps", "9", "--quiet", "--force", "--checkpoint", scratch("c")));
        for (int k = 0; k < 3; k++) {
            read_hash(attributes[k], i > 0 ? hash : honest[k]);
            cr_assert(i == 0 || strcmp(hash, honest[k]) == 0, "%s: %s", names[(i - 1) / 3], attributes[k]);
        }
    }
}

Test(values, of_next_ids_that_no_run_gets_to)
{
    static const int64_t lies[] = {INT64_MAX, INT64_MAX - 1, -1, INT64_MIN};
    make_run();
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        change_tally("ants_next_id", lies[i]);
        REFUSED(resume(), MASS_BAD_INPUT, "lie.h5 is damaged", "tally 'ants_next_id' is", "which no run gets to");
    }
    change_tally("ants_next_id", (int64_t)1 << 62);
    DONE(resume());
}
