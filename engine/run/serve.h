/* SPDX-License-Identifier: Apache-2.0 */
/* Serves rank 0's calls on the other ranks (ranks/rpc.h), until rank 0 ends that. Before, all ranks have created
 * their domain and stepper, and the domain has its stop condition.
 *
 * Rank 0 calls for steps in chunks of about a tenth of a second, which it measures. A signal may arrive at any rank,
 * which keeps its number. At the end of each chunk an all-reduce tells rank 0 (comm/signal_reduction.h). So all
 * ranks end after the same step. Main thread. */
#ifndef MASS_ENGINE_SERVE_H
#define MASS_ENGINE_SERVE_H

#include "run/stepper.h"

/* Serves calls on a rank > 0. A call that fails does so on all ranks. Rank 0 gets the error and decides how the run
 * goes on, so this rank continues to serve. Returns when rank 0 ends it, or with an error if the ranks cannot
 * communicate. */
mass_status mass_serve(mass_domain *, mass_stepper *, mass_error *error);

/* Ends mass_serve on the other ranks. Rank 0 calls it. With one rank it does nothing. */
mass_status mass_serve_end(mass_comm *, mass_error *error);

#endif
