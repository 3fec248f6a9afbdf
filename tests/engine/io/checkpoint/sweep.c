/* SPDX-License-Identifier: Apache-2.0 */
/* A checkpoint gives the values of a sweep to a model if they are in its range, whatever its order of choices. Values
 * that were changed are refused. */
#include "folder.h"
#include "models.h"
#include "refused.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

static void add(mass_model *m, mass_parameter p)
{
    mass_error e = {0};
    cr_assert_eq(mass_parameters_add(&m->parameters, &p, &e), MASS_OK, "%s", e.text);
}

static void assert_not_restored(mass_checkpoint *c, mass_model *is, const char *words)
{
    mass_error e = {0};
    cr_assert_eq(mass_checkpoint_restore_sweep(c, is, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, words), "%s", e.text);
}

/* Into a plugin whose choices have another order, and one whose range is narrower. */
Test(checkpoint, of_a_sweep_gives_its_values_to_a_model)
{
    static const char *const edges[] = {"dead", "open", "torus", NULL}, *const fewer[] = {"dead", NULL};
    mass_model m = small_swept_model();
    mass_snapshot s = filled(&m, 3, 250);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK, "%s", e.text);
    mass_model is = {.plugin = "life"};
    add(&is, (mass_parameter){.type = MASS_CHOICE, .name = "edge", .choices = edges});
    assert_not_restored(c, &is, "no parameter 'agents'");
    add(&is, (mass_parameter){.type = MASS_INTEGER, .name = "agents"});
    add(&is, (mass_parameter){.type = MASS_REAL, .name = "density"});
    mass_parameters_add_constant(&is.parameters, &(mass_constant){.type = MASS_REAL, .name = "pi"}, &e);
    cr_assert_eq(mass_checkpoint_restore_sweep(c, &is, &e), MASS_OK, "%s", e.text);
    const mass_parameter_slot *edge = mass_parameters_find(&is.parameters, "edge");
    cr_assert(is.parameters.worlds == 3 && edge->swept[0] == 0 && edge->swept[1] == 2 && edge->swept[2] == 0);
    cr_assert_eq((int64_t)mass_parameters_find(&is.parameters, "agents")->swept[2], INT64_MIN);
    mass_model_free(&is);
    is = (mass_model){.plugin = "life"};
    add(&is, (mass_parameter){.type = MASS_INTEGER, .name = "agents", .integer_min = -7, .integer_max = 9});
    assert_not_restored(c, &is, "parameter 'agents' of world 4 is out of its range");
    mass_model_free(&is);
    mass_checkpoint_close(c);
    is = (mass_model){.plugin = "life"};
    add(&is, (mass_parameter){.type = MASS_CHOICE, .name = "edge", .choices = fewer});
    for (uint32_t i = 0; i < m.parameters.count; i++)
        if (strcmp(m.parameters.slots[i].name, "edge") != 0) {
            free(m.parameters.slots[i].swept);
            m.parameters.slots[i].swept = NULL;
        }
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK, "%s", e.text);
    assert_not_restored(c, &is, "parameter 'edge' of world 3 is out of its range");
    mass_checkpoint_close(c);
    mass_model_free(&is);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

static void no_density(hid_t file) { H5Ldelete(file, "/parameters/density", H5P_DEFAULT); }
static void swapped(hid_t file)
{
    H5Lmove(file, "/parameters/density", file, "/parameters/agents2", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "/parameters/agents", file, "/parameters/density", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "/parameters/agents2", file, "/parameters/agents", H5P_DEFAULT, H5P_DEFAULT);
}
static void other_density(hid_t file)
{
    set_values(file, "/parameters/density", H5T_IEEE_F64LE, (double[]){0, 0.25, -3});
}
static void sweep_too_many(hid_t file)
{
    H5Gclose(H5Gcreate2(file, "/parameters/pattern", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

Test(checkpoint, of_another_sweep_is_refused)
{
    mass_model swept = small_swept_model(), plain = small_model();
    mass_snapshot s = filled(&swept, 3, 100), alone = filled(&plain, 1, 100);
    assert_change_refused(&s, no_density, "density cannot be read (there is no such object)");
    assert_change_refused(&s, swapped, "has another type");
    assert_change_refused(&s, other_density, "the values of 'density' are not those written");
    assert_change_refused(&s, sweep_too_many, "'/parameters/pattern', which is not swept");
    assert_change_refused(&alone, sweep_too_many, "'/parameters/pattern', which is not swept");
    mass_snapshot_free(&s), mass_snapshot_free(&alone);
    mass_model_free(&swept), mass_model_free(&plain);
}
