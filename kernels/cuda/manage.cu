/* SPDX-License-Identifier: Apache-2.0 */
/* Queues the births, deaths and moves of a population (manage.h). If places have a capacity, it first decides who gets
 * a seat, sub-phase by sub-phase. Then come the new order, the agents' values, and the requests that are kept. */
#include "manage_births.cuh"
#include "manage_remote.cuh"
#include "manage_moves.cuh"
#include "manage_order.cuh"
#include "manage_queued.cuh"
#include "manage_requests.cuh"
#include "manage_scratch.cuh"
#include "manage_placement.cuh"
#include "manage_single.cuh"
#include "manage_values.cuh"

namespace {

/* Queues the kernels that decide who gets a seat. */
void queue_decisions(const launcher &l)
{
    const mass_manage_work &w = l.t.w;
    uint32_t phases = 0; /* that are not in freed[] yet */
    bool clean = true;
    for (int i = 0; i < 3; i++) {
        const bool births = w.sub_phases[i] == MASS_SPAWN && w.children, moves = w.sub_phases[i] == MASS_MIGRATE;
        if (births || moves) {
            if (!clean) cudaMemsetAsync(l.t.claims, 0, (l.t.cells + (size_t)1) * sizeof *l.t.claims, l.stream);
            if (births) queue_births(l, phases);
            else queue_moves(l, phases);
            phases = 0;
            clean = false;
        }
        if (w.sub_phases[i] != MASS_SPAWN || w.children) phases |= 1u << w.sub_phases[i];
    }
}

/* Queues the second half of a manage: the new order, the agents' values, and the requests that are kept. Each agent's
 * cell must be decided before, or may be as requested. */
cudaError_t queue_arranging(const launcher &l)
{
    queue_order(l);
    queue_gather(l);
    queue_requests(l);
    return cudaGetLastError();
}

/* ---- over ranks ---- */

/* Lays out memory for claims of other ranks, and, with a capacity above 1, larger order, sorted and crowded, in which
 * these are sorted with own claims. Returns its size. */
size_t lay_out_batch(task *t, char *batch)
{
    const mass_manage_work &w = t->w;
    const uint64_t births = (uint64_t)w.children * w.room, own = births > w.room ? births : w.room;
    const uint64_t all = w.capacity > 1 ? own + t->remote.claims : 0;
    size_t used = 0;
    take(&t->remote.state, batch, &used, t->remote.claims);
    take(&t->remote.seat, batch, &used, t->remote.claims);
    if (all == 0) return used;
    take(&t->order, batch, &used, all);
    take(&t->sorted, batch, &used, all);
    take(&t->crowded, batch, &used, all / CROWD + 1);
    return used;
}

/* Prepares a launcher for one of the steps from begin to pack. *zeroed: bytes of scratch that must begin as 0. The task
 * gets no occupancy bitmap. */
cudaError_t resume_far(launcher *l, const mass_cuda_remote *f, cudaStream_t stream, size_t *zeroed)
{
    set_work(l, f->w, f->stop, stream);
    l->t.w.occupancy = NULL;
    remote_part *const remote = &l->t.remote;
    remote->cut = true;
    remote->ranks = f->ranks;
    remote->first_place = f->first_place;
    remote->counts = f->counts;
    remote->born = f->born, remote->died = f->died;
    remote->claim = f->claim, remote->claims = f->claims, remote->claim_stride = sizeof *f->claim;
    remote->refused = (mass_remote_refusal *)f->list;
    remote->stride = (uint32_t)mass_remote_value(f->w, f->w->array_count);
    remote->first_arrival = UINT32_MAX;
    remote->id_base = f->id_base;
    lay_out(&l->t, (char *)f->scratch, f->w->room, zeroed);
    if (f->claims) lay_out_batch(&l->t, (char *)f->batch);
    if (is_too_large(f->w)) return cudaErrorInvalidValue;
    const cudaError_t result = prepare(l);
    if (l->blocks == 0) l->blocks = 1; /* other ranks may have claims */
    return result;
}

} // namespace

uint64_t mass_cuda_places_to_count = 32 << 20;

extern "C" size_t mass_cuda_manage_scratch(const mass_manage_work *w, uint32_t room)
{
    task t = {};
    size_t zeroed;
    t.w = *w;
    t.single = w->capacity == 1;
    return lay_out(&t, NULL, room, &zeroed);
}

extern "C" cudaError_t mass_cuda_manage(cudaStream_t stream, const mass_manage_work *w, void *scratch, mass_stop *stop)
{
    if (w->room == 0) return cudaSuccess;
    if (is_too_large(w) || (mass_manage_has_any(w->order) && !takes_any_order(w))) return cudaErrorInvalidValue;
    launcher l;
    size_t zeroed;
    set_work(&l, w, stop, stream);
    l.t.single = w->capacity == 1;
    lay_out(&l.t, (char *)scratch, w->room, &zeroed);
    cudaError_t result = prepare(&l);
    if (result == cudaSuccess) result = cudaMemsetAsync(scratch, 0, zeroed, stream);
    if (result != cudaSuccess) return result;
    if (!l.t.single) {
        if (w->capacity) queue_decisions(l);
        return queue_arranging(l);
    }
    queue_singles(l);
    if (w->order.leaves == MASS_ORDER_ANY) return cudaGetLastError();
    launch_behind(l, l.blocks, order_singles<false>);
    queue_gather(l);
    queue_requests(l);
    return cudaGetLastError();
}

extern "C" size_t mass_cuda_remote_scratch(const mass_manage_work *w)
{
    task t = {};
    size_t zeroed;
    t.w = *w;
    return lay_out(&t, NULL, w->room, &zeroed);
}

extern "C" size_t mass_cuda_remote_batch(const mass_manage_work *w, uint32_t claims)
{
    task t = {};
    t.w = *w;
    t.remote.claims = claims;
    return lay_out_batch(&t, NULL);
}

extern "C" size_t mass_cuda_remote_commit_scratch(const mass_manage_work *w, uint32_t births, uint32_t arrivals)
{
    task t = {};
    size_t zeroed;
    t.w = *w;
    t.remote.births = births;
    t.remote.arrival_count = arrivals;
    return lay_out(&t, NULL, w->room, &zeroed);
}

extern "C" size_t mass_cuda_order_scratch(const mass_manage_work *w)
{
    size_t largest = sizeof(uint64_t);
    for (uint32_t i = 0; i < w->array_count; i++)
        if (w->arrays[i].size > largest) largest = w->arrays[i].size;
    return largest * w->room;
}

/* Sorts the cells last, since they give the new place of everything else. */
extern "C" cudaError_t mass_cuda_order(cudaStream_t stream, const mass_manage_work *w, void *scratch)
{
    launcher l;
    if (w->room == 0) return cudaSuccess;
    if (is_too_large(w) || !takes_any_order(w)) return cudaErrorInvalidValue;
    set_work(&l, w, NULL, stream);
    l.t.held = (uint2 *)w->occupancy;
    const cudaError_t result = prepare(&l);
    if (result != cudaSuccess) return result;
    const struct {
        const void *at;
        size_t size;
    } own[] = {{w->id, 8}, {w->lost, 1}, {w->move, 4}, {w->asked, 4}, {w->remote_move, 8},
               {w->children ? w->child_cell : NULL, 4}, {w->children ? w->remote_child : NULL, 8}};
    for (const auto &a : own) queue_in_order(l, a.at, a.size, scratch);
    for (uint32_t i = 0; i < w->array_count; i++) {
        queue_in_order(l, w->arrays[i].from, w->arrays[i].size, scratch);
        queue_in_order(l, w->children ? w->arrays[i].child : NULL, w->arrays[i].size, scratch);
    }
    queue_in_order(l, w->cell, sizeof *w->cell, scratch);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_remote_begin(cudaStream_t stream, mass_cuda_remote *f)
{
    launcher l;
    size_t zeroed;
    f->settled = 0;
    f->used = false;
    const cudaError_t result = resume_far(&l, f, stream, &zeroed);
    if (result != cudaSuccess) return result;
    if (f->w->occupancy) LAUNCH(l, starts_of_seats, f->w->occupancy);
    return cudaMemsetAsync(f->scratch, 0, zeroed, stream);
}

extern "C" cudaError_t mass_cuda_remote_ask(cudaStream_t stream, const mass_cuda_remote *f, bool moves, bool births)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_far(&l, f, stream, &zeroed);
    if (result != cudaSuccess) return result;
    LAUNCH(l, ask_far, (mass_remote_claim *)f->list, f->list_room, moves, births);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_remote_decide(cudaStream_t stream, mass_cuda_remote *f, uint32_t sub_phase)
{
    launcher l;
    size_t zeroed;
    cudaError_t result = resume_far(&l, f, stream, &zeroed);
    const bool births = sub_phase == MASS_SPAWN, queues = sub_phase != MASS_KILL && (!births || f->w->children);
    if (result == cudaSuccess && queues && f->used)
        result = cudaMemsetAsync(l.t.claims, 0, (l.t.cells + (size_t)1) * sizeof *l.t.claims, stream);
    if (result != cudaSuccess) return result;
    if (queues && births) queue_births(l, f->settled);
    else if (queues) queue_moves(l, f->settled);
    if (queues) f->settled = 0;
    f->used |= queues;
    if (!births || f->w->children) f->settled |= 1u << sub_phase;
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_remote_refuse(cudaStream_t stream, const mass_cuda_remote *f, uint32_t sub_phase,
                                            const uint32_t *index, uint32_t count)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_far(&l, f, stream, &zeroed);
    if (result != cudaSuccess) return result;
    if (sub_phase == MASS_SPAWN) LAUNCH(l, refuse_births, index, count);
    else LAUNCH(l, refuse_moves, index, count);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_remote_settle(cudaStream_t stream, const mass_cuda_remote *f, uint32_t sub_phase)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_far(&l, f, stream, &zeroed);
    if (result != cudaSuccess || f->claims == 0) return result;
    LAUNCH(l, settle_claims, sub_phase == MASS_SPAWN);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_remote_conclude(cudaStream_t stream, const mass_cuda_remote *f)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_far(&l, f, stream, &zeroed);
    if (result != cudaSuccess) return result;
    LAUNCH(l, conclude, f->travellers, f->traveller_room);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_remote_pack(cudaStream_t stream, const mass_cuda_remote *f, uint32_t most)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_far(&l, f, stream, &zeroed);
    if (result != cudaSuccess) return result;
    l.t.decides = false; /* requests have the outcome by now */
    l.overlaps = false; /* the work before may be no kernel */
    if (f->w->children) queue_scan(l, scan_births{BIRTHS}, f->w->room);
    LAUNCH(l, pack_travellers, f->travellers, most, (char *)f->list);
    pieces all = {};
    for (piece_list list = {*f->w}; !list.ended();) {
        list.next(&all);
        LAUNCH(l, pack_values, all, f->travellers, most, (char *)f->list);
    }
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_remote_commit(cudaStream_t stream, const mass_cuda_remote *f)
{
    launcher l;
    size_t zeroed;
    set_work(&l, f->w, f->stop, stream);
    l.t.w.occupancy = NULL;
    remote_part *const remote = &l.t.remote;
    remote->cut = true;
    remote->died = f->died;
    remote->births = f->births;
    remote->arrivals = f->arrivals, remote->arrival_count = f->arrival_count;
    remote->first_arrival = f->w->room + f->births;
    remote->stride = (uint32_t)mass_remote_value(f->w, f->w->array_count);
    remote->id_base = f->id_base;
    l.t.decides = false;
    if (f->w->room == 0) return cudaSuccess;
    if (is_too_large(f->w) || (uint64_t)remote->first_arrival + remote->arrival_count >= (uint64_t)1 << 31)
        return cudaErrorInvalidValue;
    lay_out(&l.t, (char *)f->scratch, f->w->room, &zeroed);
    cudaError_t result = prepare(&l);
    if (result == cudaSuccess) result = cudaMemsetAsync(f->scratch, 0, zeroed, stream);
    if (result == cudaSuccess) result = queue_arranging(l);
    if (result == cudaSuccess && f->w->occupancy) LAUNCH(l, seats_of_starts, f->w->occupancy);
    return result == cudaSuccess ? cudaGetLastError() : result;
}

/* ---- the same, all of it queued ---- */

namespace {

/* Reserves numbers after the agents for births and arrivals, as many as there may be. Also marks the task as single and
 * cut. */
void expect_most(task *t, uint32_t in_slots, uint32_t out_slots)
{
    t->single = true;
    t->remote.cut = true;
    t->remote.leaver_room = out_slots;
    t->remote.claims = in_slots;
    t->remote.births = t->w.children ? t->w.room : 0;
    t->remote.arrival_count = in_slots;
}

/* Fills in the launcher for the next kernels of a queued manage; *zeroed: bytes of scratch that must begin as 0. */
cudaError_t resume_queued(launcher *l, const mass_cuda_queued *q, cudaStream_t stream, size_t *zeroed)
{
    set_work(l, q->w, q->stop, stream);
    remote_part *const remote = &l->t.remote;
    expect_most(&l->t, q->moves ? q->in_slots : 0, q->moves ? q->out_slots : 0);
    remote->ranks = q->ranks;
    remote->first_place = q->first_place;
    remote->claim = (const mass_remote_claim *)q->in;
    remote->claim_stride = remote->stride = (uint32_t)mass_cuda_queued_slot(q->w);
    remote->boxes = q->boxes;
    remote->refused_out = q->refused_out;
    remote->out_words = q->out_words;
    remote->reach = q->reach;
    remote->arrivals = q->in + sizeof(mass_remote_claim);
    remote->first_arrival = q->w->room + remote->births;
    if (is_too_large(q->w) || (uint64_t)remote->first_arrival + remote->claims >= (uint64_t)1 << 31 ||
        (mass_manage_has_any(q->w->order) && (!takes_any_order(q->w) || q->w->worlds > 1)))
        return cudaErrorInvalidValue;
    lay_out(&l->t, (char *)q->scratch, q->w->room, zeroed);
    const cudaError_t result = prepare(l);
    if (l->blocks == 0) l->blocks = l->tiled = 1;
    return result;
}

constexpr uint32_t NEWS_BLOCKS = 16;

/* Returns the blocks to launch so that each thread has a word or more, at most 128. */
uint32_t blocks_for(uint32_t words)
{
    constexpr uint32_t MOST = 128;
    const uint32_t blocks = words / THREADS + 1;
    return blocks < MOST ? blocks : MOST;
}

/* Returns what the kernels need to read the other ranks' numbers. */
news_of_others news_of(const mass_cuda_queued *q)
{
    news_of_others news = {*q, {}};
    piece_list{*q->w}.next(&news.all);
    return news;
}

} // namespace

extern "C" size_t mass_cuda_queued_slot(const mass_manage_work *w)
{
    return sizeof(mass_remote_claim) + mass_remote_value(w, w->array_count);
}

extern "C" size_t mass_cuda_queued_words(int32_t worlds) { return 1 + 2 * (size_t)worlds; }

extern "C" size_t mass_cuda_queued_scratch(const mass_manage_work *w, uint32_t in_slots, uint32_t out_slots)
{
    task t = {};
    size_t zeroed;
    t.w = *w;
    expect_most(&t, in_slots, out_slots);
    return lay_out(&t, NULL, w->room, &zeroed);
}

extern "C" bool mass_cuda_queued_takes(const mass_manage_work *w)
{
    pieces all;
    piece_list list = {*w};
    list.next(&all);
    return list.ended();
}

extern "C" cudaError_t mass_cuda_queued_begin(cudaStream_t stream, const mass_cuda_queued *q)
{
    launcher l;
    size_t zeroed;
    cudaError_t result = resume_queued(&l, q, stream, &zeroed);
    if (result == cudaSuccess) result = cudaMemsetAsync(q->scratch, 0, zeroed, stream);
    if (result != cudaSuccess) return result;
    claim_boxes boxes = {*q, {}};
    piece_list{*q->w}.next(&boxes.all);
    survey<<<l.tiled, THREADS, 0, stream>>>(l.t, boxes);
    queue_births_first(l);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_queued_move(cudaStream_t stream, const mass_cuda_queued *q)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_queued(&l, q, stream, &zeroed);
    if (result != cudaSuccess) return result;
    const uint32_t blocks = blocks_with(l, claim_blocks(l.t.remote.claims));
    if (q->reach) launch_behind(l, blocks, claim_places<claims_of_others>, claims_of_others{*q});
    else claim_places<<<blocks, THREADS, 0, stream>>>(l.t, claims_of_others{*q});
    launch_behind(l, blocks, send_home);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_queued_refuse(cudaStream_t stream, const mass_cuda_queued *q, uint32_t round)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_queued(&l, q, stream, &zeroed);
    if (result != cudaSuccess) return result;
    if (q->reach && q->w->order.leaves == MASS_ORDER_ANY) return cudaSuccess; /* done while moves are settled */
    if (q->reach) {
        launch_wide_behind(l, 1, REFUSAL_THREADS, exchange_refusals, *q);
        return cudaGetLastError();
    }
    l.t.remote.refused_out += (size_t)(round + 1) * q->out_words;
    take_refusals<<<blocks_for(q->in_words), THREADS, 0, stream>>>(l.t, *q, round);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_queued_conclude(cudaStream_t stream, const mass_cuda_queued *q)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_queued(&l, q, stream, &zeroed);
    if (result != cudaSuccess) return result;
    queue_seats(l, refusals_of_others{*q});
    if (!q->reach) write_news<<<NEWS_BLOCKS, THREADS, 0, stream>>>(l.t, *q);
    return cudaGetLastError();
}

extern "C" cudaError_t mass_cuda_queued_commit(cudaStream_t stream, const mass_cuda_queued *q)
{
    launcher l;
    size_t zeroed;
    const cudaError_t result = resume_queued(&l, q, stream, &zeroed);
    if (result != cudaSuccess) return result;
    launcher first = l;
    first.overlaps &= q->reach != NULL; /* otherwise another kernel has exchanged the status */
    queue_starts(first, news_of(q));
    if (q->w->order.leaves == MASS_ORDER_ANY) return cudaGetLastError();
    launch_behind(l, l.blocks, order_singles<true>);
    queue_gather(l);
    queue_requests(l);
    return cudaGetLastError();
}
