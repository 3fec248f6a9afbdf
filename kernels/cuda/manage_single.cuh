/* SPDX-License-Identifier: Apache-2.0 */
/* Decides who gets which place, if places hold one agent each, by deferred acceptance as on the CPU. An agent whose
 * move is refused returns home; this displaces the agent that was granted that place, which returns home in turn. The
 * outcome does not depend on the order of agents. See D. Gale and L. S. Shapley, "College admissions and the stability
 * of marriage" (1962).
 *
 * Most places are empty, so no array of words over places is cleared or traversed. A place has a bit in `occupancy`. It
 * is set once the place is known to be occupied: by agents that stay or return home, by newborns, and at the end by
 * agents whose moves are granted. An entry of claims[] may remain from an earlier manage. It is a claim only if that
 * agent asks for the place now; then it may be used before it is made. For claims of other ranks, see claim_seat(). If
 * there are many places and no births, bits first count the sought places, and claims[], which then has only these,
 * begins as zeros. One pass makes claims, and the next sends agents home, so neither waits until the other's writes are
 * visible. Kernels do nothing once queued work has stopped. */
#ifndef MASS_KERNELS_CUDA_MANAGE_SINGLE_H
#define MASS_KERNELS_CUDA_MANAGE_SINGLE_H

#include "manage_order.cuh"
#include "manage_single_remote.cuh"

namespace {

constexpr uint32_t NOBODY = UINT32_MAX;

/* With other ranks, kernels would use too many registers for this number of blocks. Returns 0, which sets no bound,
 * without them. */
template <class Others> constexpr int blocks_at_once(int with_others) { return Others::CUT ? with_others : 0; }

/* Returns the bit of a cell in its word. */
__device__ __forceinline__ uint32_t bit_of(uint32_t cell) { return 1u << cell % 32; }

/* Returns whether a cell is occupied afterwards, so far; other threads may set the bit meanwhile. */
__device__ __forceinline__ bool is_held(const task &t, uint32_t cell)
{
    return *(const volatile uint32_t *)&t.occupancy[cell / 32] & bit_of(cell);
}

/* Marks a cell as occupied. Returns whether it was before. */
__device__ __forceinline__ bool hold(const task &t, uint32_t cell)
{
    return atomicOr(&t.occupancy[cell / 32], bit_of(cell)) & bit_of(cell);
}

/* Marks as occupied the cells of those lanes of a warp that have `holds`. Agents are in the order of their cells, or
 * nearly, so many lanes have a word in common. One of them writes it. All lanes must call it. */
__device__ __forceinline__ void hold_together(const task &t, uint32_t cell, bool holds)
{
    const uint32_t active = __ballot_sync(ALL_LANES, holds);
    if (!holds) return;
#if __CUDA_ARCH__ >= 800
    const uint32_t sharing = __match_any_sync(active, cell / 32);
    const uint32_t bits = __reduce_or_sync(sharing, bit_of(cell));
    if (threadIdx.x % 32 == (unsigned)__ffs((int)sharing) - 1) atomicOr(&t.occupancy[cell / 32], bits);
#else
    (void)active;
    hold(t, cell);
#endif
}

struct move_claims : by_rule {
    /* Returns whether item i is a claim to that cell. */
    __device__ bool holds(const task &t, uint32_t cell, uint32_t i) const
    {
        if (t.remote.claims && i >= t.w.room) return is_claim_to(t, cell, i - t.w.room);
        return i < *t.w.count && t.w.move[i] == cell && is_moving(t, get_agent(t, i));
    }
    /* Returns whether item i may become a claim while this kernel runs, as other ranks' claims do. */
    __device__ bool comes(const task &t, uint32_t i) const { return t.remote.claims && i >= t.w.room; }
};

/* Returns whether an agent's move is granted, once moves are settled. Later only the granted agent itself sets the
 * place's bit. */
__device__ __forceinline__ bool is_granted_to(const task &t, uint32_t i, uint32_t to)
{
    if (to == MASS_CELL_REMOTE) return t.state[i] == GOES;
    return *claim_word(t, to) == i + 1 && !is_held(t, to);
}

/* Returns whether an agent's request to move is granted, once moves are decided. */
__device__ __forceinline__ bool is_granted(const task &t, uint32_t i, const agent &a)
{
    return is_moving(t, a) && is_granted_to(t, i, a.move);
}

/* Returns the item whose claim to the cell is the best so far, or NOBODY. */
__device__ uint32_t best_claim(const task &t, uint32_t cell)
{
    if (!is_sought(t, cell)) return NOBODY;
    const uint32_t best = *(const volatile uint32_t *)claim_word(t, cell);
    return best && move_claims().holds(t, cell, best - 1) ? best - 1 : NOBODY;
}

/* ---- births ---- */

struct birth_claims : by_parent {
    /* Returns whether a birth is a claim to that cell. */
    __device__ bool holds(const task &t, uint32_t cell, uint32_t number) const
    {
        const uint32_t i = number % t.w.room, b = number / t.w.room;
        if (i >= *t.w.count) return false;
        const agent a = get_agent(t, i);
        return b < births_of(t, a) && cell_of_child(t, i, b, stands(t, i, a)) == cell;
    }
    __device__ bool comes(const task &, uint32_t) const { return false; }
    /* Returns the agent's cell when its children are born. */
    static __device__ uint32_t stands(const task &t, uint32_t i, const agent &a)
    {
        return t.move_first && is_granted(t, i, a) ? a.move : a.cell;
    }
};

/* Returns whether no child can be born on the cell. */
__device__ bool is_taken(const task &t, uint32_t cell)
{
    if (t.move_first) return is_held(t, cell) || best_claim(t, cell) != NOBODY;
    if (t.w.order.finds == MASS_ORDER_ANY)
        return t.held[cell / 32].x & bit_of(cell) && !(t.kill_before_spawn && t.dying[cell / 32] & bit_of(cell));
    const uint32_t first = first_of(t, cell);
    return first_of(t, cell + 1) > first && !(t.kill_before_spawn && is_dead(get_agent(t, first)));
}

/* Makes an item the best claim to a cell unless there is a better one. `best` is the entry found in claims[]. It may
 * remain from an earlier manage, and become a claim between the test and the replacement. Then its agent may have found
 * its entry there and stopped, so this thread continues for that agent. One of both sees what the other wrote, since
 * each has a fence between its write and its test. */
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

/* Returns the cell's entry in claims[], which other threads may change. */
__device__ __forceinline__ uint32_t claim_in(const task &t, uint32_t cell)
{
    return *(const volatile uint32_t *)claim_word(t, cell);
}

/* Makes the claims of an agent's births. Those to occupied cells are refused; one to another rank's cell is reported as
 * trouble. Sets birth_seat[] to whether a claim was made. If births come before moves, marks its cell as occupied. */
__device__ void claim_births_of(const task &t, uint32_t i, const agent &a, uint32_t births)
{
    const uint32_t parent = birth_claims::stands(t, i, a);
    for (uint32_t b = 0; b < births; b++) {
        const uint32_t cell = cell_of_child(t, i, b, parent), number = birth_number(t, i, b);
        const bool asks = cell < MASS_CELL_REMOTE && !is_taken(t, cell);
        t.birth_seat[number] = asks;
        if (cell == MASS_CELL_REMOTE) t.remote.counted->trouble = 1;
        if (!asks) continue;
        claim_seat(t, cell, number, claim_in(t, cell), birth_claims());
        if (!t.move_first) hold(t, cell); /* for the birth, whichever it is */
    }
}

/* ---- moves ---- */

/* Used if no agent can leave for another rank. */
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

/* Marks the places of agents that stay, notes who asks for something (moving[], parents[], asks[]), and counts deaths;
 * calls others.ask() for each agent that asks to move. A thread handles several agents at once. */
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
            hold_together(t, a.cell, i < count && !moving && !dies);
            if (moving) others.ask(t, i, a);
            if (moving && t.counted) atomicOr(&t.sought_bits[a.move / 32], bit_of(a.move));
            if (dies && t.w.order.finds == MASS_ORDER_ANY && t.by_bits) atomicOr(&t.dying[a.cell / 32], bit_of(a.cell));
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
    add_counts(Others::CUT ? &t.remote.counted->died : t.dead, dead);
    if (Others::CUT && dead) *t.dead = 1;
}

/* Calls visit() for each agent that asks to move, with all threads but those of the first `skip` blocks. */
template <class Visit> __device__ __forceinline__ void each_mover(const task &t, Visit visit, uint32_t skip = 0)
{
    if (!nobody_asks(t, ASKS_MOVE)) each_set(*t.w.count, [&](uint32_t k) { return t.moving[k]; }, visit, skip);
}

/* Calls visit() for each agent that asks for births, like each_mover(). */
template <class Visit> __device__ __forceinline__ void each_parent(const task &t, Visit visit, uint32_t skip = 0)
{
    if (!nobody_asks(t, ASKS_BIRTH)) each_set(*t.w.count, [&](uint32_t k) { return t.parents[k]; }, visit, skip);
}

/* Claims a place for an item, unless the place is occupied so far. */
__device__ __forceinline__ void claim_place(const task &t, uint32_t item, uint32_t to)
{
    const uint32_t best = t.counted ? 0 : claim_in(t, to);
    if (!is_held(t, to)) claim_seat(t, to, item, best, move_claims());
}

/* Decides a birth that asked for a place: it happens if its claim is the best (birth_seat[]). After the moves, also
 * marks its place as occupied. By bits, notes it in births[]. */
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

/* Decides the births of agent i whose claims were made before: see decide_birth(). Births before the moves occupy their
 * places, so that no move claims them. */
__device__ void decide_births_of(const task &t, uint32_t i)
{
    const agent a = get_agent(t, i);
    const uint32_t parent = birth_claims::stands(t, i, a);
    for (uint32_t b = 0; b < births_of(t, a); b++) decide_birth(t, i, a, b, parent);
}

/* Makes the claims of other ranks, with the first blocks. It finds a claim's address before the claim arrives, and
 * starts to read it before it knows whether there is one. */
template <class Others> __device__ void claim_for_others(const task &t, const Others &others)
{
    const uint32_t all = claim_blocks(t.remote.claims) * THREADS, number = others.number();
    bool awaited = false;
    for (uint32_t k = thread_number(); k - threadIdx.x < t.remote.claims; k += all) {
        const claim_box box = k < t.remote.claims ? box_of_claim(t, k) : claim_box{0, 0};
        if (!awaited) others.await_claims(number);
        awaited = true;
        if (k >= t.remote.claims) continue;
        const uint32_t count = *(const uint32_t *)claim_of(t, box.first), cell = claim_of(t, k)->cell;
        if (k <= box.first || k - box.first > (count < box.room ? count : box.room)) continue;
        note_claim(t, k, cell);
        claim_place(t, t.w.room + k, cell);
    }
}

/* Makes each mover's claim to its place, if the place is not occupied so far, and those of other ranks. The best claim
 * to each place remains. May also decide births that come before the moves. */
template <class Others>
__global__ void __launch_bounds__(THREADS, 6)
    claim_places(const __grid_constant__ task t, const __grid_constant__ Others others)
{
    follow();
    others.tell_claims(t);
    if (is_stopped(t)) return;
    const uint32_t skip = Others::CUT ? claim_blocks(t.remote.claims) : 0;
    if (Others::CUT && blockIdx.x < skip) {
        claim_for_others(t, others);
        return;
    }
    if (t.by_bits && !t.move_first && t.w.order.leaves == MASS_ORDER_SORTED)
        each_parent(t, [&](uint32_t i) { decide_births_of(t, i); }, skip);
    each_mover(t, [&](uint32_t i) {
        const uint32_t to = t.w.move[i];
        if (to != MASS_CELL_REMOTE) claim_place(t, i, to);
    }, skip);
}

/* Sends agent i home; the agent that this displaces returns too, and so on. The chain ends where the agent's cell is
 * already marked: the thread that marked it has continued from there. Agents of other ranks continue on their rank. */
__device__ void go_home(const task &t, uint32_t i)
{
    while (i != NOBODY) {
        if (t.remote.claims && i >= t.w.room) {
            return_claim(t, i - t.w.room);
            return;
        }
        const uint32_t home = t.w.cell[i];
        if (hold(t, home)) return;
        i = best_claim(t, home);
    }
}

/* Sends an agent home whose claim on another rank was refused, while moves are being settled. Bits then do not tell
 * whether an agent returned before. The agent that was granted the cell returns home. No other chain reaches the same
 * agents. */
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

/* Sends an item home unless it has the best claim and nobody returned to the place. */
__device__ __forceinline__ void send_refused_home(const task &t, uint32_t item, uint32_t to)
{
    if (to != MASS_CELL_REMOTE && (claim_in(t, to) != item + 1 || is_held(t, to))) go_home(t, item);
}

/* Sends refused agents home. All claims are made by now, so an agent that returns finds the one that it displaces. */
__global__ void send_home(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    const uint32_t skip = claim_blocks(t.remote.claims);
    if (blockIdx.x >= skip) {
        each_mover(t, [&](uint32_t i) { send_refused_home(t, i, t.w.move[i]); }, skip);
        return;
    }
    for (uint32_t k = thread_number(); k < t.remote.claims; k += skip * THREADS) {
        const uint32_t claimed = t.remote.claimed[k];
        if (claimed) send_refused_home(t, t.w.room + k, claimed - 1);
    }
}

/* ---- births in passes of their own ---- */

/* Makes the claims of all births, in a pass of its own. */
__global__ void claim_single_births(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    each_parent(t, [&](uint32_t i) {
        const agent a = get_agent(t, i);
        claim_births_of(t, i, a, births_of(t, a));
    });
}

/* Decides births after the moves. */
__global__ void decide_single_births(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    each_parent(t, [&](uint32_t i) { decide_births_of(t, i); });
}

} // namespace
#endif
