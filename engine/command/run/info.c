/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/info.h"
#include "base/plural.h"
#include "base/escape.h"
#include "base/memory_stream.h"
#include "command/options/wrap.h"
#include "command/run/info_json.h"
#include "command/run/info_network.h"
#include "command/run/info_words.h"
#include "model/kept.h"
#include "model/network.h"
#include "model/range.h"
#include "process/standard.h"
#include "run/fuse_memory.h"
#include "run/fuse_tuner.h"
#include "snapshot/create.h"
#include "split/edge_shares.h"
#include "model/list.h"
#include "text/parameter.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 19 /* where descriptions begin */,
       MOST_TOLD = 1000000000 /* ends of ranges above this are those of a type, and not shown */ };

static FILE *lines; /* receives the text before it is folded */
#define PUT(...) mass_print(lines, __VA_ARGS__)

/* Prints a parameter's help and type, and on a second line its value, unit, range and choices. */
static void print_parameter(const mass_parameter_slot *p)
{
    char value[MASS_LIST_SHOWN], range[MASS_RANGE_SIZE];
    const uint32_t type = p->list == MASS_INTEGER ? MASS_INTEGER_LIST : p->list ? MASS_REAL_LIST : p->type;
    const char *text = p->list ? mass_list_show(p->text, value) : mass_parameter_format(p, value);
    mass_parameter_slot told = *p;
    if (p->integer_max > MOST_TOLD) told.integer_max = INT64_MAX;
    if (p->type == MASS_REAL) {
        snprintf(value, sizeof value, "%.15g", p->real);
        text = value;
    }
    PUT("  %-16s %s (%s)\n", p->name, p->help, mass_info_parameter_types[type]);
    if (p->by_default[0] && !p->given) PUT("  %-16s default: %s", "", p->by_default);
    else
        PUT("  %-16s %s %s%s%s", "", p->given ? "set to" : "default", text[0] ? text : "none", p->unit[0] ? " " : "",
            p->unit);
    if (mass_parameter_range(&told, range)[0]) PUT("%s %s", p->by_default[0] && !p->given ? ";" : ",", range);
    if (p->list) PUT(", at most %" PRIu64 " value%s%s", p->length, mass_plural(p->length),
                     p->by_step ? ", one for each step" : "");
    for (int i = 0; !p->list && p->choices && p->choices[i]; i++) PUT("%s%s", i ? ", " : ", one of ", p->choices[i]);
    PUT("\n");
}

/* Prints a space's extents: "64x32". */
static void print_size(const mass_space_def *s)
{
    for (uint32_t a = 0; a < s->dimensions; a++) PUT("%s%" PRId64, a ? "x" : "", s->size[a]);
}

/* Prints a space: its name, its size, and for each axis whether it is a torus. */
static void print_space(const mass_space_def *s)
{
    PUT("  %-16s ", s->name);
    print_size(s);
    for (uint32_t a = 0; a < s->dimensions; a++)
        PUT(", %s %s", mass_info_axes[a], s->torus >> a & 1 ? "torus" : "bounded");
    if (s->cell != 1) PUT("; a cell is %.6g long", s->cell);
    PUT("\n");
}

/* Prints where agents are at the start. */
static void print_initial(const mass_model *m, const mass_population_def *p)
{
    const mass_network_def *const network = mass_model_network_of_edges(m, (uint32_t)(p - m->populations));
    PUT("; at the start");
    if (network) PUT(" the %" PRIu64 " edge%s of the network", network->edges, mass_plural(network->edges));
    else if (p->initial == MASS_RANDOM_PLACES) PUT(" %" PRId64 " on random places", p->count);
    if (p->initial == MASS_EVERY_PLACE) PUT(" %" PRId64 " on every place", p->count ? p->count : 1);
    if (p->initial == MASS_BY_ATTRIBUTE) PUT(" as many on each place as '%s' says", p->where_name);
    if (p->initial == MASS_BY_LOAD) PUT(" those that the plugin adds");
    if (p->table >= 0)
        PUT("%s those of the table that parameter %s names", p->initial == MASS_FROM_TABLE ? "" : ", or",
               m->parameters.slots[p->table].name);
}

/* Prints a population: space, capacity, start, who gets a place in conflict, children and tallies. */
static void print_population(const mass_model *m, const mass_population_def *p)
{
    static const char *const chosen_by[] = {"the lowest id", "the highest priority", "one of them by lot"};
    static const char *const what[] = {"born", "died", "unborn, for lack of a place", "alive"};
    const int tallies[] = {p->born, p->died, p->unborn, p->alive};
    PUT("  %-16s %s\n  %-16s on %s", p->name, p->help, "", m->spaces[p->space].name);
    if (p->capacity) PUT(", at most %u on a place", p->capacity);
    print_initial(m, p);
    if (p->capacity) PUT("; a place that several want goes to %s", chosen_by[p->conflict]);
    if (p->capacity && p->conflict == MASS_HIGHEST_PRIORITY) PUT(" (%s)", p->priority_name);
    if (p->children) PUT("; each has up to %u child%s at once", p->children, p->children == 1 ? "" : "ren");
    if (p->sprouts)
        PUT(mass_model_network_of_edges(m, (uint32_t)(p - m->populations)) ? "; a node asks for up to %u at once"
                                                                     : "; a place brings forth up to %u at once",
            p->sprouts);
    for (int i = 0, counted = 0; i < 4; i++)
        if (tallies[i] >= 0) PUT("%s %s (%s)", counted++ ? "," : "; counted:", m->tallies[tallies[i]].name, what[i]);
    PUT("\n");
}

/* Prints an attribute: owner, help, type, range, unit and names of values. */
static void print_attribute(const mass_model *m, const mass_attribute_def *a)
{
    char name[2 * MASS_NAME_SIZE], range[MASS_RANGE_TEXT];
    const char *owner = a->population >= 0 ? m->populations[a->population].name : "";
    snprintf(name, sizeof name, "%s%s%s", owner, owner[0] ? "." : "", a->name);
    PUT("  %-16s %s (%s", name, a->help, mass_type_name(a->type));
    if (a->length > 1) PUT(", length %u, %s", a->length, a->layout == MASS_PLANES ? "planes" : "interleaved");
    if (a->ranged) PUT(", %s", mass_range_show(a, range));
    PUT("%s%s", a->unit[0] ? ", " : "", a->unit);
    for (uint32_t i = 0, named = 0; i < a->name_count; i++)
        if (a->names[i]) PUT("%s %.0f %s", named++ ? "," : ":", a->first_name + i, a->names[i]);
    PUT("%s)\n", mass_attribute_is_reducible(a) ? "" : "; not for --tally");
}

/* Prints the condition under which a phase runs. */
static void print_condition(const mass_model *m, const mass_condition_def *c)
{
    PUT(", where %s is %s %.15g", m->tallies[c->tally].name, mass_info_relations[c->relation], c->value);
    if (c->parameter >= 0) PUT(" * %s", m->parameters.slots[c->parameter].name);
    if (c->population >= 0) PUT(" * agents of %s", m->populations[c->population].name);
}

/* Prints of a phase in turn: who acts, in which order, the turn that it shares with other phases, and its .meets,
 * .changes and .shape. */
static void print_turn(const mass_model *m, const mass_phase_def *p)
{
    PUT(", %s in turn", mass_phase_turns_nodes(p) ? "nodes" : p->population < 0 ? "places"
                                                               : m->populations[p->population].name);
    if (p->turn_order == MASS_TURN_BY_ID) PUT(" by id");
    if (p->turn_order == MASS_TURN_BY_VALUE) PUT(" by %s", p->turn_by);
    if (p->turn_reversed) PUT(" reversed");
    if (p->turn_name[0]) PUT(" (turn %s)", p->turn_name);
    if (p->turn_scope.meets < p->reach) PUT(", meets within %d", p->turn_scope.meets);
    if (p->turn_scope.changes < p->turn_scope.meets) PUT(", changes within %d", p->turn_scope.changes);
    if (p->turn_scope.axes == MASS_AXES) PUT(", along the axes");
}

/* Prints a phase: schedule, what it runs over, radius, condition and fields. */
static void print_phase(const mass_model *m, const mass_phase_def *p)
{
    const mass_callback *c = p->callback;
    PUT("  %-16s %s", c ? c->name : "manage", p->schedule == MASS_START ? "at the start" : "each step");
    if (c && c->over == MASS_OVER_AGENTS) PUT(", over %s", m->populations[p->population].name);
    if (c && c->over == MASS_OVER_WORLDS) PUT(", once a world");
    if (c && mass_phase_is_in_turn(p)) print_turn(m, p);
    else if (c && p->population >= 0 && c->over != MASS_OVER_AGENTS)
        PUT(", over places and %s on them", m->populations[p->population].name);
    const uint32_t own = p->population >= 0;
    for (uint32_t k = own; c && k < p->population_count; k++)
        PUT("%s %s", k > own ? "," : ", sees", m->populations[p->populations[k]].name);
    if (!c)
        PUT(", %s: %s, %s, %s", m->populations[p->population].name, mass_info_orders[p->order][0],
            mass_info_orders[p->order][1], mass_info_orders[p->order][2]);
    if (p->reach) PUT(", radius %d", p->reach);
    if (p->conditional) print_condition(m, &p->condition);
    for (uint32_t i = 0; c && i < c->field_count; i++)
        PUT("%s%s %s", i ? ", " : ": ", mass_access_of(c->fields[i].access)->entry, c->fields[i].target);
    for (uint32_t k = 0; c && c->over != MASS_OVER_AGENTS && k < p->population_count; k++)
        if (c->asks >> k & 1)
            PUT("%sASKS %s", c->field_count || (c->asks & ((1u << k) - 1)) ? ", " : ": ",
                m->populations[p->populations[k]].name);
    PUT("\n");
}

/* Prints a tally: its help, operation, bins or keys, range, and unit. */
static void print_tally(const mass_tally_def *t)
{
    PUT("  %-16s %s (%s", t->name, t->help, mass_tally_operation_of(t->access)->name);
    if (t->bins) PUT(", %u bin%s", t->bins, mass_plural(t->bins));
    if (t->keys) PUT(" by key: %s", mass_info_keys[t->keys]);
    if (t->low < t->high) PUT(" from %g to %g", t->low, t->high);
    PUT("%s%s%s)\n", t->cumulative ? ", cumulative" : "", t->unit[0] ? ", " : "", t->unit);
}

/* Prints a world attribute: its help, type, length, first value and unit. */
static void print_kept(const mass_tally_def *t)
{
    PUT("  %-16s %s%s(%s", t->name, t->help, t->help[0] ? " " : "", t->kind == MASS_TALLY_REAL ? "f64" : "i64");
    if (t->bins) PUT(", %u value%s", t->bins, mass_plural(t->bins));
    PUT(", at first %.15g%s%s)\n", t->initial, t->unit[0] ? ", " : "", t->unit);
}

/* Prints which attribute the picture, which has to be declared, shows, its range and colours, and the populations drawn
 * on top. */
static void print_picture(const mass_model *m)
{
    const mass_picture_def *p = &m->picture;
    const mass_attribute_def *a = &m->attributes[p->attribute];
    PUT("\npicture (--image, --movie, --watch)\n  %-16s of each place, from %g to %g in %u colours\n", a->name, p->low,
        p->high, p->colours);
    for (uint32_t i = 0; i < m->population_count; i++) {
        const mass_population_def *drawn = &m->populations[i];
        if (drawn->space != a->space || drawn->colours == 0) continue;
        PUT("  %-16s on top of them, in %u colour%s", drawn->name, drawn->colours, mass_plural(drawn->colours));
        if (drawn->drawn >= 0 && drawn->colours > 1) PUT(", by their %s", m->attributes[drawn->drawn].name);
        if (drawn->heading >= 0 && drawn->position >= 0)
            PUT(", as arrows by their %s", m->attributes[drawn->heading].name);
        PUT("\n");
    }
}

/* Prints a word quoted for a shell, shortened to about 2 PATH_MAX bytes. */
static void print_quoted(const char *word)
{
    char shown[2 * PATH_MAX];
    size_t used = 0;
    for (; *word && used + 8 < sizeof shown; word++)
        used += (size_t)snprintf(shown + used, sizeof shown - used, *word == '\'' ? "'\\''" : "%c", *word);
    PUT("'%s'", used ? shown : "");
}

/* Returns the first parameter whose number is not 0, constants apart, or NULL. An example sets it. */
static const mass_parameter_slot *telling_parameter(const mass_parameters *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const mass_parameter_slot *p = &list->slots[i];
        if (!p->constant && ((p->type == MASS_INTEGER && p->integer) || (p->type == MASS_REAL && p->real != 0)))
            return p;
    }
    return NULL;
}

/* Adds words to a command, on its next line if they do not fit. *column: where the line ends, before and then after. */
static void put_words(int *column, const char *words)
{
    const int length = (int)strlen(words);
    const bool fits = *column + 1 + length + (int)strlen(" \\") <= MASS_FOLD_COLUMNS;
    PUT(fits ? " %s" : " \\\n      %s", words);
    *column = (fits ? *column + 1 : 6) + length;
}

/* Returns whether a word needs no quotes in a shell. */
static bool is_plain(const char *word)
{
    return word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%")] == '\0';
}

/* Writes the parameter of an example: of a model that reads a stream the parameter for the file, else a number. Returns
 * false if there is none. */
static bool put_parameter(const mass_model *m, char *out, size_t room)
{
    char value[64];
    const mass_parameter_slot *p = telling_parameter(&m->parameters);
    for (uint32_t i = 0; m->stream.read && i < m->parameters.count; i++)
        if (m->parameters.slots[i].type == MASS_TEXT && !m->parameters.slots[i].constant) {
            snprintf(out, room, "--set %s=FILE", m->parameters.slots[i].name);
            return true;
        }
    if (p && p->type == MASS_REAL) snprintf(out, room, "--set %s=%.15g", p->name, p->real);
    else if (p) snprintf(out, room, "--set %s=%s", p->name, mass_parameter_format(p, value));
    return p != NULL;
}

/* Prints a command that does the same as the plugin's name alone, apart from a picture, for users to change. */
static void print_example(const mass_info *info)
{
    const mass_model *m = info->model;
    const mass_gidx *size = m->spaces[0].size;
    const uint32_t extents = m->space_count && !m->stream.read ? m->spaces[0].dimensions : 0;
    char words[MASS_NAME_SIZE + 100];
    int column = (int)(strlen("  mass-engine ") + strlen(info->called));
    PUT("\n  mass-engine ");
    if (is_plain(info->called)) PUT("%s", info->called);
    else print_quoted(info->called);
    if (extents == 1) snprintf(words, sizeof words, "--size %" PRId64, size[0]);
    if (extents == 2) snprintf(words, sizeof words, "--size %" PRId64 "x%" PRId64, size[0], size[1]);
    if (extents == 3)
        snprintf(words, sizeof words, "--size %" PRId64 "x%" PRId64 "x%" PRId64, size[0], size[1], size[2]);
    if (extents) put_words(&column, words);
    snprintf(words, sizeof words, "--steps %" PRIu64, m->default_steps);
    put_words(&column, words);
    if (put_parameter(m, words, sizeof words)) put_words(&column, words);
    snprintf(words, sizeof words, "--image %s.png", m->plugin);
    if (m->picture.declared) put_words(&column, words);
    PUT("\n");
}

/* Returns whether users can set any parameter: constants do not count. */
static bool has_parameters(const mass_parameters *list)
{
    uint32_t constants = 0;
    for (uint32_t i = 0; i < list->count; i++) constants += list->slots[i].constant;
    return constants < list->count;
}

/* Returns whether it is an attribute that every population has. */
static bool is_column(const mass_attribute_def *a)
{
    static const char *const columns[] = {"id", "lost", "world", "place"};
    for (size_t i = 0; a->population >= 0 && i < sizeof columns / sizeof *columns; i++)
        if (strcmp(a->name, columns[i]) == 0) return true;
    return false;
}

/* Prints the attributes of places, or those of agents, and before them a heading. Columns of the engine are left out
 * unless it is verbose. Prints nothing if there are none. */
static void print_attributes(const mass_info *info, bool of_agents, const char *heading)
{
    const mass_model *m = info->model;
    bool any = false;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        if ((a->population >= 0) != of_agents || (!info->verbose && is_column(a))) continue;
        if (!any) PUT("\n%s\n", heading);
        any = true;
        print_attribute(m, a);
    }
}

/* Prints what users need; --verbose adds the attributes that every population has. Hidden tallies are left out. */
static void print_for_users(const mass_info *info, const mass_share *share)
{
    const mass_model *m = info->model;
    PUT("%s %s: %s\n", m->plugin, m->version, m->help);
    print_example(info);
    if (m->racy) PUT("\nnot reproducible: callback %s writes to places in no order\n", m->racy->name);
    PUT("\nparameters (--set NAME=VALUE)%s\n", has_parameters(&m->parameters) ? "" : ": none");
    for (uint32_t i = 0; i < m->parameters.count; i++)
        if (!m->parameters.slots[i].constant) print_parameter(&m->parameters.slots[i]);
    PUT("\nspaces (--size)\n");
    for (uint32_t i = 0; i < m->space_count; i++) print_space(&m->spaces[i]);
    mass_info_put_networks(share, m, lines);
    if (m->population_count) PUT("\npopulations\n");
    for (uint32_t i = 0; i < m->population_count; i++) print_population(m, &m->populations[i]);
    print_attributes(info, false, "attributes (--load, --tally)");
    print_attributes(info, true, "attributes of agents (--tally)");
    PUT("\ntallies (--log, --until)\n");
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].hidden && !m->tallies[i].outside && !mass_tally_is_kept(&m->tallies[i]))
            print_tally(&m->tallies[i]);
    if (mass_model_keeps(m)) PUT("\nworld attributes (--log, --until)\n");
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (mass_tally_is_kept(&m->tallies[i])) print_kept(&m->tallies[i]);
    if (m->picture.declared) print_picture(m);
}

/* Prints what authors of plugins also need: phases, series, the plugin's path and its ABI. */
static void print_for_authors(const mass_info *info)
{
    const mass_model *m = info->model;
    PUT("\ncallbacks\n");
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (m->phases[i].schedule != MASS_OBSERVE) print_phase(m, &m->phases[i]);
    if (m->series_count) PUT("\nlogged by --log-every\n");
    for (uint32_t i = 0; i < m->series_count; i++)
        PUT("  %-16s %s%s%s\n", m->series[i].name, m->series[i].expression, m->series[i].unit[0] ? ", " : "",
               m->series[i].unit);
    PUT("\n%s, ABI %d.%d\n", info->path, info->entry->abi_major, info->entry->abi_minor);
}

/* Returns the memory of the state. *ghosts becomes the part that several steps in one pass need. Without --device it
 * computes for a CPU, which tries at least as many steps as a GPU. */
static double find_bytes(const mass_info *info, double *ghosts)
{
    const mass_model *m = info->model;
    const char *device = info->device ? info->device : "";
    const mass_share alone = mass_share_make(mass_comm_self(), info->worlds, info->partitions, NULL);
    const double single = mass_domain_bytes(m, info->partitions, info->worlds);
    int32_t steps = info->fuse;
    if (!steps) steps = mass_fuse_tuner_most_on(strncmp(device, "cuda", 4) == 0, m, info->worlds, alone.comm);
    if (!info->fuse) steps = strcmp(device, "paranoid") == 0 ? 1 : mass_fuse_memory_worth(m, &alone, steps);
    const double all = mass_fuse_memory_bytes(m, &alone, steps);
    *ghosts = all - single;
    return all;
}

/* Prints the bytes of memory. Adds `ghosts`, the part of them for several steps in one pass, if it is above a
 * sixteenth. Adds what edges take while they are made, if it is more than all that. */
static void print_memory(const mass_model *m, double bytes, double ghosts)
{
    const double making = m->networks ? m->networks->making : 0;
    char all[32], own[32];
    PUT("memory at this size: %s", mass_format_bytes(all, bytes));
    if (ghosts > bytes / 16)
        PUT(", of which %s is for several steps in one pass (--fuse 1 takes none)", mass_format_bytes(own, ghosts));
    if (making > bytes)
        PUT("; at first %s on the host, while the edges are made", mass_format_bytes(own, making));
    PUT("\n");
}

/* Prints the description to the results, with folded lines, and closes them. bytes, ghosts: as print_memory takes
 * them. */
static mass_status info_text(const mass_info *info, const mass_share *share, double bytes, double ghosts,
                             mass_error *error)
{
    const mass_model *m = info->model;
    char *text = NULL;
    size_t size = 0;
    lines = mass_memory_stream(&text, &size);
    if (!lines) return mass_error_memory(error, 1 << 16, "the description");
    print_for_users(info, share);
    if (info->verbose) print_for_authors(info);
    PUT("\n%" PRIu64 " step%s unless --steps says otherwise\n", m->default_steps, mass_plural(m->default_steps));
    print_memory(m, bytes, ghosts);
    PUT("%s\n", info->entry->device_code ? "runs on CPUs and GPUs" : "runs on CPUs: it has no device code");
    if (fclose(lines) != 0) return mass_error_memory(error, 1 << 16, "the description");
    mass_fold(text, COLUMN, mass_standard_results());
    free(text);
    return mass_standard_results_end(error);
}

/* Prints the value to the results, frees it and closes the results. Fails if either is incomplete. */
static mass_status print_json(json_t *value, mass_error *error)
{
    FILE *to = mass_standard_results();
    const bool whole = value && json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0;
    fputc('\n', to);
    json_decref(value);
    const mass_status status = mass_standard_results_end(error);
    return status == MASS_OK && !whole ? mass_error_memory(error, 1 << 16, "the description") : status;
}

/* Finds the parts of the ranks. Returns false if they are equal. before: [ranks + 1] */
static bool find_parts(const mass_info *info, int32_t ranks, int64_t *before)
{
    if (ranks == 1 || (info->by_edges && info->worlds >= ranks)) return false;
    if (info->by_edges) return mass_edge_shares_find(info->model, ranks, info->partitions, before);
    if (info->shares) mass_share_add_up(info->shares, ranks, before);
    return info->shares != NULL;
}

mass_status mass_info_print(const mass_info *info, mass_error *error)
{
    double ghosts;
    const double bytes = find_bytes(info, &ghosts);
    const bool several = info->ranks > 1 && (int64_t)info->ranks * info->partitions <= INT32_MAX;
    struct mass_comm ranks = {.size = several ? info->ranks : 1}; /* only their parts are computed */
    int64_t *const before = calloc((size_t)ranks.size + 1, sizeof *before);
    if (!before) return mass_error_memory(error, (size_t)ranks.size * sizeof *before, "the description");
    const mass_share share = mass_share_make(&ranks, info->worlds, info->partitions,
                                             find_parts(info, ranks.size, before) ? before : NULL);
    const mass_status status =
        info->json ? print_json(mass_info_json(info->model, &share, info->entry, info->path, bytes), error)
                   : info_text(info, &share, bytes, ghosts, error);
    free(before);
    return status;
}
