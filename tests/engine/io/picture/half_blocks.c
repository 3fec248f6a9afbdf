/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels as text: which characters and colours come out. */
#include "io/picture/half_blocks.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static char *draw(mass_ink kind, const uint32_t (*pixels)[2], size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    mass_pen pen = mass_pen_begin(to, kind);
    for (size_t i = 0; i < count; i++) mass_pen_put(&pen, pixels[i][0], pixels[i][1]);
    mass_pen_end(&pen);
    fclose(to);
    return text;
}

static void expect(mass_ink kind, const uint32_t (*pixels)[2], size_t count, const char *wanted)
{
    char *text = draw(kind, pixels, count);
    cr_expect_str_eq(text, wanted);
    free(text);
}

#define NONE MASS_NO_PIXEL

Test(half_blocks, a_character_is_two_pixels)
{
    static const uint32_t pixels[][2] = {{NONE, NONE}, {1, NONE}, {NONE, 1}, {1, 1}, {1, 2}};
    expect(MASS_INK_PLAIN, pixels, 5, " \u2580\u2584\u2588\u2588");
}

Test(half_blocks, colours_come_where_they_change)
{
    static const uint32_t pixels[][2] = {{0x010203, 0x010203}, {0x010203, 0x010203}, {0x010203, 0x0000ff},
                                         {0x010203, NONE}, {NONE, NONE}};
    expect(MASS_INK_FULL, pixels, 5, "\033[38;2;1;2;3m\u2588\u2588\033[48;2;0;0;255m\u2580\033[49m\u2580 \033[0m");
    expect(MASS_INK_256, pixels + 2, 1, "\033[38;5;16m\033[48;5;21m\u2580\033[0m");
    static const uint32_t theme[][2] = {{6, 3}, {3, NONE}};
    expect(MASS_INK_THEME, theme, 2, "\033[36m\033[43m\u2580\033[33m\033[49m\u2580\033[0m");
}

/* ---- 256 colours ---- */

static int distance(uint32_t a, uint32_t b)
{
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const int difference = (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);
        sum += difference * difference;
    }
    return sum;
}

/* As xterm defines them. */
static uint32_t colour_of(int number)
{
    static const uint32_t level[6] = {0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff};
    const int cube = number - 16;
    if (number >= 232) return (uint32_t)(8 + 10 * (number - 232)) * 0x010101;
    return level[cube / 36] << 16 | level[cube / 6 % 6] << 8 | level[cube % 6];
}

Test(half_blocks, no_other_of_256_colours_is_nearer)
{
    for (uint32_t i = 0; i < 20000; i++) {
        const uint32_t colour = i * 2654435761u >> 8;
        const int number = mass_ink_nearest(colour), found = distance(colour, colour_of(number));
        cr_assert(number >= 16 && number <= 255);
        for (int other = 16; other <= 255; other++)
            cr_assert_leq(found, distance(colour, colour_of(other)), "%06x: %d is nearer than %d", colour, other,
                          number);
    }
}
