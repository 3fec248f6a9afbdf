/* SPDX-License-Identifier: Apache-2.0 */
/* A manage over ranks without the host (cuda/manage_queued.h): fills and empties mailboxes, and finds whether all ranks
 * can apply the manage. Kernels do nothing once queued work has stopped. */
#ifndef MASS_KERNELS_CUDA_MANAGE_QUEUED_H
#define MASS_KERNELS_CUDA_MANAGE_QUEUED_H

#include "manage_remote.cuh"
#include "manage_placement.cuh"

namespace {

constexpr uint32_t CLAIM = sizeof(mass_remote_claim);
constexpr uint32_t REFUSAL_THREADS = 512, ROUNDS_MOST = 100, RANKS_MOST = 32;

/* Why replays stop: the manage cannot be applied, or an agent dies or asks for a birth although agents stay in
 * place. */
enum { TROUBLE = 1, CHANGES = 2 };

/* ---- claims ---- */

/* Puts the claims of agents that ask to leave into mailboxes, with all their values. */
struct claim_boxes {
    static constexpr bool CUT = true;
    mass_cuda_queued q;
    pieces all;

    /* Begins a manage: it gets the next number, if devices access each other's memory. All threads call it. */
    __device__ void begin() const
    {
        if (q.reach && thread_number() == 0) ++*q.number;
    }

    /* Sets the state of an agent that asks to move to GOES. If it asks for another rank's place, puts its claim into
     * that rank's mailbox; without room for it, notes trouble. */
    __device__ void ask(const task &t, uint32_t i, const agent &a) const
    {
        t.state[i] = GOES;
        if (a.move != MASS_CELL_REMOTE) return;
        const uint32_t world = world_of(t, a.cell);
        const remote_seat seat = find_seat(t, world, t.w.remote_move[i]);
        const mass_cuda_box box = q.boxes[seat.rank];
        char *const first = q.out + (size_t)box.out * t.remote.stride;
        const uint32_t at = q.moves ? atomicAdd((uint32_t *)first, 1) : UINT32_MAX;
        if (at >= box.out_room) {
            t.remote.counted->trouble = TROUBLE;
            return;
        }
        t.remote.askers[box.out + 1 + at] = i;
        fill(t, i, world, seat, (q.reach ? q.reach[seat.rank].claims : first) + (size_t)(1 + at) * t.remote.stride);
    }

    /* Writes the claim of agent i and its traveller to `to`. */
    __device__ void fill(const task &t, uint32_t i, uint32_t world, const remote_seat &seat, char *to) const
    {
        const uint64_t id = t.w.id[i];
        const uint64_t key = t.w.conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(&t.w, i, world, id);
        *(mass_remote_claim *)to = {key, id, seat.cell, i, q.rank, 0};
        *(mass_remote_traveller *)(to + CLAIM) = {id, seat.cell, seat.rank};
        for (uint32_t k = 0; k < all.count; k++) {
            const piece &p = all.p[k];
            store_piece(to + CLAIM + p.at, p.bytes, load_piece(p.from + (size_t)i * p.stride, p.bytes));
        }
    }
};

/* Exchanges claims with other ranks, once all are in mailboxes. */
struct claims_of_others {
    static constexpr bool CUT = true;
    mass_cuda_queued q;

    /* Sends the number of claims to each rank, and raises the flag. The first block calls it. */
    __device__ void tell_claims(const task &t) const
    {
        if (!q.reach || !q.moves || blockIdx.x > 0) return;
        const uint32_t r = threadIdx.x;
        const bool tells = r < (uint32_t)q.ranks;
        const uint32_t count = tells ? *(const uint32_t *)(q.out + (size_t)q.boxes[r].out * t.remote.stride) : 0;
        uint32_t *const there = tells ? (uint32_t *)q.reach[r].claims : NULL;
        tell(q, MASS_CUDA_FLAG_CLAIMS, [&](uint32_t) { *there = count; });
    }

    __device__ uint32_t number() const { return number_to_hear(q); }
    /* Waits until all ranks have sent their claims. Does nothing if the caller exchanges them. */
    __device__ void await_claims(uint32_t number) const
    {
        if (q.reach) await(q, MASS_CUDA_FLAG_CLAIMS, number);
    }
};

/* ---- refusals ---- */

/* Takes back the own claims that were refused: their agents return home. round: of these refusals. */
__global__ void take_refusals(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q,
                              uint32_t round)
{
    follow();
    const uint32_t *const refused = q.refused_in + (size_t)round * q.in_words;
    if (is_stopped(t)) return;
    for (int32_t r = 0; r < q.ranks; r++) {
        const uint32_t *const box = refused + q.boxes[r].refused_in;
        if (r == q.rank) continue;
        const uint32_t count = box[0] < q.boxes[r].out_room ? box[0] : q.boxes[r].out_room;
        EACH(k, count) {
            const uint32_t i = box[MASS_CUDA_REFUSALS_FROM + k];
            t.state[i] = COMES_BACK;
            go_home(t, i);
        }
    }
}

/* Exchanges one round of refusals, if devices access each other's memory. One block calls it. stopped: this rank sends
 * none and awaits none. Sets counts[ranks] to the refusals received. Returns whether any rank had one. */
__device__ bool hold_round(const mass_cuda_queued &q, const round_partner &p, uint32_t round, bool stopped,
                           uint32_t *counts)
{
    uint32_t *const out = p.refused + round % 2 * p.words;
    uint32_t count = p.other ? *(const volatile uint32_t *)out : 0;
    if (stopped) count = 0;
    const bool any = __syncthreads_or(count != 0);
    if (p.other) {
        tell_round(p, round, {count, any});
        *out = 0;
    }
    const round_news heard = p.other && !stopped ? hear_round(p, round, q.ended) : round_news{0, false};
    if (threadIdx.x < (uint32_t)q.ranks) counts[threadIdx.x] = heard.count;
    return __syncthreads_or(any || heard.any);
}

/* Exchanges rounds of refusals until no rank has any. All ranks get the same result, so none waits for a round that
 * another does not begin. One block calls it. Calls come_back(i) for each own claim that was refused, and sets
 * counted->round before each round's calls. More than ROUNDS_MOST rounds are trouble. stopped: as in hold_round. */
template <class ComeBack>
__device__ __forceinline__ void hold_rounds(const task &t, const mass_cuda_queued &q, const round_partner &p,
                                            bool stopped, ComeBack come_back)
{
    __shared__ uint32_t counts[RANKS_MOST];
    for (uint32_t round = 0; hold_round(q, p, round, stopped, counts); round++) {
        if (round == ROUNDS_MOST) {
            if (threadIdx.x == 0) t.remote.counted->trouble = TROUBLE;
            return;
        }
        if (threadIdx.x == 0) *(volatile uint32_t *)&t.remote.counted->round = round + 1;
        __syncthreads();
        for (int32_t r = 0; r < q.ranks; r++) {
            const uint32_t *const box = q.refused_in + round % 2 * q.in_words + q.boxes[r].refused_in;
            for (uint32_t k = threadIdx.x; k < counts[r]; k += blockDim.x)
                come_back(*(const volatile uint32_t *)&box[MASS_CUDA_REFUSALS_FROM + k]);
        }
        __syncthreads();
    }
}

/* Exchanges refusals with other ranks in rounds, until there are none. Agents whose claims are refused keep their
 * places. */
__global__ void __launch_bounds__(REFUSAL_THREADS)
    exchange_refusals(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q)
{
    round_partner p = find_partner(q);
    follow();
    number_partner(q, &p);
    hold_rounds(t, q, p, is_stopped(t), [&](uint32_t i) {
        t.state[i] = COMES_BACK;
        go_home(t, i);
    });
}

/* Returns the number of claims in a mailbox, which begins with it: at most `room`. */
__device__ __forceinline__ uint32_t claims_in(const char *box, uint32_t room)
{
    const uint32_t count = *(const uint32_t *)box;
    return count < room ? count : room;
}

/* Lets the first block exchange refusals while the other blocks settle moves; that block then handles agents that leave
 * and arrive. Used if agents stay in place, so that there are no births. A settled move depends on a refusal only
 * through the agents that the refusal displaces, and claims tell which these are. */
struct refusals_of_others {
    static constexpr bool CUT = true;
    mass_cuda_queued q;

    /* Returns the number of blocks that exchange: 0 or 1. */
    __device__ uint32_t first_blocks(const task &t) const
    {
        return t.w.order.leaves == MASS_ORDER_ANY && q.reach && q.moves;
    }

    /* Exchanges refusals, and settles leavers and arrivals. Threads of the second warp count claims while those of the
     * first exchange. */
    __device__ void meet(const task &t) const
    {
        __shared__ uint32_t asked[RANKS_MOST], come[RANKS_MOST];
        round_partner p = find_partner(q);
        const uint32_t r = threadIdx.x - 32;
        const mass_cuda_box box = r < (uint32_t)q.ranks ? q.boxes[r] : mass_cuda_box{};
        follow();
        number_partner(q, &p);
        const bool stopped = is_stopped(t);
        if (r < (uint32_t)q.ranks) {
            asked[r] = claims_in(q.out + (size_t)box.out * t.remote.stride, box.out_room);
            come[r] = claims_in(q.in + (size_t)box.in * t.remote.stride, box.in_room);
        }
        hold_rounds(t, q, p, stopped, [&](uint32_t i) { take_back(t, i); });
        if (stopped || changes_order(t)) return;
        settle_passage(t, asked, come);
        for (uint32_t world = threadIdx.x; world < (uint32_t)t.w.worlds; world += THREADS) count_world(t, world);
        if (threadIdx.x == 0) *t.before = *t.w.count;
    }

    /* Settles leavers and arrivals, with half of the threads each, and sets the counts of both. */
    __device__ void settle_passage(const task &t, const uint32_t *asked, const uint32_t *come) const
    {
        constexpr uint32_t HALF = THREADS / 2;
        __shared__ uint32_t left, arrivals;
        const uint32_t thread = threadIdx.x % HALF;
        const bool leave = threadIdx.x < HALF;
        if (threadIdx.x == 0) left = arrivals = 0;
        __syncthreads();
        for (uint32_t r = 0; r < (uint32_t)q.ranks; r++) {
            const uint32_t first = 1 + (leave ? q.boxes[r].out : q.boxes[r].in), count = leave ? asked[r] : come[r];
            for (uint32_t k = thread; k < count; k += HALF) {
                if (leave) settle_leaver(t, t.remote.askers[first + k], &left);
                else settle_arrival(t, first + k, &arrivals);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) t.remote.counted->left = left, t.remote.counted->arrivals = arrivals;
    }

    /* Marks and lists an agent that leaves, unless its claim was refused. */
    __device__ void settle_leaver(const task &t, uint32_t i, uint32_t *left) const
    {
        if (t.state[i] != GOES) return;
        t.state[i] = IS_AWAY;
        t.remote.leavers[atomicAdd(left, 1)] = i;
    }
    /* Seats and lists the agent of claim k, if that has arrived and was not refused. */
    __device__ void settle_arrival(const task &t, uint32_t k, uint32_t *arrivals) const
    {
        const uint32_t claimed = t.remote.claimed[k], returned = t.remote.returned[k];
        if (claimed == 0 || returned) return;
        t.remote.arrival_seat[k] = claimed - 1;
        hold(t, claimed - 1);
        t.remote.items[atomicAdd(arrivals, 1)] = t.remote.first_arrival + k;
    }
};

/* ---- status ---- */

/* Return where to write this rank's status for another rank, and where to read that rank's status. The words of a
 * status are: reasons to stop (TROUBLE, CHANGES); [worlds] next_id; [worlds] births. */
__device__ char *news_for(const mass_cuda_queued &q, int32_t rank)
{
    return q.reach && rank != q.rank ? q.reach[rank].news : q.news_out + q.boxes[rank].news_out;
}
__device__ const int64_t *words_from(const mass_cuda_queued &q, int32_t rank)
{
    return (const int64_t *)(rank == q.rank ? news_for(q, rank) : q.news_in + q.boxes[rank].news_in);
}

/* Writes the words of this rank's status for all ranks, with the given threads; nothing if `stopped`. Moves must be
 * settled, so that arrivals and leavers are known. */
__device__ void write_words(const task &t, const mass_cuda_queued &q, bool stopped, uint32_t thread, uint32_t threads)
{
    const uint32_t worlds = (uint32_t)t.w.worlds, ranks = (uint32_t)q.ranks;
    const mass_cuda_queued_counts counts = *t.remote.counted;
    const uint32_t born = t.w.children && t.w.order.leaves == MASS_ORDER_SORTED ? *t.born : 0;
    const int64_t after = (int64_t)*t.w.count - counts.died + born + counts.arrivals - counts.left;
    const int64_t changes = changes_order(t) ? CHANGES : 0;
    bool untold = false;
    for (uint32_t r = 0; q.moves && !q.reach && r < ranks; r++)
        untold |= q.refused_out[q.rounds * q.out_words + q.boxes[r].refused_out] != 0;
    const bool trouble = counts.trouble || untold || after > t.w.room || born > t.w.room;
    for (uint32_t k = thread; k < ranks * worlds; k += threads) {
        const uint32_t world = k % worlds;
        int64_t *const words = (int64_t *)news_for(q, (int32_t)(k / worlds));
        const int64_t id = (int64_t)t.w.next_id[world], happen = t.worlds[world].born;
        if (stopped) continue;
        if (world == 0) words[0] = (trouble ? TROUBLE : 0) | changes;
        words[1 + world] = id;
        words[1 + worlds + world] = happen;
    }
}

/* Returns bits of `count` cells from `first` on, at most 32: set if the cell will hold an agent. Moves must be
 * settled. */
__device__ __forceinline__ uint32_t seats_from(const task &t, uint32_t first, uint32_t count)
{
    const uint32_t at = first / 32, shift = first % 32, next = at < t.cells / 32 ? at + 1 : at;
    const uint32_t bits = __funnelshift_r(t.occupancy[at], t.occupancy[next], shift);
    return count < 32 ? bits & ((1u << count) - 1) : bits;
}

/* Writes the occupancy bits of the cells next to the boundary, unless `stopped`. */
__device__ void write_bits(const task &t, const mass_cuda_queued &q, bool stopped, uint32_t thread, uint32_t threads)
{
    for (uint32_t s = 0; s < q.seen_out_count; s++) {
        const mass_cuda_run run = q.seen_out[s];
        const uint32_t words = (run.count + 31) / 32;
        uint32_t *const bits =
            (uint32_t *)(news_for(q, run.rank) + (run.word * sizeof(uint32_t) - q.boxes[run.rank].news_out));
#pragma unroll 4
        for (uint32_t w = thread; w < words; w += threads) {
            const uint32_t word = seats_from(t, (uint32_t)run.first + w * 32, run.count - w * 32);
            if (!stopped) bits[w] = word;
        }
    }
}

/* Writes the status into mailboxes that the caller exchanges. */
__global__ void write_news(const __grid_constant__ task t, const __grid_constant__ mass_cuda_queued q)
{
    const bool stopped = is_stopped(t);
    write_words(t, q, stopped, thread_number(), all_threads());
    write_bits(t, q, stopped, thread_number(), all_threads());
}

/* The exchange of status, for the kernels that decide and apply a manage. */
struct news_of_others {
    static constexpr bool CUT = true;
    mass_cuda_queued q;
    pieces all;

    /* Writes the status for all ranks, and raises the flag, whether anything was written or not. The first block of the
     * kernel after moves are settled calls it. */
    __device__ void tell_news(const task &t) const
    {
        if (!q.reach) return;
        const bool stopped = is_stopped(t);
        write_words(t, q, stopped, threadIdx.x, THREADS);
        write_bits(t, q, stopped, threadIdx.x, THREADS);
        tell(q, MASS_CUDA_FLAG_NEWS, [](uint32_t) {});
    }

    __device__ uint32_t number() const { return number_to_hear(q); }
    __device__ bool hear_of_stop(const task &t, uint32_t number) const;
    __device__ uint32_t list_places(const task &t) const;
    __device__ void take_places(const task &t, uint32_t items) const;
};

/* Unpacks the bits of cells that other ranks sent into q.place_counts, 0 or 1 a cell. */
__device__ void show_crowds(const task &t, const mass_cuda_queued &q)
{
    for (uint32_t s = 0; s < q.seen_in_count; s++) {
        const mass_cuda_run run = q.seen_in[s];
        const uint32_t *const bits = (const uint32_t *)q.news_in + run.word;
        EACH(k, run.count) q.place_counts[run.first + k] = bits[k / 32] >> k % 32 & 1;
    }
}

/* Empties the mailboxes, whose contents have been sent. slot: bytes of a slot. One block calls it. */
__device__ void empty_boxes(const mass_cuda_queued &q, uint32_t slot)
{
    for (uint32_t r = threadIdx.x; r < (uint32_t)q.ranks; r += blockDim.x) {
        *(uint32_t *)(q.out + (size_t)q.boxes[r].out * slot) = 0;
        for (uint32_t round = 0; round <= q.rounds; round++)
            q.refused_out[round * q.out_words + q.boxes[r].refused_out] = 0;
    }
}

/* Adds to the first ids of this rank's births, by the status of all ranks: every rank's share of next_id, and the
 * births of the ranks before it. */
__device__ void number_births(const task &t, const mass_cuda_queued &q)
{
    const uint32_t worlds = (uint32_t)t.w.worlds;
    for (uint32_t k = threadIdx.x; k < worlds; k += blockDim.x) {
        int64_t id = 0;
        for (int32_t r = 0; r < q.ranks; r++) {
            const int64_t *const words = words_from(q, r);
            id += words[1 + k] + (r < q.rank ? words[1 + worlds + k] : 0);
        }
        t.worlds[k].child_id += (uint64_t)id;
    }
}

/* Awaits the status of all ranks, one thread a rank. Returns whether the manage stops; then also stops the queued work
 * and closes all gates. The first block empties the mailboxes. If the manage goes on, the blocks take over the other
 * ranks' bits (show_crowds), and the first one numbers births. All blocks get the same result, so none waits for the
 * block that sets the stop; or they find it set. A thread also awaits the own rank, whose first block writes its status
 * in this kernel. */
__device__ bool news_of_others::hear_of_stop(const task &t, uint32_t number) const
{
    const uint32_t r = threadIdx.x;
    const bool stopped = is_stopped(t);
    int64_t against = 0;
    if (r < (uint32_t)q.ranks && !stopped) {
        const volatile int64_t *const words = words_from(q, (int32_t)r);
        if (q.reach) await_rank(q, MASS_CUDA_FLAG_NEWS, r, number);
        against = words[0];
    }
    const bool ends = __syncthreads_or(stopped || against);
    if (blockIdx.x == 0) empty_boxes(q, t.remote.stride);
    if (ends) {
        close_gates(t);
        if (blockIdx.x > 0) return true;
        const bool changes = __syncthreads_or((against & CHANGES) != 0);
        if (!stopped && threadIdx.x == 0) stop_here(t, changes ? UINT64_MAX : 0);
        return true;
    }
    show_crowds(t, q);
    if (blockIdx.x == 0) number_births(t, q);
    return false;
}

/* ---- array elements, if agents stay in place ---- */

/* Returns the cell of an agent afterwards, and sets *lost if its move was refused. MASS_CELL_REMOTE: it leaves. */
__device__ uint32_t cell_of_kept(const task &t, uint32_t i, bool *lost)
{
    const bool moves = t.moving[i / 32] >> i % 32 & 1, refused = moves && t.state[i] == COMES_BACK;
    *lost = refused || t.w.move[i] == MASS_CELL_NOWHERE;
    return moves && !refused ? t.w.move[i] : t.w.cell[i];
}

/* Loads the pieces of an agent that stays, or of one that arrives, from piece n on, as many as fit at once. */
__device__ __forceinline__ void load_item(uint4 *value, const task &t, const pieces &all, uint32_t n, uint32_t item)
{
    const bool kept = item < t.w.room;
    const char *const comes = kept ? NULL : (const char *)arrival(t, item - t.remote.first_arrival);
#pragma unroll
    for (uint32_t j = 0; j < PIECES_AT_ONCE; j++) {
        if (n + j >= all.count) continue;
        const piece &p = all.p[n + j];
        value[j] = load_piece(kept ? p.from + (size_t)item * p.stride : comes + p.at, p.bytes);
    }
}

/* Stores these pieces in element `to` of the present arrays. */
__device__ __forceinline__ void store_item(const uint4 *value, const pieces &all, uint32_t n, uint32_t to)
{
#pragma unroll
    for (uint32_t j = 0; j < PIECES_AT_ONCE; j++) {
        if (n + j >= all.count) continue;
        const piece &p = all.p[n + j];
        store_piece((char *)p.from + (size_t)to * p.stride, p.bytes, value[j]);
    }
}

/* Moves an item into array element `to`, and clears the requests there. Starts the first reads before it writes. */
__device__ void put_in_place(const task &t, const pieces &all, uint32_t item, uint32_t to)
{
    const bool kept = item < t.w.room;
    const uint32_t k = item - t.remote.first_arrival;
    uint4 value[PIECES_AT_ONCE];
    bool lost = false;
    load_item(value, t, all, 0, item);
    const uint64_t id = kept ? t.w.id[item] : arrival(t, k)->id;
    const uint32_t cell = kept ? cell_of_kept(t, item, &lost) : t.remote.arrival_seat[k];
    t.w.cell_to[to] = cell;
    t.w.lost_to[to] = lost;
    ((uint64_t *)t.w.id)[to] = id;
    store_item(value, all, 0, to);
    for (uint32_t n = PIECES_AT_ONCE; n < all.count; n += PIECES_AT_ONCE) {
        load_item(value, t, all, n, item);
        store_item(value, all, n, to);
    }
    reset(t, to);
}

/* Lists the items that need an array element, and elements for them. Returns the number of items. The first block calls
 * it before it awaits the status, since it writes nothing of the population. The first items are the arrivals. They
 * take the elements of agents that left. If there are more arrivals, they take elements after all agents; if fewer, the
 * last agents take the remaining elements. */
__device__ uint32_t news_of_others::list_places(const task &t) const
{
    __shared__ uint32_t places, items;
    if (is_stopped(t) || t.remote.counted->trouble || changes_order(t)) return 0;
    const uint32_t before = *t.before, left = t.remote.counted->left, arrivals = t.remote.counted->arrivals;
    const uint32_t after = before - left + arrivals;
    if (threadIdx.x == 0) places = 0, items = arrivals;
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < left; k += THREADS) {
        const uint32_t leaver = t.remote.leavers[k];
        if (leaver < after) t.remote.places[atomicAdd(&places, 1)] = leaver;
    }
    for (uint32_t to = before + threadIdx.x; to < after; to += THREADS) t.remote.places[atomicAdd(&places, 1)] = to;
    for (uint32_t i = after + threadIdx.x; i < before; i += THREADS) {
        bool lost;
        if (cell_of_kept(t, i, &lost) != MASS_CELL_REMOTE) t.remote.items[atomicAdd(&items, 1)] = i;
    }
    __syncthreads();
    return items;
}

/* Moves the listed items into their elements, clears requests behind the last agent, and sets the number of agents. The
 * first block calls it once no rank has a reason to stop. */
__device__ void news_of_others::take_places(const task &t, uint32_t items) const
{
    const uint32_t before = *t.before, after = before - t.remote.counted->left + t.remote.counted->arrivals;
    for (uint32_t k = threadIdx.x; k < items; k += THREADS) put_in_place(t, all, t.remote.items[k], t.remote.places[k]);
    __syncthreads();
    for (uint32_t i = after + threadIdx.x; i < before; i += THREADS) reset(t, i);
    if (threadIdx.x > 0) return;
    *t.w.count = after;
    t.w.start[t.cells] = after;
}

} // namespace
#endif
