/* SPDX-License-Identifier: Apache-2.0 */
/* Integer sums of CPU loops: bytes add up apart from other integers, in variables too narrow for a whole row. */
#include "loops.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>

enum { REPEATS = 300, WORLDS = 2 };

MASS_MAP(sums, READS(TYPED(byte, uint8_t)), SUMS(TYPED(bytes, int64_t), TYPED(many, int64_t), TYPED(mixed, int64_t)))
{
    ADD(bytes, IN(byte));
    for (int i = 0; i < REPEATS; i++) ADD(many, IN(byte));
    ADD(mixed, IN(byte));
    ADD(mixed, -IN(byte) * 1000);
    ADD(mixed, INT64_MAX);
}

MASS_MAP(changes, READS(TYPED(byte, uint8_t)), SUMS(TYPED(became, int64_t), TYPED(some, int64_t)))
{
    const uint8_t v = IN(byte), other = (uint8_t)(v >> 1);
    const bool is_odd = v & 1;
    ADD_UNLESS(became, v, other);
    if (v & 4) ADD_UNLESS(some, other, is_odd);
}

/* Rows end before, at and behind where a narrow variable is full, if all bytes are 255. */
Test(kernel, sums_of_bytes_and_of_others_are_those_of_a_plain_loop)
{
    static const int widths[] = {1, 255, 256, 257, 258, 700, 3001};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const mass_launch l = launch_of(widths[i], 2, 1, WORLDS);
        const mass_range all = whole(&l);
        uint8_t *const byte = array_of(&l, sizeof *byte);
        int64_t total[WORLDS] = {0}, places = (int64_t)l.extent[0] * l.extent[1];
        scramble(&l, byte, sizeof *byte, 3);
        EACH_PLACE(&l, w, z, y, x) {
            uint8_t *const b = &byte[place_at(&l, w, z, y, x)];
            if (w == 0) *b = 255;
            total[w] += *b;
        }
        EACH_FORM(form, sums) {
            if (!(form->flags & MASS_FORM_TALLIES)) continue;
            int64_t bytes[WORLDS] = {5, 6}, many[WORLDS] = {0}, mixed[WORLDS] = {0};
            const void *const fields[] = {byte, bytes, many, mixed};
            form->loop(fields, &l, &all);
            for (int w = 0; w < WORLDS; w++) {
                const uint64_t most = (uint64_t)places * (uint64_t)INT64_MAX; /* wraps */
                cr_assert_eq(bytes[w], total[w] + 5 + w, "width %d, instruction set %u", widths[i], form->isa);
                cr_assert_eq(many[w], REPEATS * total[w], "width %d, instruction set %u", widths[i], form->isa);
                cr_assert_eq((uint64_t)mixed[w], most - 999 * (uint64_t)total[w], "width %d, instruction set %u",
                             widths[i], form->isa);
            }
        }
        array_free(&l, byte, sizeof *byte);
    }
}

/* Of values other than 0 and 1 it is the lowest bits that count. */
Test(kernel, adds_what_is_unless_another_is)
{
    const mass_launch l = launch_of(700, 3, 1, 1);
    const mass_range all = whole(&l);
    uint8_t *const byte = array_of(&l, sizeof *byte);
    int64_t became = 0, some = 0;
    scramble(&l, byte, sizeof *byte, 3);
    EACH_PLACE(&l, w, z, y, x) {
        const int v = byte[place_at(&l, w, z, y, x)];
        became += v % 2 == 1 && v / 2 % 2 == 0;
        some += v / 4 % 2 == 1 && v / 2 % 2 == 1 && v % 2 == 0;
    }
    EACH_FORM(form, changes) {
        if (!(form->flags & MASS_FORM_TALLIES)) continue;
        int64_t out[] = {1, 2};
        const void *const fields[] = {byte, &out[0], &out[1]};
        form->loop(fields, &l, &all);
        cr_assert_eq(out[0], became + 1, "instruction set %u", form->isa);
        cr_assert_eq(out[1], some + 2, "instruction set %u", form->isa);
    }
    array_free(&l, byte, sizeof *byte);
}
