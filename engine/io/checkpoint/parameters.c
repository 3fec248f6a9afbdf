/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parameters and constants of a checkpoint, with the values of each world of a sweep. A function that returns
 * bool, and says no more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/axes.h"

#include "snapshot/state_hash.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_OF_CHOICE_MAX = 65001 /* of a list */, SWEPT_PART = 1 << 16, CHOICES_MAX = 1 << 20 };

/* Reads a parameter or a constant and adds it to the checkpoint's model. A choice starts as text. */
static bool declare_parameter(mass_reader *r, hid_t group, const char *name, uint32_t type,
                              bool constant)
{
    mass_parameters *list = &r->c->model.parameters;
    mass_parameter p = {
        .struct_size = sizeof p, .name = name, .type = type == MASS_CHOICE ? MASS_TEXT : type};
    mass_error why = {0};
    char *text = NULL;
    bool good;
    if (type == MASS_INTEGER) {
        good = mass_reader_values(r, group, name, H5T_STD_I64LE, 0, &p.integer);
    } else if (type == MASS_REAL) {
        good = mass_reader_values(r, group, name, H5T_IEEE_F64LE, 0, &p.real);
        if (good && !constant && !isfinite(p.real))
            good = mass_reader_damaged(r, "parameter '%s' is not finite", name);
    } else {
        p.text = text = malloc(MASS_CHECKPOINT_TEXT_MAX + 1);
        good = text ? mass_reader_text(r, group, name, text, MASS_CHECKPOINT_TEXT_MAX + 1)
                    : mass_reader_no_memory(r, MASS_CHECKPOINT_TEXT_MAX + 1);
    }
    const mass_constant c = {
        .struct_size = sizeof c, .name = name, .type = type, .integer = p.integer, .real = p.real};
    if (good)
        good = (constant ? mass_parameters_add_constant(list, &c, &why)
                         : mass_parameters_add(list, &p, &why)) == MASS_OK ||
               mass_reader_refused(r, &why);
    free(text);
    return good;
}

/* Finds or adds a choice by its text, and sets *out to its number. Refuses too many. */
static bool meet_choice(mass_reader *r, mass_parameter_slot *slot, const char *text, uint64_t *out)
{
    for (*out = 0; slot->choices && slot->choices[*out]; ++*out)
        if (strcmp(slot->choices[*out], text) == 0) return true;
    if (*out == CHOICES_MAX)
        return mass_reader_damaged(r, "parameter '%s' has too many choices", slot->name);
    char **larger = realloc(slot->choices, (*out + 2) * sizeof *larger);
    if (!larger) return mass_reader_no_memory(r, sizeof *larger);
    slot->choices = larger;
    slot->choices[*out + 1] = NULL;
    slot->choices[*out] = strdup(text);
    return slot->choices[*out] || mass_reader_no_memory(r, strlen(text));
}

/* Checks the value of one world, and stores it in *out unless NULL. A choice that is new is added to the slot. */
static bool take_swept(mass_reader *r, mass_parameter_slot *slot, const char *value, size_t size, uint64_t *out)
{
    uint64_t bits;
    double real;
    if (slot->type == MASS_CHOICE)
        return memchr(value, '\0', size) ? meet_choice(r, slot, value, out ? out : &bits)
                                         : mass_reader_damaged(r, "a choice of '%s' has no end", slot->name);
    memcpy(out ? out : &bits, value, sizeof bits);
    memcpy(&real, value, sizeof real);
    return slot->type != MASS_REAL || isfinite(real) ||
           mass_reader_damaged(r, "parameter '%s' is not finite", slot->name);
}

/* Reads the values in chunks, through `part`, of SWEPT_PART bytes. If they are not kept, swept has only one value, to
 * show that the parameter is swept. hash: gets the values' hash, which is not compared. */
static bool take_all_swept(mass_reader *r, mass_column *values, mass_parameter_slot *slot, char *part, uint8_t hash[16])
{
    const uint64_t most = SWEPT_PART / values->size;
    bool good = true;
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, 1);
    for (uint64_t first = 0, some; good && first < values->count; first += some) {
        some = values->count - first < most ? values->count - first : most;
        good = mass_column_read(values, first, some, part);
        if (good) mass_bytes_hash_add(&h, part, some * values->size);
        for (uint64_t i = 0; good && i < some; i++)
            good = take_swept(r, slot, part + i * values->size, values->size,
                              r->keeps ? &slot->swept[first + i] : NULL);
    }
    mass_bytes_hash_end(&h, hash);
    return good;
}

/* Reads the values of a checked data set into slot->swept, which it allocates, and checks their hash. */
static bool read_swept_values(mass_reader *r, hid_t group, hid_t set, hid_t type, mass_parameter_slot *slot)
{
    char hex[33], stored[33], *part = malloc(SWEPT_PART);
    uint8_t hash[16];
    mass_column values = {0};
    slot->swept = calloc(r->keeps ? (size_t)r->c->worlds : 1, sizeof *slot->swept);
    bool good = part && slot->swept ? mass_reader_hash(r, set, "hash", stored)
                                    : mass_reader_no_memory(r, (size_t)r->c->worlds * sizeof *slot->swept);
    good = good && mass_column_begin(r, group, slot->name, type, &values) &&
           take_all_swept(r, &values, slot, part, hash);
    if (good) mass_hash_format(hash, hex);
    if (good && strcmp(hex, stored) != 0)
        good = mass_reader_damaged(r, "the values of '%s' are not those written", slot->name);
    mass_column_end(&values);
    free(part);
    return good;
}

/* Checks and reads the worlds' values of a swept parameter or constant; sets the model's number of worlds. */
static bool open_swept(mass_reader *r, hid_t group, mass_parameter_slot *slot)
{
    if (slot->type == MASS_TEXT) return mass_reader_damaged(r, "'%s' is a text that differs by world", slot->name);
    const hid_t set = mass_reader_set(r, group, slot->name);
    if (set < 0) return false;
    const hid_t stored = H5Dget_type(set);
    const size_t size = H5Tget_size(stored);
    H5Tclose(stored);
    bool good = (size >= 1 && size <= TEXT_OF_CHOICE_MAX) ||
                mass_reader_damaged(r, "'%s' has another type than it says", slot->name);
    const hid_t type = good ? mass_checkpoint_swept_type(slot->type, size) : -1;
    const mass_checkpoint_shape shape = mass_checkpoint_tally_shape(r->c->worlds, "", 1);
    good = good && mass_reader_check_type(r, set, type, slot->name) &&
           mass_reader_check_extents(r, set, &shape, slot->name) &&
           mass_reader_check_layout(r, set, &shape, size, slot->name) && read_swept_values(r, group, set, type, slot);
    if (type >= 0) H5Tclose(type);
    H5Dclose(set);
    r->c->model.parameters.worlds = r->c->worlds;
    return good;
}

/* Checks an object of /parameters: an axis, or the values of a parameter that is swept. */
static bool check_parameter_link(mass_reader *r, hid_t group, const char *name)
{
    const mass_parameter_slot *slot = mass_parameters_find(&r->c->model.parameters, name);
    if (mass_reader_is_axis(group, name)) return mass_reader_check_parameter_axis(r, group, name);
    return (slot && slot->swept) || mass_reader_damaged(r, "it holds '/parameters/%s', which is not swept", name);
}

/* Removes `word` from the end of a text; false if it is not the last word, or if it is the only one. */
static bool take_word(char *text, const char *word)
{
    char *last = strrchr(text, ' ');
    if (!last || strcmp(last + 1, word) != 0) return false;
    *last = '\0';
    return true;
}

/* Adds a parameter to the model by its kind, such as "choice given swept", with the values of all worlds if it is
 * swept. Passes an entry that is a kind; refuses names and kinds that are not valid. */
static bool open_parameter(mass_reader *r, hid_t group, const char *name)
{
    char key[MASS_NAME_SIZE + 8], kind[32];
    uint32_t type = 0;
    if (strchr(name, '.')) return true; /* the kind of one */
    if (!mass_name_valid(name)) return mass_reader_damaged(r, "it holds a parameter of no valid name");
    snprintf(key, sizeof key, "%s.kind", name);
    if (!mass_reader_text(r, group, key, kind, sizeof kind)) return false;
    const bool swept = take_word(kind, "swept"), constant = take_word(kind, "constant"),
               given = !constant && take_word(kind, "given");
    if (!mass_reader_find_word(kind, mass_checkpoint_parameter_kinds, 5, &type) || type == 0)
        return mass_reader_damaged(r, "parameter '%s' is of unknown kind", name);
    if (!declare_parameter(r, group, name, type, constant)) return false;
    mass_parameter_slot *slot = &r->c->model.parameters.slots[r->c->model.parameters.count - 1];
    slot->type = type;
    slot->given = given;
    return !swept || open_swept(r, group, slot);
}

/* Reads all parameters into the checkpoint's model, then checks the objects of /parameters. */
bool mass_reader_parameters(mass_reader *r)
{
    const hid_t group = mass_reader_group(r, r->c->file, "parameters");
    if (group < 0) return false;
    const bool good = mass_reader_walk_attributes(r, group, open_parameter);
    H5Gclose(group);
    return good && mass_reader_walk(r, r->c->file, "parameters", check_parameter_link);
}
