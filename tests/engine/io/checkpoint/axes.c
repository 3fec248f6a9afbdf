/* SPDX-License-Identifier: Apache-2.0 */
/* Axes of data sets over places and agents: each has one dimension scale, whatever attributes are called. Those that
 * were changed are refused, and a checkpoint without any, as versions before wrote it, is as good. */
#include "folder.h"
#include "models.h"
#include "refused.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <string.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

/* ---- what is written ---- */

typedef struct wanted {
    const char *names; /* of the scales of the axes, in order */
    int axis;
    bool good;
} wanted;

static herr_t compare_scale(hid_t set, unsigned axis, hid_t scale, void *context)
{
    wanted *w = context;
    char path[300] = "";
    const char *name = w->names;
    (void)set;
    for (unsigned i = 0; i < axis; i++) name += strcspn(name, " ") + 1;
    H5Iget_name(scale, path, sizeof path);
    const char *found = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    w->good = strlen(found) == strcspn(name, " ") && strncmp(found, name, strlen(found)) == 0;
    w->axis++;
    return 0;
}

/* names: "y x". */
static void expect_axes(const char *path, const char *set, const char *names)
{
    const hid_t f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), s = H5Dopen2(f, set, H5P_DEFAULT);
    const hid_t space = H5Dget_space(s);
    const int rank = H5Sget_simple_extent_ndims(space);
    wanted w = {.names = names, .good = true};
    cr_assert_geq(s, 0, "there is no %s", set);
    for (int i = 0; i < rank && w.good; i++) {
        H5DSiterate_scales(s, (unsigned)i, NULL, compare_scale, &w);
        cr_expect(w.good && w.axis == i + 1, "axis %d of %s", i, set);
    }
    H5Sclose(space);
    H5Dclose(s);
    H5Fclose(f);
}

Test(checkpoint, has_a_scale_for_every_axis)
{
    mass_model m = full_model();
    mass_snapshot s = filled(&m, 2, 50);
    char path[PATH_MAX];
    write_one(&s, path);
    expect_axes(path, "/places/line/long", "world x long-component");
    expect_axes(path, "/places/grid/u8", "world y x");
    expect_axes(path, "/places/box/i8", "world z y x");
    expect_axes(path, "/places/box/u8", "world z y x u8-component");
    expect_axes(path, "/places/box/pairs", "world z y x pairs-component");
    mass_snapshot_free(&s);
    mass_model_free(&m);
    m = small_crowd_model();
    s = filled(&m, 1, 100);
    write_one(&s, path);
    expect_axes(path, "/places/grid/health", "y x");
    expect_axes(path, "/agents/ants/world", "agent");
    expect_axes(path, "/agents/ants/load", "agent load-component");
    expect_axes(path, "/agents/bees/id", "agent");
    mass_snapshot_free(&s);
    mass_model_free(&m);
    m = small_swept_model();
    s = filled(&m, 3, 150);
    write_one(&s, path);
    expect_axes(path, "/parameters/density", "world");
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* A model whose attributes are called as axes are. */
static mass_model namesake_model(void)
{
    mass_model m = small_crowd_model();
    mass_error e = {0};
    static const char *const names[] = {"x", "y", "z", "world", "agent"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) add_attribute(&m, "grid", names[i], MASS_F32, 1);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "ants", .name = "agent", .type = MASS_U8}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "ants", .name = "x", .type = MASS_U8, .length = 2},
                             &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

Test(checkpoint, of_attributes_that_are_called_as_axes_comes_back)
{
    mass_model m = namesake_model();
    mass_snapshot s = filled(&m, 2, 50);
    char path[PATH_MAX];
    write_one(&s, path);
    cr_expect(holds(path, &s));
    expect_axes(path, "/places/grid/x", "world-axis y-axis x-axis");
    expect_axes(path, "/agents/ants/agent", "agent-axis");
    expect_axes(path, "/agents/ants/x", "agent-axis x-component");
    expect_axes(path, "/agents/bees/id", "agent");
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* ---- what is read ---- */

static void remove_axes(hid_t file)
{
    static const char *const paths[] = {"/places/grid/world", "/places/grid/x", "/places/grid/y", "/agents/ants/agent",
                                        "/agents/bees/agent", "/agents/ants/load-component"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) cr_assert_geq(H5Ldelete(file, paths[i], H5P_DEFAULT), 0);
}

Test(checkpoint, without_axes_is_as_good)
{
    mass_model m = small_crowd_model();
    mass_snapshot s = filled(&m, 2, 50);
    char path[PATH_MAX];
    mass_error e = {0};
    write_one(&s, path);
    const hid_t f = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    remove_axes(f);
    H5Fclose(f);
    cr_expect_eq(mass_checkpoint_verify(path, &e), MASS_OK, "%s", e.text);
    cr_expect(holds(path, &s));
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* Makes a scale of another extent or type. */
static void add_scale(hid_t file, const char *path, hid_t type, hsize_t extent)
{
    const hid_t space = H5Screate_simple(1, &extent, NULL), list = chunks_with_checksums(1, &extent);
    H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert(set >= 0 && H5DSset_scale(set, "axis") >= 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
}

static void longer(hid_t f) { add_scale(f, "/places/grid/x", H5T_STD_U8LE, 13); }
static void of_floats(hid_t f) { add_scale(f, "/places/grid/x", H5T_IEEE_F32LE, 12); }
static void too_many(hid_t f) { add_scale(f, "/places/grid/z", H5T_STD_U8LE, 1); }
static void of_no_components(hid_t f) { add_scale(f, "/places/grid/health-component", H5T_STD_U8LE, 1); }
static void of_nothing(hid_t f) { add_scale(f, "/places/grid/x-axis", H5T_STD_U8LE, 12); }
static void of_agents(hid_t f) { add_scale(f, "/places/grid/agent", H5T_STD_U8LE, 12); }
static void with_values(hid_t f) { set_values(f, "/places/grid/x", H5T_STD_U8LE, (uint8_t[12]){1}); }
static void of_other_worlds(hid_t f) { set_values(f, "/places/grid/world", H5T_STD_I64LE, (int64_t[]){0, 0}); }
static void of_fewer_agents(hid_t f) { add_scale(f, "/agents/ants/agent", H5T_STD_U8LE, 9); }

Test(checkpoint, of_other_axes_is_refused)
{
    mass_model m = small_crowd_model();
    mass_snapshot s = filled(&m, 2, 50);
    assert_change_refused(&s, longer, "'x' has other extents");
    assert_change_refused(&s, of_floats, "'x' has another type");
    assert_change_refused(&s, too_many, "it holds 'z', which is not an axis of its attributes");
    assert_change_refused(&s, of_no_components, "it holds 'health-component', which is not an axis");
    assert_change_refused(&s, of_nothing, "it holds 'x-axis', which is not an axis");
    assert_change_refused(&s, of_agents, "it holds 'agent', which is not an axis");
    assert_change_refused(&s, with_values, "axis 'x' has values");
    assert_change_refused(&s, of_other_worlds, "its numbers of worlds are wrong");
    assert_change_refused(&s, of_fewer_agents, "'agent' has other extents");
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
