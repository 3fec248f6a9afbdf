/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in a new order that is mostly the old one. Runs of agents that are consecutive in both orders are copied as a
 * whole. A batch collects runs, then copies them in all arrays. */
#ifndef MASS_KERNELS_CPU_MANAGE_BATCH_H
#define MASS_KERNELS_CPU_MANAGE_BATCH_H

#include "cpu/manage_job.h"

typedef struct manage_run {
    uint32_t agent, count; /* agent: old index of the first */
} manage_run;

typedef struct manage_arrival {
    uint32_t at, cell; /* at: new index of the agent that comes to `cell` */
} manage_arrival;

/* A batch of agents in their new order. It is copied when it is full. */
enum { MANAGE_RUNS = 512 };
typedef struct manage_batch {
    uint32_t at, count, end; /* new index of the first agent; number of agents; new index after the part's last agent */
    uint32_t agents, runs;   /* agents: of the manage, before; runs: of the batch, and an empty one before them */
    manage_run run[MANAGE_RUNS + 3 * MANAGE_WORD];
    manage_arrival arrival[MANAGE_RUNS + 2 * MANAGE_WORD];
} manage_batch;

/* The present end of a batch. */
typedef struct manage_batch_end {
    manage_run *run;         /* the last */
    manage_arrival *arrival; /* after the last */
    uint32_t at;             /* the new index of the next agent */
} manage_batch_end;

/* Begins a batch whose first agent has the new index `at`. */
manage_batch_end manage_begin_batch(manage_batch *batch, uint32_t at);
/* Copies the batch's agents in all arrays, clears their refusal flags except in closed worlds, and begins the next
 * batch. The caller has set batch->end and batch->agents. */
manage_batch_end manage_put_batch(const mass_manage_work *w, manage_batch *batch, manage_batch_end end);

/* Adds n agents to the batch: those with the old indices from `agent` on. */
static inline void manage_add_run(manage_batch_end *end, uint32_t agent, uint32_t n)
{
    const manage_run last = *end->run;
    const bool goes_on = last.agent + last.count == agent;
    end->run += !goes_on;
    *end->run = (manage_run){goes_on ? last.agent : agent, n + (goes_on ? last.count : 0)};
    end->at += n;
}

/* Returns true if the batch is full: it must be put before anything else is added. */
static inline bool manage_batch_is_full(const manage_batch *batch, manage_batch_end end)
{
    return end.run - batch->run > MANAGE_RUNS || end.arrival - batch->arrival > MANAGE_RUNS;
}

#endif
