/* SPDX-License-Identifier: Apache-2.0 */
#include "io/main_thread_read.h"

#include <pthread.h>
#include <stdlib.h>

struct mass_main_thread_read {
    mass_snapshot_source source;      /* the writer thread reads here */
    const mass_snapshot_source *from; /* the main thread reads here */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { IDLE, ASKED, ENDED } state;
    /* the writer thread's request, and its result */
    uint32_t attribute;
    uint64_t first, count;
    void *data;
    mass_error *error;
    mass_status status;
};

/* Asks the main thread to read, and waits for its answer. Called by the writing thread. */
static mass_status ask(void *context, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                       mass_error *error)
{
    mass_main_thread_read *h = context;
    pthread_mutex_lock(&h->lock);
    h->attribute = attribute;
    h->first = first;
    h->count = count;
    h->data = data;
    h->error = error;
    h->state = ASKED;
    pthread_cond_broadcast(&h->changed);
    while (h->state == ASKED) pthread_cond_wait(&h->changed, &h->lock);
    const mass_status status = h->status;
    pthread_mutex_unlock(&h->lock);
    return status;
}

mass_main_thread_read *mass_main_thread_read_create(void)
{
    mass_main_thread_read *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->source = (mass_snapshot_source){ask, h};
    h->state = ENDED;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->changed, NULL);
    return h;
}

void mass_main_thread_read_free(mass_main_thread_read *h)
{
    if (!h) return;
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

void mass_main_thread_read_begin(mass_main_thread_read *h, const mass_snapshot_source *from)
{
    h->from = from;
    h->state = IDLE;
}

const mass_snapshot_source *mass_main_thread_read_source(const mass_main_thread_read *h) { return &h->source; }

void mass_main_thread_read_end(mass_main_thread_read *h)
{
    pthread_mutex_lock(&h->lock);
    h->state = ENDED;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

/* Reads the requested chunk in the main thread, and wakes the writer thread, which waits meanwhile. The lock is
 * held. */
static void answer(mass_main_thread_read *h)
{
    h->status = h->from->read(h->from->context, h->attribute, h->first, h->count, h->data, h->error);
    h->state = IDLE;
    pthread_cond_broadcast(&h->changed);
}

void mass_main_thread_read_attend(mass_main_thread_read *h)
{
    pthread_mutex_lock(&h->lock);
    if (h->state == ASKED) answer(h);
    pthread_mutex_unlock(&h->lock);
}

void mass_main_thread_read_finish(mass_main_thread_read *h)
{
    pthread_mutex_lock(&h->lock);
    while (h->state != ENDED) {
        if (h->state == ASKED) answer(h);
        else pthread_cond_wait(&h->changed, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
}
