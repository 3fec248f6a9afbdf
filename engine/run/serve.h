/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks other than 0 do in a run: what rank 0 calls (ranks/rpc.h), until it ends that. All ranks have made
 * their domain and stepper, and have given the domain its stop condition, before.
 *
 * Rank 0 calls for steps in chunks of about a tenth of a second, which it measures. A signal goes to any rank, which
 * keeps its number; at the end of each chunk rank 0 hears of it by an all-reduce (comm/signal_reduction.h), so that all
 * ranks end after the same step. Main thread. */
#ifndef MASS_ENGINE_SERVE_H
#define MASS_ENGINE_SERVE_H

#include "run/stepper.h"

/* On a rank > 0: does what is called. A call that fails fails on all ranks; rank 0 hears of it and decides what becomes
 * of the run, so that this goes on. Returns when rank 0 has ended it, or with an error if the ranks cannot be heard any
 * more. */
mass_status mass_serve(mass_domain *, mass_stepper *, mass_error *error);

/* On rank 0: ends it on the others. With one rank it does nothing. */
mass_status mass_serve_end(mass_comm *, mass_error *error);

#endif
