/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that depend on the order of places or on earlier calls, or count where they may not, and the sentence that
 * each of them gets. */
#include "../hand_callback.h"
#include "scene.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void expect_ordered(const mass_callback *callback, bool tallies, const char *field, const char *where)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             "field %s, step 7: its value for %s depends on the order in which places are computed", field, where);
    expect_sentence(callback, tallies, sentence);
}

/* A running sum along the row, and one down the column. They show first where the highest bit of x,
 * or of the row's number over both worlds, changes. */
HAND_CALLBACK(runs_along, 2, 0, READ, WRITE, PARAM)
{
    f->second[s->at] = (uint8_t)(f->first[s->at] + (s->x ? f->second[s->at - 1] : 0));
}
HAND_CALLBACK(runs_down, 2, 0, READ, UPDATE, PARAM)
{
    const uint8_t above = s->y ? f->second[s->at - s->launch->pitch] : 0;
    f->second[s->at] = (uint8_t)(f->first[s->at] + above);
}
/* Two places, far from each other. */
HAND_CALLBACK(peeks, 2, 0, READ, UPDATE, PARAM)
{
    const bool peek = s->x == 5 && s->y == 4 && s->world == 1;
    f->second[s->at] ^= peek ? f->second[s->at - 3] : f->first[s->at];
}

Test(paranoid, using_another_places_result_is_refused)
{
    expect_ordered(&runs_along, false, "second", "place (14, 20) of world 5");
    expect_ordered(&runs_down, false, "second", "place (10, 23) of world 6");
    expect_ordered(&peeks, false, "second", "place (15, 24) of world 6");
}

/* The range is no place's business. */
HAND_CALLBACK(sees_range, 2, 0, READ, UPDATE, PARAM) { f->second[s->at] = (uint8_t)(s->range->last_x - s->x); }

Test(paranoid, depending_on_how_the_range_is_cut_is_refused)
{
    expect_ordered(&sees_range, false, "second", "place (10, 20) of world 5");
}

static uint8_t calls;
HAND_CALLBACK(remembers, 2, 0, READ, WRITE, PARAM)
{
    if (s->x == 0 && s->y == 0) calls++;
    f->second[s->at] = (uint8_t)(f->first[s->at] + (s->y == 3 ? calls : 0));
}

Test(paranoid, remembering_earlier_calls_is_refused)
{
    expect_sentence(&remembers, false,
                    "field second, step 7: its value for place (10, 23) of world 5 differs when the same call is "
                    "repeated");
}

/* ---- tallies ---- */

HAND_CALLBACK(reads_tally, 2, 0, READ, WRITE, SUM)
{
    f->second[s->at] = (uint8_t)(f->first[s->at] + (f->third[s->world] == 12));
    f->third[s->world]++;
}
HAND_CALLBACK(sets_tally, 2, 0, READ, UPDATE, SUM) { f->third[s->world] = f->first[s->at]; }

Test(paranoid, using_a_tally_is_refused)
{
    expect_ordered(&reads_tally, true, "second", "place (10, 20) of world 6");
}

Test(paranoid, setting_a_tally_is_refused)
{
    expect_ordered(&sets_tally, true, "third", "world 6");
}

HAND_CALLBACK(always_counts, 2, 0, READ, UPDATE, SUM) { f->third[s->world] += f->first[s->at] + 1; }

Test(paranoid, counting_where_tallies_do_not_count_is_refused)
{
    expect_sentence(&always_counts, false,
                    "field third, step 7: it is added to for world 5 in the form without tallies");
}

/* ---- gates ---- */

HAND_CALLBACK(ignores_gates, 2, 0, READ, WRITE, SUM) { f->second[s->at] = f->first[s->at]; }

Test(paranoid, writing_a_closed_world_is_refused)
{
    expect_refusal_with_closed_world(&ignores_gates, "field second, step 7: it is written at place (10, 20) of world "
                                                     "6, whose gate is closed");
}

Test(paranoid, counting_in_a_closed_world_is_refused)
{
    expect_refusal_with_closed_world(&always_counts,
                                     "field third, step 7: it is added to for world 6, whose gate is closed");
}

/* ---- what another form of the same body comes to ---- */

HAND_CALLBACK(one_way, 2, 0, READ, WRITE, PARAM) { f->second[s->at] = f->first[s->at]; }
HAND_CALLBACK(another_way, 2, 0, READ, WRITE, PARAM)
{
    f->second[s->at] = (uint8_t)(f->first[s->at] + (s->x == 3 && s->y == 2));
}
static const mass_form ways[] = {
    {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, one_way_loop, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, one_way_loop, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_CHECKED, 0, 0, another_way_loop, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_CHECKED, 0, MASS_FORM_TALLIES, another_way_loop, NULL, 1, 1, 1, 0}};
static const mass_callback two_ways = {sizeof(mass_callback), MASS_OVER_PLACES, "two_ways", 2, 0, 3, sizeof(mass_field),
                                       one_way_reflection, 4, sizeof(mass_form), ways, 0, NULL, 0, NULL,
                                       NULL, 0, 0};

Test(paranoid, forms_that_come_to_other_results_are_refused)
{
    (void)one_way, (void)another_way;
    expect_sentence(&two_ways, false, "field second, step 7: its value for place (13, 22) of world 5 differs if "
                    "the callback is compiled in another way: a variable may be used without a value");
}
