/* SPDX-License-Identifier: Apache-2.0 */
#include "command/plot/plot_worlds.h"
#include "base/plural.h"
#include "base/escape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_MOST = 200 };

/* ---- worlds with the same parameters ---- */

/* Orders worlds by their parameters, all of which are swept, then by number. */
static int compare_worlds(const void *first, const void *second, void *list)
{
    const mass_parameters *p = list;
    const int32_t a = *(const int32_t *)first, b = *(const int32_t *)second;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint64_t x = p->slots[i].swept[a], y = p->slots[i].swept[b];
        if (x != y) return x < y ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

/* Sets same[w] to the first world with the parameters of world w. Returns whether any two worlds have the same. `order`
 * has space for all worlds. */
static bool find_same(const mass_series_set *set, int32_t *order, int32_t *same)
{
    bool any = false;
    for (int32_t w = 0; w < set->worlds; w++) order[w] = w;
    qsort_r(order, (size_t)set->worlds, sizeof *order, compare_worlds, (void *)&set->parameters);
    for (int32_t i = 0; i < set->worlds; i++) {
        const bool again = i > 0 && mass_swept_same(&set->parameters, order[i - 1], order[i]);
        same[order[i]] = again ? same[order[i - 1]] : order[i];
        any |= again;
    }
    return any;
}

/* ---- lines ---- */

/* Adds a world to the line of `leader`, the first world with the same parameters, or begins that line. */
static void add_world(mass_plot_worlds *w, int32_t world, int32_t leader)
{
    if (leader == world) w->first[w->count++] = world;
    w->line[world] = leader == world ? w->count - 1 : w->line[leader];
    w->size[w->line[world]]++;
}

/* Gives each world a line; with means one for equal parameters, or for all worlds if none are equal (`mixed`). Marks
 * worlds that share parameters. order, same: [worlds] for its use. */
static void make_lines(mass_plot_worlds *w, int32_t *order, int32_t *same)
{
    const mass_series_set *set = w->set;
    const bool swept = set->parameters.count > 0, any = swept && find_same(set, order, same);
    w->mixed = !any;
    for (int32_t i = 0; i < set->worlds; i++) {
        const int32_t together = w->mixed ? 0 : same[i];
        add_world(w, i, w->mean ? together : i);
        if (any && !w->mean && same[i] != i) w->shares[i] = w->shares[same[i]] = true;
    }
}

mass_status mass_plot_worlds_make(const mass_series_set *set, bool mean, mass_plot_worlds *out, mass_error *error)
{
    const size_t worlds = (size_t)set->worlds;
    int32_t *order = calloc(2 * worlds, sizeof *order);
    *out = (mass_plot_worlds){set, mean, calloc(worlds, sizeof *out->line), calloc(worlds, sizeof *out->size),
                              calloc(worlds, sizeof *out->first), calloc(worlds, sizeof *out->shares), 0, false};
    const bool made = order && out->line && out->size && out->first && out->shares;
    if (made) make_lines(out, order, order + worlds);
    free(order);
    return made ? MASS_OK : mass_error_memory(error, worlds * 24, "a plot");
}

void mass_plot_worlds_free(mass_plot_worlds *w)
{
    free(w->line);
    free(w->size);
    free(w->first);
    free(w->shares);
    *w = (mass_plot_worlds){0};
}

void mass_plot_worlds_label(const mass_plot_worlds *w, uint32_t line, char *out, size_t room)
{
    const mass_series_set *set = w->set;
    char parameters[LABEL_MOST] = "", worlds[40] = "", text[2 * LABEL_MOST];
    out[0] = '\0';
    if (set->worlds == 1 || (w->mean && w->mixed)) return;
    mass_swept_label(&set->parameters, w->first[line], parameters, sizeof parameters);
    if (w->mean) snprintf(worlds, sizeof worlds, "%u world%s", w->size[line], mass_plural(w->size[line]));
    else if (!parameters[0] || w->shares[line])
        snprintf(worlds, sizeof worlds, "world %d", set->first_world + w->first[line]);
    snprintf(text, sizeof text, "%s%s%s", parameters, parameters[0] && worlds[0] ? ", " : "", worlds);
    mass_escape(text, strlen(text), out, room);
}

void mass_plot_worlds_mean(const mass_plot_worlds *w, const double *by_row, size_t rows, double *out)
{
    const size_t worlds = (size_t)w->set->worlds;
    for (size_t i = 0; i < 3 * rows * w->count; i++) out[i] = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < worlds; k++) { /* Welford's method, 1962 */
            double *mean = out + 3 * rows * w->line[k] + i, *squares = mean + rows, *count = squares + rows;
            const double value = by_row[i * worlds + k], before = value - *mean;
            if (!isfinite(value)) continue;
            *mean += before / ++*count;
            *squares += before * (value - *mean);
        }
    for (size_t i = 0; i < rows * w->count; i++) {
        double *mean = out + i / rows * 3 * rows + i % rows, *low = mean + rows, *high = low + rows;
        const double deviation = *high > 1 ? sqrt(*low / (*high - 1)) : NAN;
        if (*high == 0) *mean = NAN;
        *low = *mean - deviation;
        *high = *mean + deviation;
    }
}
