/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of places for a phase in turn, which acts on all places of a rank at once: of attributes that are divided into
 * partitions or between ranks, or that are bits. A copy has all worlds one after the other, each place by its row-major
 * number, a byte for a bit. The attribute's default follows. Main thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_PLACES_H
#define MASS_ENGINE_POPULATION_TURN_PLACES_H

#include "device/launch.h"
#include "population/turn_window.h"
#include "state/domain.h"

typedef struct mass_turn_copy {
    uint32_t array;
    bool changed;       /* the present phase writes it */
    mass_buffer memory; /* owned */
} mass_turn_copy;

/* The memory of copies is kept from phase to phase. */
typedef struct mass_turn_copies {
    mass_turn_copy *list; /* [count], owned */
    uint32_t count;
    bool part;               /* copies have the layers of the window only, in the order of the space */
    mass_turn_window window;
} mass_turn_copies;

/* Copies all places that the phases of a turn name, if its bodies cannot act on the arrays themselves. first: the
 * first phase. part: NULL, or the window of this rank if ranks share the space. Then all ranks call it together, and
 * get places from each other. */
mass_status mass_turn_copies_make(mass_domain *d, uint32_t first, mass_turn_copies *c, const mass_turn_window *part,
                                  mass_error *error);

/* Lets a launch act on the copies, if its bodies cannot act on the arrays themselves: sets its layout, and the fields
 * of places and their memory. mass_turn_copies_make comes before. */
void mass_turn_copies_show(const mass_domain *d, uint32_t phase, const mass_turn_copies *c, mass_launch *launch,
                           void **fields, mass_field_memory *memory);

/* Writes back what the phase may have changed. */
mass_status mass_turn_copies_write(mass_domain *d, mass_turn_copies *c, mass_error *error);

/* Returns the copy of an array, which there must be. */
mass_buffer mass_turn_copies_buffer(const mass_turn_copies *c, uint32_t array);

/* Frees the copies. Then there are none. */
void mass_turn_copies_free(mass_turn_copies *c);

#endif
