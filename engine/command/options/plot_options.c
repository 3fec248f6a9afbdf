/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/plot_options.h"
#include "io/chart/format.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <math.h>

/* Takes the file, then the names of the series. Refuses a third word. */
static mass_status take_word(void *into, const char *word, mass_error *error)
{
    mass_plot_options *o = into;
    if (!o->file) o->file = word;
    else if (!o->names) o->names = word;
    else return mass_error_set(error, MASS_BAD_USAGE, "plot takes a file and names, joined by commas, and not '%s' too",
                               word);
    return MASS_OK;
}

#define FLAG(member) .kind = MASS_OPTION_FLAG, .at = offsetof(mass_plot_options, member)
#define NUMBER(member) .kind = MASS_OPTION_INT64, .at = offsetof(mass_plot_options, member), .least = 0, \
                       .most = INT64_MAX, .given = offsetof(mass_plot_options, member##_given)

#define OTHER(take_) .kind = MASS_OPTION_OTHER, .take = (take_)

/* Reads an end of the y axis, and sets *given to whether it is valid. Reports an invalid one. */
static mass_status take_y(const mass_option *option, const char *text, double *y, bool *given, mass_error *error)
{
    *given = mass_read_f64(text, y) && fabs(*y) <= 1e300; /* leaves space for the other end of the axis */
    return *given ? MASS_OK : mass_error_set(error, MASS_BAD_USAGE, "--%s %s is not a number up to 1e300", option->name,
                                             text);
}

/* Takes --y-min. */
static mass_status take_y_min(void *into, const mass_option *option, const char *text, mass_error *error)
{
    mass_plot_options *o = into;
    return take_y(option, text, &o->y_min, &o->y_min_given, error);
}

/* Takes --y-max. */
static mass_status take_y_max(void *into, const mass_option *option, const char *text, mass_error *error)
{
    mass_plot_options *o = into;
    return take_y(option, text, &o->y_max, &o->y_max_given, error);
}

static const mass_option options[] = {
    {.heading = "Options", .name = "o", .value = "FILE", .kind = MASS_OPTION_TEXT,
     .at = offsetof(mass_plot_options, output), .expected = MASS_EXPECTED_FILE, .words = ".png .svg .pdf",
     .help = "draw to a .png, .svg or .pdf, with gnuplot"},
    {.name = "from", .value = "STEP", NUMBER(from), .help = "the first step to draw (default: that of the first row)"},
    {.name = "to", .value = "STEP", NUMBER(to), .help = "the last step to draw (default: that of the last row)"},
    {.name = "y-min", .value = "Y", OTHER(take_y_min), .help = "where the y axis begins"},
    {.name = "y-max", .value = "Y", OTHER(take_y_max), .help = "where it ends"},
    {.name = "bins", FLAG(bins), .help = "draw a row of a series without bins as bars, one for each world"},
    {.name = "at", .value = "STEP", NUMBER(at), .help = "the row to draw of a series with bins (default: the last)"},
    {.name = "world", .value = "K", NUMBER(world),
     .help = "the world to draw of a series with bins (default: the first)"},
    {.name = "mean", FLAG(mean),
     .help = "draw the mean of the worlds that have the same parameters, in a band of one standard deviation"},
    {.name = "force", FLAG(force), .help = "replace a FILE that this program did not write"},
    {.name = "help", .letter = 'h', FLAG(help), .help = "this text; man mass-engine-plot has it, too"},
    {.name = NULL}};

const mass_command mass_plot_command = {
    .name = "mass-engine plot",
    .summary = "draw time series of mass-engine",
    .about = "mass-engine plot draws series that --log wrote, in the terminal, or as a PNG, an SVG or a PDF. With "
             "several worlds, each is a line, named by its parameters if they differ. A series with bins is drawn "
             "as bars.",
    .ways = (const char *const[][2]){
        {"mass-engine plot SERIES.h5 NAME[,NAME...] [OPTION...]", "NAME is a series"},
        {NULL}},
    .options = options,
    .paragraphs = (const char *const[][2]){{NULL}},
    .asks = "plot --help lists them",
    .expected = MASS_EXPECTED_FILE,
    .words = ".h5",
    .word = take_word};

mass_status mass_plot_options_parse(int count, char *const arguments[], mass_plot_options *out, mass_error *error)
{
    *out = (mass_plot_options){0};
    const mass_status status = mass_command_read(&mass_plot_command, count, arguments, out, error);
    if (status != MASS_OK || out->help) return status;
    if (!out->file)
        return mass_error_set(error, MASS_BAD_USAGE, "plot needs a file and names: mass-engine plot SERIES.h5 "
                              "NAME[,NAME...]");
    if (out->output && !mass_chart_format_of(out->output))
        return mass_error_set(error, MASS_BAD_USAGE, "-o %s does not end in .png, .svg or .pdf", out->output);
    if (out->from_given && out->to_given && out->from > out->to)
        return mass_error_set(error, MASS_BAD_USAGE, "--from %" PRIu64 " is after --to %" PRIu64, out->from, out->to);
    if (out->y_min_given && out->y_max_given && out->y_min >= out->y_max)
        return mass_error_set(error, MASS_BAD_USAGE, "--y-min %g is not below --y-max %g", out->y_min, out->y_max);
    return MASS_OK;
}
