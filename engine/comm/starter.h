/* SPDX-License-Identifier: Apache-2.0 */
/* What a rank knows of the process that started the ranks of its host (launch.h) and waits for them. Two environment
 * variables tell it (news.h): the process, and a file in the memory of that process (/proc/PID/fd/N). Rank 0 writes its
 * result into that file, and the process prints it when all ranks have ended; mpirun would drop what it cannot print
 * and return 0.
 *
 * A rank believes the variables only if the process is its ancestor and of the same user, and the file is in that
 * process's memory and has no name. Otherwise it ends with MASS_BAD_USAGE: a variable set by somebody else would have
 * results appended to any file and signals sent to any process. Main thread. */
#ifndef MASS_ENGINE_COMM_STARTER_H
#define MASS_ENGINE_COMM_STARTER_H

#include "base/error.h"

#include <stdint.h>

/* In a rank, before the others: MASS_BAD_USAGE where the environment names another process than one of this user's
 * from which this one descends, or another file than one in that process's memory. */
mass_status mass_comm_starter_find(mass_error *error);

/* Its process, or 0: there is none, as under a launcher that somebody else started. */
int32_t mass_comm_starter(void);

/* Results go to it from here on, where there is one. */
void mass_comm_starter_takes_results(void);

/* Tells it MASS_COMM_READY or MASS_COMM_SAID, if it is there. */
void mass_comm_starter_tell(int news);

#endif
