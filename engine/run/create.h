/* SPDX-License-Identifier: Apache-2.0 */
/* A run as the command has it: a domain whose ghosts are as thick as the steps that may be done at once need, and a
 * stepper that goes by rules where it can. Main thread. */
#ifndef MASS_ENGINE_RUN_CREATE_H
#define MASS_ENGINE_RUN_CREATE_H

#include "run/stepper.h"
#include "snapshot/create.h"

typedef struct mass_run_request {
    mass_domain_options domain;
    const void *device_code; /* the plugin's, or NULL */
    uint64_t step;           /* where the state stands */
    int32_t fuse;            /* steps at once; 0: as many as are found to be fastest */
    bool no_bits;            /* callbacks are run as they are written */
    bool no_graph;           /* steps are not recorded */
    bool no_block;           /* small worlds are not run in blocks of a GPU */
    bool no_overlap;         /* exchanges between ranks never go on beside launches */
} mass_run_request;

/* The model's ghosts may become thicker. With several ranks, all create theirs, and agree on the status afterwards
 * (mass_rpc_agree). *tries is for mass_stepper_try_fuse, when ranks are linked: 0 where q->fuse says it. On failure
 * *domain and *run are what there was of them, for the caller to free. */
mass_status mass_run_create(mass_model *m, mass_device *device, const mass_run_request *q, mass_domain **domain,
                            mass_stepper **run, int32_t *tries, mass_error *error);

#endif
