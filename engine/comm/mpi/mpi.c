/* SPDX-License-Identifier: Apache-2.0 */
/* MPI as a communicator. It is a module, so that an engine on one rank needs no MPI. */
#include "comm/mpi/mpi_comm.h"

#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Announces a deliberate end, then ends all ranks and this process. Never returns. */
static void abort_all(mass_comm *comm, int exit_status)
{
    mass_mpi_of(comm)->opening->leave(exit_status);
    MPI_Abort(MPI_COMM_WORLD, exit_status);
    _exit(exit_status);
}

/* Waits for all ranks to close, ends the watch, finalizes MPI and frees the communicator. */
static void close_mpi(mass_comm *comm)
{
    mass_mpi *const m = mass_mpi_of(comm);
    mass_error ignored = {0};
    /* MPI_Finalize waits, too, but uses a core while it does. In it a launcher may kill ranks after the first has
     * ended. */
    const bool all_close = mass_mpi_barrier(comm, &ignored) == MASS_OK;
    m->opening->closing(comm, all_close);
    MPI_Comm_free(&m->world);
    MPI_Finalize();
    free(m->requests);
    free(m->statuses);
    free(m->facts);
    free(m);
}

static const mass_comm_table table = {sizeof table, "mpi", mass_mpi_exchange, mass_mpi_all_reduce, mass_mpi_scan,
                                      mass_mpi_all_gather, mass_mpi_all_to_all, mass_mpi_broadcast, mass_mpi_barrier,
                                      abort_all, close_mpi};

/* Returns the name and version of the MPI library, up to the first comma; "MPI" if it does not tell. */
static const char *library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (text[0]) return text;
    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "MPI";
    text[strcspn(text, ",\n")] = '\0'; /* "Open MPI v4.1.4, package: ..." */
    return text;
}

/* Sets two options of Open MPI, unless the user has set them. They disable warnings about forks, which the engine makes
 * to try programs in their own process, and about unused networks. */
static void prepare_environment(void)
{
    setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0);
    setenv("OMPI_MCA_btl_base_warn_component_unused", "0", 0);
}

/* Starts MPI, and returns its result. Restores the engine's signal handlers and its floating-point settings, which
 * MPI_Init may change. */
static int start(void)
{
    struct sigaction before[NSIG];
    fenv_t floats;
    int provided;
    fegetenv(&floats);
    for (int i = 1; i < NSIG; i++) sigaction(i, NULL, &before[i]);
    const int result = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    for (int i = 1; i < NSIG; i++)
        if (i != SIGKILL && i != SIGSTOP && i != SIGCHLD) sigaction(i, &before[i], NULL);
    fesetenv(&floats);
    return result;
}

/* Duplicates the world's communicator, and finds this rank's number, host, and neighbours on the host. Returns MPI's
 * result. */
static int describe(mass_mpi *m)
{
    mass_comm *const c = &m->comm;
    MPI_Comm local;
    int length;
    int result = MPI_Comm_dup(MPI_COMM_WORLD, &m->world);
    if (result == MPI_SUCCESS) result = MPI_Comm_set_errhandler(m->world, MPI_ERRORS_RETURN);
    if (result == MPI_SUCCESS) result = MPI_Comm_rank(m->world, &c->rank);
    if (result == MPI_SUCCESS) result = MPI_Comm_size(m->world, &c->size);
    if (result == MPI_SUCCESS) result = MPI_Get_processor_name(m->host, &length);
    if (result == MPI_SUCCESS)
        result = MPI_Comm_split_type(m->world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    if (result != MPI_SUCCESS) return result;
    MPI_Comm_rank(local, &c->local_rank);
    MPI_Comm_size(local, &c->local_size);
    return MPI_Comm_free(&local);
}

/* Reports that MPI could not start. */
static mass_status refuse(int result, mass_error *error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(result, text, &length);
    return mass_error_set(error, MASS_FAILED, "%s does not start: %s", library(), text);
}

/* Sets variables for MPI, starts it and describes this rank. Errors of MPI are returned from then on. Frees all on
 * failure. */
static mass_status open_mpi(const mass_comm_opening *opening, mass_comm **out, mass_error *error)
{
    mass_mpi *const m = calloc(1, sizeof *m);
    if (!m) return mass_error_memory(error, sizeof *m, "the ranks");
    m->comm.table = &table;
    m->comm.host = m->host;
    m->opening = opening;
    prepare_environment();
    int result = start();
    if (result == MPI_SUCCESS) result = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (result == MPI_SUCCESS) result = describe(m);
    if (result == MPI_SUCCESS) {
        *out = &m->comm;
        return MASS_OK;
    }
    free(m);
    return refuse(result, error);
}

extern __attribute__((visibility("default"))) const mass_comm_module MASS_COMM_MODULE;
const mass_comm_module MASS_COMM_MODULE = {sizeof(mass_comm_module), sizeof(mass_comm_table), library, open_mpi};
