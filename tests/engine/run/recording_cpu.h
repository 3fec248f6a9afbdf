/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU that records launches and copies, as a GPU does, and replays them at once. It checks the stepper's promises to
 * recordings. */
#ifndef MASS_TESTS_RECORDING_CPU_H
#define MASS_TESTS_RECORDING_CPU_H

#include "run/stepper.h"

/* A launch or a copy of a recording. */
typedef struct kept {
    bool is_copy;
    mass_strided copy;
    mass_work work;
    mass_launch launch;
    void *fields[8];
    mass_field_memory memory[8];
} kept;

struct mass_recording {
    int remaining;
};

/* Requests to the recording CPU; one at a time. */
typedef struct recording_gpu {
    mass_domain *domain;
    mass_stepper *stepper;
    kept *list;
    int count;
    bool recording;
    uint64_t *clock, steps;
    uint8_t current[3];
    int records, replays, launches, tallying_launches, discards, synchronised;
    int fail_at; /* the launch that fails, counted from 1; 0: none */
    struct mass_recording handle;
} recording_gpu;

extern recording_gpu gpu;

/* Counts the requests of this domain in gpu. The caller frees its list. */
void recording_cpu_watch(mass_domain *domain);
const mass_device_table *recording_cpu(void);

#endif
