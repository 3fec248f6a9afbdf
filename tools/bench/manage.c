/* SPDX-License-Identifier: Apache-2.0 */
/* manage alone, as a device runs it: all agents request a neighbouring place, and take four attributes of four bytes
 * with them. */
#include "device/device.h"
#include "process/progress.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANAGE_RUNS = 5, MANAGE_SIZE = 8192, MANAGE_SMALLEST = 16, MANAGE_LARGEST = 65535, MANAGE_WARM_UP = 2 };
enum { MANAGE_ATTRIBUTES = 4, MANAGE_BUFFERS = 12 + 2 * MANAGE_ATTRIBUTES };

static const bench_column manage_columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"agents", "agents", 1, 9, 0},
    {"refused", "refused %", 100, 9, 2},
    {"manage_s", "manage ms", 1e3, 10, 3},
    {"agents_per_s", "Magent/s", 1e-6, 9, 2},
    {"limit_agents_per_s", "limit", 1e-6, 9, 2},
    {"of_limit", "/limit", 1, 7, 3},
    {"sort_keys_per_s", "sort", 1e-6, 8, 2},
    {"of_sort", "/sort", 1, 7, 3},
    {"of_one_thread", "/1 thread", 1, 9, 2}};
enum { MANAGE_COLUMNS = sizeof manage_columns / sizeof *manage_columns };

/* A population on a device, and the host's data about it. */
typedef struct manage_crowd {
    mass_device *device;
    uint32_t agents, cells, capacity;
    int64_t size;
    uint64_t random;
    void *buffers[MANAGE_BUFFERS]; /* device memory */
    uint64_t *id[2];
    uint32_t *cell[2], *attribute[MANAGE_ATTRIBUTES][2], *move, *asked, *start, *count;
    uint8_t *lost[2];
    uint64_t *next_id, *keys;
    int now; /* index of the present values, of two */
    uint64_t *id_here; /* of agents, in host memory, as all below */
    uint32_t *cell_here, *move_here, *start_here, *from, *target; /* the last two are indexed by id */
    uint8_t *lost_here, *seen;
} manage_crowd;

/* The finaliser of splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). */
static uint64_t manage_random(manage_crowd *c)
{
    uint64_t z = c->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Returns a random number from 0 to n - 1. */
static uint32_t manage_below(manage_crowd *c, uint32_t n) { return (uint32_t)((manage_random(c) >> 32) * n >> 32); }

/* Returns attribute k of an agent, which never changes. */
static uint32_t manage_value(uint64_t id, int k) { return (uint32_t)(id * 0x9e3779b97f4a7c15 >> (8 * k)); }

/* ---- a population ---- */

/* Allocates host memory. `out` is the address of a pointer of any type. */
static mass_status manage_here(void *out, size_t bytes, mass_error *error)
{
    void *memory = malloc(bytes);
    memcpy(out, &memory, sizeof memory);
    return memory ? MASS_OK : mass_error_memory(error, bytes, "agents");
}

/* Allocates all arrays on the device and here. On failure the caller still closes the crowd. */
static mass_status manage_allocate(manage_crowd *c, mass_error *error)
{
    const size_t n = c->agents, word = sizeof(uint32_t);
    const struct {
        void *at;
        size_t bytes;
    } there[MANAGE_BUFFERS] = {
        {&c->id[0], 2 * word * n}, {&c->id[1], 2 * word * n}, {&c->cell[0], word * n}, {&c->cell[1], word * n},
        {&c->lost[0], n}, {&c->lost[1], n}, {&c->move, word * n}, {&c->asked, word * n},
        {&c->start, word * ((size_t)c->cells + 1)}, {&c->count, word}, {&c->next_id, 2 * word}, {&c->keys, 2 * word},
        {&c->attribute[0][0], word * n}, {&c->attribute[0][1], word * n}, {&c->attribute[1][0], word * n},
        {&c->attribute[1][1], word * n}, {&c->attribute[2][0], word * n}, {&c->attribute[2][1], word * n},
        {&c->attribute[3][0], word * n}, {&c->attribute[3][1], word * n}},
      here[] = {{&c->id_here, 2 * word * n}, {&c->cell_here, word * n}, {&c->move_here, word * n},
        {&c->start_here, word * ((size_t)c->cells + 1)}, {&c->from, word * n}, {&c->target, word * n},
        {&c->lost_here, n}, {&c->seen, n}};
    mass_status status = MASS_OK;
    for (size_t i = 0; status == MASS_OK && i < sizeof here / sizeof *here; i++)
        status = manage_here(here[i].at, here[i].bytes, error);
    for (int i = 0; status == MASS_OK && i < MANAGE_BUFFERS; i++) {
        status = c->device->table->memory->allocate(c->device, there[i].bytes, &c->buffers[i], error);
        memcpy(there[i].at, &c->buffers[i], sizeof c->buffers[i]);
    }
    return status;
}

/* Frees all memory, and closes the device. */
static void manage_close(manage_crowd *c)
{
    for (int i = 0; i < MANAGE_BUFFERS; i++)
        if (c->device) c->device->table->memory->release(c->device, c->buffers[i]);
    mass_device_close(c->device);
    free(c->id_here);
    free(c->cell_here);
    free(c->move_here);
    free(c->start_here);
    free(c->from);
    free(c->target);
    free(c->lost_here);
    free(c->seen);
    *c = (manage_crowd){0};
}

/* Draws random places, different ones for a capacity of 1. Ids are in random order, except on one place. */
static void manage_place(manage_crowd *c)
{
    memset(c->start_here, 0, ((size_t)c->cells + 1) * sizeof *c->start_here);
    for (uint32_t i = 0; i < c->agents;) {
        const uint32_t cell = manage_below(c, c->cells);
        if (c->capacity && c->start_here[cell + 1] >= c->capacity) continue;
        c->start_here[cell + 1]++;
        i++;
    }
    for (uint32_t i = 0; i < c->cells; i++) c->start_here[i + 1] += c->start_here[i];
    for (uint32_t i = 0; i < c->agents; i++) {
        const uint32_t k = manage_below(c, i + 1);
        c->id_here[i] = c->id_here[k];
        c->id_here[k] = i;
    }
    for (uint32_t cell = 0; cell < c->cells; cell++)
        for (uint32_t i = c->start_here[cell]; i < c->start_here[cell + 1]; i++) {
            const uint64_t id = c->id_here[i];
            uint32_t k = i;
            for (; k > c->start_here[cell] && c->id_here[k - 1] > id; k--) c->id_here[k] = c->id_here[k - 1];
            c->id_here[k] = id;
            c->cell_here[i] = cell;
        }
}

/* Uploads agents, without requests, with attributes that depend on their ids. */
static mass_status manage_upload(manage_crowd *c, mass_error *error)
{
    const mass_device_table *t = c->device->table;
    static const uint32_t nothing = 0;
    const uint64_t next = c->agents, key = 0x243f6a8885a308d3;
    const size_t n = c->agents, word = sizeof(uint32_t);
    mass_status status = t->memory->upload(c->device, c->id[0], c->id_here, 2 * word * n, error);
    if (status == MASS_OK) status = t->memory->upload(c->device, c->cell[0], c->cell_here, word * n, error);
    if (status == MASS_OK)
        status = t->memory->upload(c->device, c->start, c->start_here, word * ((size_t)c->cells + 1), error);
    if (status == MASS_OK) status = t->memory->upload(c->device, c->count, &c->agents, word, error);
    if (status == MASS_OK) status = t->memory->upload(c->device, c->next_id, &next, sizeof next, error);
    if (status == MASS_OK) status = t->memory->upload(c->device, c->keys, &key, sizeof key, error);
    for (int k = 0; status == MASS_OK && k < MANAGE_ATTRIBUTES; k++) {
        for (uint32_t i = 0; i < c->agents; i++) c->move_here[i] = manage_value(c->id_here[i], k);
        status = t->memory->upload(c->device, c->attribute[k][0], c->move_here, word * n, error);
    }
    if (status == MASS_OK) status = t->memory->fill(c->device, c->asked, &nothing, word, n, error);
    return status == MASS_OK ? t->memory->fill(c->device, c->lost[0], &nothing, 1, n, error) : status;
}

/* Opens a device and places agents on size * size cells, as dense as 10 million on the whole size. On failure the
 * caller still closes the crowd. */
static mass_status manage_open(manage_crowd *c, const char *device, int threads, int64_t size, uint32_t capacity,
                               mass_error *error)
{
    const int64_t cells = size * size, whole = (int64_t)MANAGE_SIZE * MANAGE_SIZE;
    *c = (manage_crowd){.size = size, .cells = (uint32_t)cells, .capacity = capacity, .random = BENCH_SEED,
                        .agents = (uint32_t)((double)cells * 1e7 / (double)whole)};
    mass_status status = mass_device_open(device, threads, true, &c->device, error);
    if (status == MASS_OK && !c->device->table->agents)
        status = mass_error_set(error, MASS_NO_DEVICE, "%s cannot run agents", device);
    if (status == MASS_OK) status = manage_allocate(c, error);
    if (status != MASS_OK) return status;
    manage_place(c);
    return manage_upload(c, error);
}

/* ---- one manage ---- */

/* Requests a move of every agent to one of the four neighbouring places, on a torus. */
static mass_status manage_ask(manage_crowd *c, mass_error *error)
{
    const int64_t size = c->size;
    for (uint32_t i = 0; i < c->agents; i++) {
        const uint32_t cell = c->cell_here[i], way = manage_below(c, 4);
        int64_t x = cell % size, y = cell / size;
        if (way & 1) x = (x + (way & 2 ? 1 : size - 1)) % size;
        else y = (y + (way & 2 ? 1 : size - 1)) % size;
        c->from[c->id_here[i]] = cell;
        c->target[c->id_here[i]] = c->move_here[i] = (uint32_t)(y * size + x);
    }
    return c->device->table->memory->upload(c->device, c->move, c->move_here, (size_t)c->agents * sizeof *c->move,
                                            error);
}

/* Runs one manage, waits for it, and sets *seconds to its time. */
static mass_status manage_run(manage_crowd *c, uint64_t step, double *seconds, mass_error *error)
{
    static const uint32_t zero = 0;
    const int now = c->now, next = !now;
    mass_agent_array arrays[MANAGE_ATTRIBUTES];
    for (int k = 0; k < MANAGE_ATTRIBUTES; k++)
        arrays[k] = (mass_agent_array){c->attribute[k][now], c->attribute[k][next], sizeof zero, NULL, &zero};
    const mass_manage_work w = {.places = c->cells, .worlds = 1, .random_keys = c->keys, .step = step,
        .sub_phases = {MASS_SPAWN, MASS_KILL, MASS_MIGRATE}, .capacity = c->capacity, .conflict = MASS_LOWEST_ID,
        .room = c->agents, .count = c->count, .next_id = c->next_id, .id = c->id[now], .cell = c->cell[now],
        .id_to = c->id[next], .cell_to = c->cell[next], .lost = c->lost[now], .lost_to = c->lost[next],
        .start = c->start, .move = c->move, .asked = c->asked, .array_count = MANAGE_ATTRIBUTES, .arrays = arrays};
    uint64_t agents = 0;
    mass_status status = c->device->table->launch->synchronise(c->device, error);
    const double began = mass_seconds();
    if (status == MASS_OK) status = c->device->table->agents->manage(c->device, &w, &agents, error);
    if (status == MASS_OK) status = c->device->table->launch->synchronise(c->device, error);
    *seconds = mass_seconds() - began;
    c->now = next;
    if (status == MASS_OK && agents > w.room)
        status = mass_error_set(error, MASS_FAILED, "manage reports %" PRIu64 " agents, where there are %u: nothing "
                                "is measured", agents, c->agents);
    return status;
}

/* ---- checks ---- */

/* Downloads agents, requests and starts, and sets *count to the number of agents on the device. */
static mass_status manage_download(manage_crowd *c, uint32_t *count, mass_error *error)
{
    const mass_device_table *t = c->device->table;
    const size_t n = c->agents, word = sizeof(uint32_t);
    mass_status status = t->memory->download(c->device, c->id_here, c->id[c->now], 2 * word * n, error);
    if (status == MASS_OK) status = t->memory->download(c->device, c->cell_here, c->cell[c->now], word * n, error);
    if (status == MASS_OK) status = t->memory->download(c->device, c->lost_here, c->lost[c->now], n, error);
    if (status == MASS_OK) status = t->memory->download(c->device, c->move_here, c->move, word * n, error);
    if (status == MASS_OK)
        status = t->memory->download(c->device, c->start_here, c->start, word * ((size_t)c->cells + 1), error);
    return status == MASS_OK ? t->memory->download(c->device, count, c->count, word, error) : status;
}

/* Returns true if each id is there once, by cell and id, and the number of agents on each cell is that of start[], at
 * most its capacity. */
static bool manage_in_order(manage_crowd *c)
{
    memset(c->seen, 0, c->agents);
    for (uint32_t i = 0; i < c->agents; i++) {
        if (c->id_here[i] >= c->agents || c->cell_here[i] >= c->cells || c->seen[c->id_here[i]]++) return false;
        if (i && (c->cell_here[i] < c->cell_here[i - 1] ||
                  (c->cell_here[i] == c->cell_here[i - 1] && c->id_here[i] < c->id_here[i - 1]))) return false;
    }
    bool right = c->start_here[0] == 0 && c->start_here[c->cells] == c->agents;
    for (uint32_t cell = 0; right && cell < c->cells; cell++) {
        const uint32_t first = c->start_here[cell], last = c->start_here[cell + 1];
        right = first <= last && last <= c->agents && (!c->capacity || last - first <= c->capacity) &&
                (first == last || (c->cell_here[first] == cell && c->cell_here[last - 1] == cell));
    }
    return right;
}

/* Returns true if each agent is at its requested place, or was refused and did not move. A place that refused an agent
 * must be full. */
static bool manage_moved(manage_crowd *c, double *refused)
{
    uint32_t lost = 0;
    bool right = true;
    for (uint32_t i = 0; i < c->agents; i++) {
        const uint64_t id = c->id_here[i];
        const uint32_t target = c->target[id];
        lost += c->lost_here[i];
        right &= c->move_here[i] == MASS_CELL_STAY && c->lost_here[i] <= (c->capacity != 0) &&
                 c->cell_here[i] == (c->lost_here[i] ? c->from[id] : target) &&
                 (!c->lost_here[i] || c->start_here[target + 1] - c->start_here[target] == c->capacity);
    }
    *refused = (double)lost / c->agents;
    return right;
}

/* Checks the agents after a manage against their requests. Sets *refused to the part of agents whose moves were
 * refused. */
static mass_status manage_check(manage_crowd *c, double *refused, mass_error *error)
{
    uint32_t count;
    mass_status status = manage_download(c, &count, error);
    if (status != MASS_OK) return status;
    const char *wrong = count != c->agents       ? "agents are lost"
                      : !manage_in_order(c)      ? "agents are not in order, or too many on a place"
                      : !manage_moved(c, refused) ? "agents are not where they asked to be"
                                                 : NULL;
    for (int k = 0; status == MASS_OK && !wrong && k < MANAGE_ATTRIBUTES; k++) {
        status = c->device->table->memory->download(c->device, c->move_here, c->attribute[k][c->now],
                                                    (size_t)c->agents * sizeof *c->move_here, error);
        for (uint32_t i = 0; status == MASS_OK && i < c->agents; i++)
            if (c->move_here[i] != manage_value(c->id_here[i], k)) wrong = "attributes are not those of their agents";
    }
    if (status == MASS_OK && wrong)
        status = mass_error_set(error, MASS_FAILED, "manage on %s: %s: nothing is measured",
                                c->device->table->name(c->device), wrong);
    return status;
}

/* ---- rows ---- */

typedef struct manage_times {
    manage_crowd crowd;
    bench_limit limit;
    bench_sort sort;
    double manage[BENCH_RUNS_MAX], refused[BENCH_RUNS_MAX], sorted[BENCH_RUNS_MAX];
} manage_times;

/* Returns the bytes of a manage that reads and writes every array once. */
static double manage_bytes(const manage_crowd *c)
{
    const double agent = sizeof(uint64_t) + 3 * sizeof(uint32_t) + 1 + MANAGE_ATTRIBUTES * sizeof(uint32_t);
    return 2 * (c->agents * agent + c->cells * (double)sizeof(uint32_t));
}

/* Measures manages after some to warm up; on a CPU also sorts of as many keys, and each time a copy of memory. Checks
 * every result. */
static mass_status manage_measure(manage_times *t, bool on_gpu, int runs, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int i = -MANAGE_WARM_UP; status == MASS_OK && i < runs; i++) {
        const int at = i < 0 ? 0 : i;
        status = manage_ask(&t->crowd, error);
        if (status == MASS_OK) status = manage_run(&t->crowd, (uint64_t)(i + MANAGE_WARM_UP), &t->manage[at], error);
        if (status == MASS_OK) status = manage_check(&t->crowd, &t->refused[at], error);
        if (status == MASS_OK && !on_gpu && i >= -1) {
            bench_sort_fill(&t->sort);
            const double began = mass_seconds();
            bench_sort_run(&t->sort);
            t->sorted[at] = mass_seconds() - began;
            if (!bench_sort_right(&t->sort))
                status = mass_error_set(error, MASS_FAILED, "the sort to compare with is wrong: nothing is measured");
        }
        if (status == MASS_OK && i >= 0) status = bench_limit_measure(&t->limit, error);
    }
    return status;
}

/* Adds a row to the report. Rates are agents a second. */
static void manage_report(manage_times *t, bool on_gpu, int threads, int runs, double *one_thread,
                          bench_report *report)
{
    const manage_crowd *c = &t->crowd;
    const double seconds = bench_median(t->manage, runs), rate = c->agents / seconds;
    const double limit = bench_limit_rate(&t->limit) / manage_bytes(c) * c->agents;
    const double sort = on_gpu ? NAN : c->agents / bench_median(t->sorted, runs);
    char label[64];
    snprintf(label, sizeof label, "%" PRId64 "^2, %s", c->size, c->capacity ? "one each" : "any");
    if (threads == 1) *one_thread = rate;
    bench_report_row(report, label, (const double[MANAGE_COLUMNS]){threads ? threads : NAN, c->agents,
                     bench_median(t->refused, runs), seconds, rate, limit, rate / limit, sort, rate / sort,
                     threads == 1 ? NAN : rate / *one_thread});
}

/* Measures one size, capacity of places and number of threads, and adds a row to the report. */
static mass_status manage_measure_row(bench_subject *s, int64_t size, uint32_t capacity, int threads, int runs,
                                      double *one_thread, bench_report *report, mass_error *error)
{
    manage_times *t = calloc(1, sizeof *t);
    if (!t) return mass_error_memory(error, sizeof *t, "times");
    mass_status status = manage_open(&t->crowd, s->device, threads, size, capacity, error);
    if (status == MASS_OK)
        status = bench_limit_create(&t->limit, s, (size_t)(manage_bytes(&t->crowd) / 2), threads, error);
    if (status == MASS_OK && !s->on_gpu) status = bench_sort_create(&t->sort, t->crowd.agents, threads, error);
    if (status == MASS_OK) status = manage_measure(t, s->on_gpu, runs, error);
    if (status == MASS_OK) manage_report(t, s->on_gpu, threads, runs, one_thread, report);
    manage_close(&t->crowd);
    bench_limit_free(&t->limit);
    bench_sort_free(&t->sort);
    free(t);
    return status;
}

mass_status bench_manage(const bench_options *o, mass_error *error)
{
    const int64_t size = o->size ? o->size : MANAGE_SIZE;
    bench_report report;
    bench_subject s;
    bench_report_begin(&report, "manage", manage_columns, MANAGE_COLUMNS, o->json);
    mass_status status = bench_subject_open(&s, o, &report, error);
    if (status == MASS_OK && (size < MANAGE_SMALLEST || size > MANAGE_LARGEST))
        status = mass_error_set(error, MASS_BAD_USAGE, "--size %" PRId64 ": manage is measured from %d to %d", size,
                                MANAGE_SMALLEST, MANAGE_LARGEST);
    for (uint32_t capacity = 1; status == MASS_OK && capacity < 2; capacity--) { /* 1, then 0: any number */
        double one_thread = NAN;
        for (int i = 0; status == MASS_OK && i < s.count; i++)
            status = manage_measure_row(&s, size, capacity, s.threads[i], o->runs ? o->runs : MANAGE_RUNS, &one_thread,
                                        &report, error);
    }
    bench_subject_close(&s);
    return bench_report_end(&report, status, error);
}
