/* SPDX-License-Identifier: Apache-2.0 */
/* What accessors leave in a launch's note, and that they do so only in forms that tell. */
#include <mass/note.h>

#include <criterion/criterion.h>

Test(note, takes_what_is_asked_for)
{
    mass_note note = {.struct_size = sizeof note};
    const mass_launch launch = {.struct_size = sizeof launch, .note = &note};
    mass_note_asked(&launch, 1, MASS_NOTED_STEP);
    cr_assert_eq(note.asked, MASS_NOTED_STEP);
    mass_note_asked(&launch, 1, MASS_NOTED_STEP | MASS_NOTED_EXISTS);
    mass_note_asked(&launch, 1, MASS_NOTED_POSITION);
    cr_assert_eq(note.asked, MASS_NOTED_STEP | MASS_NOTED_EXISTS | MASS_NOTED_POSITION);
}

Test(note, is_left_alone_by_ordinary_forms_and_where_there_is_none)
{
    mass_note note = {.struct_size = sizeof note};
    const mass_launch with = {.struct_size = sizeof with, .note = &note}, without = {.struct_size = sizeof without};
    mass_note_asked(&with, 0, MASS_NOTED_RANDOM);
    mass_note_asked(&without, 1, MASS_NOTED_RANDOM);
    cr_assert_eq(note.asked, 0);
}
