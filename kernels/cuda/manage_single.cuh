/* SPDX-License-Identifier: Apache-2.0 */
/* Who stands where, in places that hold one agent each. By deferred acceptance, as on the CPU: an
 * agent whose move is refused goes home, which drives out whoever was granted that place, who goes home in turn; the
 * outcome does not depend on who comes first. D. Gale and L. S. Shapley, "College admissions and the stability of
 * marriage" (1962).
 *
 * Most places are empty, so that no array of words over places is cleared or gone over. A place has a bit in seats,
 * set once it is known that somebody stands there: agents that stay, those driven home, newborns, and in the end those
 * whose moves are granted. What is in claims[] from an earlier manage is a claim only if that agent asks for the place
 * now, and then it does no harm to meet it before it was made. */
#ifndef MASS_KERNELS_CUDA_MANAGE_SINGLE_H
#define MASS_KERNELS_CUDA_MANAGE_SINGLE_H

#include "manage_order.cuh"
#include "manage_single_far.cuh"

namespace {

constexpr uint32_t NOBODY = UINT32_MAX;

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
};

/* Once moves are settled. A place's own granted agent alone makes its bit true later. */
__device__ __forceinline__ bool is_granted(const task &t, uint32_t i, const agent &a)
{
    if (a.move == MASS_CELL_FAR) return is_moving(t, a) && t.state[i] == 0;
    return is_moving(t, a) && t.claims[a.move] == i + 1 && !is_held(t, a.move);
}

__device__ uint32_t best_claim(const task &t, uint32_t cell)
{
    const uint32_t best = *(const volatile uint32_t *)&t.claims[cell];
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
    const uint32_t first = first_of(t, cell);
    return first_of(t, cell + 1) > first && !(t.kill_before_spawn && is_dead(get_agent(t, first)));
}

/* Makes an item the best claim of a cell unless there is a better one; returns who loses by that, or NOBODY. */
template <class Claims> __device__ uint32_t claim_seat(const task &t, uint32_t cell, uint32_t item, Claims claims)
{
    uint32_t best = atomicCAS(&t.claims[cell], 0, item + 1);
    if (best == 0 || best == item + 1) return NOBODY;
    const rank own = claims(t, cell, item);
    for (;;) {
        const bool holds = claims.holds(t, cell, best - 1);
        if (holds && is_before(claims(t, cell, best - 1), own)) return item;
        const uint32_t now = atomicCAS(&t.claims[cell], best, item + 1);
        if (now == best) return holds ? best - 1 : NOBODY;
        best = now;
    }
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
        claim_seat(t, cell, number, birth_claims());
        if (!t.move_first) hold(t, cell); /* for whoever is born there */
    }
}

/* For births after the moves. */
__global__ void claim_single_births(const __grid_constant__ task t)
{
    if (is_stopped(t) || nobody_asks(t, ASKS_BIRTH)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        if (const uint32_t births = births_of(t, a)) claim_births_of(t, i, a, births);
    }
}

/* And of them; those before the moves are decided where they are counted. */
__global__ void decide_single_births(const __grid_constant__ task t)
{
    if (is_stopped(t) || nobody_asks(t, ASKS_BIRTH)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t births = births_of(t, a);
        if (births == 0) continue;
        const uint32_t parent = birth_claims::stands(t, i, a);
        for (uint32_t b = 0; b < births; b++) {
            const uint32_t cell = cell_of_child(t, i, b, parent), number = birth_number(t, i, b);
            if (t.birth_seat[number] == 0) continue;
            const bool born = t.claims[cell] == number + 1;
            t.birth_seat[number] = born;
            if (born) hold(t, cell);
        }
    }
}

/* ---- moves ---- */

/* Where nobody leaves for another rank. */
struct no_others {
    __device__ void ask(const task &, uint32_t, const agent &) const {}
};

/* Whoever stays holds its place; births before the moves ask for theirs, and others.ask() for those who leave. */
template <class Others>
__global__ void survey(const __grid_constant__ task t, const __grid_constant__ Others others)
{
    if (is_stopped(t)) return;
    bool births = false, moves = false;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t asked = births_of(t, a);
        births |= asked != 0;
        if (is_moving(t, a)) {
            moves = true;
            others.ask(t, i, a);
        } else if (!is_dead(a)) {
            hold(t, a.cell);
        }
        if (asked && !t.move_first) claim_births_of(t, i, a, asked);
    }
    if (births) t.asks[ASKS_BIRTH] = 1;
    if (moves) t.asks[ASKS_MOVE] = 1;
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
        __threadfence();
        i = best_claim(t, home);
    }
}

/* Of a claim and somebody who comes home at once, one sees the other. */
__device__ void try_to_move(const task &t, uint32_t i, uint32_t to)
{
    if (is_held(t, to)) {
        go_home(t, i);
        return;
    }
    const uint32_t loser = claim_seat(t, to, i, move_claims());
    __threadfence();
    if (loser != i && is_held(t, to)) go_home(t, i);
    go_home(t, loser);
}

__global__ void move_singles(const __grid_constant__ task t)
{
    if (is_stopped(t) || (nobody_asks(t, ASKS_MOVE) && t.far.claims == 0)) return;
    EACH(i, *t.w.count) {
        if (t.w.move[i] >= MASS_CELL_FAR) continue;
        const agent a = get_agent(t, i);
        if (is_moving(t, a)) try_to_move(t, i, a.move);
    }
    EACH(k, t.far.claims) if (is_claim(t, k)) try_to_move(t, t.w.room + k, claim_of(t, k)->cell);
}

/* ---- where everybody goes ---- */

__device__ void note_newborns(const task &t, uint32_t i, const agent &a, uint32_t births, uint32_t parent)
{
    uint32_t k = t.order[i], refused = births;
    for (uint32_t b = 0; b < births; b++) {
        const uint32_t number = birth_number(t, i, b);
        if (!is_born(t, number)) continue;
        t.newborn[k] = number;
        t.sorted[k++] = cell_of_child(t, i, b, parent);
        refused--;
    }
    if (refused) atomicAdd(&t.worlds[world_of(t, a.cell)].refused, refused);
}

/* Notes in seat[] where everybody goes, and in state[] whose move was refused. */
template <bool CUT> __global__ void __launch_bounds__(THREADS) seat_singles(const __grid_constant__ task t)
{
    if (is_stopped(t)) {
        close_gates(t);
        return;
    }
    uint32_t gone = 0;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const bool moving = is_moving(t, a), granted = moving && is_granted(t, i, a);
        const bool leaves = CUT && granted && a.move == MASS_CELL_FAR;
        const uint32_t cell = granted ? a.move : a.cell, births = births_of(t, a);
        t.seat[i] = is_dead(a) || leaves ? MASS_CELL_NOWHERE : cell;
        t.state[i] = a.closed ? t.w.lost[i] : moving ? !granted : a.move == MASS_CELL_NOWHERE;
        if (births && (!CUT || *t.born <= t.w.room)) note_newborns(t, i, a, births, t.move_first ? cell : a.cell);
        if (granted && !leaves) hold(t, cell);
        if (leaves) atomicAdd(&t.worlds[world_of(t, a.cell)].away, 1);
        gone += is_dead(a) || leaves;
    }
    if (CUT) {
        seat_arrivals(t);
        count_gone(t, gone);
    }
    EACH(world, (uint32_t)t.w.worlds) count_world(t, world);
    if (thread_number() == 0) *t.before = *t.w.count;
}

/* Of four cells, bits of which are those who stand there; the first of these has the number `first`. */
__device__ __forceinline__ void store_starts(const task &t, uint64_t cell, uint32_t first, uint32_t bits)
{
    const uint4 starts = {first, first + (bits & 1), first + __popc(bits & 3), first + __popc(bits & 7)};
    if (cell + 4 <= t.cells) {
        *(uint4 *)(t.w.start + cell) = starts;
        return;
    }
    const uint32_t each[4] = {starts.x, starts.y, starts.z, starts.w};
    for (uint32_t k = 0; cell + k < t.cells; k++) t.w.start[cell + k] = each[k];
}

/* The first agents of the 1,024 cells of a warp, each of whose threads has a word of seats and the number of agents
 * before it: they tell each other, so that they write to one piece of memory. */
__device__ __forceinline__ void store_starts_of_warp(const task &t, uint64_t first_word, uint32_t word, uint32_t before)
{
    const uint32_t lane = threadIdx.x % 32;
#pragma unroll
    for (uint32_t r = 0; r < 8; r++) {
        const uint32_t from = r * 4 + lane / 8, shift = lane % 8 * 4;
        const uint32_t bits = __shfl_sync(ALL_LANES, word, from), four = bits >> shift;
        const uint32_t first = __shfl_sync(ALL_LANES, before, from) + __popc(bits & ((1u << shift) - 1));
        store_starts(t, first_word * 32 + r * 128 + lane * 4, first, four);
    }
}

/* From bits to the seats of the population; and if it has none, to the first agent of each cell. */
__global__ void __launch_bounds__(THREADS) scan_seats(const __grid_constant__ task t)
{
    const uint32_t tile = take_tile(t, AGENTS), words = t.cells / 32 + 1, tiles = (words - 1) / THREADS + 1;
    if (tile >= tiles) return;
    const uint32_t lane = threadIdx.x % 32, at = tile * THREADS + threadIdx.x;
    const uint32_t word = at < words ? t.seats[at] : 0, own = __popc(word), up_to = sum_of_lanes_up_to(own, lane);
    uint64_t all;
    const uint64_t others = sum_before_warp(t, AGENTS, tile, __shfl_sync(ALL_LANES, up_to, 31), &all);
    const uint32_t before = (uint32_t)others + up_to - own;
    if (at < words) t.held[at] = {word, before};
    if (t.w.seats) return;
    if (threadIdx.x == 0 && tile == tiles - 1) t.w.start[t.cells] = (uint32_t)all;
    store_starts_of_warp(t, at - lane, word, before);
}

/* Once moves are decided. Leaves everybody's cell in t.seat, newborns' in t.sorted. */
template <bool CUT> void queue_seats(const launcher &l)
{
    const task &t = l.t;
    const bool births = t.w.children != 0;
    if (births && t.move_first) {
        LAUNCH(l, claim_single_births);
        LAUNCH(l, decide_single_births);
    }
    if (births) queue_scan(l.stream, t, scan_births{BIRTHS}, t.w.room);
    LAUNCH(l, seat_singles<CUT>);
}

/* The new start. */
void queue_starts(const launcher &l)
{
    const task &t = l.t;
    scan_seats<<<t.cells / 32 / THREADS + 1, THREADS, 0, l.stream>>>(t);
}

void queue_singles(const launcher &l)
{
    LAUNCH(l, survey<no_others>, no_others());
    LAUNCH(l, move_singles);
    queue_seats<false>(l);
    queue_starts(l);
}

} // namespace
#endif
