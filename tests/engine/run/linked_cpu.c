/* SPDX-License-Identifier: Apache-2.0 */
/* Queued work is a list of closures. It is done at once, later if it is beside other work, or kept in a recording. */
#include "linked_cpu.h"

#include "device/cpu/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 16, ELEMENT = 64, MESSAGES = 64 };

typedef enum kind { LAUNCH, COPY, COMBINE, GATHER, SCATTER, FILL, GATE, FIXED, EXCHANGE, REDUCE } kind;

/* One queued operation, with all that it reads of the host. */
typedef struct task {
    kind kind;
    mass_work work;
    mass_launch launch;
    void *fields[FIELDS];
    mass_field_memory memory[FIELDS];
    mass_strided box;
    mass_combination how;
    mass_indexed indexed;
    bool combines;
    size_t size, count;
    void *to;
    uint8_t element[ELEMENT];
    mass_gate_work gate;
    mass_fixed_work fixed;
    mass_message sends[MESSAGES], receives[MESSAGES];
    uint32_t send_count, receive_count;
    mass_reduction_operation operation;
} task;

typedef struct tasks {
    task *list;
    size_t count;
} tasks;

struct mass_recording {
    tasks kept;
    uint64_t *clock, steps;
};

typedef struct linked {
    mass_link link;
    mass_comm *comm;
    mass_device *device;
    mass_beside beside;
    enum { MAIN, ENTERED, LEFT } side;
    bool recording;
    tasks kept, later;
} linked;

_Thread_local linked_cpu_counts linked_cpu_counted;
static _Thread_local linked here;

__attribute__((noreturn)) static void fail(const char *text)
{
    fprintf(stderr, "a CPU with a link: %s\n", text);
    abort();
}

static void append(tasks *to, const task *t)
{
    task *list = realloc(to->list, (to->count + 1) * sizeof *list);
    if (!list) fail("there is no memory");
    to->list = list;
    list[to->count++] = *t;
}

static mass_status do_task(task *t, mass_error *error)
{
    mass_device *device = here.device;
    switch (t->kind) {
    case LAUNCH:
        t->work.launch = &t->launch;
        t->work.fields = t->fields;
        t->work.memory = t->memory;
        return mass_cpu_table.launch->launch(device, &t->work, error);
    case COPY: return mass_cpu_memory.copy(device, &t->box, error);
    case COMBINE: return mass_cpu_memory.combine(device, &t->box, &t->how, error);
    case GATHER: return mass_cpu_memory.gather(device, &t->indexed, error);
    case SCATTER: return mass_cpu_memory.scatter(device, &t->indexed, t->combines ? &t->how : NULL, error);
    case FILL: return mass_cpu_memory.fill(device, t->to, t->element, t->size, t->count, error);
    case GATE: return mass_cpu_conditions.gate(device, &t->gate, error);
    case FIXED: return mass_cpu_conditions.fixed(device, &t->fixed, error);
    case EXCHANGE:
        linked_cpu_counted.exchanges++;
        linked_cpu_counted.messages += (int)t->send_count;
        for (uint32_t i = 0; i < t->send_count; i++) linked_cpu_counted.sent += t->sends[i].bytes;
        return here.comm->table->exchange(here.comm, t->sends, t->send_count, t->receives, t->receive_count, error);
    case REDUCE:
        linked_cpu_counted.reductions++;
        return here.comm->table->all_reduce(here.comm, t->operation, t->to, t->count, error);
    }
    fail("another task");
}

/* What is beside goes behind all until the join, or before it. */
static mass_status queue(const task *t, mass_error *error)
{
    task now = *t;
    if (here.side == ENTERED && here.beside == MASS_BESIDE_LAST) append(&here.later, t);
    else if (here.recording) append(&here.kept, t);
    else return do_task(&now, error);
    return MASS_OK;
}

static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    (void)device;
    task t = {.kind = LAUNCH, .work = *work, .launch = *work->launch};
    const uint32_t fields = work->prepared->callback->field_count;
    if (fields > FIELDS) fail("too many fields");
    memcpy(t.fields, work->fields, fields * sizeof *t.fields);
    memcpy(t.memory, work->memory, fields * sizeof *t.memory);
    return queue(&t, error);
}

static mass_status copy(mass_device *device, const mass_strided *box, mass_error *error)
{
    (void)device;
    return queue(&(task){.kind = COPY, .box = *box}, error);
}

static mass_status combine(mass_device *device, const mass_strided *box, const mass_combination *how,
                           mass_error *error)
{
    (void)device;
    return queue(&(task){.kind = COMBINE, .box = *box, .how = *how}, error);
}

static mass_status gather(mass_device *device, const mass_indexed *g, mass_error *error)
{
    (void)device;
    return queue(&(task){.kind = GATHER, .indexed = *g}, error);
}

static mass_status scatter(mass_device *device, const mass_indexed *s, const mass_combination *how, mass_error *error)
{
    (void)device;
    task t = {.kind = SCATTER, .indexed = *s, .combines = how != NULL};
    if (how) t.how = *how;
    return queue(&t, error);
}

static mass_status fill(mass_device *device, void *to, const void *element, size_t size, size_t count,
                        mass_error *error)
{
    (void)device;
    task t = {.kind = FILL, .to = to, .size = size, .count = count};
    if (size > ELEMENT) fail("too large an element");
    memcpy(t.element, element, size);
    return queue(&t, error);
}

static mass_status gate(mass_device *device, const mass_gate_work *work, mass_error *error)
{
    (void)device;
    return queue(&(task){.kind = GATE, .gate = *work}, error);
}

static mass_status fixed(mass_device *device, const mass_fixed_work *work, mass_error *error)
{
    (void)device;
    return queue(&(task){.kind = FIXED, .fixed = *work}, error);
}

/* Whatever waits for the device. */
static void wait_for_all(void)
{
    if (here.recording) fail("it waits in a recording");
    if (here.side != MAIN) fail("it waits for work beside other work before the join");
}

static mass_status upload(mass_device *device, void *to, const void *host, size_t bytes, mass_error *error)
{
    wait_for_all();
    linked_cpu_counted.staged++;
    return mass_cpu_memory.upload(device, to, host, bytes, error);
}

static mass_status download(mass_device *device, void *host, const void *from, size_t bytes, mass_error *error)
{
    wait_for_all();
    linked_cpu_counted.staged++;
    return mass_cpu_memory.download(device, host, from, bytes, error);
}

static mass_status allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    if (here.recording) fail("it allocates in a recording");
    return mass_cpu_memory.allocate(device, bytes, out, error);
}

static mass_status synchronise(mass_device *device, mass_error *error)
{
    wait_for_all();
    return mass_cpu_table.launch->synchronise(device, error);
}

/* ---- beside ---- */

static mass_status enter(mass_device *device, mass_error *error)
{
    (void)device, (void)error;
    if (here.side != MAIN) fail("it enters what it has entered");
    here.side = ENTERED;
    linked_cpu_counted.entered++;
    return MASS_OK;
}

static mass_status leave(mass_device *device, mass_error *error)
{
    (void)device, (void)error;
    if (here.side != ENTERED) fail("it leaves what it has not entered");
    here.side = LEFT;
    return MASS_OK;
}

static mass_status join(mass_device *device, mass_error *error)
{
    (void)device;
    mass_status status = MASS_OK;
    if (here.side != LEFT) fail("it joins what it has not left");
    here.side = MAIN;
    for (size_t i = 0; status == MASS_OK && i < here.later.count; i++) status = queue(&here.later.list[i], error);
    here.later.count = 0;
    return status;
}

/* ---- recordings ---- */

static mass_status begin(mass_device *device, mass_error *error)
{
    (void)device, (void)error;
    wait_for_all();
    here.recording = true;
    return MASS_OK;
}

static mass_status end(mass_device *device, uint64_t *clock, uint64_t steps, mass_recording **out, mass_error *error)
{
    (void)device;
    mass_recording *r = malloc(sizeof *r);
    if (here.side != MAIN) fail("a recording ends before the join");
    if (!r) return mass_error_memory(error, sizeof *r, "a recording");
    *r = (mass_recording){here.kept, clock, steps};
    here.kept = (tasks){0};
    here.recording = false;
    *out = r;
    return MASS_OK;
}

static mass_status replay(mass_device *device, mass_recording *r, mass_error *error)
{
    (void)device;
    mass_status status = MASS_OK;
    linked_cpu_counted.replays++;
    for (size_t i = 0; status == MASS_OK && i < r->kept.count; i++) status = do_task(&r->kept.list[i], error);
    *r->clock += r->steps;
    return status;
}

static void discard(mass_device *device, mass_recording *r)
{
    (void)device;
    free(r->kept.list);
    free(r);
}

static mass_status keep_up(mass_device *device, int ahead, mass_error *error)
{
    (void)device, (void)ahead, (void)error;
    return MASS_OK;
}

/* ---- the link ---- */

static mass_status exchange(mass_link *link, const mass_message *sends, uint32_t send_count,
                            const mass_message *receives, uint32_t receive_count, mass_error *error)
{
    task t = {.kind = EXCHANGE, .send_count = send_count, .receive_count = receive_count};
    if (link != &here.link || send_count > MESSAGES || receive_count > MESSAGES) fail("another exchange");
    memcpy(t.sends, sends, send_count * sizeof *sends);
    memcpy(t.receives, receives, receive_count * sizeof *receives);
    return queue(&t, error);
}

static mass_status all_reduce(mass_link *link, mass_reduction_operation operation, int64_t *values, size_t count,
                              mass_error *error)
{
    if (link != &here.link) fail("another link");
    return queue(&(task){.kind = REDUCE, .operation = operation, .to = values, .count = count}, error);
}

static void close_link(mass_link *link)
{
    if (link != &here.link) fail("another link");
    free(here.later.list);
    here = (linked){0};
}

static const mass_device_table *make_table(void)
{
    static _Thread_local mass_device_table table;
    static _Thread_local mass_memory_operations memory;
    static _Thread_local mass_launch_operations launches;
    static _Thread_local mass_condition_operations conditions;
    static const mass_record_operations record = {.begin = begin, .end = end, .replay = replay, .discard = discard,
                                                  .keep_up = keep_up};
    static const mass_side_operations side = {.enter = enter, .leave = leave, .join = join};
    memory = mass_cpu_memory;
    memory.in_host_memory = false;
    memory.copy = copy;
    memory.combine = combine;
    memory.gather = gather;
    memory.scatter = scatter;
    memory.fill = fill;
    memory.upload = upload;
    memory.download = download;
    memory.allocate = allocate;
    launches = *mass_cpu_table.launch;
    launches.launch = launch;
    launches.synchronise = synchronise;
    conditions = mass_cpu_conditions;
    conditions.gate = gate;
    conditions.fixed = fixed;
    table = mass_cpu_table;
    table.memory = &memory;
    table.launch = &launches;
    table.conditions = &conditions;
    table.record = &record;
    table.side = &side;
    return &table;
}

mass_status linked_cpu_open(mass_comm *comm, mass_beside beside, mass_device **out, mass_link **link,
                            mass_error *error)
{
    static const mass_link_table links = {.name = "threads", .exchange = exchange, .all_reduce = all_reduce,
                                          .close = close_link};
    const mass_status status = mass_cpu_open(make_table(), 1, out, error);
    if (status != MASS_OK) return status;
    here = (linked){.link = {.table = &links}, .comm = comm, .device = *out, .beside = beside};
    linked_cpu_counted = (linked_cpu_counts){0};
    *link = &here.link;
    return MASS_OK;
}
