/* SPDX-License-Identifier: Apache-2.0 */
/* A run's stop condition on its device. With several ranks, each evaluates it for all worlds of the run, over the
 * tallies of all ranks, so that all see the same and stop after the same step. Main thread. */
#ifndef MASS_ENGINE_STATE_STOP_CONDITION_H
#define MASS_ENGINE_STATE_STOP_CONDITION_H

#include "state/stop_state.h"
#include "state/domain.h"
#include "text/expression.h"

typedef struct mass_until {
    char *text;
    uint32_t count, steady_count;
    mass_buffer memory;  /* with all of these */
    uint32_t *tallies;   /* [tally_count] that it looks at; owned */
    uint32_t tally_count;
    mass_buffer steady;  /* mass_steady[steady_count][worlds of the run] */
    mass_buffer program; /* mass_instruction[count] */
    mass_buffer held;    /* uint64_t, see mass_until_work */
    mass_buffer closed;  /* uint32_t[worlds], see mass_domain */
} mass_until;

/* Gives a domain its condition, of which nothing was seen yet, and gates that close when it holds. Of this rank: all
 * ranks of the run do. */
mass_status mass_until_create(mass_domain *d, const char *text, const mass_expression *expression, mass_error *error);
void mass_until_free(mass_domain *d); /* fine without one */

/* Looks at the tallies of `rows` steps from `step` on, one after the other, that are complete and were observed, and of
 * which the history has rows, behind which `later` follow; with several ranks, of one step. `relative` steps, which are
 * recorded, count from the device's clock; when it holds, the replay stops. Queued. */
mass_status mass_until_look(mass_domain *d, uint64_t step, int32_t rows, int32_t later, bool relative,
                            mass_error *error);

/* The first step at which it held in all worlds, or MASS_NOT_HELD. Waits for the device. */
mass_status mass_until_held(mass_domain *d, uint64_t *step, mass_error *error);

/* In a step, on all ranks of several, before look: the tallies that it looks at over all ranks. */
mass_status mass_until_reduce(mass_domain *d, mass_error *error);

/* What it has seen, to the host, nothing without one. */
mass_status mass_until_save(mass_domain *d, mass_until_state *out, mass_error *error);
/* And back, of the same expression, on all ranks: called on rank 0, and by others out of mass_serve, with NULL. */
mass_status mass_until_restore(mass_domain *d, const mass_until_state *state, mass_error *error);

#endif
