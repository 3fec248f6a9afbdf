/* SPDX-License-Identifier: Apache-2.0 */
/* A stop condition in a checkpoint: what it has seen comes back, and what cannot be is refused. */
#include "folder.h"
#include "snapshot/snapshot.h"
#include "state/stop_state.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 3, STEADY = 2, STEP = 12 };

static char path[PATH_MAX];
static mass_model model;

static void write_checkpoint(uint32_t steady_count, const char *text)
{
    mass_error e = {0};
    mass_snapshot s;
    mass_snapshot_allocate(&s, &model, WORLDS, NULL, &e);
    s.step = STEP;
    if (text) {
        s.until = (mass_until_state){.text = strdup(text), .held = STEP - 2, .steady_count = steady_count,
                                     .steady = calloc(steady_count * WORLDS + 1, sizeof(mass_steady))};
        for (uint32_t i = 0; i < steady_count * WORLDS; i++)
            s.until.steady[i] = (mass_steady){i == 1 ? NAN : 0.5 * i, (int64_t)i - 1};
    }
    write_one(&s, path);
    mass_snapshot_free(&s);
}

static void make(void)
{
    mass_error e = {0};
    make_folder();
    snprintf(model.plugin, sizeof model.plugin, "folk");
    mass_model_add_space(&model, &(mass_space){.name = "grid", .dimensions_min = 1, .dimensions_max = 1, .size = {4}},
                         NULL, 0, &e);
    mass_model_add_tally(&model, &(mass_tally){.name = "a", .access = MASS_SUM}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    write_checkpoint(STEADY, "steady(a, 3) && steady(a[1], 9)");
}

static void unmake(void)
{
    mass_model_free(&model);
    remove_folder();
}

TestSuite(checkpoint_until, .init = make, .fini = unmake);

static mass_checkpoint *opened(void)
{
    mass_error e = {0};
    mass_checkpoint *c;
    mass_checkpoint_open(path, &c, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return c;
}

Test(checkpoint_until, comes_back_as_it_was)
{
    mass_checkpoint *c = opened();
    cr_assert_str_eq(c->until.text, "steady(a, 3) && steady(a[1], 9)");
    cr_assert(c->until.held == STEP - 2 && c->until.steady_count == STEADY);
    for (int i = 0; i < STEADY * WORLDS; i++) {
        cr_assert(i == 1 ? isnan(c->until.steady[i].last) : c->until.steady[i].last == 0.5 * i);
        cr_assert_eq(c->until.steady[i].unchanged, i - 1);
    }
    mass_checkpoint_close(c);
}

Test(checkpoint_until, need_not_be_there)
{
    write_checkpoint(0, NULL);
    mass_checkpoint *c = opened();
    cr_assert(!c->until.text && c->until.held == MASS_NOT_HELD && !c->until.steady);
    mass_checkpoint_close(c);
}

Test(checkpoint_until, may_have_nothing_to_remember)
{
    write_checkpoint(0, "a == 0");
    mass_checkpoint *c = opened();
    cr_assert_str_eq(c->until.text, "a == 0");
    cr_assert(c->until.steady_count == 0 && !c->until.steady);
    mass_checkpoint_close(c);
}

/* ---- refusals ---- */

static void refused(const char *why)
{
    mass_error e = {0};
    mass_checkpoint *c;
    mass_checkpoint_open(path, &c, &e);
    cr_assert_eq(e.status, MASS_BAD_INPUT, "it is accepted, but should not: %s", why);
    cr_assert_null(c);
    cr_assert(strstr(e.text, path) && strstr(e.text, why), "no '%s' in: %s", why, e.text);
}

static hid_t open_group(hid_t *file)
{
    *file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    return H5Gopen2(*file, "until", H5P_DEFAULT);
}

static void close_group(hid_t group, hid_t file) { cr_assert(H5Gclose(group) >= 0 && H5Fclose(file) >= 0); }

static void set_number(const char *name, uint64_t value)
{
    hid_t file, group = open_group(&file), a = H5Aopen(group, name, H5P_DEFAULT);
    cr_assert_geq(H5Awrite(a, H5T_STD_U64LE, &value), 0);
    H5Aclose(a);
    close_group(group, file);
}

Test(checkpoint_until, that_held_in_a_step_to_come)
{
    set_number("held", STEP);
    mass_checkpoint_close(opened());
    set_number("held", STEP + 1);
    refused("held in a step to come");
}

Test(checkpoint_until, with_another_number_of_steady)
{
    set_number("steady", STEADY + 1);
    refused("extent");
    set_number("steady", 0);
    refused("it holds '/until/last'");
    set_number("steady", UINT64_MAX);
    refused("'steady' is");
}

Test(checkpoint_until, without_a_part)
{
    static const char *const sets[] = {"last", "unchanged"}, *const attributes[] = {"expression", "held", "steady"};
    hid_t file, group;
    for (int i = 0; i < 2; i++) {
        write_checkpoint(STEADY, "steady(a, 3)");
        group = open_group(&file);
        cr_assert_geq(H5Ldelete(group, sets[i], H5P_DEFAULT), 0);
        close_group(group, file);
        refused(sets[i]);
    }
    for (int i = 0; i < 3; i++) {
        write_checkpoint(STEADY, "steady(a, 3)");
        group = open_group(&file);
        cr_assert_geq(H5Adelete(group, attributes[i]), 0);
        close_group(group, file);
        refused(attributes[i]);
    }
}

Test(checkpoint_until, with_something_else_in_it)
{
    hid_t file, group = open_group(&file);
    H5Gclose(H5Gcreate2(group, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    close_group(group, file);
    refused("it holds '/until/more'");
}

Test(checkpoint_until, that_was_unchanged_before_it_was_there)
{
    static const int64_t impossible[] = {-2, STEP, INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t values[STEADY * WORLDS] = {0};
        values[i] = impossible[i];
        hid_t file, group = open_group(&file), set = H5Dopen2(group, "unchanged", H5P_DEFAULT);
        cr_assert_geq(H5Dwrite(set, H5T_STD_I64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
        H5Dclose(set);
        close_group(group, file);
        refused("unchanged before it was there");
    }
}
