/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU's operations on populations: functions of the tables of device/agents.h, which tells what they do. They call
 * kernels/cuda. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"

mass_status mass_cuda_make_scratch(mass_cuda *cuda, size_t bytes, mass_error *error)
{
    if (bytes <= cuda->scratch_bytes) return MASS_OK;
    cudaStreamSynchronize(cuda->stream);
    cudaFree(cuda->scratch);
    cuda->scratch = NULL;
    cuda->scratch_bytes = 0;
    const mass_status status = mass_cuda_memory.allocate(&cuda->device, bytes, &cuda->scratch, error);
    if (status == MASS_OK) cuda->scratch_bytes = bytes;
    return status;
}

/* Queues the kernels that apply the requests of all agents. Waits only if the manage can stop, and then clears the
 * stop: births may need larger arrays, and no agent may die in a manage that leaves MASS_ORDER_ANY. In a recording it
 * never waits. */
static mass_status manage(mass_device *device, const mass_manage_work *work, uint64_t *agents, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = mass_cuda_make_scratch(cuda, mass_cuda_manage_scratch(work, work->room), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_manage(cuda->stream, work, cuda->scratch, cuda->stop), "agents cannot be managed");
    *agents = 0;
    if (work->children == 0 && work->order.leaves == MASS_ORDER_SORTED) return MASS_OK;
    cuda->may_stop = true;
    if (cuda->recording) return MASS_OK;
    mass_stop stop;
    const mass_status waited = mass_cuda_wait_watched(cuda, error);
    if (waited != MASS_OK) return waited;
    TRY(cudaMemcpyAsync(&stop, cuda->stop, sizeof stop, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    TRY(cudaStreamSynchronize(cuda->stream), "agents cannot be managed");
    if (!stop.stopped) return MASS_OK;
    *agents = stop.needed;
    TRY(cudaMemsetAsync(cuda->stop, 0, sizeof stop, cuda->stream), "agents cannot be managed");
    return MASS_OK;
}

/* Gives agents that move their new positions. Queued. */
static mass_status reposition(mass_device *device, const mass_reposition_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_reposition(cuda->stream, work, mass_cuda_stop(cuda)), "agents cannot get their positions");
    return MASS_OK;
}

/* Discards all requests that no manage has applied. Queued. */
static mass_status drop(mass_device *device, const mass_discard_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_discard_requests(cuda->stream, work, mass_cuda_stop(cuda)), "requests cannot be dropped");
    return MASS_OK;
}

/* Writes each world's number of agents to tally[]. Queued. */
static mass_status census(mass_device *device, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_census(cuda->stream, start, places, worlds, tally, mass_cuda_stop(cuda)),
        "agents cannot be counted");
    return MASS_OK;
}

/* Fills the index of agents by their ids. Queued. */
static mass_status make_index(mass_device *device, const mass_index_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_index(cuda->stream, work, mass_cuda_stop(cuda)), "agents cannot be indexed");
    return MASS_OK;
}

/* Queues the filling of the bitmap of full places, with scratch memory that it enlarges. */
static mass_status find_full(mass_device *device, const mass_full_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = mass_cuda_make_scratch(cuda, mass_cuda_full_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_find_full(cuda->stream, work, cuda->scratch), "full places cannot be found");
    return MASS_OK;
}

/* Counts the sprouts that are born, in scratch memory that it enlarges. Waits. *any: a place of an open world has a
 * request. */
static mass_status count_sprouts(mass_device *device, const mass_sprout_work *work, uint64_t *born, bool *any,
                                 mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status == MASS_OK) status = mass_cuda_make_scratch(cuda, mass_cuda_sprout_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_sprout_count(cuda->stream, work, cuda->scratch, born, any), "new agents cannot be counted");
    return MASS_OK;
}

/* Adds the sprouts that count_sprouts found, from the present arrays to the next ones, which have room. Queued. */
static mass_status grow_sprouts(mass_device *device, const mass_sprout_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_sprout_grow(cuda->stream, work), "new agents cannot be added");
    return MASS_OK;
}

/* Clears the requests for sprouts in open worlds, and counts those that are not born (mass_sprout_operations.clear).
 * Queued. */
static mass_status clear_sprouts(mass_device *device, const mass_sprout_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_sprout_clear(cuda->stream, work), "requests cannot be dropped");
    return MASS_OK;
}

static const mass_sprout_operations sprouts = {sizeof sprouts, count_sprouts, grow_sprouts, clear_sprouts};

/* Makes the lists of a population from its cells; they are empty before. Sets its counts to 0. Queued. */
static mass_status list_turn(mass_device *device, const mass_turn_population *population, const uint32_t *cell,
                             int32_t worlds, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_turn_list(cuda->stream, population, cell, worlds), "agents cannot be listed");
    return MASS_OK;
}

/* Prepares the order in which agents act. Queued. */
static mass_status order_turn(mass_device *device, const mass_turn_order_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_turn_order(cuda->stream, work), "agents cannot be ordered");
    return MASS_OK;
}

/* Brings a population back to canonical order, and empties its lists. Queued. */
static mass_status restore_turn(mass_device *device, const mass_turn_restore_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = mass_cuda_make_scratch(cuda, mass_cuda_turn_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_turn_restore(cuda->stream, work, cuda->scratch), "agents cannot be sorted");
    return MASS_OK;
}

/* Copies places of a partition to the copy of the space, or back. Queued. */
static mass_status copy_turn_places(mass_device *device, const mass_turn_places_work *work, bool back,
                                    mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_turn_copy_places(cuda->stream, work, back), "places cannot be copied");
    return MASS_OK;
}

/* Finds the nodes that edges join. Waits if the work counts pairs. */
static mass_status join_nodes(mass_device *device, const mass_turn_join_work *work, uint64_t *most, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = mass_cuda_make_scratch(cuda, mass_cuda_turn_join_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_turn_join(cuda->stream, work, cuda->scratch, most), "the nodes that edges join cannot be found");
    return MASS_OK;
}

static const mass_turn_operations turns = {sizeof turns, list_turn, mass_cuda_turn_order_bytes, order_turn,
                                           restore_turn, copy_turn_places, join_nodes};

/* ---- edges that change ---- */

/* Finds the edges that end, and counts requests. Waits. */
static mass_status end_edges(mass_device *device, const mass_relink_end_work *work, mass_relink_counts *counts,
                             mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status == MASS_OK) status = mass_cuda_make_scratch(cuda, mass_cuda_relink_end_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_relink_end(cuda->stream, work, cuda->scratch, counts), "edges cannot end");
    return MASS_OK;
}

/* Decides about requests for edges. Waits. */
static mass_status judge_edges(mass_device *device, const mass_relink_judge_work *work, uint64_t *refused,
                               mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = mass_cuda_make_scratch(cuda, mass_cuda_relink_judge_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_relink_judge(cuda->stream, work, cuda->scratch, refused), "requests for edges cannot be decided");
    return MASS_OK;
}

/* Finds and sorts the new edges. Waits. */
static mass_status collect_edges(mass_device *device, const mass_relink_collect_work *work, mass_relink_found *found,
                                 mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    mass_status status = mass_cuda_wait_watched(cuda, error);
    if (status == MASS_OK) status = mass_cuda_make_scratch(cuda, mass_cuda_relink_collect_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_relink_collect(cuda->stream, work, cuda->scratch, found), "new edges cannot be sorted");
    return MASS_OK;
}

/* Makes the entries after a change. Queued. */
static mass_status merge_edges(mass_device *device, const mass_relink_merge_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = mass_cuda_make_scratch(cuda, mass_cuda_relink_merge_scratch(work), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_relink_merge(cuda->stream, work, cuda->scratch), "edges cannot be merged");
    return MASS_OK;
}

static const mass_relink_operations relinks = {sizeof relinks, end_edges, judge_edges, collect_edges, merge_edges};

const mass_agents_operations mass_cuda_agents = {
    .struct_size = sizeof mass_cuda_agents,
    .takes_any_order = true,
    .room_most = MASS_CUDA_ROOM_MOST,
    .knows_seats = true,
    .manage = manage,
    .reposition = reposition,
    .drop = drop,
    .census = census,
    .remote = &mass_cuda_remote_operations,
    .queued = &mass_cuda_queued_operations,
    .index = make_index,
    .find_full = find_full,
    .sprout = &sprouts,
    .turn = &turns,
    .relink = &relinks,
};
