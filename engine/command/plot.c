#include "command/plot.h"
#include "io/chart.h"
#include "io/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS = 80, ROWS = 24, LINES_MAX = 64 };

const char mass_plot_help[] =
    "mass-engine plot SERIES.h5 NAME[,NAME...] [-o FILE.png] [--bins]\n"
    "\n"
    "Draws series that --log wrote, in the terminal, or as a PNG with gnuplot. With several worlds, each is a\n"
    "line. --bins draws the last row as bars, one for each of its values.\n";

typedef struct plot_options {
    const char *file, *names, *output; /* output: NULL for the terminal */
    bool bins, help;
} plot_options;

static mass_status parse(int count, char *const arguments[], plot_options *o, mass_error *error)
{
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        if (strcmp(argument, "--bins") == 0) o->bins = true;
        else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) o->help = true;
        else if (strcmp(argument, "-o") == 0) {
            if (++i == count) return mass_error_set(error, MASS_BAD_USAGE, "-o needs a value");
            o->output = arguments[i];
        } else if (argument[0] == '-')
            return mass_error_set(error, MASS_BAD_USAGE, "plot has no option %s; plot --help lists them", argument);
        else if (!o->file) o->file = argument;
        else if (!o->names) o->names = argument;
        else return mass_error_set(error, MASS_BAD_USAGE, "plot takes a file and names, joined by commas, and not "
                                   "'%s' too", argument);
    }
    const char *end = o->output ? strrchr(o->output, '.') : NULL;
    if (o->help) return MASS_OK;
    if (!o->names)
        return mass_error_set(error, MASS_BAD_USAGE, "plot needs a file and names: mass-engine plot SERIES.h5 "
                              "NAME[,NAME...]");
    if (o->output && (!end || strcmp(end, ".png") != 0))
        return mass_error_set(error, MASS_BAD_USAGE, "-o %s does not end in .png", o->output);
    return MASS_OK;
}

/* ---- what is drawn ---- */

typedef struct plot {
    const plot_options *options;
    mass_series_contents contents;
    uint32_t chosen[LINES_MAX], chosen_count; /* columns */
    double *values; /* [lines][points] */
    char (*labels)[256];
    mass_chart_line *lines;
    mass_chart chart;
    char y_label[300];
} plot;

static int find_column(const mass_series_set *set, const char *name, size_t length)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (strlen(set->columns[i].name) == length && strncmp(set->columns[i].name, name, length) == 0) return (int)i;
    return -1;
}

static mass_status refuse_name(const plot *p, const char *name, size_t length, mass_error *error)
{
    const mass_series_set *set = &p->contents.set;
    char names[500] = "";
    for (uint32_t i = 0; i < set->count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", set->columns[i].name);
    }
    return mass_error_set(error, MASS_BAD_USAGE, "%s has no series '%.*s'; it has %s", p->options->file, (int)length,
                          name, names[0] ? names : "none");
}

static mass_status choose(plot *p, mass_error *error)
{
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
    if (p->options->bins && p->chosen_count > 1)
        return mass_error_set(error, MASS_BAD_USAGE, "--bins draws one series at once");
    return MASS_OK;
}

static void label_column(char *out, size_t room, const mass_series_column *c)
{
    if (c->unit[0]) snprintf(out, room, "%s (%s)", c->name, c->unit);
    else snprintf(out, room, "%s", c->name);
}

/* The chosen columns, each with its worlds one after another: [columns][worlds][rows] */
static mass_status read_values(plot *p, mass_error *error)
{
    const size_t rows = (size_t)p->contents.rows, worlds = (size_t)p->contents.set.worlds, size = rows * worlds;
    const size_t lines = p->chosen_count * worlds;
    if (rows > SIZE_MAX / 16 / lines) return mass_error_memory(error, SIZE_MAX, "a plot");
    double *by_row = malloc((size + 1) * sizeof *by_row);
    p->values = malloc((size * p->chosen_count + 1) * sizeof *p->values);
    p->labels = calloc(lines, sizeof *p->labels);
    p->lines = calloc(lines, sizeof *p->lines);
    mass_status status = by_row && p->values && p->labels && p->lines
                             ? MASS_OK : mass_error_memory(error, size * p->chosen_count * 2 * sizeof(double),
                                                           "a plot");
    for (uint32_t k = 0; status == MASS_OK && k < p->chosen_count; k++) {
        const mass_series_column *c = &p->contents.set.columns[p->chosen[k]];
        status = mass_series_read(p->options->file, &p->contents, p->chosen[k], by_row, error);
        for (size_t w = 0; status == MASS_OK && w < worlds; w++) {
            const size_t line = k * worlds + w, used = (label_column(p->labels[line], 200, c), strlen(p->labels[line]));
            for (size_t i = 0; i < rows; i++) p->values[line * rows + i] = by_row[i * worlds + w];
            if (worlds > 1) snprintf(p->labels[line] + used, 50, ", world %d", p->contents.set.first_world + (int)w);
            p->lines[line] = (mass_chart_line){p->labels[line], p->values + line * rows};
        }
    }
    free(by_row);
    return status;
}

static void make_lines(plot *p)
{
    for (uint32_t k = 0; k < p->chosen_count; k++) {
        const size_t used = strlen(p->y_label);
        char name[200];
        label_column(name, sizeof name, &p->contents.set.columns[p->chosen[k]]);
        snprintf(p->y_label + used, sizeof p->y_label - used, "%s%s", used ? ", " : "", name);
    }
    p->chart = (mass_chart){.x_label = "step", .y_label = p->y_label, .x_first = (double)p->contents.first,
        .x_step = (double)p->contents.set.every, .count = (size_t)p->contents.rows,
        .line_count = p->chosen_count * (size_t)p->contents.set.worlds, .lines = p->lines};
}

/* The last row, which is laid out as one line. */
static void make_bars(plot *p)
{
    const size_t rows = (size_t)p->contents.rows, worlds = (size_t)p->contents.set.worlds;
    char name[200];
    for (size_t w = 0; w < worlds; w++) p->values[w] = p->values[w * rows + rows - 1];
    label_column(name, sizeof name, &p->contents.set.columns[p->chosen[0]]);
    snprintf(p->y_label, sizeof p->y_label, "%s at step %llu", name,
             (unsigned long long)(p->contents.first + (rows - 1) * p->contents.set.every));
    p->lines[0].label = p->y_label;
    p->chart = (mass_chart){.x_label = "world", .y_label = p->y_label, .bars = true,
        .x_first = p->contents.set.first_world, .x_step = 1, .count = worlds, .line_count = 1, .lines = p->lines};
}

static mass_status draw(const plot *p, mass_error *error)
{
    struct winsize size = {.ws_col = COLUMNS, .ws_row = ROWS};
    const bool terminal = isatty(STDOUT_FILENO);
    if (terminal && (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0))
        size = (struct winsize){.ws_col = COLUMNS, .ws_row = ROWS};
    char *text = mass_chart_draw(&p->chart, size.ws_col, size.ws_row - 2, terminal);
    if (!text) return mass_error_memory(error, 1 << 16, "a plot");
    const bool written = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    free(text);
    return written ? MASS_OK : mass_error_set(error, MASS_FAILED, "standard output cannot be written");
}

static mass_status make(plot *p, mass_error *error)
{
    const char *file = p->options->file;
    mass_status status = mass_series_probe(file, error);
    if (status == MASS_OK) status = mass_series_describe(file, &p->contents, error);
    if (status == MASS_OK) status = choose(p, error);
    if (status == MASS_OK && p->contents.rows == 0)
        status = mass_error_set(error, MASS_BAD_INPUT, "%s has no rows yet", file);
    if (status == MASS_OK) status = read_values(p, error);
    if (status != MASS_OK) return status;
    if (p->options->bins) make_bars(p);
    else make_lines(p);
    return p->options->output ? mass_chart_write_png(&p->chart, p->options->output, error) : draw(p, error);
}

mass_status mass_plot(int count, char *const arguments[], mass_error *error)
{
    plot_options options = {0};
    mass_status status = parse(count, arguments, &options, error);
    if (status != MASS_OK) return status;
    if (options.help)
        return fputs(mass_plot_help, stdout) >= 0 && fflush(stdout) == 0
                   ? MASS_OK : mass_error_set(error, MASS_FAILED, "standard output cannot be written");
    plot *p = calloc(1, sizeof *p);
    if (!p) return mass_error_memory(error, sizeof *p, "a plot");
    p->options = &options;
    status = make(p, error);
    mass_series_set_free(&p->contents.set);
    free(p->lines);
    free(p->labels);
    free(p->values);
    free(p);
    return status;
}
