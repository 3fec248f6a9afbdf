/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep.h"
#include "command/run/blame_size.h"
#include "command/run/ranges.h"
#include "domain/population.h"
#include "process/signals.h"
#include "text/parameter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 26, WORLDS_MAX = INT32_MAX / 2 };

/* ---- the file ---- */

static mass_status copy_names(mass_sweep *s, const mass_opening *opening, mass_error *error)
{
    const uint32_t columns = s->csv.columns;
    s->common = opening->setting_count;
    s->setting_count = s->common + columns;
    s->names = calloc(columns, sizeof *s->names);
    s->values = calloc(columns, sizeof *s->values);
    s->settings = calloc(s->setting_count, sizeof *s->settings);
    if (!s->names || !s->values || !s->settings) return mass_error_memory(error, s->file.size, "a sweep");
    for (uint32_t i = 0; i < s->common; i++) s->settings[i] = opening->settings[i];
    for (uint32_t c = 0; c < columns; c++) {
        const mass_csv_field name = s->csv.names[c];
        if (!mass_csv_text(name, s->names[c], sizeof *s->names) || !mass_name_valid(s->names[c]))
            return mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "'%.*s' is no name of a parameter",
                                   name.length > 80 ? 80 : (int)name.length, name.text);
        for (uint32_t i = 0; i < s->common; i++)
            if (strcmp(s->settings[i].name, s->names[c]) == 0)
                return mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "parameter %s is given by %s, too", s->names[c],
                                       s->settings[i].where ? s->settings[i].where : "--set");
        s->settings[s->common + c] = (mass_setting){s->names[c], s->values[c], NULL};
    }
    return MASS_OK;
}

static mass_status take_rows(mass_sweep *s, mass_error *error)
{
    const size_t columns = s->csv.columns, most = mass_csv_rows_most(&s->csv);
    s->fields = calloc(most, columns * sizeof *s->fields);
    if (!s->fields) return mass_error_memory(error, most * columns * sizeof *s->fields, "a sweep");
    mass_status status = MASS_OK;
    for (bool more = true; status == MASS_OK && more;) {
        status = mass_csv_next(&s->csv, &more, error);
        if (status != MASS_OK || !more) break;
        mass_csv_field *row = &s->fields[(size_t)s->worlds++ * columns];
        for (size_t c = 0; status == MASS_OK && c < columns; c++) {
            row[c] = s->csv.fields[c];
            if (row[c].length >= sizeof *s->values)
                status = mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "parameter %s: a value of %zu bytes",
                                         s->names[c], row[c].length);
        }
        if (status == MASS_OK && s->worlds > WORLDS_MAX)
            status = mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "there are more than %d rows", WORLDS_MAX);
    }
    if (status == MASS_OK && s->worlds == 0)
        status = mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "no row follows the header, and each is a world");
    return status;
}

/* The settings become those of a world, and so does what messages call the line. */
static void choose(mass_sweep *s, int32_t world)
{
    for (uint32_t c = 0; c < s->csv.columns; c++)
        (void)mass_csv_text(s->fields[(size_t)world * s->csv.columns + c], s->values[c], sizeof *s->values);
    s->csv.line = (uint64_t)world + 2;
}

mass_status mass_sweep_read(const char *path, mass_opening *opening, mass_sweep *out, mass_error *error)
{
    *out = (mass_sweep){0};
    mass_status status = mass_file_read(path, FILE_BYTES_MAX, MASS_BAD_INPUT, &out->file, error);
    if (status == MASS_OK) status = mass_csv_open(path, out->file.bytes, out->file.size, &out->csv, error);
    if (status == MASS_OK) status = copy_names(out, opening, error);
    if (status == MASS_OK) status = take_rows(out, error);
    if (status != MASS_OK) return status;
    choose(out, 0);
    opening->settings = out->settings;
    opening->setting_count = out->setting_count;
    return MASS_OK;
}

void mass_sweep_free(mass_sweep *s)
{
    mass_csv_close(&s->csv);
    mass_file_free(&s->file);
    free(s->fields);
    free(s->settings);
    free(s->names);
    free(s->values);
    *s = (mass_sweep){0};
}

/* ---- a model for all worlds ---- */

/* What the worlds' own models say, by world: of every parameter and constant, and of every population. */
typedef struct findings {
    uint64_t **bits;   /* [parameters][worlds] */
    int64_t **counts;  /* [populations][worlds] */
    uint32_t parameters, populations;
    mass_ranges ranges;
    bool seedless; /* all of them */
} findings;

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

static mass_status make_findings(findings *f, const mass_model *m, int32_t worlds, mass_error *error)
{
    f->parameters = m->parameters.count;
    f->populations = m->population_count;
    f->seedless = true;
    f->bits = allocate_rows(f->parameters, worlds, sizeof **f->bits);
    f->counts = allocate_rows(f->populations, worlds, sizeof **f->counts);
    return f->bits && f->counts ? MASS_OK : mass_error_memory(error, (size_t)worlds * f->parameters * 8, "a sweep");
}

static void free_findings(findings *f)
{
    for (uint32_t i = 0; f->bits && i < f->parameters; i++) free(f->bits[i]);
    for (uint32_t i = 0; f->counts && i < f->populations; i++) free(f->counts[i]);
    free(f->bits);
    free(f->counts);
    mass_ranges_free(&f->ranges);
}

static mass_status note(findings *f, const mass_model *m, int32_t world, mass_error *error)
{
    for (uint32_t i = 0; i < f->parameters; i++) f->bits[i][world] = mass_parameter_bits(&m->parameters.slots[i]);
    for (uint32_t i = 0; i < f->populations; i++) f->counts[i][world] = m->populations[i].count;
    f->seedless &= m->seedless;
    return mass_ranges_add(&f->ranges, m, error);
}

/* The header's names, once the plugin has declared what it has. */
static mass_status check_names(mass_sweep *s, const mass_engine_host *h, mass_error *error)
{
    const mass_parameters *list = &h->model->parameters;
    const uint64_t line = s->csv.line;
    mass_error why = {0};
    s->csv.line = 1;
    for (uint32_t c = 0; c < s->csv.columns; c++) {
        const mass_parameter_slot *slot = mass_parameters_find(list, s->names[c]);
        if (slot && slot->constant)
            mass_csv_refuse(&s->csv, MASS_BAD_INPUT, &why, "%s is a constant of the model", s->names[c]);
        else if (slot && slot->type == MASS_TEXT)
            mass_csv_refuse(&s->csv, MASS_BAD_INPUT, &why, "parameter %s is a text, which all worlds share: use --set",
                            s->names[c]);
        else if (!slot && h->opened) {
            const char *meant = mass_parameters_nearest(list, s->names[c]);
            mass_csv_refuse(&s->csv, MASS_BAD_INPUT, &why, "there is no parameter '%s'; %s%s%s", s->names[c],
                            meant ? "did you mean '" : "--info tells what there is", meant ? meant : "",
                            meant ? "'?" : "");
        }
    }
    s->csv.line = line;
    if (why.status != MASS_OK) *error = why;
    return why.status;
}

/* That its agents find places, but for those that a file puts there. */
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

/* Whether it is of the line's parameters that the plugin does not open: where it did with those before, or says so. */
static bool is_of_line(mass_status status, int32_t world)
{
    return status == MASS_BAD_USAGE || status == MASS_BAD_INPUT || (world > 0 && status == MASS_BAD_PLUGIN);
}

/* One world's model, opened as the run will. What is wrong with it is wrong with its line. */
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
    if (world == 0 && s->sized && mass_blame_size(plugin, opening, model, &why, error)) return error->status;
    if (is_of_line(status, world))
        return mass_csv_refuse(&s->csv, status == MASS_BAD_USAGE ? MASS_BAD_INPUT : status, error, "%s", why.text);
    if (status != MASS_OK) *error = why;
    return status;
}

/* Whether the phases of one model look as far as those of the other. */
static bool looks_as_far(const mass_model *m, const mass_model *other)
{
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (m->phases[i].reach < other->phases[i].reach) return false;
    return true;
}

static mass_status refuse_model(const mass_sweep *s, const char *plugin, const char *what, mass_error *error)
{
    return mass_csv_refuse(&s->csv, MASS_BAD_INPUT, error, "%s: %s than in the rows before: parameters that "
                           "change this cannot be swept", plugin, what);
}

/* Opens every world, and finds one whose phases look as far as those of all, which the run takes. */
static mass_status survey(mass_sweep *s, mass_engine_host *h, const mass_plugin *plugin, const mass_opening *opening,
                          findings *f, int32_t *widest, mass_error *error)
{
    mass_model base = {0};
    mass_status status = open_world(s, h, plugin, opening, *widest = 0, &base, error);
    if (status == MASS_OK) status = make_findings(f, &base, s->worlds, error);
    if (status == MASS_OK) status = note(f, &base, 0, error);
    for (int32_t w = 1; status == MASS_OK && w < s->worlds; w++) {
        mass_model model = {0};
        status = mass_signals_check(error);
        if (status == MASS_OK) status = open_world(s, h, plugin, opening, w, &model, error);
        const char *what = status == MASS_OK ? mass_model_difference(&base, &model) : NULL;
        if (what) status = refuse_model(s, base.plugin, what, error);
        if (status == MASS_OK) status = note(f, &model, w, error);
        if (status == MASS_OK && !looks_as_far(&base, &model)) {
            if (!looks_as_far(&model, &base)) status = refuse_model(s, base.plugin, "some callbacks look farther and "
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

static bool all_equal(const uint64_t *values, int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        if (values[i] != values[0]) return false;
    return true;
}

static bool is_named(const mass_sweep *s, const char *parameter)
{
    for (uint32_t c = 0; c < s->csv.columns; c++)
        if (strcmp(s->names[c], parameter) == 0) return true;
    return false;
}

/* Hands the findings to the model. */
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
