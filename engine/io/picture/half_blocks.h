/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels as text: half-block characters show two of them, one above the other. */
#ifndef MASS_ENGINE_IO_PICTURE_HALF_BLOCKS_H
#define MASS_ENGINE_IO_PICTURE_HALF_BLOCKS_H

#include <stdint.h>
#include <stdio.h>

typedef enum mass_ink {
    MASS_INK_PLAIN, /* no colours: a pixel is there or not */
    MASS_INK_THEME, /* 0 to 7, which the terminal's user has chosen */
    MASS_INK_256,   /* 0xRRGGBB, shown as the nearest of 256 */
    MASS_INK_FULL   /* 0xRRGGBB */
} mass_ink;

#define MASS_NO_PIXEL UINT32_MAX

/* Writes characters one after another, and colours only where they change. */
typedef struct mass_pen {
    FILE *to;
    mass_ink kind;
    uint32_t ink, paper; /* as the terminal has them */
} mass_pen;

static inline mass_pen mass_pen_begin(FILE *to, mass_ink kind)
{
    return (mass_pen){to, kind, MASS_NO_PIXEL, MASS_NO_PIXEL};
}

void mass_pen_put(mass_pen *pen, uint32_t top, uint32_t bottom);
void mass_pen_text(mass_pen *pen, uint32_t ink, const char *text); /* of the caller's; MASS_NO_PIXEL: in no colour */
void mass_pen_end(mass_pen *pen); /* colours as they were before; the pen may go on */

/* The nearest of the 240 colours that are the same on all terminals of 256: its number, from 16 on. */
int mass_ink_nearest(uint32_t rgb);

#endif
