/* SPDX-License-Identifier: Apache-2.0 */
/* What bodies leave in a launch's note: which accessors they asked, and where they looked, in forms that check, and
 * nothing in others. */
#include "loops.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdbool.h>

#define OUTPUT WRITES(TYPED(out, int64_t))
MASS_STENCIL(asks_nothing, 1, 1, READS(TYPED(in, int64_t)), GIVEN(TYPED(gain, int64_t)), OUTPUT)
{
    OUT(out) = IN(in) + PARAM(gain) * NEAR(in, 1);
}
MASS_MAP(asks_position, OUTPUT) { OUT(out) = AT_X; }
MASS_MAP(asks_size, OUTPUT) { OUT(out) = SIZE_Y; }
MASS_MAP(asks_step, OUTPUT) { OUT(out) = (int64_t)STEP; }
MASS_MAP(asks_random, OUTPUT) { OUT(out) = RANDOM(0).v[0]; }
MASS_MAP(asks_order, OUTPUT) { OUT(out) = (int64_t)SHUFFLED(0, 1, 5); }
MASS_STENCIL(asks_edge, 1, 1, OUTPUT) { OUT(out) = EXISTS(-1); }
MASS_MAP(asks_row, READS(TYPED(in, int64_t)), ITEMS(TYPED(row, int64_t, in)), OUTPUT)
{
    OUT(out) = IN(in) + ITEM(row, 0) + ITEMS_LEFT;
}
MASS_STENCIL(asks_much, 2, 1, OUTPUT) { OUT(out) = SIZE_X - EXISTS(0, 1) + (int64_t)STEP; }
MASS_MAP(asks_by_value, READS(TYPED(in, int64_t)), OUTPUT) { OUT(out) = IN(in) > 0 ? AT_Y : (int64_t)STEP; }

/* What the bodies of one form leave, over arrays of zeros. */
static uint32_t asked_in(const mass_callback *callback, const mass_form *form, bool noted)
{
    const uint64_t random_key = 7;
    const int64_t gain = 2;
    mass_effects note = {.struct_size = sizeof note};
    mass_launch l = launch_of(5, 2, 1, 1);
    l.random_keys = &random_key;
    l.note = noted ? &note : NULL;
    const mass_range all = whole(&l);
    void *fields[3];
    for (uint32_t i = 0; i < callback->field_count; i++)
        fields[i] = callback->fields[i].access == MASS_PARAM ? (void *)&gain : array_of(&l, sizeof(int64_t));
    form->loop(fields, &l, &all);
    for (uint32_t i = 0; i < callback->field_count; i++)
        if (callback->fields[i].access != MASS_PARAM) array_free(&l, fields[i], sizeof(int64_t));
    return note.asked;
}

static void expect(const mass_callback *callback, uint32_t asked)
{
    uint32_t checked = 0;
    for (uint32_t i = 0; i < callback->form_count; i++) {
        if (callback->forms[i].id != MASS_FORM_CHECKED) continue;
        checked++;
        cr_assert_eq(asked_in(callback, &callback->forms[i], true), asked);
        cr_assert_eq(asked_in(callback, &callback->forms[i], false), 0, "there is no note to leave it in");
    }
    cr_assert_gt(checked, 0, "there is a form that checks");
    EACH_FORM(form, *callback) cr_assert_eq(asked_in(callback, form, true), 0, "this form does not check");
}

Test(kernel, bodies_that_know_only_their_fields_leave_no_note) { expect(&asks_nothing, 0); }

Test(kernel, each_accessor_leaves_what_it_asks_for)
{
    expect(&asks_position, MASS_NOTED_POSITION);
    expect(&asks_row, MASS_NOTED_POSITION);
    expect(&asks_size, MASS_NOTED_SIZE);
    expect(&asks_step, MASS_NOTED_STEP);
    expect(&asks_random, MASS_NOTED_RANDOM);
    expect(&asks_order, MASS_NOTED_RANDOM);
    expect(&asks_edge, MASS_NOTED_EXISTS);
    expect(&asks_much, MASS_NOTED_SIZE | MASS_NOTED_STEP | MASS_NOTED_EXISTS);
}

Test(kernel, what_a_body_does_not_come_to_is_not_noted) { expect(&asks_by_value, MASS_NOTED_STEP); }

/* ---- looks ---- */

enum { PITCH = 7, BEFORE = 3 * PITCH, ALL = BEFORE + 5 * PITCH };

MASS_STENCIL(looks_around, 2, 2, READS(TYPED(in, int64_t)), OUTPUT)
{
    OUT(out) = IN(in) + NEAR(in, 1, 0) + (NEAR(in, -2, 1) ? NEAR(in, 0, 2) : 0);
}

/* What bodies leave of their looks, in two worlds, whose elements are all `value`. */
static void find_looks(const mass_form *form, int64_t value, uint8_t *looks)
{
    int64_t in[2 * ALL], out[2 * ALL];
    mass_effects note = {.struct_size = sizeof note, .looks = looks, .looks_from = in,
                      .looks_period = ALL * sizeof(int64_t)};
    mass_launch l = launch_of(1, 1, 1, 2);
    l.world_stride = ALL;
    l.pitch = PITCH;
    l.reach = 2;
    l.note = looks ? &note : NULL;
    const mass_range all = {0, 2, 0, 1};
    for (int i = 0; i < 2 * ALL; i++) in[i] = value;
    form->loop((void *[]){in + BEFORE, out + BEFORE}, &l, &all);
}

static void expect_looks_of(const mass_form *form, int64_t value, bool checks)
{
    uint8_t looks[ALL * sizeof(int64_t)] = {0};
    find_looks(form, value, looks);
    find_looks(form, value, NULL);
    for (int at = 0; at < (int)sizeof looks; at++) {
        const int place = at / (int)sizeof(int64_t) - BEFORE;
        const bool looked = place == 1 || place == PITCH - 2 || (place == 2 * PITCH && value);
        cr_assert_eq(looks[at], checks && looked && at % sizeof(int64_t) == 0, "%d", place);
    }
}

static void expect_looks(int64_t value)
{
    for (uint32_t i = 0; i < looks_around.form_count; i++)
        if (looks_around.forms[i].id == MASS_FORM_CHECKED) expect_looks_of(&looks_around.forms[i], value, true);
    EACH_FORM(form, looks_around) expect_looks_of(form, value, false);
}

Test(kernel, looks_at_other_places_are_noted_where_a_body_comes_to_them)
{
    expect_looks(0);
    expect_looks(5);
}
