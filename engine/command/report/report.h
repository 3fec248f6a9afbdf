/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a run: one JSON object for programs, or a few lines for people. */
#ifndef MASS_ENGINE_REPORT_H
#define MASS_ENGINE_REPORT_H

#include "command/report/report_slabs.h"
#include "base/keys.h"
#include "model/model.h"
#include "run/profile.h"

typedef struct mass_result {
    const mass_model *model;
    const char *device, *checkpoint; /* checkpoint: path of the last one, or NULL */
    uint64_t first_step, steps, last_step, seed; /* last_step: the step that the run was to end at */
    uint64_t items; /* read from a stream, in all steps */
    double agent_steps; /* sum of agents over all steps (command/run/agent_work.h) */
    int32_t worlds, first_world, partitions;
    int32_t ranks;      /* each has `partitions` */
    const char *comm;   /* how they communicate; not reported for one rank */
    mass_slabs_result slabs;
    char *const *faults; /* [fault_count] faults of the model, one sentence each */
    size_t fault_count;
    bool interrupted, keeps; /* keeps: the run has a checkpoint folder */
    bool resumed, seed_said; /* seed_said: printed before the run */
    char *go_on; /* command that continues an interrupted run, or NULL; owned by the caller */
    const char *until; /* the stop condition, or NULL */
    bool held;         /* the condition ended the run */
    char state_hash[33]; /* of MASS_STATE_HASH_VERSION */
    const int64_t *tallies; /* [tallies][worlds] */
    const mass_key_list *keys; /* [tallies][worlds], for those that count by key */
    const uint32_t *rows; /* [worlds] rows of a sweep's table, from 0; NULL: no sweep */
    const uint64_t *agents; /* [populations][worlds]; NULL: not reported */
    uint64_t events;    /* applied in the run (io/input/events.h) */
    const char *events_file; /* file with all events, or NULL */
    const mass_profile *profile; /* of the steps, or NULL */
    double copy_rate;            /* of device memory, for the profile: bytes a second, read and written */
    double init, run, output, total; /* seconds */
} mass_result;

/* Prints one object and a newline on standard output. Returns MASS_FAILED if it cannot be written. */
mass_status mass_report_json(const mass_result *r, mass_error *error);
/* Returns the object of mass_report_json without times, as text that the caller frees; NULL: memory is short. */
char *mass_report_object(const mass_result *r);

/* Prints the lines for people, by mass_progress_say. */
void mass_report_text(const mass_result *r);

#endif
