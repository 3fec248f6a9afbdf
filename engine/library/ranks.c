/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that all processes of a launcher share. Rank 0 has the session, and the program calls functions of it. Each
 * other rank has a worker and calls mass_engine_serve, in which the worker does this rank's part of what rank 0 calls
 * (ranks/rpc.h). When rank 0 calls mass_engine_tell, mass_engine_serve returns the header and the bytes of that
 * call. */
#include "library/run.h"
#include "command/options/arguments.h"
#include "comm/launched.h"
#include "comm/open.h"
#include "comm/watch.h"
#include "device/cpu/threads.h"
#include "device/device.h"
#include "ranks/transfer.h"
#include "run/serve.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ranks, from the first run over them to mass_engine_disconnect; NULL: not connected. */
static mass_comm *ranks;
static pthread_t thread; /* the one that may call MPI */
static bool was_connected;

/* ---- the connection ---- */

bool mass_library_is_rank_thread(void) { return ranks && pthread_equal(thread, pthread_self()); }

/* Connects the processes, once, and notes this thread as theirs: refuses to do so after mass_engine_disconnect, or if
 * no launcher started them. All ranks call it together. */
static mass_status connect(const mass_options *o, mass_error *error)
{
    const mass_comm_options options = {o->comm, o->ranks, o->comm_timeout, true, true};
    const mass_launched launched = mass_comm_launched();
    if (was_connected)
        return mass_error_set(error, MASS_BAD_USAGE, "the ranks were disconnected: MPI cannot start again in one "
                              "process");
    if (launched.size == 1)
        return mass_error_set(error, MASS_BAD_USAGE, "ranks %d, but no launcher started this program: start it by "
                              "mpirun -n %d", o->ranks, o->ranks);
    const mass_status status = mass_comm_open(&options, &ranks, error);
    if (status != MASS_OK) {
        if (error->status == MASS_OK) mass_error_set(error, status, "the ranks do not connect, as another rank says");
        return status;
    }
    was_connected = true;
    thread = pthread_self();
    mass_threads_share(mass_comm_core_sharers());
    mass_device_take_turns(ranks->local_rank, ranks->local_size);
    return MASS_OK;
}

mass_status mass_library_connect(const mass_options *o, mass_comm **out, mass_error *error)
{
    *out = NULL;
    if (o->ranks <= 1) return MASS_OK;
    const mass_status status = ranks ? MASS_OK : connect(o, error);
    if (status != MASS_OK) return status;
    if (o->ranks != ranks->size)
        return mass_error_set(error, MASS_BAD_USAGE, "ranks %d, but the launcher has started %d", o->ranks,
                              ranks->size);
    if (!mass_library_is_rank_thread())
        return mass_error_set(error, MASS_BAD_USAGE, "runs over ranks are opened by one thread alone");
    *out = ranks;
    return MASS_OK;
}

void mass_engine_disconnect(void)
{
    mass_error error;
    if (!ranks || mass_library_enter(NULL, &error) != MASS_OK) return;
    if (mass_library_is_rank_thread()) {
        ranks->table->close(ranks);
        ranks = NULL;
    }
    mass_library_leave(NULL, MASS_OK, &error);
}

void mass_engine_abandon(int status)
{
    if (ranks) ranks->table->abort(ranks, status);
}

/* ---- what rank 0 sends ---- */

/* What rank 0 sends to the other ranks at the end of a series of calls. */
typedef struct header {
    uint64_t bytes; /* bytes that follow the header */
    int32_t status, over; /* the status that all ranks return; over: the run is closed */
    mass_error error;
    mass_engine_now now;
} header;

/* Sends *h and h->bytes bytes from rank 0 to all ranks, which call it together. Ranks above 0 receive the bytes in
 * run->given, which stays as it is if there are none. */
static mass_status share(mass_engine *run, header *h, const void *data, mass_error *error)
{
    mass_comm *comm = run->comm;
    mass_status status = comm->table->broadcast(comm, h, sizeof *h, error);
    if (status != MASS_OK || h->bytes == 0) return status;
    if (comm->rank == 0) return mass_transfer_to_all(comm, (void *)(uintptr_t)data, h->bytes, error);
    free(run->given);
    run->given = malloc(h->bytes);
    if (!run->given) return mass_rpc_abandon(comm, mass_error_memory(error, h->bytes, "what rank 0 gives"), error);
    return mass_transfer_to_all(comm, run->given, h->bytes, error);
}

/* Copies rank 0's run->now to this rank's. The rank and the messages remain this rank's own. */
static void take_now(mass_engine *run, const mass_engine_now *now)
{
    const int32_t rank = run->now.rank;
    const uint64_t messages = run->now.messages;
    run->now = *now;
    run->now.rank = rank;
    run->now.messages = messages;
}

/* On ranks above 0: does this rank's part of rank 0's calls, until rank 0 sends a header. Without a worker it only
 * waits for the header. */
static mass_status serve(mass_engine *run, header *h, mass_error *error)
{
    *h = (header){0};
    const mass_status status = run->worker ? mass_worker_serve(run->worker, error) : MASS_OK;
    return status == MASS_OK ? share(run, h, NULL, error) : status;
}

/* ---- opening ---- */

/* Makes the words by which the ranks compare their runs: all but files of starting values, which rank 0 reads. The
 * caller frees the list, not its words. NULL: memory was short. */
static char **words_of(const mass_engine *run)
{
    char **words = calloc(run->word_count + 1, sizeof *words);
    size_t count = 0;
    for (size_t i = 0; words && i < run->word_count; i++) {
        if (strcmp(run->words[i], "--load") == 0) i++;
        else if (strncmp(run->words[i], "--load=", 7) != 0) words[count++] = run->words[i];
    }
    return words;
}

mass_status mass_library_open_ranks(mass_engine *run, mass_status (*prepare)(mass_engine *, mass_error *),
                                    mass_error *error)
{
    mass_comm *comm = run->comm;
    char **words = words_of(run);
    header h = {0};
    if (!words) return mass_rpc_abandon(comm, mass_error_memory(error, 4096, "options"), error);
    run->now.rank = comm->rank;
    run->now.ranks = comm->size;
    mass_arguments_use(words);
    mass_status status = comm->rank == 0 ? prepare(run, error)
                                         : mass_worker_open(&run->options, comm, &run->worker, error);
    mass_arguments_use(NULL);
    free(words);
    if (comm->rank > 0) {
        mass_error ignored = {0}; /* rank 0 says what failed */
        status = serve(run, &h, &ignored);
        if (status != MASS_OK || h.status == MASS_OK) return status;
        *error = h.error;
        return error->status;
    }
    mass_session_dismiss_others(&run->session);
    run->session.others = MASS_OTHERS_AWAIT_CALLS;
    h = (header){.status = (int32_t)status, .error = *error, .now = run->now};
    const mass_status shared = share(run, &h, NULL, error);
    return status == MASS_OK ? shared : status;
}

void mass_library_close_ranks(mass_engine *run)
{
    mass_error ignored = {0};
    header h = {.over = 1, .now = run->now};
    if (run->comm->rank == 0) {
        mass_session_dismiss_others(&run->session);
        share(run, &h, NULL, &ignored);
        return;
    }
    while (!run->over && serve(run, &h, &ignored) == MASS_OK) run->over = h.over != 0;
}

/* ---- calls ---- */

int mass_engine_tell(mass_engine *run, const void *data, uint64_t bytes)
{
    mass_error error;
    const int entered = mass_library_enter_here(run, &error);
    if (entered != MASS_OK) return entered;
    header h = {.bytes = bytes, .now = run->now};
    mass_status status = MASS_OK;
    if (run->comm) status = mass_serve_end(run->comm, &error);
    if (run->comm && status == MASS_OK) status = share(run, &h, data, &error);
    return mass_library_leave(run, status, &error);
}

int mass_engine_serve(mass_engine *run, const void **data, uint64_t *bytes)
{
    mass_error error;
    header h;
    const int entered = mass_library_enter(run, &error);
    if (entered != MASS_OK) return entered;
    *data = NULL;
    *bytes = 0;
    if (!run->worker)
        return mass_library_leave(run, mass_error_set(&error, MASS_BAD_USAGE, "ranks above 0 serve, and this is rank "
                                  "0"), &error);
    if (run->over) return mass_library_leave(run, MASS_OK, &error);
    const mass_status status = serve(run, &h, &error);
    if (status == MASS_OK) take_now(run, &h.now);
    run->over = h.over != 0;
    run->now.over = h.over;
    *data = h.bytes ? run->given : NULL;
    *bytes = h.bytes;
    return mass_library_leave(run, status, &error);
}
