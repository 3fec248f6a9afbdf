/* SPDX-License-Identifier: Apache-2.0 */
/* What the process that started the ranks of a host (launch.h) and these ranks know of each other. */
#ifndef MASS_ENGINE_COMM_NEWS_H
#define MASS_ENGINE_COMM_NEWS_H

#include <signal.h>

/* In the environment of ranks, the process that called mass_comm_launch. Ranks send it a signal, which is ignored where
 * nobody waits for it, with what it is to know: rank 0, once it takes signals and all ranks have been found; and a rank
 * that says why all end. */
#define MASS_COMM_STARTED_BY "MASS_STARTED_BY"
#define MASS_COMM_NEWS SIGURG
enum { MASS_COMM_READY, MASS_COMM_SAID };

/* In the environment of ranks, the file that takes the results of rank 0, which that process prints. */
#define MASS_COMM_RESULTS "MASS_RESULTS"

#endif
