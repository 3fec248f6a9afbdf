/* SPDX-License-Identifier: Apache-2.0 */
/* What a module that implements comm.h shows: one symbol. */
#ifndef MASS_ENGINE_COMM_MODULE_H
#define MASS_ENGINE_COMM_MODULE_H

#include "comm/comm.h"

typedef struct mass_comm_opening {
    uint32_t struct_size;
    double timeout; /* seconds that a rank waits for others, other than for what rank 0 tells next; 0: for ever */
    /* What went wrong with the ranks, as "MPI_Irecv: ...". Says it with rank and host, and ends them all. */
    void (*fail)(mass_comm *, const char *text);
    /* The process ends from here on by its own will. */
    void (*leave)(int exit_status);
    /* A wait without a limit has lasted so long: "for rank 0". Called now and then; ends all ranks where that has to
     * be. */
    void (*waits)(mass_comm *, const char *what, double seconds);
    /* close has been called; by all ranks, if all_close. */
    void (*closing)(mass_comm *, bool all_close);
} mass_comm_opening;

typedef struct mass_comm_module {
    uint32_t struct_size, table_size;
    /* The library that it stands on: "Open MPI 4.1.4". Valid for ever. */
    const char *(*library)(void);
    /* Opened once in a process. The opening stays valid. On failure *out is untouched. */
    mass_status (*open)(const mass_comm_opening *, mass_comm **out, mass_error *error);
} mass_comm_module;

#define MASS_COMM_MODULE mass_comm_module_symbol
#define MASS_COMM_MODULE_NAME "mass_comm_module_symbol"

#endif
