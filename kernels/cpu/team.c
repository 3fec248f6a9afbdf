/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that share work. A thread claims a part by changing its slot from OFFERED to TAKEN. So a thread that comes
 * late finds nothing. The caller returns only after every slot is IDLE again, so the work stays valid. */
#include "cpu/team.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CACHE_LINE = 64, LOOKS = 32 };
static const int64_t SPIN = 60000; /* nanoseconds: most gaps between two parts of a step or of a manage are shorter */

/* IDLE: nothing to do. ASLEEP: idle, and its thread must be woken. OFFERED: no thread has begun the part. TAKEN: a
 * thread runs it. AWAITED: taken, and a sleeping thread must be woken at its end. STOPPED: its thread ends. */
enum { IDLE, ASLEEP, OFFERED, TAKEN, AWAITED, STOPPED };

typedef struct slot {
    _Alignas(CACHE_LINE) atomic_uint state;
    mass_cpu_team *team;
    int part;
    pthread_t thread;
} slot;

struct mass_cpu_team {
    int room;             /* slots */
    int threads, started; /* caller included; those that have not started are IDLE */
    mass_cpu_team_grower *grow;
    mass_cpu_part *work; /* of the slots that are OFFERED, TAKEN or AWAITED */
    void *context;
    slot slots[]; /* [room]; the caller's is not used */
};

/* Returns the monotonic clock's time in nanoseconds. */
static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Wakes the threads that sleep until a slot's state changes. */
static void wake(slot *s) { syscall(SYS_futex, &s->state, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0); }

/* Waits while the slot has this state: spins first, then sleeps until woken. Before it sleeps, it sets ASLEEP or
 * AWAITED, which tells others to wake it. May return earlier. */
static void wait_while(slot *s, unsigned state)
{
    const int64_t end = now() + SPIN;
    do
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(&s->state, memory_order_relaxed) != state) return;
            mass_cpu_relax();
        }
    while (now() < end);
    const unsigned asleep = state == IDLE ? ASLEEP : state == TAKEN ? AWAITED : state;
    if (state == asleep || atomic_compare_exchange_strong(&s->state, &state, asleep))
        syscall(SYS_futex, &s->state, FUTEX_WAIT_PRIVATE, asleep, NULL, NULL, 0);
}

/* Runs the slot's part if it is OFFERED. Returns whether it did. */
static bool do_if_offered(slot *s)
{
    unsigned offered = OFFERED;
    if (atomic_load_explicit(&s->state, memory_order_relaxed) != OFFERED) return false;
    if (!atomic_compare_exchange_strong(&s->state, &offered, TAKEN)) return false;
    s->team->work(s->team->context, s->part);
    if (atomic_exchange(&s->state, IDLE) == AWAITED) wake(s);
    return true;
}

/* Runs a thread of the team until it is stopped: does its own part, then parts whose threads have not begun. */
static void *take_part(void *own_slot)
{
    slot *const own = own_slot;
    mass_cpu_team *const team = own->team;
    for (;;) {
        const unsigned state = atomic_load(&own->state);
        if (state == STOPPED) return NULL;
        if (state != OFFERED) wait_while(own, state);
        else
            for (int i = 0; i < team->room; i++) do_if_offered(&team->slots[(own->part + i) % team->room]);
    }
}

mass_cpu_team *mass_cpu_team_create(int threads, mass_cpu_team_grower *grow)
{
    const size_t size = sizeof(mass_cpu_team) + (size_t)threads * sizeof(slot);
    mass_cpu_team *team = aligned_alloc(CACHE_LINE, (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!team) return NULL;
    *team = (mass_cpu_team){.room = threads, .threads = threads, .started = 1, .grow = grow};
    for (int i = 0; i < threads; i++) {
        slot *const s = &team->slots[i];
        *s = (slot){.team = team, .part = i};
    }
    return team;
}

int mass_cpu_team_grow(mass_cpu_team *team, int threads)
{
    while (team->started < threads) {
        slot *const s = &team->slots[team->started];
        const int reason = pthread_create(&s->thread, NULL, take_part, s);
        if (reason != 0) {
            team->threads = team->started;
            return reason;
        }
        team->started++;
    }
    return 0;
}

void mass_cpu_team_stop(mass_cpu_team *team)
{
    for (int i = 1; team && i < team->started; i++) {
        slot *const s = &team->slots[i];
        if (atomic_exchange(&s->state, STOPPED) == ASLEEP) wake(s);
        pthread_join(s->thread, NULL);
    }
    free(team);
}

int mass_cpu_team_threads(const mass_cpu_team *team) { return team ? team->threads : 1; }

/* Returns the number of slots to offer `parts` parts in. Starts threads if needed. */
static int slots_for(mass_cpu_team *team, int parts)
{
    const int threads = mass_cpu_team_threads(team), wanted = parts < threads ? parts : threads;
    if (wanted < 2 || wanted <= team->started) return wanted;
    if (team->grow) team->grow(team, wanted);
    else mass_cpu_team_grow(team, wanted);
    return wanted < team->started ? wanted : team->started;
}

int mass_cpu_team_run(mass_cpu_team *team, int parts, mass_cpu_part *work, void *context)
{
    const int offered = slots_for(team, parts);
    int others = offered - 1;
    if (offered > 1) {
        team->work = work;
        team->context = context;
    }
    for (int i = 1; i < offered; i++)
        if (atomic_exchange(&team->slots[i].state, OFFERED) == ASLEEP) wake(&team->slots[i]);
    work(context, 0);
    for (int i = offered; i < parts; i++) work(context, i);
    for (int i = 1; i < offered; i++) others -= do_if_offered(&team->slots[i]);
    for (int i = 1; i < offered; i++) {
        slot *const s = &team->slots[i];
        for (unsigned state; (state = atomic_load(&s->state)) == TAKEN || state == AWAITED;) wait_while(s, state);
    }
    return others;
}
