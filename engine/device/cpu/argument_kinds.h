/* SPDX-License-Identifier: Apache-2.0 */
/* Roles of a callback's fields in each step of a launch of several steps. */
#ifndef MASS_ENGINE_DEVICE_CPU_ARGUMENT_KINDS_H
#define MASS_ENGINE_DEVICE_CPU_ARGUMENT_KINDS_H

#include <mass/callback.h>

#include <stdbool.h>

enum { MASS_CPU_FIELDS_MOST = 256 };

typedef enum mass_cpu_argument_kind {
    MASS_ROLE_VALUE,   /* one value a world, or a tally; steps do not pass it on */
    MASS_ROLE_FIXED,   /* an array that the callback reads and does not write */
    MASS_ROLE_PRESENT, /* an array that it reads, and writes through another field */
    MASS_ROLE_NEXT,    /* that other field */
    MASS_ROLE_RESULT   /* an array that it only writes */
} mass_cpu_argument_kind;

/* Returns the role of field i. *partner: for PRESENT and NEXT the other field, else the number of fields.
 * mass_cpu_hands_on must hold for the callback. */
mass_cpu_argument_kind mass_cpu_argument_kind_of(const mass_callback *c, uint32_t i, uint32_t *partner);

/* Returns whether a step's values can be passed to the next step row by row. That holds for callbacks over places if
 * new values go to arrays of their own, one field writes each array, and no tally counts by key. */
bool mass_cpu_hands_on(const mass_callback *c);

#endif
