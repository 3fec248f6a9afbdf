/* SPDX-License-Identifier: Apache-2.0 */
#include "view/desk.h"
#include "process/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { ASKED_MOST = 1024 };
static const double PATIENCE = 10;                /* seconds that a question waits for an answer */
static const size_t BYTES_MOST = (size_t)512 << 20; /* most bytes of answers that have not been sent */

typedef struct list {
    mass_view_slip *first, **end;
} list;

struct mass_desk {
    pthread_mutex_t lock;
    pthread_cond_t asked; /* signals a new question */
    list waiting, answered;
    bool news; /* `waiting` has questions that were not put back */
    atomic_int count, slips; /* waiting questions; all slips */
    atomic_int viewers;
    atomic_size_t bytes;
    _Atomic double last;
    atomic_bool closed;
    int bell;
};

/* Appends a slip to a list. Takes no lock. */
static void append(list *l, mass_view_slip *s)
{
    s->next = NULL;
    *l->end = s;
    l->end = &s->next;
}

/* Makes a list empty. Does not free its slips. */
static void clear(list *l) { *l = (list){NULL, &l->first}; }

mass_desk *mass_desk_create(void)
{
    mass_desk *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (d->bell < 0) {
        free(d);
        return NULL;
    }
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->asked, &clock);
    pthread_condattr_destroy(&clock);
    clear(&d->waiting);
    clear(&d->answered);
    return d;
}

void mass_desk_drop(mass_desk *d, mass_view_slip *s)
{
    atomic_fetch_sub(&d->bytes, s->answer.size);
    atomic_fetch_sub(&d->slips, 1);
    free(s->answer.bytes);
    free(s);
}

/* Frees all slips of a list, and leaves the list as it is. */
static void drop_all(mass_desk *d, const list *l)
{
    for (mass_view_slip *s = l->first, *next; s; s = next) {
        next = s->next;
        mass_desk_drop(d, s);
    }
}

void mass_desk_free(mass_desk *d)
{
    if (!d) return;
    drop_all(d, &d->waiting);
    drop_all(d, &d->answered);
    pthread_mutex_destroy(&d->lock);
    pthread_cond_destroy(&d->asked);
    close(d->bell);
    free(d);
}

/* Makes the bell readable, which wakes the server. */
static void ring(mass_desk *d)
{
    const uint64_t one = 1;
    const ssize_t put = write(d->bell, &one, sizeof one);
    (void)put; /* a failure means that it is readable already */
}

/* ---- called by the server's thread ---- */

bool mass_desk_ask(mass_desk *d, const mass_view_question *q, const char *body, size_t body_size, void *asker)
{
    mass_view_slip *s = atomic_load(&d->slips) < ASKED_MOST ? calloc(1, sizeof *s) : NULL;
    if (!s) return false;
    s->question = *q;
    s->body = body;
    s->body_size = body_size;
    s->asker = asker;
    s->until = mass_seconds() + PATIENCE;
    atomic_fetch_add(&d->slips, 1);
    atomic_store(&d->last, mass_seconds());
    pthread_mutex_lock(&d->lock);
    append(&d->waiting, s);
    d->news = true;
    atomic_fetch_add(&d->count, 1);
    pthread_cond_signal(&d->asked);
    pthread_mutex_unlock(&d->lock);
    return true;
}

mass_view_slip *mass_desk_take(mass_desk *d)
{
    pthread_mutex_lock(&d->lock);
    mass_view_slip *s = d->answered.first;
    if (s) d->answered.first = s->next;
    if (s && !s->next) clear(&d->answered);
    pthread_mutex_unlock(&d->lock);
    return s;
}

int mass_desk_expire(mass_desk *d)
{
    const double now = mass_seconds();
    double next = 0;
    pthread_mutex_lock(&d->lock);
    list waiting = d->waiting;
    clear(&d->waiting);
    for (mass_view_slip *s = waiting.first, *after; s; s = after) {
        after = s->next;
        if (s->until > now) {
            append(&d->waiting, s);
            next = next == 0 || s->until < next ? s->until : next;
            continue;
        }
        s->answer = (mass_view_answer){.status = 204};
        append(&d->answered, s);
        atomic_store(&d->last, now); /* a viewer that waited that long is still there */
        atomic_fetch_sub(&d->count, 1);
        ring(d);
    }
    pthread_mutex_unlock(&d->lock);
    return next == 0 ? -1 : (int)(1000 * (next - now)) + 1;
}

int mass_desk_bell(const mass_desk *d) { return d->bell; }

void mass_desk_hear_bell(mass_desk *d)
{
    uint64_t rung;
    const ssize_t got = read(d->bell, &rung, sizeof rung);
    (void)got;
}

bool mass_desk_is_closed(const mass_desk *d) { return atomic_load(&d->closed); }

void mass_desk_set_viewers(mass_desk *d, int count) { atomic_store(&d->viewers, count); }

/* ---- called by the run's thread ---- */

bool mass_desk_is_asked(const mass_desk *d) { return atomic_load_explicit(&d->count, memory_order_acquire) > 0; }

mass_view_slip *mass_desk_pick_up(mass_desk *d)
{
    pthread_mutex_lock(&d->lock);
    mass_view_slip *s = d->waiting.first;
    clear(&d->waiting);
    d->news = false;
    atomic_store(&d->count, 0);
    pthread_mutex_unlock(&d->lock);
    return s;
}

void mass_desk_answer(mass_desk *d, mass_view_slip *s)
{
    atomic_fetch_add(&d->bytes, s->answer.size);
    atomic_store(&d->last, mass_seconds());
    pthread_mutex_lock(&d->lock);
    append(&d->answered, s);
    pthread_mutex_unlock(&d->lock);
    ring(d);
}

void mass_desk_lay_back(mass_desk *d, mass_view_slip *s)
{
    pthread_mutex_lock(&d->lock);
    append(&d->waiting, s);
    atomic_fetch_add(&d->count, 1);
    pthread_mutex_unlock(&d->lock);
}

void mass_desk_wait(mass_desk *d, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&d->lock);
    while (!d->news && pthread_cond_timedwait(&d->asked, &d->lock, &until) != ETIMEDOUT) continue;
    pthread_mutex_unlock(&d->lock);
}

bool mass_desk_has_room(const mass_desk *d, size_t bytes)
{
    return atomic_load(&d->bytes) + bytes <= BYTES_MOST;
}

double mass_desk_last_asked(const mass_desk *d) { return atomic_load(&d->last); }
int mass_desk_viewers(const mass_desk *d) { return atomic_load(&d->viewers); }

void mass_desk_close(mass_desk *d)
{
    atomic_store(&d->closed, true);
    ring(d);
}
