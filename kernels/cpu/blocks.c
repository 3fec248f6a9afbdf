/* Hashes of blocks: every thread has its share of them. */
#include "cpu/kernels.h"

enum { WORTH_THREADS = 64 }; /* blocks, which take some 20 us */

void mass_cpu_hash_blocks(const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes, int threads)
{
    if (threads == 1 || count < WORTH_THREADS) {
        for (int64_t i = 0; i < count; i++) hashes[i] = mass_block_hash(b, first + i);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < count; i++) hashes[i] = mass_block_hash(b, first + i);
}
