/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions in a model: their tallies, and the phases that compute them. */
#include "model/model.h"
#include "reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Least width of bins, relative to the larger end of a histogram. Such bins are still several doubles wide, so that a
 * division finds the bin or one next to it. */
static const double BIN_WIDTH_LEAST = 0x1p-48;

/* Returns a text for messages: "" for NULL. */
static const char *shown(const char *text) { return text ? text : ""; }

/* Returns the width of a histogram's bins. */
static double width_of(double low, double high, uint32_t bins) { return (high - low) / bins; }

/* Checks a histogram's number of bins, and that doubles can tell their ends apart. */
static mass_status check_bins(const mass_reduction *r, mass_error *error)
{
    if (r->bins < 1 || r->bins > MASS_BINS_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "histogram '%s' has %u bins, not 1 to %u", r->name, r->bins,
                              MASS_BINS_MAX);
    if (!(r->low < r->high))
        return mass_error_set(error, MASS_BAD_PLUGIN, "histogram '%s' ends at %.15g and begins at %.15g: bins end "
                              "above where they begin", r->name, r->high, r->low);
    const double width = width_of(r->low, r->high, r->bins), largest = fmax(fabs(r->low), fabs(r->high));
    if (!isfinite(width) || width < BIN_WIDTH_LEAST * largest || width < 0x1p-1000)
        return mass_error_set(error, MASS_BAD_PLUGIN, "histogram '%s' has bins from %.15g to %.15g that are wider or "
                              "narrower than numbers can tell", r->name, r->low, r->high);
    return MASS_OK;
}

/* Tallies of values that no bin counts; the longest suffix has six characters. */
static const char *const suffixes[MASS_REDUCE_TALLIES] = {"", ".below", ".above", ".nan"};
enum { SUFFIX_LENGTH = 6 };

/* Checks a reduction's name, which no tally has, and its operation. A histogram's name leaves space for suffixes. */
static mass_status check_name(const mass_model *m, const mass_reduction *r, mass_error *error)
{
    const size_t most = MASS_NAME_SIZE - 1 - (r->operation == MASS_HISTOGRAM ? SUFFIX_LENGTH : 0);
    if (!r->name || !mass_name_valid(r->name) || strlen(r->name) > most)
        return mass_error_set(error, MASS_BAD_PLUGIN, "reduction '%s' is not named by letters, digits and '_' (at most "
                              "%zu)", shown(r->name), most);
    if (mass_model_find_tally(m, r->name) >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "there is a tally '%s' already", r->name);
    if ((!mass_tally_operation_of(r->operation) || r->operation == MASS_OF_WORLD) && r->operation != MASS_HISTOGRAM)
        return mass_error_set(error, MASS_BAD_PLUGIN, "reduction '%s' has unknown operation %u: it can be MASS_SUM, "
                              "MASS_MEAN, MASS_MIN, MASS_MAX or MASS_HISTOGRAM", r->name, r->operation);
    return MASS_OK;
}

/* Returns the index of the attribute that a reduction is of; -1, with the error set, if there is none. */
static int find_target(const mass_model *m, const mass_reduction *r, mass_error *error)
{
    const int population = r->population ? mass_model_find_population(m, r->population) : -1;
    const int space = population >= 0 ? (int)m->populations[population].space : mass_model_find_space(m, r->space);
    if (r->population ? population < 0 : space < 0) {
        mass_error_set(error, MASS_BAD_PLUGIN, "there is no %s '%s' to reduce an attribute of",
                       r->population ? "population" : "space", r->population ? r->population : shown(r->space));
        return -1;
    }
    const char *name = shown(r->attribute);
    const int a = population >= 0 ? mass_model_named_agent_attribute(m, (uint32_t)population, name)
                                  : mass_model_find_attribute(m, (uint32_t)space, name);
    if (a >= 0) return a;
    mass_error_set(error, MASS_BAD_PLUGIN, "%s '%s' has no attribute '%s'; --info lists them",
                   population >= 0 ? "population" : "space",
                   population >= 0 ? m->populations[population].name : m->spaces[space].name, name);
    return -1;
}

/* Returns the callback that reduces an attribute, or NULL if there is none. */
static const mass_callback *callback_of(const mass_attribute_def *a, uint32_t operation)
{
    const uint32_t over = a->population >= 0 ? MASS_OVER_AGENTS : MASS_OVER_PLACES;
    return a->layout == MASS_INTERLEAVED ? mass_reduce_component_callback(operation, a->type, a->length, over)
                                         : mass_reduce_callback(operation, a->type, over);
}

bool mass_attribute_is_reducible(const mass_attribute_def *a)
{
    return a->type != MASS_STRUCT && !a->derived && !a->streamed && callback_of(a, MASS_MEAN);
}

/* Refuses attributes that cannot be reduced: structs, agents' places, interleaved ones, and components that there are
 * not. */
static mass_status check_target(const mass_attribute_def *a, const mass_reduction *r, mass_error *error)
{
    if (a->type == MASS_STRUCT)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' is a struct, and only numbers can be reduced",
                              a->name);
    if (a->derived)
        return mass_error_set(error, MASS_BAD_PLUGIN, "'%s' of an agent follows from its place, and cannot be reduced",
                              a->name);
    if (!callback_of(a, r->operation))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' keeps its components interleaved, and those "
                              "cannot be reduced, but for two or three floats or doubles of agents: a body can add "
                              "them up in tallies", a->name);
    if (r->component >= a->length)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has components [0] to [%u], and no [%u]", a->name,
                              a->length - 1, r->component);
    return MASS_OK;
}

/* Writes a description: "mean of grid.temperature[1]". */
static void describe(const mass_model *m, const mass_attribute_def *a, const mass_reduction *r, char text[300])
{
    static const char *const operations[] = {[MASS_SUM] = "sum", [MASS_MIN] = "least", [MASS_MAX] = "greatest"};
    char component[16] = "";
    if (a->length > 1) snprintf(component, sizeof component, "[%u]", r->component);
    const char *const operation = r->operation == MASS_MEAN        ? "mean"
                                  : r->operation == MASS_HISTOGRAM ? "histogram"
                                                                   : operations[r->operation];
    snprintf(text, 300, "%s of %s.%s%s", operation, mass_owner_name(m, a), a->name, component);
}

/* Adds the reduction's tally; for a histogram also those of values that no bin counts. On failure the caller takes back
 * some. */
static mass_status add_tallies(mass_model *m, const mass_reduction *r, const mass_attribute_def *a, mass_error *error)
{
    const bool histogram = r->operation == MASS_HISTOGRAM;
    char help[300], name[2 * MASS_NAME_SIZE];
    describe(m, a, r, help);
    mass_tally t = {.struct_size = sizeof t, .access = histogram ? MASS_SUM : r->operation, .name = name,
                    .kind = mass_reduce_is_real(r->operation, a->type) ? MASS_TALLY_REAL : MASS_TALLY_INTEGER,
                    .help = r->help ? r->help : help, .unit = r->unit ? r->unit : a->unit,
                    .bins = histogram ? r->bins : 0, .low = r->low, .high = r->high};
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < (histogram ? MASS_REDUCE_TALLIES : 1); i++) {
        snprintf(name, sizeof name, "%s%s", r->name, suffixes[i]);
        status = mass_model_append_tally(m, &t, error);
        if (status != MASS_OK) return status;
        m->tallies[m->tally_count - 1].reduced = true;
        m->tallies[m->tally_count - 1].outside = i > 0;
        t.bins = 0;
        t.help = "what its bins do not count";
        t.unit = ""; /* the unit of bins is that of the values */
    }
    return status;
}

mass_status mass_model_add_reduction(mass_model *m, const mass_reduction *r, mass_error *error)
{
    mass_status status = check_name(m, r, error);
    if (status == MASS_OK && r->operation == MASS_HISTOGRAM) status = check_bins(r, error);
    const int a = status == MASS_OK ? find_target(m, r, error) : -1;
    if (a < 0) return error->status;
    status = check_target(&m->attributes[a], r, error);
    if (status != MASS_OK) return status;
    mass_reduction_def *larger = realloc(m->reductions, (m->reduction_count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, "a declaration");
    m->reductions = larger;
    larger[m->reduction_count] = (mass_reduction_def){.operation = r->operation, .attribute = (uint32_t)a,
        .component = r->component, .tally = m->tally_count, .low = r->low, .high = r->high, .bins = r->bins};
    status = add_tallies(m, r, &m->attributes[a], error);
    if (status == MASS_OK) m->reduction_count++;
    else mass_model_take_back(m, m->attribute_count, larger[m->reduction_count].tally);
    return status;
}

/* ---- phases ---- */

/* Sets the targets of a reduction's fields, which are in the order of reduce.h. */
static void set_targets(const mass_model *m, uint32_t index, const mass_callback *c, mass_target *targets)
{
    const mass_reduction_def *r = &m->reductions[index];
    const mass_attribute_def *a = &m->attributes[r->attribute];
    const bool interleaved = a->layout == MASS_INTERLEAVED;
    uint32_t value = m->parameters.count + index * MASS_REDUCE_VALUES, tally = r->tally;
    value += interleaved ? MASS_REDUCE_COMPONENT : MASS_REDUCE_LOW;
    for (uint32_t i = 0; i < c->field_count; i++) {
        targets[i].access = c->fields[i].access;
        const mass_access_class class = mass_access_class_of(c->fields[i].access, c->over);
        targets[i].index = class == MASS_CLASS_WORLD         ? value++
                           : class == MASS_CLASS_ACCUMULATOR ? tally++
                           : a->first_array + (interleaved ? 0 : r->component);
    }
}

/* Adds the phase that computes a reduction when tallies are observed. Refuses an attribute of a stream. */
static mass_status add_phase(mass_model *m, uint32_t index, mass_error *error)
{
    const mass_reduction_def *r = &m->reductions[index];
    const mass_attribute_def *a = &m->attributes[r->attribute];
    const mass_callback *c = callback_of(a, r->operation);
    if (a->streamed)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' holds one piece of a stream at a time, "
                              "and cannot be reduced", a->name);
    if (m->phase_count == MASS_PHASES_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "there are more than %d phases and reductions", MASS_PHASES_MAX);
    mass_phase_def *larger = realloc(m->phases, (m->phase_count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, "a reduction");
    m->phases = larger;
    mass_target *targets = calloc(c->field_count, sizeof *targets);
    if (!targets) return mass_error_memory(error, c->field_count * sizeof *targets, "a reduction");
    set_targets(m, index, c, targets);
    m->phases[m->phase_count++] = (mass_phase_def){.schedule = MASS_OBSERVE, .space = a->space,
        .population = a->population, .populations = {a->population >= 0 ? (uint32_t)a->population : 0},
        .population_count = a->population >= 0, .callback = c, .targets = targets, .tallies = true};
    return MASS_OK;
}

mass_status mass_model_resolve_reductions(mass_model *m, mass_error *error)
{
    mass_status status = MASS_OK;
    for (; status == MASS_OK && m->reductions_resolved < m->reduction_count; m->reductions_resolved++)
        status = add_phase(m, m->reductions_resolved, error);
    return status;
}

uint32_t mass_model_reduction_values(const mass_model *m) { return m->reduction_count * MASS_REDUCE_VALUES; }

uint64_t mass_model_reduction_value(const mass_model *m, uint32_t index)
{
    const mass_reduction_def *r = &m->reductions[index / MASS_REDUCE_VALUES];
    const double values[] = {[MASS_REDUCE_LOW] = r->low, [MASS_REDUCE_HIGH] = r->high,
                             [MASS_REDUCE_WIDTH] = r->bins ? width_of(r->low, r->high, r->bins) : 0};
    const uint32_t which = index % MASS_REDUCE_VALUES;
    uint64_t bits = which == MASS_REDUCE_COMPONENT ? r->component : r->bins;
    if (which != MASS_REDUCE_BINS && which != MASS_REDUCE_COMPONENT) memcpy(&bits, &values[which], sizeof bits);
    return bits;
}
