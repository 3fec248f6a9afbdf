/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank has a device of its own, on the one GPU, and memory there that all arrays of its part are copied to. */
#include "manage_part.h"

#include "device/device.h"
#include "population/manage/manage_of_devices.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, ROOM = 32 << 20, SHARED = 1 << 20, ALIGNMENT = 256, COPIES_MAX = 64 };

typedef struct copy {
    void *host; /* NULL: it is only read */
    size_t at, bytes;
} copy;

typedef struct memory {
    mass_device *device;
    char *there, *stage; /* on the device, and what is copied there */
    size_t used;
    copy copies[COPIES_MAX];
    int count;
    mass_seats *occupancy; /* of the part, or NULL */
    char *shared;      /* [SHARED] */
} memory;

static memory memories[RANKS_MAX];
static uint32_t *never; /* ended: on the device, 0 */

void open_parts(void)
{
    for (int i = 0; i < RANKS_MAX && !memories[i].device; i++) {
        memory *const m = &memories[i];
        mass_error error = {0};
        void *there = NULL;
        mass_status status = mass_device_open("cuda:0", 1, true, &m->device, &error);
        if (status == MASS_OK) status = m->device->table->memory->allocate(m->device, ROOM, &there, &error);
        cr_assert_eq(status, MASS_OK, "%s", error.text);
        m->there = there;
        status = m->device->table->memory->allocate(m->device, SHARED, &there, &error);
        cr_assert_eq(status, MASS_OK, "%s", error.text);
        m->shared = there;
        m->stage = calloc(1, ROOM);
        cr_assert(m->stage);
    }
    void *word = never;
    mass_error error = {0};
    const uint32_t zero = 0;
    const mass_memory_operations *const there = memories[0].device->table->memory;
    mass_status status = word ? MASS_OK : there->allocate(memories[0].device, sizeof zero, &word, &error);
    if (status == MASS_OK) status = there->upload(memories[0].device, word, &zero, sizeof zero, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    never = word;
}

/* Where an array will be on the device. */
static void *add(memory *m, const void *host, size_t bytes, bool written)
{
    const size_t at = (m->used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!host) return NULL;
    if (at + bytes > ROOM || m->count == COPIES_MAX) {
        fprintf(stderr, "a case is too large for this test\n");
        abort();
    }
    memcpy(m->stage + at, host, bytes);
    m->copies[m->count++] = (copy){written ? (void *)host : NULL, at, bytes};
    m->used = at + bytes;
    return m->there + at;
}

/* ---- where the population is known by its seats, the part has starts all the same ---- */

static size_t cells_of(const part *p) { return (size_t)p->w.worlds * (size_t)p->w.places; }

static mass_seats *add_seats(memory *m, const part *p)
{
    const size_t cells = cells_of(p);
    free(m->occupancy);
    m->occupancy = NULL;
    if (p->w.capacity != 1 || p->w.places % 4 == 0) return NULL;
    m->occupancy = calloc(cells / 32 + 1, sizeof *m->occupancy);
    cr_assert(m->occupancy);
    for (size_t c = 0; c <= cells; c++) {
        mass_seats *const s = &m->occupancy[c / 32];
        if (c % 32 == 0) s->before = p->w.start[c];
        if (c < cells && p->w.start[c + 1] > p->w.start[c]) s->held |= 1u << c % 32;
    }
    return add(m, m->occupancy, (cells / 32 + 1) * sizeof *m->occupancy, true);
}

static void take_starts(const memory *m, const part *p)
{
    for (size_t c = 0; m->occupancy && c <= cells_of(p); c++) {
        const mass_seats s = m->occupancy[c / 32];
        p->w.start[c] = s.before + (uint32_t)__builtin_popcount(s.held & ((1u << c % 32) - 1));
    }
}

/* ---- */

static void add_all(memory *m, const part *p, mass_manage_work *w, mass_agent_array arrays[ARRAYS])
{
    const size_t r = p->w.room, c = p->w.children, worlds = (size_t)p->w.worlds;
    m->used = 0, m->count = 0;
    *w = p->w;
    w->gates = add(m, w->gates, 4 * worlds, false);
    w->random_keys = add(m, w->random_keys, 8 * worlds, false);
    w->clock = add(m, w->clock, 8, false);
    w->priority = add(m, w->priority, 8 * r, false);
    w->count = add(m, w->count, 4, true), w->next_id = add(m, w->next_id, 8 * worlds, true);
    w->id = add(m, w->id, 8 * r, false), w->cell = add(m, w->cell, 4 * r, false), w->lost = add(m, w->lost, r, false);
    w->id_to = add(m, w->id_to, 8 * r, true), w->cell_to = add(m, w->cell_to, 4 * r, true);
    w->lost_to = add(m, w->lost_to, r, true);
    w->start = add(m, w->start, 4 * (worlds * (size_t)w->places + 1), true);
    w->occupancy = add_seats(m, p);
    w->move = add(m, w->move, 4 * r, true), w->asked = add(m, w->asked, 4 * r, true);
    w->child_cell = add(m, w->child_cell, 4 * r * c, true);
    w->remote_move = add(m, w->remote_move, 8 * r, true), w->remote_child = add(m, w->remote_child, 8 * r * c, true);
    w->born = add(m, w->born, 8 * worlds, true), w->died = add(m, w->died, 8 * worlds, true);
    w->refused = add(m, w->refused, 8 * worlds, true);
    for (int k = 0; k < ARRAYS; k++) {
        const mass_agent_array *const a = &p->arrays[k];
        arrays[k] = *a;
        arrays[k].from = add(m, a->from, r * a->size, false);
        arrays[k].to = add(m, a->to, r * a->size, true);
        arrays[k].child = add(m, a->child, r * c * a->size, true);
    }
    w->arrays = arrays;
}

static mass_status upload(const memory *m, mass_error *error)
{
    return m->device->table->memory->upload(m->device, m->there, m->stage, m->used, error);
}

static mass_status download(const memory *m, mass_error *error)
{
    const mass_status status = m->device->table->memory->download(m->device, m->stage, m->there, m->used, error);
    for (int i = 0; status == MASS_OK && i < m->count; i++)
        if (m->copies[i].host) memcpy(m->copies[i].host, m->stage + m->copies[i].at, m->copies[i].bytes);
    return status;
}

/* All that the manage has made of the part. */
static mass_status take_back(const memory *m, const part *p, mass_error *error)
{
    const mass_status status = download(m, error);
    if (status == MASS_OK) take_starts(m, p);
    return status;
}

/* With the requests as the decision left them. */
static mass_status enlarge(memory *m, part *p, uint32_t room, mass_manage_work *w, mass_agent_array arrays[ARRAYS],
                           mass_error *error)
{
    const mass_status status = download(m, error);
    if (status != MASS_OK) return status;
    enlarge_part(p, room);
    add_all(m, p, w, arrays);
    return upload(m, error);
}

/* ---- without the hosts: but a link of theirs stands for one of the devices ---- */

typedef struct hosts_link {
    mass_link link;
    memory *memory;
    mass_comm *comm;
} hosts_link;

static mass_status exchange(mass_link *link, const mass_message *sends, uint32_t send_count,
                            const mass_message *receives, uint32_t receive_count, mass_error *error)
{
    const hosts_link *l = (hosts_link *)link;
    const mass_memory_operations *there = l->memory->device->table->memory;
    mass_message here[2 * RANKS_MAX];
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < send_count + receive_count; i++) {
        here[i] = i < send_count ? sends[i] : receives[i - send_count];
        here[i].data = malloc(here[i].bytes);
        if (status == MASS_OK && i < send_count)
            status = there->download(l->memory->device, here[i].data, sends[i].data, here[i].bytes, error);
    }
    if (status == MASS_OK)
        status = l->comm->table->exchange(l->comm, here, send_count, here + send_count, receive_count, error);
    for (uint32_t i = 0; i < send_count + receive_count; i++) {
        if (status == MASS_OK && i >= send_count)
            status = there->upload(l->memory->device, receives[i - send_count].data, here[i].data, here[i].bytes,
                                   error);
        free(here[i].data);
    }
    return status;
}

static mass_status all_reduce(mass_link *link, mass_reduction_operation operation, int64_t *values, size_t count,
                              mass_error *error)
{
    const hosts_link *l = (hosts_link *)link;
    const mass_memory_operations *there = l->memory->device->table->memory;
    int64_t *const here = malloc(count * sizeof *here);
    mass_status status = there->download(l->memory->device, here, values, count * sizeof *here, error);
    if (status == MASS_OK) status = l->comm->table->all_reduce(l->comm, operation, here, count, error);
    if (status == MASS_OK) status = there->upload(l->memory->device, values, here, count * sizeof *here, error);
    free(here);
    return status;
}

/* The devices are one, so that they reach all memory. */
static mass_status share(mass_link *link, mass_comm *comm, size_t bytes, mass_shared *out, mass_error *error)
{
    static _Thread_local char *at[RANKS_MAX];
    memory *const m = ((hosts_link *)link)->memory;
    if (bytes > SHARED) return mass_error_set(error, MASS_FAILED, "boxes are too large for this test");
    memset(m->stage, 0, bytes);
    mass_status status = m->device->table->memory->upload(m->device, m->shared, m->stage, bytes, error);
    if (status == MASS_OK) status = comm->table->barrier(comm, error);
    for (int r = 0; r < RANKS_MAX; r++) at[r] = memories[r].shared;
    *out = (mass_shared){at, never};
    return status;
}

static _Atomic int queued;
int queued_parts(void) { return queued; }

bool takes_overfull(uint32_t capacity) { return capacity != 1; }

/* Boxes and rounds are now and then too few. In every other case devices write into each other's memory. */
static mass_status try_queued(memory *m, const mass_manage_work *w, const mass_weights *holders, bool *done,
                              mass_error *error)
{
    static const mass_link_table by_hosts = {.exchange = exchange, .all_reduce = all_reduce};
    static const mass_link_table alone = {.all_reduce = all_reduce, .share = share};
    const int32_t ranks = holders->comm->size, rank = holders->comm->rank;
    const int64_t places = holders->first_place[ranks] - holders->first_place[0];
    uint32_t rooms[RANKS_MAX];
    hosts_link link = {{.table = places % 2 ? &alone : &by_hosts}, m, holders->comm};
    for (int32_t r = 0; r < ranks; r++) rooms[r] = r == rank ? 0 : places % 3 ? 256 : 2;
    const mass_queued_rooms q = {.ranks = ranks, .rank = rank, .first_place = holders->first_place, .out = rooms,
                                 .in = rooms};
    const mass_queued_shape expected = {.moves = places % 7 > 0, .rounds = 1 + (uint32_t)places % 4};
    bool stopped = true;
    *done = false;
    if (w->capacity != 1) return MASS_OK;
    mass_status status = m->device->table->agents->queued->reserve(m->device, w, &q, error);
    if (status == MASS_OK) status = mass_manage_notify(m->device, holders->comm, &link.link, error);
    if (status == MASS_OK)
        status = mass_manage_queue(m->device, &link.link, ranks, rank, w, expected, &stopped, error);
    *done = !stopped;
    queued += *done;
    return status;
}

mass_status manage_part(part *p, const mass_weights *holders, int *enlarged, mass_error *error)
{
    memory *const m = &memories[holders->comm->rank];
    mass_manage_messages *letters = NULL;
    mass_manage_work w;
    mass_agent_array arrays[ARRAYS];
    uint64_t after = 0;
    add_all(m, p, &w, arrays);
    mass_status status = upload(m, error);
    bool done = false;
    if (status == MASS_OK) status = try_queued(m, &w, holders, &done, error);
    *enlarged = 0;
    if (status != MASS_OK || done) return status == MASS_OK ? take_back(m, p, error) : status;
    if (status == MASS_OK) status = mass_manage_messages_decide(m->device, &w, holders, &letters, &after, error);
    *enlarged = after > p->w.room;
    if (status == MASS_OK && *enlarged) status = enlarge(m, p, (uint32_t)after, &w, arrays, error);
    if (status == MASS_OK) status = mass_manage_messages_prepare(m->device, letters, &w, error);
    if (status == MASS_OK) status = mass_manage_messages_commit(m->device, letters, &w, error);
    if (status == MASS_OK) status = take_back(m, p, error);
    mass_manage_messages_free(letters);
    return status;
}

static bool skip(void)
{
    mass_device *device;
    mass_error error = {0};
    const bool absent = mass_device_open("cuda:0", 1, true, &device, &error) != MASS_OK;
    if (absent) printf("Skipped: %s\n", error.text);
    else mass_device_close(device);
    return absent;
}

/* Criterion looks it up by its name in the processes of the tests. */
__attribute__((visibility("default"))) int main(int count, char *arguments[])
{
    /* Kernels of one rank wait for those of other ranks on the same GPU. All have to be loaded before, and each rank's
     * have to be in a queue of their own. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    struct criterion_test_set *tests = criterion_initialize();
    int status = 0;
    if (criterion_handle_args(count, arguments, true))
        status = skip() ? SKIPPED : criterion_run_all_tests(tests) ? 0 : 1;
    criterion_finalize(tests);
    return status;
}
