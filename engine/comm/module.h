/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of a module that implements comm.h: one symbol. */
#ifndef MASS_ENGINE_COMM_MODULE_H
#define MASS_ENGINE_COMM_MODULE_H

#include "comm/comm.h"

typedef struct mass_comm_opening {
    uint32_t struct_size;
    double timeout; /* seconds that a rank waits for others; 0: no limit. Waits for rank 0's next call have no limit */
    /* Reports a failure between ranks, such as "MPI_Irecv: ...", with rank and host, and ends all ranks. */
    void (*fail)(mass_comm *, const char *text);
    /* Announces that this process now ends deliberately. */
    void (*leave)(int exit_status);
    /* Reports that a wait without a limit, such as "for rank 0", has lasted so long. Called now and then. Ends all
     * ranks if necessary. */
    void (*waits)(mass_comm *, const char *what, double seconds);
    /* Announces that close was called; by all ranks if all_close. */
    void (*closing)(mass_comm *, bool all_close);
} mass_comm_opening;

typedef struct mass_comm_module {
    uint32_t struct_size, table_size;
    /* Returns the name of the library that the module uses: "Open MPI 4.1.4". Valid for ever. */
    const char *(*library)(void);
    /* Opens the communicator, once in a process. The opening must remain valid. On failure *out is unchanged. */
    mass_status (*open)(const mass_comm_opening *, mass_comm **out, mass_error *error);
} mass_comm_module;

#define MASS_COMM_MODULE mass_comm_module_symbol
#define MASS_COMM_MODULE_NAME "mass_comm_module_symbol"

#endif
