/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of models that do not match are refused by the first difference. */
#include "folder.h"
#include "models.h"
#include "refused.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <stdio.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

Test(checkpoint, of_another_plugin_is_refused)
{
    mass_model was = small_model(), is = small_model();
    mass_snapshot s = filled(&was, 1, 100);
    snprintf(is.plugin, sizeof is.plugin, "heat");
    assert_no_match(&s, is, "was written by plugin life");
    mass_snapshot_free(&s);
    mass_model_free(&was);
}

Test(checkpoint, of_another_schema_is_refused_by_the_first_difference)
{
    mass_model was = small_model(), is = small_model();
    mass_snapshot s = filled(&was, 1, 100);
    is.attributes[0].type = MASS_I8;
    assert_no_match(&s, is, "attribute 'health' of space 'grid' was u8[1] and now is i8[1]");
    is = small_model();
    add_attribute(&is, "grid", "age", MASS_U8, 1);
    assert_no_match(&s, is, "no attribute 'age'");
    is = small_model();
    is.spaces[0].size[0] = 13;
    assert_no_match(&s, is, "the size 12x5x1 and now has 13x5x1");
    is = small_model();
    is.spaces[0].torus = 0;
    assert_no_match(&s, is, "wrapped");
    is = small_model();
    is.tallies[0].access = MASS_MAX;
    assert_no_match(&s, is, "tally 'population' was of another kind");
    is = empty_model();
    add_space(&is, "grid", 2, 12, 5, 0);
    assert_no_match(&s, is, "attribute 'health' that the plugin does not have");
    mass_snapshot_free(&s);
    mass_model_free(&was);
}
