/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of blocks: each thread takes a share of the blocks. */
#include "cpu/kernels.h"

enum { WORTH_A_THREAD = 64 }; /* blocks, some 20 us of work */

typedef struct job {
    const mass_blocks *blocks;
    int64_t first, count;
    uint64_t *hashes;
    int parts;
} job;

/* Computes one thread's share of the blocks' answers: hashes, or numbers of values outside the range. */
static void hash_share(void *context, int part)
{
    const job *j = context;
    for (int64_t i = j->count * part / j->parts, end = j->count * (part + 1) / j->parts; i < end; i++)
        j->hashes[i] = mass_block_answer(j->blocks, j->first + i);
}

void mass_cpu_hash_blocks(const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes, mass_cpu_team *team)
{
    const int64_t worth = 1 + count / WORTH_A_THREAD;
    job j = {b, first, count, hashes, mass_cpu_team_threads(team)};
    if (worth < j.parts) j.parts = (int)worth;
    mass_cpu_team_run(team, j.parts, hash_share, &j);
}
