/* SPDX-License-Identifier: Apache-2.0 */
/* The picture that a plugin declares: what it draws, and the sentence that every other gets. */
#include "../expect.h"
#include "model_world.h"

#include <math.h>

static const uint32_t palette[] = {0x000000, 0xffffff};

Test(model, a_picture_draws_the_array_of_its_component)
{
    mass_model *m = world();
    EXPECT_OK(mass_model_set_picture(m, &(mass_picture){.space = "grid", .attribute = "flow", .component = 2,
                                             .low = -1, .high = 1, .colours = 2, .palette = palette}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    cr_assert(m->picture.declared && m->picture.attribute == 2 && m->picture.array == 3);
    cr_assert_eq(m->picture.palette[1], 0xffffff);
    discard(m);
    m = world();
    EXPECT_OK(mass_model_set_picture(m, &(mass_picture){.attribute = "colour", .component = 1, .high = 255,
                                             .colours = 2, .palette = palette}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    cr_assert(m->picture.array == 4 && m->picture.component == 1);
    discard(m);
}

Test(model, bad_pictures_are_refused)
{
    static const char colours[] = "the picture needs 2 to 256 colours and low < high";
    static const struct { mass_picture p; const char *text; } bad[] = {
        {{.space = "grid", .attribute = "wealth", .high = 1, .colours = 2, .palette = palette},
         "the picture draws attribute 'wealth', which is not declared before it"},
        {{.space = "plane", .attribute = "health", .high = 1, .colours = 2, .palette = palette},
         "the picture draws attribute 'health', which is not declared before it"},
        {{.space = "grid", .high = 1, .colours = 2, .palette = palette},
         "the picture draws attribute '', which is not declared before it"},
        {{.space = "grid", .attribute = "flow", .component = 3, .high = 1, .colours = 2, .palette = palette},
         "the picture draws component 3 of attribute 'flow', which is not a number there"},
        {{.space = "line", .attribute = "cell", .high = 1, .colours = 2, .palette = palette},
         "the picture draws component 0 of attribute 'cell', which is not a number there"},
        {{.space = "grid", .attribute = "flow", .high = 1, .colours = 1, .palette = palette}, colours},
        {{.space = "grid", .attribute = "flow", .high = 1, .colours = 257, .palette = palette}, colours},
        {{.space = "grid", .attribute = "flow", .high = 1, .colours = 2}, colours},
        {{.space = "grid", .attribute = "flow", .low = 1, .high = 1, .colours = 2, .palette = palette}, colours},
        {{.space = "grid", .attribute = "flow", .high = (double)NAN, .colours = 2, .palette = palette}, colours}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "line", .name = "cell", .type = MASS_STRUCT,
                      .element_size = sizeof(world_cell), .member_count = 3, .members = cell_members}, e));
        EXPECT_REFUSAL(mass_model_set_picture(m, &bad[i].p, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_not(m->picture.declared);
        discard(m);
    }
}
