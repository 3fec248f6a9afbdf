#include "io/chart.h"
#include "core/escape.h"
#include "core/memory_stream.h"
#include "io/half_blocks.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 11 /* characters left of the y axis */, COLOURS = 6 };

static const uint32_t inks[COLOURS] = {6, 3, 2, 5, 4, 1}; /* MASS_INK_THEME */

/* ---- pixels: 0, or 1 + number of the colour ---- */

typedef struct canvas {
    const mass_chart *chart;
    int width, height; /* in pixels; height is even */
    double low, high;
    uint8_t *pixels;
} canvas;

static void find_range(canvas *c)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t l = 0; l < c->chart->line_count; l++)
        for (size_t i = 0; i < c->chart->count; i++) {
            const double y = c->chart->lines[l].y[i];
            if (!isfinite(y)) continue;
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
    if (low > high) low = high = 0;
    const bool bars = c->chart->kind != MASS_CHART_LINES;
    if (bars) low = low < 0 ? low : 0, high = high > 0 ? high : 0;
    const double around = low == high ? (low != 0 ? fabs(low) / 2 : 1) : 0;
    c->low = bars && low == 0 ? 0 : low - around;
    c->high = high + around;
}

/* Row of pixels of a value, 0 at the top. Halves, so that the difference of two doubles does not overflow. */
static int row_of(const canvas *c, double y)
{
    const double share = (y / 2 - c->low / 2) / (c->high / 2 - c->low / 2);
    return c->height - 1 - (int)lround(share * (c->height - 1));
}

static void fill_column(canvas *c, int x, int from, int to, uint8_t colour)
{
    if (from > to) {
        const int swap = from;
        from = to, to = swap;
    }
    for (int y = from; y <= to; y++) c->pixels[y * c->width + x] = colour;
}

/* First point of a column of pixels: all points are in one, and neighbours share the last one of few. */
static size_t point_of(const canvas *c, int x)
{
    return (size_t)((double)x * (double)c->chart->count / c->width);
}

static void draw_bars(canvas *c)
{
    const double *y = c->chart->lines[0].y;
    for (int x = 0; x < c->width && c->chart->count > 0; x++) {
        size_t i = point_of(c, x), last = point_of(c, x + 1);
        double most = y[i];
        while (++i < last) most = isfinite(y[i]) && !(fabs(y[i]) < fabs(most)) ? y[i] : most;
        if (isfinite(most) && most != 0) fill_column(c, x, row_of(c, 0), row_of(c, most), 1);
    }
}

/* What a line covers in each column, and how it comes there from the column before. */
static void draw_line(canvas *c, size_t line)
{
    const double *y = c->chart->lines[line].y;
    const uint8_t colour = (uint8_t)(1 + line % COLOURS);
    int before = -1, x_before = -1;
    for (size_t i = 0; i < c->chart->count; i++) {
        const double span = c->chart->count > 1 ? (double)(c->chart->count - 1) : 1;
        const int x = (int)lround((double)i / span * (c->width - 1));
        if (!isfinite(y[i])) {
            before = -1;
            continue;
        }
        const int row = row_of(c, y[i]);
        if (before < 0) fill_column(c, x, row, row, colour);
        for (int k = x_before; before >= 0 && k <= x; k++) {
            const double way = x == x_before ? 1 : (double)(k - x_before) / (x - x_before);
            const double start = x == x_before ? 0 : fmax(0, (double)(k - 1 - x_before) / (x - x_before));
            const int to = before + (int)lround(way * (row - before));
            const int from = before + (int)lround(start * (row - before));
            fill_column(c, k, from + (from < to) - (from > to), to, colour);
        }
        before = row;
        x_before = x;
    }
}

/* ---- text ---- */

static uint32_t ink_of(uint8_t pixel) { return pixel ? inks[pixel - 1] : MASS_NO_PIXEL; }

/* Of four digits, or fewer where its exponent takes the room. */
static void put_number(FILE *to, double value)
{
    char digits[32];
    for (int precision = 4; snprintf(digits, sizeof digits, "%.*g", precision, value) >= MARGIN; precision--) {}
    fprintf(to, "%*s ", MARGIN - 1, digits);
}

static void put_legend(FILE *to, const mass_chart *chart, bool colour)
{
    mass_pen pen = mass_pen_begin(to, MASS_INK_THEME);
    fprintf(to, "%*s", MARGIN, "");
    mass_print(to, "%s\n", chart->y_label);
    for (size_t l = 0; chart->line_count > 1 && l < chart->line_count; l++) {
        const uint32_t ink = inks[l % COLOURS];
        fprintf(to, "%*s", MARGIN, "");
        for (int i = 0; colour && i < 2; i++) mass_pen_put(&pen, ink, ink);
        mass_pen_end(&pen);
        mass_print(to, "%s%s\n", colour ? " " : "", chart->lines[l].label);
    }
}

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

static void put_rows(FILE *to, const canvas *c, bool colour)
{
    const int rows = c->height / 2;
    mass_pen pen = mass_pen_begin(to, colour ? MASS_INK_THEME : MASS_INK_PLAIN);
    for (int r = 0; r < rows; r++) {
        const double share = rows > 1 ? (double)(rows - 1 - r) / (rows - 1) : 1;
        if (r == 0 || r == rows - 1 || r == rows / 2) put_number(to, c->low * (1 - share) + c->high * share);
        else fprintf(to, "%*s", MARGIN, "");
        fputs("\u2502", to);
        for (int x = 0; x < c->width; x++)
            mass_pen_put(&pen, ink_of(c->pixels[2 * r * c->width + x]), ink_of(c->pixels[(2 * r + 1) * c->width + x]));
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

char *mass_chart_draw(const mass_chart *chart, int columns, int rows, bool colour)
{
    canvas c = {.chart = chart, .width = columns > MARGIN + 11 ? columns - MARGIN - 1 : 10,
                .height = 2 * (rows > 6 ? rows - 3 : 3)};
    char *text = NULL;
    size_t size = 0;
    c.pixels = calloc((size_t)c.width * (size_t)c.height, 1);
    FILE *to = c.pixels ? mass_memory_stream(&text, &size) : NULL;
    if (to) {
        find_range(&c);
        if (chart->kind != MASS_CHART_LINES) draw_bars(&c);
        else for (size_t l = 0; l < chart->line_count; l++) draw_line(&c, l);
        put_legend(to, chart, colour);
        put_rows(to, &c, colour);
        put_x_axis(to, &c);
        fclose(to);
    }
    free(c.pixels);
    return text;
}
