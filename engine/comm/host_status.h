/* SPDX-License-Identifier: Apache-2.0 */
/* How the process that started the ranks of a host (launch.h) and these ranks notify each other. */
#ifndef MASS_ENGINE_COMM_HOST_STATUS_H
#define MASS_ENGINE_COMM_HOST_STATUS_H

#include <signal.h>

/* Environment variable of ranks: the process that called mass_comm_launch. Ranks send it status by a signal, which is
 * ignored if no process waits for it. Rank 0 sends READY once all ranks are connected and it handles signals. A rank
 * that reports why all end sends SAID. */
#define MASS_COMM_STARTED_BY "MASS_STARTED_BY"
#define MASS_COMM_NEWS SIGURG
enum { MASS_COMM_READY, MASS_COMM_SAID };

/* Environment variable of ranks: the file for rank 0's results, which the starting process prints. */
#define MASS_COMM_RESULTS "MASS_RESULTS"

#endif
