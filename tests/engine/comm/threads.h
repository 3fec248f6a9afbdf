/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are threads of one process, for tests of all code that uses comm/comm.h. Waiting ranks sleep. Mismatched
 * calls of ranks end the test with a message: different operations or lengths, a message without a partner, an end
 * while others wait. So does abort, with its exit status. */
#ifndef MASS_TESTS_COMM_THREADS_H
#define MASS_TESTS_COMM_THREADS_H

#include "comm/comm.h"

/* The work of one rank, in its own thread. It need not close `comm`, and must not use it after the work. Criterion's
 * assertions work on the main thread only. Other threads print the error and call `comm->table->abort`, or store it in
 * `context`. */
typedef void mass_rank_work(mass_comm *comm, void *context);

/* Runs `work` on `size` ranks, all of one host. Returns when the last has finished. */
void mass_run_as_ranks(int32_t size, mass_rank_work *work, void *context);

/* The same on hosts with `host_size` ranks each; the last host has the rest. */
void mass_run_on_hosts(int32_t size, int32_t host_size, mass_rank_work *work, void *context);

#endif
