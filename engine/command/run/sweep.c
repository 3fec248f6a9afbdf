/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep.h"
#include "command/run/blame_size.h"
#include "command/run/ranges.h"
#include "model/list.h"
#include "population/populate.h"
#include "process/available_memory.h"
#include "process/signals.h"
#include "text/spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rows ---- */

/* Returns the bytes of the longest field of the run's rows, with its zero byte. */
static size_t longest_field(const mass_sweep *s)
{
    const size_t columns = s->rows->columns;
    const mass_csv_field *fields = s->rows->fields + s->run->first_row * columns;
    size_t most = 0;
    for (size_t i = 0; i < s->run->rows * columns; i++)
        if (fields[i].length > most) most = fields[i].length;
    return most + 1;
}

/* Makes the settings: those of the opening, then one for each column, whose value is "" at first. Refuses a name that
 * is in both. */
static mass_status copy_names(mass_sweep *s, const mass_opening *opening, mass_error *error)
{
    const uint32_t columns = s->rows->columns;
    s->common = opening->setting_count;
    s->setting_count = s->common + columns;
    s->values = calloc(columns + 1, sizeof *s->values);
    s->settings = calloc(s->setting_count + 1, sizeof *s->settings);
    s->room = longest_field(s);
    bool whole = s->values && s->settings;
    for (uint32_t c = 0; whole && c < columns; c++) whole = (s->values[c] = calloc(s->room, 1)) != NULL;
    if (!whole) return mass_error_memory(error, columns * s->room, "a sweep");
    for (uint32_t i = 0; i < s->common; i++) s->settings[i] = opening->settings[i];
    for (uint32_t c = 0; c < columns; c++) {
        const char *name = s->rows->names[c];
        for (uint32_t i = 0; i < s->common; i++)
            if (strcmp(s->settings[i].name, name) == 0)
                return mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "parameter %s is given by %s, too", name,
                                       s->settings[i].where ? s->settings[i].where : "--set");
        s->settings[s->common + c] = (mass_setting){name, s->values[c], NULL};
    }
    return MASS_OK;
}

/* Checks the free memory for worlds, as a short table may ask for very many. Passes if it is unknown. */
static mass_status check_memory(int32_t worlds, size_t bytes_of_a_world, mass_error *error)
{
    size_t left = SIZE_MAX;
    mass_error unknown = {0};
    if (mass_available_memory_left(&left, &unknown) != MASS_OK) return MASS_OK;
    const double needed = (double)worlds * (double)bytes_of_a_world;
    return needed <= (double)left ? MASS_OK : mass_error_memory(error, (size_t)needed, "a sweep");
}

uint32_t mass_sweep_row(const mass_sweep *s, int32_t world)
{
    uint32_t low = s->run->first_row, high = low + s->run->rows - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (s->rows->starts[middle] <= world) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* Sets the settings, and the line for messages, to those of a world. */
static void choose(mass_sweep *s, int32_t world)
{
    const uint32_t row = mass_sweep_row(s, world);
    const mass_csv_field *fields = s->rows->fields + (size_t)row * s->rows->columns;
    for (uint32_t c = 0; c < s->rows->columns; c++) (void)mass_csv_text(fields[c], s->values[c], s->room);
    s->csv.line = s->rows->lines[row];
}

mass_status mass_sweep_take(const mass_sweep_rows *rows, uint32_t run, mass_opening *opening, mass_sweep *out,
                            mass_error *error)
{
    *out = (mass_sweep){.rows = rows, .run = &rows->runs[run], .csv = rows->csv, .worlds = rows->runs[run].worlds};
    out->csv.line = 1;
    mass_status status = copy_names(out, opening, error);
    if (status != MASS_OK) return status;
    choose(out, 0);
    opening->settings = out->settings;
    opening->setting_count = out->setting_count;
    return MASS_OK;
}

void mass_sweep_free(mass_sweep *s)
{
    free(s->settings);
    for (uint32_t c = 0; s->values && c < s->rows->columns; c++) free(s->values[c]);
    free(s->values);
    *s = (mass_sweep){0};
}

/* ---- a model for all worlds ---- */

/* The values of the worlds' own models, by world: every parameter and constant, and the agents of every population. */
typedef struct findings {
    uint64_t **bits;   /* [parameters][worlds] */
    mass_parameter_slot *lists; /* [parameters] of those that are lists, the texts of all worlds; else all zero */
    int64_t **counts;  /* [populations][worlds] */
    uint32_t parameters, populations;
    mass_ranges ranges;
    bool seedless; /* in all worlds */
} findings;

/* Returns an array of pointers to `rows` rows, each of which has `columns` elements of `size` bytes, all zero. The
 * caller frees the rows and the array. NULL, with nothing allocated, if memory is short. */
static void *allocate_rows(uint32_t rows, int32_t columns, size_t size)
{
    void **row = calloc(rows ? rows : 1, sizeof *row);
    for (uint32_t i = 0; row && i < rows; i++)
        if (!(row[i] = calloc((size_t)columns, size))) {
            while (i > 0) free(row[--i]);
            free(row);
            return NULL;
        }
    return row;
}

/* Allocates what rows are compared by, for so many worlds of a model like m. Checks first that memory is free. On
 * failure the caller calls free_findings. */
static mass_status make_findings(findings *f, const mass_model *m, int32_t worlds, mass_error *error)
{
    f->parameters = m->parameters.count;
    f->populations = m->population_count;
    f->seedless = true;
    if (check_memory(worlds, 8 * ((size_t)f->parameters + f->populations), error) != MASS_OK) return error->status;
    f->bits = allocate_rows(f->parameters, worlds, sizeof **f->bits);
    f->counts = allocate_rows(f->populations, worlds, sizeof **f->counts);
    f->lists = calloc(f->parameters + 1, sizeof *f->lists);
    return f->bits && f->counts && f->lists ? MASS_OK
                                            : mass_error_memory(error, (size_t)worlds * f->parameters * 8, "a sweep");
}

/* Frees the members of *f, not *f. */
static void free_findings(findings *f)
{
    for (uint32_t i = 0; f->bits && i < f->parameters; i++) free(f->bits[i]);
    for (uint32_t i = 0; f->counts && i < f->populations; i++) free(f->counts[i]);
    for (uint32_t i = 0; f->lists && i < f->parameters; i++) mass_list_free(&f->lists[i]);
    free(f->lists);
    free(f->bits);
    free(f->counts);
    mass_ranges_free(&f->ranges);
}

/* Records a world's parameters, numbers of agents and ranges. Clears `seedless` if the model uses the seed. */
static mass_status note(findings *f, const mass_model *m, int32_t world, mass_error *error)
{
    for (uint32_t i = 0; i < f->parameters; i++) {
        const mass_parameter_slot *slot = &m->parameters.slots[i];
        f->bits[i][world] = mass_parameter_bits(slot);
        if (slot->list && mass_list_meet(&f->lists[i], slot->text, &f->bits[i][world], error) != MASS_OK)
            return error->status;
    }
    for (uint32_t i = 0; i < f->populations; i++) f->counts[i][world] = m->populations[i].count;
    f->seedless &= m->seedless;
    return mass_ranges_add(&f->ranges, m, error);
}

/* Records a world of the same row as the one before it, by copying that one's values. */
static void note_again(findings *f, int32_t world)
{
    for (uint32_t i = 0; i < f->parameters; i++) f->bits[i][world] = f->bits[i][world - 1];
    for (uint32_t i = 0; i < f->populations; i++) f->counts[i][world] = f->counts[i][world - 1];
}

/* Refuses an unknown column in *why, with the nearest name and all names that there are. */
static void refuse_unknown(const mass_sweep *s, const mass_model *m, const char *name, mass_error *why)
{
    char names[500] = "";
    mass_spelling nearest = mass_spelling_to(name);
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        const size_t used = strlen(names);
        if (m->parameters.slots[i].constant) continue;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", m->parameters.slots[i].name);
        mass_spelling_try(&nearest, m->parameters.slots[i].name);
    }
    for (const char *const *own = mass_sweep_own_names; *own; own++) mass_spelling_try(&nearest, *own);
    const bool valid = mass_name_valid(name);
    mass_csv_refuse(&s->csv, MASS_BAD_INPUT, why, "%s'%s'%s; %s%s%s%s has %s, and the run seed, steps, size and repeat",
                    valid ? "there is no parameter " : "", name, valid ? "" : " is not a name of a parameter",
                    nearest.best ? "did you mean '" : "", nearest.best ? nearest.best : "", nearest.best ? "'? " : "",
                    m->plugin, names[0] ? names : "none");
}

/* Checks the names in the header, after the plugin has declared its parameters: refuses constants and texts, and
 * unknown ones if it has opened. */
static mass_status check_names(mass_sweep *s, const mass_engine_host *h, mass_error *error)
{
    const mass_parameters *list = &h->model->parameters;
    const uint64_t line = s->csv.line;
    mass_error why = {0};
    s->csv.line = 1;
    for (uint32_t c = 0; c < s->rows->columns; c++) {
        const mass_parameter_slot *slot = mass_parameters_find(list, s->rows->names[c]);
        if (slot && slot->constant)
            mass_csv_refuse(&s->csv, MASS_BAD_INPUT, &why, "%s is a constant of the model", s->rows->names[c]);
        else if (slot && slot->type == MASS_TEXT)
            mass_csv_refuse(&s->csv, MASS_BAD_INPUT, &why, "parameter %s is a text, which all worlds share: use --set",
                            s->rows->names[c]);
        else if (!slot && h->opened) refuse_unknown(s, h->model, s->rows->names[c], &why);
    }
    s->csv.line = line;
    if (why.status != MASS_OK) *error = why;
    return why.status;
}

/* Checks that the model's agents fit its places, except agents that a file places. */
static mass_status check_agents(const mass_model *m, mass_error *error)
{
    mass_error why = {0};
    for (uint32_t i = 0; i < m->population_count; i++) {
        const mass_population_def *p = &m->populations[i];
        const bool by_file = p->table >= 0 && m->parameters.slots[p->table].text[0];
        if (!by_file && mass_population_check_start(m, p, p->count, &why) != MASS_OK)
            return mass_error_set(error, why.status, "%s: %s", m->plugin, why.text);
    }
    return MASS_OK;
}

/* Returns whether a failure to open is due to a line's parameters: the plugin says so, or it opened with those
 * before. */
static bool is_of_line(mass_status status, int32_t world)
{
    return status == MASS_BAD_USAGE || status == MASS_BAD_INPUT || (world > 0 && status == MASS_BAD_PLUGIN);
}

/* Opens the model of one world as the run will. Refuses names that no parameter has. Attributes failures to the world's
 * line, as faults of the file, unless a name or the size that the options give is the cause. */
static mass_status open_world(mass_sweep *s, mass_engine_host *h, const mass_plugin *plugin,
                              const mass_opening *opening, int32_t world, mass_model *model, mass_error *error)
{
    mass_error why = {0};
    choose(s, world);
    mass_status status = mass_host_open(h, plugin, opening, model, &why);
    if (status == MASS_OK && !s->sizeless) status = check_agents(model, &why);
    if (status == MASS_OK || status == MASS_BAD_USAGE) {
        const mass_status names = check_names(s, h, error);
        if (names != MASS_OK) return names;
    }
    mass_opening common = *opening;
    common.setting_count = s->common; /* the others are columns */
    if (status != MASS_OK && world == 0 && mass_host_blame_name(h, plugin, &common, &why, error)) return error->status;
    if (world == 0 && s->sized && mass_blame_size(plugin, opening, model, &why, error)) return error->status;
    if (is_of_line(status, world))
        return mass_csv_refuse(&s->csv, status == MASS_BAD_USAGE ? MASS_BAD_INPUT : status, error, "%s", why.text);
    if (status != MASS_OK) *error = why;
    return status;
}

/* Returns whether each phase of m acts at least as far as that of `other`, which has as many: it reads, and in turn
 * also meets agents and changes something. */
static bool looks_as_far(const mass_model *m, const mass_model *other)
{
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i], *q = &other->phases[i];
        if (p->reach < q->reach || p->turn_scope.meets < q->turn_scope.meets ||
            p->turn_scope.changes < q->turn_scope.changes)
            return false;
    }
    return true;
}

/* Reports that a row changes the model itself, which worlds of one run share. */
static mass_status refuse_model(const mass_sweep *s, const char *plugin, const char *what, mass_error *error)
{
    return mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "%s: %s than in the rows before: parameters that "
                           "change this cannot be swept", plugin, what);
}

/* Opens every world whose row is not that of the world before, and notes it in *f, {0} before, which the caller frees.
 * Refuses a row that changes the model. Sets *widest to a world whose phases reach as far as those of all; the run uses
 * its model. */
static mass_status survey(mass_sweep *s, mass_engine_host *h, const mass_plugin *plugin, const mass_opening *opening,
                          findings *f, int32_t *widest, mass_error *error)
{
    mass_model base = {0};
    mass_status status = open_world(s, h, plugin, opening, *widest = 0, &base, error);
    if (status == MASS_OK) status = make_findings(f, &base, s->worlds, error);
    if (status == MASS_OK) status = note(f, &base, 0, error);
    for (int32_t w = 1; status == MASS_OK && w < s->worlds; w++) {
        mass_model model = {0};
        if (mass_sweep_row(s, w) == mass_sweep_row(s, w - 1)) {
            note_again(f, w);
            continue;
        }
        status = mass_signals_check(error);
        if (status == MASS_OK) status = open_world(s, h, plugin, opening, w, &model, error);
        const char *what = status == MASS_OK ? mass_model_difference(&base, &model) : NULL;
        if (what) status = refuse_model(s, base.plugin, what, error);
        if (status == MASS_OK) status = note(f, &model, w, error);
        if (status == MASS_OK && !looks_as_far(&base, &model)) {
            if (!looks_as_far(&model, &base)) status = refuse_model(s, base.plugin, "some callbacks act farther and "
                                                                    "others less far", error);
            const mass_model wider = model;
            model = base;
            base = wider;
            *widest = w;
        }
        mass_model_free(&model);
    }
    mass_model_free(&base);
    return status;
}

/* Returns true if all values are equal. */
static bool all_equal(const uint64_t *values, int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        if (values[i] != values[0]) return false;
    return true;
}

/* Returns whether the sweep has a column for the parameter. */
static bool is_named(const mass_sweep *s, const char *parameter)
{
    for (uint32_t c = 0; c < s->rows->columns; c++)
        if (strcmp(s->rows->names[c], parameter) == 0) return true;
    return false;
}

/* Moves the findings to the model: values that differ between worlds, or that the table names, become swept. A
 * population's count becomes the most of all worlds. */
static void settle(const mass_sweep *s, findings *f, mass_model *m)
{
    m->parameters.worlds = s->worlds;
    m->seedless = f->seedless;
    mass_ranges_give(&f->ranges, m);
    for (uint32_t i = 0; i < f->parameters; i++) {
        mass_parameter_slot *slot = &m->parameters.slots[i];
        if (all_equal(f->bits[i], s->worlds) && !is_named(s, slot->name)) continue;
        slot->swept = f->bits[i];
        f->bits[i] = NULL;
        if (slot->list) mass_list_take(slot, &f->lists[i]);
    }
    for (uint32_t i = 0; i < f->populations; i++) {
        mass_population_def *p = &m->populations[i];
        p->counts = f->counts[i];
        f->counts[i] = NULL;
        for (int32_t w = 0; w < s->worlds; w++)
            if (p->counts[w] > p->count) p->count = p->counts[w];
    }
}

mass_status mass_sweep_open(mass_sweep *s, mass_engine_host *h, const mass_plugin *plugin, mass_opening *opening,
                            mass_model *model, mass_error *error)
{
    findings f = {0};
    int32_t widest;
    mass_status status = survey(s, h, plugin, opening, &f, &widest, error);
    if (status == MASS_OK) status = open_world(s, h, plugin, opening, widest, model, error);
    if (status == MASS_OK) settle(s, &f, model);
    free_findings(&f);
    return status;
}

mass_status mass_sweep_check_own(const mass_sweep_rows *rows, const mass_model *m, mass_error *error)
{
    const bool there[] = {rows->seed, rows->steps, rows->size, rows->repeat};
    mass_csv csv = rows->csv;
    csv.line = 1;
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (there[i] && mass_parameters_find(&m->parameters, mass_sweep_own_names[i]))
            return mass_csv_refuse(&csv, MASS_BAD_INPUT, error, "column %s is the run's, and %s has a parameter of "
                                   "that name: call its column set.%s", mass_sweep_own_names[i], m->plugin,
                                   mass_sweep_own_names[i]);
    return MASS_OK;
}
