/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU that records work and replays late, as a GPU does. Replays are queued, and run when the host waits or gives
 * other work. Births stop them if there is too little memory, and a stop condition if it holds. Queued work after that
 * is skipped by gates. */
#ifndef MASS_TESTS_REPLAYING_H
#define MASS_TESTS_REPLAYING_H

#include "device/device.h"

#include <stdint.h>

typedef struct replaying_counts {
    int records, replays, discards;
    int waits;          /* waits of the host while replays were queued */
    int managed_unrecorded;  /* manages that were not replayed */
    int looks_unrecorded;    /* evaluations of a stop condition that were not replayed */
    int stops_held;     /* replays that stopped because it held */
    int stops_before;   /* ... before a step */
    int stops_at[16];   /* ... at the manage of a phase */
    int odd_stops;      /* ... in an odd step of a recording */
    uint64_t last_stop; /* the step in which births last stopped */
} replaying_counts;

/* One at a time. `memory`: bytes for allocations from now on. */
const mass_device_table *replaying_cpu(size_t memory);
/* The same memory, and no recordings. */
const mass_device_table *plain_cpu(size_t memory);
replaying_counts *replaying_count(void);

#endif
