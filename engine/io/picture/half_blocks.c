/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/half_blocks.h"

#include <stdbool.h>

static int square(int number) { return number * number; }

/* Returns the squared distance between two colours. */
static int distance(uint32_t rgb, int red, int green, int blue)
{
    return square((int)(rgb >> 16 & 0xff) - red) + square((int)(rgb >> 8 & 0xff) - green) +
           square((int)(rgb & 0xff) - blue);
}

/* Colours 16 to 231 are a cube of six levels for each channel; those from 232 on are grey. */
int mass_ink_nearest(uint32_t rgb)
{
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    int at[3], sum = 0;
    for (int channel = 0; channel < 3; channel++) {
        const int value = (int)(rgb >> (16 - 8 * channel) & 0xff);
        at[channel] = value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
        sum += value;
    }
    const int nearest = (sum / 3 - 3) / 10, step = nearest < 0 ? 0 : nearest > 23 ? 23 : nearest, grey = 8 + 10 * step;
    const int of_cube = distance(rgb, level[at[0]], level[at[1]], level[at[2]]);
    return distance(rgb, grey, grey, grey) < of_cube ? 232 + step : 16 + 36 * at[0] + 6 * at[1] + at[2];
}

/* Sets a colour of the kind that the terminal has; MASS_NO_PIXEL: the terminal's own. layer: 3 for ink, 4 for paper. */
static void choose(const mass_pen *p, int layer, uint32_t colour)
{
    if (colour == MASS_NO_PIXEL) fprintf(p->to, "\033[%d9m", layer);
    else if (p->kind == MASS_INK_THEME) fprintf(p->to, "\033[%d%um", layer, (unsigned)colour);
    else if (p->kind == MASS_INK_256) fprintf(p->to, "\033[%d8;5;%dm", layer, mass_ink_nearest(colour));
    else
        fprintf(p->to, "\033[%d8;2;%u;%u;%um", layer, (unsigned)(colour >> 16 & 0xff), (unsigned)(colour >> 8 & 0xff),
                (unsigned)(colour & 0xff));
}

void mass_pen_put(mass_pen *p, uint32_t top, uint32_t bottom)
{
    const bool both = top != MASS_NO_PIXEL && bottom != MASS_NO_PIXEL;
    const bool one_colour = both && (top == bottom || p->kind == MASS_INK_PLAIN);
    const uint32_t ink = top != MASS_NO_PIXEL ? top : bottom, paper = both && !one_colour ? bottom : MASS_NO_PIXEL;
    if (p->kind != MASS_INK_PLAIN) {
        if (ink != MASS_NO_PIXEL && ink != p->ink) choose(p, 3, p->ink = ink);
        if (paper != p->paper) choose(p, 4, p->paper = paper);
    }
    fputs(ink == MASS_NO_PIXEL ? " " : one_colour ? "\u2588" : top != MASS_NO_PIXEL ? "\u2580" : "\u2584", p->to);
}

void mass_pen_text(mass_pen *p, uint32_t ink, const char *text)
{
    if (p->kind != MASS_INK_PLAIN && ink != p->ink) choose(p, 3, p->ink = ink);
    if (p->kind != MASS_INK_PLAIN && p->paper != MASS_NO_PIXEL) choose(p, 4, p->paper = MASS_NO_PIXEL);
    fputs(text, p->to);
}

void mass_pen_end(mass_pen *p)
{
    if (p->ink != MASS_NO_PIXEL || p->paper != MASS_NO_PIXEL) fputs("\033[0m", p->to);
    *p = mass_pen_begin(p->to, p->kind);
}
