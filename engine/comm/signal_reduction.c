/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/signal_reduction.h"
#include "comm/disk_wait.h"
#include "process/signals.h"

mass_status mass_comm_reduce_signals(mass_comm *comm, mass_error *error)
{
    const int end = comm->rank == 0 ? mass_signals_end() : mass_signals_take_kept_end();
    int64_t asked[] = {end, mass_signals_take_kept_checkpoint()};
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_MOST, asked, 2, error);
    if (status == MASS_OK && asked[0]) mass_comm_patience_expect_end();
    if (status == MASS_OK && comm->rank == 0) mass_signals_hear((int)asked[0], asked[1] != 0);
    return status;
}
