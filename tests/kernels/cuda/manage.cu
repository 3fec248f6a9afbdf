/* SPDX-License-Identifier: Apache-2.0 */
/* manage on a GPU against the CPU's: random cases of every kind, every byte of every array; and how long it takes.
 * Usage: `manage [SEED [CASES]]`. There is a large case for each 75 small ones. Ends with 77 if there is no GPU. */
#include "manage_population.cuh"
#include <mass/random.h> /* has C++ headers, and cpu/kernels.h includes it */
extern "C" {
#include "cpu/kernels.h"
}

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

namespace {

enum { SMALL_CASES = 3000, SMALL_TO_LARGE = 75 };

/* ---- agents in another order, and those that keep theirs ---- */

typedef std::vector<uint32_t> order; /* number i of a population becomes what order[i] was */

order any_order(const population &p)
{
    order all(*p.w.count);
    for (uint32_t i = 0; i < all.size(); i++) all[i] = i;
    for (int32_t world = 0; p.w.order.finds == MASS_ORDER_ANY && world < p.w.worlds; world++) {
        const uint32_t first = p.w.start[world * p.w.places], end = p.w.start[(world + 1) * p.w.places];
        for (uint32_t i = end; i > first + 1; i--) std::swap(all[i - 1], all[first + below(i - first)]);
    }
    return all;
}

order inverse(const order &of)
{
    order all(of.size());
    for (uint32_t i = 0; i < of.size(); i++) all[of[i]] = i;
    return all;
}

void arrange(const void *array, size_t size, size_t rows, size_t room, const order &by)
{
    for (size_t row = 0; array && row < rows; row++) {
        char *const at = (char *)array + row * room * size;
        const std::vector<char> old(at, at + by.size() * size);
        for (size_t i = 0; i < by.size(); i++) memcpy(at + i * size, &old[by[i] * size], size);
    }
}

/* All that is known of agents; of their requests, moves, deaths and births only if `asked`. */
void arrange(population *p, const order &by, bool asked)
{
    const mass_manage_work &w = p->w;
    const bool wide = w.priority_type != MASS_I32 && w.priority_type != MASS_U32 && w.priority_type != MASS_F32;
    arrange(w.id, 8, 1, w.room, by);
    arrange(w.cell, 4, 1, w.room, by);
    arrange(w.lost, 1, 1, w.room, by);
    arrange(w.priority, wide ? 8 : 4, 1, w.room, by);
    arrange(w.child_cell, 4, w.children, w.room, by);
    for (const mass_agent_array &a : p->arrays) {
        arrange(a.from, a.size, 1, w.room, by);
        arrange(a.child, a.size, w.children, w.room, by);
    }
    if (!asked) return;
    arrange(w.move, 4, 1, w.room, by);
    arrange(w.asked, 4, 1, w.room, by);
}

bool asks_for_more_than_moves(const population &p)
{
    for (uint32_t i = 0; i < *p.w.count; i++)
        if (p.w.asked[i]) return true;
    return false;
}

/* What a manage leaves that keeps the order, of a population as it was, where p has been put in order. */
void keep_order(population *p, const std::vector<buffer> &before)
{
    const uint32_t n = *p->w.count;
    std::vector<uint32_t> by_id(n);
    for (uint32_t i = 0; i < n; i++) by_id[i] = i;
    const uint64_t *const ids = p->w.id_to;
    std::sort(by_id.begin(), by_id.end(), [&](uint32_t a, uint32_t b) { return ids[a] < ids[b]; });
    const std::vector<uint32_t> cell(p->w.cell_to, p->w.cell_to + n);
    const std::vector<uint8_t> lost(p->w.lost_to, p->w.lost_to + n);
    const std::vector<uint64_t> id(ids, ids + n);
    for (size_t b = 0; b < before.size(); b++)
        if (strcmp(before[b].name, "seats")) std::copy(before[b].bytes.begin(), before[b].bytes.end(),
                                                       p->buffers[b].bytes.begin());
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t own = p->w.id[i];
        const uint32_t at = *std::lower_bound(by_id.begin(), by_id.end(), own,
                                              [&](uint32_t a, uint64_t value) { return id[a] < value; });
        ((uint32_t *)p->w.cell)[i] = cell[at];
        ((uint8_t *)p->w.lost)[i] = lost[at];
        p->w.move[i] = MASS_CELL_STAY;
    }
}

cudaStream_t stream;

/* By itself, or by way of a graph. */
void manage(const mass_manage_work *w, void *scratch, mass_stop *stop, bool captured)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    if (captured) CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(mass_cuda_manage(stream, w, scratch, stop));
    if (captured) {
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&run, graph, 0));
        CHECK(cudaGraphLaunch(run, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaGraphExecDestroy(run));
        CHECK(cudaGraphDestroy(graph));
    }
    CHECK(cudaStreamSynchronize(stream));
}

bool stopped_as_said(const population &p, mass_stop *stop, uint64_t total)
{
    const bool stopped = total > p.w.room; /* as with UINT64_MAX */
    std::vector<uint32_t> closed((size_t)p.w.worlds);
    CHECK(cudaMemcpy(closed.data(), p.on_device.closed, closed.size() * 4, cudaMemcpyDeviceToHost));
    for (uint32_t gate : closed)
        if (gate != stopped) return false;
    mass_stop s;
    CHECK(cudaMemcpy(&s, stop, sizeof s, cudaMemcpyDeviceToHost));
    if (!stopped) return s.stopped == 0;
    return s.stopped == 1 && s.needed == total && s.phase == p.w.phase &&
           s.step == p.w.step + (p.w.clock ? *p.w.clock : 0);
}

/* A stop that was set before is as it was. */
bool still_stopped(mass_stop *stop)
{
    mass_stop s, as_set = {};
    memset(&as_set, 1, 4);
    CHECK(cudaMemcpy(&s, stop, sizeof s, cudaMemcpyDeviceToHost));
    return memcmp(&s, &as_set, sizeof s) == 0;
}

bool check(uint32_t agents, uint32_t places, bool captured)
{
    population p = {};
    mass_cpu_manage_scratch host = {};
    mass_stop *stop;
    void *scratch;
    make(&p, agents, places);
    const order there = any_order(p);
    const bool keeps = p.w.order.leaves == MASS_ORDER_ANY, refuses = keeps && asks_for_more_than_moves(p);
    arrange(&p, there, true);
    upload(&p);
    if (keeps) {
        p.on_device.cell_to = (uint32_t *)p.on_device.cell;
        p.on_device.lost_to = (uint8_t *)p.on_device.lost;
    }
    const size_t bytes = mass_cuda_manage_scratch(&p.w, p.w.room);
    CHECK(cudaMalloc(&scratch, bytes));
    CHECK(cudaMalloc(&stop, sizeof *stop));
    CHECK(cudaMemset(scratch, 0xa5, bytes));
    CHECK(cudaMemset(stop, 0, sizeof *stop));
    CHECK(cudaMemset(stop, 1, 4));
    const size_t gates = (size_t)p.w.worlds * sizeof *p.on_device.closed;
    CHECK(cudaMalloc(&p.on_device.closed, gates));
    manage(&p.on_device, scratch, stop, false);
    bool good = same(p) && still_stopped(stop); /* nothing happens while it is stopped */
    CHECK(cudaMemset(stop, 0, sizeof *stop));
    CHECK(cudaMemset(p.on_device.closed, 0, gates));
    manage(&p.on_device, scratch, stop, captured);
    static mass_cpu_team *const team = mass_cpu_team_create(4, NULL);
    const uint32_t before = *p.w.count;
    const std::vector<uint32_t> start(p.w.start, p.w.start + p.w.places * p.w.worlds + 1);
    const std::vector<buffer> as_it_was = p.buffers;
    uint64_t total = UINT64_MAX;
    if (!refuses) {
        arrange(&p, inverse(there), true);
        mass_manage_work by_starts = p.w; /* the CPU is to go by starts, and to put agents in order */
        by_starts.occupancy = NULL;
        by_starts.order = {MASS_ORDER_SORTED, MASS_ORDER_SORTED};
        total = mass_cpu_manage(&by_starts, &host, team, mass_cpu_team_threads(team));
        if (total == UINT64_MAX) exit((fprintf(stderr, "the CPU's manage fails\n"), 1));
        if (total <= p.w.room) {
            set_seats(&p);
            keep_starts(&p, start);
            end_requests(&p, before);
        }
        if (keeps) keep_order(&p, as_it_was);
        else arrange(&p, there, total > p.w.room);
    }
    good &= same(p);
    if (!stopped_as_said(p, stop, total)) good = (fprintf(stderr, "  stop is wrong\n"), false);
    if (!good)
        fprintf(stderr, "  agents %u of %u, places %lld, worlds %d, capacity %u, conflict %u, type %u, children %u, "
                "sub-phases %u%u%u, gates %d, seats %d, finds %d, leaves %d, total %llu\n", *p.w.count, p.w.room,
                (long long)p.w.places, p.w.worlds, p.w.capacity, p.w.conflict, p.w.priority_type, p.w.children,
                p.w.sub_phases[0], p.w.sub_phases[1], p.w.sub_phases[2], p.w.gates != NULL, p.w.occupancy != NULL,
                p.w.order.finds, p.w.order.leaves, (unsigned long long)total);
    mass_cpu_manage_free(&host);
    CHECK(cudaFree(scratch));
    CHECK(cudaFree(stop));
    CHECK(cudaFree(p.on_device.closed));
    free_device(&p);
    return good;
}

int check_all(uint64_t first_seed, uint32_t small_cases)
{
    const uint32_t large_cases = small_cases / SMALL_TO_LARGE;
    const uint64_t usual = mass_cuda_places_to_count;
    int wrong = 0;
    for (uint32_t i = 0; i < small_cases + large_cases && wrong < 10; i++) {
        const uint64_t own = seed = mix(first_seed * 1000003 + i);
        const uint32_t agents = i >= small_cases ? 1000000 : one_of({3, 30, 300, 3000, 20000});
        const uint32_t places = i >= small_cases ? one_of({1, 100, 30000, 3000000}) : one_of({1, 5, 50, 500, 5000});
        mass_cuda_places_to_count = random64() % 2 ? 0 : UINT64_MAX;
        if (check(agents, places, i % 8 == 0)) continue;
        fprintf(stderr, "case %u, state of the numbers %llu\n", i, (unsigned long long)own);
        wrong++;
    }
    mass_cuda_places_to_count = usual;
    printf("%u small cases and %d large ones: %d wrong\n", small_cases, large_cases, wrong);
    return wrong;
}

/* Speed. */

__device__ uint64_t mix_there(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* To one of the eight neighbours on a torus. */
__global__ void wander(mass_manage_work w, uint32_t width, uint64_t step)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= *w.count) return;
    const uint32_t r = (uint32_t)(mix_there(w.id[i] * 0x9e3779b97f4a7c15 + step) >> 32) % 8, k = r < 4 ? r : r + 1;
    const uint32_t x = (w.cell[i] % width + width + k % 3 - 1) % width;
    const uint32_t y = (w.cell[i] / width + width + k / 3 - 1) % width;
    w.move[i] = y * width + x;
}

template <class T> T *filled(const std::vector<T> &data, size_t n)
{
    T *device;
    CHECK(cudaMalloc(&device, n * sizeof(T)));
    CHECK(cudaMemset(device, 0, n * sizeof(T)));
    if (!data.empty()) CHECK(cudaMemcpy(device, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

/* Agents on distinct places, about as many as asked for. */
void measure(const char *name, uint32_t width, uint32_t agents, uint32_t capacity, uint32_t conflict)
{
    enum { REPEATS = 21 };
    const uint32_t cells = width * width;
    std::vector<uint32_t> start(cells + 1), cell;
    std::vector<uint64_t> id;
    for (uint32_t c = 0; c < cells; c++) {
        start[c] = (uint32_t)cell.size();
        if (random64() % cells < agents) cell.push_back(c), id.push_back(random64() >> 24);
    }
    const uint32_t n = start[cells] = (uint32_t)cell.size();
    mass_manage_work w = {};
    mass_agent_array a = {};
    w.places = cells, w.worlds = 1, w.capacity = capacity, w.conflict = conflict, w.room = n;
    w.sub_phases[0] = MASS_SPAWN, w.sub_phases[1] = MASS_KILL, w.sub_phases[2] = MASS_MIGRATE;
    w.random_keys = filled<uint64_t>({1}, 1), w.next_id = filled<uint64_t>({n}, 1), w.count = filled<uint32_t>({n}, 1);
    uint64_t *ids[2] = {filled(id, n), filled<uint64_t>({}, n)};
    uint32_t *cell_of[2] = {filled(cell, n), filled<uint32_t>({}, n)};
    uint8_t *lost[2] = {filled<uint8_t>({}, n), filled<uint8_t>({}, n)};
    uint4 *values[2] = {filled<uint4>({}, n), filled<uint4>({}, n)};
    if (capacity == 1) {
        std::vector<mass_seats> occupancy(cells / 32 + 1);
        for (uint32_t c : cell) occupancy[c / 32].held |= 1u << c % 32;
        for (uint32_t word = 0; word <= cells / 32; word++) occupancy[word].before = start[32 * word];
        w.occupancy = filled(occupancy, occupancy.size());
    }
    w.start = filled(start, cells + 1), w.move = filled<uint32_t>({}, n), w.asked = filled<uint32_t>({}, n);
    w.arrays = &a, w.array_count = 1, a.size = 16;
    const size_t bytes = mass_cuda_manage_scratch(&w, n);
    char *const scratch = filled<char>({}, bytes);
    mass_stop *const stop = filled<mass_stop>({}, 1);
    cudaEvent_t before, after;
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    cudaGraphExec_t run[2];
    for (int k = 0; k < 2; k++) {
        cudaGraph_t graph;
        w.id = ids[k], w.id_to = ids[1 - k], w.cell = cell_of[k], w.cell_to = cell_of[1 - k];
        w.lost = lost[k], w.lost_to = lost[1 - k], a.from = values[k], a.to = values[1 - k];
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        CHECK(mass_cuda_manage(stream, &w, scratch, stop));
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&run[k], graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    std::vector<float> times;
    for (int k = 0; k < REPEATS; k++) {
        float ms;
        w.id = ids[k % 2], w.cell = cell_of[k % 2];
        wander<<<(n + 255) / 256, 256, 0, stream>>>(w, width, k);
        CHECK(cudaEventRecord(before, stream));
        CHECK(cudaGraphLaunch(run[k % 2], stream));
        CHECK(cudaEventRecord(after, stream));
        CHECK(cudaEventSynchronize(after));
        CHECK(cudaEventElapsedTime(&ms, before, after));
        if (k >= 5) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    const float ms = times[times.size() / 2];
    printf("%s: %u agents on %u x %u, %.1f MB of scratch: %.4f ms, %.3f G agents/s\n", name, n, width, width,
           bytes * 1e-6, ms, n / ms * 1e-6);
    for (cudaGraphExec_t r : run) CHECK(cudaGraphExecDestroy(r));
    for (int k = 0; k < 2; k++)
        for (void *v : {(void *)ids[k], (void *)cell_of[k], (void *)lost[k], (void *)values[k]}) CHECK(cudaFree(v));
    for (void *v : {(void *)w.start, (void *)w.occupancy, (void *)w.move, (void *)w.asked, (void *)w.count,
                    (void *)w.next_id, (void *)w.random_keys, (void *)scratch, (void *)stop})
        CHECK(cudaFree(v));
}

void measure_all()
{
    measure("unlimited", 8192, 10000000, 0, MASS_LOWEST_ID);
    measure("capacity 1, lowest id", 8192, 10000000, 1, MASS_LOWEST_ID);
    measure("capacity 1, lottery", 8192, 10000000, 1, MASS_LOTTERY);
    measure("capacity 4, lowest id", 8192, 10000000, 4, MASS_LOWEST_ID);
    measure("capacity 1, dense", 8192, 32000000, 1, MASS_LOWEST_ID);
    measure("like sugarscape", 4096, 1600000, 1, MASS_LOTTERY);
    measure("small, unlimited", 64, 1000, 0, MASS_LOWEST_ID);
    measure("small, capacity 1", 64, 1000, 1, MASS_LOWEST_ID);
    measure("small, capacity 4", 64, 1000, 4, MASS_LOWEST_ID);
}

} // namespace

int main(int count, char **arguments)
{
    if (!there_is_a_gpu()) return SKIPPED;
    CHECK(cudaStreamCreate(&stream));
    const uint64_t first_seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    const int wrong = check_all(first_seed, count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : SMALL_CASES);
    if (wrong == 0) measure_all();
    return wrong != 0;
}
