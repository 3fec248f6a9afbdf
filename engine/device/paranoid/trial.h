/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a callback on the paranoid device: copies of the engine's memory, in which everything that it may not
 * read is poison. Only for that device. */
#ifndef MASS_ENGINE_PARANOID_TRIAL_H
#define MASS_ENGINE_PARANOID_TRIAL_H

#include "device/cpu/cpu.h"
#include "device/cpu/key_counts.h"
#include "device/key_fields.h"

#include <mass/impl/exact.h>

enum {
    FIELDS_MAX = 256,
    COPIES_MAX = FIELDS_MAX + 5, /* also record, pointers, keys, gates, clock */
    PLACE_TEXT = 160,
    GAP = 1 /* of poison between rows, planes and worlds */
};

/* The callback's copy of one block of the engine's memory: that block between two guards, `total` bytes, three
 * times. */
typedef struct mass_copy {
    const mass_field *field; /* NULL if it is not a field */
    const char *name;
    bool on_places; /* an attribute's array; false: one value a world, or a single value, or of agents */
    bool of_agents; /* an attribute's array over agents nearby, which the callback only reads */
    bool written;   /* the callback may write its places, or its worlds' tallies */
    int32_t reach[3]; /* how far beyond the partition the callback may read or add to places, along each axis */
    void *real;
    size_t bytes, guard, total, element;
    int64_t first;           /* element of place (0, 0, 0) of world 0 */
    int64_t real_first;      /* the same in the engine's memory */
    unsigned char *memory;   /* the callback's memory */
    unsigned char *expected; /* what `memory` must contain, except at the places of the call */
    unsigned char *result;   /* contents of `memory` after the first run */
} mass_copy;

typedef struct mass_trial {
    const mass_work *work;
    const mass_callback *callback;
    const mass_launch *launch; /* the engine's record */
    mass_loop *loop;
    bool tallies;
    mass_forgiveness forgives;
    int keys, input; /* field that counts by key; field whose array has the texts; or -1 */
    mass_launch record; /* the callback's record, with the pointers */
    mass_diagnostics diagnostics;
    void *pointers[FIELDS_MAX];
    mass_copy copies[COPIES_MAX]; /* those of the fields come first */
    uint32_t count, record_at, pointers_at;
    mass_error *error;
} mass_trial;

/* Copies that have the complement of their poison: an index, or one of these. */
enum { NONE = -1, ALL = -2 };

/* Returns whether the launch runs in a world. */
static inline bool is_open(const mass_launch *l, int64_t world)
{
    return !l->gates || l->gates[world] == 0;
}

/* Returns the number of rows of the partition in all worlds. */
static inline int64_t rows_of(const mass_launch *l)
{
    return (int64_t)l->worlds * l->extent[2] * l->extent[1];
}

/* Returns the index of an element in an array of places, from the array's first inner element. */
static inline int64_t element_at(const mass_launch *l, int64_t world, int64_t z, int64_t y, int64_t x)
{
    return world * l->world_stride + z * l->plane + y * l->pitch + x;
}

/* Returns the byte of a place in a copy; ghosts are places too. */
static inline size_t byte_at(const mass_trial *t, const mass_copy *c, int64_t world, int64_t z, int64_t y, int64_t x)
{
    return c->guard + (size_t)(c->first + element_at(&t->record, world, z, y, x)) * c->element;
}

/* Returns the address of the same place in the engine's memory. */
static inline char *real_at(const mass_trial *t, const mass_copy *c, int64_t world, int64_t z, int64_t y, int64_t x)
{
    return (char *)c->real + (size_t)(c->real_first + element_at(t->launch, world, z, y, x)) * c->element;
}

/* Returns whether the callback adds to a field at any places, not only at its own. */
static inline bool is_scattered(const mass_copy *c)
{
    return c->field && mass_access_of(c->field->access)->buffer == MASS_BUFFER_CLEARED;
}

/* A row of a copy that the callback may access: of the partition, or within its reach. */
typedef struct mass_row {
    int64_t world, z, y;
} mass_row;

/* Returns the number of places along an axis that the callback may access. */
static inline int64_t touched(const mass_trial *t, const mass_copy *c, int axis)
{
    return t->launch->extent[axis] + 2 * (int64_t)c->reach[axis];
}

/* Returns the number of rows of a copy that the callback may access. */
static inline int64_t rows_of_copy(const mass_trial *t, const mass_copy *c)
{
    return t->launch->worlds * touched(t, c, 2) * touched(t, c, 1);
}

/* Returns a row by its number among those that the callback may access. */
static inline mass_row row_of_copy(const mass_trial *t, const mass_copy *c, int64_t row)
{
    const int64_t high = touched(t, c, 1), deep = touched(t, c, 2), sheet = row / high;
    return (mass_row){sheet / deep, sheet % deep - c->reach[2], row % high - c->reach[1]};
}

/* Returns the bytes of such a row. */
static inline size_t bytes_of_row(const mass_trial *t, const mass_copy *c)
{
    return (size_t)touched(t, c, 0) * c->element;
}

/* Returns the first byte of a row in the copy. */
static inline size_t byte_of_row(const mass_trial *t, const mass_copy *c, const mass_row *r)
{
    return byte_at(t, c, r->world, r->z, r->y, -c->reach[0]);
}

/* Returns the address of a row in the engine's memory. */
static inline char *real_row(const mass_trial *t, const mass_copy *c, const mass_row *r)
{
    return real_at(t, c, r->world, r->z, r->y, -c->reach[0]);
}

/* Makes the copies, and the record and the pointers to them. On failure some may exist, which
 * mass_trial_free_copies frees. */
mass_status mass_trial_add_copies(mass_trial *t);
void mass_trial_free_copies(mass_trial *t);

/* Initialises a copy before a run with poison and the values that the callback may read. `flipped` tells which copies
 * have the complement of their poison. */
void mass_trial_poison(const mass_trial *t, uint32_t index, int flipped);
/* Returns the poison of a byte of a copy, not its complement. */
unsigned char mass_trial_poison_byte(const mass_trial *t, uint32_t index, size_t byte);

#endif
