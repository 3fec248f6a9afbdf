/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators within one process: their operations, and what threads make of ranks that do not fit together. */
#include "operations.h"
#include "threads.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

Test(comm, a_run_of_one_rank_does_every_operation)
{
    mass_comm *const self = mass_comm_self();
    cr_assert(self->size == 1 && self->table->struct_size == sizeof(mass_comm_table));
    check_operations(self);
    self->table->close(self);
}

static void check_rank(mass_comm *comm, void *context)
{
    (void)context;
    check_operations(comm);
}

Test(comm, threads_do_every_operation)
{
    for (int32_t size = 1; size <= 7; size++) mass_run_as_ranks(size, check_rank, NULL);
    mass_run_as_ranks(16, check_rank, NULL);
}

static void note_place(mass_comm *comm, void *context)
{
    ((mass_comm *)context)[comm->rank] = *comm;
}

Test(comm, threads_are_ranks_of_hosts)
{
    mass_comm ranks[5];
    mass_run_on_hosts(5, 3, note_place, ranks);
    for (int32_t i = 0; i < 5; i++)
        cr_assert(ranks[i].rank == i && ranks[i].size == 5 && ranks[i].local_rank == i % 3 &&
                  ranks[i].local_size == (i < 3 ? 3 : 2));
}

/* No rank goes on before the last has come. */
static void meet_often(mass_comm *comm, void *context)
{
    atomic_int *const come = context;
    for (int round = 1; round <= 200; round++) {
        atomic_fetch_add(come, 1);
        mass_error error = {0};
        comm->table->barrier(comm, &error);
        if (atomic_load(come) < round * comm->size) comm->table->abort(comm, 1);
    }
}

Test(comm, a_barrier_waits_for_all)
{
    atomic_int come = 0;
    mass_run_as_ranks(4, meet_often, &come);
    cr_assert_eq(atomic_load(&come), 800);
}

/* ---- what does not fit together ---- */

static mass_error ignored;

static void call_others(mass_comm *comm, void *context)
{
    (void)context;
    int64_t value = 0;
    if (comm->rank == 0) comm->table->barrier(comm, &ignored);
    else comm->table->scan(comm, &value, 1, &ignored);
}

Test(comm, other_operations_end_the_test, .signal = SIGABRT) { mass_run_as_ranks(3, call_others, NULL); }

static void reduce_others(mass_comm *comm, void *context)
{
    (void)context;
    int64_t values[3] = {0};
    comm->table->all_reduce(comm, MASS_REDUCE_SUM, values, (size_t)comm->rank + 1, &ignored);
}

Test(comm, other_lengths_end_the_test, .signal = SIGABRT) { mass_run_as_ranks(3, reduce_others, NULL); }

static void send_longer(mass_comm *comm, void *context)
{
    (void)context;
    char data[8] = "";
    const mass_message send = {1, data, 8}, receive = {0, data, 4};
    comm->table->exchange(comm, &send, comm->rank == 0, &receive, comm->rank == 1, &ignored);
}

Test(comm, a_longer_message_ends_the_test, .signal = SIGABRT) { mass_run_as_ranks(2, send_longer, NULL); }

static void send_in_vain(mass_comm *comm, void *context)
{
    (void)context;
    char data[8] = "";
    const mass_message send = {1, data, 8};
    comm->table->exchange(comm, &send, comm->rank == 0, NULL, 0, &ignored);
}

Test(comm, a_message_that_nobody_receives_ends_the_test, .signal = SIGABRT)
{
    mass_run_as_ranks(2, send_in_vain, NULL);
}

static void wait_in_vain(mass_comm *comm, void *context)
{
    (void)context;
    char data[8];
    const mass_message receive = {1, data, 8};
    comm->table->exchange(comm, NULL, 0, &receive, comm->rank == 0, &ignored);
}

Test(comm, a_message_that_nobody_sends_ends_the_test, .signal = SIGABRT) { mass_run_as_ranks(2, wait_in_vain, NULL); }

static void leave_early(mass_comm *comm, void *context)
{
    (void)context;
    if (comm->rank != 1) comm->table->barrier(comm, &ignored);
}

Test(comm, a_rank_that_is_waited_for_ends_the_test, .signal = SIGABRT) { mass_run_as_ranks(3, leave_early, NULL); }

static void abort_one(mass_comm *comm, void *context)
{
    (void)context;
    if (comm->rank == 1) comm->table->abort(comm, 3);
    else comm->table->barrier(comm, &ignored);
}

Test(comm, abort_ends_all_with_its_status, .exit_code = 3) { mass_run_as_ranks(3, abort_one, NULL); }
