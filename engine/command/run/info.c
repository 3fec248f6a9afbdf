/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/info.h"
#include "base/escape.h"
#include "base/memory_stream.h"
#include "command/options/fold.h"
#include "model/range.h"
#include "process/standard.h"
#include "run/fuse_room.h"
#include "run/fuse_trial.h"
#include "snapshot/create.h"
#include "text/json.h"
#include "text/parameter.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const parameter_types[] = {"", "integer", "real", "text", "choice"};
static const char *const overs[] = {"", "places", "agents", "residents", "occupied"};
static const char *const conflicts[] = {"lowest id", "highest priority", "lottery"};
static const char *const chosen_by[] = {"the lowest id", "the highest priority", "one of them by lot"};
static const char *const initials[] = {"random places", "every place", "by attribute", "from table"};
static const char *const orders[][3] = {
    {"spawn", "kill", "migrate"}, {"kill", "spawn", "migrate"}, {"kill", "migrate", "spawn"}};
static const char *const relations[] = {"", "at most", "less than", "at least", "greater than"};
static const char *const kinds[] = {"integer", "real", "fixed"};
static const char *const keys[] = {"", [MASS_KEYS_NUMBERS] = "numbers", [MASS_KEYS_TEXTS] = "texts"};
static const char *const axes[] = {"x", "y", "z"};

static mass_status print_json(json_t *value, mass_error *error)
{
    FILE *to = mass_standard_results();
    const bool whole = value && json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0;
    fputc('\n', to);
    json_decref(value);
    const mass_status status = mass_standard_results_end(error);
    return status == MASS_OK && !whole ? mass_error_memory(error, 1 << 16, "the description") : status;
}

/* ---- JSON ---- */

static json_t *parameter_json(const mass_parameter_slot *p)
{
    json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "name", p->name, "type", parameter_types[p->type], "help",
                          mass_text_json(p->help), "unit", mass_text_json(p->unit));
    if (p->type == MASS_INTEGER) json_object_set_new(o, "value", json_integer(p->integer));
    else if (p->type == MASS_REAL) json_object_set_new(o, "value", json_real(p->real));
    else json_object_set_new(o, "value", mass_text_json(p->text));
    if (p->by_default[0]) json_object_set_new(o, "by_default", mass_text_json(p->by_default));
    const bool from = mass_parameter_has_least(p), to = mass_parameter_has_most(p), whole = p->type == MASS_INTEGER;
    if (from || to) {
        json_t *least = !from ? json_null() : whole ? json_integer(p->integer_min) : json_real(p->real_min);
        json_t *most = !to ? json_null() : whole ? json_integer(p->integer_max) : json_real(p->real_max);
        json_object_set_new(o, "range", json_pack("[o, o]", least, most));
    }
    if (p->type == MASS_CHOICE) {
        json_t *list = json_array();
        for (int i = 0; p->choices[i]; i++) json_array_append_new(list, mass_text_json(p->choices[i]));
        json_object_set_new(o, "choices", list);
    }
    return o;
}

static json_t *space_json(const mass_space_def *s)
{
    json_t *size = json_array(), *edges = json_object();
    for (uint32_t a = 0; a < s->dimensions; a++) {
        json_array_append_new(size, json_integer(s->size[a]));
        json_object_set_new(edges, axes[a], json_string(s->torus >> a & 1 ? "torus" : "bounded"));
    }
    return json_pack("{s:s, s:o, s:o, s:i}", "name", s->name, "size", size, "edges", edges, "ghosts", s->ghost[0]);
}

/* An end of a range, null where it is open. */
static json_t *end_json(double end) { return isfinite(end) ? json_real(end) : json_null(); }

/* By value: {"0": "empty", "1": "tree"}. */
static json_t *names_json(const mass_attribute_def *a)
{
    json_t *o = json_object();
    for (uint32_t i = 0; i < a->name_count; i++) {
        char value[32];
        snprintf(value, sizeof value, "%.0f", a->first_name + i);
        if (a->names[i]) json_object_set_new(o, value, mass_text_json(a->names[i]));
    }
    return o;
}

static json_t *attribute_json(const mass_model *m, const mass_attribute_def *a)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:i, s:s, s:o, s:o}", "space", m->spaces[a->space].name, "name", a->name,
                          "type", mass_type_name(a->type), "length", (int)a->length, "layout",
                          a->layout == MASS_PLANES ? "planes" : "interleaved", "help", mass_text_json(a->help), "unit",
                          mass_text_json(a->unit));
    if (a->population >= 0)
        json_object_set_new(o, "population", json_string(m->populations[a->population].name));
    if (a->ranged)
        json_object_set_new(o, "range", json_pack("[o, o]", end_json(a->least), end_json(a->most)));
    if (a->name_count) json_object_set_new(o, "names", names_json(a));
    return o;
}

static void set_tally(json_t *o, const char *key, const mass_model *m, int tally)
{
    if (tally >= 0) json_object_set_new(o, key, json_string(m->tallies[tally].name));
}

static json_t *population_json(const mass_model *m, uint32_t index)
{
    const mass_population_def *p = &m->populations[index];
    json_t *attributes = json_array();
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population == (int32_t)index)
            json_array_append_new(attributes, json_string(m->attributes[i].name));
    json_t *o = json_pack("{s:s, s:o, s:s, s:I, s:s, s:s, s:I, s:I, s:o}", "name", p->name, "help",
                          mass_text_json(p->help), "space", m->spaces[p->space].name, "capacity",
                          (json_int_t)p->capacity, "conflict", conflicts[p->conflict], "initial", initials[p->initial],
                          "count", (json_int_t)p->count, "children", (json_int_t)p->children, "attributes", attributes);
    if (p->conflict == MASS_HIGHEST_PRIORITY) json_object_set_new(o, "priority", json_string(p->priority_name));
    if (p->initial == MASS_BY_ATTRIBUTE) json_object_set_new(o, "where", json_string(p->where_name));
    if (p->table >= 0) json_object_set_new(o, "table", json_string(m->parameters.slots[p->table].name));
    set_tally(o, "born", m, p->born);
    set_tally(o, "died", m, p->died);
    set_tally(o, "unborn", m, p->unborn);
    set_tally(o, "refused", m, p->unborn); /* the old name */
    set_tally(o, "alive", m, p->alive);
    return o;
}

static json_t *condition_json(const mass_model *m, const mass_condition_def *c)
{
    json_t *o = json_pack("{s:s, s:s, s:f}", "tally", m->tallies[c->tally].name, "relation", relations[c->relation],
                          "value", c->value);
    if (c->parameter >= 0)
        json_object_set_new(o, "parameter", json_string(m->parameters.slots[c->parameter].name));
    if (c->population >= 0) json_object_set_new(o, "population", json_string(m->populations[c->population].name));
    return o;
}

/* A phase: a callback, or a manage, which has an order in its place. */
static json_t *phase_json(const mass_model *m, const mass_phase_def *p)
{
    const mass_callback *c = p->callback;
    json_t *fields = json_array();
    for (uint32_t i = 0; c && i < c->field_count; i++)
        json_array_append_new(fields, json_pack("{s:s, s:s, s:s}", "name", c->fields[i].name, "access",
                                                mass_access_of(c->fields[i].access)->entry, "target",
                                                c->fields[i].target));
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "name", c ? c->name : "manage", "over",
                          c ? overs[c->over] : "agents", "schedule", p->schedule == MASS_START ? "start" : "step",
                          "space", m->spaces[p->space].name, "radius", (int)p->reach, "fields", fields);
    if (p->population >= 0) json_object_set_new(o, "population", json_string(m->populations[p->population].name));
    json_t *seen = json_array();
    for (uint32_t k = 1; k < p->population_count; k++)
        json_array_append_new(seen, json_string(m->populations[p->populations[k]].name));
    if (json_array_size(seen)) json_object_set(o, "sees", seen);
    json_decref(seen);
    if (!c)
        json_object_set_new(o, "order", json_pack("[s, s, s]", orders[p->order][0], orders[p->order][1],
                                                  orders[p->order][2]));
    if (p->conditional) json_object_set_new(o, "condition", condition_json(m, &p->condition));
    return o;
}

static json_t *tally_json(const mass_tally_def *t)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:b, s:b, s:o, s:o}", "name", t->name, "operation",
                          mass_tally_operation_of(t->access)->name, "kind", kinds[t->kind], "cumulative",
                          t->cumulative, "reduction", t->reduced, "help", mass_text_json(t->help), "unit",
                          mass_text_json(t->unit));
    if (t->bins) json_object_set_new(o, "bins", json_integer(t->bins));
    if (t->keys) json_object_set_new(o, "keys", json_string(keys[t->keys]));
    if (t->low < t->high) json_object_set_new(o, "range", json_pack("[f, f]", t->low, t->high));
    return o;
}

static json_t *info_json(const mass_model *m, const mass_plugin *entry, const char *path, double bytes)
{
    char abi[16];
    snprintf(abi, sizeof abi, "%d.%d", entry->abi_major, entry->abi_minor);
    json_t *parameters = json_array(), *spaces = json_array(), *populations = json_array(),
           *attributes = json_array(), *tallies = json_array(), *callbacks = json_array(), *logs = json_array();
    for (uint32_t i = 0; i < m->parameters.count; i++)
        if (!m->parameters.slots[i].constant)
            json_array_append_new(parameters, parameter_json(&m->parameters.slots[i]));
    for (uint32_t i = 0; i < m->space_count; i++) json_array_append_new(spaces, space_json(&m->spaces[i]));
    for (uint32_t i = 0; i < m->population_count; i++) json_array_append_new(populations, population_json(m, i));
    for (uint32_t i = 0; i < m->attribute_count; i++)
        json_array_append_new(attributes, attribute_json(m, &m->attributes[i]));
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].hidden) json_array_append_new(tallies, tally_json(&m->tallies[i]));
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (m->phases[i].schedule != MASS_OBSERVE) json_array_append_new(callbacks, phase_json(m, &m->phases[i]));
    for (uint32_t i = 0; i < m->series_count; i++)
        json_array_append_new(logs, json_pack("{s:s, s:o, s:o}", "name", m->series[i].name, "expression",
                                              mass_text_json(m->series[i].expression), "unit",
                                              mass_text_json(m->series[i].unit)));
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:b, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "plugin",
        m->plugin, "version", mass_text_json(m->version), "help", mass_text_json(m->help), "path", mass_text_json(path),
        "abi", abi, "device_code", entry->device_code != NULL, "reproducible", m->racy == NULL, "steps",
        (json_int_t)m->default_steps, "parameters", parameters, "spaces", spaces, "populations", populations,
        "attributes", attributes, "tallies", tallies, "callbacks", callbacks, "logs", logs, "memory_bytes",
        (json_int_t)bytes);
}

/* ---- text ---- */

enum { COLUMN = 19 /* where what is said of a name begins */,
       MOST_TOLD = 1000000000 /* greater ends of a range are those of a type, and tell a user nothing */ };

static FILE *lines; /* that text goes to, before they are folded */
#define PUT(...) mass_print(lines, __VA_ARGS__)

static void print_parameter(const mass_parameter_slot *p)
{
    char value[64], range[MASS_RANGE_SIZE];
    const char *text = mass_parameter_format(p, value);
    mass_parameter_slot told = *p;
    if (p->integer_max > MOST_TOLD) told.integer_max = INT64_MAX;
    if (p->type == MASS_REAL) {
        snprintf(value, sizeof value, "%.15g", p->real);
        text = value;
    }
    PUT("  %-16s %s (%s)\n", p->name, p->help, parameter_types[p->type]);
    if (p->by_default[0] && !p->given) PUT("  %-16s default: %s", "", p->by_default);
    else
        PUT("  %-16s %s %s%s%s", "", p->given ? "set to" : "default", text[0] ? text : "none", p->unit[0] ? " " : "",
            p->unit);
    if (mass_parameter_range(&told, range)[0]) PUT("%s %s", p->by_default[0] && !p->given ? ";" : ",", range);
    for (int i = 0; p->choices && p->choices[i]; i++) PUT("%s%s", i ? ", " : ", one of ", p->choices[i]);
    PUT("\n");
}

static void print_size(const mass_space_def *s)
{
    for (uint32_t a = 0; a < s->dimensions; a++) PUT("%s%" PRId64, a ? "x" : "", s->size[a]);
}

static void print_space(const mass_space_def *s)
{
    PUT("  %-16s ", s->name);
    print_size(s);
    for (uint32_t a = 0; a < s->dimensions; a++) PUT(", %s %s", axes[a], s->torus >> a & 1 ? "torus" : "bounded");
    PUT("\n");
}

/* Who stands where at the start. */
static void print_initial(const mass_model *m, const mass_population_def *p)
{
    PUT("; at the start");
    if (p->initial == MASS_RANDOM_PLACES) PUT(" %" PRId64 " on random places", p->count);
    if (p->initial == MASS_EVERY_PLACE) PUT(" %" PRId64 " on every place", p->count ? p->count : 1);
    if (p->initial == MASS_BY_ATTRIBUTE) PUT(" as many on each place as '%s' says", p->where_name);
    if (p->table >= 0)
        PUT("%s those of the table that parameter %s names", p->initial == MASS_FROM_TABLE ? "" : ", or",
               m->parameters.slots[p->table].name);
}

static void print_population(const mass_model *m, const mass_population_def *p)
{
    static const char *const what[] = {"born", "died", "unborn, for lack of a place", "alive"};
    const int tallies[] = {p->born, p->died, p->unborn, p->alive};
    PUT("  %-16s %s\n  %-16s on %s", p->name, p->help, "", m->spaces[p->space].name);
    if (p->capacity) PUT(", at most %u on a place", p->capacity);
    print_initial(m, p);
    if (p->capacity) PUT("; a place that several want goes to %s", chosen_by[p->conflict]);
    if (p->capacity && p->conflict == MASS_HIGHEST_PRIORITY) PUT(" (%s)", p->priority_name);
    if (p->children) PUT("; each has up to %u child%s at once", p->children, p->children == 1 ? "" : "ren");
    for (int i = 0, counted = 0; i < 4; i++)
        if (tallies[i] >= 0) PUT("%s %s (%s)", counted++ ? "," : "; counted:", m->tallies[tallies[i]].name, what[i]);
    PUT("\n");
}

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
    PUT(")\n");
}

static void print_condition(const mass_model *m, const mass_condition_def *c)
{
    PUT(", where %s is %s %.15g", m->tallies[c->tally].name, relations[c->relation], c->value);
    if (c->parameter >= 0) PUT(" * %s", m->parameters.slots[c->parameter].name);
    if (c->population >= 0) PUT(" * agents of %s", m->populations[c->population].name);
}

static void print_phase(const mass_model *m, const mass_phase_def *p)
{
    const mass_callback *c = p->callback;
    PUT("  %-16s %s", c ? c->name : "manage", p->schedule == MASS_START ? "at the start" : "each step");
    if (c && c->over == MASS_OVER_AGENTS) PUT(", over %s", m->populations[p->population].name);
    if (c && c->over >= MASS_OVER_RESIDENTS) PUT(", over places and %s on them", m->populations[p->population].name);
    for (uint32_t k = 1; c && k < p->population_count; k++)
        PUT("%s %s", k > 1 ? "," : ", sees", m->populations[p->populations[k]].name);
    if (!c) PUT(", %s: %s, %s, %s", m->populations[p->population].name, orders[p->order][0], orders[p->order][1],
                   orders[p->order][2]);
    if (p->reach) PUT(", radius %d", p->reach);
    if (p->conditional) print_condition(m, &p->condition);
    for (uint32_t i = 0; c && i < c->field_count; i++)
        PUT("%s%s %s", i ? ", " : ": ", mass_access_of(c->fields[i].access)->entry, c->fields[i].target);
    PUT("\n");
}

static void print_tally(const mass_tally_def *t)
{
    PUT("  %-16s %s (%s", t->name, t->help, mass_tally_operation_of(t->access)->name);
    if (t->bins) PUT(", %u bins", t->bins);
    if (t->keys) PUT(" by key: %s", keys[t->keys]);
    if (t->low < t->high) PUT(" from %g to %g", t->low, t->high);
    PUT("%s%s%s)\n", t->cumulative ? ", cumulative" : "", t->unit[0] ? ", " : "", t->unit);
}

/* What the picture is of. */
static void print_picture(const mass_model *m)
{
    const mass_picture_def *p = &m->picture;
    const mass_attribute_def *a = &m->attributes[p->attribute];
    PUT("\npicture (--image, --movie, --watch)\n  %-16s of each place, from %g to %g in %u colours\n", a->name, p->low,
        p->high, p->colours);
    for (uint32_t i = 0; i < m->population_count; i++) {
        const mass_population_def *drawn = &m->populations[i];
        if (drawn->space != a->space || drawn->colours == 0) continue;
        PUT("  %-16s on top of them, in %u colour%s", drawn->name, drawn->colours, drawn->colours == 1 ? "" : "s");
        if (drawn->drawn >= 0 && drawn->colours > 1) PUT(", by their %s", m->attributes[drawn->drawn].name);
        PUT("\n");
    }
}

/* As a shell takes it for one word. */
static void print_quoted(const char *word)
{
    char shown[2 * PATH_MAX];
    size_t used = 0;
    for (; *word && used + 8 < sizeof shown; word++)
        used += (size_t)snprintf(shown + used, sizeof shown - used, *word == '\'' ? "'\\''" : "%c", *word);
    PUT("'%s'", used ? shown : "");
}

/* The first number that says something. */
static const mass_parameter_slot *telling_parameter(const mass_parameters *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const mass_parameter_slot *p = &list->slots[i];
        if (!p->constant && ((p->type == MASS_INTEGER && p->integer) || (p->type == MASS_REAL && p->real != 0)))
            return p;
    }
    return NULL;
}

/* Adds words to a command, on its next line where they do not fit. */
static void put_words(int *column, const char *words)
{
    const int length = (int)strlen(words);
    const bool fits = *column + 1 + length + (int)strlen(" \\") <= MASS_FOLD_COLUMNS;
    PUT(fits ? " %s" : " \\\n      %s", words);
    *column = (fits ? *column + 1 : 6) + length;
}

/* What a shell takes as one word. */
static bool is_plain(const char *word)
{
    return word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%")] == '\0';
}

/* The parameter of an example: of a model that reads a stream the one that names it, else a number. */
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

/* A command that does what the plugin's name alone does, for others to change. */
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

static bool has_parameters(const mass_parameters *list)
{
    uint32_t constants = 0;
    for (uint32_t i = 0; i < list->count; i++) constants += list->slots[i].constant;
    return constants < list->count;
}

/* What every population has, whatever its plugin declares. */
static bool is_column(const mass_attribute_def *a)
{
    static const char *const columns[] = {"id", "lost", "world", "place"};
    for (size_t i = 0; a->population >= 0 && i < sizeof columns / sizeof *columns; i++)
        if (strcmp(a->name, columns[i]) == 0) return true;
    return false;
}

/* What who runs it has to know. */
static void print_for_users(const mass_info *info)
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
    if (m->population_count) PUT("\npopulations\n");
    for (uint32_t i = 0; i < m->population_count; i++) print_population(m, &m->populations[i]);
    PUT("\nattributes (--load, --tally)\n");
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (info->verbose || !is_column(&m->attributes[i])) print_attribute(m, &m->attributes[i]);
    PUT("\ntallies (--log, --until)\n");
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].hidden && !m->tallies[i].outside) print_tally(&m->tallies[i]);
    if (m->picture.declared) print_picture(m);
}

/* What who writes one wants to know besides. */
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

/* What the state takes; *ghosts: of that, what steps in one pass have for themselves. Without --device, that is a
 * CPU's, which tries as many or more. */
static double find_bytes(const mass_info *info, double *ghosts)
{
    const mass_model *m = info->model;
    const char *device = info->device ? info->device : "";
    const mass_share alone = mass_share_make(mass_comm_self(), info->worlds, info->partitions, NULL);
    const double single = mass_domain_bytes(m, info->partitions, info->worlds);
    int32_t steps = info->fuse;
    if (!steps) steps = mass_fuse_trial_most_on(strncmp(device, "cuda", 4) == 0, m, info->worlds, alone.comm);
    if (!info->fuse) steps = strcmp(device, "paranoid") == 0 ? 1 : mass_fuse_room_worth(m, &alone, steps);
    const double all = mass_fuse_room_bytes(m, &alone, steps);
    *ghosts = all - single;
    return all;
}

/* Only what is worth a word. */
static void print_memory(double bytes, double ghosts)
{
    char all[32], own[32];
    PUT("memory at this size: %s", mass_format_bytes(all, bytes));
    if (ghosts > bytes / 16)
        PUT(", of which %s is for several steps in one pass (--fuse 1 takes none)", mass_format_bytes(own, ghosts));
    PUT("\n");
}

static mass_status info_text(const mass_info *info, double bytes, double ghosts, mass_error *error)
{
    const mass_model *m = info->model;
    char *text = NULL;
    size_t size = 0;
    lines = mass_memory_stream(&text, &size);
    if (!lines) return mass_error_memory(error, 1 << 16, "the description");
    print_for_users(info);
    if (info->verbose) print_for_authors(info);
    PUT("\n%" PRIu64 " step%s unless --steps says otherwise\n", m->default_steps, m->default_steps == 1 ? "" : "s");
    print_memory(bytes, ghosts);
    PUT("%s\n", info->entry->device_code ? "runs on CPUs and GPUs" : "runs on CPUs: it has no device code");
    if (fclose(lines) != 0) return mass_error_memory(error, 1 << 16, "the description");
    mass_fold(text, COLUMN, mass_standard_results());
    free(text);
    return mass_standard_results_end(error);
}

mass_status mass_info_print(const mass_info *info, mass_error *error)
{
    double ghosts;
    const double bytes = find_bytes(info, &ghosts);
    return info->json ? print_json(info_json(info->model, info->entry, info->path, bytes), error)
                      : info_text(info, bytes, ghosts, error);
}
