/* SPDX-License-Identifier: Apache-2.0 */
/* A rank's knowledge of the process that started the ranks of its host (launch.h) and waits for them. Two environment
 * variables name it (host_status.h): the process, and a file in the memory of that process (/proc/PID/fd/N). Rank 0
 * writes its results into that file, and the process prints them when all ranks have ended. mpirun would drop output
 * that it cannot print, and return 0.
 *
 * A rank believes the variables only if the process is its ancestor and of the same user, and the file is in that
 * process's memory and has no name. Otherwise it ends with MASS_BAD_USAGE: a variable set by somebody else would have
 * results appended to any file and signals sent to any process. Main thread. */
#ifndef MASS_ENGINE_COMM_STARTER_H
#define MASS_ENGINE_COMM_STARTER_H

#include "base/error.h"

#include <stdint.h>

/* Reads the variables, in a rank, before the other functions. Without them there is no starter. Returns MASS_BAD_USAGE
 * if the process is no ancestor of this user's, or if the file is not in that process's memory. */
mass_status mass_comm_starter_find(mass_error *error);

/* Returns the starter's process, or 0 if there is none, as under a launcher that the user started. */
int32_t mass_comm_starter(void);

/* Directs results to the starter's file from now on, if there is one. */
void mass_comm_starter_takes_results(void);

/* Sends MASS_COMM_READY or MASS_COMM_SAID to the starter, if there is one. */
void mass_comm_starter_tell(int news);

#endif
