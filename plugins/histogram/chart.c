/* SPDX-License-Identifier: Apache-2.0 */
#include "chart.h"

#include <mass/tallies.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1 << 16, LENGTH = 40 };

typedef struct extent {
    int64_t first, last; /* first and last bin with a count; first > last: there is none */
    int64_t group;       /* number of bins in a row of the chart */
    int64_t *rows;       /* sum of their counts */
} extent;

/* Adds a bin to its row. Before there are rows, extends the extent to every bin that has a count. */
static void add_bin(extent *e, int64_t bin, int64_t count)
{
    if (e->rows && count) e->rows[(bin - e->first) / e->group] += count;
    else if (count) {
        if (e->first > e->last) e->first = bin;
        e->last = bin;
    }
}

/* Without rows, finds the first and the last bin with a count. With rows, adds the counts to the rows. */
static mass_status pass(mass_host *host, const chart *c, extent *e)
{
    int64_t *counts = malloc(PIECE * sizeof *counts);
    if (!counts) return host->fail(host, MASS_FAILED, "there is no memory to draw the bins");
    mass_status status = MASS_OK;
    for (int64_t at = 0; status == MASS_OK && at < c->bins; at += PIECE) {
        const int64_t count = c->bins - at < PIECE ? c->bins - at : PIECE;
        status = mass_tallies_of(host)->bins(host, c->tally, 0, (uint32_t)at, (uint32_t)count, counts);
        for (int64_t i = 0; status == MASS_OK && i < count; i++) add_bin(e, at + i, counts[i]);
    }
    free(counts);
    return status;
}

/* Writes "32 to 47" for whole numbers with a bin each; else the begin of the first bin and the end of the last. */
static void label(const chart *c, int64_t first, int64_t last, char out[40])
{
    const double from = c->lo + (double)first * c->width, to = c->lo + (double)(last + 1) * c->width;
    const int whole = c->width == 1 && from == floor(from);
    if (whole && first == last) snprintf(out, 40, "%.6g", from);
    else snprintf(out, 40, "%.6g to %.6g", from, whole ? to - 1 : to);
}

/* Prints a row of the chart: its range, a bar relative to `most`, and its count. */
static void say_row(mass_host *host, const chart *c, const extent *e, int64_t row, int64_t most)
{
    const int64_t first = e->first + row * e->group, end = first + e->group - 1, count = e->rows[row];
    const double part = (double)count / (double)most;
    char bar[LENGTH + 1] = "", name[40], line[140];
    for (int i = 0; i < LENGTH && (i + 0.5 < part * LENGTH || (i == 0 && count > 0)); i++) bar[i] = '#', bar[i + 1] = 0;
    label(c, first, end < e->last ? end : e->last, name);
    snprintf(line, sizeof line, "%26s  %-*s %" PRId64, name, LENGTH, bar, count);
    mass_run_of(host)->say(host, line);
}

mass_status chart_say(mass_host *host, const chart *c, int64_t rows)
{
    extent e = {.first = 0, .last = -1};
    mass_status status = pass(host, c, &e);
    if (status != MASS_OK || e.first > e.last) return status;
    e.group = (e.last - e.first) / rows + 1;
    rows = (e.last - e.first) / e.group + 1;
    e.rows = calloc((size_t)rows, sizeof *e.rows);
    status = e.rows ? pass(host, c, &e) : host->fail(host, MASS_FAILED, "there is no memory to draw the bins");
    int64_t most = 0;
    for (int64_t i = 0; status == MASS_OK && i < rows; i++) most = e.rows[i] > most ? e.rows[i] : most;
    for (int64_t i = 0; status == MASS_OK && i < rows; i++) say_row(host, c, &e, i, most);
    free(e.rows);
    return status;
}
