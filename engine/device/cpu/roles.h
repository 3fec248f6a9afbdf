/* SPDX-License-Identifier: Apache-2.0 */
/* What each step of a launch of several does with a callback's fields. */
#ifndef MASS_ENGINE_DEVICE_CPU_ROLES_H
#define MASS_ENGINE_DEVICE_CPU_ROLES_H

#include <mass/callback.h>

#include <stdbool.h>

enum { MASS_CPU_FIELDS_MOST = 256 };

typedef enum mass_cpu_role {
    MASS_ROLE_VALUE,   /* one a world, or a tally, which is left alone */
    MASS_ROLE_FIXED,   /* an array that the callback reads and does not write */
    MASS_ROLE_PRESENT, /* one that it reads, and writes by another field */
    MASS_ROLE_NEXT,    /* that other field */
    MASS_ROLE_RESULT   /* an array that it only writes */
} mass_cpu_role;

/* That of field i. *partner: of PRESENT and NEXT the other one, else the number of fields. */
mass_cpu_role mass_cpu_role_of(const mass_callback *c, uint32_t i, uint32_t *partner);

/* Whether a step's values can be handed on to the next one row by row: places change beside what they were, each array
 * by one field, and no tally counts by key. */
bool mass_cpu_hands_on(const mass_callback *c);

#endif
