/* SPDX-License-Identifier: Apache-2.0 */
/* What a table gives its agents, the start does not overwrite: a callback that does nothing else is left out, and one
 * that does more is refused. */
#include "brim.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const char *const sums = "--tally m='sum(ants.mood)' --tally a='sum(ants.age)' --tally s='sum(ants.size)' "
                                "--tally g='sum(ants.grown)'";

static const char *with_table(const char *content)
{
    const char *path = text("%s/ants.csv", folder_make());
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(content, file);
    fclose(file);
    return text("--plugin '%s/brim.so' --seed 3 --steps 1 --set ants_table='%s' %s", MASS_TEST_PLUGINS, path, sums);
}

static void expect_table(const char *content, int64_t mood, int64_t age, int64_t size, int64_t grown)
{
    for (int p = 0; p < brim_place_count; p++) {
        outcome o = engine_run(text("%s %s", with_table(content), brim_places[p]));
        cr_expect_eq(tally_of(&o, "m"), mood, "mood: %s", content);
        cr_expect_eq(tally_of(&o, "a"), age, "age: %s", content);
        cr_expect_eq(tally_of(&o, "s"), size, "size: %s", content);
        cr_expect_eq(tally_of(&o, "g"), grown, "grown: %s", content);
        outcome_free(&o);
    }
}

Test(brim, columns_of_a_table_stay)
{
    expect_table("x,y\n1,1\n2,2\n", 2, 10, 12, 212);
    expect_table("x,y,mood\n1,1,3\n2,2,2\n", 5, 10, 12, 212);
    expect_table("x,y,mood,age,size\n1,1,3,40,50\n2,2,0,1,2\n", 3, 41, 52, 252);
    expect_table("x,y,grown\n1,1,-7\n2,2,0\n", 2, 10, 12, -7);
}

Test(brim, columns_that_the_start_would_overwrite_in_part_are_refused)
{
    engine_refuse(with_table("x,y,age\n1,1,4\n"), 2, "ants.csv: column age: callback brim_age of the start would "
                  "overwrite it, and writes size too, so that it cannot be left out: give that a column, too");
    engine_refuse(with_table("x,y,mood,size\n1,1,1,4\n"), 2, "column size: callback brim_age of the start");
}
