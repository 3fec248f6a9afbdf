/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU that has what linked GPUs have: a link with those of other ranks, which are threads (comm/threads.h), work
 * beside other work, and recordings of all that is queued. It holds its users to what these promise. */
#ifndef MASS_TESTS_LINKED_CPU_H
#define MASS_TESTS_LINKED_CPU_H

#include "device/device.h"

/* When work is done that is queued beside other work. Users can't know. */
typedef enum mass_beside { MASS_BESIDE_FIRST, MASS_BESIDE_LAST } mass_beside;

/* What this thread's device has done. */
typedef struct linked_cpu_counts {
    int exchanges, messages, reductions; /* done, recorded ones each time that they are replayed */
    size_t sent;                         /* bytes of messages */
    int replays, entered;                /* entered: begun work beside other work, recorded or not */
    int staged;                          /* downloads and uploads */
} linked_cpu_counts;

extern _Thread_local linked_cpu_counts linked_cpu_counted;

/* For the thread that calls it, one at a time. The caller closes both, the link first. */
mass_status linked_cpu_open(mass_comm *comm, mass_beside beside, mass_device **out, mass_link **link,
                            mass_error *error);

#endif
