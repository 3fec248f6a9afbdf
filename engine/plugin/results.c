/* SPDX-License-Identifier: Apache-2.0 */
/* Services that read the state of a run: place attributes, tallies, counts by key. */
#include "plugin/services.h"
#include "process/progress.h"
#include "process/signals.h"
#include "state/box.h"
#include "state/key_counts.h"
#include "state/tally.h"

#include <math.h>
#include <stdlib.h>

/* Returns the worlds of the run, over all ranks; 0 before there is a domain. */
static int32_t run_worlds(mass_host *host) { return self(host)->domain ? self(host)->domain->share.worlds : 0; }
static uint64_t run_seed(mass_host *host) { return self(host)->opening->seed; }
/* Returns the run's last step, in finish; 0 in the calls before it. */
static uint64_t run_step(mass_host *host) { return self(host)->step; }

/* Returns an attribute by its names, or -1 with an error: in open, if it is undeclared, or after a signal while
 * loading. */
static int find_attribute(mass_engine_host *h, const char *space, const char *attribute)
{
    if (h->loading && mass_signals_check(h->error) != MASS_OK) return -1;
    if (!h->domain) {
        mass_error_set(h->error, MASS_BAD_PLUGIN, "it reads or writes attributes in open, before they exist");
        return -1;
    }
    const int s = mass_model_find_space(h->model, space);
    const int a = s < 0 || !attribute ? -1 : mass_model_find_attribute(h->model, (uint32_t)s, attribute);
    if (a < 0)
        mass_error_set(h->error, MASS_BAD_PLUGIN, "it reads or writes attribute '%s', which it did not declare",
                       attribute ? attribute : "");
    return a;
}

/* Reads elements of an attribute of a world, from any rank. */
static mass_status run_read(mass_host *host, const char *space, const char *attribute, int32_t world,
                            const mass_gidx origin[3], const mass_gidx extent[3], void *data)
{
    mass_engine_host *h = self(host);
    const int a = find_attribute(h, space, attribute);
    return a < 0 ? h->error->status : mass_domain_read(h->domain, (uint32_t)a, world, origin, extent, data, h->error);
}

/* Writes elements of an attribute of a world, on any rank. */
static mass_status run_write(mass_host *host, const char *space, const char *attribute, int32_t world,
                             const mass_gidx origin[3], const mass_gidx extent[3], const void *data)
{
    mass_engine_host *h = self(host);
    const int a = find_attribute(h, space, attribute);
    return a < 0 ? h->error->status : mass_domain_write(h->domain, (uint32_t)a, world, origin, extent, data, h->error);
}

/* Reads a tally of one value; NaN: it has none at this step. Refuses tallies of bins, keys or several values. */
static mass_status run_tally(mass_host *host, const char *name, int32_t world, double *value)
{
    mass_engine_host *h = self(host);
    const int index = name ? mass_model_find_tally(h->model, name) : -1;
    if (!h->domain || index < 0 || world < 0 || world >= h->domain->share.worlds)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for tally '%s' of world %d, which it does not have",
                              name ? name : "", world);
    const mass_tally_def *t = &h->model->tallies[index];
    if (t->bins || t->keys)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for tally '%s' as one value, and it has %s", name,
                              t->keys ? "keys" : mass_tally_is_kept(t) ? "several values" : "bins");
    int64_t accumulators[MASS_EXACT_WORDS];
    const mass_status status = mass_domain_read_tally(h->domain, (uint32_t)index, world, 0, t->words, accumulators,
                                                      h->error);
    const bool unknown = mass_tally_is_unknown(t, h->step);
    if (status == MASS_OK) *value = unknown ? NAN : mass_tally_value(t, accumulators);
    return status;
}

/* Reads `count` bins of a tally, from `first` on. Refuses bins that it does not have. */
static mass_status run_bins(mass_host *host, const char *name, int32_t world, uint32_t first, uint32_t count,
                            int64_t *out)
{
    mass_engine_host *h = self(host);
    const int index = name ? mass_model_find_tally(h->model, name) : -1;
    const mass_tally_def *t = index < 0 ? NULL : &h->model->tallies[index];
    if (!h->domain || !t || world < 0 || world >= h->domain->share.worlds || first > t->bins || count > t->bins - first)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for bins of tally '%s' in world %d, which it does "
                              "not have", name ? name : "", world);
    return mass_domain_read_tally(h->domain, (uint32_t)index, world, first, count, out, h->error);
}

/* Returns the keys of a tally in a world, valid until the next call. Returns NULL, with an error set, if there are
 * none. */
static const mass_key_list *find_keys(mass_engine_host *h, const char *name, int32_t world)
{
    const int index = name && h->domain ? mass_model_find_tally(h->model, name) : -1;
    mass_key_list_free(&h->keys);
    if (index < 0 || !h->model->tallies[index].keys || world < 0 || world >= h->domain->share.worlds) {
        mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for the keys of tally '%s' of world %d, which does not "
                       "count by key", name ? name : "", world);
        return NULL;
    }
    const mass_status status = mass_domain_read_keys_of(h->domain, (uint32_t)index, world, 1, &h->keys, h->error);
    return status == MASS_OK ? &h->keys : NULL;
}

/* Puts the number of keys and the sum of counts, each unless NULL. Frees texts of an earlier call. Refuses a
 * tally that does not count by key. */
static mass_status keys_distinct(mass_host *host, const char *tally, int32_t world, uint64_t *keys, int64_t *total)
{
    const mass_key_list *l = find_keys(self(host), tally, world);
    if (!l) return self(host)->error->status;
    if (keys) *keys = l->count;
    if (total) *total = mass_key_list_total(l);
    return MASS_OK;
}

/* Puts the keys with the largest counts, at most *count, and sets *count. Each array may be NULL. Fills in `numbers`
 * only if keys are numbers: then texts are NULL. Texts are valid until the next call. Refuses a tally that does not
 * count by key. */
static mass_status keys_top(mass_host *host, const char *tally, int32_t world, uint64_t *count, uint64_t *numbers,
                            const unsigned char **texts, uint64_t *lengths, int64_t *counts)
{
    const mass_key_list *l = find_keys(self(host), tally, world);
    if (!l) return self(host)->error->status;
    const uint64_t most = *count < l->count ? *count : l->count;
    uint64_t *top = malloc((most + 1) * sizeof *top);
    if (!top) return mass_error_memory(self(host)->error, most * sizeof *top, "the keys of a tally");
    *count = mass_key_list_top(l, most, top);
    for (uint64_t i = 0; i < *count; i++) {
        uint64_t length = 0;
        const uint8_t *text = l->texts ? mass_key_list_text(l, top[i], &length) : NULL;
        if (numbers && !l->texts) numbers[i] = l->keys[top[i]];
        if (texts) texts[i] = text;
        if (lengths) lengths[i] = length;
        if (counts) counts[i] = l->counts[top[i]];
    }
    free(top);
    return MASS_OK;
}

/* Prints a line of the plugin as progress, after the plugin's name, unless --quiet is given. */
static void run_say(mass_host *host, const char *line)
{
    if (!self(host)->opening->quiet && line) mass_progress_say("%s: %s", self(host)->model->plugin, line);
}

const mass_run_table mass_host_run_table = {sizeof mass_host_run_table, run_worlds, run_seed, run_step, run_read,
    run_write, run_tally, run_say};
const mass_keys_table mass_host_keys_table = {sizeof mass_host_keys_table, keys_distinct, keys_top};
const mass_tallies_table mass_host_tallies_table = {sizeof mass_host_tallies_table, run_bins};
