/* SPDX-License-Identifier: Apache-2.0 */
/* Discards requests that no manage has applied, or will. */
#include "cpu/kernels.h"

#include <mass/impl/launch.h>
#include <stdatomic.h>

enum { WORTH_A_THREAD = 1 << 16 }; /* agents */

typedef struct job {
    const mass_discard_work *work;
    int parts;
    atomic_bool asked; /* some agent has a request */
} job;

/* Clears one thread's share of all requests, and sets j->asked if a present agent had one. */
static void drop_share(void *context, int part)
{
    job *j = context;
    const mass_discard_work *w = j->work;
    const uint64_t room = w->room;
    const uint32_t count = *w->count, end = (uint32_t)(room * ((uint64_t)part + 1) / (uint64_t)j->parts);
    uint32_t asked = 0;
    for (uint32_t i = (uint32_t)(room * (uint64_t)part / (uint64_t)j->parts); i < end; i++) {
        asked |= i < count && (w->move[i] != MASS_CELL_STAY || w->asked[i] != 0);
        w->move[i] = MASS_CELL_STAY;
        w->asked[i] = 0;
    }
    if (asked) atomic_store_explicit(&j->asked, true, memory_order_relaxed);
}

void mass_cpu_discard_requests(const mass_discard_work *w, mass_cpu_team *team)
{
    const uint32_t worth = 1 + w->room / WORTH_A_THREAD;
    job j = {.work = w, .parts = mass_cpu_team_threads(team)};
    if (worth < (uint32_t)j.parts) j.parts = (int)worth;
    mass_cpu_team_run(team, j.parts, drop_share, &j);
    if (j.asked && !*w->ignored) *w->ignored = 1;
}
