/* SPDX-License-Identifier: Apache-2.0 */
/* One rank of a test under a launcher: ranks WHAT [RANK]. It opens the ranks as the engine does. */
#include "operations.h"
#include "../halo/copies.h"

#include "comm/signal_reduction.h"
#include "comm/open.h"
#include "process/crash.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static mass_error ignored;

static double processor_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Rank 0 takes its time: the others wait without taking a core from it. */
static void check_waiting(mass_comm *comm)
{
    comm->table->barrier(comm, &ignored);
    const double before = processor_time();
    if (comm->rank == 0) nanosleep(&(struct timespec){2, 0}, NULL);
    comm->table->barrier(comm, &ignored);
    const double used = processor_time() - before;
    if (comm->rank == 0 || used < 0.4) return;
    fprintf(stderr, "rank %d waited 2 s and took %.2f s of a core\n", comm->rank, used);
    comm->table->abort(comm, 1);
}

/* How long operations take that do next to nothing. */
static void measure(mass_comm *comm)
{
    enum { TIMES = 20000 };
    int64_t value = 0;
    char in[2][8], out[2][8] = {"", ""};
    const int32_t up = (comm->rank + 1) % comm->size, down = (comm->rank + comm->size - 1) % comm->size;
    const mass_message sends[] = {{up, out[0], 8}, {down, out[1], 8}}, receives[] = {{down, in[0], 8}, {up, in[1], 8}};
    double began = mass_seconds();
    for (int i = 0; i < TIMES; i++) comm->table->all_reduce(comm, MASS_REDUCE_SUM, &value, 1, &ignored);
    const double reduce = (mass_seconds() - began) / TIMES;
    began = mass_seconds();
    for (int i = 0; i < TIMES; i++) comm->table->exchange(comm, sends, 2, receives, 2, &ignored);
    const double exchange = (mass_seconds() - began) / TIMES;
    if (comm->rank == 0) printf("all_reduce %.2f us, exchange %.2f us\n", 1e6 * reduce, 1e6 * exchange);
}

/* Says who it is, and stays until it is ended; others wait for it. */
static void stay(mass_comm *comm, int32_t who)
{
    printf("rank %d is process %d\n", comm->rank, (int)getpid());
    fflush(stdout);
    if (comm->rank == who)
        for (;;) pause();
    comm->table->barrier(comm, &ignored);
}

/* Until a signal asks a rank for an end, of which rank 0 hears. */
static int await_signal(mass_comm *comm)
{
    int64_t end = 0;
    printf("rank %d is process %d\n", comm->rank, (int)getpid());
    fflush(stdout);
    while (!end) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        mass_comm_reduce_signals(comm, &ignored);
        end = mass_signals_end();
        comm->table->all_reduce(comm, MASS_REDUCE_MOST, &end, 1, &ignored);
    }
    return MASS_INTERRUPTED;
}

static void check_halos(mass_comm *comm)
{
    mass_device *device = NULL;
    if (mass_cpu_table.open(0, 1, &device, &ignored) != MASS_OK) comm->table->abort(comm, 1);
    check_copies(comm, device, NULL, 1000 * (uint64_t)comm->size, 20);
    mass_device_close(device);
}

static int work(mass_comm *comm, const char *what, int32_t who)
{
    if (strcmp(what, "operations") == 0) check_operations(comm);
    else if (strcmp(what, "halos") == 0) check_halos(comm);
    else if (strcmp(what, "waiting") == 0) check_waiting(comm);
    else if (strcmp(what, "measure") == 0) measure(comm);
    else if (strcmp(what, "stay") == 0) stay(comm, who);
    else if (strcmp(what, "signal") == 0) return await_signal(comm);
    else if (strcmp(what, "size") == 0) printf("%d of %d by %s\n", comm->rank, comm->size, comm->table->name);
    else if (strcmp(what, "abort") == 0 && comm->rank == who) {
        mass_progress_say("mass-engine: rank %d gives up", who);
        comm->table->abort(comm, 4);
    } else if (strcmp(what, "crash") == 0 && comm->rank == who) {
        raise(SIGSEGV);
    } else if (strcmp(what, "lengths") == 0) {
        char data[8] = "";
        const mass_message message = {1 - comm->rank, data, comm->rank == 0 ? 8 : 4};
        comm->table->exchange(comm, &message, comm->rank == 1, &message, comm->rank == 0, &ignored);
    } else comm->table->barrier(comm, &ignored);
    return 0;
}

int main(int count, char *arguments[])
{
    mass_comm *comm;
    mass_error error = {0};
    const char *limit = getenv("RANKS_TIMEOUT"), *wanted = getenv("RANKS_WANTED");
    const mass_comm_options options = {.by = getenv("RANKS_COMM"), .ranks = wanted ? atoi(wanted) : 0,
                                       .timeout = limit ? atoi(limit) : MASS_COMM_TIMEOUT};
    mass_standard_open();
    mass_signals_install();
    mass_crash_install(false);
    if (mass_comm_open(&options, &comm, &error) != MASS_OK) {
        if (error.status != MASS_OK) mass_progress_say("mass-engine: %s", error.text);
        mass_crash_leave((int)error.status);
        return (int)error.status;
    }
    const int status = work(comm, count > 1 ? arguments[1] : "", count > 2 ? atoi(arguments[2]) : -1);
    comm->table->close(comm);
    mass_crash_leave(status);
    return status;
}
