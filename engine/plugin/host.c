/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/host.h"
#include "core/sized.h"
#include "domain/population.h"
#include "process/crash.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"
#include "text/log.h"
#include "text/parameter.h"

#include <mass/seed.h>
#include <mass/streams.h>
#include <mass/tallies.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBED_PIECES = 4 }; /* of a stream, when a plugin is tried */

static mass_engine_host *self(mass_host *host) { return (mass_engine_host *)host; }

static mass_status fail(mass_host *host, mass_status status, const char *format, ...)
{
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (status != MASS_BAD_USAGE && status != MASS_BAD_INPUT && status != MASS_FAILED) status = MASS_BAD_PLUGIN;
    return mass_error_set(self(host)->error, status, "%s", text);
}

/* ---- declarations ---- */

/* Whether a declaration may go on: open is running, and nothing failed yet. */
static mass_status may_declare(mass_engine_host *h, const char *what)
{
    if (h->error->status != MASS_OK) return h->error->status;
    return h->domain ? mass_error_set(h->error, MASS_BAD_PLUGIN, "%s: declared after open", what) : MASS_OK;
}

static mass_status take(mass_engine_host *h, const mass_sized *s, void *own, const void *d, uint32_t size)
{
    const mass_status status = may_declare(h, s->what);
    return status == MASS_OK ? mass_sized_take(s, own, d, size, h->error) : status;
}
/* Takes what the plugin declares by d into `own`, in the engine's size; members up to `last` have to be there. */
#define TAKE(what, last)                                                                                         \
    take(self(host), &(const mass_sized){#what, sizeof own, MASS_THROUGH(__typeof__(own), last)}, &own, d, \
         d ? d->struct_size : 0)

/* The condition that a declaration points at, if any. */
static mass_status take_condition(mass_engine_host *h, const mass_condition **c, uint32_t size, mass_condition *own)
{
    static const mass_sized sized = {"condition", sizeof *own, MASS_THROUGH(mass_condition, value)};
    if (!*c) return MASS_OK;
    const mass_status status = mass_sized_take(&sized, own, *c, size, h->error);
    *c = own;
    return status;
}

/* What is wrong with a setting, and where it stands. */
static mass_status refuse_setting(const mass_setting *s, const mass_error *why, mass_error *error)
{
    return mass_error_set(error, why->status, "%s%s%s", s->where ? s->where : "", s->where ? ": " : "", why->text);
}

static mass_status apply_setting(mass_engine_host *h, mass_parameter_slot *slot)
{
    const mass_opening *o = h->opening;
    for (uint32_t i = 0; i < o->setting_count; i++) {
        if (strcmp(o->settings[i].name, slot->name) != 0) continue;
        mass_error why = {0};
        if (mass_parameter_set(slot, o->settings[i].value, &why) != MASS_OK)
            return refuse_setting(&o->settings[i], &why, h->error);
    }
    return MASS_OK;
}

static mass_status declare_parameter(mass_host *host, const mass_parameter *d)
{
    mass_parameter own;
    mass_status status = TAKE(parameter, name);
    mass_parameters *list = &self(host)->model->parameters;
    if (status == MASS_OK) status = mass_parameters_add(list, &own, self(host)->error);
    return status == MASS_OK ? apply_setting(self(host), &list->slots[list->count - 1]) : status;
}

/* A resumed run takes its constants from the checkpoint, like its parameters. */
static mass_status declare_constant(mass_host *host, const mass_constant *d)
{
    mass_constant own;
    mass_status status = TAKE(constant, name);
    mass_parameters *list = &self(host)->model->parameters;
    if (status == MASS_OK) status = mass_parameters_add_constant(list, &own, self(host)->error);
    return status == MASS_OK && self(host)->opening->resumed
               ? apply_setting(self(host), &list->slots[list->count - 1]) : status;
}

/* One number is the extent along every axis, where a line is not what is asked for. Returns how many axes. */
static uint32_t spread_size(const mass_opening *o, const mass_space *d, mass_gidx size[3])
{
    if (o->dimensions > 1 || d->dimensions_min < 2 || d->dimensions_max > 3) return o->dimensions;
    const uint32_t axes = d->size[2] || d->dimensions_min > 2 ? 3 : 2;
    for (uint32_t a = 1; a < axes; a++) size[a] = size[0];
    return axes;
}

static mass_status declare_space(mass_host *host, const mass_space *d)
{
    mass_engine_host *h = self(host);
    mass_space own;
    mass_status status = TAKE(space, size);
    if (status != MASS_OK) return status;
    const mass_opening *o = h->opening;
    const int stored = o->stored && own.name ? mass_model_find_space(o->stored, own.name) : -1;
    const bool sized = o->dimensions && h->model->space_count == 0;
    mass_gidx size[3] = {o->size[0], o->size[1], o->size[2]};
    const uint32_t dimensions = sized ? spread_size(o, &own, size) : 0;
    if (stored >= 0)
        status = mass_model_add_space(h->model, &own, o->stored->spaces[stored].size,
                                      o->stored->spaces[stored].dimensions, h->error);
    else status = mass_model_add_space(h->model, &own, sized ? size : NULL, dimensions, h->error);
    for (int a = 0; status == MASS_OK && o->extent_limit && a < 3; a++) {
        mass_gidx *extent = &h->model->spaces[h->model->space_count - 1].size[a];
        if (*extent > o->extent_limit) *extent = o->extent_limit;
    }
    return status;
}

static mass_status declare_attribute(mass_host *host, const mass_attribute *d)
{
    static const mass_sized sized = {"member", sizeof(mass_member), MASS_THROUGH(mass_member, offset)};
    mass_error *const error = self(host)->error;
    mass_attribute own;
    mass_member members[MASS_MEMBERS_MAX];
    mass_status status = TAKE(attribute, name);
    if (status == MASS_OK && own.members && own.member_count <= MASS_MEMBERS_MAX) {
        status = mass_sized_take_all(&sized, members, own.members, own.member_size, own.member_count, error);
        own.members = members;
    }
    return status == MASS_OK ? mass_model_add_attribute(self(host)->model, &own, error) : status;
}

static mass_status declare_tally(mass_host *host, const mass_tally *d)
{
    mass_tally own;
    const mass_status status = TAKE(tally, name);
    return status == MASS_OK ? mass_model_add_tally(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_phase(mass_host *host, const mass_phase *d)
{
    mass_phase own;
    const mass_status status = TAKE(phase, callback);
    return status == MASS_OK ? mass_model_add_phase(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_picture(mass_host *host, const mass_picture *d)
{
    mass_picture own;
    const mass_status status = TAKE(picture, palette);
    return status == MASS_OK ? mass_model_set_picture(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_steps(mass_host *host, uint64_t steps)
{
    mass_engine_host *h = self(host);
    const mass_status status = may_declare(h, "number of steps");
    if (status != MASS_OK) return status;
    if (steps > MASS_STEPS_MAX)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it declares more than 2^40 - 1 steps");
    h->model->default_steps = steps;
    return MASS_OK;
}

static mass_status declare_population(mass_host *host, const mass_population *d)
{
    mass_engine_host *h = self(host);
    static const mass_sized sized = {"drawn", sizeof(mass_drawn), MASS_THROUGH(mass_drawn, palette)};
    mass_population own;
    mass_drawn drawn;
    mass_status status = TAKE(population, space);
    if (status == MASS_OK && own.drawn) {
        status = mass_sized_take(&sized, &drawn, own.drawn, own.drawn_size, h->error);
        own.drawn = &drawn;
    }
    if (status == MASS_OK) status = mass_model_add_population(h->model, &own, h->error);
    mass_population_def *p = &h->model->populations[h->model->population_count ? h->model->population_count - 1 : 0];
    const mass_gidx places = status == MASS_OK ? mass_space_places(&h->model->spaces[p->space]) : 0;
    if (status == MASS_OK && h->opening->extent_limit && p->count > places) p->count = places;
    return status;
}

static mass_status declare_agent_phase(mass_host *host, const mass_agent_phase *d)
{
    mass_agent_phase own;
    mass_condition condition;
    mass_status status = TAKE(phase, callback);
    if (status == MASS_OK) status = take_condition(self(host), &own.condition, own.condition_size, &condition);
    return status == MASS_OK ? mass_model_add_agent_phase(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_manage(mass_host *host, const mass_manage *d)
{
    mass_manage own;
    mass_condition condition;
    mass_status status = TAKE(manage, population);
    if (status == MASS_OK) status = take_condition(self(host), &own.condition, own.condition_size, &condition);
    return status == MASS_OK ? mass_model_add_manage(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_log(mass_host *host, const mass_log *d)
{
    mass_log own;
    const mass_status status = TAKE(log, expression);
    return status == MASS_OK ? mass_model_add_log(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_reduction(mass_host *host, const mass_reduction *d)
{
    mass_reduction own;
    const mass_status status = TAKE(reduction, attribute);
    return status == MASS_OK ? mass_model_add_reduction(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_seed_unused(mass_host *host)
{
    mass_engine_host *h = self(host);
    const mass_status status = may_declare(h, "seed that is not used");
    if (status == MASS_OK) h->model->seedless = true;
    return status;
}

/* ---- values ---- */

static mass_parameter_slot *find_value(mass_host *host, const char *name, bool (*fits)(const mass_parameter_slot *),
                                       const char *what)
{
    mass_parameter_slot *slot = name ? mass_parameters_find(&self(host)->model->parameters, name) : NULL;
    if (slot && slot->swept && self(host)->loading)
        mass_error_set(self(host)->error, MASS_BAD_USAGE, "parameter %s cannot be swept: what it says is read once for "
                       "all worlds", name);
    if (slot && (!fits || fits(slot))) return slot;
    mass_error_set(self(host)->error, MASS_BAD_PLUGIN, "it asks for %s parameter '%s', which it did not declare",
                   what, name ? name : "");
    return NULL;
}

static bool is_integer(const mass_parameter_slot *s) { return s->type == MASS_INTEGER || s->type == MASS_CHOICE; }
static bool is_real(const mass_parameter_slot *s) { return s->type == MASS_REAL; }
static bool is_text(const mass_parameter_slot *s) { return s->type == MASS_TEXT || s->type == MASS_CHOICE; }

static int64_t value_integer(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, is_integer, "integer");
    return slot ? (int64_t)mass_parameter_bits(slot) : 0;
}

static double value_real(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, is_real, "real");
    return slot ? slot->real : 0;
}

static const char *value_text(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, is_text, "text");
    return slot ? slot->text : "";
}

static int value_given(mass_host *host, const char *name)
{
    const mass_parameter_slot *slot = find_value(host, name, NULL, "a");
    return slot && slot->given;
}

static mass_status value_set_text(mass_host *host, const char *name, const char *value)
{
    mass_parameter_slot *slot = find_value(host, name, is_text, "text");
    if (self(host)->domain)
        return mass_error_set(self(host)->error, MASS_BAD_PLUGIN, "it sets parameter '%s' after open",
                              name ? name : "");
    return slot && value ? mass_parameter_set(slot, value, self(host)->error) : self(host)->error->status;
}

static mass_status value_size(mass_host *host, const char *space, mass_gidx size[3], uint32_t *dimensions)
{
    mass_engine_host *h = self(host);
    const int index = mass_model_find_space(h->model, space);
    if (index < 0)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for the size of space '%s', which it did not "
                              "declare", space ? space : "");
    memcpy(size, h->model->spaces[index].size, sizeof h->model->spaces[index].size);
    *dimensions = h->model->spaces[index].dimensions;
    return MASS_OK;
}

static int value_resumed(mass_host *host) { return self(host)->opening->resumed; }

/* ---- the run ---- */

static int32_t run_worlds(mass_host *host) { return self(host)->domain ? self(host)->domain->worlds : 0; }
static uint64_t run_seed(mass_host *host) { return self(host)->opening->seed; }
static uint64_t run_step(mass_host *host) { return self(host)->step; }

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

static mass_status run_read(mass_host *host, const char *space, const char *attribute, int32_t world,
                            const mass_gidx origin[3], const mass_gidx extent[3], void *data)
{
    mass_engine_host *h = self(host);
    const int a = find_attribute(h, space, attribute);
    return a < 0 ? h->error->status : mass_domain_read(h->domain, (uint32_t)a, world, origin, extent, data, h->error);
}

static mass_status run_write(mass_host *host, const char *space, const char *attribute, int32_t world,
                             const mass_gidx origin[3], const mass_gidx extent[3], const void *data)
{
    mass_engine_host *h = self(host);
    const int a = find_attribute(h, space, attribute);
    return a < 0 ? h->error->status : mass_domain_write(h->domain, (uint32_t)a, world, origin, extent, data, h->error);
}

static mass_status run_tally(mass_host *host, const char *name, int32_t world, double *value)
{
    mass_engine_host *h = self(host);
    const int index = name ? mass_model_find_tally(h->model, name) : -1;
    if (!h->domain || index < 0 || world < 0 || world >= h->domain->worlds)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for tally '%s' of world %d, which it does not have",
                              name ? name : "", world);
    const mass_tally_def *t = &h->model->tallies[index];
    if (t->bins || t->keys)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for tally '%s' as one value, and it has %s", name,
                              t->bins ? "bins" : "keys");
    int64_t accumulators[MASS_EXACT_WORDS];
    const size_t bytes = t->words * sizeof *accumulators;
    const mass_buffer at = mass_buffer_from(mass_domain_tally(h->domain, (uint32_t)index), (size_t)world * bytes);
    const mass_status status = mass_buffer_download(at, accumulators, bytes, h->error);
    if (status == MASS_OK) *value = mass_tally_value(t, accumulators);
    return status;
}

/* The population of that name in the run that is under way, or -1. */
static int find_population(mass_engine_host *h, const char *name, int32_t world)
{
    const int p = h->domain ? mass_model_find_population(h->model, name) : -1;
    if (p >= 0 && h->domain->populations[p].populated && world >= 0 && world < h->domain->worlds) return p;
    mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for population '%s' of world %d, which is not there",
                   name ? name : "", world);
    return -1;
}

/* The range of a world's agents. */
static mass_status find_agents(mass_engine_host *h, int population, int32_t world, uint32_t range[2])
{
    const mass_population_state *s = &h->domain->populations[population];
    const int64_t places = mass_space_places(&h->model->spaces[h->model->populations[population].space]);
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < 2; i++) {
        const mass_buffer start = mass_buffer_from(s->start, (size_t)(world + i) * (size_t)places * sizeof *range);
        status = mass_buffer_download(start, &range[i], sizeof range[i], h->error);
    }
    return status;
}

static mass_status run_agents(mass_host *host, const char *population, int32_t world, int64_t *count)
{
    uint32_t range[2];
    const int p = find_population(self(host), population, world);
    if (p < 0) return self(host)->error->status;
    const mass_status status = find_agents(self(host), p, world, range);
    if (status == MASS_OK) *count = (int64_t)range[1] - range[0];
    return status;
}

static mass_status run_read_agents(mass_host *host, const char *population, const char *attribute, int32_t world,
                                   int64_t count, void *data)
{
    mass_engine_host *h = self(host);
    uint32_t range[2];
    const int p = find_population(h, population, world);
    const int a = p < 0 || !attribute ? -1 : mass_model_find_agent_attribute(h->model, (uint32_t)p, attribute);
    if (a < 0)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it reads attribute '%s' of population '%s', which it did not "
                              "declare", attribute ? attribute : "", population ? population : "");
    uint64_t agents;
    mass_status status = find_agents(h, p, world, range);
    if (status == MASS_OK) status = mass_population_count(h->domain, (uint32_t)p, &agents, h->error);
    if (status != MASS_OK) return status;
    const size_t size = mass_element_size(&h->model->attributes[a]);
    const int64_t most = (int64_t)range[1] - range[0];
    char *all = malloc((agents + 1) * size);
    if (!all) return mass_error_memory(h->error, agents * size, "a copy of an attribute");
    status = mass_population_read(h->domain, (uint32_t)a, all, h->error);
    if (status == MASS_OK && count > 0)
        memcpy(data, all + range[0] * size, (size_t)(count < most ? count : most) * size);
    free(all);
    return status;
}

/* The keys of a tally in a world, which stay until the next call; NULL, with the error said, if there are none. */
static const mass_key_list *find_keys(mass_engine_host *h, const char *name, int32_t world)
{
    const int index = name && h->domain ? mass_model_find_tally(h->model, name) : -1;
    mass_key_list_free(&h->keys);
    if (index < 0 || !h->model->tallies[index].keys || world < 0 || world >= h->domain->worlds) {
        mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for the keys of tally '%s' of world %d, which does not "
                       "count by key", name ? name : "", world);
        return NULL;
    }
    mass_device *const device = h->domain->device;
    const mass_status status = device->table->keys->read(device, h->domain->key_counts[index], world, &h->keys,
                                                         h->error);
    return status == MASS_OK ? &h->keys : NULL;
}

static mass_status keys_distinct(mass_host *host, const char *tally, int32_t world, uint64_t *keys, int64_t *total)
{
    const mass_key_list *l = find_keys(self(host), tally, world);
    if (!l) return self(host)->error->status;
    if (keys) *keys = l->count;
    if (total) *total = mass_key_list_total(l);
    return MASS_OK;
}

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

static void run_say(mass_host *host, const char *line)
{
    if (!self(host)->opening->quiet && line) mass_progress_say("%s: %s", self(host)->model->plugin, line);
}

static const mass_declare_table declare_table = {sizeof declare_table, declare_parameter, declare_constant,
    declare_space, declare_attribute, declare_tally, declare_phase, declare_picture, declare_steps};
static const mass_values_table values_table = {sizeof values_table, value_integer, value_real, value_text,
    value_given, value_set_text, value_size, value_resumed};
static const mass_run_table run_table = {sizeof run_table, run_worlds, run_seed, run_step, run_read, run_write,
    run_tally, run_say};

static const mass_agents_table agents_table = {sizeof agents_table, declare_population, declare_agent_phase,
    declare_manage, run_agents, run_read_agents};

static const mass_keys_table keys_table = {sizeof keys_table, keys_distinct, keys_top};

static const mass_series_table series_table = {sizeof series_table, declare_log};
static const mass_reductions_table reductions_table = {sizeof reductions_table, declare_reduction};
static const mass_seed_table seed_table = {sizeof seed_table, declare_seed_unused};

/* What a call into the plugin came to: its status and the error it left have to agree. Every sentence
 * starts with the plugin's name. */
static mass_status conclude(mass_engine_host *h, const char *call, mass_status returned, mass_error *inner,
                            mass_error *error)
{
    h->error = NULL;
    if (inner->status == MASS_OK && returned != MASS_OK)
        mass_error_set(inner, MASS_BAD_PLUGIN, "its %s failed with status %d and said nothing", call, (int)returned);
    if (inner->status == MASS_OK) return MASS_OK;
    return mass_error_set(error, inner->status, "%s: %s", h->model->plugin, inner->text);
}

/* A call into the plugin in the middle of a step. */
static mass_status feed(void *context, uint64_t given, void *data, int64_t room, int64_t *count, mass_error *error)
{
    mass_engine_host *h = context;
    mass_error inner = {0};
    *count = 0;
    h->error = &inner;
    const mass_status returned = h->feed(&h->host, given, data, room, count);
    return conclude(h, "feed", returned, &inner, error);
}

static mass_status declare_stream(mass_host *host, const mass_stream *d)
{
    mass_engine_host *h = self(host);
    mass_stream own;
    mass_status status = TAKE(stream, feed);
    if (status == MASS_OK && !own.feed)
        status = mass_error_set(h->error, MASS_BAD_PLUGIN, "its stream has no function that feeds it");
    if (status == MASS_OK) status = mass_model_add_stream(h->model, &own, feed, h, h->error);
    if (status != MASS_OK) return status;
    h->feed = own.feed;
    if (h->opening->extent_limit) h->model->stream.pieces_most = PROBED_PIECES;
    return MASS_OK;
}

static mass_status run_bins(mass_host *host, const char *name, int32_t world, uint32_t first, uint32_t count,
                            int64_t *out)
{
    mass_engine_host *h = self(host);
    const int index = name ? mass_model_find_tally(h->model, name) : -1;
    const mass_tally_def *t = index < 0 ? NULL : &h->model->tallies[index];
    if (!h->domain || !t || world < 0 || world >= h->domain->worlds || first > t->bins || count > t->bins - first)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for bins of tally '%s' in world %d, which it does "
                              "not have", name ? name : "", world);
    const size_t before = ((size_t)world * t->words + first) * sizeof *out;
    const mass_buffer bins = mass_buffer_from(mass_domain_tally(h->domain, (uint32_t)index), before);
    return mass_buffer_download(bins, out, count * sizeof *out, h->error);
}

static const mass_tallies_table tallies_table = {sizeof tallies_table, run_bins};
static const mass_streams_table streams_table = {sizeof streams_table, declare_stream};

static const void *find_service(const char *id)
{
    if (strcmp(id, MASS_KEYS_ID) == 0) return &keys_table;
    if (strcmp(id, MASS_STREAMS_ID) == 0) return &streams_table;
    if (strcmp(id, MASS_TALLIES_ID) == 0) return &tallies_table;
    if (strcmp(id, MASS_SERIES_ID) == 0) return &series_table;
    if (strcmp(id, MASS_REDUCTIONS_ID) == 0) return &reductions_table;
    if (strcmp(id, MASS_SEED_ID) == 0) return &seed_table;
    if (strcmp(id, MASS_AGENTS_ID) == 0) return &agents_table;
    if (strcmp(id, MASS_DECLARE_ID) == 0) return &declare_table;
    if (strcmp(id, MASS_VALUES_ID) == 0) return &values_table;
    if (strcmp(id, MASS_RUN_ID) == 0) return &run_table;
    return NULL;
}

static const void *service(mass_host *host, const char *id)
{
    (void)host;
    return id ? find_service(id) : NULL;
}

/* ---- calls into the plugin ---- */

static mass_status check_settings(const mass_model *m, const mass_opening *o, mass_error *error)
{
    for (uint32_t i = 0; i < o->setting_count; i++) {
        const mass_parameter_slot *found = mass_parameters_find(&m->parameters, o->settings[i].name);
        if (found && (!found->constant || o->resumed)) continue;
        char names[600] = "";
        for (uint32_t k = 0; k < m->parameters.count; k++) {
            const size_t used = strlen(names);
            if (!m->parameters.slots[k].constant)
                snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", m->parameters.slots[k].name);
        }
        mass_error why = {0};
        const char *meant = mass_parameters_nearest(&m->parameters, o->settings[i].name);
        if (meant)
            mass_error_set(&why, MASS_BAD_USAGE, "there is no parameter '%s'; did you mean '%s'? It has %s",
                           o->settings[i].name, meant, names);
        else
            mass_error_set(&why, MASS_BAD_USAGE, "there is no parameter '%s'; it has %s", o->settings[i].name,
                           names[0] ? names : "none");
        return refuse_setting(&o->settings[i], &why, error);
    }
    return MASS_OK;
}

static mass_status check_entry(const mass_plugin *p, mass_error *error)
{
    for (const char *const *id = p->services; id && *id; id++)
        if (!find_service(*id))
            return mass_error_set(error, MASS_BAD_PLUGIN, "it needs service '%s', which this engine does not have",
                                  *id);
    return p->open ? MASS_OK : mass_error_set(error, MASS_BAD_PLUGIN, "it has no open function");
}

mass_status mass_host_open(mass_engine_host *h, const mass_plugin *plugin, const mass_opening *opening,
                           mass_model *model, mass_error *error)
{
    mass_error inner = {0};
    *model = (mass_model){.default_steps = 250};
    snprintf(model->plugin, sizeof model->plugin, "%s", plugin->name);
    snprintf(model->version, sizeof model->version, "%s", plugin->version ? plugin->version : "");
    model->help = strdup(plugin->help ? plugin->help : "");
    *h = (mass_engine_host){.host = {sizeof(mass_host), service, fail}, .opening = opening, .model = model,
                            .error = &inner};
    mass_status status = model->help ? check_entry(plugin, &inner) : mass_error_memory(&inner, 1, "the plugin's help");
    if (status == MASS_OK) {
        mass_standard_lend();
        mass_crash_where(model->plugin, "open", MASS_NO_STEP);
        status = plugin->open(&h->host);
        mass_crash_where(model->plugin, NULL, 0);
        mass_standard_take_back();
    }
    h->opened = status == MASS_OK && inner.status == MASS_OK;
    if (h->opened) status = check_settings(model, opening, &inner);
    if (status == MASS_OK && inner.status == MASS_OK) status = mass_model_resolve(model, &inner);
    return conclude(h, "open", status, &inner, error);
}

static mass_status call(mass_engine_host *h, const char *name, mass_status (*function)(mass_host *),
                        mass_domain *domain, uint64_t step, mass_error *error)
{
    if (!function) return MASS_OK;
    mass_error inner = {0};
    h->domain = domain;
    h->step = step;
    h->error = &inner;
    mass_standard_lend();
    mass_crash_where(h->model->plugin, name, step);
    const mass_status status = function(&h->host);
    mass_crash_where(h->model->plugin, NULL, step);
    mass_standard_take_back();
    return conclude(h, name, status, &inner, error);
}

mass_status mass_host_load(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, mass_error *error)
{
    h->loading = true;
    const mass_status status = call(h, "load", plugin->load, domain, 0, error);
    h->loading = false;
    return status;
}

mass_status mass_host_finish(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, uint64_t step,
                             mass_error *error)
{
    const mass_status status = call(h, "finish", plugin->finish, domain, step, error);
    mass_key_list_free(&h->keys);
    return status;
}
