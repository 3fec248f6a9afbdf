/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces that a plugin declares: their extents, and the sentence that every other gets. */
#include "../expect.h"
#include "model_world.h"

#include <stdio.h>
#include <stdlib.h>

static mass_status add_space_of(mass_space s, const mass_gidx *size, uint32_t dimensions, mass_error *error)
{
    mass_model *m = world();
    const uint32_t before = m->space_count;
    const mass_status status = mass_model_add_space(m, &s, size, dimensions, error);
    cr_assert_eq(m->space_count, before + (status == MASS_OK));
    discard(m);
    return status;
}

Test(model, a_space_has_the_extents_of_the_plugin_or_of_the_user)
{
    const mass_space s = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .size = {4, 5}, .torus = 7};
    mass_model *m = calloc(1, sizeof *m);
    EXPECT_OK(mass_model_add_space(m, &s, NULL, 0, e));
    cr_assert_eq(m->spaces[0].dimensions, 2);
    cr_assert(m->spaces[0].size[0] == 4 && m->spaces[0].size[1] == 5 && m->spaces[0].size[2] == 1);
    cr_assert_eq(m->spaces[0].torus, MASS_AXIS_X | MASS_AXIS_Y);
    discard(m);
    m = calloc(1, sizeof *m);
    EXPECT_OK(mass_model_add_space(m, &s, (const mass_gidx[3]){9, 1, 1}, 1, e));
    cr_assert_eq(m->spaces[0].dimensions, 1);
    cr_assert(m->spaces[0].size[0] == 9 && m->spaces[0].size[1] == 1 && m->spaces[0].size[2] == 1);
    cr_assert_eq(m->spaces[0].torus, MASS_AXIS_X);
    cr_assert_eq(mass_space_places(&m->spaces[0]), 9);
    discard(m);
}

Test(model, bad_spaces_are_the_plugins_to_mend)
{
    static const struct { mass_space s; const char *text; } bad[] = {
        {{.name = "a b", .dimensions_min = 1, .dimensions_max = 1, .size = {4}},
         "space 'a b' is not named by letters, digits and '_' (at most 63)"},
        {{.dimensions_min = 1, .dimensions_max = 1, .size = {4}},
         "space '' is not named by letters, digits and '_' (at most 63)"},
        {{.name = "grid", .dimensions_min = 1, .dimensions_max = 1, .size = {4}}, "space 'grid' is declared twice"},
        {{.name = "s", .dimensions_min = 0, .dimensions_max = 1, .size = {4}},
         "space 's' has to have 1 to 3 dimensions"},
        {{.name = "s", .dimensions_min = 1, .dimensions_max = 4, .size = {4}},
         "space 's' has to have 1 to 3 dimensions"},
        {{.name = "s", .dimensions_min = 3, .dimensions_max = 2, .size = {4}},
         "space 's' has to have 1 to 3 dimensions"},
        {{.name = "s", .dimensions_min = 2, .dimensions_max = 2, .size = {4}},
         "space s is declared with a .size of another number of extents than dimensions: let it have 2, "
         ".size = {NX, NY}, or give --size NXxNY"},
        {{.name = "s", .dimensions_min = 1, .dimensions_max = 1, .size = {4, 4}},
         "space s is declared with a .size of another number of extents than dimensions: let it have 1, .size = {NX}, "
         "or give --size NX"},
        {{.name = "s", .dimensions_min = 2, .dimensions_max = 3, .size = {4}},
         "space s is declared with a .size of another number of extents than dimensions: let it have 2, "
         ".size = {NX, NY}, or give --size NXxNY"},
        {{.name = "s", .dimensions_min = 3, .dimensions_max = 3},
         "space s is declared with no .size: let it have 3, .size = {NX, NY, NZ}, or give --size NXxNYxNZ"},
        {{.name = "s", .dimensions_min = 3, .dimensions_max = 3, .size = {4, -2, 1}},
         "space s: an extent of -2 is not at least 1"},
        {{.name = "s", .dimensions_min = 1, .dimensions_max = 1, .size = {INT32_MAX}},
         "space s: an extent of 2147483647 is beyond what can be addressed"}};
    for (size_t i = 0; i < COUNT(bad); i++)
        EXPECT_REFUSAL(add_space_of(bad[i].s, NULL, 0, e), MASS_BAD_PLUGIN, bad[i].text);
}

Test(model, bad_sizes_are_the_users_to_mend)
{
    static const struct { mass_gidx size[3]; uint32_t dimensions; const char *text; } bad[] = {
        {{5}, 1, "space s has 2 to 3 dimensions and not 1"},
        {{0, 5}, 2, "space s: an extent of 0 is not at least 1"},
        {{5, -1}, 2, "space s: an extent of -1 is not at least 1"},
        {{INT32_MAX - 4095, 1}, 2, "space s: an extent of 2147479552 is beyond what can be addressed"},
        {{INT64_MAX, 1}, 2, "space s: an extent of 9223372036854775807 is beyond what can be addressed"},
        {{1 << 26, 1 << 26}, 2, "space s: so many places are beyond what can be addressed"},
        {{1 << 30, 1 << 30, 1 << 30}, 3, "space s: so many places are beyond what can be addressed"}};
    const mass_space s = {.name = "s", .dimensions_min = 2, .dimensions_max = 3, .size = {4, 4}};
    for (size_t i = 0; i < COUNT(bad); i++)
        EXPECT_REFUSAL(add_space_of(s, bad[i].size, bad[i].dimensions, e), MASS_BAD_USAGE, bad[i].text);
    EXPECT_OK(add_space_of(s, (const mass_gidx[3]){INT32_MAX - 4096, 1, 1}, 2, e));
}

Test(model, there_are_at_most_16_spaces)
{
    mass_model *m = calloc(1, sizeof *m);
    char name[8];
    for (int i = 0; i < MASS_SPACES_MAX; i++) {
        snprintf(name, sizeof name, "s%d", i);
        add_space(m, name, 1, 4);
    }
    const mass_space s = {.name = "more", .dimensions_min = 1, .dimensions_max = 1, .size = {4}};
    EXPECT_REFUSAL(mass_model_add_space(m, &s, NULL, 0, e), MASS_BAD_PLUGIN, "more than 16 spaces are declared");
    discard(m);
}

Test(model, a_model_without_a_space_is_refused)
{
    mass_model *m = calloc(1, sizeof *m);
    EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, "it declares no space");
    discard(m);
}
