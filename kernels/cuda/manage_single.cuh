/* SPDX-License-Identifier: Apache-2.0 */
/* Who gets which place, where places hold one agent each. By deferred acceptance, as on the CPU: an
 * agent whose move is refused goes home, which drives out whoever was granted that place, who goes home in turn; the
 * outcome does not depend on who comes first. D. Gale and L. S. Shapley, "College admissions and the stability of
 * marriage" (1962).
 *
 * Most places are empty, so that no array of words over places is cleared or gone over. A place has a bit in seats,
 * set once it is known that somebody stands there: agents that stay, those driven home, newborns, and in the end those
 * whose moves are granted. What is in claims[] from an earlier manage is a claim only if that agent asks for the place
 * now, and then it does no harm to meet it before it was made; of other ranks' claims, claim_seat() tells. Where there
 * are many places and nobody is born, those that are sought are counted by bits first, and claims[], which has those
 * alone, begins as zeros. Claims are made in one pass and people sent home in the next, so that neither has to wait
 * until the other's writes are seen. */
#ifndef MASS_KERNELS_CUDA_MANAGE_SINGLE_H
#define MASS_KERNELS_CUDA_MANAGE_SINGLE_H

#include "manage_order.cuh"
#include "manage_single_far.cuh"

namespace {

constexpr uint32_t NOBODY = UINT32_MAX;

/* With other ranks, kernels would take more registers than leave room for as many blocks; 0: as they are. */
template <class Others> constexpr int blocks_at_once(int with_others) { return Others::CUT ? with_others : 0; }

__device__ __forceinline__ uint32_t bit_of(uint32_t cell) { return 1u << cell % 32; }

__device__ __forceinline__ bool is_held(const task &t, uint32_t cell)
{
    return *(const volatile uint32_t *)&t.seats[cell / 32] & bit_of(cell);
}

/* Whether it was held before. */
__device__ __forceinline__ bool hold(const task &t, uint32_t cell)
{
    return atomicOr(&t.seats[cell / 32], bit_of(cell)) & bit_of(cell);
}

struct move_claims : by_rule {
    /* Whether item i is a claim to that cell. */
    __device__ bool holds(const task &t, uint32_t cell, uint32_t i) const
    {
        if (t.far.claims && i >= t.w.room) return is_claim_to(t, cell, i - t.w.room);
        return i < *t.w.count && t.w.move[i] == cell && is_moving(t, get_agent(t, i));
    }
    /* Whether it may become one meanwhile, as another rank's does that is noted. */
    __device__ bool comes(const task &t, uint32_t i) const { return t.far.claims && i >= t.w.room; }
};

/* Once moves are settled, of one who asks to move. A place's own granted agent alone makes its bit true later. */
__device__ __forceinline__ bool is_granted_to(const task &t, uint32_t i, uint32_t to)
{
    if (to == MASS_CELL_FAR) return t.state[i] == GOES;
    return *claim_word(t, to) == i + 1 && !is_held(t, to);
}

__device__ __forceinline__ bool is_granted(const task &t, uint32_t i, const agent &a)
{
    return is_moving(t, a) && is_granted_to(t, i, a.move);
}

__device__ uint32_t best_claim(const task &t, uint32_t cell)
{
    if (!is_sought(t, cell)) return NOBODY;
    const uint32_t best = *(const volatile uint32_t *)claim_word(t, cell);
    return best && move_claims().holds(t, cell, best - 1) ? best - 1 : NOBODY;
}

/* ---- births ---- */

struct birth_claims : by_parent {
    __device__ bool holds(const task &t, uint32_t cell, uint32_t number) const
    {
        const uint32_t i = number % t.w.room, b = number / t.w.room;
        if (i >= *t.w.count) return false;
        const agent a = get_agent(t, i);
        return b < births_of(t, a) && cell_of_child(t, i, b, stands(t, i, a)) == cell;
    }
    __device__ bool comes(const task &, uint32_t) const { return false; }
    /* Where an agent stands when its children are born. */
    static __device__ uint32_t stands(const task &t, uint32_t i, const agent &a)
    {
        return t.move_first && is_granted(t, i, a) ? a.move : a.cell;
    }
};

/* Whether nobody can be born there. */
__device__ bool is_taken(const task &t, uint32_t cell)
{
    if (t.move_first) return is_held(t, cell) || best_claim(t, cell) != NOBODY;
    if (t.w.loose)
        return t.held[cell / 32].x & bit_of(cell) && !(t.kill_before_spawn && t.dying[cell / 32] & bit_of(cell));
    const uint32_t first = first_of(t, cell);
    return first_of(t, cell + 1) > first && !(t.kill_before_spawn && is_dead(get_agent(t, first)));
}

/* Makes an item the best claim of a cell unless there is a better one. `best` is what was found in claims[]. What is
 * found there may be left from a manage before, and be claimed anew after it was looked at by us, and before we replace
 * it: then whoever claims it may have found it in its place, so that we go on for that one. One of both sees what the
 * other wrote, as there is a fence between what either writes and what it then looks at. */
template <class Claims>
__device__ void claim_seat(const task &t, uint32_t cell, uint32_t item, uint32_t best, Claims claims)
{
    uint32_t *const word = claim_word(t, cell);
    while (best != item + 1) {
        const bool holds = best && claims.holds(t, cell, best - 1);
        if (holds && is_before(claims(t, cell, best - 1), claims(t, cell, item))) return;
        const uint32_t now = atomicCAS(word, best, item + 1);
        if (now != best) {
            best = now;
            continue;
        }
        if (best == 0 || holds || !claims.comes(t, best - 1)) return;
        __threadfence();
        if (!claims.holds(t, cell, best - 1)) return;
        best = item + 1;
        item = now - 1;
    }
}

__device__ __forceinline__ uint32_t claim_in(const task &t, uint32_t cell)
{
    return *(const volatile uint32_t *)claim_word(t, cell);
}

__device__ void claim_births_of(const task &t, uint32_t i, const agent &a, uint32_t births)
{
    const uint32_t parent = birth_claims::stands(t, i, a);
    for (uint32_t b = 0; b < births; b++) {
        const uint32_t cell = cell_of_child(t, i, b, parent), number = birth_number(t, i, b);
        const bool asks = cell < MASS_CELL_FAR && !is_taken(t, cell);
        t.birth_seat[number] = asks;
        if (cell == MASS_CELL_FAR) t.far.counted->trouble = 1;
        if (!asks) continue;
        claim_seat(t, cell, number, claim_in(t, cell), birth_claims());
        if (!t.move_first) hold(t, cell); /* for whoever is born there */
    }
}

/* ---- moves ---- */

/* Where nobody leaves for another rank. */
struct no_others {
    static constexpr bool CUT = false;
    __device__ void begin() const {}
    __device__ void ask(const task &, uint32_t, const agent &) const {}
    __device__ void tell_claims(const task &) const {}
    __device__ uint32_t number() const { return 0; }
    __device__ void await_claims(uint32_t) const {}
    __device__ uint32_t first_blocks(const task &) const { return 0; }
    __device__ void meet(const task &) const {}
    __device__ void tell_news(const task &) const {}
    __device__ bool hear_of_stop(const task &, uint32_t) const { return false; }
    __device__ uint32_t list_places(const task &) const { return 0; }
    __device__ void take_places(const task &, uint32_t) const {}
};

/* Whoever stays holds its place, and who asks for something is noted; others.ask() for those who leave. A thread looks
 * at several agents at once. */
template <class Others>
__global__ void __launch_bounds__(THREADS, blocks_at_once<Others>(5))
    survey(const __grid_constant__ task t, const __grid_constant__ Others others)
{
    constexpr uint32_t EACH_OF = TILE / THREADS;
    others.begin();
    if (is_stopped(t)) return;
    const uint32_t count = *t.w.count;
    uint32_t dead = 0;
    bool births = false, moves = false, anything_else = false;
    for (uint32_t first = blockIdx.x * TILE; first < count; first += gridDim.x * TILE) {
        agent all[EACH_OF];
#pragma unroll
        for (uint32_t k = 0; k < EACH_OF; k++) {
            const uint32_t i = first + k * THREADS + threadIdx.x;
            if (i < count) all[k] = get_agent(t, i);
        }
#pragma unroll
        for (uint32_t k = 0; k < EACH_OF; k++) {
            const uint32_t i = first + k * THREADS + threadIdx.x;
            const agent &a = all[k];
            const bool moving = i < count && is_moving(t, a), asks = i < count && births_of(t, a) != 0;
            const bool dies = i < count && is_dead(a);
            if (i < count && !moving && !dies) hold(t, a.cell);
            if (moving) others.ask(t, i, a);
            if (moving && t.counted) atomicOr(&t.sought_bits[a.move / 32], bit_of(a.move));
            if (dies && t.w.loose && t.by_bits) atomicOr(&t.dying[a.cell / 32], bit_of(a.cell));
            dead += dies;
            anything_else |= i < count && a.asked;
            moves |= moving;
            births |= asks;
            const uint32_t movers = __ballot_sync(ALL_LANES, moving), parents = __ballot_sync(ALL_LANES, asks);
            if (threadIdx.x % 32) continue;
            t.moving[i / 32] = movers;
            if (t.w.children) t.parents[i / 32] = parents;
        }
    }
    if (births) t.asks[ASKS_BIRTH] = 1;
    if (moves) t.asks[ASKS_MOVE] = 1;
    if (anything_else) t.asks[ASKS_ANYTHING_ELSE] = 1;
    add_counts(Others::CUT ? &t.far.counted->died : t.dead, dead);
    if (Others::CUT && dead) *t.dead = 1;
}

/* visit() for each agent that asks to move; by all threads but those of the first `skip` blocks. */
template <class Visit> __device__ __forceinline__ void each_mover(const task &t, Visit visit, uint32_t skip = 0)
{
    if (!nobody_asks(t, ASKS_MOVE)) each_set(*t.w.count, [&](uint32_t k) { return t.moving[k]; }, visit, skip);
}

template <class Visit> __device__ __forceinline__ void each_parent(const task &t, Visit visit, uint32_t skip = 0)
{
    if (!nobody_asks(t, ASKS_BIRTH)) each_set(*t.w.count, [&](uint32_t k) { return t.parents[k]; }, visit, skip);
}

__device__ __forceinline__ void claim_place(const task &t, uint32_t item, uint32_t to)
{
    const uint32_t best = t.counted ? 0 : claim_in(t, to);
    if (!is_held(t, to)) claim_seat(t, to, item, best, move_claims());
}

/* Whether a birth happens that asked for a place: its claim is the best there. */
__device__ void decide_birth(const task &t, uint32_t i, const agent &a, uint32_t b, uint32_t parent)
{
    const uint32_t number = birth_number(t, i, b), cell = cell_of_child(t, i, b, parent);
    if (t.birth_seat[number] == 0) return;
    const bool born = claim_in(t, cell) == number + 1;
    t.birth_seat[number] = born;
    if (!born) return;
    if (t.move_first) hold(t, cell);
    if (!t.by_bits) return;
    const uint32_t rank = rank_in_order(t, i, a.cell);
    atomicOr(&t.births[rank / 32], 1u << rank % 32);
}

/* Births before the moves hold their places, so that no claims to move are among theirs. */
__device__ void decide_births_of(const task &t, uint32_t i)
{
    const agent a = get_agent(t, i);
    const uint32_t parent = birth_claims::stands(t, i, a);
    for (uint32_t b = 0; b < births_of(t, a); b++) decide_birth(t, i, a, b, parent);
}

/* Of other ranks, by the first blocks. Where a claim would lie is found out before it is there, and what is read of it
 * is on its way before it is known whether there is one. */
template <class Others> __device__ void claim_for_others(const task &t, const Others &others)
{
    const uint32_t all = claim_blocks(t.far.claims) * THREADS, number = others.number();
    bool awaited = false;
    for (uint32_t k = thread_number(); k - threadIdx.x < t.far.claims; k += all) {
        const claim_box box = k < t.far.claims ? box_of_claim(t, k) : claim_box{0, 0};
        if (!awaited) others.await_claims(number);
        awaited = true;
        if (k >= t.far.claims) continue;
        const uint32_t count = *(const uint32_t *)claim_of(t, box.first), cell = claim_of(t, k)->cell;
        if (k <= box.first || k - box.first > (count < box.room ? count : box.room)) continue;
        note_claim(t, k, cell);
        claim_place(t, t.w.room + k, cell);
    }
}

/* Everybody who asks to move claims a place that nobody holds by now; the best claim of each is left. */
template <class Others>
__global__ void __launch_bounds__(THREADS, 6)
    claim_places(const __grid_constant__ task t, const __grid_constant__ Others others)
{
    follow();
    others.tell_claims(t);
    if (is_stopped(t)) return;
    const uint32_t skip = Others::CUT ? claim_blocks(t.far.claims) : 0;
    if (Others::CUT && blockIdx.x < skip) {
        claim_for_others(t, others);
        return;
    }
    if (t.by_bits && !t.move_first && !t.w.keeps) each_parent(t, [&](uint32_t i) { decide_births_of(t, i); }, skip);
    each_mover(t, [&](uint32_t i) {
        const uint32_t to = t.w.move[i];
        if (to != MASS_CELL_FAR) claim_place(t, i, to);
    }, skip);
}

/* Who is there already has been here, and has seen to those whom that drives out. Other ranks' agents go on there. */
__device__ void go_home(const task &t, uint32_t i)
{
    while (i != NOBODY) {
        if (t.far.claims && i >= t.w.room) {
            return_claim(t, i - t.w.room);
            return;
        }
        const uint32_t home = t.w.cell[i];
        if (hold(t, home)) return;
        i = best_claim(t, home);
    }
}

/* The same of one who had been granted another rank's place, while moves are settled, by which bits do not tell any
 * more who was there already: whose place somebody else was granted, that one goes home. No other chain comes to the
 * same. */
__device__ void take_back(const task &t, uint32_t i)
{
    while (i != NOBODY) {
        if (i >= t.w.room) {
            return_claim(t, i - t.w.room);
            return;
        }
        const uint32_t home = t.w.cell[i];
        t.state[i] = COMES_BACK;
        hold(t, home);
        i = best_claim(t, home);
    }
}

__device__ __forceinline__ void send_loser_home(const task &t, uint32_t item, uint32_t to)
{
    if (to != MASS_CELL_FAR && (claim_in(t, to) != item + 1 || is_held(t, to))) go_home(t, item);
}

/* All claims are made by now, so that whoever holds a place finds the one whom that drives out. */
__global__ void send_home(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    const uint32_t skip = claim_blocks(t.far.claims);
    if (blockIdx.x >= skip) {
        each_mover(t, [&](uint32_t i) { send_loser_home(t, i, t.w.move[i]); }, skip);
        return;
    }
    for (uint32_t k = thread_number(); k < t.far.claims; k += skip * THREADS) {
        const uint32_t claimed = t.far.claimed[k];
        if (claimed) send_loser_home(t, t.w.room + k, claimed - 1);
    }
}

/* ---- births in passes of their own ---- */

__global__ void claim_single_births(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    each_parent(t, [&](uint32_t i) {
        const agent a = get_agent(t, i);
        claim_births_of(t, i, a, births_of(t, a));
    });
}

/* Those after the moves. */
__global__ void decide_single_births(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    each_parent(t, [&](uint32_t i) { decide_births_of(t, i); });
}

} // namespace
#endif
