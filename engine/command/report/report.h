/* SPDX-License-Identifier: Apache-2.0 */
/* What a finished run says: one JSON object for programs, or a few lines for people. */
#ifndef MASS_ENGINE_REPORT_H
#define MASS_ENGINE_REPORT_H

#include "command/report/report_slabs.h"
#include "base/keys.h"
#include "model/model.h"
#include "run/profile.h"

typedef struct mass_result {
    const mass_model *model;
    const char *device, *checkpoint; /* checkpoint: path of the last one, or NULL */
    uint64_t first_step, steps, last_step, seed; /* last_step: that it was to end at */
    uint64_t items; /* of a stream, in all steps */
    double agent_steps; /* agents that all steps went through (command/run/agent_work.h) */
    int32_t worlds, first_world, partitions;
    int32_t ranks;      /* of which each has so many partitions */
    const char *comm;   /* by what they tell each other; of one rank not said */
    mass_slabs_result slabs;
    char *const *faults; /* [fault_count] of the model, a sentence each */
    size_t fault_count;
    bool interrupted, keeps; /* keeps: it has a checkpoint folder */
    bool resumed, seed_said; /* seed_said: before the run */
    char *go_on; /* the command that an interrupted run goes on with, or NULL; owned by whoever reports */
    const char *until; /* the stop condition, or NULL */
    bool held;         /* ... which ended the run */
    char state_hash[33]; /* of MASS_STATE_HASH_VERSION */
    const int64_t *tallies; /* [tallies][worlds] */
    const mass_key_list *keys; /* [tallies][worlds], of those that count by key */
    const uint32_t *rows; /* [worlds] of a sweep's table, from 0; NULL: there is none */
    const uint64_t *agents; /* [populations][worlds]; NULL: not said */
    uint64_t events;    /* that happened (io/input/events.h) */
    const char *events_file; /* where all of them are, or NULL */
    const mass_profile *profile; /* of its steps, or NULL */
    double copy_rate;            /* beside it: bytes a second, read and written */
    double init, run, output, total; /* seconds */
} mass_result;

/* One object and a newline on standard output. MASS_FAILED if it cannot be written. */
mass_status mass_report_json(const mass_result *r, mass_error *error);
/* The same object, without times, as text that the caller frees; NULL without memory. */
char *mass_report_object(const mass_result *r);
void mass_report_text(const mass_result *r);

#endif
