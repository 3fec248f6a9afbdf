/* SPDX-License-Identifier: Apache-2.0 */
/* Palettes: the colours of levels and of spots. */
#include "grey_palette.h"

#include <math.h>

Test(palette, ends_are_the_first_and_the_last_colour)
{
    mass_error error = {0};
    mass_palette palette;
    uint32_t colours[256];
    for (uint32_t i = 0; i < 256; i++) colours[i] = i * 65793 ^ 0x5a3c96;
    for (uint32_t count = 2; count <= 256; count++) {
        cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, count, &error), MASS_OK);
        cr_assert_eq(palette.rgb[0], colours[0]);
        cr_assert_eq(palette.rgb[255], colours[count - 1]);
    }
}

Test(palette, colours_between_are_interpolated_channel_by_channel)
{
    static const uint32_t colours[] = {0xff0000, 0x00ff40, 0x2000ff};
    mass_error error = {0};
    mass_palette palette;
    cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, 3, &error), MASS_OK);
    for (int i = 0; i < 256; i++)
        for (int shift = 0; shift < 24; shift += 8) {
            double position = i * 2 / 255.0;
            int from = position < 1 ? 0 : 1;
            double a = colours[from] >> shift & 255, b = colours[from + 1] >> shift & 255;
            double expected = a + (b - a) * (position - from);
            int channel = palette.rgb[i] >> shift & 255;
            if (i == 128) expected = a; /* where the value is drawn that has the colour in the middle */
            cr_assert_leq(fabs(channel - expected), 0.5 + 1e-9, "entry %d", i);
        }
}

/* Whole numbers, each of which has a colour: the picture shows these and no others. */
Test(palette, a_value_of_a_colour_is_drawn_in_it)
{
    mass_error error = {0};
    uint32_t colours[256], spots[64] = {0};
    for (uint32_t i = 0; i < 256; i++) colours[i] = (i * 2654435761u) & 0xffffff;
    for (uint32_t spotted = 0; spotted <= 64; spotted += 32)
        for (uint32_t count = 2; count <= 256 - spotted; count++) {
            mass_palette palette;
            mass_drawing *drawing;
            mass_raster raster;
            double values[256];
            for (uint32_t i = 0; i < count; i++) values[i] = (double)i - 7;
            cr_assert_eq(mass_palette_make_spotted(&palette, -7, (double)count - 8, colours, count, spots, spotted,
                                                   &error), MASS_OK);
            cr_assert_eq(mass_raster_begin(&drawing, count, 1, (int32_t)count, &palette, &error), MASS_OK);
            mass_raster_rows(drawing, 1, values);
            mass_raster_end(drawing, &raster);
            for (uint32_t i = 0; i < count; i++)
                cr_assert_eq(palette.rgb[raster.index[i]], colours[i], "%u of %u, %u spots", i, count, spotted);
            mass_raster_free(&raster);
        }
}

Test(palette, full_set_of_colours_is_kept)
{
    mass_error error = {0};
    mass_palette palette;
    uint32_t colours[256];
    for (uint32_t i = 0; i < 256; i++) colours[i] = (i * 2654435761u) & 0xffffff;
    cr_assert_eq(mass_palette_make(&palette, 0, 1, colours, 256, &error), MASS_OK);
    cr_assert_arr_eq(palette.rgb, colours, sizeof colours);
}

Test(palette, spots_come_after_the_last_colour)
{
    static const uint32_t spots[] = {0x123456, 0x00ff00, 0xffffff};
    mass_error error = {0};
    mass_palette palette;
    for (uint32_t count = 0; count <= 3; count++) {
        cr_assert_eq(mass_palette_make_spotted(&palette, 0, 1, grey, 2, spots, count, &error), MASS_OK);
        cr_assert_eq(palette.last, 255 - (int)count);
        cr_assert_eq(palette.rgb[0], grey[0]);
        cr_assert_eq(palette.rgb[palette.last], grey[1]);
        cr_assert_arr_eq(palette.rgb + palette.last + 1, spots, count * sizeof *spots);
    }
}

static void expect_refused(double low, double high, const uint32_t *colours, uint32_t count)
{
    mass_error error = {0};
    mass_palette palette = {.low = 42};
    cr_assert_eq(mass_palette_make(&palette, low, high, colours, count, &error), MASS_BAD_PLUGIN);
    cr_assert_str_not_empty(error.text);
    cr_assert_eq(palette.low, 42);
}

Test(palette, what_cannot_be_drawn_is_refused)
{
    static const uint32_t with_alpha[] = {0, 0xff000000};
    expect_refused(1, 1, grey, 2);
    expect_refused(2, 1, grey, 2);
    expect_refused(NAN, 1, grey, 2);
    expect_refused(0, INFINITY, grey, 2);
    expect_refused(-1e308, 1e308, grey, 2);
    expect_refused(0, 1, grey, 1);
    expect_refused(0, 1, grey, 257);
    expect_refused(0, 1, with_alpha, 2);
}
