/* SPDX-License-Identifier: Apache-2.0 */
#include "model/value_names.h"
#include "base/plural.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 63 /* bytes */ };

/* Returns true if values of this type can have names: integers and bits. */
static bool is_of_integers(uint32_t type)
{
    return type != MASS_STRUCT && type != MASS_F32 && type != MASS_F64;
}

/* Returns one more than the index of the last name. */
static uint32_t count_names(const mass_attribute *a)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MASS_VALUE_NAMES; i++)
        if (a->names[i]) count = i + 1;
    return count;
}

/* Returns whether a name has 1 to NAME_MOST bytes and no control characters. */
static bool is_plain(const char *name)
{
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f) return false;
    return name[0] && strlen(name) <= NAME_MOST;
}

/* Checks name i of an attribute's values, and that no name before is the same. Accepts a value without a name. */
static mass_status check_name(const mass_attribute *a, uint32_t i, mass_error *error)
{
    if (!a->names[i]) return MASS_OK;
    if (!is_plain(a->names[i]))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s': name %u of its values is not of 1 to %d "
                              "printable characters", a->name, i, NAME_MOST);
    for (uint32_t k = 0; k < i; k++)
        if (a->names[k] && strcmp(a->names[k], a->names[i]) == 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has the name '%s' for two values", a->name,
                                  a->names[i]);
    return MASS_OK;
}

/* Returns the number of values of an attribute; 0: it is not declared. */
static double count_values(const mass_attribute_def *def)
{
    if (def->type == MASS_BIT) return 2;
    return def->ranged ? floor(def->most) - ceil(def->least) + 1 : 0;
}

/* Checks all names, of an attribute of integers. A range needs both ends, and a name for each of its values. */
static mass_status check_names(const mass_attribute *a, const mass_attribute_def *def, uint32_t count,
                               mass_error *error)
{
    const double values = count_values(def);
    mass_status status = MASS_OK;
    if (!is_of_integers(a->type))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has names of its values, which only integers "
                              "have", a->name);
    if (def->ranged && !isfinite(values))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has %u name%s of values, and a range without "
                              "an end: give it .least and .most", a->name, count, mass_plural(count));
    if (values > 0 && count != values)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has %u name%s, and its range has %.0f values: "
                              "name each of them", a->name, count, mass_plural(count), values);
    for (uint32_t i = 0; status == MASS_OK && i < count; i++) status = check_name(a, i, error);
    return status;
}

mass_status mass_value_names_declare(const mass_attribute *a, mass_attribute_def *def, mass_error *error)
{
    const uint32_t count = count_names(a);
    if (!count) return MASS_OK;
    mass_status status = check_names(a, def, count, error);
    if (status != MASS_OK) return status;
    def->names = calloc(count, sizeof *def->names);
    if (!def->names) return mass_error_memory(error, count * sizeof *def->names, "a declaration");
    def->name_count = count;
    def->first_name = def->ranged ? ceil(def->least) : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!a->names[i]) continue;
        def->names[i] = strdup(a->names[i]);
        if (!def->names[i]) return mass_error_memory(error, strlen(a->names[i]), "a declaration");
    }
    return MASS_OK;
}

void mass_value_names_free(mass_attribute_def *def)
{
    for (uint32_t i = 0; i < def->name_count; i++) free(def->names[i]);
    free(def->names);
    def->names = NULL;
    def->name_count = 0;
}

const char *mass_value_name(const mass_attribute_def *a, double value)
{
    const double at = value - a->first_name;
    return at >= 0 && at < a->name_count && at == floor(at) ? a->names[(uint32_t)at] : NULL;
}

bool mass_value_of_name(const mass_attribute_def *a, const char *name, int64_t *out)
{
    for (uint32_t i = 0; i < a->name_count; i++) {
        if (!a->names[i] || strcmp(a->names[i], name) != 0) continue;
        *out = (int64_t)a->first_name + i;
        return true;
    }
    return false;
}

const char *mass_value_names_list(const mass_attribute_def *a, char out[MASS_NAMED_TEXT])
{
    const char *between = ", nor one of the names ";
    out[0] = '\0';
    for (uint32_t i = 0; i < a->name_count; i++) {
        const size_t used = strlen(out);
        if (!a->names[i]) continue;
        if (used + strlen(between) + strlen(a->names[i]) + sizeof ", ..." > MASS_NAMED_TEXT)
            return strcat(out, ", ...");
        snprintf(out + used, MASS_NAMED_TEXT - used, "%s%s", between, a->names[i]);
        between = ", ";
    }
    return out;
}

/* Returns the reduction whose first tally it is, or NULL. */
static const mass_reduction_def *reduction_of(const mass_model *m, uint32_t tally)
{
    for (uint32_t i = 0; i < m->reduction_count; i++)
        if (m->reductions[i].tally == tally) return &m->reductions[i];
    return NULL;
}

const char *mass_bin_name(const mass_model *m, uint32_t tally, uint32_t bin)
{
    const mass_reduction_def *r = reduction_of(m, tally);
    if (!r || r->operation != MASS_HISTOGRAM) return NULL;
    const double width = (r->high - r->low) / r->bins, value = ceil(r->low + bin * width);
    const double end = bin + 1 == r->bins ? r->high : r->low + (bin + 1) * width;
    const bool is_last = bin + 1 == r->bins; /* the last bin includes its end */
    const bool has_one = value < end || (is_last && value == end);
    const bool has_more = value + 1 < end || (is_last && value + 1 == end);
    const mass_attribute_def *a = &m->attributes[r->attribute];
    if (!has_one || (has_more && mass_value_name(a, value + 1))) return NULL;
    return mass_value_name(a, value);
}

const char *mass_tally_value_name(const mass_model *m, uint32_t tally, double value)
{
    const mass_reduction_def *r = reduction_of(m, tally);
    return r && (r->operation == MASS_MIN || r->operation == MASS_MAX)
        ? mass_value_name(&m->attributes[r->attribute], value) : NULL;
}
