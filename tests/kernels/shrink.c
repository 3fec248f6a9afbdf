/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels of blocks of places against a few plain lines. The cases have every type and rule, boxes that blocks do not
 * divide, rows in several parts, and any division among threads. */
#include "cpu/kernels.h"

#include <criterion/criterion.h>
#include <mass/types.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 61, HEIGHT = 23, ROOM = WIDTH + 20, WIDE = 461 };

static uint64_t state = 7;

static uint32_t next(void) { return (uint32_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 40); }

static const struct type {
    uint32_t type;
    size_t size;
} types[] = {{MASS_I8, 1}, {MASS_U8, 1}, {MASS_I16, 2}, {MASS_U16, 2}, {MASS_I32, 4}, {MASS_U32, 4},
             {MASS_I64, 8}, {MASS_U64, 8}, {MASS_F32, 4}, {MASS_F64, 8}};
enum { TYPES = sizeof types / sizeof *types };

static double value_at(const void *at, uint32_t type)
{
    float f;
    double d;
    int16_t i2;
    int32_t i4;
    int64_t i8;
    switch (type) {
    case MASS_I8: return *(const int8_t *)at;
    case MASS_U8: return *(const uint8_t *)at;
    case MASS_I16: memcpy(&i2, at, 2); return i2;
    case MASS_U16: memcpy(&i2, at, 2); return (uint16_t)i2;
    case MASS_I32: memcpy(&i4, at, 4); return i4;
    case MASS_U32: memcpy(&i4, at, 4); return (uint32_t)i4;
    case MASS_I64: memcpy(&i8, at, 8); return (double)i8;
    case MASS_U64: memcpy(&i8, at, 8); return (double)(uint64_t)i8;
    case MASS_F32: memcpy(&f, at, 4); return (double)f;
    default: memcpy(&d, at, 8); return d;
    }
}

static int plain_index(const mass_shrink_work *w, double value)
{
    const double part = (value - w->low) / (w->high - w->low);
    return part > 0 ? part < 1 ? (int)(part * w->last + 0.5) : w->last : 0;
}

/* values: [height][width]. */
static int plain_pixel(const mass_shrink_work *w, const double *values, int64_t px, int64_t py)
{
    int counts[256] = {0}, best = 0;
    double sum = 0, largest = -INFINITY;
    int64_t count = 0;
    for (int64_t y = py * w->factor; y < (py + 1) * w->factor && y < w->height; y++)
        for (int64_t x = px * w->factor; x < (px + 1) * w->factor && x < w->width; x++) {
            const double value = values[y * w->width + x];
            if (isnan(value)) continue;
            sum += value;
            largest = value > largest ? value : largest;
            counts[plain_index(w, value)]++;
            count++;
        }
    for (int i = 1; i < 256; i++) best = counts[i] > counts[best] ? i : best;
    if (w->rule == MASS_SHRINK_MOST) return best;
    return count == 0 ? 0 : plain_index(w, w->rule == MASS_SHRINK_MEAN ? sum / (double)count : largest);
}

static void expect_pixels(const mass_shrink_work *w, const double *values)
{
    const int64_t columns = mass_shrink_columns(w), rows = mass_shrink_rows(w), half = rows / 2;
    uint8_t *index = malloc((size_t)(columns * rows));
    void *memory = malloc(mass_cpu_shrink_memory(w));
    double range[2] = {INFINITY, -INFINITY}, least = INFINITY, most = -INFINITY;
    if (half) mass_cpu_shrink(w, 0, half, memory, index, range);
    mass_cpu_shrink(w, half, rows - half, memory, index, range);
    for (int64_t y = 0; y < rows; y++)
        for (int64_t x = 0; x < columns; x++)
            cr_assert_eq(index[y * columns + x], plain_pixel(w, values, x, y), "type %u rule %d factor %d at %d,%d",
                         w->type, w->rule, (int)w->factor, (int)x, (int)y);
    for (int64_t i = 0; i < w->width * w->height; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    if (!w->ranged) cr_assert(range[0] == least && range[1] == most);
    free(memory);
    free(index);
}

/* All rules and some factors, of rows in two parts. */
static void expect_rules(mass_shrink_work *w, const char *bytes, int64_t pitch, const double *values)
{
    static const int64_t factors[] = {1, 2, 3, 4, 7, 8, 9, 16, 61, 100};
    const int64_t cut = 10;
    const mass_shrink_part parts[] = {{bytes, 0, cut, pitch}, {bytes + cut * pitch, cut, w->height - cut, pitch}};
    w->parts = parts;
    w->part_count = 2;
    for (int rule = 0; rule <= MASS_SHRINK_LARGEST; rule++)
        for (size_t f = 0; f < 2 * sizeof factors / sizeof *factors; f++) {
            w->rule = (mass_shrink_rule)rule;
            w->factor = factors[f / 2];
            w->ranged = f % 2;
            expect_pixels(w, values);
        }
}

Test(shrink, every_type)
{
    for (int t = 0; t < TYPES; t++) {
        const size_t size = types[t].size, stride = t % 3 == 2 ? 3 * size : size, pitch = ROOM * stride;
        char *bytes = malloc(pitch * HEIGHT);
        double *values = malloc(WIDTH * HEIGHT * sizeof *values);
        for (size_t i = 0; i < pitch * HEIGHT; i++) bytes[i] = (char)next();
        for (int i = 0; types[t].type == MASS_F32 && i < ROOM * HEIGHT; i++)
            ((float *)(void *)bytes)[i] = i % 11 ? (float)(next() % 1000) / 7 : NAN;
        for (size_t i = 0; types[t].type == MASS_F64 && i < pitch * HEIGHT / 8; i++)
            ((double *)(void *)bytes)[i] = i % 11 ? (double)(next() % 1000) / 7 : (double)NAN;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                values[y * WIDTH + x] = value_at(bytes + (size_t)y * pitch + (size_t)x * stride, types[t].type);
        mass_shrink_work w = {.type = types[t].type, .stride = (int64_t)stride, .width = WIDTH, .height = HEIGHT,
                              .low = -20, .high = 110, .last = 255 - 3 * t};
        expect_rules(&w, bytes, (int64_t)pitch, values);
        free(values);
        free(bytes);
    }
}

Test(shrink, bits_from_any_of_a_byte)
{
    for (int bit = 0; bit < 8; bit++) {
        const int64_t pitch = (WIDE + 7 + 7) / 8;
        uint8_t *bytes = malloc((size_t)(pitch * HEIGHT));
        double *values = malloc(WIDE * HEIGHT * sizeof *values);
        for (int64_t i = 0; i < pitch * HEIGHT; i++) bytes[i] = (uint8_t)next();
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDE; x++)
                values[y * WIDE + x] = bytes[y * pitch + (bit + x) / 8] >> (bit + x) % 8 & 1;
        mass_shrink_work w = {.type = MASS_BIT, .bits = true, .bit = bit, .width = WIDE, .height = HEIGHT, .low = 0,
                              .high = 1, .last = 255};
        expect_rules(&w, (const char *)bytes, pitch, values);
        free(values);
        free(bytes);
    }
}
