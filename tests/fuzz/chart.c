/* SPDX-License-Identifier: Apache-2.0 */
/* Any doubles as a chart of any size: text of no more lines and columns than were asked for, in whole characters. Of
 * bars and lines alike there is something to see where there are numbers. */
#include "input.h"
#include "io/chart/chart.h"
#include "io/picture/half_blocks.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>

enum { POINTS_MOST = 300, LINES_MOST = 8 };

/* How many characters a line has, without what sets colours; *end becomes its end. */
static int columns_of(const char *line, const char **end)
{
    int columns = 0;
    for (; *line != '\n'; line++) {
        ALWAYS(*line);
        if (*line == '\033') {
            ALWAYS(line[1] == '[');
            line += strcspn(line, "m\n");
            ALWAYS(*line == 'm');
        } else columns += (*line & 0xc0) != 0x80;
    }
    *end = line;
    return columns;
}

static bool is_ink(const char *at, bool letters)
{
    return strncmp(at, "\u2580", 3) == 0 || strncmp(at, "\u2584", 3) == 0 || strncmp(at, "\u2588", 3) == 0 ||
           (letters && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')));
}

/* The chart stands between its axis, which begins its rows, and the corner below them. */
static void check(const mass_chart *c, const char *text, int columns, int rows)
{
    json_t *whole = json_string(text); /* NULL if it were no UTF-8 */
    int lines = 0, drawn = 0;
    bool ink = false;
    ALWAYS(whole);
    for (const char *at = text, *end; *at; at = end + 1, lines++) {
        const int width = columns_of(at, &end);
        const char *axis = memmem(at, (size_t)(end - at), "\u2502", 3);
        if (!axis || axis - at != 11) continue;
        drawn++;
        ALWAYS(width == 12 + columns);
        for (const char *k = axis + 3; k < end; k++) {
            if (*k == '\033') k += strcspn(k, "m");
            else ink |= is_ink(k, c->line_count > 1);
        }
    }
    ALWAYS(drawn >= 3 && lines <= (rows > 11 ? rows : 11));
    ALWAYS(c->kind != MASS_CHART_LINES || ink == mass_chart_has_numbers(c));
    json_decref(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static double values[LINES_MOST * POINTS_MOST];
    input in = {bytes, bytes + size};
    const uint8_t kind = take_u8(&in) % 3, line_count = kind == MASS_CHART_LINES ? 1 + take_u8(&in) % LINES_MOST : 1;
    const bool colour = take_u8(&in) % 2;
    const int columns = take_u8(&in), rows = take_u8(&in) % 100;
    mass_chart_line lines[LINES_MOST];
    mass_chart c = {.x_label = "x", .y_label = "y", .kind = kind, .x_first = take_f64(&in), .x_last = take_f64(&in),
                    .line_count = line_count, .lines = lines};
    const size_t count = input_left(&in) / sizeof *values / line_count;
    c.count = count < POINTS_MOST ? count : POINTS_MOST;
    take_bytes(&in, values, sizeof values);
    for (size_t i = 0; i < line_count; i++) {
        lines[i] = (mass_chart_line){.label = "one", .y = values + i * c.count};
        if (i % 2) lines[i].low = values, lines[i].high = values + i * c.count / 2;
    }
    char *text = mass_chart_draw(&c, columns, rows, colour);
    ALWAYS(text);
    check(&c, text, columns > 22 ? columns - 12 : 10, rows);
    free(text);
    return 0;
}
