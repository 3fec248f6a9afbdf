/* SPDX-License-Identifier: Apache-2.0 */
/* A run's stop condition on its device. With several ranks, each rank evaluates it for all worlds of the run, over the
 * tallies of all ranks. So all get the same result, and stop after the same step. Main thread. */
#ifndef MASS_ENGINE_STATE_STOP_CONDITION_H
#define MASS_ENGINE_STATE_STOP_CONDITION_H

#include "state/stop_state.h"
#include "state/domain.h"
#include "text/expression.h"

typedef struct mass_until {
    char *text;
    uint32_t count, steady_count;
    mass_buffer memory;  /* memory of all buffers here */
    uint32_t *tallies;   /* [tally_count] tallies that it reads; owned */
    uint32_t tally_count;
    mass_buffer steady;  /* mass_steady[steady_count][worlds of the run] */
    mass_buffer program; /* mass_instruction[count] */
    mass_buffer held;    /* uint64_t, see mass_until_work */
    mass_buffer closed;  /* uint32_t[worlds], see mass_domain */
} mass_until;

/* Gives a domain its condition, copies of text and expression, without any state yet, and gates that close when it
 * holds. The domain must have none. On failure the caller calls mass_until_free. All ranks of the run call it. */
mass_status mass_until_create(mass_domain *d, const char *text, const mass_expression *expression, mass_error *error);
void mass_until_free(mass_domain *d); /* may be called without a condition */

/* Evaluates the condition after `rows` steps from `step` on, in order. The steps must be complete and observed. The
 * history must have their rows, with `later` rows after them. With several ranks, it takes one step at a time. If
 * `relative`, the call is recorded: the step counts from the device's clock, and the replay stops if the condition
 * holds. Queued. */
mass_status mass_until_look(mass_domain *d, uint64_t step, int32_t rows, int32_t later, bool relative,
                            mass_error *error);

/* Sets *step to the first step after which it held in all worlds, or MASS_NOT_HELD. There must be a condition.
 * Waits for the device. */
mass_status mass_until_held(mass_domain *d, uint64_t *step, mass_error *error);

/* Reduces the tallies that it reads over all ranks. There must be a condition. With several ranks, all call it in a
 * step before look. */
mass_status mass_until_reduce(mass_domain *d, mass_error *error);

/* Copies its state to the host; all zeros, and MASS_NOT_HELD, without a condition. The caller frees *out
 * (mass_until_state_free). On failure it is empty. Waits for the device. */
mass_status mass_until_save(mass_domain *d, mass_until_state *out, mass_error *error);
/* Restores the state, of the same expression, on all ranks. There must be a condition. Rank 0 calls it; the others call
 * it in mass_serve, with NULL. */
mass_status mass_until_restore(mass_domain *d, const mass_until_state *state, mass_error *error);

#endif
