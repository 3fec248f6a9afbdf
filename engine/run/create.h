/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a run: a domain with ghosts thick enough for fused steps, and a stepper that uses rules where it can. Main
 * thread. */
#ifndef MASS_ENGINE_RUN_CREATE_H
#define MASS_ENGINE_RUN_CREATE_H

#include "run/stepper.h"
#include "snapshot/create.h"

typedef struct mass_run_request {
    mass_domain_options domain;
    const void *device_code; /* of the plugin, or NULL */
    uint64_t step;           /* the step of the state */
    int32_t fuse;            /* steps in one launch; 0: the tuner finds the fastest number */
    bool no_bits;            /* run callbacks as written, without rules */
    bool no_graph;           /* do not record steps */
    bool no_block;           /* do not run block-resident worlds */
    bool no_overlap;         /* do not overlap exchanges with launches */
} mass_run_request;

/* Creates the domain and the stepper. May make the model's ghosts thicker. With several ranks, all create theirs,
 * and then agree on the status (mass_rpc_agree). *tries is the argument for mass_stepper_try_fuse once ranks are
 * linked. It is 0 if q->fuse sets the number. On failure *domain and *run may be set, and the caller frees them. */
mass_status mass_run_create(mass_model *m, mass_device *device, const mass_run_request *q, mass_domain **domain,
                            mass_stepper **run, int32_t *tries, mass_error *error);

#endif
