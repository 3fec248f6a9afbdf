/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before and after the launch of a phase in turn (turn.h). */
#include "cuda/each.cuh"
#include "cuda/kernels.h"

#include <cub/device/device_scan.cuh>

namespace {

constexpr uint32_t COLUMNS = 16; /* attributes that a launch copies */
constexpr size_t ALIGNED = 256, COUNTERS = 4, LISTS = 5; /* bytes; of mass_turn_rounds */

/* Returns a size, rounded up to the alignment of parts of scratch memory. */
size_t aligned(size_t bytes) { return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED; }

/* Return the rows of the agents and of all children that they may bear, and the cells of all worlds. */
__host__ __device__ uint64_t rows_of(const mass_turn_population &t) { return (uint64_t)t.count * (1 + t.children); }
uint64_t cells_of(const mass_turn_restore_work &w) { return (uint64_t)w.worlds * (uint64_t)w.places; }

/* ---- before the launch ---- */

/* Makes the list of each place's agents, from agents in the order of their cells. The rows of children are empty.
 * Clears the counts of worlds. */
__global__ void list(const mass_turn_population t, const uint32_t *cell, int32_t worlds)
{
    EACH(k, worlds) t.born[k] = t.died[k] = t.unborn[k] = 0;
    EACH(i, rows_of(t)) {
        if (i >= t.count) {
            t.agents[i].cell = MASS_CELL_NOWHERE;
            continue;
        }
        const uint32_t own = cell[i];
        t.agents[i] = {own, i + 1 == t.count || cell[i + 1] != own ? MASS_NOBODY : (uint32_t)i + 1};
        if (i == 0 || cell[i - 1] != own) t.first[own] = (uint32_t)i;
    }
}

/* ---- the ids of children, and the counts of worlds ---- */

/* Sets before[i] to 1 if child i lives. */
__global__ void find_children(const mass_turn_population t, uint32_t *before)
{
    const uint64_t children = (uint64_t)t.count * t.children;
    EACH(i, children + 1) before[i] = i < children && t.agents[t.count + i].cell != MASS_CELL_NOWHERE;
}

/* Returns the number of the first child of a world. */
__device__ uint64_t first_child(const mass_turn_restore_work &w, const mass_turn_population &t, uint64_t world)
{
    return (uint64_t)w.start[world * (uint64_t)w.places] * t.children;
}

/* Gives ids to the living children. before[i]: how many of them are before child i. */
__global__ void number_children(const mass_turn_restore_work w, const mass_turn_population t, const uint32_t *before)
{
    EACH(i, (uint64_t)t.count * t.children) {
        const uint32_t cell = t.agents[t.count + i].cell;
        if (cell == MASS_CELL_NOWHERE) continue;
        const uint64_t world = cell / (uint64_t)w.places;
        t.id[t.count + i] = w.next_id[world] + (before[i] - before[first_child(w, t, world)]);
    }
}

/* Adds the births, deaths and unborn of each world to the tallies, and the living children to next_id. */
__global__ void count_worlds(const mass_turn_restore_work w, const mass_turn_population t, const uint32_t *before)
{
    const int64_t *const counts[] = {t.born, t.died, t.unborn};
    EACH(i, w.worlds) {
        if (t.children) w.next_id[i] += before[first_child(w, t, i + 1)] - before[first_child(w, t, i)];
        for (int k = 0; k < 3; k++)
            if (w.tallies[k]) w.tallies[k][i] += counts[k][i];
    }
}

/* ---- canonical order ---- */

/* Counts the agents of each cell in `start`; 0 after the last cell. */
__global__ void count_cells(const mass_turn_restore_work w, const mass_turn_population t, uint64_t cells)
{
    EACH(c, cells + 1) {
        uint32_t number = 0;
        if (c < cells)
            for (uint32_t i = t.first[c]; i != MASS_NOBODY; i = t.agents[i].next) number++;
        w.start[c] = number;
    }
}

/* Marks the cells with an agent, and counts them in words of 32 cells (held[]). A warp does a word. */
__global__ void mark_cells(const mass_turn_restore_work w, const mass_turn_population t, uint64_t cells, uint32_t *held)
{
    EACH(c, (cells / 32 + 1) * 32) {
        const uint32_t word = __ballot_sync(~0u, c < cells && t.first[c] != MASS_NOBODY);
        if (c % 32 == 0) {
            w.occupancy[c / 32].held = word;
            held[c / 32] = (uint32_t)__popc(word);
        }
    }
}

/* Stores the number of agents before each word of the occupancy bitmap. */
__global__ void set_seats(const mass_turn_restore_work w, uint64_t words, const uint32_t *before)
{
    EACH(i, words) w.occupancy[i].before = before[i];
}

/* Returns the number of agents in the cells before `cell`, if places hold one agent. */
__device__ uint32_t first_agent(const mass_turn_restore_work &w, uint64_t cell)
{
    const mass_seats s = w.occupancy[cell / 32];
    return s.before + (uint32_t)__popc(s.held & ((1u << cell % 32) - 1));
}

/* Writes an agent's id, cell and refusal flag at its new number, and notes in from_of[] where it was. */
__device__ void write_agent(const mass_turn_restore_work &w, const mass_turn_population &t, uint32_t from, uint32_t to,
                            uint32_t cell)
{
    w.from_of[to] = from;
    w.id_to[to] = t.id[from];
    w.cell_to[to] = cell;
    w.lost_to[to] = from < t.count ? w.lost[from] : 0;
}

/* Writes all agents in canonical order, if places hold one agent. The bitmap has to be complete. Empties the lists, and
 * sets start[] of worlds and *w.count. Each thread takes an agent, and not a place as write_lists does. */
__global__ void write_agents(const mass_turn_restore_work w, const mass_turn_population t)
{
    EACH(i, rows_of(t)) {
        const uint32_t cell = t.agents[i].cell;
        if (cell == MASS_CELL_NOWHERE) continue;
        t.first[cell] = MASS_NOBODY;
        write_agent(w, t, (uint32_t)i, first_agent(w, cell), cell);
    }
    EACH(world, (uint64_t)w.worlds + 1) {
        const uint32_t before = first_agent(w, world * (uint64_t)w.places);
        w.start[world * (uint64_t)w.places] = before;
        if (world == (uint64_t)w.worlds) *w.count = before;
    }
}

/* Writes the agents of all lists in canonical order (write_agent), from start[] on, which has to be complete. Empties
 * the lists, and sets *w.count. copy_columns copies the other attributes. */
__global__ void write_lists(const mass_turn_restore_work w, const mass_turn_population t, uint64_t cells)
{
    EACH(c, cells + 1) {
        if (c == cells) *w.count = w.start[c];
        uint32_t i = c < cells ? t.first[c] : MASS_NOBODY;
        if (i == MASS_NOBODY) continue;
        t.first[c] = MASS_NOBODY;
        for (uint32_t to = w.start[c]; i != MASS_NOBODY; i = t.agents[i].next)
            write_agent(w, t, i, to++, (uint32_t)c);
    }
}

struct columns {
    uint32_t count;
    mass_turn_column list[COLUMNS];
};

/* Copies columns of the agents into the new order. */
__global__ void copy_columns(const mass_turn_restore_work w, const __grid_constant__ columns c)
{
    EACH(to, *w.count) {
        const uint64_t from = w.from_of[to];
        for (uint32_t k = 0; k < c.count; k++) {
            const size_t size = c.list[k].size;
            char *const target = (char *)c.list[k].to + to * size;
            const char *const source = (const char *)c.list[k].from + from * size;
            if (size % 8 == 0) copy_element<uint64_t>(target, source, size);
            else if (size % 4 == 0) copy_element<uint32_t>(target, source, size);
            else if (size % 2 == 0) copy_element<uint16_t>(target, source, size);
            else copy_element<uint8_t>(target, source, size);
        }
    }
}

/* ---- copies of places ---- */

/* The row of a partition that a thread works on. */
struct row {
    char *place, *copy;
};
/* Returns the addresses of row `number`: in the partition, and in the copy. */
__device__ row row_of(const mass_turn_places_work &w, uint64_t number)
{
    const uint64_t y = number % (uint64_t)w.extent[1], sheet = number / (uint64_t)w.extent[1];
    const uint64_t z = sheet % (uint64_t)w.extent[2], world = sheet / (uint64_t)w.extent[2];
    const uint64_t element = world * (uint64_t)w.world_stride + z * (uint64_t)w.plane + y * (uint64_t)w.pitch;
    const uint64_t in_space = (world * (uint64_t)w.space[2] + (uint64_t)w.origin[2] + z) * (uint64_t)w.space[1] +
                              (uint64_t)w.origin[1] + y;
    const uint64_t place = in_space * (uint64_t)w.space[0] + (uint64_t)w.origin[0];
    return {w.place + (w.size ? element * w.size : element / 8), w.copy + place * (w.size ? w.size : 1)};
}

/* Copies places to the copy, or back, in elements of type T. */
template <class T> __global__ void copy_places(const mass_turn_places_work w, uint64_t rows, bool back)
{
    EACH(i, rows * (uint64_t)w.extent[0]) {
        const row r = row_of(w, i / (uint64_t)w.extent[0]);
        const uint64_t at = i % (uint64_t)w.extent[0] * w.size;
        copy_element<T>((back ? r.place : r.copy) + at, (back ? r.copy : r.place) + at, w.size);
    }
}

/* Copies places of bits to bytes of the copy, or back. A thread does a byte of eight bits. It leaves the bits behind a
 * row, which are of ghosts, as they are. */
__global__ void copy_bits(const mass_turn_places_work w, uint64_t rows, bool back)
{
    const uint64_t bytes = ((uint64_t)w.extent[0] + 7) / 8;
    EACH(i, rows * bytes) {
        const row r = row_of(w, i / bytes);
        const uint64_t at = i % bytes, left = (uint64_t)w.extent[0] - at * 8;
        uint8_t *const bits = (uint8_t *)r.place + at;
        uint32_t eight = *bits;
        for (uint32_t b = 0; b < (left < 8 ? left : 8); b++) {
            if (!back) r.copy[at * 8 + b] = (char)(eight >> b & 1);
            else eight = (eight & ~(1u << b)) | (uint32_t)(r.copy[at * 8 + b] != 0) << b;
        }
        if (back) *bits = (uint8_t)eight;
    }
}

/* ---- what is queued ---- */

/* Replaces `count` numbers by the sums of those before them. bytes: NULL, or what the scan needs; then nothing is
 * queued. */
cudaError_t sum_before(cudaStream_t stream, void *scratch, size_t *bytes, uint32_t *numbers, uint64_t count)
{
    size_t need = 0;
    const cudaError_t result = cub::DeviceScan::ExclusiveSum(nullptr, need, numbers, numbers, (int64_t)count, stream);
    if (bytes) *bytes = need;
    return bytes || result != cudaSuccess
               ? result
               : cub::DeviceScan::ExclusiveSum(scratch, need, numbers, numbers, (int64_t)count, stream);
}

/* Returns the numbers in the scratch memory, before that of scans. */
uint64_t numbers_of(const mass_turn_restore_work &w)
{
    const uint64_t children = (uint64_t)w.population->count * w.population->children + 1;
    const uint64_t words = w.occupancy ? cells_of(w) / 32 + 1 : 0;
    return children > words ? children : words;
}

} // namespace

cudaError_t mass_cuda_turn_list(cudaStream_t stream, const mass_turn_population *t, const uint32_t *cell,
                                int32_t worlds)
{
    const uint64_t rows = rows_of(*t);
    list<<<blocks_for(rows > (uint64_t)worlds ? rows : (uint64_t)worlds), THREADS, 0, stream>>>(*t, cell, worlds);
    return cudaGetLastError();
}

size_t mass_cuda_turn_order_bytes(uint32_t count)
{
    return ALIGNED + LISTS * aligned(count * sizeof(uint32_t));
}

cudaError_t mass_cuda_turn_order(cudaStream_t stream, const mass_turn_order_work *w)
{
    uint32_t *const counters = (uint32_t *)w->memory;
    mass_turn_rounds *const r = &w->turn->rounds;
    uint32_t **const lists[LISTS] = {&r->high, &r->low, &r->waits, &r->ready[0], &r->ready[1]};
    r->number = counters;
    r->arrived = counters + 3;
    for (uint32_t k = 0; k < LISTS; k++)
        *lists[k] = (uint32_t *)((char *)w->memory + ALIGNED + k * aligned(w->count * sizeof(uint32_t)));
    return cudaMemsetAsync(counters, 0, COUNTERS * sizeof *counters, stream);
}

size_t mass_cuda_turn_scratch(const mass_turn_restore_work *w)
{
    const uint64_t most = cells_of(*w) + 1 > numbers_of(*w) ? cells_of(*w) + 1 : numbers_of(*w);
    size_t scan = 0;
    sum_before(nullptr, nullptr, &scan, nullptr, most);
    return aligned(numbers_of(*w) * sizeof(uint32_t)) + scan;
}

cudaError_t mass_cuda_turn_restore(cudaStream_t stream, const mass_turn_restore_work *w, void *scratch)
{
    const mass_turn_population &t = *w->population;
    const uint64_t cells = cells_of(*w), children = (uint64_t)t.count * t.children, words = cells / 32 + 1;
    uint32_t *const numbers = (uint32_t *)scratch;
    void *const scan = (char *)scratch + aligned(numbers_of(*w) * sizeof *numbers);
    cudaError_t result = cudaSuccess;
    if (t.children) {
        find_children<<<blocks_for(children + 1), THREADS, 0, stream>>>(t, numbers);
        result = sum_before(stream, scan, nullptr, numbers, children + 1);
        number_children<<<blocks_for(children), THREADS, 0, stream>>>(*w, t, numbers);
    }
    count_worlds<<<blocks_for((uint64_t)w->worlds), THREADS, 0, stream>>>(*w, t, numbers);
    if (result == cudaSuccess && w->occupancy) {
        mark_cells<<<blocks_for(words * 32), THREADS, 0, stream>>>(*w, t, cells, numbers);
        result = sum_before(stream, scan, nullptr, numbers, words);
        set_seats<<<blocks_for(words), THREADS, 0, stream>>>(*w, words, numbers);
    } else if (result == cudaSuccess) {
        count_cells<<<blocks_for(cells + 1), THREADS, 0, stream>>>(*w, t, cells);
        result = sum_before(stream, scan, nullptr, w->start, cells + 1);
    }
    if (result != cudaSuccess) return result;
    if (w->occupancy) write_agents<<<blocks_for(rows_of(t)), THREADS, 0, stream>>>(*w, t);
    else write_lists<<<blocks_for(cells + 1), THREADS, 0, stream>>>(*w, t, cells);
    for (uint32_t k = 0; k < w->column_count; k += COLUMNS) {
        columns c = {w->column_count - k < COLUMNS ? w->column_count - k : COLUMNS, {}};
        for (uint32_t i = 0; i < c.count; i++) c.list[i] = w->columns[k + i];
        copy_columns<<<blocks_for(rows_of(t)), THREADS, 0, stream>>>(*w, c);
    }
    return cudaGetLastError();
}

cudaError_t mass_cuda_turn_copy_places(cudaStream_t stream, const mass_turn_places_work *w, bool back)
{
    const uint64_t rows = (uint64_t)w->worlds * (uint64_t)w->extent[2] * (uint64_t)w->extent[1];
    const uint64_t places = rows * (uint64_t)w->extent[0];
    const uint32_t blocks = blocks_for(places);
    if (w->size == 0) copy_bits<<<blocks, THREADS, 0, stream>>>(*w, rows, back);
    else if (w->size % 8 == 0) copy_places<uint64_t><<<blocks, THREADS, 0, stream>>>(*w, rows, back);
    else if (w->size % 4 == 0) copy_places<uint32_t><<<blocks, THREADS, 0, stream>>>(*w, rows, back);
    else if (w->size % 2 == 0) copy_places<uint16_t><<<blocks, THREADS, 0, stream>>>(*w, rows, back);
    else copy_places<uint8_t><<<blocks, THREADS, 0, stream>>>(*w, rows, back);
    return cudaGetLastError();
}
