/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5 files whose objects lead out of them are refused by every reader, in one line, and nothing that they name is
 * touched. */
#include "command.h"
#include "hdf5_links.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

TestSuite(links, SCRATCH);

/* Two runs of which each has what the other's files may lead to. */
static void make_runs(void)
{
    static const char *const folders[] = {"a", "b"};
    for (int i = 0; i < 2; i++)
        DONE(RUN("--plugin", "sugarscape", "--size", "16x16", "--steps", "6", "--seed", "1", "--quiet", "--checkpoint",
                 scratch(folders[i]), "--log", "ants"));
}

static const char *checkpoint_of(const char *folder) { return path_of("%s/ckpt-000000000006.h5", scratch(folder)); }
static const char *series_of(const char *folder) { return path_of("%s/series.h5", scratch(folder)); }

static bool same(const content *a, const content *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static outcome load_set(void);

/* Puts each kind of link in the place of each object, and expects `run` to refuse the file. The command follows only a
 * soft link that stays in a file of others. */
static void expect_refusals(const char *file, const char *other, const char *const *paths, link_kind kinds,
                            outcome (*run)(void))
{
    const char *before = path_of("%s.before", scratch("x"));
    const content others = file_read(other);
    file_copy(file, before);
    for (; *paths; paths++)
        for (int kind = 0; kind < (int)kinds; kind++) {
            file_copy(before, file);
            hdf5_lead_out(file, *paths, (link_kind)kind, other);
            const content crafted = file_read(file);
            const outcome o = run();
            const bool followed = kind == LINK_SOFT && run == load_set;
            cr_assert_eq(o.status, followed ? 0 : MASS_BAD_INPUT, "%s, kind %d: status %d: %s", *paths, kind, o.status,
                         o.err);
            cr_assert_eq(line_count(o.err), !followed, "%s, kind %d: %s", *paths, kind, o.err);
            const content after = file_read(file), others_after = file_read(other);
            cr_assert(same(&crafted, &after) && same(&others, &others_after), "%s, kind %d: a file was changed", *paths,
                      kind);
        }
    file_copy(before, file);
}

static outcome resume_file(void) { return RUN("--resume", checkpoint_of("a"), "--steps", "8", "--quiet"); }
static outcome resume_folder(void) { return RUN("--resume", scratch("a"), "--steps", "8", "--quiet"); }
static outcome plot_series(void) { return RUN("plot", series_of("a"), "ants"); }

Test(links, of_a_checkpoint)
{
    make_runs();
    expect_refusals(checkpoint_of("a"), checkpoint_of("b"),
                    ARGUMENTS("/places", "/places/grid", "/agents", "/agents/ants", "/tallies", "/tallies/ants_next_id",
                              "/parameters"), LINK_KINDS, resume_file);
    expect_refusals(checkpoint_of("a"), checkpoint_of("b"),
                    ARGUMENTS("/places/grid/sugar", "/agents/ants/id", "/tallies/ants_next_id/accumulator"),
                    STORED_KINDS, resume_file);
}

Test(links, of_a_series)
{
    make_runs();
    expect_refusals(series_of("a"), series_of("b"), ARGUMENTS("/series"), LINK_KINDS, plot_series);
    expect_refusals(series_of("a"), series_of("b"), ARGUMENTS("/series"), LINK_KINDS, resume_folder);
    expect_refusals(series_of("a"), series_of("b"), ARGUMENTS("/series/step", "/series/ants"), STORED_KINDS,
                    plot_series);
    expect_refusals(series_of("a"), series_of("b"), ARGUMENTS("/series/step", "/series/ants"), STORED_KINDS,
                    resume_folder);
    DONE(RUN("--resume", scratch("a"), "--steps", "8", "--quiet"));
}

static void put_set(hid_t file, const char *path, hid_t type, int rank, const hsize_t *extent, const void *values)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(rank, extent, NULL);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(set), H5Sclose(space), H5Pclose(links);
}

static outcome load_set(void)
{
    return RUN("--plugin", "life", "--seed", "1", "--size", "4x4", "--steps", "1", "--quiet", "--load",
               path_of("health=%s:/deep/group/set", scratch("a.h5")));
}

static void make_set(const char *name)
{
    static const uint8_t cells[16] = {1, 0, 1, 1};
    const hid_t file = H5Fcreate(scratch(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_set(file, "/deep/group/set", H5T_NATIVE_UINT8, 2, (const hsize_t[]){4, 4}, cells);
    H5Fclose(file);
}

Test(links, of_a_loaded_file)
{
    make_set("a.h5");
    make_set("b.h5");
    expect_refusals(scratch("a.h5"), scratch("b.h5"), ARGUMENTS("/deep", "/deep/group"), LINK_KINDS, load_set);
    expect_refusals(scratch("a.h5"), scratch("b.h5"), ARGUMENTS("/deep/group/set"), STORED_KINDS, load_set);
    DONE(load_set());
}

static outcome read_table(void)
{
    return RUN("--plugin", bad_plugin("table"), "--seed", "1", "--steps", "1", "--quiet", "--set",
               path_of("folk_table=%s", scratch("a.h5")));
}

static void make_table(const char *name)
{
    static const int64_t x[] = {1, 2, 3};
    const hid_t file = H5Fcreate(scratch(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_set(file, "x", H5T_NATIVE_INT64, 1, (const hsize_t[]){3}, x);
    put_set(file, "y", H5T_NATIVE_INT64, 1, (const hsize_t[]){3}, x);
    H5Fclose(file);
}

Test(links, of_a_table)
{
    make_table("a.h5");
    make_table("b.h5");
    DONE(read_table());
    expect_refusals(scratch("a.h5"), scratch("b.h5"), ARGUMENTS("/x"), STORED_KINDS, read_table);
}

/* ---- hard links: an object in itself, and one that is linked twice ---- */

Test(links, in_circles_do_no_harm)
{
    make_runs();
    make_set("a.h5");
    hdf5_link_again(scratch("a.h5"), "/deep", "/deep/group/loop");
    DONE(load_set());
    DONE(RUN("--plugin", "life", "--seed", "1", "--size", "4x4", "--steps", "1", "--quiet", "--load",
             path_of("health=%s:/deep/group/loop/group/loop/group/set", scratch("a.h5"))));
    hdf5_link_again(checkpoint_of("a"), "/places", "/places/grid/loop");
    hdf5_link_again(series_of("b"), "/series", "/series/loop");
    const outcome checkpoint = resume_file();
    REFUSED(checkpoint, MASS_BAD_INPUT, checkpoint_of("a"), "is damaged");
    REFUSED(RUN("plot", series_of("b"), "ants"), MASS_BAD_INPUT, series_of("b"), "is not a whole file of series");
}

Test(links, a_series_that_is_there_twice)
{
    make_runs();
    hdf5_link_again(series_of("a"), "/series/ants", "/series/again");
    DONE(RUN("plot", series_of("a"), "again"));
}
