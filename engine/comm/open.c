/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/open.h"
#include "comm/host_status.h"
#include "comm/shutdown_watchdog.h"
#include "comm/launched.h"
#include "comm/connect_limit.h"
#include "comm/module.h"
#include "comm/disk_wait.h"
#include "comm/starter.h"
#include "comm/terminal.h"
#include "comm/watch.h"
#include "process/crash.h"
#include "process/module.h"
#include "process/progress.h"
#include "process/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* Reports a failure between ranks and ends all ranks, since they wait for each other. Only one rank of a host reports.
 * It reports nothing if a launcher has sent SIGTERM, as another rank has then reported the cause. */
static void fail(mass_comm *comm, const char *text)
{
    if (mass_signals_kept_end() != SIGTERM && mass_comm_watch_claim(MASS_FAILED))
        mass_progress_say_last("mass-engine: rank %d on %s: %s", comm->rank, comm->host, text);
    comm->table->abort(comm, MASS_FAILED);
}

/* Announces a deliberate end, and claims the report of why. Without a starter, leaves behind a process that kills this
 * one and its launcher if they hang. */
static void leave(int exit_status)
{
    mass_comm_watch_claim(exit_status);
    mass_crash_leave(exit_status);
    if (!mass_comm_starter()) mass_comm_leave_behind();
}

/* Ends this rank's watch: this rank, or with all_close every rank, may end from now on. */
static void closing(mass_comm *comm, bool all_close)
{
    (void)comm;
    mass_comm_watch_end(all_close);
}

bool mass_comm_has_mpi(void) { return mass_module_is_there("mpi.so"); }

/* Loads the MPI module. If it is missing, cannot be loaded or is of another build, returns MASS_NO_DEVICE and leaves
 * *out. */
static mass_status find_module(const mass_comm_module **out, mass_error *error)
{
    char path[PATH_MAX];
    const char *reason;
    if (!mass_comm_has_mpi())
        return mass_error_set(error, MASS_NO_DEVICE, "there is no MPI in this build of mass-engine, so that it runs on "
                              "one rank: install mass-engine-mpi, or build it where libopenmpi-dev is installed");
    const mass_comm_module *module = mass_module_open("mpi.so", MASS_COMM_MODULE_NAME, &reason);
    if (!module && reason)
        return mass_error_set(error, MASS_NO_DEVICE, "the MPI module cannot be loaded: %s; install the MPI library "
                              "that it was built with (libopenmpi3, of Open MPI)", reason);
    if (!module || module->struct_size != sizeof *module || module->table_size != sizeof(mass_comm_table))
        return mass_error_set(error, MASS_NO_DEVICE, "%s is of another build of mass-engine: install both again",
                              mass_module_path("mpi.so", path) ? path : "mpi.so");
    *out = module;
    return MASS_OK;
}

mass_status mass_comm_check_installed(mass_error *error)
{
    const mass_comm_module *module;
    return find_module(&module, error);
}

/* Connects several ranks by MPI, within the options' time limit, and starts their watch. Messages of a crash then name
 * the rank. Fails if MPI finds another number of ranks than the launcher started. */
static mass_status open_several(const mass_comm_options *o, const mass_launched *launched, mass_comm **out,
                                mass_error *error)
{
    static mass_comm_opening opening = {.struct_size = sizeof opening, .fail = fail, .leave = leave,
                                        .waits = mass_comm_waits, .closing = closing};
    static char name[300];
    const mass_comm_module *module = NULL;
    mass_comm *comm = NULL;
    opening.timeout = (double)o->timeout;
    mass_comm_patience_begin(opening.timeout);
    mass_comm_watch_starter(mass_comm_starter());
    mass_status status = find_module(&module, error);
    if (status != MASS_OK) return status;
    mass_crash_doing(MASS_COMM_STARTING);
    mass_crash_among(NULL, mass_comm_watch_claim);
    if (mass_comm_starter()) prctl(PR_SET_PDEATHSIG, SIGKILL); /* until the ranks watch the launcher themselves */
    else mass_comm_connect_begins(launched->rank, opening.timeout);
    status = module->open(&opening, &comm, error);
    mass_comm_connect_ends();
    prctl(PR_SET_PDEATHSIG, 0);
    mass_crash_doing(NULL);
    if (status != MASS_OK) return status;
    snprintf(name, sizeof name, "rank %d on %s: ", comm->rank, comm->host);
    mass_crash_as(name);
    if (comm->size != launched->size) {
        mass_error_set(error, MASS_BAD_USAGE, "the launcher started %d ranks, but %s, which this mass-engine uses, "
                       "finds %d: start it by the mpirun of that library", launched->size, module->library(),
                       comm->size);
        comm->table->close(comm);
        return error->status;
    }
    if (mass_comm_watch_begin(comm, error) != MASS_OK) fail(comm, error->text);
    if (comm->rank > 0 && !o->library) mass_signals_keep();
    if (comm->rank == 0) mass_comm_starter_takes_results();
    if (comm->rank == 0) mass_comm_starter_tell(MASS_COMM_READY); /* it then passes on signals that came meanwhile */
    *out = comm;
    return MASS_OK;
}

/* Refuses an unknown --comm, and --ranks that differ from the number that the launcher started. */
static mass_status check(const mass_comm_options *o, const mass_launched *launched, mass_error *error)
{
    const char *by = o->by ? o->by : "auto";
    if (strcmp(by, "auto") != 0 && strcmp(by, "mpi") != 0 && strcmp(by, "nccl") != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--comm %s is not one of auto, mpi, nccl", by);
    if (launched->by && o->ranks && o->ranks != launched->size)
        return mass_error_set(error, MASS_BAD_USAGE, "--ranks %d, but %s has started %d: leave out --ranks", o->ranks,
                              launched->by, launched->size);
    return MASS_OK;
}

bool mass_comm_is_to_launch(const mass_comm_options *o) { return o->ranks > 1 && !mass_comm_launched().by; }

mass_status mass_comm_open(const mass_comm_options *o, mass_comm **out, mass_error *error)
{
    const mass_launched launched = mass_comm_launched();
    mass_status status = launched.size > 1 ? mass_comm_starter_find(error) : MASS_OK;
    if (launched.size > 1 && !o->library) mass_comm_find_terminal();
    if (status == MASS_OK) status = check(o, &launched, error);
    if (status == MASS_OK && launched.size == 1) *out = mass_comm_self();
    else if (status == MASS_OK) status = open_several(o, &launched, out, error);
    if (status != MASS_OK && launched.local_rank > 0) *error = (mass_error){0};
    if (status != MASS_OK && error->status != MASS_OK) mass_comm_starter_tell(MASS_COMM_SAID);
    return status;
}
