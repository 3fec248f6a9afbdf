/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU that keeps work and does replays late, as a GPU does: they are queued, and carried out when the host
 * waits or gives other work. Births stop them where there is no room, and a stop condition where it holds; what is
 * queued behind goes by gates alone. */
#ifndef MASS_TESTS_REPLAYING_H
#define MASS_TESTS_REPLAYING_H

#include "device/device.h"

#include <stdint.h>

typedef struct replaying_counts {
    int records, replays, discards;
    int waits;          /* of the host, while replays were queued */
    int managed_unrecorded;  /* manages that were not replayed */
    int looks_unrecorded;    /* looks at a stop condition that were not replayed */
    int stops_held;     /* replays that stopped as it held */
    int stops_before;   /* ... before a step */
    int stops_at[16];   /* ... at the manage of a phase */
    int odd_stops;      /* ... in an odd step of a recording */
    uint64_t last_stop; /* the step that births last stopped in */
} replaying_counts;

/* One at a time. `memory`: what there is for what is allocated from now on. */
const mass_device_table *replaying_cpu(size_t memory);
/* The same memory, and no recordings. */
const mass_device_table *plain_cpu(size_t memory);
replaying_counts *replaying_count(void);

#endif
