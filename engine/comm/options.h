/* SPDX-License-Identifier: Apache-2.0 */
/* How the user wants the ranks of a run to start and to wait for each other. */
#ifndef MASS_ENGINE_COMM_OPTIONS_H
#define MASS_ENGINE_COMM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* The activity that crash reports name while MPI's library starts, and the text that recognises such a report. */
#define MASS_COMM_STARTING "MPI was started"
#define MASS_COMM_WHILE_STARTED " while " MASS_COMM_STARTING

enum {
    MASS_COMM_TIMEOUT = 600, /* seconds, by default */
    MASS_RANKS_MAX = 65536   /* of --ranks */
};

typedef struct mass_comm_options {
    const char *by;  /* "auto", "mpi"; NULL is "auto" */
    int32_t ranks;   /* requested number; 0: not given */
    int64_t timeout; /* seconds that a rank waits for others; 0: no limit */
    bool quiet;      /* do not tell the user that ranks take long to start */
    bool library;    /* another program uses the engine: leave its signals and its terminal alone */
} mass_comm_options;

#endif
