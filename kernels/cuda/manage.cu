/* Births, deaths and moves of a population (manage.h).
 *
 * Every request to move is granted at first; freed[] counts the seats that leavers leave. Claims of a cell
 * are ranked: with capacity 1 the best of each is found by compare-and-swap, else they are sorted. Those
 * beyond the free seats lose, and a loser's thread goes on: it takes back a seat on its own cell, and if
 * that was promised to a claim, the worst one still granted, that one is the next loser. Which thread
 * takes which seat first changes who takes back whom, not who loses.
 *
 * The new order is a counting sort by cell, put in order by id within cells. */
#include "cuda/manage_sort.cuh"

#include <string.h>

namespace {

__device__ __forceinline__ bool is_stopped(const task &t) { return t.stop->stopped; }

#define EACH(I, N) for (uint32_t I = thread_number(); I < (N); I += all_threads())

/* Seats that changed since freed[] was brought up to date: `phases` that were carried out. */
__device__ void settle(const task &t, uint32_t i, const agent &a, uint32_t phases, bool moved)
{
    if (phases & 1u << MASS_KILL && is_dead(a)) atomicAdd(&t.freed[moved ? cell_of(t, i, a) : a.cell], 1);
    if (phases & 1u << MASS_MIGRATE && t.state[i] == GRANTED) atomicSub(&t.freed[a.move], 1);
    if (phases & 1u << MASS_SPAWN)
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++)
            if (is_born(t, birth_number(t, i, b))) atomicSub(&t.freed[cell_of_birth(t, i, a, b)], 1);
}

/* Makes an item the best claim of a cell, unless there is a better one. */
template <class Rank> __device__ void challenge(const task &t, uint32_t cell, uint32_t item, Rank rank_of)
{
    uint32_t best = atomicCAS(&t.claims[cell], 0, item + 1);
    if (best == 0) return;
    const rank own = rank_of(t, cell, item);
    while (is_before(own, rank_of(t, cell, best - 1))) {
        const uint32_t now = atomicCAS(&t.claims[cell], best, item + 1);
        if (now == best) return;
        best = now;
    }
}

/* Births, where places have a capacity. */

__global__ void claim_births(const __grid_constant__ task t, uint32_t phases)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        settle(t, i, a, phases, t.move_first);
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++) {
            const uint32_t cell = cell_of_birth(t, i, a, b), number = birth_number(t, i, b);
            if (cell == MASS_CELL_NOWHERE) t.wish[number] = 0;
            else if (t.w.capacity == 1) challenge(t, cell, number, by_parent());
            else t.wish[number] = atomicAdd(&t.claims[cell], 1);
        }
    }
}

__global__ void decide_births(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++) {
            const uint32_t cell = cell_of_birth(t, i, a, b), number = birth_number(t, i, b);
            if (cell == MASS_CELL_NOWHERE) continue;
            t.wish[number] = t.claims[cell] == number + 1 && free_seats(t, cell, t.freed[cell]) > 0;
        }
    }
}

__global__ void place_births(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        for (uint32_t b = 0, n = births_of(t, a); b < n; b++) {
            const uint32_t cell = cell_of_birth(t, i, a, b), number = birth_number(t, i, b);
            if (cell != MASS_CELL_NOWHERE) t.order[t.claims[cell] + t.wish[number]] = number;
        }
    }
}

/* Rank of item k of t.order among those of its cell. */
template <class Rank> __device__ uint32_t rank_claim(const task &t, uint32_t k, uint32_t cell, Rank rank_of)
{
    const uint32_t first = t.claims[cell], last = t.claims[cell + 1];
    if (last - first == 1 || last - first > CROWD) return k - first;
    return items_before(t, cell, t.order, first, last, t.order[k], rank_of);
}

__global__ void rank_births(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(k, t.claims[t.cells]) {
        const uint32_t number = t.order[k], i = number % t.w.room;
        const uint32_t cell = cell_of_birth(t, i, get_agent(t, i), number / t.w.room);
        t.wish[number] = rank_claim(t, k, cell, by_parent()) < free_seats(t, cell, t.freed[cell]);
    }
}

/* Moves, where places have a capacity. */

__global__ void claim_moves(const __grid_constant__ task t, uint32_t phases)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        settle(t, i, a, phases, false);
        if (!is_moving(t, a)) {
            t.state[i] = a.move == MASS_CELL_NOWHERE ? REFUSED : STANDS;
            continue;
        }
        atomicAdd(&t.freed[a.cell], 1);
        if (t.w.capacity == 1) challenge(t, a.move, i, by_rule());
        else t.seat[i] = atomicAdd(&t.claims[a.move], 1);
    }
}

__global__ void decide_moves(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        if (!is_moving(t, a)) continue;
        const bool best = t.claims[a.move] == i + 1;
        t.state[i] = best && free_seats(t, a.move, t.freed[a.move]) > 0 ? GRANTED : LOSES;
    }
}

__global__ void place_moves(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        if (is_moving(t, a)) t.order[t.claims[a.move] + t.seat[i]] = i;
    }
}

__global__ void rank_moves(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(k, t.claims[t.cells]) {
        const uint32_t i = t.order[k], cell = t.w.move[i], rank = rank_claim(t, k, cell, by_rule());
        t.sorted[t.claims[cell] + rank] = i;
        t.state[i] = rank < free_seats(t, cell, t.freed[cell]) ? GRANTED : LOSES;
    }
}

/* The agent whose granted claim has the last of `seats` seats of a cell. */
__device__ bool last_claim(const task &t, uint32_t cell, int64_t seats, uint32_t *i)
{
    if (seats < 1) return false;
    if (t.w.capacity == 1) {
        *i = t.claims[cell] - 1;
        return t.claims[cell] != 0;
    }
    const int64_t at = t.claims[cell] + seats - 1;
    if (at >= t.claims[cell + 1]) return false;
    *i = t.sorted[at];
    return true;
}

__global__ void take_back(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        if (t.state[i] != LOSES) continue;
        for (uint32_t loser = i;; t.state[loser] = LOST_SEAT) {
            const uint32_t cell = t.w.cell[loser];
            const int32_t freed = atomicSub(&t.freed[cell], 1);
            if (!last_claim(t, cell, free_seats(t, cell, freed), &loser)) break;
        }
    }
}

/* The new order. */

/* A place among those who will stand on a cell; at once for a warp that all goes to one. */
__device__ uint32_t take_seat(uint32_t *seats)
{
    const uint32_t lanes = __activemask();
    int same;
    __match_all_sync(lanes, (unsigned long long)seats, &same);
    if (!same) return atomicAdd(seats, 1);
    const uint32_t lane = threadIdx.x % 32, leader = __ffs(lanes) - 1;
    uint32_t first = 0;
    if (lane == leader) first = atomicAdd(seats, __popc(lanes));
    return __shfl_sync(lanes, first, leader) + __popc(lanes & ((1u << lane) - 1));
}

__device__ void seat_newborns(const task &t, uint32_t i, const agent &a, uint32_t births)
{
    uint32_t k = t.order[i], refused = births;
    for (uint32_t b = 0; b < births; b++) {
        const uint32_t number = birth_number(t, i, b);
        if (!is_born(t, number)) continue;
        t.newborn[k] = number;
        t.sorted[k] = atomicAdd(&t.seats[cell_of_birth(t, i, a, b)], 1);
        k++;
        refused--;
    }
    if (refused) atomicAdd(&t.worlds[world_of(t, a.cell)].refused, refused);
}

__device__ uint32_t births_before(const task &t, uint32_t i) { return i < *t.w.count ? t.order[i] : *t.born; }

__device__ void count_world(const task &t, uint32_t world)
{
    const uint64_t cell = (uint64_t)world * (uint64_t)t.w.places;
    const uint32_t first = t.w.start[cell], end = t.w.start[cell + (uint64_t)t.w.places];
    world_count *const c = &t.worlds[world];
    c->first = first;
    c->before = end - first;
    if (t.w.children == 0) return;
    c->born = births_before(t, end) - births_before(t, first);
    c->child_id = t.w.next_id[world] - births_before(t, first);
}

__device__ void close_gates(const task &t)
{
    if (t.w.closed) EACH(world, (uint32_t)t.w.worlds) t.w.closed[world] = 1;
}

/* Comes first after births were counted. */
__global__ void seat_agents(const __grid_constant__ task t)
{
    if (is_stopped(t)) {
        close_gates(t);
        return;
    }
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        const uint32_t births = births_of(t, a);
        if (!is_dead(a)) t.seat[i] = take_seat(&t.seats[cell_of(t, i, a)]);
        if (births) seat_newborns(t, i, a, births);
    }
    EACH(world, (uint32_t)t.w.worlds) count_world(t, world);
}

__device__ __forceinline__ void put_in_cell(const task &t, uint32_t cell, uint32_t seat, uint32_t item)
{
    const uint32_t at = t.w.start[cell] + seat;
    t.order[at] = item;
    t.w.cell_to[at] = cell;
}

__global__ void place_agents(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, *t.w.count) {
        const agent a = get_agent(t, i);
        if (!is_dead(a)) put_in_cell(t, cell_of(t, i, a), t.seat[i], is_lost(t, i, a) ? i | LOST : i);
    }
    EACH(k, *t.born) {
        const uint32_t i = t.newborn[k] % t.w.room, b = t.newborn[k] / t.w.room;
        put_in_cell(t, cell_of_birth(t, i, get_agent(t, i), b), t.sorted[k], t.w.room + k);
    }
}

/* Elements of attributes are copied in pieces of up to 16 bytes. */
struct piece {
    const char *from, *child;
    char *to;
    uint32_t stride, bytes;
    uint4 initial;
};

constexpr uint32_t PIECES = 48, PIECES_AT_ONCE = 4;

struct pieces {
    uint32_t count;
    piece p[PIECES];
};

__device__ __forceinline__ uint4 load_piece(const char *at, uint32_t bytes)
{
    switch (bytes) {
    case 1: return {*(const uint8_t *)at, 0, 0, 0};
    case 2: return {*(const uint16_t *)at, 0, 0, 0};
    case 4: return {*(const uint32_t *)at, 0, 0, 0};
    case 8: return {((const uint2 *)at)->x, ((const uint2 *)at)->y, 0, 0};
    default: return *(const uint4 *)at;
    }
}

__device__ __forceinline__ void store_piece(char *at, uint32_t bytes, const uint4 &value)
{
    switch (bytes) {
    case 1: *(uint8_t *)at = (uint8_t)value.x; break;
    case 2: *(uint16_t *)at = (uint16_t)value.x; break;
    case 4: *(uint32_t *)at = value.x; break;
    case 8: *(uint2 *)at = {value.x, value.y}; break;
    default: *(uint4 *)at = value;
    }
}

__device__ __forceinline__ uint4 piece_of(const task &t, const piece &p, uint32_t item)
{
    if (item < t.w.room) return load_piece(p.from + (size_t)item * p.stride, p.bytes);
    if (!p.child) return p.initial;
    return load_piece(p.child + (size_t)t.newborn[item - t.w.room] * p.stride, p.bytes);
}

__device__ __forceinline__ void copy_pieces(const task &t, const pieces &all, uint32_t item, uint32_t to)
{
    for (uint32_t k = 0; k < all.count; k += PIECES_AT_ONCE) {
        uint4 value[PIECES_AT_ONCE];
#pragma unroll
        for (uint32_t j = 0; j < PIECES_AT_ONCE; j++)
            if (k + j < all.count) value[j] = piece_of(t, all.p[k + j], item);
#pragma unroll
        for (uint32_t j = 0; j < PIECES_AT_ONCE; j++)
            if (k + j < all.count)
                store_piece(all.p[k + j].to + (size_t)to * all.p[k + j].stride, all.p[k + j].bytes, value[j]);
    }
}

/* Where item s of the new order goes, which is somewhere in its cell. */
__device__ uint32_t position(const task &t, uint32_t s, uint32_t count, uint32_t cell)
{
    const bool alone = (s == 0 || t.w.cell_to[s - 1] != cell) && (s + 1 == count || t.w.cell_to[s + 1] != cell);
    if (alone) return s;
    const uint32_t first = t.w.start[cell], last = t.w.start[cell + 1];
    if (last - first > CROWD && (t.w.capacity == 0 || t.w.capacity > CROWD)) return s;
    return first + items_before(t, cell, t.order, first, last, t.order[s], by_id());
}

__device__ void tally_world(const task &t, uint32_t world)
{
    if (t.w.gates && t.w.gates[world]) return;
    const uint64_t cell = (uint64_t)world * (uint64_t)t.w.places;
    const uint32_t after = t.w.start[cell + (uint64_t)t.w.places] - t.w.start[cell];
    const world_count c = t.worlds[world];
    t.w.next_id[world] += c.born;
    if (t.w.born) t.w.born[world] += c.born;
    if (t.w.died) t.w.died[world] += (int64_t)c.before + c.born - after;
    if (t.w.refused) t.w.refused[world] += c.refused;
    if (t.w.alive) t.w.alive[world] += after;
}

/* Requests of closed worlds may have to follow their agents before any others are reset. */
__device__ __forceinline__ bool resets_at_once(const task &t)
{
    return !t.w.gates || (t.w.worlds == 1 && t.w.gates[0] == 0);
}

__device__ __forceinline__ void reset(const task &t, uint32_t i)
{
    t.w.move[i] = MASS_CELL_STAY;
    t.w.asked[i] = 0;
}

/* Keeps in seat[] where everybody was, if there are `more` pieces to copy. */
__global__ void __launch_bounds__(THREADS)
    gather(const __grid_constant__ task t, const __grid_constant__ pieces all, bool more)
{
    if (is_stopped(t)) return;
    const uint32_t count = t.w.start[t.cells];
    const bool resets = resets_at_once(t);
    EACH(s, count) {
        const uint32_t order = t.order[s], item = order & ~LOST, cell = t.w.cell_to[s];
        const uint32_t to = position(t, s, count, cell);
        t.w.id_to[to] = by_id()(t, cell, item).key;
        t.w.lost_to[to] = (order & LOST) != 0;
        if (more) t.seat[to] = item;
        if (resets) reset(t, to);
        copy_pieces(t, all, item, to);
    }
    EACH(world, (uint32_t)t.w.worlds) tally_world(t, world);
    if (thread_number() == 0) *t.w.count = count;
}

__global__ void gather_more(const __grid_constant__ task t, const __grid_constant__ pieces all)
{
    if (is_stopped(t)) return;
    EACH(i, t.w.start[t.cells]) copy_pieces(t, all, t.seat[i], i);
}

/* Requests of closed worlds. */

struct request_array {
    char *at;
    uint32_t size, rows; /* rows of room elements */
};

constexpr uint32_t REQUEST_ARRAYS = 64, KEEP_THREADS = 1024, KEEP_UNITS = 4;

struct request_arrays {
    uint32_t count;
    request_array a[REQUEST_ARRAYS];
};

/* By one block: n units from `from` on to `to`, which may overlap. */
template <class Unit> __device__ void move_units(Unit *to, const Unit *from, uint64_t n)
{
    constexpr uint64_t STEP = KEEP_THREADS * KEEP_UNITS;
    for (uint64_t done = 0; done < n; done += STEP) {
        const uint64_t left = n - done, now = left < STEP ? left : STEP, begin = to < from ? done : left - now;
        Unit unit[KEEP_UNITS];
        for (uint32_t k = 0; k < KEEP_UNITS; k++) {
            const uint64_t i = k * KEEP_THREADS + threadIdx.x;
            if (i < now) unit[k] = from[begin + i];
        }
        __syncthreads();
        for (uint32_t k = 0; k < KEEP_UNITS; k++) {
            const uint64_t i = k * KEEP_THREADS + threadIdx.x;
            if (i < now) to[begin + i] = unit[k];
        }
        __syncthreads();
    }
}

__device__ void keep_world(const task &t, char *row, uint32_t size, uint32_t world)
{
    const uint32_t to = t.w.start[(uint64_t)world * (uint64_t)t.w.places], from = t.worlds[world].first;
    const uint64_t bytes = (uint64_t)t.worlds[world].before * size;
    char *const a = row + (size_t)to * size, *const b = row + (size_t)from * size;
    if (size % 4 == 0) move_units((uint32_t *)a, (const uint32_t *)b, bytes / 4);
    else move_units(a, b, bytes);
}

/* Whether a world is closed and its agents go down, or up. */
__device__ bool is_shifted(const task &t, uint32_t world, bool up)
{
    if (world >= (uint32_t)t.w.worlds || t.w.gates[world] == 0) return false;
    const uint32_t to = t.w.start[(uint64_t)world * (uint64_t)t.w.places], from = t.worlds[world].first;
    return up ? to > from : to < from;
}

/* Worlds that go down first, from the lowest on, then those that go up, from the highest: none is written
 * over before it was moved. */
__device__ void keep_worlds(const task &t, char *row, uint32_t size, bool up)
{
    __shared__ bool shifted[KEEP_THREADS];
    const uint32_t groups = ((uint32_t)t.w.worlds + KEEP_THREADS - 1) / KEEP_THREADS;
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t first = (up ? groups - 1 - g : g) * KEEP_THREADS;
        shifted[threadIdx.x] = is_shifted(t, first + threadIdx.x, up);
        if (!__syncthreads_or(shifted[threadIdx.x])) continue;
        for (uint32_t k = 0; k < KEEP_THREADS; k++) {
            const uint32_t j = up ? KEEP_THREADS - 1 - k : k;
            if (shifted[j]) keep_world(t, row, size, first + j);
        }
        __syncthreads();
    }
}

/* One row of one array a block. */
__global__ void __launch_bounds__(KEEP_THREADS)
    keep_closed(const __grid_constant__ task t, const __grid_constant__ request_arrays arrays)
{
    if (is_stopped(t)) return;
    const request_array a = arrays.a[blockIdx.x];
    if (blockIdx.y >= a.rows) return;
    char *const row = a.at + (size_t)blockIdx.y * t.w.room * a.size;
    keep_worlds(t, row, a.size, false);
    keep_worlds(t, row, a.size, true);
}

__global__ void reset_open(const __grid_constant__ task t)
{
    if (is_stopped(t)) return;
    EACH(i, t.w.start[t.cells]) {
        if (t.w.gates[world_of(t, t.w.cell_to[i])] == 0) reset(t, i);
    }
}

/* Scratch. */

size_t tiles_of(uint64_t n) { return n ? (n - 1) / SCAN_TILE + 1 : 1; }

template <class T> void take(T **array, char *scratch, size_t *used, uint64_t n)
{
    *array = (T *)(scratch + *used);
    *used += (n * sizeof(T) + 255) / 256 * 256;
}

/* Returns the size of it all; *zeroed is that of the part that begins as zeros. */
size_t lay_out(task *t, char *scratch, uint64_t room, size_t *zeroed)
{
    const mass_manage_work &w = t->w;
    const uint64_t cells = (uint64_t)w.worlds * (uint64_t)w.places, births = w.children * room;
    const uint64_t claims = w.capacity > 1 && births > room ? births : room;
    const bool ranks = w.capacity > 1;
    size_t used = 0;
    take(&t->stages, scratch, &used, STAGES);
    take(&t->born, scratch, &used, 1);
    take(&t->worlds, scratch, &used, (uint64_t)w.worlds);
    take(&t->status[BIRTH_CLAIMS], scratch, &used, ranks && births ? tiles_of(cells) : 0);
    take(&t->status[MOVE_CLAIMS], scratch, &used, ranks ? tiles_of(cells) : 0);
    take(&t->status[BIRTHS], scratch, &used, births ? tiles_of(room) : 0);
    take(&t->status[AGENTS], scratch, &used, tiles_of(cells));
    take(&t->seats, scratch, &used, cells);
    take(&t->freed, scratch, &used, w.capacity ? cells : 0);
    take(&t->claims, scratch, &used, w.capacity ? cells + 1 : 0);
    *zeroed = used;
    take(&t->seat, scratch, &used, room);
    take(&t->order, scratch, &used, claims);
    take(&t->sorted, scratch, &used, claims);
    take(&t->wish, scratch, &used, w.capacity ? births : 0);
    take(&t->newborn, scratch, &used, births ? room : 0);
    take(&t->state, scratch, &used, w.capacity ? room : 0);
    take(&t->crowds, scratch, &used, claims / CROWD + 1);
    return used;
}

/* Launches. */

struct launcher {
    cudaStream_t stream;
    task t;
    int processors;
    uint32_t blocks; /* that agents are spread over */
};

bool comes_first(const mass_manage_work *w, uint32_t a, uint32_t b)
{
    for (int i = 0; i < 3; i++) {
        if (w->order[i] == a) return true;
        if (w->order[i] == b) return false;
    }
    return false;
}

#define LAUNCH(L, KERNEL, ...) KERNEL<<<(L).blocks, THREADS, 0, (L).stream>>>((L).t, ##__VA_ARGS__)

/* Of at most `most` items. */
template <class Rank>
void queue_sort(const launcher &l, int stage, const uint32_t *first, uint64_t most, Rank rank_of)
{
    if (most <= CROWD) return;
    task t = l.t;
    uint32_t *items = t.order, *other = t.sorted;
    void *arguments[] = {&t, &stage, &first, &items, &other, &rank_of};
    const uint64_t tiles = most / CROWD;
    const unsigned blocks = tiles < (uint64_t)l.processors ? (unsigned)tiles : (unsigned)l.processors;
    cudaLaunchCooperativeKernel(sort_crowds<Rank>, dim3(blocks), dim3(THREADS), arguments, 0, l.stream);
}

void queue_births(const launcher &l, uint32_t phases)
{
    const task &t = l.t;
    LAUNCH(l, claim_births, phases);
    if (t.w.capacity == 1) {
        LAUNCH(l, decide_births);
        return;
    }
    queue_scan(l.stream, t, scan_cells{BIRTH_CLAIMS, t.claims, t.claims, CROWD}, t.cells);
    LAUNCH(l, place_births);
    queue_sort(l, BIRTH_CLAIMS, t.claims, (uint64_t)t.w.children * t.w.room, by_parent());
    LAUNCH(l, rank_births);
}

void queue_moves(const launcher &l, uint32_t phases)
{
    const task &t = l.t;
    LAUNCH(l, claim_moves, phases);
    if (t.w.capacity == 1) {
        LAUNCH(l, decide_moves);
    } else {
        queue_scan(l.stream, t, scan_cells{MOVE_CLAIMS, t.claims, t.claims, CROWD}, t.cells);
        LAUNCH(l, place_moves);
        queue_sort(l, MOVE_CLAIMS, t.claims, t.w.room, by_rule());
        LAUNCH(l, rank_moves);
    }
    LAUNCH(l, take_back);
}

/* Who gets a seat. */
void queue_decisions(const launcher &l)
{
    const mass_manage_work &w = l.t.w;
    uint32_t phases = 0; /* that freed[] does not have yet */
    bool clean = true;
    for (int i = 0; i < 3; i++) {
        const bool births = w.order[i] == MASS_SPAWN && w.children, moves = w.order[i] == MASS_MIGRATE;
        if (births || moves) {
            if (!clean) cudaMemsetAsync(l.t.claims, 0, (l.t.cells + (size_t)1) * sizeof *l.t.claims, l.stream);
            if (births) queue_births(l, phases);
            else queue_moves(l, phases);
            phases = 0;
            clean = false;
        }
        if (w.order[i] != MASS_SPAWN || w.children) phases |= 1u << w.order[i];
    }
}

uint32_t widest_piece(const mass_agent_array &a)
{
    const uintptr_t bits = a.size | (uintptr_t)a.from | (uintptr_t)a.to | (uintptr_t)a.child;
    uint32_t bytes = 16;
    while (bits % bytes) bytes /= 2;
    return bytes;
}

void queue_pieces(const launcher &l, const pieces &all, bool first, bool last)
{
    if (first) LAUNCH(l, gather, all, !last);
    else LAUNCH(l, gather_more, all);
}

void queue_gather(const launcher &l)
{
    const mass_manage_work &w = l.t.w;
    pieces all = {};
    bool first = true;
    for (uint32_t i = 0; i < w.array_count; i++) {
        const mass_agent_array &a = w.arrays[i];
        const uint32_t bytes = widest_piece(a);
        for (size_t at = 0; at < a.size; at += bytes) {
            if (all.count == PIECES) {
                queue_pieces(l, all, first, false);
                first = false;
                all.count = 0;
            }
            piece *const p = &all.p[all.count++];
            *p = {(const char *)a.from + at, a.child ? (const char *)a.child + at : NULL, (char *)a.to + at,
                  (uint32_t)a.size, bytes, {}};
            if (a.initial) memcpy(&p->initial, (const char *)a.initial + at, bytes);
        }
    }
    queue_pieces(l, all, first, true);
}

void queue_keep(const launcher &l, request_arrays *arrays, uint32_t rows)
{
    if (arrays->count == 0) return;
    keep_closed<<<dim3(arrays->count, rows), KEEP_THREADS, 0, l.stream>>>(l.t, *arrays);
    arrays->count = 0;
}

void queue_requests(const launcher &l)
{
    const mass_manage_work &w = l.t.w;
    if (!w.gates || w.worlds == 1) return;
    const uint32_t rows = w.children ? w.children : 1;
    request_arrays arrays = {
        3, {{(char *)w.move, 4, 1}, {(char *)w.asked, 4, 1}, {(char *)w.child_cell, 4, w.children}}};
    for (uint32_t i = 0; w.children && i < w.array_count; i++) {
        if (!w.arrays[i].child) continue;
        if (arrays.count == REQUEST_ARRAYS) queue_keep(l, &arrays, rows);
        arrays.a[arrays.count++] = {(char *)w.arrays[i].child, (uint32_t)w.arrays[i].size, w.children};
    }
    queue_keep(l, &arrays, rows);
    LAUNCH(l, reset_open);
}

void queue_order(const launcher &l)
{
    const task &t = l.t;
    const bool crowds = t.w.capacity == 0 || t.w.capacity > CROWD;
    if (t.w.children) queue_scan(l.stream, t, scan_births{BIRTHS}, t.w.room);
    LAUNCH(l, seat_agents);
    queue_scan(l.stream, t, scan_cells{AGENTS, t.seats, t.w.start, crowds ? CROWD : UINT32_MAX}, t.cells);
    LAUNCH(l, place_agents);
    if (crowds) queue_sort(l, AGENTS, t.w.start, t.w.room, by_id());
    queue_gather(l);
    queue_requests(l);
}

cudaError_t prepare(launcher *l)
{
    constexpr uint32_t BLOCKS_EACH = 32;
    int device;
    cudaError_t result = cudaGetDevice(&device);
    if (result == cudaSuccess)
        result = cudaDeviceGetAttribute(&l->processors, cudaDevAttrMultiProcessorCount, device);
    if (result != cudaSuccess) return result;
    const uint32_t most = (uint32_t)l->processors * BLOCKS_EACH, needed = (l->t.w.room + THREADS - 1) / THREADS;
    l->blocks = needed < most ? needed : most;
    return cudaSuccess;
}

} // namespace

extern "C" size_t mass_cuda_manage_scratch(const mass_manage_work *w, uint32_t room)
{
    task t = {};
    size_t zeroed;
    t.w = *w;
    return lay_out(&t, NULL, room, &zeroed);
}

extern "C" cudaError_t mass_cuda_manage(cudaStream_t stream, const mass_manage_work *w, void *scratch, mass_stop *stop)
{
    if (w->room == 0) return cudaSuccess;
    if (w->room >= 1u << 30 || (uint64_t)w->children * w->room >= (uint64_t)1 << 31) return cudaErrorInvalidValue;
    launcher l = {};
    l.stream = stream;
    l.t.w = *w;
    l.t.stop = stop;
    l.t.cells = (uint32_t)((uint64_t)w->worlds * (uint64_t)w->places);
    l.t.kill_first = comes_first(w, MASS_KILL, MASS_MIGRATE);
    l.t.move_first = comes_first(w, MASS_MIGRATE, MASS_SPAWN);
    size_t zeroed;
    lay_out(&l.t, (char *)scratch, w->room, &zeroed);
    cudaError_t result = prepare(&l);
    if (result == cudaSuccess) result = cudaMemsetAsync(scratch, 0, zeroed, stream);
    if (result != cudaSuccess) return result;
    if (w->capacity) queue_decisions(l);
    queue_order(l);
    return cudaGetLastError();
}
