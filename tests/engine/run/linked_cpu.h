/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU with the functions of linked GPUs. It has a link with those of other ranks, which are threads (comm/threads.h),
 * concurrent work, and recordings of all queued work. It checks that its users keep to the contract. */
#ifndef MASS_TESTS_LINKED_CPU_H
#define MASS_TESTS_LINKED_CPU_H

#include "device/device.h"

/* When concurrent work runs: users cannot know. */
typedef enum mass_beside { MASS_BESIDE_FIRST, MASS_BESIDE_LAST } mass_beside;

/* Counts of this thread's device. */
typedef struct linked_cpu_counts {
    int exchanges, messages, reductions; /* executed ones; recorded ones count in each replay */
    size_t sent;                         /* bytes of messages */
    int replays, entered;                /* entered: number of times that concurrent work began, recorded or not */
    int staged;                          /* downloads and uploads */
} linked_cpu_counts;

extern _Thread_local linked_cpu_counts linked_cpu_counted;

/* For the calling thread, one at a time. The caller closes both, the link first. */
mass_status linked_cpu_open(mass_comm *comm, mass_beside beside, mass_device **out, mass_link **link,
                            mass_error *error);

#endif
