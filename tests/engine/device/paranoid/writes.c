/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that write what they may not, or leave a place unwritten, and the sentence that each of them gets. */
#include "../hand_callback.h"
#include "scene.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdio.h>


MASS_MAP(changes_input, READS(TYPED(from, uint8_t, a), TYPED(other, uint8_t, b)), WRITES(TYPED(next, uint8_t, a)))
{
    OUT(next) = IN(from);
    if (AT_X == 13 && AT_Y == 22) *(uint8_t *)(uintptr_t)mass_w->in_other ^= 1;
}

Test(paranoid, changing_an_input_is_refused)
{
    expect_sentence(&changes_input, false,
                    "field other, step 7: it is in READS, but is written at place (13, 22) of world 5");
}

HAND_CALLBACK(unwritten_place, 2, 0, READ, WRITE, PARAM)
{
    if (s->x != 3 || s->y != 2 || s->world != 1) f->second[s->at] = f->first[s->at];
}

Test(paranoid, a_place_left_unwritten_is_refused)
{
    expect_sentence(&unwritten_place, false,
                    "field second, step 7: it is in WRITES, but is left unwritten at place (13, 22) of world 6");
}

/* A neighbour on either side, written by one place only. */
#define WRITES_OUTSIDE(NAME, OFFSET)                                                   \
    HAND_CALLBACK(NAME, 2, 0, READ, WRITE, PARAM)                                      \
    {                                                                                  \
        f->second[s->at] = f->first[s->at];                                            \
        if (s->x == 2 && s->y == 2 && s->world == 0) f->second[s->at + (OFFSET)] = 99; \
    }
WRITES_OUTSIDE(outside_right, 1)
WRITES_OUTSIDE(outside_left, -1)
WRITES_OUTSIDE(outside_two, 2)
WRITES_OUTSIDE(outside_down, s->launch->pitch)
WRITES_OUTSIDE(outside_up, -s->launch->pitch)
WRITES_OUTSIDE(outside_world, s->launch->world_stride)
WRITES_OUTSIDE(outside_ghost, -3)
WRITES_OUTSIDE(outside_padding, -5 - s->launch->pitch * 4)
WRITES_OUTSIDE(outside_out, -2 - 2 * s->launch->pitch - 64 - 2 * s->launch->pitch - 1)

Test(paranoid, writing_another_place_is_refused)
{
    static const struct { const mass_callback *callback; const char *place; } cases[] = {
        {&outside_right, "place (13, 22) of world 5"}, {&outside_left, "place (11, 22) of world 5"},
        {&outside_two, "place (14, 22) of world 5"},   {&outside_down, "place (12, 23) of world 5"},
        {&outside_up, "place (12, 21) of world 5"},    {&outside_world, "place (12, 22) of world 6"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "field second, step 7: it is written at %s by a call for other places",
                 cases[i].place);
        expect_sentence(cases[i].callback, false, sentence);
    }
}

Test(paranoid, writing_a_ghost_or_padding_is_refused)
{
    expect_sentence(&outside_ghost, false,
                    "field second, step 7: it is written outside the partition, at (9, 22) of world 5");
    expect_sentence(&outside_padding, false,
                    "field second, step 7: it is written outside the partition, at (7, 18) of world 5");
}

Test(paranoid, writing_before_the_array_is_refused)
{
    expect_sentence(&outside_out, false, "field second, step 7: it is written outside its array");
}

WRITES_OUTSIDE(outside_layers, -6 * s->launch->pitch)

/* Wide rows, so that two of them are more than any fixed guard. */
Test(paranoid, writing_two_layers_before_the_ghosts_is_refused)
{
    scene s = make_scene(&outside_layers, 3000, 5, 1, 1);
    expect_refusal(&s, false, "field second, step 7: it is written outside its array");
    free_scene(&s);
}

HAND_CALLBACK(outside_beyond, 1, 0, READ, WRITE, PARAM)
{
    f->second[s->at] = f->first[s->at];
    if (s->x == 0 && s->world == 1) f->second[s->at + s->launch->world_stride] = 99;
}

Test(paranoid, writing_a_world_that_is_not_there_is_refused)
{
    scene s = make_scene(&outside_beyond, 6, 1, 1, 2);
    expect_refusal(&s, false, "field second, step 7: it is written outside the partition, at (10) of world 7");
    free_scene(&s);
}

HAND_CALLBACK(writes_param, 2, 0, READ, UPDATE, PARAM) { f->third[1] = f->first[s->at]; }

Test(paranoid, writing_a_parameter_is_refused)
{
    expect_sentence(&writes_param, false, "field third, step 7: it is in GIVEN, but is written for world 6");
}

HAND_CALLBACK(writes_keys, 2, 0, READ, UPDATE, PARAM)
{
    (void)f;
    *(uint64_t *)(uintptr_t)s->launch->random_keys = 0;
}
HAND_CALLBACK(writes_record, 2, 0, READ, UPDATE, PARAM)
{
    (void)f;
    ((mass_launch *)(uintptr_t)s->launch)->step++;
}
HAND_CALLBACK(writes_pointers, 2, 0, READ, UPDATE, PARAM)
{
    (void)s;
    ((hand_fields *)(uintptr_t)f)->second++;
}

Test(paranoid, writing_what_the_engine_lends_is_refused)
{
    expect_sentence(&writes_keys, false, "step 7: it writes to the random keys, which it may only read");
    expect_sentence(&writes_record, false, "step 7: it writes to the launch record, which it may only read");
    expect_sentence(&writes_pointers, false, "step 7: it writes to the struct of pointers, which it may only read");
}

/* ---- elements that are structs ---- */

typedef struct pair { uint16_t low, high; } pair;

static void write_half(const void *fields, const mass_launch *l, const mass_range *range)
{
    pair *const next = *(pair *const *)fields;
    for (int64_t row = range->first_row; row < range->last_row; row++)
        for (mass_lidx x = range->first_x; x < range->last_x; x++) {
            const int64_t y = row % l->extent[1], world = row / l->extent[1];
            pair *const own = &next[world * l->world_stride + y * l->pitch + x];
            own->low = 3;
            if (x != 4 || y != 1) own->high = 4;
        }
}
static const mass_field half_fields[] = {{"next", "a", MASS_WRITE, MASS_STRUCT, sizeof(pair), 0}};
static const mass_form half_forms[] = {
    {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, write_half, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, write_half, NULL, 1, 1, 1, 0}};
static const mass_callback half = {sizeof(mass_callback), MASS_OVER_PLACES, "half", 2, 0, 1,
                                   sizeof(mass_field), half_fields, 2, sizeof(mass_form), half_forms, 0, NULL, 0, NULL,
                                   NULL, 0, 0};

Test(paranoid, an_element_written_in_part_is_refused)
{
    expect_sentence(&half, false,
                    "field next, step 7: it is in WRITES, but is left unwritten at place (14, 21) of world 5");
}
