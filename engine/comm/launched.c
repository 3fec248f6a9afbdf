/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/launched.h"

#include <stddef.h>
#include <stdlib.h>

/* Variables of each launcher. The first two of a row must be set. A batch job's own script has SLURM_NTASKS, too, but
 * no PMIX_RANK. */
static const struct { const char *by, *rank, *size, *local_rank; } launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK"}, /* mpirun of all its versions */
    {"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"}, /* MPICH, Intel MPI, srun --mpi=pmi2 */
    {"Slurm", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"}, /* srun --mpi=pmix */
    {"Slurm", "PMIX_RANK", "SLURM_NTASKS", "SLURM_LOCALID"}};

/* Returns the number in an environment variable, or -1 if it is not set or not one from 0 to INT32_MAX. */
static int32_t number_in(const char *name)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !text[0]) return -1;
    const long number = strtol(text, &end, 10);
    return *end == '\0' && number >= 0 && number <= INT32_MAX ? (int32_t)number : -1;
}

mass_launched mass_comm_launched(void)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const int32_t rank = number_in(launchers[i].rank), size = number_in(launchers[i].size);
        const int32_t local = number_in(launchers[i].local_rank);
        if (rank >= 0 && size > rank) return (mass_launched){launchers[i].by, rank, size, local < 0 ? rank : local};
    }
    return (mass_launched){NULL, 0, 1, 0};
}
