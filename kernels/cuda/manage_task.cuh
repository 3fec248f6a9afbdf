/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernels of a manage share: the work, its scratch, and what an agent asks for. */
#ifndef MASS_KERNELS_CUDA_MANAGE_TASK_H
#define MASS_KERNELS_CUDA_MANAGE_TASK_H

#include "cuda/manage_far.h"
#include "cuda/manage_queued.h"
#include "cuda/kernels.h"

#include <mass/random.h>

namespace {

constexpr int THREADS = 256;
constexpr uint32_t ALL_LANES = 0xffffffffu;
constexpr uint32_t LOST = 0x80000000u; /* in an item of the new order */

/* Agents that a block looks at together, where few of them have anything to do. */
constexpr uint32_t TILE = 4 * THREADS;

/* Up to so many agents of a cell are put in order by counting; more are a crowd, which is sorted. */
constexpr uint32_t CROWD = 64;

/* Of an agent whose move may be refused. LOSES: at once. LOST_SEAT: to somebody who had to stay. */
enum { STANDS, GRANTED, LOSES, LOST_SEAT, REFUSED };

/* The same of places that hold one agent, where they are divided among ranks. GOES: also to another rank, as long as
 * its claim does not come back. IS_AWAY: once moves are settled, it has left. */
enum { GOES, COMES_BACK, IS_AWAY };

/* What is put in order, and so scanned, in the course of a manage. */
enum { BIRTH_CLAIMS, MOVE_CLAIMS, BIRTHS, AGENTS, STAGES };

/* What it is worth to know of, where nobody asks for it. */
enum { ASKS_BIRTH, ASKS_MOVE, ASKS_ANYTHING_ELSE, ASKS };

struct stage {
    uint32_t ticket;  /* tiles of the scan that were begun */
    uint32_t tiles;   /* of crowds */
    uint32_t biggest; /* crowd */
};

struct world_count {
    uint64_t child_id; /* of birth 0 of all worlds, if it were of this world */
    uint32_t first, before, born, refused; /* first agent and number of agents as they were */
    int32_t away; /* those who leave for other ranks, less those who come */
};

/* What concerns other ranks, where places are divided among them (far.h). All zeros: one holds all.
 *
 * While seats are decided, claims of other ranks to cells of this one are items behind the agents, or behind the births
 * that agents may have. An agent that leaves is granted that until its claim comes back. Once all is decided, requests
 * that were refused ask for no cell, and those who come are items of the new order behind the newborns. */
struct far_part {
    bool cut;
    int32_t ranks;
    const int64_t *first_place; /* [ranks + 1] */
    mass_cuda_far_counts *counts;
    uint32_t *born, *died; /* [worlds] */

    const mass_far_claim *claim; /* [claims] of other ranks, claim_stride bytes from one to the next */
    uint32_t claims, claim_stride;
    uint8_t *state;              /* [claims] as that of agents */
    uint32_t *seat;              /* [claims] */
    mass_far_refusal *refused;   /* [claims] */

    uint32_t births;      /* that happen, on whatever rank */
    const char *arrivals; /* [arrival_count] travellers */
    uint32_t arrival_count, first_arrival; /* that item is the first of them */
    uint32_t stride;      /* from a traveller to the next */
    uint32_t *arrival_seat;
    const uint64_t *id_base; /* [worlds] the id of this rank's first birth; or NULL: it is added later */

    /* Where what ranks tell each other is queued (manage_single_far.cuh), and claims lie in boxes; or NULL. */
    const mass_cuda_box *boxes; /* [ranks] */
    uint32_t *refused_out;      /* what is refused now goes there */
    uint32_t out_words;         /* of it, for one round */
    uint32_t *returned;         /* [claims] 1: it was refused */
    uint32_t *claimed;          /* [claims] 1 + the cell, once it is known that there is a claim */
    const mass_cuda_reach *reach; /* [ranks] to where it goes instead, all but its number; or NULL */
    mass_cuda_queued_counts *counted;
    uint32_t leaver_room;
    uint32_t *askers;             /* [leaver_room] who asks for another rank's place, as claims lie in boxes */
    uint32_t *leavers;            /* [leaver_room] */
    uint32_t *places, *items;     /* [leaver_room + claims] where agents keep their places: free ones, and for whom;
                                     those who come are the first of these */
};

/* Arrays over cells are running numbers: claims become the first claim of each cell. Three arrays serve
 * two purposes: order is the unsorted claims, then the number of births before each agent's, then the
 * new order; sorted is the sorted claims, then the seats of newborns; birth_seat is the seat that a birth
 * claims among those of its cell, then whether it happens. */
struct task {
    mass_manage_work w;
    mass_stop *stop;
    uint32_t cells;
    bool kill_first; /* before MIGRATE */
    bool move_first; /* before SPAWN */
    bool kill_before_spawn;
    bool single;     /* places hold one agent each, and hosts carry nothing (manage_single.cuh) */
    bool decides;    /* seats are few, and who gets them is decided here */
    bool by_bits;    /* if single, an agent has one child at most, and order[] has the births before those of each 32
                        agents */
    stage *stages;
    uint64_t *status[STAGES]; /* of the tiles of the scans */
    uint32_t *born;           /* births that happen, in all worlds */
    uint32_t *before; /* agents there were, where *w.count is written by who still needs it */
    uint32_t *asks;   /* [ASKS] */
    uint32_t *dead;   /* if single, those who die; where places are divided among ranks, whether any does */
    world_count *worlds;
    uint32_t *seats;  /* [cells] agents there will be; if single, bits */
    uint2 *held;      /* [cells / 32 + 1] seats as they become those of the population, if single: mass_seats */
    int32_t *freed;   /* [cells] seats freed since manage began, less those taken */
    uint32_t *claims; /* [cells + 1]; with capacity 1, 1 + the best claim */
    bool counted;     /* if single: claims[] has [room] elements, of cells that are sought */
    uint32_t *sought_bits; /* [cells / 32 + 1] of cells to which somebody asks to move */
    uint2 *sought;         /* [cells / 32 + 1] the same, with the number of those before */
    uint32_t *seat;   /* [room] place of an agent among those of its cell, in no order */
    uint32_t *moving; /* [tiles of room][TILE / 32] if single, bits of agents that ask to move, up to the last tile */
    uint32_t *parents; /* the same of those that ask for births, where there may be any */
    uint32_t *births;  /* [room / 32 + 1] if by_bits, bits of agents that have a child, in canonical order */
    uint32_t *dying;   /* [cells / 32 + 1] if agents are loose, bits of places whose agents die */
    uint32_t *order, *sorted;
    uint32_t *birth_seat; /* [children][room] */
    uint32_t *newborn; /* [room] the births that happen: b * room + parent */
    uint8_t *state;    /* [room] */
    uint2 *crowds;     /* tiles: cell, number within the cell */
    far_part far;
};

struct agent {
    uint32_t cell, move, asked;
    bool closed;
};

__device__ __forceinline__ uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ uint32_t all_threads() { return gridDim.x * blockDim.x; }
#define EACH(I, N) for (uint32_t I = thread_number(); I < (N); I += all_threads())

__device__ __forceinline__ bool is_stopped(const task &t) { return t.stop->stopped; }

__device__ __forceinline__ uint32_t world_of(const task &t, uint32_t cell)
{
    return t.w.worlds == 1 ? 0 : cell / (uint32_t)t.w.places;
}

/* One of a closed world asks for nothing. asked: whether anybody asks for more than a move, as far as is known. */
__device__ __forceinline__ agent get_agent(const task &t, uint32_t i, bool asked = true)
{
    const uint32_t cell = t.w.cell[i];
    if (t.w.gates && t.w.gates[world_of(t, cell)]) return {cell, MASS_CELL_STAY, 0, true};
    return {cell, t.w.move[i], asked ? t.w.asked[i] : 0, false};
}

__device__ __forceinline__ bool is_dead(const agent &a) { return a.asked & MASS_ASKED_KILL; }

/* Also to a cell of another rank, MASS_CELL_FAR. */
__device__ __forceinline__ bool is_moving(const task &t, const agent &a)
{
    return a.move < MASS_CELL_NOWHERE && a.move != a.cell && !(t.kill_first && is_dead(a));
}

/* Once moves are decided; MASS_CELL_FAR if it leaves. */
__device__ __forceinline__ uint32_t cell_of(const task &t, uint32_t i, const agent &a)
{
    const bool granted = t.decides ? t.state[i] == GRANTED : is_moving(t, a);
    return granted ? a.move : a.cell;
}

__device__ __forceinline__ bool is_lost(const task &t, uint32_t i, const agent &a)
{
    if (a.closed) return t.w.lost[i];
    return t.decides ? t.state[i] >= LOSES : a.move == MASS_CELL_NOWHERE;
}

__device__ __forceinline__ uint32_t births_of(const task &t, const agent &a)
{
    const uint32_t births = a.asked & ~MASS_ASKED_KILL;
    return births < t.w.children ? births : t.w.children;
}

__device__ __forceinline__ uint32_t birth_number(const task &t, uint32_t i, uint32_t b) { return b * t.w.room + i; }

/* `parent` is where the parent stands when it is born. */
__device__ __forceinline__ uint32_t cell_of_child(const task &t, uint32_t i, uint32_t b, uint32_t parent)
{
    const uint32_t cell = t.w.child_cell[birth_number(t, i, b)];
    return cell != MASS_CELL_STAY ? cell : parent;
}

__device__ __forceinline__ uint32_t cell_of_birth(const task &t, uint32_t i, const agent &a, uint32_t b)
{
    const uint32_t cell = t.w.child_cell[birth_number(t, i, b)];
    if (cell != MASS_CELL_STAY) return cell;
    return t.move_first ? cell_of(t, i, a) : a.cell;
}

/* Once births are decided. */
__device__ __forceinline__ bool is_born(const task &t, uint32_t number)
{
    return t.decides ? t.birth_seat[number] : t.w.child_cell[number] != MASS_CELL_NOWHERE;
}

/* The number of agents in all cells before one, of a single task whose seats are scanned. From much less memory than
 * start. */
__device__ __forceinline__ uint32_t number_of(const task &t, uint64_t cell)
{
    const uint2 s = t.held[cell / 32];
    return s.y + __popc(s.x & ((1u << cell % 32) - 1));
}

/* Where the best claim to a cell is, if any. */
__device__ __forceinline__ uint32_t *claim_word(const task &t, uint32_t cell)
{
    if (!t.counted) return &t.claims[cell];
    const uint2 s = t.sought[cell / 32];
    return &t.claims[s.y + __popc(s.x & ((1u << cell % 32) - 1))];
}

__device__ __forceinline__ bool is_sought(const task &t, uint32_t cell)
{
    return !t.counted || t.sought[cell / 32].x >> cell % 32 & 1;
}

/* Which agent in canonical order one is that stands on a cell, of a single task, before its seats are scanned. */
__device__ __forceinline__ uint32_t rank_in_order(const task &t, uint32_t i, uint32_t cell)
{
    return t.w.loose ? number_of(t, cell) : i;
}

/* The births before those of an agent, by its number in canonical order, once they are counted. */
__device__ __forceinline__ uint32_t births_before_agent(const task &t, uint32_t number)
{
    if (!t.by_bits) return t.order[number];
    return t.order[number / 32] + __popc(t.births[number / 32] & ((1u << number % 32) - 1));
}

/* The first agent of a cell, or the number of all, of a single task: before the manage; once seats are scanned, as it
 * will be. */
__device__ __forceinline__ uint32_t first_of(const task &t, uint64_t cell)
{
    return t.w.seats ? number_of(t, cell) : t.w.start[cell];
}

/* Where in a word its set bit number n is. */
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

/* visit() for each agent that has a bit, where word() tells of their words by number; by all threads of all blocks but
 * the first `skip`, and by as few of a tile's warps as can do it. */
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
            uint32_t at = 0; /* words of which all bits have smaller numbers */
            for (uint32_t half = 16; half; half /= 2)
                if (__shfl_sync(ALL_LANES, up_to, at + half - 1) <= n) at += half;
            const uint32_t bits = __shfl_sync(ALL_LANES, own, at % 32), end = __shfl_sync(ALL_LANES, up_to, at % 32);
            if (n < all) visit(first + at * 32 + place_of_bit(bits, n - (end - __popc(bits))));
        }
    }
}

/* Whether it is known, of a single task, that nobody asks for one. */
__device__ __forceinline__ bool nobody_asks(const task &t, int what) { return t.single && t.asks[what] == 0; }

__device__ __forceinline__ int64_t free_seats(const task &t, uint32_t cell, int32_t freed)
{
    return (int64_t)t.w.capacity - (t.w.start[cell + 1] - t.w.start[cell]) + freed;
}

/* How kernels over agents are launched, by LAUNCH(launcher, kernel, arguments after the task...). */
struct launcher {
    cudaStream_t stream;
    task t;
    int processors;
    uint32_t blocks; /* that agents are spread over */
    uint32_t tiled;  /* the same, by tiles */
    bool overlaps;   /* a kernel may begin while the one before it ends */
};

__device__ __forceinline__ const mass_far_traveller *arrival(const task &t, uint32_t k)
{
    return (const mass_far_traveller *)(t.far.arrivals + (size_t)k * t.far.stride);
}
__device__ __forceinline__ const mass_far_claim *claim_of(const task &t, uint32_t k)
{
    return (const mass_far_claim *)((const char *)t.far.claim + (size_t)k * t.far.claim_stride);
}
/* Whether an item of the new order behind the agents is one of them. */
__device__ __forceinline__ bool comes(const task &t, uint32_t item)
{
    return item >= t.far.first_arrival;
}

/* Births by other ranks' claims are numbered behind those that agents may have, as their moves are behind agents. */
__device__ __forceinline__ uint32_t all_births(const task &t) { return t.w.children * t.w.room; }

/* The same for kernels that begin with follow(), after others: it may begin while the one before it ends. */
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
template <class... Given, class... Arguments>
void launch_behind(const launcher &l, uint32_t blocks, void (*kernel)(task, Given...), Arguments... arguments)
{
    launch_wide_behind(l, blocks, THREADS, kernel, arguments...);
}

/* Lets the next kernel begin, and touches no memory before the one before it is complete. */
__device__ __forceinline__ void follow()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* As many blocks as agents are spread over and some more, but no more than processors hold at once. */
inline uint32_t blocks_with(const launcher &l, uint32_t more)
{
    constexpr uint32_t AT_ONCE = 8;
    const uint32_t most = (uint32_t)l.processors * AT_ONCE, all = l.tiled + more;
    return all <= most ? all : most > more ? most : more + 1;
}

#define LAUNCH(L, KERNEL, ...) KERNEL<<<(L).blocks, THREADS, 0, (L).stream>>>((L).t, ##__VA_ARGS__)

} // namespace
#endif
