/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that read what they may not, each in one way, and the sentence that each of them gets. */
#include "../hand_callback.h"
#include "scene.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdio.h>

#define TO READS(TYPED(from, uint8_t, a), TYPED(other, uint8_t, b)), WRITES(TYPED(next, uint8_t, a))

/* Offsets in variables: literal ones are refused before they run. */
#define FAR(NAME, DIMENSIONS, RADIUS, X, Y, Z)                             \
    MASS_STENCIL(NAME, DIMENSIONS, RADIUS, TO)                             \
    {                                                                      \
        const int x = X, y = Y, z = Z;                                     \
        OUT(next) = (uint8_t)(IN(from) + NEAR(from, x, y, z) + IN(other)); \
    }
FAR(far_left, 2, 1, -2, 0, 0)
FAR(far_right, 2, 1, 2, 0, 0)
FAR(far_up, 2, 1, 0, -2, 0)
FAR(far_down, 2, 1, 0, 2, 0)
FAR(farther_down, 2, 2, 0, 3, 0)
FAR(far_line, 1, 1, 2, 0, 0)
FAR(far_back, 3, 1, 0, -2, 0)
FAR(far_ahead, 3, 1, 0, 2, 0)
FAR(far_above, 3, 1, 0, 0, -2)
FAR(far_below, 3, 1, 0, 0, 2)

/* That field `read` is read so, to compute field `written` there; it lives until the next call. */
static const char *sentence_of(const char *read, const char *how, const char *written, const char *where)
{
    static char text[256];
    snprintf(text, sizeof text, "field %s, step 7: it is read %s, to compute field %s for %s", read, how, written,
             where);
    return text;
}

/* At the first place, of world 5. */
static void expect_far(scene s, const char *place, const char *offset, int radius)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence, "step 7: at place %s of world 5 it reads the place %s away, which is farther "
             "than %d, its radius", place, offset, radius);
    expect_refusal(&s, false, sentence);
    free_scene(&s);
}

Test(paranoid, reading_beyond_the_radius_is_refused_in_every_direction)
{
    expect_far(make_scene(&far_left, 6, 5, 1, 2), "(10, 20)", "(-2, 0)", 1);
    expect_far(make_scene(&far_right, 6, 5, 1, 2), "(10, 20)", "(2, 0)", 1);
    expect_far(make_scene(&far_up, 6, 5, 1, 2), "(10, 20)", "(0, -2)", 1);
    expect_far(make_scene(&far_down, 6, 5, 1, 2), "(10, 20)", "(0, 2)", 1);
    expect_far(make_scene(&farther_down, 6, 5, 1, 2), "(10, 20)", "(0, 3)", 2);
}

Test(paranoid, reading_beyond_the_radius_is_refused_in_one_and_three_dimensions)
{
    expect_far(make_scene(&far_line, 300, 1, 1, 1), "(10)", "(2)", 1);
    expect_far(make_scene(&far_above, 4, 3, 5, 1), "(10, 20, 30)", "(0, 0, -2)", 1);
    expect_far(make_scene(&far_below, 4, 3, 5, 1), "(10, 20, 30)", "(0, 0, 2)", 1);
}

/* Where no layer lies between the ghosts of two planes. */
Test(paranoid, reading_the_ghosts_of_another_plane_is_refused)
{
    expect_far(make_ghosted(&far_back, 4, 3, 5, 1, 1), "(10, 20, 30)", "(0, -2, 0)", 1);
    expect_far(make_ghosted(&far_ahead, 4, 3, 5, 1, 1), "(10, 20, 30)", "(0, 2, 0)", 1);
}

/* Ghosts as deep as another callback's radius are not this one's to read. */
MASS_MAP(map_with_neighbour, TO) { OUT(next) = (uint8_t)(IN(from) ^ mass_w->in_other[1]); }

Test(paranoid, a_map_that_reads_a_neighbour_is_refused)
{
    expect_sentence(&map_with_neighbour, false,
                    sentence_of("other", "elsewhere than at the own place", "next", "place (15, 20) of world 5"));
}

/* One place only, at an edge, and the lowest bit only. */
MASS_STENCIL(far_once, 2, 1, TO)
{
    const int two = 2;
    OUT(next) = AT_X == 12 && AT_Y == 24 ? NEAR(other, 0, two) & 1 : IN(from);
}

Test(paranoid, one_bit_of_one_place_read_beyond_the_radius_is_refused)
{
    expect_sentence(&far_once, false, "step 7: at place (12, 24) of world 5 it reads the place (0, 2) away, which is "
                    "farther than 1, its radius");
}

HAND_CALLBACK(next_world, 2, 1, READ, WRITE, PARAM)
{
    if (s->launch->gates[s->world]) return;
    f->second[s->at] = f->first[s->at + (s->world ? 0 : s->launch->world_stride)];
}

Test(paranoid, reading_a_closed_world_is_refused)
{
    expect_refusal_with_closed_world(&next_world, sentence_of("first", "farther than 1 away", "second",
                                                              "place (10, 20) of world 5"));
}

HAND_CALLBACK(reads_output, 2, 1, READ, WRITE, PARAM) { f->second[s->at] ^= f->first[s->at]; }

Test(paranoid, reading_an_output_before_it_is_written_is_refused)
{
    expect_sentence(&reads_output, false,
                    sentence_of("second", "before it is written", "second", "place (10, 20) of world 5"));
}

HAND_CALLBACK(reads_beside_update, 2, 1, UPDATE, WRITE, PARAM) { f->second[s->at] = f->first[s->at - 1]; }

Test(paranoid, reading_an_update_field_elsewhere_is_refused)
{
    expect_sentence(&reads_beside_update, false,
                    sentence_of("first", "elsewhere than at the own place", "second", "place (10, 20) of world 5"));
}

HAND_CALLBACK(reads_next_param, 2, 0, READ, WRITE, PARAM)
{
    f->second[s->at] = (uint8_t)(f->first[s->at] + f->third[s->world + 1]);
}

Test(paranoid, reading_a_parameter_of_a_world_that_is_not_there_is_refused)
{
    expect_sentence(&reads_next_param, false,
                    sentence_of("third", "outside its array", "second", "place (10, 20) of world 6"));
}

HAND_CALLBACK(counts_poison, 2, 0, READ, UPDATE, SUM) { *(&f->third[s->world]) += f->first[s->at + 1]; }

Test(paranoid, poison_in_a_tally_is_noticed)
{
    expect_sentence(&counts_poison, true, sentence_of("first", "elsewhere than at the own place", "third", "world 5"));
}
