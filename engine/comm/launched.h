/* SPDX-License-Identifier: Apache-2.0 */
/* What the launcher of a job, as mpirun or srun, has told this process in its environment: known before any library is
 * opened. Pure but for the environment. */
#ifndef MASS_ENGINE_COMM_LAUNCHED_H
#define MASS_ENGINE_COMM_LAUNCHED_H

#include <stdint.h>

typedef struct mass_launched {
    const char *by;     /* whose words these are: "Open MPI"; NULL: no launcher started this process */
    int32_t rank, size; /* without a launcher 0 and 1 */
    int32_t local_rank; /* on its host; where that is not said, its rank */
} mass_launched;

mass_launched mass_comm_launched(void);

#endif
