/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the kernels of a manage: the work, its scratch, and access to agents' requests. */
#ifndef MASS_KERNELS_CUDA_MANAGE_TASK_H
#define MASS_KERNELS_CUDA_MANAGE_TASK_H

#include "cuda/manage_remote.h"
#include "cuda/manage_queued.h"
#include "cuda/kernels.h"

#include <mass/random.h>

namespace {

constexpr int THREADS = 256;
constexpr uint32_t ALL_LANES = 0xffffffffu;
constexpr uint32_t LOST = 0x80000000u; /* a flag in an item of the new order: its move was refused */

/* Agents that a block handles together, if few of them have anything to do. */
constexpr uint32_t TILE = 4 * THREADS;

/* Most agents of a cell that are sorted by counting. A cell with more is a crowd, and merge-sorted. */
constexpr uint32_t CROWD = 64;

/* State of an agent whose move may be refused. LOSES: refused at once. LOST_SEAT: refused because an agent had to
 * stay. */
enum { STANDS, GRANTED, LOSES, LOST_SEAT, REFUSED };

/* The same if places hold one agent and are divided among ranks. GOES: moves, also to another rank, unless its claim is
 * refused. IS_AWAY: has left, once moves are settled. */
enum { GOES, COMES_BACK, IS_AWAY };

/* The scans of a manage. */
enum { BIRTH_CLAIMS, MOVE_CLAIMS, BIRTHS, AGENTS, STAGES };

/* Requests that kernels skip if no agent makes any. */
enum { ASKS_BIRTH, ASKS_MOVE, ASKS_ANYTHING_ELSE, ASKS };

struct stage {
    uint32_t ticket;  /* tiles of the scan that have begun */
    uint32_t tiles;   /* tiles of crowds */
    uint32_t biggest; /* largest crowd */
};

struct world_count {
    uint64_t child_id; /* id of birth 0 of all worlds, if it were in this world */
    uint32_t first, before, born, refused; /* first agent and number of agents, before */
    int32_t away; /* agents that leave for other ranks, less arrivals */
};

/* The part of a task that concerns other ranks, if places are divided among them (remote.h). All zeros: one rank holds
 * all.
 *
 * While seats are decided, claims of other ranks to cells of this one are items after the agents, or after all births
 * that agents may have. An agent that leaves counts as granted until its claim is refused. Once all is decided, refused
 * requests ask for no cell, and arrivals are items of the new order after the newborns. */
struct remote_part {
    bool cut;
    int32_t ranks;
    const int64_t *first_place; /* [ranks + 1] */
    mass_cuda_remote_counts *counts;
    uint32_t *born, *died; /* [worlds] */

    const mass_remote_claim *claim; /* [claims] of other ranks; claim_stride bytes apart */
    uint32_t claims, claim_stride;
    uint8_t *state;              /* [claims] like task.state */
    uint32_t *seat;              /* [claims] */
    mass_remote_refusal *refused;   /* [claims] */

    uint32_t births;      /* births that happen, on any rank */
    const char *arrivals; /* [arrival_count] travellers */
    uint32_t arrival_count, first_arrival; /* first_arrival: the item of the first arrival */
    uint32_t stride;      /* bytes between travellers */
    uint32_t *arrival_seat;
    const uint64_t *id_base; /* [worlds] id of this rank's first birth; NULL: added later */

    /* Used if the exchange between ranks is queued (manage_single_remote.cuh) and claims are in mailboxes; else NULL.
     * */
    const mass_cuda_box *boxes; /* [ranks] */
    uint32_t *refused_out;      /* where refusals are written */
    uint32_t out_words;         /* words of one round of refusals */
    uint32_t *returned;         /* [claims] 1: it was refused */
    uint32_t *claimed;          /* [claims] 1 + the cell, once the claim has arrived */
    const mass_cuda_reach *reach; /* [ranks] where refusals are written instead, except their number; or NULL */
    mass_cuda_queued_counts *counted;
    uint32_t leaver_room;
    uint32_t *askers;             /* [leaver_room] agents that ask for another rank's place, in the order of claims in
                                     mailboxes */
    uint32_t *leavers;            /* [leaver_room] */
    uint32_t *places, *items;     /* [leaver_room + claims] if agents stay in place: free elements, and the items that
                                     take them, arrivals first */
};

/* A manage on a GPU. Arrays over cells become prefix sums: claims then has the first claim of each cell. Three arrays
 * serve several purposes. Array `order` has the unsorted claims, then the number of births before each agent's, then
 * the new order. Array `sorted` has the sorted claims, then the cells of newborns. Array `birth_seat` has a birth's
 * number among the claims to its cell, then whether it happens. */
struct task {
    mass_manage_work w;
    mass_stop *stop;
    uint32_t cells;
    bool kill_first; /* KILL before MIGRATE */
    bool move_first; /* MIGRATE before SPAWN */
    bool kill_before_spawn;
    bool single;     /* places hold one agent each, and hosts carry no messages (manage_single.cuh) */
    bool decides;    /* seats are limited, and these kernels decide who gets them */
    bool by_bits;    /* single, and an agent has one child at most; order[] has the births before each 32 agents */
    stage *stages;
    uint64_t *status[STAGES]; /* status words of the scans' tiles */
    uint32_t *born;           /* births that happen, in all worlds */
    uint32_t *before; /* agents before; kept for kernels that still need it when another writes *w.count */
    uint32_t *asks;   /* [ASKS] */
    uint32_t *dead;   /* if single, number of deaths; if places are divided among ranks, whether there is any */
    world_count *worlds;
    uint32_t *occupancy;  /* [cells] agents of each cell afterwards; if single, a bit for each cell */
    uint32_t *few;    /* [cells] the same in bytes, used first if there are many cells; or NULL */
    uint32_t *many;   /* 1: some cell has too many agents for a byte, and occupancy[] has the counts */
    uint32_t *before_few; /* [cells / 32 + 1] agents in all cells before every 32nd, once bytes are scanned */
    uint2 *held;      /* [cells / 32 + 1] if single, the occupancy bitmap as the population gets it: mass_seats */
    int32_t *freed;   /* [cells] seats freed since the manage began, less those taken */
    uint32_t *claims; /* [cells + 1]; with capacity 1, 1 + the best claim */
    bool counted;     /* if single: claims[] has [room] elements, for sought cells only */
    uint32_t *sought_bits; /* [cells / 32 + 1] bits of cells that an agent asks to move to */
    uint2 *sought;         /* [cells / 32 + 1] the same, with the number of sought cells before */
    uint32_t *seat;   /* [room] number of an agent among those of its cell, in any order */
    uint32_t *moving; /* [tiles of room][TILE / 32] if single, bits of agents that ask to move, up to the last tile */
    uint32_t *parents; /* the same for agents that ask for births, if children are possible */
    uint32_t *births;  /* [room / 32 + 1] if by_bits, bits of agents that have a child, in canonical order */
    uint32_t *dying;   /* [cells / 32 + 1] if agents are found in any order, bits of places whose agents die */
    uint32_t *order, *sorted;
    uint32_t *birth_seat; /* [children][room] */
    uint32_t *newborn; /* [room] births that happen: b * room + parent */
    uint8_t *state;    /* [room] */
    uint2 *crowded;     /* tiles of crowds: cell, number within the cell */
    remote_part remote;
};

struct agent {
    uint32_t cell, move, asked;
    bool closed;
};

/* Return the number of the thread in the grid, and the threads of the grid. */
__device__ __forceinline__ uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ uint32_t all_threads() { return gridDim.x * blockDim.x; }
#define EACH(I, N) for (uint32_t I = thread_number(); I < (N); I += all_threads())

/* Returns whether queued work has stopped; then kernels do nothing. */
__device__ __forceinline__ bool is_stopped(const task &t) { return t.stop->stopped; }

/* Returns the world of a cell. */
__device__ __forceinline__ uint32_t world_of(const task &t, uint32_t cell)
{
    return t.w.worlds == 1 ? 0 : cell / (uint32_t)t.w.places;
}

/* Returns an agent and its requests. An agent of a closed world has none. asked: false if no agent is known to ask for
 * more than a move. */
__device__ __forceinline__ agent get_agent(const task &t, uint32_t i, bool asked = true)
{
    const uint32_t cell = t.w.cell[i];
    if (t.w.gates && t.w.gates[world_of(t, cell)]) return {cell, MASS_CELL_STAY, 0, true};
    return {cell, t.w.move[i], asked ? t.w.asked[i] : 0, false};
}

/* Returns whether the agent asks to die. */
__device__ __forceinline__ bool is_dead(const agent &a) { return a.asked & MASS_ASKED_KILL; }

/* Returns whether the agent asks to move, to a cell of this rank or of another (MASS_CELL_REMOTE). False for its own
 * cell, for MASS_CELL_NOWHERE, and if it dies first. */
__device__ __forceinline__ bool is_moving(const task &t, const agent &a)
{
    return a.move < MASS_CELL_NOWHERE && a.move != a.cell && !(t.kill_first && is_dead(a));
}

/* Returns the agent's cell once moves are decided; MASS_CELL_REMOTE if it leaves. */
__device__ __forceinline__ uint32_t cell_of(const task &t, uint32_t i, const agent &a)
{
    const bool granted = t.decides ? t.state[i] == GRANTED : is_moving(t, a);
    return granted ? a.move : a.cell;
}

/* Returns whether an agent's move was refused, once moves are decided. Agents of closed worlds keep their flags. */
__device__ __forceinline__ bool is_lost(const task &t, uint32_t i, const agent &a)
{
    if (a.closed) return t.w.lost[i];
    return t.decides ? t.state[i] >= LOSES : a.move == MASS_CELL_NOWHERE;
}

/* Returns how many births an agent asks for, at most those that the model allows. */
__device__ __forceinline__ uint32_t births_of(const task &t, const agent &a)
{
    const uint32_t births = a.asked & ~MASS_ASKED_KILL;
    return births < t.w.children ? births : t.w.children;
}

/* Returns the number of agent i's b-th birth among all possible births. */
__device__ __forceinline__ uint32_t birth_number(const task &t, uint32_t i, uint32_t b) { return b * t.w.room + i; }

/* Returns the cell that a child asks for. `parent` is the parent's cell when it is born. */
__device__ __forceinline__ uint32_t cell_of_child(const task &t, uint32_t i, uint32_t b, uint32_t parent)
{
    const uint32_t cell = t.w.child_cell[birth_number(t, i, b)];
    return cell != MASS_CELL_STAY ? cell : parent;
}

/* Returns the cell that a birth asks for; its parent's cell at that time if it names none. */
__device__ __forceinline__ uint32_t cell_of_birth(const task &t, uint32_t i, const agent &a, uint32_t b)
{
    const uint32_t cell = t.w.child_cell[birth_number(t, i, b)];
    if (cell != MASS_CELL_STAY) return cell;
    return t.move_first ? cell_of(t, i, a) : a.cell;
}

/* Returns whether a birth happens, once births are decided. */
__device__ __forceinline__ bool is_born(const task &t, uint32_t number)
{
    return t.decides ? t.birth_seat[number] : t.w.child_cell[number] != MASS_CELL_NOWHERE;
}

/* Returns the number of agents in all cells before one, for a single task with scanned bits. Reads much less memory
 * than start. */
__device__ __forceinline__ uint32_t number_of(const task &t, uint64_t cell)
{
    const uint2 s = t.held[cell / 32];
    return s.y + __popc(s.x & ((1u << cell % 32) - 1));
}

/* Returns the address of a cell's entry in claims[]. */
__device__ __forceinline__ uint32_t *claim_word(const task &t, uint32_t cell)
{
    if (!t.counted) return &t.claims[cell];
    const uint2 s = t.sought[cell / 32];
    return &t.claims[s.y + __popc(s.x & ((1u << cell % 32) - 1))];
}

/* Returns whether any agent asks to move to the cell; always true if sought cells are not counted. */
__device__ __forceinline__ bool is_sought(const task &t, uint32_t cell)
{
    return !t.counted || t.sought[cell / 32].x >> cell % 32 & 1;
}

/* Returns an agent's index in canonical order, from its cell, for a single task whose bits are not scanned yet. */
__device__ __forceinline__ uint32_t rank_in_order(const task &t, uint32_t i, uint32_t cell)
{
    return t.w.order.finds == MASS_ORDER_ANY ? number_of(t, cell) : i;
}

/* Returns the number of births before those of an agent, by its index in canonical order, once they are counted. */
__device__ __forceinline__ uint32_t births_before_agent(const task &t, uint32_t number)
{
    if (!t.by_bits) return t.order[number];
    return t.order[number / 32] + __popc(t.births[number / 32] & ((1u << number % 32) - 1));
}

/* Returns the first agent of a cell, or the number of all, for a single task. Before bits are scanned: in the old
 * order; afterwards: in the new one. */
__device__ __forceinline__ uint32_t first_of(const task &t, uint64_t cell)
{
    return t.w.occupancy ? number_of(t, cell) : t.w.start[cell];
}

/* Returns whether few[] has the number of agents of each cell afterwards, once all are counted. */
__device__ __forceinline__ bool counts_in_bytes(const task &t) { return t.few && *t.many == 0; }

/* Returns the first agent of a cell in the new order. If bytes have been scanned (in_bytes), reads much less memory
 * than start. */
__device__ __forceinline__ uint32_t first_in_order(const task &t, uint32_t cell, bool in_bytes)
{
    if (!in_bytes) return t.w.start[cell];
    const uint4 *const words = (const uint4 *)t.few + cell / 32 * 2, low = words[0], high = words[1];
    const uint32_t word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}, at = cell % 32;
    uint32_t before = t.before_few[cell / 32];
#pragma unroll
    for (uint32_t k = 0; k < 8; k++) {
        const uint32_t ones = at >= 4 * k + 4 ? 0x01010101u : at > 4 * k ? 0x01010101u >> 8 * (4 * k + 4 - at) : 0;
        before = __dp4a(word[k], ones, before);
    }
    return before;
}

/* Returns the position of the set bit number n of a word. */
__device__ __forceinline__ uint32_t place_of_bit(uint32_t word, uint32_t n)
{
    uint32_t at = 0;
#pragma unroll
    for (uint32_t half = 16; half; half /= 2) {
        const uint32_t below = __popc(word >> at & ((1u << half) - 1));
        if (n < below) continue;
        n -= below;
        at += half;
    }
    return at;
}

/* Calls visit() for each agent whose bit is set; word() returns bit words by number. All threads of all blocks but the
 * first `skip` call it. Each tile uses as few warps as can do it. */
template <class Word, class Visit>
__device__ __forceinline__ void each_set(uint32_t count, Word word, Visit visit, uint32_t skip = 0)
{
    constexpr uint32_t MANY = TILE / 2;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (uint32_t first = (blockIdx.x - skip) * TILE; first < count; first += (gridDim.x - skip) * TILE) {
        const uint32_t own = word(first / 32 + lane);
        uint32_t up_to = __popc(own);
        for (uint32_t d = 1; d < 32; d *= 2) {
            const uint32_t other = __shfl_up_sync(ALL_LANES, up_to, d);
            if (lane >= d) up_to += other;
        }
        const uint32_t all = __shfl_sync(ALL_LANES, up_to, 31);
        if (all > MANY) {
            for (uint32_t k = 0; k < TILE / 32; k += THREADS / 32) {
                const uint32_t bits = __shfl_sync(ALL_LANES, own, k + warp);
                if (bits >> lane & 1) visit(first + (k + warp) * 32 + lane);
            }
            continue;
        }
        for (uint32_t from = warp * 32; from < all; from += THREADS) {
            const uint32_t n = from + lane;
            uint32_t at = 0; /* words whose bits all have smaller numbers */
            for (uint32_t half = 16; half; half /= 2)
                if (__shfl_sync(ALL_LANES, up_to, at + half - 1) <= n) at += half;
            const uint32_t bits = __shfl_sync(ALL_LANES, own, at % 32), end = __shfl_sync(ALL_LANES, up_to, at % 32);
            if (n < all) visit(first + at * 32 + place_of_bit(bits, n - (end - __popc(bits))));
        }
    }
}

/* Returns whether no agent is known to make such a request, for a single task. */
__device__ __forceinline__ bool nobody_asks(const task &t, int what) { return t.single && t.asks[what] == 0; }

/* Returns the free seats of a cell, less than 0 if it holds more agents than its capacity. */
__device__ __forceinline__ int64_t free_seats(const task &t, uint32_t cell, int32_t freed)
{
    return (int64_t)t.w.capacity - (t.w.start[cell + 1] - t.w.start[cell]) + freed;
}

/* How kernels over agents are launched: LAUNCH(launcher, kernel, arguments after the task...). */
struct launcher {
    cudaStream_t stream;
    task t;
    int processors;
    uint32_t blocks; /* blocks to spread agents over */
    uint32_t tiled;  /* the same, in tiles */
    bool overlaps;   /* a kernel may begin while the one before it ends */
};

/* Returns arrival k, as its rank packed it. */
__device__ __forceinline__ const mass_remote_traveller *arrival(const task &t, uint32_t k)
{
    return (const mass_remote_traveller *)(t.remote.arrivals + (size_t)k * t.remote.stride);
}
/* Returns the k-th claim of other ranks. */
__device__ __forceinline__ const mass_remote_claim *claim_of(const task &t, uint32_t k)
{
    return (const mass_remote_claim *)((const char *)t.remote.claim + (size_t)k * t.remote.claim_stride);
}
/* Returns whether an item of the new order is an arrival. */
__device__ __forceinline__ bool comes(const task &t, uint32_t item)
{
    return item >= t.remote.first_arrival;
}

/* Returns the number of births that agents may have. Other ranks' births are numbered from there on, as their moves are
 * after agents. */
__device__ __forceinline__ uint32_t all_births(const task &t) { return t.w.children * t.w.room; }

/* Launches a kernel that begins with follow(), after another kernel: it may begin while that one ends. */
template <class... Given, class... Arguments>
void launch_wide_behind(const launcher &l, uint32_t blocks, uint32_t threads, void (*kernel)(task, Given...),
                        Arguments... arguments)
{
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(threads), config.stream = l.stream;
    config.attrs = &overlap, config.numAttrs = l.overlaps ? 1 : 0;
    cudaLaunchKernelEx(&config, kernel, l.t, arguments...);
}
/* Launches a kernel of THREADS threads a block, which may start before the kernel ahead of it has ended. */
template <class... Given, class... Arguments>
void launch_behind(const launcher &l, uint32_t blocks, void (*kernel)(task, Given...), Arguments... arguments)
{
    launch_wide_behind(l, blocks, THREADS, kernel, arguments...);
}

/* Lets the next kernel begin, and waits until the one before is complete. Comes before any use of memory. */
__device__ __forceinline__ void follow()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Returns the blocks for agents plus `more`, but no more than processors hold at once. */
inline uint32_t blocks_with(const launcher &l, uint32_t more)
{
    constexpr uint32_t AT_ONCE = 8;
    const uint32_t most = (uint32_t)l.processors * AT_ONCE, all = l.tiled + more;
    return all <= most ? all : most > more ? most : more + 1;
}

#define LAUNCH(L, KERNEL, ...) KERNEL<<<(L).blocks, THREADS, 0, (L).stream>>>((L).t, ##__VA_ARGS__)

} // namespace
#endif
