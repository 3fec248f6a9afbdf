/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/boxes.h"
#include "snapshot/snapshot.h"

#include "snapshot/state_hash.h"
#include "ranks/transfer.h"

#include <errno.h>
#include <stdlib.h>

/* Sets the box's size and its number of components, from its start. Boxes at the end of an axis are smaller. */
static void measure(const mass_checkpoint_shape *s, mass_box *b)
{
    b->components = 1;
    for (int i = 0; i < s->rank; i++) {
        const hsize_t left = s->extent[i] - b->start[i];
        b->count[i] = left < s->box[i] ? left : s->box[i];
        b->components *= b->count[i];
    }
}

bool mass_box_next(const mass_checkpoint_shape *s, mass_box *b)
{
    const bool begins = b->components == 0;
    b->first += b->components;
    for (int i = s->rank - 1; !begins && i >= 0; i--) {
        b->start[i] += s->box[i];
        if (b->start[i] < s->extent[i]) break;
        b->start[i] = 0;
        if (i == 0) return false;
    }
    measure(s, b);
    return b->components > 0;
}

/* Makes the data spaces of the box in memory, and of the box in the set. After a failure, too, `leave` closes them.
 * Returns false then. */
static bool choose(hid_t set, const mass_checkpoint_shape *s, const mass_box *b, hid_t *memory, hid_t *space)
{
    *memory = H5Screate_simple(s->rank, b->count, NULL);
    *space = H5Dget_space(set);
    return *memory >= 0 && *space >= 0 &&
           H5Sselect_hyperslab(*space, H5S_SELECT_SET, b->start, NULL, b->count, NULL) >= 0;
}

/* Closes the data spaces, and keeps the library's reason for a failure, which the next call would clear. */
static void leave(hid_t memory, hid_t space, bool good)
{
    const hid_t why = good ? H5I_INVALID_HID : H5Eget_current_stack();
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    if (why >= 0) H5Eset_current_stack(why);
}

bool mass_box_read(hid_t set, hid_t type, const mass_checkpoint_shape *s, const mass_box *b, void *values)
{
    hid_t memory, space;
    const bool good = choose(set, s, b, &memory, &space) &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, values) >= 0;
    leave(memory, space, good);
    return good;
}

bool mass_box_write(hid_t set, hid_t type, const mass_checkpoint_shape *s, const mass_box *b, const void *values)
{
    hid_t memory, space;
    const bool good = choose(set, s, b, &memory, &space) &&
                      H5Dwrite(set, type, memory, space, H5P_DEFAULT, values) >= 0;
    leave(memory, space, good);
    return good;
}

/* ---- where values come from ---- */

typedef struct feed {
    const mass_snapshot *snapshot;
    uint32_t attribute;
    uint64_t elements; /* of the attribute */
    uint64_t first, held; /* elements in the buffer */
    uint64_t room;
    char *buffer; /* owned; NULL: not used */
} feed;

/* Reads as many elements as one request may have, from the one of component `at` on, into the buffer, which grows if
 * needed. They have at least `components` components, all of which exist. Sets f->first and f->held. */
static mass_status fetch(feed *f, uint64_t at, uint64_t components, mass_error *error)
{
    const mass_attribute_def *a = &f->snapshot->model->attributes[f->attribute];
    const uint64_t first = at / a->length, needed = (at + components + a->length - 1) / a->length - first;
    const uint64_t most = mass_transfer_elements(mass_element_size(a)), left = f->elements - first;
    const uint64_t count = most > needed ? most : needed;
    if (count > f->room) {
        free(f->buffer);
        f->room = count < f->elements ? count : f->elements;
        f->buffer = malloc(f->room * mass_element_size(a));
    }
    if (!f->buffer) return mass_error_memory(error, f->room * mass_element_size(a), "a piece of the state");
    f->first = first;
    f->held = count < left ? count : left;
    const mass_snapshot_source *from = f->snapshot->source;
    return from->read(from->context, f->attribute, first, f->held, f->buffer, error);
}

/* Returns the values of a box, until the next call, and reads them if needed. NULL: *error has the reason. */
static const void *find(feed *f, const mass_box *b, mass_error *error)
{
    const mass_attribute_def *a = &f->snapshot->model->attributes[f->attribute];
    if (f->snapshot->attributes)
        return (const char *)f->snapshot->attributes[f->attribute] + b->first * a->component_size;
    const bool held = f->buffer && b->first + b->components <= (f->first + f->held) * a->length;
    if (!held && fetch(f, b->first, b->components, error) != MASS_OK) return NULL;
    return f->buffer + (b->first - f->first * a->length) * a->component_size;
}

void mass_checkpoint_put_values(mass_hdf5_writer *w, hid_t set, const mass_snapshot *s, uint32_t attribute,
                                uint8_t hash[16])
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    const mass_checkpoint_shape shape = mass_checkpoint_attribute_shape(s->model, a, s->worlds, s->agents);
    const hid_t type = mass_hdf5_check(w, mass_checkpoint_component_type(a));
    feed f = {.snapshot = s, .attribute = attribute,
              .elements = mass_snapshot_size(s, attribute) / mass_element_size(a)};
    mass_box b = {0};
    mass_error why = {0};
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, MASS_STATE_HASH_VERSION);
    while (!w->failed && mass_box_next(&shape, &b)) {
        const void *values = find(&f, &b, &why);
        if (values) mass_bytes_hash_add(&h, values, b.components * a->component_size);
        if (!values) mass_hdf5_refused(w, why.text);
        else if (!mass_box_write(set, type, &shape, &b, values)) mass_hdf5_check(w, -1);
    }
    mass_bytes_hash_end(&h, hash);
    mass_hdf5_done(w, type, H5Tclose);
    free(f.buffer);
}
