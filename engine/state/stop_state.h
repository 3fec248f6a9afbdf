/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a stop condition, on the host. */
#ifndef MASS_ENGINE_STATE_STOP_STATE_H
#define MASS_ENGINE_STATE_STOP_STATE_H

#include "evaluate.h"

#include <stdint.h>

#define MASS_NOT_HELD UINT64_MAX

/* A stop condition and its state between two steps. */
typedef struct mass_until_state {
    char *text; /* NULL: none; owned */
    uint64_t held; /* first step after which it held in all worlds, or MASS_NOT_HELD */
    uint32_t steady_count;
    mass_steady *steady; /* [steady_count][worlds]; owned */
} mass_until_state;

void mass_until_state_free(mass_until_state *); /* frees what is in it, and sets all of it to 0 */

#endif
