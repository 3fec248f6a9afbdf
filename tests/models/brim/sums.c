/* SPDX-License-Identifier: Apache-2.0 */
/* A sum in fixed point is none where it would not be right, wherever and however it is gathered; integers wrap as they
 * always did. */
#include "brim.h"
#include "run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const char *const single[] = {"places", "agents", "residents", "bits"};

static const char *brim(const char *options)
{
    return text("--plugin '%s/brim.so' --seed 3 %s", MASS_TEST_PLUGINS, options);
}

static const json_t *found(const outcome *o, const char *tally)
{
    const json_t *value = json_object_get(json_object_get(o->report, "tallies"), tally);
    cr_assert_not_null(value, "%s", tally);
    return value;
}

static void expect_value(const outcome *o, const char *tally, double value, const char *options)
{
    const json_t *got = found(o, tally);
    if (isnan(value)) cr_expect(json_is_null(got), "%s of %s is not none", tally, options);
    else cr_expect(json_is_number(got) && json_number_value(got) == value, "%s of %s: %g is not %g", tally, options,
                   json_number_value(got), value);
}

/* 1,024 places and agents, in units of 2^-10: 2^41 of each make 2^61 units, and sums end before 2^62. */
static void expect_sums(const char *options, double value)
{
    for (int p = 0; p < brim_place_count; p++) {
        const char *all = brim(text("%s %s", options, brim_places[p]));
        outcome o = engine_run(all);
        for (size_t i = 0; i < sizeof single / sizeof *single; i++) expect_value(&o, single[i], value, all);
        outcome_free(&o);
    }
}

Test(brim, sums_are_right_up_to_their_end_and_none_beyond)
{
    expect_sums("--set value=0x1p41", 0x1p51);
    expect_sums("--set value=-0x1p41", -0x1p51);
    expect_sums("--set value=-0x1p42", -0x1p52);
    expect_sums("--set value=0x1p42", NAN);
    expect_sums("--set value=0x1p43", NAN); /* 2^63 units */
    expect_sums("--set value=0x1p44", NAN); /* 2^64: nothing, modulo that */
    expect_sums("--set value=0x1p51", NAN); /* 2^61 each */
    expect_sums("--set value=-0x1p51", NAN);
    expect_sums("--set value=1e300", NAN);
}

Test(brim, what_does_not_fit_makes_a_sum_none)
{
    static const char *const kinds[] = {"nan", "plus", "minus"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        expect_sums(text("--set kind=%s --set value=-0x1p41", kinds[i]), NAN);
        expect_sums(text("--set kind=%s --set value=0x1p41", kinds[i]), NAN);
    }
}

Test(brim, bins_that_are_none_leave_the_others)
{
    for (int p = 0; p < brim_place_count; p++) {
        outcome o = engine_run(brim(text("--set kind=plus %s", brim_places[p])));
        const json_t *bins = found(&o, "parts");
        cr_expect(json_is_null(json_array_get(bins, 0)));
        cr_expect_eq(json_number_value(json_array_get(bins, 1)), 336, "21 columns of 16");
        cr_expect_eq(json_number_value(json_array_get(bins, 2)), 336, "21 columns of 16");
        outcome_free(&o);
    }
}

Test(brim, a_sum_from_the_beginning_on_stays_none)
{
    static const struct { int steps; double ever; } all[] = {{3, 0x3p50}, {4, NAN}, {16, NAN}};
    for (int p = 0; p < brim_place_count; p++)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            const char *options = brim(text("--set value=0x1p40 --steps %d %s", all[i].steps, brim_places[p]));
            outcome o = engine_run(options);
            expect_value(&o, "ever", all[i].ever, options);
            expect_value(&o, "places", 0x1p50, options);
            outcome_free(&o);
        }
}

Test(brim, none_goes_into_checkpoints_and_back_and_is_the_same_state_everywhere)
{
    const char *folder = folder_make(), *hash = NULL;
    for (int p = 0; p < brim_place_count; p++) {
        folder_empty(folder);
        engine_write(brim(text("--set value=0x1p40 --steps 5 --checkpoint '%s' %s", folder, brim_places[p])));
        const char *options = text("--resume '%s' --plugin '%s/brim.so' --steps 9 %s", folder, MASS_TEST_PLUGINS,
                                   brim_places[(p + 1) % brim_place_count]);
        outcome o = engine_run(options);
        expect_value(&o, "ever", NAN, options);
        if (hash) cr_expect_str_eq(o.hash, hash);
        hash = text("%s", o.hash);
        outcome_free(&o);
    }
}

Test(brim, no_condition_holds_of_none_and_series_leave_it_out)
{
    const char *folder = folder_make();
    outcome o = engine_run(brim(text("--set value=0x1p43 --steps 4 --until 'places > 0 || places < 1 || ever >= 0' "
                                     "--log places --log count --series '%s/s.csv'", folder)));
    cr_expect(json_is_false(json_object_get(o.report, "held")), "a condition of none holds");
    outcome_free(&o);
    char row[100], last[100] = "";
    FILE *file = fopen(text("%s/s.csv", folder), "r");
    cr_assert_not_null(file);
    while (fgets(row, sizeof row, file)) strcpy(last, row);
    fclose(file);
    cr_expect_eq(strncmp(last, "4,,", 3), 0, "%s", last);
}

Test(brim, integers_wrap)
{
    static const struct { const char *value; int64_t count; } all[] = {
        {"0x1p42", INT64_C(1) << 62}, {"0x1p43", INT64_MIN}, {"0x1p44", 0}, {"-0x3p42", INT64_C(1) << 62}};
    for (int p = 0; p < brim_place_count; p++)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            outcome o = engine_run(brim(text("--set value=%s %s", all[i].value, brim_places[p])));
            cr_expect_eq(tally_of(&o, "count"), all[i].count, "%s %s", all[i].value, brim_places[p]);
            outcome_free(&o);
        }
}
