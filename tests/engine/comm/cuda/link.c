/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a link of GPUs against plain references, as one program on every rank: link MODULE MODE. MODULE is the CUDA
 * module. The modes:
 * - gpus        in one process: is there a GPU for each of two ranks?
 * - operations  all operations of a link, queued and recorded
 * - shared      ranks that share a GPU have no link
 * - lost        a rank that waits for another in vain notices
 * - figures     the times of an exchange and of an all-reduce, for people
 *
 * Silent if all is right. Exit status 1: something is wrong; 77: there are too few GPUs. */
#include "device/device.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SKIPPED = 77, MESSAGES_MAX = 16, ROOM = 8 << 20, MEBIBYTE = 1 << 20 };

static mass_comm ranks;
static mass_device *device;
static mass_link *gpus;
static uint64_t *ticks; /* a clock, on the device */

static void wrong(const char *what, int line, const char *text)
{
    fprintf(stderr, "link.c:%d: rank %d: %s: %s\n", line, ranks.rank, what, text);
    int started = 0;
    MPI_Initialized(&started);
    if (started) MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

#define OK(call)                                                             \
    do {                                                                     \
        mass_error error = {0};                                              \
        if ((call) != MASS_OK) wrong(#call, __LINE__, error.text);           \
    } while (0)
#define TRUE(condition)                                                      \
    do {                                                                     \
        if (!(condition)) wrong(#condition, __LINE__, "does not hold");      \
    } while (0)

/* ---- what a link needs of a communicator, by MPI ---- */

static mass_status all_gather(mass_comm *comm, const void *from, size_t bytes, void *to, mass_error *error)
{
    (void)comm, (void)error;
    MPI_Allgather(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
    return MASS_OK;
}

static mass_status broadcast(mass_comm *comm, void *data, size_t bytes, mass_error *error)
{
    (void)comm, (void)error;
    MPI_Bcast(data, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    return MASS_OK;
}

static mass_status reduce_all(mass_comm *comm, mass_reduction_operation operation, int64_t *values, size_t count,
                              mass_error *error)
{
    const MPI_Op operations[] = {[MASS_REDUCE_SUM] = MPI_SUM, [MASS_REDUCE_LEAST] = MPI_MIN,
                                 [MASS_REDUCE_MOST] = MPI_MAX};
    (void)comm, (void)error;
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_INT64_T, operations[operation], MPI_COMM_WORLD);
    return MASS_OK;
}

static mass_status barrier(mass_comm *comm, mass_error *error)
{
    (void)comm, (void)error;
    MPI_Barrier(MPI_COMM_WORLD);
    return MASS_OK;
}

static void open_ranks(int *argc, char ***argv)
{
    static const mass_comm_table table = {.name = "mpi", .all_gather = all_gather, .broadcast = broadcast,
                                          .all_reduce = reduce_all, .barrier = barrier};
    MPI_Init(argc, argv);
    ranks = (mass_comm){.table = &table, .host = "here"};
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
    ranks.local_rank = ranks.rank, ranks.local_size = ranks.size;
}

/* ---- memory ---- */

static uint8_t *out, *in; /* [ROOM] on the device: what is sent, and what was received */
static uint8_t *host, *expected;

static void allocate(void)
{
    OK(device->table->memory->allocate(device, ROOM, (void **)&out, &error));
    OK(device->table->memory->allocate(device, ROOM, (void **)&in, &error));
    OK(device->table->memory->allocate(device, sizeof *ticks, (void **)&ticks, &error));
    host = malloc(ROOM);
    expected = malloc(ROOM);
    TRUE(host && expected);
}

/* Byte i of what a rank sends in a round. */
static uint8_t byte_of(int32_t rank, uint32_t round, size_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u ^ ((uint64_t)round << 32 | (uint32_t)rank) * 0xd1342543de82ef95u;
    z ^= z >> 29;
    return (uint8_t)(z * 0xbf58476d1ce4e5b9u >> 56);
}

static void write_out(uint32_t round)
{
    for (size_t i = 0; i < ROOM; i++) host[i] = byte_of(ranks.rank, round, i);
    OK(device->table->memory->upload(device, out, host, ROOM, &error));
}

static void clear_in(void)
{
    static const uint8_t poison = 0xa5;
    OK(device->table->memory->fill(device, in, &poison, 1, ROOM, &error));
}

/* ---- exchanges: a scheme says which rank sends what; what a rank receives follows from it ---- */

typedef struct chunk {
    int32_t to;
    size_t at, bytes; /* of `out` */
} chunk;

/* Fills in what `rank` sends, and returns how much. */
typedef uint32_t scheme(int32_t rank, int32_t size, chunk chunks[MESSAGES_MAX]);

static uint32_t one_each_way(int32_t rank, int32_t size, size_t bytes, chunk p[MESSAGES_MAX])
{
    p[0] = (chunk){(rank + size - 1) % size, 0, bytes}; /* both are one rank where there are two */
    p[1] = (chunk){(rank + 1) % size, ROOM / 2, bytes};
    return 2;
}

static uint32_t ring_0(int32_t r, int32_t n, chunk p[MESSAGES_MAX]) { return one_each_way(r, n, 0, p); }
static uint32_t ring_1(int32_t r, int32_t n, chunk p[MESSAGES_MAX]) { return one_each_way(r, n, 1, p); }
static uint32_t ring_4k(int32_t r, int32_t n, chunk p[MESSAGES_MAX]) { return one_each_way(r, n, 4096, p); }
static uint32_t ring_1m(int32_t r, int32_t n, chunk p[MESSAGES_MAX]) { return one_each_way(r, n, MEBIBYTE, p); }

/* Odd lengths and addresses, empty ones between others, and several to one rank, itself included. */
static uint32_t uneven(int32_t rank, int32_t size, chunk p[MESSAGES_MAX])
{
    uint32_t count = 0;
    for (size_t k = 0, at = 1; k < 8; k++) {
        const size_t bytes = k % 3 == 1 ? 0 : (k * 7919 + (size_t)rank * 131) % 70001;
        p[count++] = (chunk){(int32_t)((k * 5 + (size_t)rank) % (size_t)size), at, bytes};
        at += bytes + 3;
    }
    return count;
}

/* From every rank to every rank, of lengths of their own. */
static uint32_t all_to_all(int32_t rank, int32_t size, chunk p[MESSAGES_MAX])
{
    for (int32_t k = 0; k < size; k++)
        p[k] = (chunk){k, (size_t)k * 65536, (size_t)((rank + 1) * 1009 + k * 313) % 60000};
    return (uint32_t)size;
}

/* Only the first rank sends. */
static uint32_t one_way(int32_t rank, int32_t size, chunk p[MESSAGES_MAX])
{
    p[0] = (chunk){size - 1, 17, 12345};
    return rank == 0 ? 1 : 0;
}

static uint32_t nothing(int32_t rank, int32_t size, chunk p[MESSAGES_MAX])
{
    (void)rank, (void)size, (void)p;
    return 0;
}

static scheme *const schemes[] = {ring_0, ring_1, ring_4k, ring_1m, uneven, all_to_all, one_way, nothing};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

typedef struct lists {
    mass_message sends[MESSAGES_MAX], receives[MESSAGES_MAX * 2];
    uint32_t send_count, receive_count;
    size_t received; /* bytes of `in`, one message behind the other */
} lists;

/* What arrives, from the last rank to the first: only the order among those of one rank matters. `expected` becomes
 * what `in` then holds. */
static lists lists_of(scheme *s, uint32_t round)
{
    lists l = {0};
    chunk p[MESSAGES_MAX];
    l.send_count = s(ranks.rank, ranks.size, p);
    for (uint32_t i = 0; i < l.send_count; i++) l.sends[i] = (mass_message){p[i].to, out + p[i].at, p[i].bytes};
    for (int32_t from = ranks.size - 1; from >= 0; from--) {
        const uint32_t count = s(from, ranks.size, p);
        for (uint32_t i = 0; i < count; i++) {
            if (p[i].to != ranks.rank) continue;
            TRUE(l.receive_count < 2 * MESSAGES_MAX && l.received + p[i].bytes <= ROOM);
            l.receives[l.receive_count++] = (mass_message){from, in + l.received, p[i].bytes};
            for (size_t b = 0; b < p[i].bytes; b++) expected[l.received++] = byte_of(from, round, p[i].at + b);
        }
    }
    return l;
}

static void exchange(const lists *l)
{
    OK(gpus->table->exchange(gpus, l->sends, l->send_count, l->receives, l->receive_count, &error));
}

static void check_in(const lists *l)
{
    OK(device->table->memory->download(device, host, in, ROOM, &error));
    TRUE(memcmp(host, expected, l->received) == 0);
    for (size_t i = l->received; i < ROOM; i++) TRUE(host[i] == 0xa5);
}

static void check_exchanges(void)
{
    for (uint32_t k = 0; k < SCHEMES; k++) {
        write_out(k);
        clear_in();
        const lists l = lists_of(schemes[k], k);
        exchange(&l);
        check_in(&l);
    }
}

static mass_recording *end_recording(void)
{
    mass_recording *r;
    OK(device->table->record->end(device, ticks, 1, &r, &error));
    return r;
}

static void replay(mass_recording *r) { OK(device->table->record->replay(device, r, &error)); }

/* One recording, replayed with other bytes each time. */
static void check_recorded_exchanges(void)
{
    for (uint32_t k = 0; k < SCHEMES; k++) {
        lists l = lists_of(schemes[k], 0);
        OK(device->table->record->begin(device, &error));
        exchange(&l);
        mass_recording *r = end_recording();
        for (uint32_t round = 100; round < 103; round++) {
            write_out(round);
            clear_in();
            replay(r);
            l = lists_of(schemes[k], round);
            check_in(&l);
        }
        device->table->record->discard(device, r);
    }
}

/* Work before and after, in order: what a fill wrote is sent, and a copy takes what arrived. Three times around. */
static void queue_round(void)
{
    enum { LENGTH = 4096 };
    for (int turn = 0; turn < 3; turn++) {
        const uint8_t mine = (uint8_t)(turn * 16 + ranks.rank + 1);
        const int32_t up = (ranks.rank + ranks.size - 1) % ranks.size, down = (ranks.rank + 1) % ranks.size;
        const mass_message sends[] = {{up, out, LENGTH}, {down, out, LENGTH}};
        const mass_message receives[] = {{down, in, LENGTH}, {up, in + LENGTH, LENGTH}};
        const mass_strided copy = {.to = in + (turn + 1) * 2 * LENGTH, .from = in, .bytes = 2 * LENGTH,
                                   .count = {1, 1, 1}};
        OK(device->table->memory->fill(device, out, &mine, 1, LENGTH, &error));
        OK(gpus->table->exchange(gpus, sends, 2, receives, 2, &error));
        OK(device->table->memory->copy(device, &copy, &error));
    }
}

static void check_round(void)
{
    enum { LENGTH = 4096 };
    OK(device->table->memory->download(device, host, in, 8 * LENGTH, &error));
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < LENGTH; i++) {
            const uint8_t *at = host + (turn + 1) * 2 * LENGTH + i;
            TRUE(at[0] == turn * 16 + (ranks.rank + 1) % ranks.size + 1);
            TRUE(at[LENGTH] == turn * 16 + (ranks.rank + ranks.size - 1) % ranks.size + 1);
        }
}

static void check_order(void)
{
    clear_in();
    queue_round();
    check_round();
    OK(device->table->record->begin(device, &error));
    queue_round();
    mass_recording *r = end_recording();
    for (int i = 0; i < 3; i++) {
        clear_in();
        replay(r);
        replay(r);
        queue_round(); /* not recorded, behind what is */
        check_round();
    }
    device->table->record->discard(device, r);
}

/* ---- reductions ---- */

static int64_t value_of(int32_t rank, size_t i)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MAX, 0, -1};
    if (i < 4) return ends[(i + (size_t)rank) % 4];
    const uint64_t z = (i * 0x9e3779b97f4a7c15u + (uint64_t)rank * 0xd1342543de82ef95u) * 0xbf58476d1ce4e5b9u;
    return (int64_t)(z ^ z >> 31);
}

static int64_t reduced(mass_reduction_operation operation, size_t i)
{
    int64_t v = value_of(0, i);
    for (int32_t r = 1; r < ranks.size; r++) {
        const int64_t w = value_of(r, i);
        if (operation == MASS_REDUCE_SUM) v = (int64_t)((uint64_t)v + (uint64_t)w);
        else if (operation == MASS_REDUCE_LEAST) v = w < v ? w : v;
        else v = w > v ? w : v;
    }
    return v;
}

static void check_reduction(mass_reduction_operation operation, size_t count, bool recorded)
{
    int64_t *values = (int64_t *)host;
    for (size_t i = 0; i < count; i++) values[i] = value_of(ranks.rank, i);
    values[count] = 99;
    mass_recording *r = NULL;
    if (recorded) OK(device->table->record->begin(device, &error));
    if (recorded) OK(gpus->table->all_reduce(gpus, operation, (int64_t *)in, count, &error));
    if (recorded) r = end_recording();
    for (int round = 0; round < (recorded ? 3 : 1); round++) {
        for (size_t i = 0; i < count; i++) values[i] = value_of(ranks.rank, i);
        OK(device->table->memory->upload(device, in, host, (count + 1) * sizeof *values, &error));
        if (recorded) replay(r);
        else OK(gpus->table->all_reduce(gpus, operation, (int64_t *)in, count, &error));
        OK(device->table->memory->download(device, host, in, (count + 1) * sizeof *values, &error));
        for (size_t i = 0; i < count; i++) TRUE(values[i] == reduced(operation, i));
        TRUE(values[count] == 99);
    }
    if (recorded) device->table->record->discard(device, r);
}

static void check_reductions(void)
{
    static const size_t counts[] = {0, 1, 8, 1000, 131072};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int operation = MASS_REDUCE_SUM; operation <= MASS_REDUCE_MOST; operation++)
            for (int recorded = 0; recorded < 2; recorded++)
                check_reduction((mass_reduction_operation)operation, counts[c], recorded);
}

/* ---- ranks that have no link, and links that break ---- */

static void check_shared(void)
{
    mass_error error = {0};
    TRUE(mass_device_link(device, &ranks, 0, &gpus, NULL, &error) == MASS_NO_DEVICE);
    if (!strstr(error.text, "ranks 0 and 1 share cuda:0 on here")) wrong("text", __LINE__, error.text);
    TRUE(!gpus);
}

/* The last rank stays away; who waits for it ends with a sentence, and within a time. */
static void check_lost(void)
{
    lists l = lists_of(ring_4k, 0);
    exchange(&l);
    OK(device->table->launch->synchronise(device, &error));
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks.rank < ranks.size - 1) {
        mass_error error = {0};
        const time_t began = time(NULL);
        exchange(&l);
        TRUE(device->table->launch->synchronise(device, &error) == MASS_FAILED);
        if (!strstr(error.text, "waits for another rank for more than 2 s")) wrong("text", __LINE__, error.text);
        TRUE(time(NULL) - began < 8);
        gpus->table->close(gpus);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    _Exit(0); /* with what the last rank has of the link, which waits for the others */
}

/* ---- figures ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { QUEUED = 32, REPLAYS = 20 };

static void queue_one(size_t bytes)
{
    if (bytes == 0) {
        OK(gpus->table->all_reduce(gpus, MASS_REDUCE_SUM, (int64_t *)in, 8, &error));
        return;
    }
    chunk p[MESSAGES_MAX];
    one_each_way(ranks.rank, ranks.size, bytes, p);
    const mass_message sends[] = {{p[0].to, out, bytes}, {p[1].to, out + ROOM / 2, bytes}};
    const mass_message receives[] = {{p[1].to, in + ROOM / 2, bytes}, {p[0].to, in, bytes}};
    OK(gpus->table->exchange(gpus, sends, 2, receives, 2, &error));
}

/* Microseconds an operation, of the fastest of some runs: recorded, or queued one by one. */
static double time_one(size_t bytes, bool recorded)
{
    mass_recording *r = NULL;
    double best = 1e9;
    if (recorded) OK(device->table->record->begin(device, &error));
    for (int i = 0; recorded && i < QUEUED; i++) queue_one(bytes);
    if (recorded) r = end_recording();
    for (int run = 0; run < 5; run++) {
        OK(device->table->launch->synchronise(device, &error));
        MPI_Barrier(MPI_COMM_WORLD);
        const double began = now();
        for (int i = 0; i < REPLAYS; i++) {
            if (recorded) replay(r);
            for (int k = 0; !recorded && k < QUEUED; k++) queue_one(bytes);
        }
        OK(device->table->launch->synchronise(device, &error));
        const double took = 1e6 * (now() - began) / (REPLAYS * QUEUED);
        if (run > 0 && took < best) best = took;
    }
    if (recorded) device->table->record->discard(device, r);
    return best;
}

static void show_figures(void)
{
    static const struct {
        const char *name;
        size_t bytes;
    } rows[] = {{"4 KiB each way", 4096}, {"64 KiB each way", 65536}, {"1 MiB each way", MEBIBYTE},
                {"all-reduce of 8 int64", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double recorded = time_one(rows[i].bytes, true), queued = time_one(rows[i].bytes, false);
        if (ranks.rank == 0) printf("%-24s recorded %6.1f us, queued %6.1f us\n", rows[i].name, recorded, queued);
    }
}

/* ---- */

static mass_status open_device(const char *module, int ordinal, mass_error *error)
{
    void *library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (!library) wrong(module, __LINE__, dlerror());
    const mass_backend_symbol *table = dlsym(library, MASS_BACKEND_SYMBOL);
    TRUE(table);
    return (*table)->open(ordinal, 0, &device, error);
}

/* Each rank alone with its GPU, so that the module is the first that the process hears of CUDA from. */
static int count_gpus(const char *module)
{
    mass_error error = {0};
    if (open_device(module, 1, &error) == MASS_OK) return 0;
    printf("Skipped: two GPUs are needed: %s\n", error.text);
    return SKIPPED;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    const char *module = argv[1], *mode = argv[2];
    if (strcmp(mode, "gpus") == 0) return count_gpus(module);
    open_ranks(&argc, &argv);
    const bool shared = strcmp(mode, "shared") == 0, lost = strcmp(mode, "lost") == 0;
    OK(open_device(module, shared ? 0 : ranks.rank, &error));
    if (shared) check_shared();
    else {
        OK(mass_device_link(device, &ranks, lost ? 2 : 60, &gpus, NULL, &error));
        allocate();
        if (lost) check_lost();
        if (strcmp(mode, "figures") == 0) show_figures();
        else {
            check_exchanges();
            check_recorded_exchanges();
            check_order();
            check_reductions();
        }
        gpus->table->close(gpus);
    }
    free(host);
    free(expected);
    device->table->close(device);
    MPI_Finalize();
    return 0;
}
