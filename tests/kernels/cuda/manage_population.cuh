/* SPDX-License-Identifier: Apache-2.0 */
/* Random populations and what their agents ask for, on the host and on a GPU. */
#ifndef MASS_TESTS_KERNELS_CUDA_MANAGE_POPULATION_CUH
#define MASS_TESTS_KERNELS_CUDA_MANAGE_POPULATION_CUH

#include "../../gpu.cuh"
#include "cuda/kernels.h"

#include <algorithm>
#include <initializer_list>
#include <stdio.h>
#include <string.h>
#include <vector>

namespace {

enum { ARRAYS = 7 };

uint64_t seed = 1;

uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
uint64_t random64() { return mix(seed += 0x9e3779b97f4a7c15); }
uint32_t below(uint64_t n) { return (uint32_t)(random64() % n); }
uint32_t one_of(std::initializer_list<uint32_t> values) { return values.begin()[below(values.size())]; }

/* One array, on the host and on the device. */
struct buffer {
    const char *name;
    std::vector<unsigned char> bytes;
    void *device;
};

struct population {
    mass_manage_work w, on_device;
    mass_agent_array arrays[ARRAYS], device_arrays[ARRAYS];
    unsigned char initial[ARRAYS][64];
    std::vector<buffer> buffers;
    uint32_t kind;
};

/* Noise on both sides, until upload(). */
void *add(population *p, const char *name, size_t bytes)
{
    p->buffers.push_back({name, std::vector<unsigned char>(bytes + 8), NULL});
    std::vector<unsigned char> &b = p->buffers.back().bytes;
    for (size_t i = 0; i + 8 <= b.size(); i += 8) {
        const uint64_t r = random64();
        memcpy(&b[i], &r, 8);
    }
    return b.data();
}

template <class T> void add(population *p, const char *name, T **field, size_t n)
{
    *field = (T *)add(p, name, n * sizeof(T));
}

/* The device's twin of a host address. */
template <class T> void twin(const population &p, T **field)
{
    for (const buffer &b : p.buffers)
        if (*field && (const void *)*field == b.bytes.data()) *field = (T *)b.device;
}

void upload(population *p)
{
    for (buffer &b : p->buffers) {
        CHECK(cudaMalloc(&b.device, b.bytes.size()));
        CHECK(cudaMemcpy(b.device, b.bytes.data(), b.bytes.size(), cudaMemcpyHostToDevice));
    }
    mass_manage_work *const w = &p->on_device;
    *w = p->w;
    memcpy(p->device_arrays, p->arrays, sizeof p->arrays);
    w->arrays = p->device_arrays;
    for (mass_agent_array &a : p->device_arrays) twin(*p, &a.from), twin(*p, &a.to), twin(*p, &a.child);
    twin(*p, &w->gates), twin(*p, &w->random_keys), twin(*p, &w->clock), twin(*p, &w->priority), twin(*p, &w->count);
    twin(*p, &w->next_id), twin(*p, &w->id), twin(*p, &w->cell), twin(*p, &w->id_to), twin(*p, &w->cell_to);
    twin(*p, &w->lost_to), twin(*p, &w->lost), twin(*p, &w->start), twin(*p, &w->move), twin(*p, &w->asked);
    twin(*p, &w->child_cell), twin(*p, &w->born), twin(*p, &w->died), twin(*p, &w->refused), twin(*p, &w->occupancy);
}

bool same(const population &p)
{
    bool all = true;
    std::vector<unsigned char> there;
    for (const buffer &b : p.buffers) {
        there.resize(b.bytes.size());
        CHECK(cudaMemcpy(there.data(), b.device, there.size(), cudaMemcpyDeviceToHost));
        const size_t at = std::mismatch(there.begin(), there.end(), b.bytes.begin()).first - there.begin();
        if (at == there.size()) continue;
        fprintf(stderr, "  %s differs at byte %zu of %zu\n", b.name, at, there.size());
        all = false;
    }
    return all;
}

void free_device(population *p)
{
    for (buffer &b : p->buffers) CHECK(cudaFree(b.device));
}

/* Cases. */

void place_agents(population *p, uint32_t agents, bool overfull)
{
    const uint64_t cells = (uint64_t)p->w.places * p->w.worlds;
    const uint64_t crowded = below(3) == 0 ? 1 + below(cells < 5 ? cells : 5) : cells;
    uint32_t *const start = p->w.start, *const cell = (uint32_t *)p->w.cell;
    std::vector<uint32_t> n(cells);
    uint32_t count = 0;
    for (uint32_t i = 0; i < agents; i++) {
        const uint64_t c = below(2) ? random64() % crowded : random64() % cells;
        if (p->w.capacity && n[c] >= p->w.capacity && !overfull) continue;
        n[c]++;
        count++;
    }
    start[0] = 0;
    for (uint64_t c = 0; c < cells; c++) {
        start[c + 1] = start[c] + n[c];
        std::fill(cell + start[c], cell + start[c + 1], (uint32_t)c);
    }
    *p->w.count = count;
}

void name_agents(population *p)
{
    uint64_t *const id = (uint64_t *)p->w.id;
    const bool dense = below(2);
    const uint32_t n = *p->w.count;
    std::vector<uint64_t> names(n);
    for (uint32_t i = 0; i < n; i++) names[i] = dense ? i : ((uint64_t)i << 33 | random64() >> 31);
    for (uint32_t i = n; i > 1; i--) std::swap(names[i - 1], names[below(i)]);
    for (uint32_t i = 0; i < n; i++) id[i] = names[i];
    const uint64_t cells = (uint64_t)p->w.places * p->w.worlds;
    for (uint64_t c = 0; c < cells; c++) std::sort(id + p->w.start[c], id + p->w.start[c + 1]);
    for (int32_t w = 0; w < p->w.worlds; w++) p->w.next_id[w] = ((uint64_t)1 << 63) + below(1000);
}

uint32_t request(const population &p, uint32_t i, uint32_t motion, uint32_t few)
{
    const uint32_t places = (uint32_t)p.w.places, cell = p.w.cell[i], world = cell / places, at = cell % places;
    if (below(20) == 0) return one_of({MASS_CELL_STAY, MASS_CELL_NOWHERE, cell});
    switch (motion) {
    case 0: return world * places + below(places);
    case 1: return world * places + (at + 1) % places;
    case 2: return at + 1 < places ? cell + 1 : MASS_CELL_STAY; /* a line before a wall */
    case 3: return world * places + (at ^ 1) % places;
    case 4: return world * places + below(few < places ? few : places);
    case 5: return world * places + (at + places + below(3) - 1) % places;
    default: return MASS_CELL_STAY;
    }
}

void ask(population *p)
{
    const uint32_t motion = below(7), few = 1 + below(5), deaths = one_of({0, 3, 10}), births = one_of({1, 3, 30});
    for (uint32_t i = 0; i < *p->w.count; i++) {
        p->w.move[i] = request(*p, i, motion, few);
        p->w.asked[i] = p->w.children && below(births) == 0 ? below(p->w.children + 1) : 0;
        if (deaths && below(deaths) == 0) p->w.asked[i] |= MASS_ASKED_KILL;
        for (uint32_t b = 0; b < p->w.children; b++)
            p->w.child_cell[(size_t)b * p->w.room + i] = below(2) ? MASS_CELL_STAY : request(*p, i, motion, few);
    }
}

/* Numbers of every type that order well, with many that are the same. */
void set_priorities(population *p)
{
    void *const data = (void *)p->w.priority;
    for (uint32_t i = 0; i < p->w.room; i++) {
        const int value = (int)below(7) - 3;
        switch (p->w.priority_type) {
        case MASS_I32: ((int32_t *)data)[i] = value; break;
        case MASS_U32: ((uint32_t *)data)[i] = (uint32_t)value; break;
        case MASS_I64: ((int64_t *)data)[i] = value * ((int64_t)1 << 40); break;
        case MASS_U64: ((uint64_t *)data)[i] = (uint64_t)value; break;
        case MASS_F32: ((float *)data)[i] = value ? value * 0.5f : below(2) ? 0.0f : -0.0f; break;
        default: ((double *)data)[i] = value ? value * 0.5 : below(2) ? 0.0 : -0.0;
        }
    }
}

void make_arrays(population *p)
{
    static const char *const names[] = {"attribute 0", "attribute 1", "attribute 2", "attribute 3",
                                        "attribute 4", "attribute 5", "attribute 6"};
    const size_t sizes[ARRAYS] = {16, 8, 4, 2, 1, 12, below(2) ? (size_t)3 : 64};
    for (int i = 0; i < ARRAYS; i++) {
        mass_agent_array *const a = &p->arrays[i];
        a->size = sizes[i];
        a->from = add(p, "from", p->w.room * a->size);
        a->to = add(p, names[i], p->w.room * a->size);
        a->child = p->w.children && below(2) ? add(p, "child", p->w.children * p->w.room * a->size) : NULL;
        for (unsigned char &byte : p->initial[i]) byte = (unsigned char)random64();
        a->initial = p->initial[i];
    }
    p->w.arrays = p->arrays;
    p->w.array_count = below(8) ? (uint32_t)ARRAYS : below(ARRAYS);
}

void make_tallies(population *p)
{
    const size_t worlds = (size_t)p->w.worlds;
    if (below(4)) add(p, "born", &p->w.born, worlds);
    if (below(4)) add(p, "died", &p->w.died, worlds);
    if (below(4)) add(p, "refused", &p->w.refused, worlds);
}

/* Seats that say what start does. */
void set_seats(population *p)
{
    const uint32_t cells = (uint32_t)p->w.places * (uint32_t)p->w.worlds;
    if (!p->w.occupancy) return;
    for (uint32_t word = 0; word <= cells / 32; word++) {
        p->w.occupancy[word] = {0, p->w.start[32 * word]};
        for (uint32_t c = 32 * word; c < cells && c < 32 * word + 32; c++)
            p->w.occupancy[word].held |= (p->w.start[c + 1] - p->w.start[c]) << c % 32;
    }
}

/* What a device leaves that has seats: the starts of worlds alone are new. */
void keep_starts(population *p, const std::vector<uint32_t> &before)
{
    if (!p->w.occupancy) return;
    for (size_t c = 0; c < before.size(); c++)
        if (c % (size_t)p->w.places) p->w.start[c] = before[c];
}

/* Removes the requests behind the last agent, as a device does if places hold one agent. If places hold more, a device
 * does so only if nobody is born and no world may be closed. */
void end_requests(population *p, uint32_t before)
{
    const bool at_once = !p->w.gates || (p->w.worlds == 1 && p->w.gates[0] == 0);
    const bool ends = p->w.capacity == 1 || (p->w.children == 0 && at_once);
    for (uint32_t i = *p->w.count; ends && i < before; i++)
        p->w.move[i] = MASS_CELL_STAY, p->w.asked[i] = 0;
}

void make(population *p, uint32_t agents, uint32_t places_most)
{
    static const uint32_t orders[3][3] = {{MASS_SPAWN, MASS_KILL, MASS_MIGRATE},
                                          {MASS_KILL, MASS_SPAWN, MASS_MIGRATE},
                                          {MASS_KILL, MASS_MIGRATE, MASS_SPAWN}};
    mass_manage_work *const w = &p->w;
    p->buffers.reserve(64);
    w->worlds = (int32_t)one_of({1, 1, 2, 3, 9});
    w->places = 1 + below(places_most);
    memcpy(w->sub_phases, orders[below(3)], sizeof w->sub_phases);
    w->capacity = one_of({0, 0, 1, 1, 2, 3, 100, 5000});
    w->conflict = below(3);
    w->priority_type = one_of({MASS_I32, MASS_U32, MASS_I64, MASS_U64, MASS_F32, MASS_F64});
    w->children = one_of({0, 0, 1, 2, 3});
    w->room = agents + agents / one_of({1, 2, 5, 1000}) + 1;
    w->phase = below(200);
    w->step = random64() >> 30;
    const size_t room = w->room, cells = (size_t)(w->places * w->worlds), worlds = (size_t)w->worlds;
    uint32_t *gates, *cell;
    uint64_t *keys, *id, *clock;
    uint8_t *lost;
    add(p, "keys", &keys, worlds), w->random_keys = keys;
    add(p, "gates", &gates, worlds);
    for (size_t i = 0; i < worlds; i++) gates[i] = below(3) == 0;
    if (below(2)) w->gates = gates;
    add(p, "clock", &clock, 1);
    *clock >>= 30;
    if (below(2)) w->clock = clock;
    w->priority = add(p, "priority", room * 8);
    add(p, "count", &w->count, 1), add(p, "next_id", &w->next_id, worlds);
    add(p, "id", &id, room), w->id = id;
    add(p, "cell", &cell, room), w->cell = cell;
    add(p, "lost", &lost, room), w->lost = lost;
    for (size_t i = 0; i < room; i++) lost[i] &= 1;
    add(p, "id_to", &w->id_to, room), add(p, "cell_to", &w->cell_to, room), add(p, "lost_to", &w->lost_to, room);
    add(p, "start", &w->start, cells + 1), add(p, "move", &w->move, room), add(p, "asked", &w->asked, room);
    add(p, "child_cell", &w->child_cell, w->children * room);
    place_agents(p, agents, below(8) == 0 && w->capacity != 1);
    name_agents(p);
    set_priorities(p);
    ask(p);
    make_arrays(p);
    make_tallies(p);
    if (w->capacity == 1 && below(4)) add(p, "seats", &w->occupancy, cells / 32 + 1);
    set_seats(p);
    if (!w->occupancy || w->gates || w->children > 1) return;
    w->order.finds = below(2) ? MASS_ORDER_ANY : MASS_ORDER_SORTED;
    w->order.leaves = below(3) == 0 ? MASS_ORDER_ANY : MASS_ORDER_SORTED;
    if (w->order.leaves == MASS_ORDER_ANY && below(4)) std::fill(w->asked, w->asked + *w->count, 0);
}

} // namespace
#endif
