/* SPDX-License-Identifier: Apache-2.0 */
/* Gives agents that move their new positions. */
#include "cpu/kernels.h"

#include <string.h>

enum { WORTH_A_THREAD = 1 << 15 }; /* agents */

typedef struct job {
    const mass_reposition_work *work;
    int parts;
} job;

/* Copies the new positions of one thread's share of the agents. */
static void move_share(void *context, int part)
{
    const job *j = context;
    const mass_reposition_work *w = j->work;
    const uint64_t count = *w->count;
    const uint64_t end = count * ((uint64_t)part + 1) / (uint64_t)j->parts;
    for (uint64_t i = count * (uint64_t)part / (uint64_t)j->parts; i < end; i++) {
        if (w->move[i] == MASS_CELL_STAY || w->move[i] == MASS_CELL_NOWHERE) continue;
        if (w->gates && w->gates[w->cell[i] / w->places]) continue;
        memcpy((char *)w->at + i * w->size, (const char *)w->to + i * w->size, w->size);
    }
}

void mass_cpu_reposition(const mass_reposition_work *w, mass_cpu_team *team)
{
    const uint32_t worth = 1 + *w->count / WORTH_A_THREAD;
    job j = {.work = w, .parts = mass_cpu_team_threads(team)};
    if (worth < (uint32_t)j.parts) j.parts = (int)worth;
    mass_cpu_team_run(team, j.parts, move_share, &j);
}
