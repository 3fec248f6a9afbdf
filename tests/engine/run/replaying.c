/* SPDX-License-Identifier: Apache-2.0 */
#include "replaying.h"

#include "device/cpu/cpu.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 8192, FIELDS = 16, ARRAYS = 16, QUEUE_MAX = 8 };

enum { LAUNCH, COPY, COPY_BITS, COMBINE, FILL, MANAGE, GATE, GUARD, CENSUS, LOOK };

typedef struct kept {
    int kind;
    union {
        struct {
            mass_work work;
            mass_launch launch;
            void *fields[FIELDS];
            mass_field_memory memory[FIELDS];
        };
        struct {
            mass_strided copy;
            mass_combination how;
        };
        mass_bit_runs runs;
        struct {
            void *to;
            unsigned char element[16];
            size_t size, count;
        } fill;
        struct {
            mass_manage_work manage;
            mass_agent_array arrays[ARRAYS];
        };
        mass_gate_work gate;
        mass_memory_guard_work guard;
        struct {
            const uint32_t *start;
            int64_t places, *tally;
            int32_t worlds;
        } census;
        mass_until_work look;
    };
} kept;

struct mass_recording {
    kept *list;
    int count;
    uint64_t *clock, steps;
};

static struct {
    replaying_counts counts;
    mass_recording *recording;
    mass_recording *queue[QUEUE_MAX];
    int queued;
    mass_stop stop, seen;
    size_t available;
} gpu;

replaying_counts *replaying_count(void) { return &gpu.counts; }

static kept *keep(int kind)
{
    mass_recording *r = gpu.recording;
    cr_assert_lt(r->count, KEPT_MAX);
    r->list[r->count] = (kept){.kind = kind};
    return &r->list[r->count++];
}

/* ---- replays ---- */

static void close_gates(uint32_t *closed, int32_t worlds)
{
    for (int32_t w = 0; w < worlds; w++) closed[w] = 1;
}

static uint64_t time_of(uint64_t step, const uint64_t *clock) { return clock ? step + *clock : step; }

static mass_status manage_kept(mass_device *device, kept *k, mass_error *error)
{
    const mass_manage_work *w = &k->manage;
    uint64_t agents;
    k->manage.arrays = k->arrays;
    const mass_status status = gpu.stop.stopped ? MASS_OK : mass_cpu_agents.manage(device, w, &agents, error);
    if (status != MASS_OK || gpu.stop.stopped || agents <= w->room) return status;
    cr_assert_gt(w->children, 0);
    gpu.stop = (mass_stop){1, w->phase, time_of(w->step, w->clock), agents};
    close_gates(w->closed, w->worlds);
    gpu.counts.stops_at[w->phase]++;
    gpu.counts.odd_stops += (int)(w->step % 2);
    gpu.counts.last_stop = gpu.stop.step;
    return MASS_OK;
}

static void guard_kept(const mass_memory_guard_work *w)
{
    if (gpu.stop.stopped || *w->count <= *w->limit) return;
    gpu.stop = (mass_stop){1, MASS_BEFORE_STEP, time_of(w->step, w->clock), *w->count};
    close_gates(w->closed, w->worlds);
    gpu.counts.stops_before++;
}

static mass_status look_kept(mass_device *device, const mass_until_work *w, mass_error *error)
{
    if (gpu.stop.stopped) return MASS_OK;
    cr_assert_eq(*w->held, UINT64_MAX, "it held, and nothing stopped");
    const mass_status status = mass_cpu_table.conditions->look(device, w, error);
    if (status != MASS_OK || *w->held == UINT64_MAX) return status;
    gpu.stop = (mass_stop){1, MASS_HELD, *w->held + 1, 0};
    close_gates(w->closed, w->worlds);
    gpu.counts.stops_held++;
    return MASS_OK;
}

/* Behind a stop every gate is closed. A GPU's thread looks at that of its agent's cell, whichever buffer that is read
 * from; a CPU's goes from one agent to the next, and could not. */
static bool leaves_alone(const kept *k)
{
    const mass_launch *l = &k->launch;
    if (!gpu.stop.stopped || k->work.prepared->callback->over != MASS_OVER_AGENTS) return false;
    const uint32_t cells = (uint32_t)(l->worlds * l->populations[0].places), agents = l->populations[0].start[cells];
    for (uint32_t i = 0; i < agents; i++) {
        cr_assert_lt(l->populations[0].cell[i], cells);
        cr_assert(l->gates && l->gates[l->populations[0].cell[i] / l->populations[0].places]);
    }
    return true;
}

static mass_status do_kept(mass_device *device, kept *k, mass_error *error)
{
    switch (k->kind) {
    case LAUNCH:
        if (leaves_alone(k)) return MASS_OK;
        k->work.launch = &k->launch;
        k->work.fields = k->fields;
        k->work.memory = k->memory;
        return mass_cpu_table.launch->launch(device, &k->work, error);
    case COPY: /* behind a stop it may be repeated, or not */
        if (gpu.stop.stopped && gpu.counts.replays % 2) return MASS_OK;
        return mass_cpu_table.memory->copy(device, &k->copy, error);
    case COPY_BITS:
        if (gpu.stop.stopped && gpu.counts.replays % 2) return MASS_OK;
        return mass_cpu_table.memory->copy_bits(device, &k->runs, error);
    case COMBINE: return gpu.stop.stopped ? MASS_OK : mass_cpu_table.memory->combine(device, &k->copy, &k->how, error);
    case FILL:
        if (gpu.stop.stopped) return MASS_OK;
        return mass_cpu_table.memory->fill(device, k->fill.to, k->fill.element, k->fill.size, k->fill.count, error);
    case MANAGE: return manage_kept(device, k, error);
    case GATE: return mass_cpu_table.conditions->gate(device, &k->gate, error);
    case CENSUS:
        if (gpu.stop.stopped) return MASS_OK;
        return mass_cpu_table.agents->census(device, k->census.start, k->census.places, k->census.worlds,
                                             k->census.tally, error);
    case LOOK: return look_kept(device, &k->look, error);
    default: guard_kept(&k->guard); return MASS_OK;
    }
}

static mass_status do_replays(mass_device *device, int ahead, mass_error *error)
{
    mass_status status = MASS_OK;
    while (status == MASS_OK && gpu.queued > ahead) {
        mass_recording *r = gpu.queue[0];
        for (int i = 0; status == MASS_OK && i < r->count; i++) status = do_kept(device, &r->list[i], error);
        if (!gpu.stop.stopped) *r->clock += r->steps;
        gpu.seen = gpu.stop;
        gpu.counts.replays++;
        memmove(gpu.queue, gpu.queue + 1, (size_t)--gpu.queued * sizeof *gpu.queue);
    }
    return status;
}

static mass_status drain(mass_device *device, mass_error *error)
{
    gpu.counts.waits += gpu.queued > 0;
    return do_replays(device, 0, error);
}

/* ---- operations, which wait for what was queued, or are kept ---- */

static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    if (gpu.recording) {
        const uint32_t fields = work->prepared->callback->field_count;
        cr_assert_leq(fields, FIELDS);
        kept *k = keep(LAUNCH);
        k->work = *work;
        k->launch = *work->launch;
        memcpy(k->fields, work->fields, fields * sizeof *k->fields);
        memcpy(k->memory, work->memory, fields * sizeof *k->memory);
        return MASS_OK;
    }
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.launch->launch(device, work, error) : status;
}

static mass_status copy(mass_device *device, const mass_strided *c, mass_error *error)
{
    if (gpu.recording) {
        keep(COPY)->copy = *c;
        return MASS_OK;
    }
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.memory->copy(device, c, error) : status;
}

static mass_status copy_bits(mass_device *device, const mass_bit_runs *runs, mass_error *error)
{
    if (gpu.recording) {
        keep(COPY_BITS)->runs = *runs;
        return MASS_OK;
    }
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.memory->copy_bits(device, runs, error) : status;
}

static mass_status combine(mass_device *device, const mass_strided *c, const mass_combination *how, mass_error *error)
{
    if (gpu.recording) {
        kept *k = keep(COMBINE);
        k->copy = *c;
        k->how = *how;
        return MASS_OK;
    }
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.memory->combine(device, c, how, error) : status;
}

static mass_status fill(mass_device *device, void *to, const void *element, size_t size, size_t count,
                        mass_error *error)
{
    if (gpu.recording) {
        kept *k = keep(FILL);
        cr_assert_leq(size, sizeof k->fill.element);
        k->fill.to = to;
        k->fill.size = size;
        k->fill.count = count;
        memcpy(k->fill.element, element, size);
        return MASS_OK;
    }
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.memory->fill(device, to, element, size, count, error) : status;
}

static mass_status manage(mass_device *device, const mass_manage_work *work, uint64_t *agents, mass_error *error)
{
    if (gpu.recording) {
        cr_assert_leq(work->array_count, ARRAYS);
        kept *k = keep(MANAGE);
        k->manage = *work;
        memcpy(k->arrays, work->arrays, work->array_count * sizeof *k->arrays);
        *agents = 0;
        return MASS_OK;
    }
    gpu.counts.managed_unrecorded++;
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.agents->manage(device, work, agents, error) : status;
}

static mass_status gate(mass_device *device, const mass_gate_work *work, mass_error *error)
{
    if (gpu.recording) {
        keep(GATE)->gate = *work;
        return MASS_OK;
    }
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.conditions->gate(device, work, error) : status;
}

static mass_status guard(mass_device *device, const mass_memory_guard_work *work, mass_error *error)
{
    (void)device;
    (void)error;
    cr_assert(gpu.recording);
    keep(GUARD)->guard = *work;
    return MASS_OK;
}

static mass_status census(mass_device *device, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error)
{
    if (gpu.recording) {
        kept *k = keep(CENSUS);
        k->census.start = start;
        k->census.places = places;
        k->census.worlds = worlds;
        k->census.tally = tally;
        return MASS_OK;
    }
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.agents->census(device, start, places, worlds, tally, error) : status;
}

static mass_status look(mass_device *device, const mass_until_work *work, mass_error *error)
{
    if (gpu.recording) {
        keep(LOOK)->look = *work;
        return MASS_OK;
    }
    gpu.counts.looks_unrecorded++;
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.conditions->look(device, work, error) : status;
}

static mass_status upload(mass_device *device, void *to, const void *host, size_t bytes, mass_error *error)
{
    cr_assert_not(gpu.recording, "it cannot be kept");
    const mass_status status = drain(device, error);
    return status == MASS_OK ? mass_cpu_table.memory->upload(device, to, host, bytes, error) : status;
}

static mass_status download(mass_device *device, void *host, const void *from, size_t bytes, mass_error *error)
{
    return upload(device, host, from, bytes, error);
}

static mass_status synchronise(mass_device *device, mass_error *error)
{
    cr_assert_not(gpu.recording, "it cannot be kept");
    return drain(device, error);
}

/* ---- memory ---- */

enum { HEADER = 256 };

static mass_status allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    void *memory;
    if (bytes > gpu.available) return mass_error_set(error, MASS_NO_DEVICE, "there is no memory");
    const mass_status status = mass_cpu_table.memory->allocate(device, bytes + HEADER, &memory, error);
    if (status != MASS_OK) return status;
    memcpy(memory, &bytes, sizeof bytes);
    gpu.available -= bytes;
    *out = (char *)memory + HEADER;
    return MASS_OK;
}

static void release(mass_device *device, void *memory)
{
    size_t bytes;
    mass_error e = {0};
    if (!memory) return;
    cr_assert_eq(drain(device, &e), MASS_OK);
    memcpy(&bytes, (char *)memory - HEADER, sizeof bytes);
    memset(memory, 0xa5, bytes);
    gpu.available += bytes;
    mass_cpu_table.memory->release(device, (char *)memory - HEADER);
}

static mass_status available(mass_device *device, size_t *bytes, mass_error *error)
{
    (void)device;
    (void)error;
    *bytes = gpu.available;
    return MASS_OK;
}

/* ---- recordings ---- */

static mass_status begin_record(mass_device *device, mass_error *error)
{
    (void)error;
    (void)device;
    cr_assert_null(gpu.recording);
    gpu.recording = calloc(1, sizeof *gpu.recording);
    gpu.recording->list = calloc(KEPT_MAX, sizeof *gpu.recording->list);
    gpu.counts.records++;
    return MASS_OK;
}

static mass_status end_record(mass_device *device, uint64_t *clock, uint64_t steps, mass_recording **out,
                              mass_error *error)
{
    (void)device;
    (void)error;
    gpu.recording->clock = clock;
    gpu.recording->steps = steps;
    *out = gpu.recording;
    gpu.recording = NULL;
    return MASS_OK;
}

static mass_status replay(mass_device *device, mass_recording *r, mass_error *error)
{
    (void)device;
    (void)error;
    cr_assert_lt(gpu.queued, QUEUE_MAX);
    gpu.queue[gpu.queued++] = r;
    return MASS_OK;
}

static void discard(mass_device *device, mass_recording *r)
{
    mass_error e = {0};
    cr_assert_eq(drain(device, &e), MASS_OK);
    free(r->list);
    free(r);
    gpu.counts.discards++;
}

static mass_status take_stop(mass_device *device, bool wait, uint64_t before, mass_stop *stop, mass_error *error)
{
    const mass_status status = wait || gpu.seen.stopped ? drain(device, error) : MASS_OK;
    *stop = (mass_stop){0};
    if (gpu.seen.stopped && gpu.seen.step >= before) return status;
    *stop = gpu.seen;
    if (stop->stopped) gpu.stop = gpu.seen = (mass_stop){0};
    return status;
}

const mass_device_table *plain_cpu(size_t memory)
{
    static mass_device_table table;
    static mass_memory_operations memory_part;
    memset(&gpu, 0, sizeof gpu);
    gpu.available = memory;
    memory_part = mass_cpu_memory;
    memory_part.allocate = allocate;
    memory_part.release = release;
    memory_part.available = available;
    table = mass_cpu_table;
    table.memory = &memory_part;
    return &table;
}

const mass_device_table *replaying_cpu(size_t memory)
{
    static mass_device_table table;
    static mass_memory_operations memory_part;
    static mass_launch_operations launch_part;
    static mass_agents_operations agents_part;
    static const mass_condition_operations conditions_part = {.gate = gate, .look = look};
    static const mass_record_operations record_part = {.begin = begin_record, .end = end_record, .replay = replay,
        .discard = discard, .keep_up = do_replays, .guard = guard, .take_stop = take_stop};
    table = *plain_cpu(memory);
    memory_part = *table.memory;
    memory_part.upload = upload;
    memory_part.download = download;
    memory_part.fill = fill;
    memory_part.copy = copy;
    memory_part.copy_bits = copy_bits;
    memory_part.combine = combine;
    launch_part = *table.launch;
    launch_part.launch = launch;
    launch_part.synchronise = synchronise;
    agents_part = mass_cpu_agents;
    agents_part.manage = manage;
    agents_part.census = census;
    table.memory = &memory_part;
    table.launch = &launch_part;
    table.agents = &agents_part;
    table.conditions = &conditions_part;
    table.record = &record_part;
    return &table;
}
