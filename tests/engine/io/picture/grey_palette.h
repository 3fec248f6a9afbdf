/* SPDX-License-Identifier: Apache-2.0 */
/* A palette from black to white. */
#ifndef MASS_TESTS_GREY_PALETTE_H
#define MASS_TESTS_GREY_PALETTE_H

#include "io/picture/raster.h"

#include <criterion/criterion.h>

static const uint32_t grey[] = {0x000000, 0xffffff};

/* Returns the palette from black at `low` to white at `high`. */
static inline mass_palette palette_of(double low, double high)
{
    mass_error error = {0};
    mass_palette palette;
    cr_assert_eq(mass_palette_make(&palette, low, high, grey, 2, &error), MASS_OK);
    return palette;
}

#endif
