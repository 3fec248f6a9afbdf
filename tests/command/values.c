/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints whose hashes are right and whose numbers no run has, as anybody with h5py can make them: refused in one
 * line that names the file, or taken for what they are. */
#include "command.h"

#include <hdf5.h>
#include <stdio.h>
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

static void change_tally(const char *name, int64_t value)
{
    const int64_t middle = value > 0 ? value : 1, values[3] = {value, middle, value};
    const double real[3] = {(double)value, (double)middle, (double)value};
    char path[200];
    file_copy(whole(), lie());
    const hid_t f = H5Fopen(lie(), H5F_ACC_RDWR, H5P_DEFAULT);
    snprintf(path, sizeof path, "/tallies/%s/accumulator", name);
    const hid_t accumulator = H5Dopen2(f, path, H5P_DEFAULT);
    snprintf(path, sizeof path, "/tallies/%s/value", name);
    const hid_t shown = H5Dopen2(f, path, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(accumulator, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0, "%s", name);
    cr_assert_geq(H5Dwrite(shown, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, real), 0, "%s", name);
    H5Dclose(accumulator), H5Dclose(shown);
    H5Fclose(f);
}

/* Sums wrap, as they do in a run that gets there; what the model says of its places and agents does not change. */
Test(values, of_tallies_at_the_ends_of_their_range)
{
    static const char *const names[] = {"births", "deaths", "eaten", "grown", "burnt", "wealth", "ants"};
    static const int64_t ends[] = {INT64_MAX, INT64_MIN, -1};
    make_run();
    file_copy(whole(), lie());
    const outcome honest = RUN("--resume", lie(), "--steps", "9", "--quiet", "--json", "--checkpoint", scratch("c"));
    const char *hash = outcome_hash(&honest, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            change_tally(names[i], ends[k]);
            const outcome o = RUN("--resume", lie(), "--steps", "9", "--quiet", "--json", "--checkpoint", scratch("c"));
            cr_assert_str_eq(outcome_hash(&o, 0), hash, "%s of %lld", names[i], (long long)ends[k]);
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
