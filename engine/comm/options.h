/* SPDX-License-Identifier: Apache-2.0 */
/* How the user wants the ranks of a run to be started and to wait for each other. */
#ifndef MASS_ENGINE_COMM_OPTIONS_H
#define MASS_ENGINE_COMM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What a rank does while its library for MPI starts, and what a line about the end of a rank has then. */
#define MASS_COMM_STARTING "MPI was started"
#define MASS_COMM_WHILE_STARTED " while " MASS_COMM_STARTING

enum {
    MASS_COMM_TIMEOUT = 600, /* seconds, if nothing is said */
    MASS_RANKS_MAX = 65536   /* of --ranks */
};

typedef struct mass_comm_options {
    const char *by;  /* "auto", "mpi"; NULL is "auto" */
    int32_t ranks;   /* that were asked for; 0: not said */
    int64_t timeout; /* seconds that a rank waits for others; 0: for ever */
    bool quiet;      /* nobody is told that ranks take long to start */
} mass_comm_options;

#endif
