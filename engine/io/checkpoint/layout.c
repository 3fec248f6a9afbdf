/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/layout.h"

#include "snapshot/state_hash.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "canonical bytes are little-endian");

enum { BOX_BYTES = 1 << 20 };

const char *const mass_checkpoint_parameter_kinds[5] = {
    "none", [MASS_INTEGER] = "integer", [MASS_REAL] = "real", [MASS_TEXT] = "text",
    [MASS_CHOICE] = "choice"};
const char *const mass_checkpoint_key_kinds[3] = {"", [MASS_KEYS_NUMBERS] = "numbers", [MASS_KEYS_TEXTS] = "texts"};
const char *const mass_checkpoint_tally_kinds[3] = {
    [MASS_TALLY_INTEGER] = "integer", [MASS_TALLY_REAL] = "real", [MASS_TALLY_FIXED] = "fixed"};

/* Appends an axis to the shape: its label and its extent. */
static void add_axis(mass_checkpoint_shape *s, const char *label, int64_t extent)
{
    const size_t used = strlen(s->labels);
    snprintf(s->labels + used, sizeof s->labels - used, "%s%s", used ? " " : "", label);
    s->extent[s->rank++] = (unsigned long long)extent;
}

/* Chooses the box: whole axes from the innermost on as long as they fit, equal parts of the next one, and 1 of the
 * others. Also 1 for an empty axis, since HDF5 needs a positive chunk size. */
static void divide(mass_checkpoint_shape *s, size_t element_size)
{
    unsigned long long room = BOX_BYTES / element_size;
    for (int i = s->rank - 1; i >= 0; i--) {
        s->box[i] = 1;
        if (s->extent[i] == 0) continue;
        const unsigned long long parts = (s->extent[i] + room - 1) / room;
        s->box[i] = (s->extent[i] + parts - 1) / parts;
        room = parts > 1 ? 1 : room / s->box[i];
    }
}

mass_checkpoint_shape mass_checkpoint_attribute_shape(const mass_model *m, const mass_attribute_def *a,
                                                      int32_t worlds, const uint64_t *agents)
{
    const mass_space_def *space = &m->spaces[a->space];
    mass_checkpoint_shape s = {0};
    if (a->population >= 0) {
        add_axis(&s, "agent", (int64_t)agents[a->population]);
    } else {
        if (worlds > 1) add_axis(&s, "world", worlds);
        if (space->dimensions > 2) add_axis(&s, "z", space->size[2]);
        if (space->dimensions > 1) add_axis(&s, "y", space->size[1]);
        add_axis(&s, a->type == MASS_BIT ? "x-bytes" : "x", mass_stored_width(a, space));
    }
    if (a->length > 1) add_axis(&s, "component", a->length);
    divide(&s, a->component_size);
    return s;
}

mass_checkpoint_shape mass_checkpoint_tally_shape(int32_t worlds, const char *axis, uint32_t each)
{
    mass_checkpoint_shape s = {0};
    add_axis(&s, "world", worlds);
    if (each > 1) add_axis(&s, axis, each);
    divide(&s, sizeof(int64_t));
    return s;
}

mass_checkpoint_shape mass_checkpoint_keys_shape(const char *axis, uint64_t count, size_t element_size)
{
    mass_checkpoint_shape s = {0};
    add_axis(&s, axis, (int64_t)count);
    divide(&s, element_size);
    return s;
}

mass_checkpoint_shape mass_checkpoint_steady_shape(uint32_t count, int32_t worlds)
{
    mass_checkpoint_shape s = {0};
    add_axis(&s, "steady", count);
    add_axis(&s, "world", worlds);
    divide(&s, sizeof(int64_t));
    return s;
}

int64_t mass_checkpoint_component_type(const mass_attribute_def *a)
{
    if (a->type != MASS_STRUCT) return H5Tcopy(mass_hdf5_number_type(a->type));
    const hid_t type = H5Tcreate(H5T_COMPOUND, a->component_size);
    for (uint32_t i = 0; type >= 0 && i < a->member_count; i++) {
        const mass_member_def *member = &a->members[i];
        if (H5Tinsert(type, member->name, member->offset,
                      mass_hdf5_number_type(member->type)) >= 0)
            continue;
        H5Tclose(type);
        return -1;
    }
    return type;
}

int64_t mass_checkpoint_swept_type(uint32_t parameter_type, size_t size)
{
    if (parameter_type == MASS_INTEGER) return H5Tcopy(H5T_STD_I64LE);
    if (parameter_type == MASS_REAL) return H5Tcopy(H5T_IEEE_F64LE);
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || (H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)) return type;
    H5Tclose(type);
    return -1;
}

void mass_checkpoint_hash_bytes(const void *bytes, size_t size, char hex[33])
{
    uint8_t hash[16];
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, 1);
    mass_bytes_hash_add(&h, bytes, size);
    mass_bytes_hash_end(&h, hash);
    mass_hash_format(hash, hex);
}

/* ---- schema ---- */

/* Adds a text with its final zero to the schema's hash. */
static void add_text(XXH3_state_t *state, const char *text)
{
    XXH3_128bits_update(state, text, strlen(text) + 1);
}

/* Adds a number, in decimal, to the schema's hash. */
static void add_number(XXH3_state_t *state, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    add_text(state, text);
}

/* Adds a space to the schema's hash: name, dimensions, torus; not its extents. */
static void add_space(XXH3_state_t *state, const mass_model *m, uint32_t i)
{
    add_text(state, "space");
    add_text(state, m->spaces[i].name);
    add_number(state, m->spaces[i].dimensions);
    add_number(state, m->spaces[i].torus);
}

/* Adds a population to the schema's hash: name, space, capacity; not its agents. */
static void add_population(XXH3_state_t *state, const mass_model *m, uint32_t i)
{
    add_text(state, "population");
    add_text(state, m->populations[i].name);
    add_text(state, m->spaces[m->populations[i].space].name);
    add_number(state, m->populations[i].capacity);
}

/* Adds an attribute to the schema's hash: owner, name, type, length, members. Streamed ones are left out. */
static void add_attribute(XXH3_state_t *state, const mass_model *m, uint32_t i)
{
    const mass_attribute_def *a = &m->attributes[i];
    if (a->streamed) return;
    add_text(state, "attribute");
    add_text(state, mass_owner_name(m, a));
    add_text(state, a->name);
    add_text(state, mass_type_name(a->type));
    add_number(state, a->length);
    add_number(state, a->member_count);
    for (uint32_t k = 0; k < a->member_count; k++) {
        add_text(state, a->members[k].name);
        add_text(state, mass_type_name(a->members[k].type));
    }
}

/* Adds a tally to the schema's hash: name, kind, operation, bins, keys; not its unit. Reduced ones are left out. */
static void add_tally(XXH3_state_t *state, const mass_model *m, uint32_t i)
{
    const mass_tally_def *t = &m->tallies[i];
    if (t->reduced) return;
    add_text(state, "tally");
    add_text(state, t->name);
    add_text(state, mass_checkpoint_tally_kinds[t->kind]);
    add_text(state, mass_tally_operation_of(t->access)->name);
    add_number(state, t->fraction_bits);
    add_number(state, t->cumulative);
    if (t->bins) add_number(state, t->bins);
    if (t->keys) add_text(state, mass_checkpoint_key_kinds[t->keys]);
}

/* Writes the name by which the schema's hash orders a space. */
static void name_space(const mass_model *m, uint32_t i, char name[2 * MASS_NAME_SIZE])
{
    snprintf(name, 2 * MASS_NAME_SIZE, "%s", m->spaces[i].name);
}

/* Writes the name by which the schema's hash orders a population. */
static void name_population(const mass_model *m, uint32_t i, char name[2 * MASS_NAME_SIZE])
{
    snprintf(name, 2 * MASS_NAME_SIZE, "%s", m->populations[i].name);
}

/* Writes the name by which the schema's hash orders an attribute: OWNER.NAME. */
static void name_attribute(const mass_model *m, uint32_t i, char name[2 * MASS_NAME_SIZE])
{
    snprintf(name, 2 * MASS_NAME_SIZE, "%s.%s", mass_owner_name(m, &m->attributes[i]), m->attributes[i].name);
}

/* Writes the name by which the schema's hash orders a tally. */
static void name_tally(const mass_model *m, uint32_t i, char name[2 * MASS_NAME_SIZE])
{
    snprintf(name, 2 * MASS_NAME_SIZE, "%s", m->tallies[i].name);
}

typedef struct named {
    char name[2 * MASS_NAME_SIZE];
    uint32_t index;
} named;

/* Orders by name, then by index, for qsort. */
static int compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->index < y->index ? -1 : 1;
}

/* Adds `count` declarations of one kind in order of their names, each name once; false if memory is short. */
static bool add_by_name(XXH3_state_t *state, const mass_model *m, uint32_t count,
                        void (*name_of)(const mass_model *, uint32_t, char[2 * MASS_NAME_SIZE]),
                        void (*add)(XXH3_state_t *, const mass_model *, uint32_t))
{
    named *list = calloc(count + 1, sizeof *list);
    if (!list) return false;
    for (uint32_t i = 0; i < count; i++) {
        name_of(m, i, list[i].name);
        list[i].index = i;
    }
    qsort(list, count, sizeof *list, compare_names);
    for (uint32_t i = 0; i < count; i++) /* a name that two owners have is added once */
        if (i == 0 || strcmp(list[i].name, list[i - 1].name) != 0) add(state, m, list[i].index);
    free(list);
    return true;
}

bool mass_checkpoint_schema(const mass_model *m, char hex[33])
{
    XXH3_state_t state;
    uint8_t hash[16];
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    const bool whole = add_by_name(&state, m, m->space_count, name_space, add_space) &&
                       add_by_name(&state, m, m->population_count, name_population, add_population) &&
                       add_by_name(&state, m, m->attribute_count, name_attribute, add_attribute) &&
                       add_by_name(&state, m, m->tally_count, name_tally, add_tally);
    mass_hash_digest(&state, hash);
    mass_hash_format(hash, hex);
    return whole;
}
