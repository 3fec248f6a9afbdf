/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what scales.c writes next to the rows of a file of series: worlds, bins and the parameters of a sweep. A
 * function that returns bool, and says no more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/layout.h"
#include "io/series/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHOICE_BYTES_MAX = 65001 /* of a list */, CHOICES_MAX = 1 << 20 };

/* Checks that the scale "world" numbers this series' worlds. Sets r->has_world. */
static bool check_world(mass_series_reader *r)
{
    const mass_series_set *s = &r->out->set;
    const mass_series_shape shape = {1, {(hsize_t)s->worlds}};
    const hid_t set = mass_series_open_set(r, "world", H5T_STD_I64LE, &shape);
    int64_t *worlds = set >= 0 ? malloc((size_t)s->worlds * sizeof *worlds) : NULL;
    bool good = set >= 0 && (worlds || (mass_error_memory(r->error, (size_t)s->worlds * 8, "a series"), false));
    good = good && (mass_series_read_rows(set, H5T_STD_I64LE, 0, &shape, worlds) || mass_series_unreadable(r, "world"));
    for (int32_t i = 0; good && i < s->worlds; i++)
        good = worlds[i] == s->first_world + (int64_t)i ||
               mass_series_damaged(r, "its numbers of worlds are wrong");
    free(worlds);
    if (set >= 0) H5Dclose(set);
    return r->has_world = good;
}

/* Checks that a scale of bins belongs to a histogram that was read before, with as many bins. length: of the
 * histogram's name, with which `name` begins. */
static bool check_bins(mass_series_reader *r, const char *name, size_t length)
{
    const mass_series_set *s = &r->out->set;
    for (uint32_t i = 0; i < s->count; i++) {
        const mass_series_column *c = &s->columns[i];
        const mass_series_shape shape = {1, {c->length}};
        if (c->length == 1 || strlen(c->name) != length || strncmp(c->name, name, length) != 0) continue;
        const hid_t set = mass_series_open_set(r, name, H5T_IEEE_F64LE, &shape);
        if (set >= 0) H5Dclose(set);
        return set >= 0;
    }
    return mass_series_damaged(r, "'%s' is of no series with bins", name);
}

/* Returns the parameter's type for a stored type; 0 if there is none. */
static uint32_t type_of_parameter(hid_t stored)
{
    const size_t size = H5Tget_size(stored);
    if (H5Tequal(stored, H5T_STD_I64LE) > 0) return MASS_INTEGER;
    if (H5Tequal(stored, H5T_IEEE_F64LE) > 0) return MASS_REAL;
    if (H5Tget_class(stored) != H5T_STRING || size < 1 || size > CHOICE_BYTES_MAX) return 0;
    const hid_t text = mass_checkpoint_swept_type(MASS_CHOICE, size);
    const bool same = H5Tequal(stored, text) > 0;
    H5Tclose(text);
    return same ? MASS_CHOICE : 0;
}

/* Declares a parameter with its name, the first `length` letters, and its type, without values. Returns NULL, with the
 * error set, if its data set has to have another name than `name`. */
static mass_parameter_slot *declare(mass_series_reader *r, const char *name, size_t length, uint32_t type)
{
    mass_parameters *list = &r->out->set.parameters;
    char own[MASS_NAME_SIZE] = "", full[MASS_SERIES_FULL_NAME];
    mass_error why = {0};
    if (length < sizeof own) memcpy(own, name, length);
    const mass_parameter p = {.struct_size = sizeof p, .name = own, .type = type == MASS_CHOICE ? MASS_TEXT : type};
    if (mass_parameters_add(list, &p, &why) != MASS_OK) return mass_series_damaged(r, "%s", why.text), NULL;
    mass_parameter_slot *slot = &list->slots[list->count - 1];
    mass_series_parameter_name(&r->out->set, slot, full);
    slot->type = type;
    return strcmp(full, name) == 0 ? slot : (mass_series_damaged(r, "parameter '%s' is called '%s'", own, name), NULL);
}

/* Finds or adds a choice by its text, and sets *out to its number. Returns false, with the error set, if there are
 * too many. */
static bool meet_choice(mass_series_reader *r, mass_parameter_slot *slot, const char *text, uint64_t *out)
{
    for (*out = 0; slot->choices && slot->choices[*out]; ++*out)
        if (strcmp(slot->choices[*out], text) == 0) return true;
    char **larger = *out < CHOICES_MAX ? realloc(slot->choices, (*out + 2) * sizeof *larger) : NULL;
    if (*out == CHOICES_MAX) return mass_series_damaged(r, "parameter '%s' has too many choices", slot->name);
    if (!larger) return mass_error_memory(r->error, sizeof *larger, "a series"), false;
    slot->choices = larger;
    slot->choices[*out + 1] = NULL;
    slot->choices[*out] = strdup(text);
    return slot->choices[*out] || (mass_error_memory(r->error, strlen(text), "a series"), false);
}

/* Takes one world's value; a choice becomes its number among those met. */
static bool take_value(mass_series_reader *r, mass_parameter_slot *slot, const char *value, size_t size, uint64_t *out)
{
    double real;
    if (slot->type == MASS_CHOICE)
        return memchr(value, '\0', size) ? meet_choice(r, slot, value, out)
                                         : mass_series_damaged(r, "a choice of '%s' has no end", slot->name);
    memcpy(out, value, sizeof *out);
    memcpy(&real, value, sizeof real);
    return slot->type != MASS_REAL || isfinite(real) ||
           mass_series_damaged(r, "parameter '%s' is not finite", slot->name);
}

/* Reads a parameter's values in all worlds into slot->swept, which the slot owns. */
static bool take_values(mass_series_reader *r, hid_t set, hid_t type, mass_parameter_slot *slot)
{
    const size_t worlds = (size_t)r->out->set.worlds, size = H5Tget_size(type);
    const mass_series_shape all = {1, {worlds}};
    if (size > r->source->size / worlds) return mass_series_damaged(r, "'%s' is not stored whole", slot->name);
    char *values = malloc(worlds * size);
    slot->swept = malloc(worlds * sizeof *slot->swept);
    bool good = (values && slot->swept) || (mass_error_memory(r->error, worlds * size, "a series"), false);
    good = good && (mass_series_read_rows(set, type, 0, &all, values) || mass_series_unreadable(r, slot->name));
    for (size_t i = 0; good && i < worlds; i++) good = take_value(r, slot, values + i * size, size, &slot->swept[i]);
    free(values);
    return good;
}

/* Declares the swept parameter that a data set holds, and reads its values. length: of the parameter's name, with which
 * `name` begins. */
static bool add_parameter(mass_series_reader *r, const char *name, size_t length)
{
    const mass_series_shape shape = {1, {(hsize_t)r->out->set.worlds}};
    const hid_t found = mass_series_find_set(r, name);
    if (found < 0) return false;
    const hid_t type = H5Dget_type(found), set = mass_series_open_set(r, name, type, &shape);
    const uint32_t kind = type_of_parameter(type);
    char unit[MASS_SERIES_UNIT_SIZE];
    bool good = set >= 0 && (kind || mass_series_damaged(r, "'%s' has another type or extent", name)) &&
                mass_series_get_text(r, set, "unit", unit, sizeof unit);
    mass_parameter_slot *slot = good ? declare(r, name, length, kind) : NULL;
    good = slot && take_values(r, set, type, slot);
    if (good) r->out->set.parameters.worlds = r->out->set.worlds;
    if (set >= 0) H5Dclose(set);
    H5Tclose(type);
    H5Dclose(found);
    return good;
}

/* Returns true if a name has a suffix. *length: the length without it. */
static bool has_ending(const char *name, const char *ending, size_t *length)
{
    const size_t all = strlen(name), end = strlen(ending);
    *length = all > end && strcmp(name + all - end, ending) == 0 ? all - end : all;
    return *length < all;
}

bool mass_series_read_scale(mass_series_reader *r, const char *name)
{
    size_t length;
    if (strcmp(name, "world") == 0) return check_world(r);
    if (has_ending(name, MASS_SERIES_BIN, &length)) return check_bins(r, name, length);
    has_ending(name, MASS_SERIES_PARAMETER, &length);
    return add_parameter(r, name, length);
}
