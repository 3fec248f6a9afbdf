/* SPDX-License-Identifier: Apache-2.0 */
/* An operation is a meeting of all ranks. Each leaves what it wants and sleeps; the last that comes checks that it fits
 * together, does it for all, and wakes them. */
#include "threads.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum operation {
    EXCHANGE, ALL_REDUCE, SCAN, ALL_GATHER, ALL_TO_ALL, BROADCAST, BARRIER
} operation;

static const char *const operation_names[] = {"exchange", "all_reduce", "scan", "all_gather", "all_to_all",
                                              "broadcast", "barrier"};

typedef struct wish {
    operation operation;
    mass_reduction_operation reduction;
    const mass_message *sends, *receives;
    uint32_t send_count, receive_count;
    int64_t *values;
    const void *from;
    void *to;
    size_t length; /* of values, or bytes */
} wish;

typedef struct meeting meeting;

typedef struct rank {
    mass_comm comm; /* first */
    meeting *meeting;
    wish wish;
    bool waits, ended;
    char host[32];
    pthread_t thread;
    mass_rank_work *work;
    void *context;
} rank;

struct meeting {
    pthread_mutex_t mutex;
    pthread_cond_t over;
    uint64_t number; /* meetings that are over */
    int32_t size, waiting;
    rank *ranks;
};

__attribute__((format(printf, 1, 2))) static _Noreturn void fail(const char *format, ...)
{
    char text[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "ranks that are threads: %s\n", text);
    abort();
}

/* ---- what does not fit together ---- */

static void check_same(const meeting *m)
{
    const wish *const first = &m->ranks[0].wish;
    for (int32_t i = 1; i < m->size; i++) {
        const wish *const w = &m->ranks[i].wish;
        if (w->operation != first->operation)
            fail("rank 0 calls %s, but rank %d calls %s", operation_names[first->operation], i,
                 operation_names[w->operation]);
        if (w->length != first->length)
            fail("%s: rank 0 has a length of %zu, but rank %d one of %zu", operation_names[w->operation],
                 first->length, i, w->length);
        if (w->reduction != first->reduction)
            fail("all_reduce: rank 0 asks for reduction %d, but rank %d for %d", (int)first->reduction, i,
                 (int)w->reduction);
    }
}

static void check_partners(const meeting *m)
{
    for (int32_t i = 0; i < m->size; i++) {
        const wish *const w = &m->ranks[i].wish;
        for (uint32_t k = 0; k < w->send_count + w->receive_count; k++) {
            const bool sends = k < w->send_count;
            const int32_t other = sends ? w->sends[k].rank : w->receives[k - w->send_count].rank;
            if (other < 0 || other >= m->size)
                fail("%s: rank %d %s rank %d, but there are %d", operation_names[w->operation], i,
                     sends ? "sends to" : "receives from", other, m->size);
        }
    }
}

/* The first message from or to a rank at `at` or later, or `count`. */
static uint32_t next_message(const mass_message *messages, uint32_t count, uint32_t at, int32_t with)
{
    while (at < count && messages[at].rank != with) at++;
    return at;
}

/* All that one rank sends to another. */
static void carry(const meeting *m, int32_t from, int32_t to)
{
    const wish *const s = &m->ranks[from].wish, *const r = &m->ranks[to].wish;
    const char *const name = operation_names[s->operation];
    uint32_t i = 0, j = 0, number = 0;
    for (;; i++, j++, number++) {
        i = next_message(s->sends, s->send_count, i, to);
        j = next_message(r->receives, r->receive_count, j, from);
        if (i == s->send_count && j == r->receive_count) return;
        if (i == s->send_count)
            fail("%s: rank %d waits for message %u from rank %d, which sends it no such", name, to, number, from);
        if (j == r->receive_count)
            fail("%s: rank %d sends message %u to rank %d, which waits for no such", name, from, number, to);
        if (s->sends[i].bytes != r->receives[j].bytes)
            fail("%s: rank %d sends %zu bytes as message %u to rank %d, which waits for %zu", name, from,
                 s->sends[i].bytes, number, to, r->receives[j].bytes);
        if (s->sends[i].bytes) memcpy(r->receives[j].data, s->sends[i].data, s->sends[i].bytes);
    }
}

/* ---- what is done for all ranks ---- */

static void exchange_all(const meeting *m)
{
    check_partners(m);
    for (int32_t from = 0; from < m->size; from++)
        for (int32_t to = 0; to < m->size; to++) carry(m, from, to);
}

static int64_t reduce(mass_reduction_operation how, int64_t a, int64_t b)
{
    if (how == MASS_REDUCE_SUM) return (int64_t)((uint64_t)a + (uint64_t)b);
    return (how == MASS_REDUCE_LEAST) == (a < b) ? a : b;
}

static void reduce_all(const meeting *m)
{
    const wish *const first = &m->ranks[0].wish;
    for (size_t k = 0; k < first->length; k++) {
        int64_t value = first->values[k];
        for (int32_t i = 1; i < m->size; i++) value = reduce(first->reduction, value, m->ranks[i].wish.values[k]);
        for (int32_t i = 0; i < m->size; i++) m->ranks[i].wish.values[k] = value;
    }
}

static void scan_all(const meeting *m)
{
    for (size_t k = 0; k < m->ranks[0].wish.length; k++) {
        int64_t before = 0;
        for (int32_t i = 0; i < m->size; i++) {
            int64_t *const value = &m->ranks[i].wish.values[k], own = *value;
            *value = before;
            before = reduce(MASS_REDUCE_SUM, before, own);
        }
    }
}

static void gather_all(const meeting *m)
{
    const size_t bytes = m->ranks[0].wish.length;
    for (int32_t i = 0; bytes && i < m->size; i++)
        for (int32_t k = 0; k < m->size; k++)
            memcpy((char *)m->ranks[i].wish.to + (size_t)k * bytes, m->ranks[k].wish.from, bytes);
}

static void broadcast_to_all(const meeting *m)
{
    const wish *const first = &m->ranks[0].wish;
    for (int32_t i = 1; first->length && i < m->size; i++)
        memcpy(m->ranks[i].wish.to, first->to, first->length);
}

static void do_for_all(const meeting *m)
{
    check_same(m);
    switch (m->ranks[0].wish.operation) {
    case EXCHANGE:
    case ALL_TO_ALL: exchange_all(m); break;
    case ALL_REDUCE: reduce_all(m); break;
    case SCAN: scan_all(m); break;
    case ALL_GATHER: gather_all(m); break;
    case BROADCAST: broadcast_to_all(m); break;
    case BARRIER: break;
    }
}

/* ---- the meeting ---- */

/* Some rank has ended, some wait: they would wait for ever. */
static void check_ended(const meeting *m)
{
    int32_t waits = -1, ended = -1;
    for (int32_t i = m->size - 1; i >= 0; i--) {
        if (m->ranks[i].waits) waits = i;
        if (m->ranks[i].ended) ended = i;
    }
    if (waits >= 0 && ended >= 0)
        fail("rank %d waits in %s for rank %d, which has ended", waits,
             operation_names[m->ranks[waits].wish.operation], ended);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mass_status meet(mass_comm *comm, const wish *wanted)
{
    rank *const own = (rank *)comm;
    meeting *const m = own->meeting;
    const double began = now();
    pthread_mutex_lock(&m->mutex);
    own->wish = *wanted;
    own->waits = true;
    check_ended(m);
    if (++m->waiting == m->size) {
        do_for_all(m);
        for (int32_t i = 0; i < m->size; i++) m->ranks[i].waits = false;
        m->waiting = 0;
        m->number++;
        pthread_cond_broadcast(&m->over);
    } else {
        const uint64_t number = m->number;
        while (m->number == number) pthread_cond_wait(&m->over, &m->mutex);
    }
    pthread_mutex_unlock(&m->mutex);
    comm->waited += now() - began;
    return MASS_OK;
}

/* ---- the table ---- */

static mass_status exchange(mass_comm *comm, const mass_message *sends, uint32_t send_count,
                            const mass_message *receives, uint32_t receive_count, mass_error *error)
{
    (void)error;
    return meet(comm, &(wish){.operation = EXCHANGE, .sends = sends, .send_count = send_count, .receives = receives,
                              .receive_count = receive_count});
}

static mass_status all_reduce(mass_comm *comm, mass_reduction_operation how, int64_t *values, size_t count,
                              mass_error *error)
{
    (void)error;
    return meet(comm, &(wish){.operation = ALL_REDUCE, .reduction = how, .values = values, .length = count});
}

static mass_status scan(mass_comm *comm, int64_t *values, size_t count, mass_error *error)
{
    (void)error;
    return meet(comm, &(wish){.operation = SCAN, .values = values, .length = count});
}

static mass_status all_gather(mass_comm *comm, const void *from, size_t bytes, void *to, mass_error *error)
{
    (void)error;
    return meet(comm, &(wish){.operation = ALL_GATHER, .from = from, .to = to, .length = bytes});
}

static mass_status all_to_all(mass_comm *comm, const mass_message *sends, const mass_message *receives,
                              mass_error *error)
{
    (void)error;
    const uint32_t size = (uint32_t)comm->size;
    for (uint32_t i = 0; i < size; i++)
        if (sends[i].rank != (int32_t)i || receives[i].rank != (int32_t)i)
            fail("all_to_all: rank %d names ranks %d and %d in its messages with rank %u", comm->rank, sends[i].rank,
                 receives[i].rank, i);
    return meet(comm, &(wish){.operation = ALL_TO_ALL, .sends = sends, .send_count = size, .receives = receives,
                              .receive_count = size});
}

static mass_status broadcast(mass_comm *comm, void *data, size_t bytes, mass_error *error)
{
    (void)error;
    return meet(comm, &(wish){.operation = BROADCAST, .to = data, .length = bytes});
}

static mass_status barrier(mass_comm *comm, mass_error *error)
{
    (void)error;
    return meet(comm, &(wish){.operation = BARRIER});
}

static void end_all(mass_comm *comm, int exit_status)
{
    fprintf(stderr, "ranks that are threads: rank %d ends all with exit status %d\n", comm->rank, exit_status);
    _Exit(exit_status);
}

/* Its rank is freed with all others, when the last has ended. */
static void close_rank(mass_comm *comm) { (void)comm; }

static const mass_comm_table table = {sizeof table, "threads", exchange, all_reduce, scan, all_gather, all_to_all,
                                      broadcast, barrier, end_all, close_rank};

static void *live(void *argument)
{
    rank *const own = argument;
    own->work(&own->comm, own->context);
    pthread_mutex_lock(&own->meeting->mutex);
    own->ended = true;
    check_ended(own->meeting);
    pthread_mutex_unlock(&own->meeting->mutex);
    return NULL;
}

void mass_run_on_hosts(int32_t size, int32_t host_size, mass_rank_work *work, void *context)
{
    meeting m = {.mutex = PTHREAD_MUTEX_INITIALIZER, .over = PTHREAD_COND_INITIALIZER, .size = size};
    m.ranks = calloc((size_t)size, sizeof *m.ranks);
    if (!m.ranks) fail("there is no memory for %d ranks", size);
    for (int32_t i = 0; i < size; i++) {
        rank *const r = &m.ranks[i];
        const int32_t first = i / host_size * host_size, rest = size - first;
        snprintf(r->host, sizeof r->host, "host%d", i / host_size);
        r->comm = (mass_comm){.table = &table, .rank = i, .size = size, .local_rank = i - first, .host = r->host,
                              .local_size = rest < host_size ? rest : host_size};
        r->meeting = &m;
        r->work = work;
        r->context = context;
    }
    for (int32_t i = 0; i < size; i++)
        if (pthread_create(&m.ranks[i].thread, NULL, live, &m.ranks[i]) != 0) fail("rank %d cannot be started", i);
    for (int32_t i = 0; i < size; i++) pthread_join(m.ranks[i].thread, NULL);
    free(m.ranks);
}

void mass_run_as_ranks(int32_t size, mass_rank_work *work, void *context)
{
    mass_run_on_hosts(size, size, work, context);
}
