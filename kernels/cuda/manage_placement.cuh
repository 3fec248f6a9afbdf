/* SPDX-License-Identifier: Apache-2.0 */
/* The new order, if places hold one agent each, once moves are decided (manage_single.cuh). Moves are settled. Bits of
 * places count the agents that stay, arrive and are born. The counts give each agent its new index, unless agents stay
 * in place. Also queues all kernels of such a manage, in order. */
#ifndef MASS_KERNELS_CUDA_MANAGE_PLACEMENT_H
#define MASS_KERNELS_CUDA_MANAGE_PLACEMENT_H

#include "manage_requests.cuh"
#include "manage_single.cuh"

namespace {

/* Lists in newborn[] the children of agent i that are born, with their cells in sorted[], and counts its refused births
 * in the world. parent: the agent's cell when they are born. */
__device__ void note_newborns(const task &t, uint32_t i, const agent &a, uint32_t births, uint32_t parent)
{
    uint32_t k = births_before_agent(t, rank_in_order(t, i, a.cell)), refused = births;
    for (uint32_t b = 0; b < births; b++) {
        const uint32_t number = birth_number(t, i, b);
        if (!is_born(t, number)) continue;
        t.newborn[k] = number;
        t.sorted[k++] = cell_of_child(t, i, b, parent);
        refused--;
    }
    if (refused) atomicAdd(&t.worlds[world_of(t, a.cell)].refused, refused);
}

/* Settles a move. Afterwards every agent that still asks to move does so, and refused agents ask for no place. While
 * other ranks may still stop the manage, requests stay as they are, and state[] has the outcome; it begins as GOES. */
template <bool CUT> __device__ void settle_move(const task &t, uint32_t i, uint32_t to, bool granted)
{
    if (!granted) {
        if (CUT) t.state[i] = COMES_BACK;
        else t.w.move[i] = MASS_CELL_NOWHERE;
    } else if (to != MASS_CELL_REMOTE) {
        hold(t, to);
    } else if (CUT) {
        t.state[i] = IS_AWAY;
        note_leaver(t, i);
    }
}

/* Decides the requests of an agent: notes its children, and ends its move. */
template <bool CUT> __device__ void settle_agent(const task &t, uint32_t i)
{
    const agent a = get_agent(t, i);
    const bool moving = is_moving(t, a), granted = moving && is_granted(t, i, a);
    const uint32_t births = births_of(t, a);
    if (births && (!CUT || *t.born <= t.w.room))
        note_newborns(t, i, a, births, t.move_first && granted ? a.move : a.cell);
    if (moving) settle_move<CUT>(t, i, a.move, granted);
}

/* Returns whether an agent dies or asks for a birth although the manage leaves any order. */
__device__ __forceinline__ bool changes_order(const task &t)
{
    return t.w.order.leaves == MASS_ORDER_ANY && (t.asks[ASKS_BIRTH] || *t.dead);
}

/* Settles agents that ask to move or for births, and sets the worlds' counts and *t.before. On one rank, stops the
 * queued work if agents die or ask for births in a manage that leaves any order; closes all gates if it has stopped. If
 * others.first_blocks() is not 0, these blocks do all that involves other ranks, and only that. */
template <class Others>
__global__ void __launch_bounds__(THREADS, blocks_at_once<Others>(8))
    settle_singles(const __grid_constant__ task t, const __grid_constant__ Others others)
{
    constexpr bool CUT = Others::CUT;
    const uint32_t skip = others.first_blocks(t);
    if (CUT && blockIdx.x < skip) {
        others.meet(t);
        return;
    }
    follow();
    const bool stopped = is_stopped(t), changes = !stopped && changes_order(t);
    if (stopped || changes) {
        if (!CUT) close_gates(t);
        if (!CUT && changes && thread_number() == 0) stop_here(t, UINT64_MAX);
        return;
    }
    if (!nobody_asks(t, ASKS_BIRTH)) {
        each_set(*t.w.count, [&](uint32_t k) { return t.moving[k] | t.parents[k]; },
                 [&](uint32_t i) { settle_agent<CUT>(t, i); });
    } else {
        each_mover(t, [&](uint32_t i) {
            const uint32_t to = t.w.move[i];
            if (CUT && skip && to == MASS_CELL_REMOTE) return;
            settle_move<CUT>(t, i, to, is_granted_to(t, i, to));
        }, skip);
    }
    if (CUT && skip) return;
    if (CUT) seat_arrivals(t);
    EACH(world, (uint32_t)t.w.worlds) count_world(t, world);
    if (thread_number() == 0) *t.before = *t.w.count;
}

/* Stores the first agents of four cells. `bits` tells which are occupied; `first` is the first agent of the first
 * cell. */
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

/* Stores the first agents of a warp's 1,024 cells. Each thread has a word of the bitmap and the number of agents before
 * it. Threads exchange these, so that the warp writes contiguous memory. */
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

/* Finds, of four agents from i on, those whose move was refused and those that leave, as bits. It reads state[] alone:
 * the requests of an agent that left may have been reset by the one that took its element. */
__device__ __forceinline__ void find_refused(const task &t, uint32_t i, uint32_t *refused, uint32_t *leave)
{
    const uint32_t moving = t.moving[i / 32] >> i % 32, states = moving & 15 ? *(const uint32_t *)(t.state + i) : 0;
    *refused = *leave = 0;
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t moves = moving >> k & 1, state = states >> 8 * k & 0xff;
        *refused |= (moves & (state == COMES_BACK)) << k;
        *leave |= (moves & (state == IS_AWAY)) << k;
    }
}

/* Agents that stay in place, and whether any asked for more than a move. Excludes elements that arrivals or moved
 * agents take. */
struct kept_agents {
    uint32_t count;
    bool asked;
};

/* Returns how many array elements hold agents that stay in place; with CUT, after agents left and arrived. */
template <bool CUT> __device__ __forceinline__ kept_agents count_kept(const task &t)
{
    const uint32_t before = CUT ? *t.before : *t.w.count;
    const uint32_t after = CUT ? before - t.remote.counted->left + t.remote.counted->arrivals : before;
    return {before < after ? before : after, t.asks[ASKS_ANYTHING_ELSE] != 0};
}

/* Applies moves, if agents stay in place: only granted moves change cells. Also sets refusal flags and clears requests.
 * A thread handles four agents. */
template <bool CUT> __device__ __forceinline__ void keep_order(const task &t, const kept_agents &kept)
{
    constexpr uint32_t EACH_OF = 4, SKIP = CUT ? THREADS : 0; /* threads of the first block */
    const uint32_t count = kept.count;
    for (uint32_t i = (thread_number() - SKIP) * EACH_OF; i < count; i += (all_threads() - SKIP) * EACH_OF) {
        const uint32_t n = count - i < EACH_OF ? count - i : EACH_OF;
        uint32_t move[EACH_OF], lost = 0, refused = 0, leave = 0;
        if (n == EACH_OF) {
            const uint4 four = *(const uint4 *)(t.w.move + i);
            move[0] = four.x, move[1] = four.y, move[2] = four.z, move[3] = four.w;
        } else {
            for (uint32_t k = 0; k < EACH_OF; k++) move[k] = k < n ? t.w.move[i + k] : MASS_CELL_STAY;
        }
        if (CUT) find_refused(t, i, &refused, &leave);
#pragma unroll
        for (uint32_t k = 0; k < EACH_OF; k++) {
            if (CUT && leave >> k & 1) continue;
            const uint32_t to = CUT && refused >> k & 1 ? MASS_CELL_NOWHERE : move[k];
            if (to == MASS_CELL_NOWHERE) lost |= 1u << 8 * k;
            if (to < MASS_CELL_NOWHERE) t.w.cell_to[i + k] = to;
            if (to != MASS_CELL_STAY) t.w.move[i + k] = MASS_CELL_STAY;
            if (kept.asked && k < n) t.w.asked[i + k] = 0;
        }
        if (n == EACH_OF && leave == 0) *(uint32_t *)(t.w.lost_to + i) = lost;
        else
            for (uint32_t k = 0; k < n; k++)
                if (!(leave >> k & 1)) t.w.lost_to[i + k] = lost >> 8 * k & 1;
    }
}

constexpr uint32_t NEWS_BLOCKS_AT_ONCE = 6; /* blocks that await the status, for each processor */
constexpr uint32_t SEAT_ROUNDS = 4, SEAT_TILE = SEAT_ROUNDS * THREADS; /* bitmap words of a block */

/* A block's words of the bitmap, and the agents before each. */
struct seat_tile {
    uint32_t number, word[SEAT_ROUNDS], before[SEAT_ROUNDS];
    uint64_t all; /* agents up to the tile's end, in thread 0 */
};

/* Return the words of a bitmap over cells, with one for the end, and its tiles. */
__device__ __forceinline__ uint32_t seat_words(const task &t) { return t.cells / 32 + 1; }
__device__ __forceinline__ uint32_t seat_tiles(const task &t) { return (seat_words(t) - 1) / SEAT_TILE + 1; }

/* Loads a tile of a bitmap over cells into *s, with the number of bits before each word and in all tiles so far. All
 * threads of a block call it. */
__device__ __forceinline__ void count_bits(const task &t, int stage, const uint32_t *bits, seat_tile *s)
{
    const uint32_t lane = threadIdx.x % 32, first = s->number * SEAT_TILE + threadIdx.x, words = seat_words(t);
    uint64_t sum[SEAT_ROUNDS];
#pragma unroll
    for (uint32_t r = 0; r < SEAT_ROUNDS; r++) {
        const uint32_t at = first + r * THREADS;
        s->word[r] = at < words ? bits[at] : 0;
    }
#pragma unroll
    for (uint32_t r = 0; r < SEAT_ROUNDS; r++) {
        const uint32_t own = __popc(s->word[r]), up_to = sum_of_lanes_up_to(own, lane);
        s->before[r] = up_to - own;
        sum[r] = __shfl_sync(ALL_LANES, up_to, 31);
    }
    sums_before_warps<SEAT_ROUNDS>(t, stage, s->number, sum, &s->all);
#pragma unroll
    for (uint32_t r = 0; r < SEAT_ROUNDS; r++) s->before[r] += (uint32_t)sum[r];
}

/* Writes a tile of t.held; if the population has no occupancy bitmap, also start[] of the tile's cells. */
__device__ __forceinline__ void store_seats(const task &t, const seat_tile &s)
{
    const uint32_t lane = threadIdx.x % 32, first = s.number * SEAT_TILE + threadIdx.x, words = seat_words(t);
    if (!t.w.occupancy && threadIdx.x == 0 && s.number == seat_tiles(t) - 1) t.w.start[t.cells] = (uint32_t)s.all;
#pragma unroll
    for (uint32_t r = 0; r < SEAT_ROUNDS; r++) {
        const uint32_t at = first + r * THREADS;
        if (at < words) t.held[at] = {s.word[r], s.before[r]};
        if (!t.w.occupancy) store_starts_of_warp(t, at - lane, s.word[r], s.before[r]);
    }
}

/* Turns bits into the population's occupancy bitmap or, if it has none, into the first agent of each cell. If agents
 * stay in place, also applies their moves, which do not depend on that. Other ranks' status is awaited after bits are
 * counted, and before anything is written. If there are other ranks, the first block does only the exchange. */
template <class Others>
__global__ void __launch_bounds__(THREADS, blocks_at_once<Others>(NEWS_BLOCKS_AT_ONCE))
    scan_seats(const __grid_constant__ task t, const __grid_constant__ Others others)
{
    constexpr bool CUT = Others::CUT;
    const bool apart = CUT && blockIdx.x == 0;
    seat_tile s;
    follow();
    const uint32_t number = others.number();
    if (apart) others.tell_news(t);
    const uint32_t listed = apart && t.w.order.leaves == MASS_ORDER_ANY ? others.list_places(t) : 0;
    if (!CUT && t.w.order.leaves == MASS_ORDER_ANY && !is_stopped(t)) keep_order<CUT>(t, count_kept<CUT>(t));
    s.number = apart ? UINT32_MAX : take_tile(t, AGENTS);
    const bool scans = s.number < seat_tiles(t);
    if (scans) count_bits(t, AGENTS, t.occupancy, &s);
    const kept_agents kept = CUT && t.w.order.leaves == MASS_ORDER_ANY ? count_kept<CUT>(t) : kept_agents{0, false};
    if (CUT && others.hear_of_stop(t, number)) return;
    if (scans) store_seats(t, s);
    if (!CUT || t.w.order.leaves == MASS_ORDER_SORTED) return;
    if (apart) others.take_places(t, listed);
    else keep_order<CUT>(t, kept);
}

/* Numbers the sought cells: t.sought gets the bits and the number before each word. Clears the claims of as many
 * numbers. */
__global__ void __launch_bounds__(THREADS) count_sought(const __grid_constant__ task t)
{
    follow();
    seat_tile s;
    s.number = take_tile(t, MOVE_CLAIMS);
    if (s.number >= seat_tiles(t)) return;
    count_bits(t, MOVE_CLAIMS, t.sought_bits, &s);
    const uint32_t lane = threadIdx.x % 32, first = s.number * SEAT_TILE + threadIdx.x, words = seat_words(t);
#pragma unroll
    for (uint32_t r = 0; r < SEAT_ROUNDS; r++) {
        const uint32_t at = first + r * THREADS, end = s.before[r] + __popc(s.word[r]);
        if (at < words) t.sought[at] = {s.word[r], s.before[r]};
        const uint32_t last = __shfl_sync(ALL_LANES, end, 31);
        for (uint32_t k = __shfl_sync(ALL_LANES, s.before[r], 0) + lane; k < last; k += 32) t.claims[k] = 0;
    }
}

/* Queues the kernels that settle moves and births, once moves are decided. Leaves granted requests to move, and
 * newborns' cells in t.sorted. */
template <class Others> void queue_seats(const launcher &l, const Others &others)
{
    const task &t = l.t;
    const bool births = t.w.children != 0 && t.w.order.leaves == MASS_ORDER_SORTED;
    if (births && t.move_first) {
        launch_behind(l, l.tiled, claim_single_births);
        launch_behind(l, l.tiled, decide_single_births);
    }
    if (births && t.by_bits) queue_scan(l, scan_words_of_births{BIRTHS}, t.w.room / 32 + 1);
    else if (births) queue_scan(l, scan_births{BIRTHS}, t.w.room);
    launch_behind(l, Others::CUT ? blocks_with(l, 1) : l.tiled, settle_singles<Others>, others);
}

/* Queues the new starts. If the status of other ranks is awaited, all blocks must run at once, so that none waits for
 * the end of another. */
template <class Others> void queue_starts(const launcher &l, const Others &others)
{
    const uint32_t tiles = l.t.cells / 32 / SEAT_TILE + 1, most = (uint32_t)l.processors * NEWS_BLOCKS_AT_ONCE;
    uint32_t blocks = l.t.w.order.leaves == MASS_ORDER_ANY && l.tiled > tiles ? l.tiled : tiles;
    if (Others::CUT && ++blocks > most) blocks = most > tiles ? most : tiles + 1;
    launch_behind(l, blocks, scan_seats<Others>, others);
}

/* Queues the claims of births before the moves, once deaths are known. */
void queue_births_first(const launcher &l)
{
    if (l.t.w.children && l.t.w.order.leaves == MASS_ORDER_SORTED && !l.t.move_first)
        launch_behind(l, l.tiled, claim_single_births);
}

/* ---- the new order ---- */

/* Puts an item into the new order, and its cell into cell_to: a cell's first agent is its only one, so nothing is
 * sorted. */
__device__ __forceinline__ void put_in_order(const task &t, uint32_t cell, uint32_t item)
{
    const uint32_t to = number_of(t, cell);
    t.order[to] = item;
    t.w.cell_to[to] = cell;
}

/* Puts an agent into the new order, unless it dies or leaves. If `resets`, clears its requests at its old index, where
 * no other thread reads them. asked: as in get_agent. */
template <bool CUT>
__device__ __forceinline__ void put_agent_in_order(const task &t, uint32_t i, bool asked, bool resets)
{
    const agent a = get_agent(t, i, asked);
    const bool moving = is_moving(t, a), refused = CUT && moving && t.state[i] == COMES_BACK;
    const bool leaves = CUT && moving && !refused && a.move == MASS_CELL_REMOTE;
    const bool lost = a.closed ? t.w.lost[i] : refused || a.move == MASS_CELL_NOWHERE;
    if (!is_dead(a) && !leaves) put_in_order(t, moving && !refused ? a.move : a.cell, lost ? i | LOST : i);
    if (resets) end_requests(t, i, a);
}

/* Puts all items into the new order, in t.order, and their cells into cell_to. May also clear requests. The values are
 * gathered afterwards: to write them here took twice as long, because memory would be written in parts. */
template <bool CUT> __global__ void order_singles(const __grid_constant__ task t)
{
    follow();
    if (is_stopped(t)) return;
    const bool resets = resets_at_once(t), asked = t.asks[ASKS_ANYTHING_ELSE] != 0;
    const uint32_t before = *t.before, born = *t.born, after = first_of(t, t.cells);
    EACH(i, before) put_agent_in_order<CUT>(t, i, asked, resets);
    EACH(k, born) {
        put_in_order(t, t.sorted[k], t.w.room + k);
        if (resets && before + k < after) reset(t, before + k);
    }
    if (CUT) EACH(k, t.remote.arrival_count) {
        const uint32_t cell = t.remote.arrival_seat[k], behind = before + born + k;
        if (cell != MASS_CELL_NOWHERE) put_in_order(t, cell, t.remote.first_arrival + k);
        if (resets && behind < after) reset(t, behind);
    }
}

/* Queues a whole manage of cells with one agent, on one rank, up to the new start[] or bitmap. */
void queue_singles(const launcher &l)
{
    const task &t = l.t;
    survey<<<l.tiled, THREADS, 0, l.stream>>>(t, no_others());
    queue_births_first(l);
    if (t.counted) launch_behind(l, t.cells / 32 / SEAT_TILE + 1, count_sought);
    launch_behind(l, l.tiled, claim_places<no_others>, no_others());
    launch_behind(l, l.tiled, send_home);
    queue_seats(l, no_others());
    queue_starts(l, no_others());
}

} // namespace
#endif
