/* SPDX-License-Identifier: Apache-2.0 */
#include "command/plot/plot.h"
#include "base/plural.h"
#include "command/options/plot_options.h"
#include "command/plot/plot_worlds.h"
#include "command/options/usage.h"
#include "base/escape.h"
#include "io/chart/chart.h"
#include "io/folder/names.h"
#include "io/series/series.h"
#include "process/standard.h"
#include "process/terminal.h"
#include "text/spelling.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS = 80, ROWS = 24, ROWS_LEAST = 11 /* least rows of a chart among several */, ROWS_WITH_LEGEND = 17,
       LINES_MAX = 64, UNIT_SIZE = 4 * MASS_SERIES_UNIT_SIZE,
       LABEL_SIZE = MASS_SERIES_NAME_SIZE + UNIT_SIZE + 500 };

/* ---- choosing what to draw ---- */

typedef struct plot {
    const mass_plot_options *options;
    mass_series_contents contents;
    uint32_t chosen[LINES_MAX], chosen_count; /* indexes of columns */
    bool bars;      /* draw bars, of one row of one column */
    uint64_t row;
    uint64_t skipped; /* rows before the first that is drawn */
    size_t rows;      /* rows that are drawn */
    bool counts[LINES_MAX]; /* for each column: all its values are whole numbers of at least 0 */
    mass_plot_worlds worlds;
    double *values; /* [lines][points], three times that for means; or the values of one row */
    char (*labels)[LABEL_SIZE];
    mass_chart_line *lines;
    bool apart; /* each column gets its own chart */
    mass_chart charts[LINES_MAX];
    uint32_t chart_count;
    char x_label[UNIT_SIZE], y_label[2 * LABEL_SIZE], y_labels[LINES_MAX][LABEL_SIZE + 80];
} plot;

/* Returns the index of the series of that name, or -1. */
static int find_column(const mass_series_set *set, const char *name, size_t length)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (strlen(set->columns[i].name) == length && strncmp(set->columns[i].name, name, length) == 0) return (int)i;
    return -1;
}

/* Writes the names of all series: "population, births". */
static void list_names(const mass_series_set *set, char *out, size_t room)
{
    size_t used = 0;
    for (uint32_t i = 0; i < set->count && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "", set->columns[i].name);
}

/* Reports an unknown series, the nearest name, and all names that there are. */
static mass_status refuse_name(const plot *p, const char *name, size_t length, mass_error *error)
{
    const mass_series_set *set = &p->contents.set;
    char names[500] = "", typed[MASS_SERIES_NAME_SIZE];
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    mass_spelling nearest = mass_spelling_to(typed);
    list_names(set, names, sizeof names);
    for (uint32_t i = 0; i < set->count; i++) mass_spelling_try(&nearest, set->columns[i].name);
    return mass_error_set(error, MASS_BAD_USAGE, "%s has no series '%.*s'; %s%s%s has %s", p->options->file,
                          (int)length, name, nearest.best ? "did you mean '" : "", nearest.best ? nearest.best : "",
                          nearest.best ? "'? It" : "it", names[0] ? names : "none");
}

/* Reports an error that lists all series, as the user named none. */
static mass_status ask_for_names(const plot *p, mass_error *error)
{
    const mass_series_set *set = &p->contents.set;
    char names[500] = "";
    list_names(set, names, sizeof names);
    return mass_error_set(error, MASS_BAD_USAGE, "%s has %s: say which, as in mass-engine plot %s %s", p->options->file,
                          names[0] ? names : "no series", p->options->file, set->count ? set->columns[0].name : "NAME");
}

/* Chooses the columns that the user named, at most LINES_MAX. Refuses unknown names; if none is named, lists them. */
static mass_status choose(plot *p, mass_error *error)
{
    if (!p->options->names) return ask_for_names(p, error);
    for (const char *at = p->options->names;; at++) {
        const size_t length = strcspn(at, ",");
        const int column = find_column(&p->contents.set, at, length);
        if (column < 0) return refuse_name(p, at, length, error);
        if (p->chosen_count == LINES_MAX)
            return mass_error_set(error, MASS_BAD_USAGE, "plot draws at most %d series at once", LINES_MAX);
        p->chosen[p->chosen_count++] = (uint32_t)column;
        at += length;
        if (!*at) break;
    }
    return MASS_OK;
}

/* Returns the first column that is drawn. Call it after choose. */
static const mass_series_column *first_column(const plot *p) { return &p->contents.set.columns[p->chosen[0]]; }

/* Returns whether that column has bins. */
static bool has_bins(const plot *p) { return mass_series_length(first_column(p)) > 1; }

/* Chooses the row of --at, or the last. Refuses a step without a row. The file has rows. */
static mass_status choose_row(plot *p, mass_error *error)
{
    const mass_series_contents *c = &p->contents;
    const uint64_t last = c->first + (c->rows - 1) * c->set.every, at = p->options->at_given ? p->options->at : last;
    p->row = (at - c->first) / c->set.every;
    if (at >= c->first && at <= last && (at - c->first) % c->set.every == 0) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "%s has no row of step %llu: its rows are of every %llu from %llu to "
                          "%llu", p->options->file, (unsigned long long)at, (unsigned long long)c->set.every,
                          (unsigned long long)c->first, (unsigned long long)last);
}

/* Returns the step of a row, counted from the first row that is shown. */
static uint64_t step_of(const plot *p, uint64_t row)
{
    return p->contents.first + (p->skipped + row) * p->contents.set.every;
}

/* Chooses the rows from --from to --to; all without them. Refuses these for bars, and a range without rows. */
static mass_status choose_rows(plot *p, mass_error *error)
{
    const mass_series_contents *c = &p->contents;
    const mass_plot_options *o = p->options;
    const uint64_t every = c->set.every, last = c->first + (c->rows - 1) * every;
    const uint64_t from = o->from_given && o->from > c->first ? o->from : c->first;
    const uint64_t to = o->to_given && o->to < last ? o->to : last;
    p->skipped = (from - c->first + every - 1) / every;
    const uint64_t end = to < c->first ? 0 : (to - c->first) / every + 1;
    char steps[32] = "step";
    if (every != 1) snprintf(steps, sizeof steps, "%llu steps", (unsigned long long)every);
    if (p->bars && (o->from_given || o->to_given))
        return mass_error_set(error, MASS_BAD_USAGE, "--from and --to are for lines over steps, and bars are of one: "
                              "--at");
    if (from > last || p->skipped >= end)
        return mass_error_set(error, MASS_BAD_USAGE, "%s has no row between --from and --to: its rows are of every %s "
                              "from %llu to %llu", o->file, steps, (unsigned long long)c->first,
                              (unsigned long long)last);
    p->rows = (size_t)(end - p->skipped);
    return MASS_OK;
}

/* Decides whether to draw bars: for --bins and for a series with bins. For bars it also chooses the row. Refuses
 * options that do not fit that, with MASS_BAD_USAGE. */
static mass_status choose_bars(plot *p, mass_error *error)
{
    const mass_series_set *set = &p->contents.set;
    const mass_plot_options *o = p->options;
    p->bars = o->bins;
    for (uint32_t k = 0; k < p->chosen_count; k++) {
        const mass_series_column *c = &set->columns[p->chosen[k]];
        if (mass_series_length(c) > 1 && p->chosen_count > 1)
            return mass_error_set(error, MASS_BAD_USAGE, "'%s' has bins, and is drawn alone", c->name);
        p->bars |= mass_series_length(c) > 1;
    }
    if (p->bars && p->chosen_count > 1)
        return mass_error_set(error, MASS_BAD_USAGE, "--bins draws one series at once");
    if (o->at_given && !p->bars)
        return mass_error_set(error, MASS_BAD_USAGE, "--at is for series with bins, and for --bins");
    if (o->mean && (p->bars || set->worlds == 1))
        return mass_error_set(error, MASS_BAD_USAGE, "--mean is for %s",
                              p->bars ? "lines over steps, and not for bars" : "several worlds, and the file has one");
    if (o->world_given && !has_bins(p))
        return mass_error_set(error, MASS_BAD_USAGE, "--world is for series with bins: others are drawn of all worlds");
    const uint64_t first = (uint64_t)set->first_world, last = first + (uint64_t)set->worlds - 1;
    if (o->world_given && (o->world < first || o->world > last))
        return mass_error_set(error, MASS_BAD_USAGE, "%s has no world %llu: it has %llu to %llu", o->file,
                              (unsigned long long)o->world, (unsigned long long)first, (unsigned long long)last);
    return p->bars ? choose_row(p, error) : MASS_OK;
}

/* Writes a unit fit for a terminal: a file's unit may contain any bytes. */
static void show_unit(char out[UNIT_SIZE], const mass_series_column *c)
{
    mass_escape(c->unit, strlen(c->unit), out, UNIT_SIZE);
}

/* Puts a series' name, and its unit in parentheses if it has one. */
static void label_column(char out[LABEL_SIZE], const mass_series_column *c)
{
    char unit[UNIT_SIZE];
    show_unit(unit, c);
    if (unit[0]) snprintf(out, LABEL_SIZE, "%s (%s)", c->name, unit);
    else snprintf(out, LABEL_SIZE, "%s", c->name);
}

/* Makes line `of` of chosen column k, whose values have been read, and its label: the column, the world or its
 * parameters, or both. */
static void make_line(plot *p, uint32_t k, uint32_t of)
{
    const bool mean = p->options->mean;
    const size_t rows = p->rows, line = k * (size_t)p->worlds.count + of;
    const double *y = p->values + line * rows * (mean ? 3 : 1);
    char own[LABEL_SIZE], *label = p->labels[line];
    p->lines[line] = (mass_chart_line){label, y, mean ? y + rows : NULL, mean ? y + 2 * rows : NULL};
    label_column(label, &p->contents.set.columns[p->chosen[k]]);
    mass_plot_worlds_label(&p->worlds, of, own, sizeof own);
    const size_t used = (p->chosen_count > 1 && !p->apart) || !own[0] ? strlen(label) : 0;
    snprintf(label + used, LABEL_SIZE - used, "%s%s", used && own[0] ? ", " : "", own);
}

/* Returns whether all finite values are whole numbers of at least 0. */
static bool are_counts(const double *values, size_t count)
{
    bool counts = true;
    for (size_t i = 0; i < count && counts; i++)
        counts = !isfinite(values[i]) || (values[i] >= 0 && values[i] == floor(values[i]));
    return counts;
}

/* Cuts the bands around means of counts at 0. */
static void cut_bands(const plot *p, double *means)
{
    for (uint32_t line = 0; line < p->worlds.count; line++)
        for (double *low = means + (3 * line + 1) * p->rows, *end = low + p->rows; low < end; low++)
            if (*low < 0) *low = 0;
}

/* Stores the values of chosen column k, line by line, or their means and bands. Notes whether they are counts. */
static void take_values(plot *p, uint32_t k, const double *by_row, double *out)
{
    const size_t rows = p->rows, worlds = (size_t)p->contents.set.worlds;
    p->counts[k] = are_counts(by_row, rows * worlds);
    if (p->options->mean) mass_plot_worlds_mean(&p->worlds, by_row, rows, out);
    if (p->options->mean && p->counts[k]) cut_bands(p, out);
    if (!p->options->mean)
        for (size_t w = 0; w < worlds; w++)
            for (size_t i = 0; i < rows; i++) out[w * rows + i] = by_row[i * worlds + w];
}

typedef struct extent {
    double low, high;
} extent;

/* Returns the extent of the lines of column k without their bands; low is above high if no value is finite. */
static extent extent_of(const plot *p, uint32_t k)
{
    const size_t rows = p->rows, each = rows * (p->options->mean ? 3 : 1);
    extent e = {HUGE_VAL, -HUGE_VAL};
    for (size_t line = k * (size_t)p->worlds.count; line < (k + 1) * (size_t)p->worlds.count; line++)
        for (size_t i = 0; i < rows; i++) {
            const double y = p->values[line * each + i];
            if (!isfinite(y)) continue;
            e.low = y < e.low ? y : e.low;
            e.high = y > e.high ? y : e.high;
        }
    return e;
}

/* Returns whether the columns need separate charts: one that changes would have less than a tenth of the common height
 * and look constant. */
static bool are_unlike(const plot *p)
{
    extent all = {HUGE_VAL, -HUGE_VAL};
    double least = HUGE_VAL;
    for (uint32_t k = 0; k < p->chosen_count; k++) {
        const extent e = extent_of(p, k);
        all.low = e.low < all.low ? e.low : all.low;
        all.high = e.high > all.high ? e.high : all.high;
        if (e.low < e.high && e.high - e.low < least) least = e.high - e.low;
    }
    return p->chosen_count > 1 && least < HUGE_VAL && least < (all.high - all.low) / 10;
}

/* Reads the chosen columns and makes their lines, column by column. Sets `apart` if they need separate charts. */
static mass_status read_values(plot *p, mass_error *error)
{
    mass_status status = mass_plot_worlds_make(&p->contents.set, p->options->mean, &p->worlds, error);
    if (status != MASS_OK) return status;
    const size_t rows = p->rows, worlds = (size_t)p->contents.set.worlds, size = rows * worlds;
    const size_t lines = p->chosen_count * (size_t)p->worlds.count, each = p->options->mean ? 3 * rows : rows;
    if (rows > SIZE_MAX / 64 / (worlds * p->chosen_count)) return mass_error_memory(error, SIZE_MAX, "a plot");
    double *by_row = malloc((size + 1) * sizeof *by_row);
    p->values = malloc((lines * each + 1) * sizeof *p->values);
    p->labels = calloc(lines, sizeof *p->labels);
    p->lines = calloc(lines, sizeof *p->lines);
    if (!by_row || !p->values || !p->labels || !p->lines)
        status = mass_error_memory(error, (size + lines * each) * sizeof(double), "a plot");
    for (uint32_t k = 0; status == MASS_OK && k < p->chosen_count; k++) {
        status = mass_series_read(&p->contents, p->chosen[k], p->skipped, rows, by_row, error);
        if (status == MASS_OK) take_values(p, k, by_row, p->values + k * p->worlds.count * each);
    }
    p->apart = status == MASS_OK && are_unlike(p);
    for (uint32_t k = 0; status == MASS_OK && k < p->chosen_count; k++)
        for (uint32_t l = 0; l < p->worlds.count; l++) make_line(p, k, l);
    free(by_row);
    return status;
}

/* Writes the label of the first column, and of as many others as fit. */
static void label_all(plot *p)
{
    static const char more[] = ", ...";
    size_t used = 0;
    for (uint32_t k = 0; k < p->chosen_count; k++) {
        char name[LABEL_SIZE];
        label_column(name, &p->contents.set.columns[p->chosen[k]]);
        const bool fits = used + strlen(name) + 2 * sizeof more < sizeof p->y_label;
        used += (size_t)snprintf(p->y_label + used, sizeof p->y_label - used, "%s%s", fits && used ? ", " : "",
                                 fits ? name : more);
        if (!fits) return;
    }
}

/* Appends to a label that means are drawn and, if there is one line, of how many worlds. */
static void label_means(const plot *p, char *label, size_t room)
{
    const size_t used = strlen(label);
    char of[40] = "";
    if (p->worlds.count == 1) snprintf(of, sizeof of, " of %u world%s", p->worlds.size[0],
                                      mass_plural(p->worlds.size[0]));
    snprintf(label + used, room - used, ", mean and standard deviation%s", of);
}

/* Sets the range of the y axis that the user gave. */
static void give_range(const plot *p, mass_chart *chart)
{
    const mass_plot_options *o = p->options;
    chart->y_min_given = o->y_min_given;
    chart->y_max_given = o->y_max_given;
    chart->y_min = o->y_min;
    chart->y_max = o->y_max;
}

/* Returns a chart of some lines over the drawn steps, which borrows label and lines. counts: all values are whole
 * numbers of at least 0. */
static mass_chart chart_of(const plot *p, const char *label, const mass_chart_line *lines, size_t count, bool counts)
{
    mass_chart chart = {.x_label = "step", .y_label = label, .x_first = (double)step_of(p, 0),
        .x_last = (double)step_of(p, p->rows - 1), .count = p->rows, .line_count = count, .lines = lines,
        .counts = counts};
    give_range(p, &chart);
    return chart;
}

/* Makes one chart of all columns, or if they are unlike (`apart`) a chart for each. */
static void make_lines(plot *p)
{
    const size_t each = p->worlds.count;
    p->chart_count = p->apart ? p->chosen_count : 1;
    for (uint32_t k = 0; p->apart && k < p->chosen_count; k++) {
        label_column(p->y_labels[k], &p->contents.set.columns[p->chosen[k]]);
        if (p->options->mean) label_means(p, p->y_labels[k], sizeof p->y_labels[k]);
        p->charts[k] = chart_of(p, p->y_labels[k], p->lines + k * each, each, p->counts[k]);
    }
    if (p->apart) return;
    label_all(p);
    if (p->options->mean) label_means(p, p->y_label, sizeof p->y_label);
    bool counts = true;
    for (uint32_t k = 0; k < p->chosen_count; k++) counts &= p->counts[k];
    p->charts[0] = chart_of(p, p->y_label, p->lines, p->chosen_count * each, counts);
}

/* Allocates for one row, and reads the row that bars show, of all worlds. The plot owns the memory, also on failure. */
static mass_status read_row(plot *p, mass_error *error)
{
    const size_t values = mass_series_length(first_column(p)) * (size_t)p->contents.set.worlds;
    const mass_status status = mass_plot_worlds_make(&p->contents.set, false, &p->worlds, error);
    if (status != MASS_OK) return status;
    p->values = malloc(values * sizeof *p->values);
    p->lines = calloc(1, sizeof *p->lines);
    if (!p->values || !p->lines) return mass_error_memory(error, values * sizeof *p->values, "a plot");
    return mass_series_read(&p->contents, p->chosen[0], p->row, 1, p->values, error);
}

/* Makes one chart of bars, one for each world. */
static void make_bars(plot *p)
{
    const mass_series_set *set = &p->contents.set;
    char name[LABEL_SIZE];
    label_column(name, first_column(p));
    snprintf(p->y_label, sizeof p->y_label, "%s at step %llu", name,
             (unsigned long long)(p->contents.first + p->row * set->every));
    p->lines[0] = (mass_chart_line){.label = p->y_label, .y = p->values};
    p->chart_count = 1;
    p->charts[0] = (mass_chart){.x_label = "world", .y_label = p->y_label, .kind = MASS_CHART_BARS,
        .x_first = set->first_world, .x_last = set->first_world + set->worlds - 1.0, .count = (size_t)set->worlds,
        .line_count = 1, .lines = p->lines};
    give_range(p, &p->charts[0]);
}

/* Makes bars of all bins of a world. The unit is that of the bins' values, not of their counts. */
static void make_bins(plot *p)
{
    const mass_series_column *c = first_column(p);
    const mass_series_set *set = &p->contents.set;
    const size_t length = mass_series_length(c);
    const uint64_t first = (uint64_t)set->first_world, world = p->options->world_given ? p->options->world : first;
    const bool edges = c->lo < c->hi;
    char whose[LABEL_SIZE];
    mass_plot_worlds_label(&p->worlds, (uint32_t)(world - first), whose, sizeof whose);
    snprintf(p->y_label, sizeof p->y_label, "%s at step %llu%s%s", c->name,
             (unsigned long long)(p->contents.first + p->row * set->every), whose[0] ? ", " : "", whose);
    show_unit(p->x_label, c);
    p->lines[0] = (mass_chart_line){.label = p->y_label, .y = p->values + (world - first) * length};
    p->chart_count = 1;
    p->charts[0] = (mass_chart){.x_label = p->x_label[0] ? p->x_label : edges ? "value" : "bin", .y_label = p->y_label,
        .kind = edges ? MASS_CHART_BINS : MASS_CHART_BARS, .x_first = edges ? c->lo : 0,
        .x_last = edges ? c->hi : (double)length - 1, .count = length, .line_count = 1, .lines = p->lines};
    give_range(p, &p->charts[0]);
}

/* Draws the charts with characters on standard output, in the terminal's size if it is one, and closes the results. */
static mass_status draw(const plot *p, mass_error *error)
{
    int columns = COLUMNS, rows = ROWS;
    FILE *to = mass_standard_results();
    const bool terminal = isatty(mass_standard_output());
    if (terminal) mass_terminal_size(mass_standard_output(), &columns, &rows);
    const int each = (rows - 2) / (int)p->chart_count, least = p->worlds.count > 1 ? ROWS_WITH_LEGEND : ROWS_LEAST;
    for (uint32_t k = 0; k < p->chart_count; k++) {
        char *text = mass_chart_draw(&p->charts[k], columns, each > least ? each : least, terminal);
        if (!text) return mass_error_memory(error, 1 << 16, "a plot");
        fputs(text, to);
        free(text);
    }
    return mass_standard_results_end(error);
}

/* Returns whether any chart has a number to draw. */
static bool has_numbers(const plot *p)
{
    bool some = false;
    for (uint32_t k = 0; k < p->chart_count; k++) some |= mass_chart_has_numbers(&p->charts[k]);
    return some;
}

/* Reads the file, chooses what to draw, and draws it to the terminal or the --output file. Refuses if nothing can be
 * drawn. */
static mass_status make(plot *p, mass_error *error)
{
    const char *file = p->options->file;
    mass_status status = mass_series_describe_probed(file, &p->contents, error);
    if (status == MASS_OK) status = choose(p, error);
    if (status == MASS_OK && p->contents.rows == 0)
        status = mass_error_set(error, MASS_BAD_INPUT, "%s has no rows yet", file);
    if (status == MASS_OK) status = choose_bars(p, error);
    if (status == MASS_OK) status = choose_rows(p, error);
    if (status == MASS_OK) status = p->bars ? read_row(p, error) : read_values(p, error);
    if (status != MASS_OK) return status;
    if (!p->bars) make_lines(p);
    else if (has_bins(p)) make_bins(p);
    else make_bars(p);
    if (!has_numbers(p))
        return mass_error_set(error, MASS_BAD_INPUT, "%s: there are no numbers to draw of %s", file, p->options->names);
    const char *to = p->options->output;
    return to ? mass_chart_write(p->charts, p->chart_count, to, p->options->force, error) : draw(p, error);
}

/* Replaces a folder, in the options, by the file of series that runs write to it. Leaves any other path. `path` must
 * remain. */
static mass_status find_file(mass_plot_options *o, char path[PATH_MAX], mass_error *error)
{
    struct stat facts;
    if (stat(o->file, &facts) != 0 || !S_ISDIR(facts.st_mode)) return MASS_OK;
    const size_t length = strlen(o->file);
    const char *slash = length && o->file[length - 1] == '/' ? "" : "/";
    if (snprintf(path, PATH_MAX, "%s%s%s", o->file, slash, MASS_SERIES_FILE) < PATH_MAX && access(path, F_OK) == 0) {
        o->file = path;
        return MASS_OK;
    }
    return mass_error_set(error, MASS_BAD_INPUT, "%s is a folder without a %s: a run writes one by --checkpoint %s "
                          "--log-every N", o->file, MASS_SERIES_FILE, o->file);
}

mass_status mass_plot(int count, char *const arguments[], mass_error *error)
{
    mass_plot_options options;
    mass_status status = mass_plot_options_parse(count, arguments, &options, error);
    if (status != MASS_OK) return status;
    if (options.help) {
        status = mass_usage_print(&mass_plot_command, mass_standard_results(), error);
        return status == MASS_OK ? mass_standard_results_end(error) : status;
    }
    plot *p = calloc(1, sizeof *p);
    if (!p) return mass_error_memory(error, sizeof *p, "a plot");
    p->options = &options;
    char path[PATH_MAX];
    status = find_file(&options, path, error);
    if (status == MASS_OK) status = make(p, error);
    mass_series_contents_free(&p->contents);
    mass_plot_worlds_free(&p->worlds);
    free(p->lines);
    free(p->labels);
    free(p->values);
    free(p);
    return status;
}
