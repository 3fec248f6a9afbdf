/* SPDX-License-Identifier: Apache-2.0 */
/* What any rank sends follows from a pattern, the ranks and a position, so that each rank knows what it must get. */
#include "operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES_MAX = 64, ROUNDS = 5 };

#define CHECK(CONDITION, ...)                                                                 \
    do {                                                                                      \
        if (!(CONDITION)) {                                                                   \
            fprintf(stderr, "%s, rank %d of %d: ", comm->table->name, comm->rank, comm->size); \
            fprintf(stderr, __VA_ARGS__);                                                     \
            fprintf(stderr, "\n");                                                            \
            comm->table->abort(comm, 1);                                                      \
        }                                                                                     \
    } while (0)

#define OK(CALL)                                                            \
    do {                                                                    \
        mass_error error_ = {0}, *e = &error_;                              \
        const mass_status status_ = (CALL);                                 \
        CHECK(status_ == MASS_OK && !*error_.text, "%s: %s", #CALL, e->text); \
    } while (0)

/* A finalizer of 64 bits that no two of these arguments share. */
static uint64_t mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + c * 0x165667b19e3779f9u + 1;
    x ^= x >> 31;
    x *= 0xff51afd7ed558ccdu;
    return x ^ x >> 33;
}

static void fill(unsigned char *data, size_t bytes, uint64_t key)
{
    for (size_t i = 0; i < bytes; i++) data[i] = (unsigned char)(mix(key, i / 8, 7) >> i % 8 * 8);
}

/* ---- messages ---- */

typedef struct list {
    struct { int32_t to; size_t bytes; } items[MESSAGES_MAX];
    uint32_t count;
} list;

static void add(list *l, int32_t to, size_t bytes)
{
    l->items[l->count].to = to;
    l->items[l->count++].bytes = bytes;
}

/* What `rank` sends. */
typedef void pattern(int32_t rank, int32_t size, list *);

static void nothing(int32_t rank, int32_t size, list *l) { (void)rank, (void)size, (void)l; }

static void one_way(int32_t rank, int32_t size, list *l)
{
    if (rank + 1 < size) add(l, rank + 1, 1000);
}

/* Both ways around: of two ranks, the same neighbour twice; of one, itself. */
static void ring(int32_t rank, int32_t size, list *l)
{
    add(l, (rank + size - 1) % size, 24);
    add(l, (rank + 1) % size, 40);
}

static void several_each(int32_t rank, int32_t size, list *l)
{
    for (size_t k = 0; k < 4; k++) {
        add(l, (rank + 1) % size, 8 + k);
        add(l, (rank + size - 1) % size, k % 2 ? 0 : 4096);
        add(l, rank, 3 * k);
    }
}

static void large(int32_t rank, int32_t size, list *l)
{
    add(l, (rank + 1) % size, 3000001);
    add(l, (rank + size - 1) % size, 1048576);
    add(l, (rank + 1) % size, 70000);
}

/* Other lengths for each pair, many of them 0. */
static size_t crossing(int32_t from, int32_t to) { return mix(3, (uint64_t)from, (uint64_t)to) % 4 * 777; }

static void scattered(int32_t rank, int32_t size, list *l)
{
    for (uint64_t k = 0; k < 12; k++) {
        const uint64_t draw = mix(k, (uint64_t)rank, (uint64_t)size);
        if (draw % 3) add(l, (int32_t)(draw / 8 % (uint64_t)size), draw / 1024 % 2000);
    }
}

static const struct { const char *name; pattern *sends; } patterns[] = {
    {"nothing", nothing}, {"one way", one_way}, {"ring", ring}, {"several each", several_each}, {"large", large},
    {"scattered", scattered}};

static void prepare_sends(mass_comm *comm, const list *l, uint64_t key, mass_message *sends)
{
    for (uint32_t i = 0; i < l->count; i++) {
        sends[i] = (mass_message){l->items[i].to, malloc(l->items[i].bytes + 1), l->items[i].bytes};
        fill(sends[i].data, sends[i].bytes, mix(key, (uint64_t)comm->rank, i));
    }
}

/* What comes to this rank from all, later ranks first; origins[i] is the number that message i has at its sender. */
static uint32_t prepare_receives(mass_comm *comm, pattern *sends, mass_message *receives, uint32_t *origins)
{
    uint32_t count = 0;
    for (int32_t from = comm->size - 1; from >= 0; from--) {
        list theirs = {.count = 0};
        sends(from, comm->size, &theirs);
        for (uint32_t i = 0; i < theirs.count; i++) {
            if (theirs.items[i].to != comm->rank) continue;
            CHECK(count < MESSAGES_MAX * 4, "the test has too little room");
            origins[count] = i;
            receives[count++] = (mass_message){from, calloc(1, theirs.items[i].bytes + 1), theirs.items[i].bytes};
        }
    }
    return count;
}

/* And nothing is written behind a message. */
static void check_message(mass_comm *comm, const char *what, const mass_message *m, uint64_t key)
{
    unsigned char *const wanted = malloc(m->bytes + 1);
    fill(wanted, m->bytes, key);
    wanted[m->bytes] = 0;
    CHECK(memcmp(wanted, m->data, m->bytes + 1) == 0, "%s: %zu bytes from rank %d are not what it sent", what, m->bytes,
          m->rank);
    free(wanted);
}

static void check_exchange(mass_comm *comm, const char *name, pattern *pattern_sends, uint64_t key)
{
    list own = {.count = 0};
    mass_message sends[MESSAGES_MAX], receives[MESSAGES_MAX * 4];
    uint32_t origins[MESSAGES_MAX * 4];
    pattern_sends(comm->rank, comm->size, &own);
    prepare_sends(comm, &own, key, sends);
    const uint32_t count = prepare_receives(comm, pattern_sends, receives, origins);
    OK(comm->table->exchange(comm, sends, own.count, receives, count, e));
    for (uint32_t i = 0; i < count; i++) {
        check_message(comm, name, &receives[i], mix(key, (uint64_t)receives[i].rank, origins[i]));
        free(receives[i].data);
    }
    for (uint32_t i = 0; i < own.count; i++) free(sends[i].data);
}

static void check_all_to_all(mass_comm *comm, uint64_t key)
{
    const size_t size = (size_t)comm->size;
    mass_message *const sends = calloc(size, sizeof *sends), *const receives = calloc(size, sizeof *receives);
    for (int32_t i = 0; i < comm->size; i++) {
        const size_t out = crossing(comm->rank, i), in = crossing(i, comm->rank);
        sends[i] = (mass_message){i, malloc(out + 1), out};
        fill(sends[i].data, out, mix(key, (uint64_t)comm->rank, (uint64_t)i));
        receives[i] = (mass_message){i, calloc(1, in + 1), in};
    }
    OK(comm->table->all_to_all(comm, sends, receives, e));
    for (int32_t i = 0; i < comm->size; i++) {
        check_message(comm, "all_to_all", &receives[i], mix(key, (uint64_t)i, (uint64_t)comm->rank));
        free(sends[i].data);
        free(receives[i].data);
    }
    free(sends);
    free(receives);
}

static void check_all_gather(mass_comm *comm, size_t bytes, uint64_t key)
{
    unsigned char *const from = malloc(bytes + 1), *const to = calloc((size_t)comm->size + 1, bytes + 1);
    fill(from, bytes, mix(key, (uint64_t)comm->rank, bytes));
    OK(comm->table->all_gather(comm, from, bytes, to, e));
    for (int32_t i = 0; i < comm->size; i++) {
        fill(from, bytes, mix(key, (uint64_t)i, bytes));
        CHECK(memcmp(to + (size_t)i * bytes, from, bytes) == 0, "all_gather of %zu bytes: wrong from %d", bytes, i);
    }
    CHECK(to[(size_t)comm->size * bytes] == 0, "all_gather of %zu bytes wrote beyond them", bytes);
    free(from);
    free(to);
}

static void check_broadcast(mass_comm *comm, size_t bytes, uint64_t key)
{
    unsigned char *const data = calloc(1, bytes + 1), *const wanted = malloc(bytes + 1);
    fill(wanted, bytes, mix(key, 5, bytes));
    if (comm->rank == 0) memcpy(data, wanted, bytes);
    OK(comm->table->broadcast(comm, data, bytes, e));
    CHECK(memcmp(data, wanted, bytes) == 0 && data[bytes] == 0, "broadcast of %zu bytes: wrong", bytes);
    free(data);
    free(wanted);
}

/* ---- integers ---- */

/* Positive, negative, and so large that sums wrap around; the extremes among them. */
static int64_t number(int32_t rank, size_t i)
{
    if (i == 0) return INT64_MAX - rank;
    if (i == 1) return INT64_MIN + rank;
    if (i == 2) return rank % 2 ? -1 : 1;
    return (int64_t)mix(11, (uint64_t)rank, i);
}

static void check_scan(mass_comm *comm, int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) values[i] = number(comm->rank, i);
    OK(comm->table->scan(comm, values, count, e));
    for (size_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int32_t r = 0; r < comm->rank; r++) sum += (uint64_t)number(r, i);
        CHECK(values[i] == (int64_t)sum, "scan of %zu values: value %zu is %lld", count, i, (long long)values[i]);
    }
}

static int64_t reduced(int32_t size, mass_reduction_operation operation, size_t i)
{
    int64_t least = number(0, i), most = least;
    uint64_t sum = (uint64_t)least;
    for (int32_t r = 1; r < size; r++) {
        const int64_t value = number(r, i);
        sum += (uint64_t)value;
        if (value < least) least = value;
        if (value > most) most = value;
    }
    return operation == MASS_REDUCE_SUM ? (int64_t)sum : operation == MASS_REDUCE_LEAST ? least : most;
}

static void check_integers(mass_comm *comm, size_t count)
{
    static const mass_reduction_operation all[] = {MASS_REDUCE_SUM, MASS_REDUCE_LEAST, MASS_REDUCE_MOST};
    int64_t *const values = calloc(count + 1, sizeof *values);
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < count; i++) values[i] = number(comm->rank, i);
        OK(comm->table->all_reduce(comm, all[k], values, count, e));
        for (size_t i = 0; i < count; i++)
            CHECK(values[i] == reduced(comm->size, all[k], i), "all_reduce %d of %zu values: value %zu is %lld", k,
                  count, i, (long long)values[i]);
    }
    check_scan(comm, values, count);
    CHECK(values[count] == 0, "%zu values: something was written beyond them", count);
    free(values);
}

void check_operations(mass_comm *comm)
{
    CHECK(comm->rank >= 0 && comm->rank < comm->size, "that is no rank");
    CHECK(comm->local_rank >= 0 && comm->local_rank < comm->local_size && comm->local_size <= comm->size,
          "%d of %d is no rank of a host", comm->local_rank, comm->local_size);
    CHECK(comm->host && *comm->host, "the host has no name");
    for (uint64_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
            check_exchange(comm, patterns[i].name, patterns[i].sends, mix(round, i, 1));
        check_all_to_all(comm, round);
        check_all_gather(comm, 13, round);
        check_broadcast(comm, 100, round);
        check_integers(comm, 8);
    }
    for (size_t bytes = 0; bytes < 200000; bytes = bytes * 9 + 1) {
        check_all_gather(comm, bytes, 9);
        check_broadcast(comm, bytes, 9);
        check_integers(comm, bytes / 4);
    }
    OK(comm->table->all_gather(comm, NULL, 0, NULL, e));
    OK(comm->table->broadcast(comm, NULL, 0, e));
    OK(comm->table->all_reduce(comm, MASS_REDUCE_SUM, NULL, 0, e));
    OK(comm->table->scan(comm, NULL, 0, e));
    OK(comm->table->barrier(comm, e));
}
