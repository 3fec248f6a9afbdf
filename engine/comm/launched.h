/* SPDX-License-Identifier: Apache-2.0 */
/* The facts that the launcher of a job, such as mpirun or srun, sets in this process's environment. They are known
 * before any library is opened. Pure but for the environment. */
#ifndef MASS_ENGINE_COMM_LAUNCHED_H
#define MASS_ENGINE_COMM_LAUNCHED_H

#include <stdint.h>

typedef struct mass_launched {
    const char *by;     /* whose variables these are: "Open MPI"; NULL: no launcher started this process */
    int32_t rank, size; /* 0 and 1 without a launcher */
    int32_t local_rank; /* on its host; equal to rank if the launcher does not tell */
} mass_launched;

/* Reads what the launcher set. Without one, returns rank 0 of 1. */
mass_launched mass_comm_launched(void);

#endif
