/* SPDX-License-Identifier: Apache-2.0 */
#include "run/create.h"
#include "plan/fuse.h"
#include "ranks/rpc.h"
#include "run/fuse_memory.h"
#include "run/fuse_tuner.h"
#include "snapshot/create.h"

/* Sets *tries to the number of steps to try, the same on all ranks: the least of theirs. All ranks call it. It is 0 if
 * q->fuse is given; then it checks the memory for those steps. */
static mass_status find_tries(const mass_model *m, mass_device *device, const mass_run_request *q, mass_comm *comm,
                              int32_t *tries, mass_error *error)
{
    const mass_share share = mass_share_make(comm, q->domain.worlds, q->domain.partitions, NULL);
    int32_t most = q->fuse ? 0 : mass_fuse_tuner_most(m, device, q->domain.worlds, comm);
    mass_status status = q->fuse ? mass_fuse_memory_check(m, device, &share, q->fuse, error)
                                 : mass_fuse_memory_most(m, device, &share, most, &most, error);
    status = mass_rpc_agree(comm, status, error);
    int64_t least = most;
    if (status == MASS_OK && comm->size > 1)
        status = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, &least, 1, error);
    if (status == MASS_OK) *tries = (int32_t)least;
    return status;
}

mass_status mass_run_create(mass_model *m, mass_device *device, const mass_run_request *q, mass_domain **domain,
                            mass_stepper **run, int32_t *tries, mass_error *error)
{
    const int32_t fuse = q->fuse ? q->fuse : 1;
    mass_comm *comm = q->domain.comm ? q->domain.comm : mass_comm_self();
    mass_status status = find_tries(m, device, q, comm, tries, error);
    if (status != MASS_OK) return status;
    const int32_t most = fuse > *tries ? fuse : *tries;
    if (most > 1) mass_fuse_thicken(m, most);
    if (most > 1 && q->domain.comm && q->domain.worlds < q->domain.comm->size)
        mass_fuse_deepen(m, device, most, q->domain.comm->size * q->domain.partitions);
    status = mass_domain_create(m, device, &q->domain, domain, error);
    if (status == MASS_OK) status = mass_stepper_create(*domain, q->device_code, q->step, run, error);
    if (status == MASS_OK) (*run)->no_bits = q->no_bits;
    if (status == MASS_OK && !q->no_bits) status = mass_stepper_follow_rules(*run, error);
    status = mass_rpc_agree(comm, status, error); /* before ranks exchange anything else */
    if (status == MASS_OK) status = mass_stepper_fuse(*run, fuse, error);
    if (status != MASS_OK) return status;
    (*run)->overlap = !q->no_overlap;
    (*run)->no_graph = q->no_graph;
    (*run)->no_block = q->no_block;
    return status;
}
