/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/plot_options.h"

#include <string.h>

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

static const mass_option options[] = {
    {.heading = "Options", .name = "o", .value = "FILE.png", .kind = MASS_OPTION_TEXT,
     .at = offsetof(mass_plot_options, output), .expected = MASS_EXPECTED_FILE, .words = ".png",
     .help = "draw to a file, by gnuplot"},
    {.name = "bins", FLAG(bins), .help = "draw a row of a series without bins as bars, one for each world"},
    {.name = "at", .value = "STEP", NUMBER(at), .help = "the row to draw of a series with bins (default: the last)"},
    {.name = "world", .value = "K", NUMBER(world),
     .help = "the world to draw of a series with bins (default: the first)"},
    {.name = "mean", FLAG(mean),
     .help = "draw the mean of the worlds that have the same parameters, in a band of one standard deviation"},
    {.name = "force", FLAG(force), .help = "replace a FILE.png that is none of this program"},
    {.name = "help", .letter = 'h', FLAG(help), .help = "this text; man mass-engine-plot has it, too"},
    {.name = NULL}};

const mass_command mass_plot_command = {
    .name = "mass-engine plot",
    .summary = "draw time series of mass-engine",
    .about = "mass-engine plot draws series that --log wrote, in the terminal, or as a PNG. With several worlds, each "
             "is a line, called by its parameters where they differ. A series with bins is drawn as bars.",
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
    const char *end = out->output ? strrchr(out->output, '.') : NULL;
    if (status != MASS_OK || out->help) return status;
    if (!out->file)
        return mass_error_set(error, MASS_BAD_USAGE, "plot needs a file and names: mass-engine plot SERIES.h5 "
                              "NAME[,NAME...]");
    if (out->output && (!end || strcmp(end, ".png") != 0))
        return mass_error_set(error, MASS_BAD_USAGE, "-o %s does not end in .png", out->output);
    return MASS_OK;
}
