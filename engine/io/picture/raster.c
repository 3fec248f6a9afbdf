/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- palettes ---- */

/* Returns the colour at part / all of the way between two colours, with each channel rounded. */
static uint32_t blend(uint32_t from, uint32_t to, uint32_t part, uint32_t all)
{
    uint32_t colour = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        uint32_t a = from >> shift & 0xff, b = to >> shift & 0xff;
        colour |= (a * (all - part) + b * part + all / 2) / all << shift;
    }
    return colour;
}

/* Returns the index for `part` of the way from low to high: at least 0, and from 1 on `last`. */
static uint8_t level(double part, int last)
{
    return (uint8_t)(part < 1 ? part * last + 0.5 : last);
}

/* Refuses a range that is empty or not finite, and colours that are too few, too many or not RGB. */
static mass_status check_palette(double low, double high, const uint32_t *colours, uint32_t count,
                                 mass_error *error)
{
    if (!(low < high) || !isfinite(high - low))
        return mass_error_set(error, MASS_BAD_PLUGIN,
                              "picture: low %g and high %g, low must be below high and both finite",
                              low, high);
    if (count < 2 || count > 256)
        return mass_error_set(error, MASS_BAD_PLUGIN,
                              "picture: the palette has %u colours, it needs 2 to 256", count);
    for (uint32_t i = 0; i < count; i++)
        if (colours[i] > 0xffffff)
            return mass_error_set(error, MASS_BAD_PLUGIN,
                                  "picture: colour %u of the palette is 0x%x, not 0xRRGGBB", i,
                                  colours[i]);
    return MASS_OK;
}

mass_status mass_palette_make(mass_palette *out, double low, double high, const uint32_t *colours,
                              uint32_t count, mass_error *error)
{
    return mass_palette_make_spotted(out, low, high, colours, count, NULL, 0, error);
}

mass_status mass_palette_make_spotted(mass_palette *out, double low, double high, const uint32_t *colours,
                                      uint32_t count, const uint32_t *spot_colours, uint32_t spots, mass_error *error)
{
    mass_status status = check_palette(low, high, colours, count, error);
    if (status != MASS_OK) return status;
    const uint32_t last = 255 - spots;
    out->low = low;
    out->high = high;
    out->last = (int)last;
    for (uint32_t i = 0; i < last; i++) {
        uint32_t position = i * (count - 1), colour = position / last;
        out->rgb[i] = blend(colours[colour], colours[colour + 1], position % last, last);
    }
    for (uint32_t k = 1; k + 1 < count && count - 1 <= last; k++)
        out->rgb[level((double)k / (count - 1), (int)last)] = colours[k];
    out->rgb[last] = colours[count - 1];
    for (uint32_t i = 0; i < spots; i++) out->rgb[last + 1 + i] = spot_colours[i];
    return MASS_OK;
}

/* ---- rasters ---- */

struct mass_drawing {
    int64_t width, height; /* of the space, in places */
    int64_t row;           /* rows drawn so far */
    int64_t shrink;        /* places of a block, along each side; 1 if grow is above 1 */
    int32_t grow;          /* pixels of a block, along each side */
    int32_t columns;       /* blocks in a row */
    double low, high;
    int last; /* index of high */
    mass_raster raster;
    double *sum;    /* [columns] of the current row of blocks */
    int64_t *count; /* [columns] */
};

/* Returns the larger number. */
static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns a / b, rounded up. */
static int64_t divide_up(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

/* Returns how many pixels wide a place is drawn, so that small pictures are not tiny. */
static int32_t grow_factor(int64_t side, int32_t limit)
{
    int32_t most = limit < MASS_RASTER_SMALL ? limit : MASS_RASTER_SMALL;
    return side < most ? most / (int32_t)side : 1;
}

void mass_raster_size(int64_t width, int64_t height, int32_t limit, int32_t *out_width,
                      int32_t *out_height)
{
    int64_t side = larger(width, height), shrink = divide_up(side, limit);
    int32_t grow = grow_factor(side, limit);
    *out_width = (int32_t)divide_up(width, shrink) * grow;
    *out_height = (int32_t)divide_up(height, shrink) * grow;
}

int32_t mass_raster_limit(int64_t width, int64_t height, int32_t columns, int32_t rows)
{
    int32_t limit = columns > rows ? columns : rows, across, down;
    for (;; limit--) {
        mass_raster_size(width, height, limit, &across, &down);
        if (across <= columns && down <= rows) return limit;
    }
}

/* Allocates the raster and a row's sums. On failure the caller frees what was allocated. */
static mass_status allocate(mass_drawing *drawing, mass_error *error)
{
    mass_raster *raster = &drawing->raster;
    size_t pixels = (size_t)raster->width * (size_t)raster->height;
    size_t columns = (size_t)drawing->columns;
    raster->index = calloc(pixels, 1);
    drawing->sum = calloc(columns, sizeof *drawing->sum);
    drawing->count = calloc(columns, sizeof *drawing->count);
    if (raster->index && drawing->sum && drawing->count) return MASS_OK;
    size_t sums = columns * (sizeof *drawing->sum + sizeof *drawing->count);
    return mass_error_memory(error, pixels + sums, "the picture");
}

mass_status mass_raster_begin(mass_drawing **out, int64_t width, int64_t height, int32_t limit,
                              const mass_palette *palette, mass_error *error)
{
    if (width < 1 || height < 1 || limit < 1 || limit > MASS_RASTER_MAXIMUM)
        return mass_error_set(error, MASS_BAD_USAGE,
                              "a picture of %lld x %lld places with at most %d pixels a side: all "
                              "must be at least 1, and pixels at most %d",
                              (long long)width, (long long)height, limit, MASS_RASTER_MAXIMUM);
    mass_drawing *drawing = calloc(1, sizeof *drawing);
    if (!drawing) return mass_error_memory(error, sizeof *drawing, "the picture");
    mass_raster *raster = &drawing->raster;
    mass_raster_size(width, height, limit, &raster->width, &raster->height);
    drawing->width = width;
    drawing->height = height;
    drawing->low = palette->low;
    drawing->high = palette->high;
    drawing->last = palette->last;
    drawing->shrink = divide_up(larger(width, height), limit);
    drawing->grow = grow_factor(larger(width, height), limit);
    drawing->columns = raster->width / drawing->grow;
    raster->grow = drawing->shrink == 1 ? drawing->grow : 0;
    mass_status status = allocate(drawing, error);
    if (status == MASS_OK) *out = drawing;
    else mass_raster_end(drawing, NULL);
    return status;
}

/* Adds a row's values to the columns' sums and counts; skips those that are not a number. */
static void add_row(mass_drawing *drawing, const double *values)
{
    int64_t x = 0;
    for (int32_t c = 0; c < drawing->columns; c++) {
        int64_t left = drawing->width - x;
        int64_t end = x + (left < drawing->shrink ? left : drawing->shrink);
        double sum = drawing->sum[c];
        int64_t count = drawing->count[c];
        for (; x < end; x++) {
            if (isnan(values[x])) continue;
            sum += values[x];
            count++;
        }
        drawing->sum[c] = sum;
        drawing->count[c] = count;
    }
}

uint8_t mass_palette_level(const mass_palette *p, double value)
{
    const double part = (value - p->low) / (p->high - p->low);
    return part > 0 ? level(part, p->last) : 0;
}

/* Returns the colour of a column's mean: 0 if it has no values or is not above the low end. */
static uint8_t palette_index(const mass_drawing *drawing, int32_t column)
{
    if (drawing->count[column] == 0) return 0;
    double mean = drawing->sum[column] / (double)drawing->count[column];
    double part = (mean - drawing->low) / (drawing->high - drawing->low);
    if (!(part > 0)) return 0;
    return level(part, drawing->last);
}

/* Turns the sums into pixels, for the row of blocks with the row drawn last, and clears the sums. */
static void finish_blocks(mass_drawing *drawing)
{
    size_t width = (size_t)drawing->raster.width, grow = (size_t)drawing->grow;
    size_t block = (size_t)((drawing->row - 1) / drawing->shrink);
    uint8_t *pixels = drawing->raster.index + block * grow * width;
    for (int32_t c = 0; c < drawing->columns; c++)
        memset(pixels + (size_t)c * grow, palette_index(drawing, c), grow);
    for (size_t y = 1; y < grow; y++) memcpy(pixels + y * width, pixels, width);
    memset(drawing->sum, 0, (size_t)drawing->columns * sizeof *drawing->sum);
    memset(drawing->count, 0, (size_t)drawing->columns * sizeof *drawing->count);
}

void mass_raster_rows(mass_drawing *drawing, int64_t rows, const double *values)
{
    for (; rows > 0 && drawing->row < drawing->height; rows--) {
        add_row(drawing, values);
        values += drawing->width;
        drawing->row++;
        if (drawing->row % drawing->shrink == 0 || drawing->row == drawing->height) finish_blocks(drawing);
    }
}

void mass_raster_spot(mass_drawing *drawing, int64_t x, int64_t y, uint8_t index)
{
    const int32_t grow = drawing->grow, margin = grow / 4, width = drawing->raster.width;
    const size_t left = (size_t)(x / drawing->shrink * grow + margin), side = (size_t)(grow - 2 * margin);
    const size_t top = (size_t)(y / drawing->shrink * grow + margin);
    for (size_t row = top; row < top + side; row++)
        for (size_t column = left; column < left + side; column++) {
            uint8_t *pixel = &drawing->raster.index[row * (size_t)width + column];
            if (*pixel < index) *pixel = index;
        }
}

void mass_raster_point(mass_drawing *drawing, double x, double y, uint8_t index)
{
    const int32_t grow = drawing->grow, reach = grow < 4 ? 0 : grow < 24 ? 1 : 2;
    const int32_t width = drawing->raster.width, height = drawing->raster.height;
    const double unit = (double)drawing->shrink / grow; /* of a pixel, in places */
    const int32_t column = (int32_t)(x / unit), row = (int32_t)(y / unit);
    for (int32_t j = row - reach; j <= row + reach; j++)
        for (int32_t i = column - reach; i <= column + reach; i++) {
            if (i < 0 || i >= width || j < 0 || j >= height) continue;
            uint8_t *pixel = &drawing->raster.index[(size_t)j * (size_t)width + (size_t)i];
            if (*pixel < index) *pixel = index;
        }
}

/* ---- arrows: in whole numbers of 64th pixels, so that compilers and processors draw the same ---- */

enum {
    PARTS = 64,
    ARROW_PIXELS = 4, /* of a place and of an arrow, at least */
    ARROW_LEAST = 11, ARROW_MOST = 24, /* pixels of an arrow of length 1 */
    HEAD_LEAST = 5, HEAD_MOST = 10,
    WIDE_FROM = 20 /* the shaft is two pixels wide */
};

/* The tail of an arrow, the way from there to its tip, the length of this way and that of the head. */
typedef struct arrow {
    int64_t x, y, dx, dy, length, head;
} arrow;

/* Returns a number, but at least `least` and at most `most`. */
static int64_t clamp(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* Returns the square root of a number, rounded down. */
static int64_t whole_root(int64_t square)
{
    int64_t root = (int64_t)sqrt((double)square);
    while (root * root > square) root--;
    while ((root + 1) * (root + 1) <= square) root++;
    return root;
}

/* Returns whether the middle of a pixel is on an arrow: on its head, which is wider than long, or on its shaft. */
static bool covers(const arrow *a, int64_t column, int64_t row)
{
    const int64_t px = column * PARTS + PARTS / 2 - a->x, py = row * PARTS + PARTS / 2 - a->y;
    const int64_t along = px * a->dx + py * a->dy, aside = llabs(px * a->dy - py * a->dx);
    const int64_t all = a->length * a->length, left = all - along;
    const int64_t width = a->length >= WIDE_FROM * PARTS ? 2 * PARTS : PARTS;
    if (along < 0 || left < 0) return false;
    if (left <= a->head * a->length) return 5 * aside <= 3 * left;
    return 2 * aside <= width * a->length;
}

/* Returns a pixel's number along an axis of `pixels`, or -1 if it is beyond an edge. */
static int64_t inside(int64_t at, int64_t pixels, bool wraps)
{
    if (wraps) at = (at % pixels + pixels) % pixels;
    return at >= 0 && at < pixels ? at : -1;
}

void mass_raster_arrow(mass_drawing *drawing, double x, double y, double dx, double dy, uint32_t torus, uint8_t index)
{
    const int64_t width = drawing->raster.width, height = drawing->raster.height, grow = drawing->grow;
    const double half = (double)clamp(grow * PARTS * 9 / 10, ARROW_LEAST * PARTS, ARROW_MOST * PARTS) / 2;
    const int64_t hx = (int64_t)floor(dx * half + 0.5), hy = (int64_t)floor(dy * half + 0.5);
    const int64_t length = whole_root(4 * (hx * hx + hy * hy)), head = length * 2 / 5;
    if (grow < ARROW_PIXELS || length < ARROW_PIXELS * PARTS) {
        mass_raster_point(drawing, x, y, index);
        return;
    }
    const int64_t column = (int64_t)(x * (double)grow), row = (int64_t)(y * (double)grow), reach = length / PARTS + 2;
    const arrow a = {column * PARTS + PARTS / 2 - hx, row * PARTS + PARTS / 2 - hy, 2 * hx, 2 * hy, length,
                     clamp(head, HEAD_LEAST * PARTS, HEAD_MOST * PARTS)};
    for (int64_t j = row - reach; j <= row + reach; j++)
        for (int64_t i = column - reach; i <= column + reach; i++) {
            const int64_t to_x = inside(i, width, torus & 1), to_y = inside(j, height, torus >> 1 & 1);
            if (to_x < 0 || to_y < 0 || !covers(&a, i, j)) continue;
            uint8_t *const pixel = &drawing->raster.index[to_y * width + to_x];
            if (*pixel < index) *pixel = index;
        }
}

void mass_raster_end(mass_drawing *drawing, mass_raster *out)
{
    if (out) {
        if (drawing->row < drawing->height && drawing->row % drawing->shrink != 0) finish_blocks(drawing);
        *out = drawing->raster;
    } else {
        mass_raster_free(&drawing->raster);
    }
    free(drawing->sum);
    free(drawing->count);
    free(drawing);
}

void mass_raster_free(mass_raster *raster)
{
    free(raster->index);
    *raster = (mass_raster){0};
}
