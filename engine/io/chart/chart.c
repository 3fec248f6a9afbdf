/* SPDX-License-Identifier: Apache-2.0 */
#include "io/chart/chart.h"
#include "base/escape.h"
#include "base/memory_stream.h"
#include "io/picture/half_blocks.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 11 /* characters left of the y axis */, COLOURS = 6, MARKS = 62, BODY_LEAST = 3, GAP = 2,
       FAR = 1000 /* heights */ };

static const uint32_t inks[COLOURS] = {6, 3, 2, 5, 4, 1}; /* MASS_INK_THEME */
static const char marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* ---- pixels: 0, or 1 + number of the line ---- */

typedef struct canvas {
    const mass_chart *chart;
    int width, height; /* in pixels; height is even */
    double low, high;
    uint32_t *pixels, *shades; /* shades: the bands, over which lines are drawn */
} canvas;

/* Returns true if a line has a band at point i. */
static bool has_band(const mass_chart_line *l, size_t i)
{
    return l->low && l->high && isfinite(l->low[i]) && isfinite(l->high[i]);
}

/* Widens the range to include y, if y is finite. */
static void widen(double y, double *low, double *high)
{
    if (!isfinite(y)) return;
    *low = y < *low ? y : *low;
    *high = y > *high ? y : *high;
}

/* Applies the given ends of the y axis. If only one end is given and no data is on its inner side, places the other end
 * nearby. */
static void take_given_range(canvas *c)
{
    const mass_chart *chart = c->chart;
    if (chart->y_min_given) c->low = chart->y_min;
    if (chart->y_max_given) c->high = chart->y_max;
    const double around = fabs(chart->y_min_given ? c->low : c->high) / 2;
    if (c->low < c->high) return;
    if (chart->y_min_given) c->high = c->low + (around > 0 ? around : 1);
    else c->low = c->high - (around > 0 ? around : 1);
}

/* Sets the canvas's range of y from all finite values and bands, then from the range given, if any. */
static void find_range(canvas *c)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t l = 0; l < c->chart->line_count; l++)
        for (size_t i = 0; i < c->chart->count; i++) {
            const mass_chart_line *line = &c->chart->lines[l];
            widen(line->y[i], &low, &high);
            if (has_band(line, i)) widen(line->low[i], &low, &high), widen(line->high[i], &low, &high);
        }
    if (low > high) low = high = 0;
    const bool bars = c->chart->kind != MASS_CHART_LINES;
    if (bars) low = low < 0 ? low : 0, high = high > 0 ? high : 0;
    const double around = low == high ? (low != 0 ? fabs(low) / 2 : 1) : 0;
    c->low = (bars || c->chart->counts) && low - around < 0 && low >= 0 ? 0 : low - around;
    c->high = high + around;
    take_given_range(c);
}

/* Returns the pixel row of a value, 0 at the top. A value beyond the axis gets a row outside the chart, on its side.
 * Computes with halves, so that differences of doubles do not overflow. */
static int row_of(const canvas *c, double y)
{
    const double span = c->high / 2 - c->low / 2; /* 0: the axis is too short for numbers */
    const double all = span > 0 ? (y / 2 - c->low / 2) / span : 0.5;
    const double share = all < -FAR ? -FAR : all > FAR ? FAR : all;
    return c->height - 1 - (int)lround(share * (c->height - 1));
}

/* Sets the pixels of a column from one row to another, in any order, cut at the canvas. */
static void fill_column(const canvas *c, uint32_t *pixels, int x, int from, int to, uint32_t value)
{
    if (from > to) {
        const int swap = from;
        from = to, to = swap;
    }
    from = from > 0 ? from : 0;
    to = to < c->height ? to : c->height - 1;
    for (int y = from; y <= to; y++) pixels[y * c->width + x] = value;
}

/* Returns the first point of a column of pixels. Every point is in a column; if there are fewer points than columns,
 * neighbouring columns share one. */
static size_t point_of(const canvas *c, int x)
{
    return (size_t)((double)x * (double)c->chart->count / c->width);
}

/* Draws the first line as bars from 0. A column of several points shows the one farthest from 0. */
static void draw_bars(canvas *c)
{
    const double *y = c->chart->lines[0].y;
    for (int x = 0; x < c->width && c->chart->count > 0; x++) {
        size_t i = point_of(c, x), last = point_of(c, x + 1);
        double most = y[i];
        while (++i < last) most = isfinite(y[i]) && !(fabs(y[i]) < fabs(most)) ? y[i] : most;
        if (isfinite(most) && most != 0) fill_column(c, c->pixels, x, row_of(c, 0), row_of(c, most), 1);
    }
}

/* Returns the pixel column of point i. */
static int column_of(const canvas *c, size_t i)
{
    const double span = c->chart->count > 1 ? (double)(c->chart->count - 1) : 1;
    return (int)lround((double)i / span * (c->width - 1));
}

/* Draws a band: straight lines from point to point; for several points in a column, all that they cover. */
static void draw_band(canvas *c, size_t line)
{
    const mass_chart_line *l = &c->chart->lines[line];
    const uint32_t value = (uint32_t)line + 1;
    for (size_t i = 0; i < c->chart->count; i++) {
        if (!has_band(l, i)) continue;
        const int x = column_of(c, i), low = row_of(c, l->low[i]), high = row_of(c, l->high[i]);
        fill_column(c, c->shades, x, low, high, value);
        if (i == 0 || !has_band(l, i - 1)) continue;
        const int start = column_of(c, i - 1), low_before = row_of(c, l->low[i - 1]);
        const int high_before = row_of(c, l->high[i - 1]);
        for (int k = start + 1; k < x; k++) {
            const double way = (double)(k - start) / (x - start);
            fill_column(c, c->shades, k, low_before + (int)lround(way * (low - low_before)),
                        high_before + (int)lround(way * (high - high_before)), value);
        }
    }
}

/* Draws a line: the rows that its points cover in each column, joined to the column before. */
static void draw_line(canvas *c, size_t line)
{
    const double *y = c->chart->lines[line].y;
    const uint32_t value = (uint32_t)line + 1;
    int before = -1, x_before = -1;
    for (size_t i = 0; i < c->chart->count; i++) {
        const int x = column_of(c, i);
        if (!isfinite(y[i])) {
            before = -1;
            continue;
        }
        const int row = row_of(c, y[i]);
        if (before < 0) fill_column(c, c->pixels, x, row, row, value);
        for (int k = x_before; before >= 0 && k <= x; k++) {
            const double way = x == x_before ? 1 : (double)(k - x_before) / (x - x_before);
            const double start = x == x_before ? 0 : fmax(0, (double)(k - 1 - x_before) / (x - x_before));
            const int to = before + (int)lround(way * (row - before));
            const int from = before + (int)lround(start * (row - before));
            fill_column(c, c->pixels, k, from + (from < to) - (from > to), to, value);
        }
        before = row;
        x_before = x;
    }
}

/* ---- text ---- */

/* Returns the colour of a pixel; MASS_NO_PIXEL if nothing is drawn there. */
static uint32_t ink_of(uint32_t pixel) { return pixel ? inks[(pixel - 1) % COLOURS] : MASS_NO_PIXEL; }

/* Returns true if lines are drawn as letters. */
static bool has_marks(const mass_chart *c, bool colour)
{
    return c->line_count > 1 && c->kind == MASS_CHART_LINES && (!colour || c->line_count > COLOURS);
}

/* Prints a number with four digits, or with fewer if its exponent needs the space. */
static void put_number(FILE *to, double value)
{
    char digits[32];
    for (int precision = 4; snprintf(digits, sizeof digits, "%.*g", precision, value) >= MARGIN; precision--) {}
    fprintf(to, "%*s ", MARGIN - 1, digits);
}

/* ---- the legend: names side by side, as many as fit ---- */

typedef struct legend {
    size_t named, entries, each; /* named lines; entries, with one for the rest; entries in a row */
    int width;                 /* characters of an entry */
} legend;

/* Counts the characters of a UTF-8 text. */
static int characters_of(const char *text)
{
    int count = 0;
    for (; *text; text++) count += (*text & 0xc0) != 0x80;
    return count;
}

/* Chooses how many names a row of the legend has, and how many lines it names. Empty for one line. */
static legend plan_legend(const mass_chart *c, int columns, int rows)
{
    legend l = {.each = 1};
    const int room = columns - MARGIN > 10 ? columns - MARGIN : 10;
    if (c->line_count < 2) return l;
    for (size_t i = 0; i < c->line_count; i++) {
        const int width = 3 + characters_of(c->lines[i].label) + GAP;
        l.width = width > l.width ? width : l.width;
    }
    l.each = l.width < room + GAP ? (size_t)((room + GAP) / l.width) : 1;
    l.width = l.width < room + GAP ? l.width : room + GAP;
    const size_t most = (rows > 4 ? (size_t)rows / 2 : 2) * l.each;
    l.entries = c->line_count < most ? c->line_count : most;
    l.named = c->line_count <= most ? c->line_count : most - 1;
    return l;
}

/* Returns how many rows the legend has. */
static int rows_of(const legend *l) { return (int)((l->entries + l->each - 1) / l->each); }

/* Prints as many characters of a text as fit into `room`; returns their number. */
static int put_some(FILE *to, const char *text, int room)
{
    char some[1000];
    int count = 0;
    size_t used = 0;
    for (; *text && used + 1 < sizeof some; text++) {
        const bool starts = (*text & 0xc0) != 0x80;
        if (starts && count == room) break;
        count += starts;
        some[used++] = *text;
    }
    some[used] = '\0';
    mass_print(to, "%s", some);
    return count;
}

/* Prints one line's mark or colour and its name, padded unless it is the row's last. */
static void put_name(FILE *to, const mass_chart *c, const legend *l, size_t line, bool colour, bool last)
{
    mass_pen pen = mass_pen_begin(to, colour ? MASS_INK_THEME : MASS_INK_PLAIN);
    const uint32_t ink = inks[line % COLOURS];
    const bool letters = has_marks(c, colour);
    if (letters) mass_pen_text(&pen, ink, (const char[]){marks[line % MARKS], '\0'});
    else mass_pen_put(&pen, ink, ink), mass_pen_put(&pen, ink, ink);
    mass_pen_end(&pen);
    fputc(' ', to);
    const int used = (letters ? 2 : 3) + put_some(to, c->lines[line].label, l->width - GAP - (letters ? 2 : 3));
    if (!last) fprintf(to, "%*s", l->width - used, "");
}

/* Prints the label of y and the legend; a last entry counts the lines without a name. */
static void put_legend(FILE *to, const mass_chart *chart, const legend *l, bool colour)
{
    fprintf(to, "%*s", MARGIN, "");
    mass_print(to, "%s\n", chart->y_label);
    for (size_t i = 0; i < l->entries; i++) {
        const bool last = i + 1 == l->entries || (i + 1) % l->each == 0;
        char rest[40];
        snprintf(rest, sizeof rest, "... %zu more", chart->line_count - l->named);
        if (i % l->each == 0) fprintf(to, "%*s", MARGIN, "");
        if (i < l->named) put_name(to, chart, l, i, colour, last);
        else put_some(to, rest, l->width);
        if (last) fputc('\n', to);
    }
}

/* ---- the chart ---- */

/* Prints the axis of x with its first and last value and its label. */
static void put_x_axis(FILE *to, const canvas *c)
{
    const mass_chart *chart = c->chart;
    char first[32], last[32];
    fprintf(to, "%*s\u2514", MARGIN, "");
    for (int x = 0; x < c->width; x++) fputs("\u2500", to);
    snprintf(first, sizeof first, "%.15g", chart->x_first);
    snprintf(last, sizeof last, "%.15g", chart->x_last);
    const int room = c->width - (int)(strlen(first) + strlen(last) + strlen(chart->x_label));
    const int left = room > 1 ? room / 2 : 1, right = room > 2 ? room - left : 1;
    fprintf(to, "\n%*s %s%*s%s%*s%s\n", MARGIN, "", first, left, "", chart->x_label, right, "", last);
}

/* Prints a character of two pixels, one above the other. */
static void put_character(mass_pen *pen, const canvas *c, int x, int row, bool letters)
{
    const size_t at = (size_t)(2 * row) * (size_t)c->width + (size_t)x, below = at + (size_t)c->width;
    const uint32_t top = c->pixels[at], bottom = c->pixels[below];
    const uint32_t line = top ? top : bottom, shade = c->shades[at] ? c->shades[at] : c->shades[below];
    if (!line && shade) mass_pen_text(pen, ink_of(shade), "\u2591");
    else if (line && letters) mass_pen_text(pen, ink_of(line), (const char[]){marks[(line - 1) % MARKS], '\0'});
    else mass_pen_put(pen, ink_of(top), ink_of(bottom));
}

/* Prints the canvas row by row, with the axis of y. */
static void put_rows(FILE *to, const canvas *c, bool colour)
{
    const int rows = c->height / 2;
    mass_pen pen = mass_pen_begin(to, colour ? MASS_INK_THEME : MASS_INK_PLAIN);
    for (int r = 0; r < rows; r++) {
        const double share = rows > 1 ? (double)(rows - 1 - r) / (rows - 1) : 1;
        if (r == 0 || r == rows - 1 || r == rows / 2) put_number(to, c->low * (1 - share) + c->high * share);
        else fprintf(to, "%*s", MARGIN, "");
        fputs("\u2502", to);
        for (int x = 0; x < c->width; x++) put_character(&pen, c, x, r, has_marks(c->chart, colour));
        mass_pen_end(&pen);
        fputc('\n', to);
    }
}

bool mass_chart_has_numbers(const mass_chart *c)
{
    for (size_t l = 0; l < c->line_count; l++)
        for (size_t i = 0; i < c->count; i++)
            if (isfinite(c->lines[l].y[i])) return true;
    return false;
}

/* Finds the range, then draws bars, or all bands and then all lines over them. */
static void draw(canvas *c)
{
    find_range(c);
    if (c->chart->kind != MASS_CHART_LINES) draw_bars(c);
    else {
        for (size_t l = 0; l < c->chart->line_count; l++) draw_band(c, l);
        for (size_t l = 0; l < c->chart->line_count; l++) draw_line(c, l);
    }
}

char *mass_chart_draw(const mass_chart *chart, int columns, int rows, bool colour)
{
    const legend names = plan_legend(chart, columns, rows);
    const int body = rows - 3 - rows_of(&names);
    canvas c = {.chart = chart, .width = columns > MARGIN + 11 ? columns - MARGIN - 1 : 10,
                .height = 2 * (body > BODY_LEAST ? body : BODY_LEAST)};
    char *text = NULL;
    size_t size = 0;
    c.pixels = calloc((size_t)c.width * (size_t)c.height, 2 * sizeof *c.pixels);
    FILE *to = c.pixels ? mass_memory_stream(&text, &size) : NULL;
    if (to) {
        c.shades = c.pixels + (size_t)c.width * (size_t)c.height;
        draw(&c);
        put_legend(to, chart, &names, colour);
        put_rows(to, &c, colour);
        put_x_axis(to, &c);
        fclose(to);
    }
    free(c.pixels);
    return text;
}
