/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in a new order that is mostly the old one: runs of agents that follow each other in both are copied as a
 * whole, a batch of them at a time, while it is known where they were. */
#ifndef MASS_KERNELS_CPU_MANAGE_BATCH_H
#define MASS_KERNELS_CPU_MANAGE_BATCH_H

#include "cpu/manage_job.h"

typedef struct manage_run {
    uint32_t agent, count; /* the first, as they were */
} manage_run;

typedef struct manage_arrival {
    uint32_t at, cell; /* the new index of who comes to the cell */
} manage_arrival;

/* Agents in their new order, until there are enough of them to be put. */
enum { MANAGE_RUNS = 512 };
typedef struct manage_batch {
    uint32_t at, count, end; /* new index of the first; how many; new index behind the last of the part */
    uint32_t agents, runs;   /* of the manage; of the batch, with an empty one before */
    manage_run run[MANAGE_RUNS + 3 * MANAGE_WORD];
    manage_arrival arrival[MANAGE_RUNS + 2 * MANAGE_WORD];
} manage_batch;

/* Where a batch ends so far. */
typedef struct manage_batch_end {
    manage_run *run;         /* the last */
    manage_arrival *arrival; /* behind the last */
    uint32_t at;             /* the new index of the next agent */
} manage_batch_end;

/* Begins one whose first agent has the new index `at`. */
manage_batch_end manage_begin_batch(manage_batch *batch, uint32_t at);
/* Puts all columns of its agents, and begins the next. */
manage_batch_end manage_put_batch(const mass_manage_work *w, manage_batch *batch, manage_batch_end end);

/* The next n agents are those from `agent` on. */
static inline void manage_add_run(manage_batch_end *end, uint32_t agent, uint32_t n)
{
    const manage_run last = *end->run;
    const bool goes_on = last.agent + last.count == agent;
    end->run += !goes_on;
    *end->run = (manage_run){goes_on ? last.agent : agent, n + (goes_on ? last.count : 0)};
    end->at += n;
}

static inline bool manage_batch_is_full(const manage_batch *batch, manage_batch_end end)
{
    return end.run - batch->run > MANAGE_RUNS || end.arrival - batch->arrival > MANAGE_RUNS;
}

#endif
