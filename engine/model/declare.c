/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of a model: spaces, attributes, tallies, phases over places, and the picture. */
#include "model/model.h"
#include "base/plural.h"
#include "model/callback.h"
#include "model/kept.h"
#include "model/network.h"
#include "model/positions.h"
#include "model/range.h"
#include "model/value_names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t mass_type_size(uint32_t type)
{
    static const uint8_t sizes[] = {[MASS_I8] = 1, [MASS_U8] = 1, [MASS_I16] = 2, [MASS_U16] = 2, [MASS_I32] = 4,
        [MASS_U32] = 4, [MASS_I64] = 8, [MASS_U64] = 8, [MASS_F32] = 4, [MASS_F64] = 8,
        [MASS_BIT] = 1, [MASS_STRUCT] = 0};
    return type < sizeof sizes ? sizes[type] : 0;
}

const char *mass_type_name(uint32_t type)
{
    static const char *const names[] = {"none", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32",
        "f64", "bit", "struct"};
    return type < sizeof names / sizeof *names ? names[type] : "unknown";
}

uint32_t mass_tally_access(const mass_tally_def *t)
{
    const bool bins = t->bins && !mass_tally_is_kept(t);
    return t->keys ? MASS_KEYS : bins ? MASS_BINS : mass_tally_operation_of(t->access)->access;
}

/* Returns whether an accumulator is the sum of its contributions. */
static bool adds_up(const mass_tally_def *t)
{
    return mass_access_of(mass_tally_access(t))->combine == MASS_COMBINE_ADD;
}

int64_t mass_tally_neutral(const mass_tally_def *t)
{
    if (mass_tally_is_kept(t) && t->kind == MASS_TALLY_REAL) return (int64_t)mass_bits_f64(t->initial);
    if (mass_tally_is_kept(t)) return mass_i64_f64(t->initial);
    return mass_accumulator_neutral(mass_access_of(mass_tally_access(t))->combine);
}

double mass_tally_value(const mass_tally_def *t, const int64_t *accumulators)
{
    if (t->keys) return 0; /* its keys are stored elsewhere */
    if (mass_tally_is_kept(t) && t->kind == MASS_TALLY_REAL) return mass_f64_bits((uint64_t)*accumulators);
    if (t->access == MASS_MEAN) return mass_exact_mean(accumulators);
    if (mass_tally_is_exact(t)) return mass_exact_value(accumulators);
    if (!adds_up(t) && *accumulators == mass_tally_neutral(t)) return 0; /* no contributions */
    if (t->kind == MASS_TALLY_REAL) return mass_f64_rank(*accumulators);
    if (mass_tally_is_fixed_sum(t) && mass_beyond_fixed(*accumulators) < 0) return mass_canonical_f64(NAN);
    if (t->kind == MASS_TALLY_FIXED) return (double)*accumulators / (double)((int64_t)1 << t->fraction_bits);
    return (double)*accumulators;
}

bool mass_tally_is_empty(const mass_tally_def *t, const int64_t *accumulators)
{
    if (t->access == MASS_MEAN) return accumulators[MASS_EXACT_COUNT] == 0;
    if (mass_tally_is_fixed_sum(t)) return mass_beyond_fixed(*accumulators) < 0;
    if (mass_tally_is_kept(t)) return isnan(mass_tally_value(t, accumulators));
    if (adds_up(t)) return false;
    const double value = mass_tally_value(t, accumulators);
    return *accumulators == mass_tally_neutral(t) ||
           (t->kind == MASS_TALLY_REAL && value == (mass_tally_neutral(t) > 0 ? HUGE_VAL : -HUGE_VAL));
}

int mass_model_find_space(const mass_model *m, const char *space)
{
    if (!space) return m->space_count ? 0 : -1;
    for (uint32_t i = 0; i < m->space_count; i++)
        if (strcmp(m->spaces[i].name, space) == 0) return (int)i;
    return -1;
}

int mass_model_find_attribute(const mass_model *m, uint32_t space, const char *name)
{
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population < 0 && m->attributes[i].space == space &&
            strcmp(m->attributes[i].name, name) == 0)
            return (int)i;
    return -1;
}

int mass_model_find_agent_attribute(const mass_model *m, uint32_t population, const char *name)
{
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population == (int32_t)population && strcmp(m->attributes[i].name, name) == 0)
            return (int)i;
    return -1;
}

int mass_model_named_agent_attribute(const mass_model *m, uint32_t population, const char *name)
{
    const int found = mass_model_find_agent_attribute(m, population, name);
    if (found >= 0 || strcmp(name, "refused") != 0) return found;
    return mass_model_find_agent_attribute(m, population, "lost");
}

int mass_model_find_tally(const mass_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (strcmp(m->tallies[i].name, name) == 0) return (int)i;
    return -1;
}

/* Returns a name for messages: "" for NULL. */
static const char *shown(const char *name) { return name ? name : ""; }

/* Refuses a name of another form. what: what has it, such as "space". */
static mass_status bad_name(const char *what, const char *name, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_PLUGIN, "%s '%s' is not named by letters, digits and '_' (at most 63)",
                          what, shown(name));
}

/* Checks the number of dimensions, each extent, and the number of places. Fails with status `failure`: MASS_BAD_USAGE
 * if the user gave the size. */
static mass_status check_extents(const mass_space *s, const mass_gidx *size, uint32_t dimensions,
                                 mass_status failure, mass_error *error)
{
    const bool fits = dimensions >= s->dimensions_min && dimensions <= s->dimensions_max;
    if (!fits && s->dimensions_min == s->dimensions_max)
        return mass_error_set(error, failure, "space %s has %u dimension%s and not %u", s->name, s->dimensions_min,
                              mass_plural(s->dimensions_min), dimensions);
    if (!fits)
        return mass_error_set(error, failure, "space %s has %u to %u dimensions and not %u", s->name,
                              s->dimensions_min, s->dimensions_max, dimensions);
    mass_gidx places = 1;
    for (uint32_t a = 0; a < dimensions; a++) {
        if (size[a] < 1)
            return mass_error_set(error, failure, "space %s: an extent of %" PRId64 " is not at least 1", s->name,
                                  size[a]);
        if (size[a] > INT32_MAX - 4096)
            return mass_error_set(error, failure, "space %s: an extent of %" PRId64 " is beyond what can be "
                                  "addressed", s->name, size[a]);
        if (__builtin_mul_overflow(places, size[a], &places) || places > INT64_MAX / 4096)
            return mass_error_set(error, failure, "space %s: so many places are beyond what can be addressed",
                                  s->name);
    }
    return MASS_OK;
}

/* Checks the number of extents that a plugin declares. Fails as the plugin's fault, and names --size. */
static mass_status check_default(const mass_space *s, uint32_t dimensions, mass_error *error)
{
    if (dimensions >= s->dimensions_min && dimensions <= s->dimensions_max) return MASS_OK;
    const char *of[] = {"", "{NX}", "{NX, NY}", "{NX, NY, NZ}"}, *by[] = {"", "NX", "NXxNY", "NXxNYxNZ"};
    return mass_error_set(error, MASS_BAD_PLUGIN, "space %s is declared with %s%s: let it have %u, .size = %s, or give "
                          "--size %s", s->name, dimensions ? "a .size of another number of extents" : "no .size",
                          dimensions ? " than dimensions" : "", s->dimensions_min, of[s->dimensions_min],
                          by[s->dimensions_min]);
}

mass_status mass_model_add_space(mass_model *m, const mass_space *s, const mass_gidx *size, uint32_t dimensions,
                                 mass_error *error)
{
    if (!mass_name_valid(s->name)) return bad_name("space", s->name, error);
    if (mass_model_find_space(m, s->name) >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "space '%s' is declared twice", s->name);
    if (m->space_count == MASS_SPACES_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "more than %d spaces are declared", MASS_SPACES_MAX);
    if (s->dimensions_min < 1 || s->dimensions_max > 3 || s->dimensions_min > s->dimensions_max)
        return mass_error_set(error, MASS_BAD_PLUGIN, "space '%s' has to have 1 to 3 dimensions", s->name);
    if (s->cell != 0 && !(s->cell >= 1e-100 && s->cell <= 1e100))
        return mass_error_set(error, MASS_BAD_USAGE, "space %s: its .cell is %g, and the edge of a place is a length "
                              "from 1e-100 to 1e+100", s->name, s->cell);
    const mass_status failure = size ? MASS_BAD_USAGE : MASS_BAD_PLUGIN;
    mass_status status = MASS_OK;
    if (!size) {
        size = s->size;
        dimensions = s->size[2] ? 3 : s->size[1] ? 2 : s->size[0] ? 1 : 0;
        status = check_default(s, dimensions, error);
    }
    if (status == MASS_OK) status = check_extents(s, size, dimensions, failure, error);
    if (status != MASS_OK) return status;
    mass_space_def *def = &m->spaces[m->space_count];
    *def = (mass_space_def){.dimensions = dimensions, .cell = s->cell ? s->cell : 1};
    snprintf(def->name, sizeof def->name, "%s", s->name);
    for (uint32_t a = 0; a < 3; a++) def->size[a] = a < dimensions ? size[a] : 1;
    def->torus = s->torus & ((1u << dimensions) - 1);
    m->space_count++;
    return MASS_OK;
}

/* Adds space for one more element, all zero, to an array of `count`. array: the address of its pointer. The caller
 * counts it. */
static mass_status grow(void *array, uint32_t count, size_t size, mass_error *error)
{
    void **pointer = array;
    void *larger = realloc(*pointer, (count + 1) * size);
    if (!larger) return mass_error_memory(error, size, "a declaration");
    *pointer = larger;
    memset((char *)larger + count * size, 0, size);
    return MASS_OK;
}

/* Checks that an attribute's members are numbers and fill its struct without padding. */
static mass_status check_members(const mass_attribute *a, mass_error *error)
{
    size_t bytes = 0;
    if (!a->members || a->member_count == 0 || a->member_count > MASS_MEMBERS_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has none of the types int8_t to uint64_t, "
                              "float, double and bool; if it is a struct, declare its members", a->name);
    for (uint32_t i = 0; i < a->member_count; i++) {
        const mass_member *member = &a->members[i];
        if (!mass_name_valid(member->name)) return bad_name("member", member->name, error);
        if (mass_type_size(member->type) == 0 || member->type == MASS_BIT || member->offset != bytes)
            return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s': member '%s' is not a number, or there is "
                                  "padding before it: declare members in order and fill gaps with members",
                                  a->name, member->name);
        bytes += mass_type_size(member->type);
    }
    if (bytes != a->element_size)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s': its members have %zu bytes and its struct "
                              "%u: fill the padding with members", a->name, bytes, a->element_size);
    return MASS_OK;
}

/* Copies the members' names, types and offsets. They are freed with the attribute. */
static mass_status copy_members(mass_attribute_def *def, const mass_attribute *a, mass_error *error)
{
    def->members = calloc(a->member_count, sizeof *def->members);
    if (!def->members) return mass_error_memory(error, sizeof *def->members, "a declaration");
    def->member_count = a->member_count;
    for (uint32_t i = 0; i < a->member_count; i++) {
        snprintf(def->members[i].name, MASS_NAME_SIZE, "%s", a->members[i].name);
        def->members[i].type = a->members[i].type;
        def->members[i].offset = a->members[i].offset;
    }
    return MASS_OK;
}

/* Frees the members of an attribute, not *a. */
static void free_attribute(mass_attribute_def *a)
{
    free(a->help);
    free(a->unit);
    free(a->initial);
    free(a->members);
    mass_value_names_free(a);
}

/* Takes .flush of a declaration, once def has its range. Refuses it for other types than floats, and if 0 is outside
 * the range. */
static mass_status declare_flush(const mass_attribute *a, mass_attribute_def *def, mass_error *error)
{
    if (a->flush == 0) return MASS_OK;
    if (a->flush > 1)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has a .flush of %u: it is 0 or 1", a->name,
                              a->flush);
    if (a->type != MASS_F32 && a->type != MASS_F64)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has .flush, and is not of float or double",
                              a->name);
    if (def->ranged && (def->least > 0 || def->most < 0))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has .flush, and 0 is outside its range",
                              a->name);
    def->flushed = true;
    return MASS_OK;
}

mass_status mass_model_add_attribute(mass_model *m, const mass_attribute *a, mass_error *error)
{
    if (!mass_name_valid(a->name)) return bad_name("attribute", a->name, error);
    const int population = a->population ? mass_model_find_population(m, a->population) : -1;
    const int space = population >= 0 ? (int)m->populations[population].space : mass_model_find_space(m, a->space);
    if (a->population ? population < 0 : space < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' belongs to %s '%s', which is not declared "
                              "before it", a->name, a->population ? "population" : "space",
                              a->population ? a->population : shown(a->space));
    if ((population >= 0 ? mass_model_find_agent_attribute(m, (uint32_t)population, a->name)
                         : mass_model_find_attribute(m, (uint32_t)space, a->name)) >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' of %s '%s' is declared twice%s", a->name,
                              population >= 0 ? "population" : "space",
                              population >= 0 ? m->populations[population].name : m->spaces[space].name,
                              population >= 0 ? ", or is one that all agents have: id, lost, place, world" : "");
    if (a->type == MASS_BIT && (population >= 0 || (a->layout == MASS_INTERLEAVED && a->length > 1)))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' is of bits, which %s: use uint8_t", a->name,
                              population >= 0 ? "agents do not have" : "are in planes and not interleaved");
    if (a->type != MASS_STRUCT && mass_type_size(a->type) == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has unknown type %u", a->name, a->type);
    if (a->length > MASS_LENGTH_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has %u components, more than %d", a->name,
                              a->length, MASS_LENGTH_MAX);
    mass_status status = a->type == MASS_STRUCT ? check_members(a, error) : MASS_OK;
    if (status == MASS_OK) status = grow(&m->attributes, m->attribute_count, sizeof *m->attributes, error);
    if (status != MASS_OK) return status;

    mass_attribute_def *def = &m->attributes[m->attribute_count];
    snprintf(def->name, sizeof def->name, "%s", a->name);
    def->space = (uint32_t)space;
    def->population = population;
    def->claims = a->claims;
    def->type = a->type;
    def->length = a->length ? a->length : 1;
    def->layout = a->layout == MASS_INTERLEAVED && def->length > 1 ? MASS_INTERLEAVED : MASS_PLANES;
    def->component_size = a->type == MASS_STRUCT ? a->element_size : mass_type_size(a->type);
    def->help = strdup(shown(a->help));
    def->unit = strdup(shown(a->unit));
    def->initial = calloc(1, def->component_size);
    if (!def->help || !def->unit || !def->initial)
        status = mass_error_memory(error, def->component_size, "a declaration");
    if (status == MASS_OK && a->type == MASS_STRUCT) status = copy_members(def, a, error);
    if (status == MASS_OK && a->initial) memcpy(def->initial, a->initial, def->component_size);
    if (status == MASS_OK && a->type == MASS_BIT) def->initial[0] = def->initial[0] != 0;
    if (status == MASS_OK) status = mass_range_declare(a, def, error);
    if (status == MASS_OK) status = declare_flush(a, def, error);
    if (status == MASS_OK) status = mass_value_names_declare(a, def, error);
    if (status != MASS_OK) {
        free_attribute(def);
        return status;
    }
    m->attribute_count++;
    if (a->position) status = mass_positions_declare(m, m->attribute_count - 1, error);
    if (status != MASS_OK) free_attribute(&m->attributes[--m->attribute_count]);
    return status;
}

/* Checks that a tally's access, kind, bins, keys and method fit each other. Returns MASS_BAD_PLUGIN if not. */
static mass_status check_tally(const mass_tally *t, mass_error *error)
{
    const bool known = mass_tally_operation_of(t->access) != NULL;
    if (t->access == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "tally '%s' has no access: give it .access = MASS_SUM, MASS_MIN, "
                              "MASS_MAX or MASS_MEAN", t->name);
    if (!known || t->kind > MASS_TALLY_FIXED || (t->kind == MASS_TALLY_FIXED && t->fraction_bits > 62) ||
        (t->access == MASS_MEAN && t->kind != MASS_TALLY_REAL))
        return mass_error_set(error, MASS_BAD_PLUGIN, "tally '%s' has to be an integer, a fixed-point sum of at "
                              "most 62 fraction bits, or real; and a mean real", t->name);
    if (t->access == MASS_OF_WORLD) return mass_kept_check(t, error);
    if (t->length)
        return mass_error_set(error, MASS_BAD_PLUGIN, "tally '%s' has a .length, which world attributes have: "
                              "MASS_WORLD_ARRAY declares them", t->name);
    if (t->bins && (t->access != MASS_SUM || t->kind == MASS_TALLY_REAL))
        return mass_error_set(error, MASS_BAD_PLUGIN,
                              "tally '%s' has bins, and is not a sum of integers or in fixed point", t->name);
    if (t->keys > MASS_KEYS_TEXTS || (t->keys && (t->access != MASS_SUM || t->kind != MASS_TALLY_INTEGER || t->bins)))
        return mass_error_set(error, MASS_BAD_PLUGIN, "tally '%s' counts by keys, and is not a sum of integers without "
                              "bins, or of unknown keys: give it .keys = MASS_KEYS_NUMBERS or MASS_KEYS_TEXTS",
                              t->name);
    if (t->bins > MASS_BINS_MAX || t->method > MASS_COUNT_SHARED)
        return mass_error_set(error, MASS_BAD_PLUGIN, "tally '%s' has more than %u bins, or an unknown method",
                              t->name, MASS_BINS_MAX);
    return MASS_OK;
}

mass_status mass_model_add_tally(mass_model *m, const mass_tally *t, mass_error *error)
{
    if (!mass_name_valid(t->name)) return bad_name("tally", t->name, error);
    if (mass_model_find_tally(m, t->name) >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "tally '%s' is declared twice", t->name);
    const mass_status status = check_tally(t, error);
    return status == MASS_OK ? mass_model_append_tally(m, t, error) : status;
}

mass_status mass_model_append_tally(mass_model *m, const mass_tally *t, mass_error *error)
{
    const mass_status status = grow(&m->tallies, m->tally_count, sizeof *m->tallies, error);
    if (status != MASS_OK) return status;
    mass_tally_def *def = &m->tallies[m->tally_count];
    snprintf(def->name, sizeof def->name, "%s", t->name);
    def->access = t->access;
    def->kind = t->kind;
    def->fraction_bits = t->kind == MASS_TALLY_FIXED ? t->fraction_bits : 0;
    const bool kept = mass_tally_is_kept(def);
    def->bins = kept ? (uint32_t)t->length : t->bins;
    def->method = def->bins ? t->method : MASS_COUNT_AUTO;
    def->low = t->bins && t->low < t->high ? t->low : 0;
    def->high = t->bins && t->low < t->high ? t->high : 0;
    def->keys = t->keys;
    def->words = t->keys ? 0
                 : def->bins ? def->bins
                 : kept ? 1
                 : t->kind == MASS_TALLY_REAL && adds_up(def) ? MASS_EXACT_WORDS
                 : 1;
    def->first = m->tally_words;
    m->tally_words += def->words;
    def->cumulative = t->cumulative != 0 || kept;
    def->initial = t->initial;
    def->has_initial = t->has_initial || t->initial != 0;
    def->help = strdup(shown(t->help));
    def->unit = strdup(shown(t->unit));
    m->tally_count++;
    if (def->help && def->unit) return MASS_OK;
    mass_model_take_back(m, m->attribute_count, m->tally_count - 1);
    return mass_error_memory(error, sizeof *def, "a declaration");
}

void mass_model_take_back(mass_model *m, uint32_t attributes, uint32_t tallies)
{
    while (m->attribute_count > attributes) free_attribute(&m->attributes[--m->attribute_count]);
    while (m->tally_count > tallies) {
        mass_tally_def *t = &m->tallies[--m->tally_count];
        m->tally_words -= t->words;
        free(t->help);
        free(t->unit);
    }
}

bool mass_model_counts_keys(const mass_model *m)
{
    bool counts = false;
    for (uint32_t i = 0; i < m->tally_count; i++) counts |= m->tallies[i].keys != 0;
    return counts;
}

/* Checks a phase over places or worlds and appends it. On success the model owns the callback. */
static mass_status append_phase(mass_model *m, const mass_phase *p, mass_callback *c, mass_error *error)
{
    if (c->over >= MASS_OVER_AGENTS && c->over <= MASS_OVER_OCCUPIED)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is over agents: declare its phase with "
                              "MASS_DECLARE_AGENTS", c->name);
    if (c->over != MASS_OVER_PLACES && c->over != MASS_OVER_WORLDS)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is over something unknown, %u", c->name, c->over);
    if (p->schedule > MASS_STEP)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is in unknown schedule %u", c->name, p->schedule);
    const int space = mass_model_space_of(m, c, p->space);
    if (space < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over space '%s', which is not declared "
                              "before it", c->name, shown(p->space ? p->space : c->network));
    const uint32_t dimensions = m->spaces[space].dimensions;
    if (c->dimensions != 0 && (uint32_t)c->dimensions != dimensions)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is for %d dimensions and space '%s' has %u",
                              c->name, c->dimensions, m->spaces[space].name, dimensions);
    if (c->radius < 0 || c->radius > 1024)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has a radius of %d, not 0 to 1024", c->name,
                              c->radius);
    if (m->phase_count == MASS_PHASES_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "more than %d phases are declared", MASS_PHASES_MAX);
    mass_phase_def phase = {.schedule = p->schedule, .space = (uint32_t)space, .population = -1, .callback = c,
                            .taken = c, .reach = c->radius};
    mass_status status = c->over == MASS_OVER_PLACES ? mass_model_find_seen(m, c, &phase, error) : MASS_OK;
    if (status == MASS_OK) status = grow(&m->phases, m->phase_count, sizeof *m->phases, error);
    if (status == MASS_OK) m->phases[m->phase_count++] = phase;
    return status;
}

mass_status mass_model_add_phase(mass_model *m, const mass_phase *p, mass_error *error)
{
    mass_callback *taken = mass_callback_take(p->callback, error);
    if (!taken)
        return mass_error_set(error, MASS_BAD_PLUGIN, "phase %u has no callback that was made by MASS_MAP or "
                              "MASS_STENCIL of this ABI", m->phase_count);
    const mass_status status = append_phase(m, p, taken, error);
    if (status == MASS_OK) m->phases[m->phase_count - 1].declared = p->callback;
    else free(taken);
    return status;
}

mass_status mass_model_set_picture(mass_model *m, const mass_picture *p, mass_error *error)
{
    const int space = mass_model_find_space(m, p->space);
    const int attribute = space < 0 || !p->attribute ? -1
                        : mass_model_find_attribute(m, (uint32_t)space, p->attribute);
    if (attribute < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "the picture draws attribute '%s', which is not declared "
                              "before it", shown(p->attribute));
    if (m->attributes[attribute].type == MASS_STRUCT || p->component >= m->attributes[attribute].length)
        return mass_error_set(error, MASS_BAD_PLUGIN, "the picture draws component %u of attribute '%s', which is not "
                              "a number there", p->component, p->attribute);
    if (p->colours < 2 || p->colours > 256 || !p->palette || !(p->low < p->high))
        return mass_error_set(error, MASS_BAD_PLUGIN, "the picture needs 2 to 256 colours and low < high");
    m->picture = (mass_picture_def){.declared = true, .attribute = (uint32_t)attribute, .component = p->component,
        .low = p->low, .high = p->high, .colours = p->colours};
    memcpy(m->picture.palette, p->palette, p->colours * sizeof *p->palette);
    return MASS_OK;
}

void mass_model_free(mass_model *m)
{
    mass_parameters_free(&m->parameters);
    for (uint32_t i = 0; i < m->population_count; i++) {
        free(m->populations[i].help);
        free(m->populations[i].counts);
    }
    for (uint32_t i = 0; i < m->attribute_count; i++) free_attribute(&m->attributes[i]);
    for (uint32_t i = 0; i < m->tally_count; i++) {
        free(m->tallies[i].help);
        free(m->tallies[i].unit);
    }
    for (uint32_t i = 0; i < m->phase_count; i++) {
        free(m->phases[i].targets);
        free(m->phases[i].taken);
    }
    free(m->attributes);
    free(m->arrays);
    free(m->tallies);
    free(m->phases);
    for (uint32_t i = 0; i < m->series_count; i++) {
        free(m->series[i].expression);
        free(m->series[i].unit);
    }
    free(m->series);
    free(m->reductions);
    mass_model_free_networks(m);
    free(m->help);
    *m = (mass_model){0};
}
