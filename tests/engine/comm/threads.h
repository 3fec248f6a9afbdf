/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are threads of one process, for tests of all that stands on comm/comm.h. Waiting ranks sleep. What ranks
 * do that does not fit together ends the test with a sentence: other operations or lengths than the others', a message
 * without a partner, an end while others wait. So does abort, with its exit status. */
#ifndef MASS_TESTS_COMM_THREADS_H
#define MASS_TESTS_COMM_THREADS_H

#include "comm/comm.h"

/* What one rank does, in a thread of its own. It need not close `comm`, and uses it no more after it did. An assertion
 * of Criterion works on the main thread only: others say what is wrong and call `comm->table->abort`, or keep it in
 * `context`. */
typedef void mass_rank_work(mass_comm *comm, void *context);

/* Does `work` on `size` ranks, all of one host, and returns after the last has done it. */
void mass_run_as_ranks(int32_t size, mass_rank_work *work, void *context);

/* As mass_run_as_ranks, on hosts that have `host_size` ranks each, but for the last, which has the rest. */
void mass_run_on_hosts(int32_t size, int32_t host_size, mass_rank_work *work, void *context);

#endif
