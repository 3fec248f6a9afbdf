/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a network's edges (relink.h). Only changes are sorted. The entries are merged with them in one pass: an
 * entry's next number is its present one, less the entries that ended before it, plus the new ones before it. */
#include "cuda/each.cuh"
#include "cuda/kernels.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <mass/impl/launch.h>
#include <thrust/iterator/counting_iterator.h>

namespace {

constexpr uint32_t LANES = 8; /* threads that share the edges of a node */
constexpr size_t ALIGNED = 256;

typedef unsigned long long count_type; /* of atomics */
static_assert(sizeof(count_type) == sizeof(uint64_t));

/* ---- searches ---- */

/* Returns the number of elements of an ascending list that are below a value. They are at least `from` and at most
 * `to`. */
template <class T> __device__ uint64_t below(const T *list, uint64_t from, uint64_t to, T value)
{
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        if (list[middle] < value) from = middle + 1;
        else to = middle;
    }
    return from;
}

/* Returns the row of an entry. */
__device__ uint64_t row_of(const mass_relink_entries &e, uint64_t entry)
{
    return below<uint64_t>(e.first, 0, e.rows + 1, entry + 1) - 1;
}

/* Returns the row of the node at the other end of an entry of a row. */
__device__ uint64_t other_row(const mass_relink_entries &e, uint64_t row, uint64_t entry)
{
    return row - row % e.nodes + e.source[entry];
}

/* Returns the other entry of an undirected edge; the same one if there is no other. */
__device__ uint64_t other_entry(const mass_relink_entries &e, uint64_t row, uint64_t entry)
{
    const uint64_t other = other_row(e, row, entry), end = e.first[other + 1];
    const uint32_t node = (uint32_t)(row % e.nodes);
    const uint64_t first = below<uint32_t>(e.source, e.first[other], end, node);
    const uint64_t last = below<uint32_t>(e.source, first, end, node + 1); /* node + 1 has 32 bits: rows has */
    const uint64_t found = below<uint64_t>(e.id, first, last, e.id[entry]);
    return found < last && e.id[found] == e.id[entry] ? found : entry;
}

/* Returns whether a node has none of the agents with the last of which its edges end. */
__device__ bool is_bare(const mass_relink_dwellers &d, uint64_t row)
{
    if (d.occupancy) return !(d.occupancy[row / 32].held >> row % 32 & 1);
    return d.start && d.start[row] == d.start[row + 1];
}

/* ---- edges that end ---- */

/* Lets the agent of an edge ask to die, if it is on a row. Returns whether it is there and had not asked. */
__device__ bool ask_to_die(const mass_relink_end_work &w, uint64_t row, uint64_t id)
{
    const uint64_t end = w.start[row + 1], found = below<uint64_t>(w.agent_id, w.start[row], end, id);
    return found < end && w.agent_id[found] == id && !(atomicOr(&w.asked[found], MASS_ASKED_KILL) & MASS_ASKED_KILL);
}

/* Ends the edge of entry i, unless its world is closed: clears the mark, notes its entries in w.ends, and lets its
 * agent ask to die. Adds to *edges and *entries. Two threads may have the same edge: one of them counts it. */
__device__ void end_edge(const mass_relink_end_work &w, uint64_t i, count_type *edges, count_type *entries)
{
    const uint64_t row = row_of(w.entries, i), id = w.entries.id[i];
    if (w.gates && w.gates[row / w.entries.nodes]) return;
    const uint64_t other = w.entries.directed ? i : other_entry(w.entries, row, i);
    w.cut[i] = 0;
    w.ends[i] = 1;
    w.ends[other] = 1;
    if (!ask_to_die(w, row, id) && !ask_to_die(w, other_row(w.entries, row, i), id)) return;
    ++*edges;
    *entries += other == i ? 1 : 2;
}

/* Ends all marked edges of open worlds. Each thread looks at 16 entries at once. w.ends is 0 before. */
__global__ void end_edges(const __grid_constant__ mass_relink_end_work w, mass_relink_counts *all)
{
    constexpr uint64_t WIDE = sizeof(uint4);
    count_type edges = 0, entries = 0;
    EACH(k, (w.entries.count + WIDE - 1) / WIDE) {
        const uint64_t first = k * WIDE, rest = w.entries.count - first, end = first + (rest < WIDE ? rest : WIDE);
        if (rest >= WIDE) {
            const uint4 marks = *(const uint4 *)(w.cut + first);
            if (!(marks.x | marks.y | marks.z | marks.w)) continue;
        }
        for (uint64_t i = first; i < end; i++)
            if (w.cut[i]) end_edge(w, i, &edges, &entries);
    }
    if (!edges) return;
    atomicAdd((count_type *)&all->edges, edges);
    atomicAdd((count_type *)&all->entries, entries);
}

/* Ends all edges of bare nodes, in open worlds. */
__global__ void end_bare(const __grid_constant__ mass_relink_end_work w, mass_relink_counts *all)
{
    count_type edges = 0, entries = 0;
    EACH(k, w.entries.rows * LANES) {
        const uint64_t row = k / LANES, end = w.entries.first[row + 1];
        const bool bare = is_bare(w.dwellers, row);
        for (uint64_t i = w.entries.first[row] + k % LANES; i < end; i += LANES)
            if (bare || is_bare(w.dwellers, other_row(w.entries, row, i))) end_edge(w, i, &edges, &entries);
    }
    if (!edges) return;
    atomicAdd((count_type *)&all->edges, edges);
    atomicAdd((count_type *)&all->entries, entries);
}

/* Sets before[row] to the row's requests that are decided, and before[rows] to 0. */
__global__ void count_requests(const __grid_constant__ mass_relink_end_work w)
{
    EACH(row, w.entries.rows + 1) {
        const bool is_open = row < w.entries.rows && !(w.gates && w.gates[row / w.entries.nodes]);
        w.before[row] = is_open && w.wished ? w.wished[row] & 0xffffu : 0;
    }
}

/* ---- requests ---- */

/* The requests in the order of rows and their numbers, and by the edge that they ask for. */
struct requests {
    uint64_t *key, *sorted_key; /* of both ends; the same for the same edge */
    uint32_t *at, *sorted_at;   /* numbers of requests */
    uint32_t *row, *source;
    uint8_t *refused;
};

/* Lists the requests in the order of rows and their numbers: all of r but what is sorted, and `refused`. shift: of keys
 * (mass_relink_shift). */
__global__ void list_requests(const __grid_constant__ mass_relink_judge_work w, const requests r, int shift)
{
    EACH(row, w.entries.rows) {
        const uint64_t begin = w.before[row], end = w.before[row + 1];
        const uint64_t node = row % w.entries.nodes, of_world = row - node;
        for (uint64_t i = begin; i < end; i++) {
            const uint64_t source = w.source[(i - begin) * w.entries.rows + row];
            const bool turned = !w.entries.directed && node < source;
            r.key[i] = (of_world + (turned ? node : source)) << shift | (turned ? source : node);
            r.at[i] = (uint32_t)i;
            r.row[i] = (uint32_t)row;
            r.source[i] = (uint32_t)source;
        }
    }
}

/* Returns whether an edge comes into a row from a node, and does not end. */
__device__ bool is_there(const mass_relink_judge_work &w, uint64_t row, uint32_t source)
{
    const uint64_t end = w.entries.first[row + 1];
    uint64_t i = below<uint32_t>(w.entries.source, w.entries.first[row], end, source);
    while (i < end && w.entries.source[i] == source && w.ends[i]) i++;
    return i < end && w.entries.source[i] == source;
}

/* Decides each request, and counts those that are refused. The first of equal ones is that of the lowest row and
 * number, since the sort is stable. */
__global__ void judge_requests(const __grid_constant__ mass_relink_judge_work w, const requests r, uint64_t *refused)
{
    uint64_t count = 0;
    EACH(i, w.requests) {
        const uint32_t at = r.sorted_at[i], row = r.row[at], source = r.source[at];
        const bool again = i && r.sorted_key[i] == r.sorted_key[i - 1];
        r.refused[at] = again || is_bare(w.dwellers, row) ||
                        is_bare(w.dwellers, row - row % w.entries.nodes + source) ||
                        (w.simple && (row % w.entries.nodes == source ||
                                      (w.entries.count && is_there(w, row, source))));
        count += r.refused[at];
    }
    if (count) atomicAdd((count_type *)refused, (count_type)count);
}

/* Closes the gaps that refused requests leave in the values of an attribute. */
template <class T>
__global__ void close_gaps(const __grid_constant__ mass_relink_judge_work w, const uint8_t *refused, char *value,
                           size_t size)
{
    EACH(row, w.entries.rows) {
        const uint64_t begin = w.before[row], end = w.before[row + 1];
        uint64_t kept = 0;
        for (uint64_t k = 0; k < end - begin; k++) {
            if (refused[begin + k]) continue;
            if (kept != k)
                copy_element<T>(value + (kept * w.entries.rows + row) * size, value + (k * w.entries.rows + row) * size,
                                size);
            kept++;
        }
    }
}

/* Takes the refused requests out of their rows' numbers. */
__global__ void take_back(const __grid_constant__ mass_relink_judge_work w, const uint8_t *refused)
{
    EACH(row, w.entries.rows) {
        uint32_t number = 0;
        for (uint64_t i = w.before[row]; i < w.before[row + 1]; i++) number += refused[i];
        if (number) w.wished[row] -= number;
    }
}

/* ---- new edges ---- */

/* Selects the agents that are new edges. */
struct is_new {
    const uint64_t *id, *next_id; /* next_id[worlds] on the device */
    const uint32_t *cell;
    uint64_t nodes;
    __device__ bool operator()(uint32_t agent) const { return id[agent] >= next_id[cell[agent] / nodes]; }
};

/* Sets *stray to the first new agent whose source is no node. */
__global__ void find_stray(const __grid_constant__ mass_relink_collect_work w, const uint32_t *list,
                           const uint64_t *count, uint32_t *stray)
{
    EACH(i, *count) if (w.source[list[i]] >= w.nodes) atomicMin(stray, list[i]);
}

/* Sets id[i] to the id of the agent that is number i of the list. */
__global__ void read_ids(const __grid_constant__ mass_relink_collect_work w, const uint32_t *list, uint64_t *id)
{
    EACH(i, w.expected) id[i] = w.id[list[i]];
}

/* Writes the entries of each new edge. An edge that has only one leaves a key behind all others in place of the
 * other. Counts the entries. */
__global__ void write_entries(const __grid_constant__ mass_relink_collect_work w, const uint32_t *list, uint64_t *key,
                              uint32_t *agent, int shift, uint64_t *entries)
{
    uint64_t count = 0;
    EACH(i, w.expected) {
        const uint32_t a = list[i], row = w.cell[a], source = w.source[a];
        const uint64_t at = w.directed ? i : 2 * i, node = row % w.nodes;
        key[at] = (uint64_t)row << shift | source;
        agent[at] = a;
        count++;
        if (w.directed) continue;
        const bool loop = node == source;
        key[at + 1] = loop ? w.rows << shift : (row - node + source) << shift | node;
        agent[at + 1] = a;
        count += !loop;
    }
    if (count) atomicAdd((count_type *)entries, (count_type)count);
}

/* ---- the merge ---- */

/* Sets to[i] to the number of the old entry before which new entry i is. shift: of keys. */
__global__ void place_fresh(const __grid_constant__ mass_relink_merge_work w, int shift, uint64_t *to)
{
    EACH(i, w.fresh_count) {
        const uint64_t row = w.key[i] >> shift, source = w.key[i] & ((UINT64_C(1) << shift) - 1);
        to[i] = w.old.count ? below<uint32_t>(w.old.source, w.old.first[row], w.old.first[row + 1],
                                              (uint32_t)source + 1) : 0; /* source + 1 has 32 bits: rows has */
    }
}

/* Copies the values of an entry. */
__device__ void copy_column(const mass_relink_column &c, uint64_t to, const void *values, uint64_t from)
{
    char *const out = (char *)c.to + to * c.size;
    const char *const in = (const char *)values + from * c.size;
    switch (c.size) {
    case 1: *out = values ? *in : 0; return;
    case 2: *(uint16_t *)out = values ? *(const uint16_t *)in : 0; return;
    case 4: *(uint32_t *)out = values ? *(const uint32_t *)in : 0; return;
    case 8: *(uint64_t *)out = values ? *(const uint64_t *)in : 0; return;
    default:
        for (size_t b = 0; b < c.size; b++) out[b] = values ? in[b] : 0;
    }
}

/* The parts of two ascending lists in which the threads of a block search: the elements from one value on and below
 * another one. */
struct window {
    uint64_t begin[2], end[2];
};

/* Finds the window of two lists for values from `from` to below `to`. All threads of a block call it together. */
__device__ void find_window(window *out, const uint64_t *const lists[2], const uint64_t counts[2], uint64_t from,
                            uint64_t to)
{
    __syncthreads();
    if (threadIdx.x < 4) {
        const int list = threadIdx.x / 2;
        const uint64_t found = below<uint64_t>(lists[list], 0, counts[list], threadIdx.x % 2 ? to : from);
        (threadIdx.x % 2 ? out->end : out->begin)[list] = found;
    }
    __syncthreads();
}

/* Copies the old entries that have not ended. before[i]: as place_fresh finds it. */
__global__ void move_old(const __grid_constant__ mass_relink_merge_work w, const uint64_t *before)
{
    constexpr uint64_t TILE = 16 * THREADS; /* entries for which a block searches once */
    __shared__ window part;
    const uint64_t *const lists[2] = {w.ended, before};
    const uint64_t counts[2] = {w.ended_count, w.fresh_count};
    for (uint64_t base = blockIdx.x * TILE; base < w.old.count; base += gridDim.x * TILE) {
        const uint64_t end = base + TILE < w.old.count ? base + TILE : w.old.count;
        find_window(&part, lists, counts, base, end + 1);
        for (uint64_t i = base + threadIdx.x; i < end; i += THREADS) {
            const uint64_t ended = below<uint64_t>(w.ended, part.begin[0], part.end[0], i);
            if (ended < part.end[0] && w.ended[ended] == i) continue;
            const uint64_t to = i - ended + below<uint64_t>(before, part.begin[1], part.end[1], i + 1);
            w.source[to] = w.old.source[i];
            for (uint32_t k = 0; k < w.column_count; k++) copy_column(w.columns[k], to, w.columns[k].old, i);
        }
    }
}

/* Adds the new entries. before[i]: as place_fresh finds it. */
__global__ void add_fresh(const __grid_constant__ mass_relink_merge_work w, const uint64_t *before, int shift)
{
    EACH(i, w.fresh_count) {
        const uint64_t to = before[i] - below<uint64_t>(w.ended, 0, w.ended_count, before[i]) + i;
        w.source[to] = (uint32_t)(w.key[i] & ((UINT64_C(1) << shift) - 1));
        for (uint32_t k = 0; k < w.column_count; k++)
            copy_column(w.columns[k], to, w.columns[k].fresh, w.agent[i]);
    }
}

/* Finds the first entry of each row. */
__global__ void find_first(const __grid_constant__ mass_relink_merge_work w, int shift)
{
    const uint64_t rows = w.old.rows + 1;
    EACH(row, rows) {
        const uint64_t first = w.old.count ? w.old.first[row] : 0;
        w.first[row] = first - below<uint64_t>(w.ended, 0, w.ended_count, first) +
                       below<uint64_t>(w.key, 0, w.fresh_count, row << shift);
    }
}

/* ---- scratch memory ---- */

/* Hands out parts of scratch memory. Without memory it only counts bytes. */
struct parts {
    char *memory;
    size_t bytes;
    template <class T> T *take(size_t count)
    {
        T *const part = memory ? (T *)(memory + bytes) : nullptr;
        bytes += (count * sizeof(T) + ALIGNED - 1) / ALIGNED * ALIGNED;
        return part;
    }
};

/* Returns how many bits the key of an entry behind all others takes. shift: of keys. */
int key_bits(uint64_t rows, int shift)
{
    int bits = 1;
    while (bits < 33 && rows >= UINT64_C(1) << bits) bits++;
    return bits + shift < 64 ? bits + shift : 64;
}

struct end_parts {
    mass_relink_counts *counts;
    char *scan;
    size_t scan_bytes;
};

/* Takes the parts of mass_cuda_relink_end. Fails if the bytes of the scan cannot be found. */
cudaError_t end_parts_of(const mass_relink_end_work *w, parts *memory, end_parts *out)
{
    out->counts = memory->take<mass_relink_counts>(1);
    const cudaError_t result = cub::DeviceScan::ExclusiveSum(nullptr, out->scan_bytes, w->before, w->before,
                                                             (int64_t)w->entries.rows + 1);
    out->scan = memory->take<char>(out->scan_bytes);
    return result;
}

typedef thrust::counting_iterator<uint64_t> numbers;

struct judge_parts {
    requests list;
    uint64_t *refused, *selected;
    char *temporary; /* of the sort and of the selection, one after the other */
    size_t sort_bytes, select_bytes;
};

/* Takes the parts of mass_cuda_relink_judge. Fails if the bytes of the sort or the selection cannot be found. */
cudaError_t judge_parts_of(const mass_relink_judge_work *w, parts *memory, judge_parts *out)
{
    const int bits = key_bits(w->entries.rows, mass_relink_shift(w->entries.nodes));
    requests *const r = &out->list;
    r->key = memory->take<uint64_t>(w->requests);
    r->sorted_key = memory->take<uint64_t>(w->requests);
    r->at = memory->take<uint32_t>(w->requests);
    r->sorted_at = memory->take<uint32_t>(w->requests);
    r->row = memory->take<uint32_t>(w->requests);
    r->source = memory->take<uint32_t>(w->requests);
    r->refused = memory->take<uint8_t>(w->requests);
    out->refused = memory->take<uint64_t>(1);
    out->selected = memory->take<uint64_t>(1);
    cudaError_t result = cub::DeviceRadixSort::SortPairs(nullptr, out->sort_bytes, r->key, r->sorted_key, r->at,
                                                         r->sorted_at, (int64_t)w->requests, 0, bits);
    if (result == cudaSuccess)
        result = cub::DeviceSelect::Flagged(nullptr, out->select_bytes, numbers(0), w->ends, w->ended, out->selected,
                                            (int64_t)w->entries.count);
    out->temporary = memory->take<char>(out->sort_bytes > out->select_bytes ? out->sort_bytes : out->select_bytes);
    return result;
}

typedef thrust::counting_iterator<uint32_t> agents;

struct collect_parts {
    uint64_t *next_id, *selected, *entries;
    uint32_t *stray, *list, *by_id;
    uint64_t *id, *sorted_id, *key;
    uint32_t *agent;
    char *temporary; /* of the selection and of both sorts, one after the other */
    size_t select_bytes, id_bytes, key_bytes;
};

/* Takes the parts of mass_cuda_relink_collect. Fails if the bytes of the selection or a sort cannot be found. */
cudaError_t collect_parts_of(const mass_relink_collect_work *w, parts *memory, collect_parts *out)
{
    const uint64_t entries = w->directed ? w->expected : 2 * w->expected;
    out->next_id = memory->take<uint64_t>((size_t)w->worlds);
    out->selected = memory->take<uint64_t>(1);
    out->entries = memory->take<uint64_t>(1);
    out->stray = memory->take<uint32_t>(1);
    out->list = memory->take<uint32_t>(w->agents);
    out->by_id = memory->take<uint32_t>(w->expected);
    out->id = memory->take<uint64_t>(w->expected);
    out->sorted_id = memory->take<uint64_t>(w->expected);
    out->key = memory->take<uint64_t>(entries);
    out->agent = memory->take<uint32_t>(entries);
    const is_new selects = {w->id, out->next_id, w->cell, w->nodes};
    cudaError_t result = cub::DeviceSelect::If(nullptr, out->select_bytes, agents(0), out->list, out->selected,
                                               (int64_t)w->agents, selects);
    if (result == cudaSuccess)
        result = cub::DeviceRadixSort::SortPairs(nullptr, out->id_bytes, out->id, out->sorted_id, out->list, out->by_id,
                                                 (int64_t)w->expected);
    if (result == cudaSuccess)
        result = cub::DeviceRadixSort::SortPairs(nullptr, out->key_bytes, out->key, w->key, out->agent, w->agent,
                                                 (int64_t)entries);
    size_t bytes = out->select_bytes;
    if (out->id_bytes > bytes) bytes = out->id_bytes;
    if (out->key_bytes > bytes) bytes = out->key_bytes;
    out->temporary = memory->take<char>(bytes);
    return result;
}

/* Closes the gaps of refused requests in the values of an attribute. */
void queue_close_gaps(cudaStream_t stream, const mass_relink_judge_work &w, const uint8_t *refused,
                      const mass_relink_values &v)
{
    const uint32_t blocks = blocks_for(w.entries.rows);
    if (v.size % 8 == 0) close_gaps<uint64_t><<<blocks, THREADS, 0, stream>>>(w, refused, v.value, v.size);
    else if (v.size % 4 == 0) close_gaps<uint32_t><<<blocks, THREADS, 0, stream>>>(w, refused, v.value, v.size);
    else close_gaps<uint8_t><<<blocks, THREADS, 0, stream>>>(w, refused, v.value, v.size);
}

} // namespace

size_t mass_cuda_relink_end_scratch(const mass_relink_end_work *w)
{
    parts memory = {};
    end_parts unused;
    end_parts_of(w, &memory, &unused);
    return memory.bytes;
}

cudaError_t mass_cuda_relink_end(cudaStream_t stream, const mass_relink_end_work *w, void *scratch,
                                 mass_relink_counts *counts)
{
    parts memory = {(char *)scratch, 0};
    end_parts p;
    cudaError_t result = end_parts_of(w, &memory, &p);
    if (result == cudaSuccess) result = cudaMemsetAsync(p.counts, 0, sizeof *p.counts, stream);
    if (result == cudaSuccess && w->entries.count) result = cudaMemsetAsync(w->ends, 0, w->entries.count, stream);
    if (result != cudaSuccess) return result;
    end_edges<<<blocks_for(w->entries.count), THREADS, 0, stream>>>(*w, p.counts);
    if (w->entries.count && (w->dwellers.start || w->dwellers.occupancy))
        end_bare<<<blocks_for(w->entries.rows * LANES), THREADS, 0, stream>>>(*w, p.counts);
    count_requests<<<blocks_for(w->entries.rows + 1), THREADS, 0, stream>>>(*w);
    result = cub::DeviceScan::ExclusiveSum(p.scan, p.scan_bytes, w->before, w->before, (int64_t)w->entries.rows + 1,
                                           stream);
    if (result == cudaSuccess)
        result = cudaMemcpyAsync(&p.counts->requests, w->before + w->entries.rows, sizeof *w->before,
                                 cudaMemcpyDeviceToDevice, stream);
    if (result == cudaSuccess)
        result = cudaMemcpyAsync(counts, p.counts, sizeof *counts, cudaMemcpyDeviceToHost, stream);
    return result == cudaSuccess ? cudaStreamSynchronize(stream) : result;
}

size_t mass_cuda_relink_judge_scratch(const mass_relink_judge_work *w)
{
    parts memory = {};
    judge_parts unused;
    judge_parts_of(w, &memory, &unused);
    return memory.bytes;
}

cudaError_t mass_cuda_relink_judge(cudaStream_t stream, const mass_relink_judge_work *w, void *scratch,
                                   uint64_t *refused)
{
    parts memory = {(char *)scratch, 0};
    judge_parts p;
    const int shift = mass_relink_shift(w->entries.nodes);
    cudaError_t result = judge_parts_of(w, &memory, &p);
    if (result == cudaSuccess) result = cudaMemsetAsync(p.refused, 0, sizeof *p.refused, stream);
    if (result == cudaSuccess && w->requests) {
        list_requests<<<blocks_for(w->entries.rows), THREADS, 0, stream>>>(*w, p.list, shift);
        result = cub::DeviceRadixSort::SortPairs(p.temporary, p.sort_bytes, p.list.key, p.list.sorted_key, p.list.at,
                                                 p.list.sorted_at, (int64_t)w->requests, 0,
                                                 key_bits(w->entries.rows, shift), stream);
        if (result == cudaSuccess)
            judge_requests<<<blocks_for(w->requests), THREADS, 0, stream>>>(*w, p.list, p.refused);
    }
    if (result == cudaSuccess)
        result = cudaMemcpyAsync(refused, p.refused, sizeof *refused, cudaMemcpyDeviceToHost, stream);
    if (result == cudaSuccess) result = cudaStreamSynchronize(stream);
    if (result != cudaSuccess) return result;
    for (uint32_t i = 0; *refused && i < w->value_count; i++)
        queue_close_gaps(stream, *w, p.list.refused, w->values[i]);
    if (*refused) take_back<<<blocks_for(w->entries.rows), THREADS, 0, stream>>>(*w, p.list.refused);
    if (w->entries.count == 0) return cudaGetLastError();
    return cub::DeviceSelect::Flagged(p.temporary, p.select_bytes, numbers(0), w->ends, w->ended, p.selected,
                                      (int64_t)w->entries.count, stream);
}

size_t mass_cuda_relink_collect_scratch(const mass_relink_collect_work *w)
{
    parts memory = {};
    collect_parts unused;
    collect_parts_of(w, &memory, &unused);
    return memory.bytes;
}

cudaError_t mass_cuda_relink_collect(cudaStream_t stream, const mass_relink_collect_work *w, void *scratch,
                                     mass_relink_found *found)
{
    parts memory = {(char *)scratch, 0};
    collect_parts p;
    const int shift = mass_relink_shift(w->nodes);
    const uint64_t entries = w->directed ? w->expected : 2 * w->expected;
    cudaError_t result = collect_parts_of(w, &memory, &p);
    const is_new selects = {w->id, p.next_id, w->cell, w->nodes};
    *found = {};
    if (result == cudaSuccess) result = cudaMemsetAsync(p.stray, 0xff, sizeof *p.stray, stream);
    if (result == cudaSuccess) result = cudaMemsetAsync(p.selected, 0, sizeof *p.selected, stream);
    if (result == cudaSuccess) result = cudaMemsetAsync(p.entries, 0, sizeof *p.entries, stream);
    if (result == cudaSuccess)
        result = cudaMemcpyAsync(p.next_id, w->next_id, (size_t)w->worlds * sizeof *p.next_id, cudaMemcpyHostToDevice,
                                 stream);
    if (result == cudaSuccess && w->agents)
        result = cub::DeviceSelect::If(p.temporary, p.select_bytes, agents(0), p.list, p.selected, (int64_t)w->agents,
                                       selects, stream);
    if (result != cudaSuccess) return result;
    find_stray<<<blocks_for(w->expected), THREADS, 0, stream>>>(*w, p.list, p.selected, p.stray);
    result = cudaMemcpyAsync(&found->agents, p.selected, sizeof found->agents, cudaMemcpyDeviceToHost, stream);
    if (result == cudaSuccess)
        result = cudaMemcpyAsync(&found->stray, p.stray, sizeof found->stray, cudaMemcpyDeviceToHost, stream);
    if (result == cudaSuccess) result = cudaStreamSynchronize(stream);
    if (result != cudaSuccess || found->agents != w->expected || found->stray != UINT32_MAX || w->expected == 0)
        return result;
    read_ids<<<blocks_for(w->expected), THREADS, 0, stream>>>(*w, p.list, p.id);
    result = cub::DeviceRadixSort::SortPairs(p.temporary, p.id_bytes, p.id, p.sorted_id, p.list, p.by_id,
                                             (int64_t)w->expected, 0, 64, stream);
    if (result != cudaSuccess) return result;
    write_entries<<<blocks_for(w->expected), THREADS, 0, stream>>>(*w, p.by_id, p.key, p.agent, shift, p.entries);
    result = cub::DeviceRadixSort::SortPairs(p.temporary, p.key_bytes, p.key, w->key, p.agent, w->agent,
                                             (int64_t)entries, 0, key_bits(w->rows, shift), stream);
    if (result == cudaSuccess)
        result = cudaMemcpyAsync(&found->entries, p.entries, sizeof found->entries, cudaMemcpyDeviceToHost, stream);
    return result == cudaSuccess ? cudaStreamSynchronize(stream) : result;
}

size_t mass_cuda_relink_merge_scratch(const mass_relink_merge_work *w) { return w->fresh_count * sizeof(uint64_t) + 1; }

cudaError_t mass_cuda_relink_merge(cudaStream_t stream, const mass_relink_merge_work *w, void *scratch)
{
    const int shift = mass_relink_shift(w->old.nodes);
    uint64_t *const before = (uint64_t *)scratch;
    if (w->fresh_count) place_fresh<<<blocks_for(w->fresh_count), THREADS, 0, stream>>>(*w, shift, before);
    if (w->old.count) move_old<<<blocks_for(w->old.count), THREADS, 0, stream>>>(*w, before);
    if (w->fresh_count) add_fresh<<<blocks_for(w->fresh_count), THREADS, 0, stream>>>(*w, before, shift);
    find_first<<<blocks_for(w->old.rows + 1), THREADS, 0, stream>>>(*w, shift);
    return cudaGetLastError();
}
