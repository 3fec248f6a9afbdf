/* SPDX-License-Identifier: Apache-2.0 */
/* Prints pixels as text: a half-block character shows two pixels, one above the other. */
#ifndef MASS_ENGINE_IO_PICTURE_HALF_BLOCKS_H
#define MASS_ENGINE_IO_PICTURE_HALF_BLOCKS_H

#include <stdint.h>
#include <stdio.h>

typedef enum mass_ink {
    MASS_INK_PLAIN, /* no colours: MASS_NO_PIXEL, or any other number for a pixel */
    MASS_INK_THEME, /* 0 to 7, colours that the terminal's user has chosen */
    MASS_INK_256,   /* 0xRRGGBB, shown as the nearest of 256 colours */
    MASS_INK_FULL   /* 0xRRGGBB */
} mass_ink;

#define MASS_NO_PIXEL UINT32_MAX

/* Prints characters one after another, and changes colours only if needed. */
typedef struct mass_pen {
    FILE *to;
    mass_ink kind;
    uint32_t ink, paper; /* the terminal's present colours */
} mass_pen;

/* Returns a pen that writes to a terminal and has no colours set yet. */
static inline mass_pen mass_pen_begin(FILE *to, mass_ink kind)
{
    return (mass_pen){to, kind, MASS_NO_PIXEL, MASS_NO_PIXEL};
}

/* Prints a character with these two pixels; MASS_NO_PIXEL: no pixel. */
void mass_pen_put(mass_pen *pen, uint32_t top, uint32_t bottom);
void mass_pen_text(mass_pen *pen, uint32_t ink, const char *text); /* prints a text; ink MASS_NO_PIXEL: no colour */
void mass_pen_end(mass_pen *pen); /* resets colours; the pen may be used again */

/* Returns the number, from 16 on, of the nearest of the 240 colours that all 256-colour terminals share. */
int mass_ink_nearest(uint32_t rgb);

#endif
