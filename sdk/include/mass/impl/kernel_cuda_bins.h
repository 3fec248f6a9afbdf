/* SPDX-License-Identifier: Apache-2.0 */
/* Counting into bins. The launch record tells which of a tally's bins it counts, and where (mass_bins). A block counts
 * in copies in its own memory, and adds them to the tally after each world; or it counts in the device's memory at
 * once. Contributions are integers, so all ways have the same result. Contributions to other bins are ignored. */
#ifndef MASS_KERNEL_CUDA_BINS_H
#define MASS_KERNEL_CUDA_BINS_H

#include <mass/arithmetic.h>
#include <mass/impl/kernel_cuda_tallies.h>
#include <mass/impl/launch.h>

/* The bins in which a body counts: those of its world in the device's memory, and the block's own copies of some of
 * them, if there are any. */
struct mass_counter {
    unsigned long long *bins;
    uint32_t first, near, remote; /* number of bins, from the first on, that are counted in the block's memory; and in
                                     the device's */
    uint32_t step, local;      /* bytes in the block's memory: distance of bins; position of this thread's copy of the
                                  first one */
    bool certain;              /* all bins are in the block's memory */
    bool fixed;                /* they are sums in fixed point */
};
extern __shared__ uint32_t mass_bin_memory[];

/* Where a callback's bins are counted. Code for one case is half as long. */
enum mass_where { MASS_ANYWHERE, MASS_NEAR_BINS, MASS_FAR_BINS };
/* Returns the counter of a world for this thread. If `tallies` is false, the counter ignores every bin. */
MASS_FN mass_counter mass_counter_of(int64_t *bins, const mass_bins &b, int world, bool tallies, mass_where where)
{
    const bool near = where == MASS_ANYWHERE ? b.local != MASS_BINS_GLOBAL : where == MASS_NEAR_BINS;
    const uint32_t copies = 1u << b.copies_log2, word = sizeof *mass_bin_memory;
    return {(unsigned long long *)bins + (int64_t)world * b.length, b.first, tallies && near ? b.count : 0,
            tallies && !near ? b.count : 0, copies * word,
            (b.local + (threadIdx.x & (copies - 1))) * word, where == MASS_NEAR_BINS, b.fixed != 0};
}

/* Is true for one of the `count` bins from `first` on. */
MASS_FN bool mass_is_among(uint64_t bin, uint32_t first, uint32_t count)
{
    return bin >> 32 == 0 && (uint32_t)bin - first < count;
}
#define MASS_IS_BYTE_(bin) false /* only CPUs need it */
/* Adds 1 to a bin. A bin that this launch does not count is ignored. */
MASS_FN void mass_count_one(const mass_counter *c, uint64_t bin, bool)
{
    char *const local = (char *)mass_bin_memory + c->local;
    const uint32_t at = bin >> 32 ? UINT32_MAX : (uint32_t)bin - c->first;
    /* Without a branch: after the last bin there is one for ignored contributions. */
    if (c->certain) atomicAdd((uint32_t *)(local + (at < c->near ? at : c->near) * c->step), 1u);
    else if (at < c->near) atomicAdd((uint32_t *)(local + at * c->step), 1u);
    else if (mass_is_among(bin, c->first, c->remote)) atomicAdd(&c->bins[bin], 1ull);
}
/* Adds to a bin, always in the device's memory. A bin that this launch does not count is ignored. */
MASS_FN void mass_count(const mass_counter *c, uint64_t bin, int64_t v)
{
    if (!mass_is_among(bin, c->first, c->near | c->remote)) return;
    if (c->fixed) mass_contribute_fixed((int64_t *)&c->bins[bin], v);
    else atomicAdd(&c->bins[bin], (unsigned long long)v);
}

/* Empties the block's bins of `fields` fields, before the first world. Every thread must call it. */
MASS_FN void mass_bins_begin(const mass_launch &l, int fields)
{
    for (int i = 0; i < fields; i++)
        if (l.bins[i].local != MASS_BINS_GLOBAL)
            for (uint32_t k = threadIdx.x; k < l.bins[i].count << l.bins[i].copies_log2; k += blockDim.x)
                mass_bin_memory[l.bins[i].local + k] = 0;
    __syncthreads();
}
/* Adds the block's bins to the tally, and empties them, after a world. Every thread must call it. */
MASS_FN void mass_bins_hand_over(int64_t *bins, const mass_bins &b, int world)
{
    if (b.local == MASS_BINS_GLOBAL) return;
    __syncthreads();
    const uint32_t copies = 1u << b.copies_log2;
    for (uint32_t i = threadIdx.x; i < b.count; i += blockDim.x) {
        uint32_t *own = mass_bin_memory + b.local + (i << b.copies_log2), sum = 0;
        for (uint32_t c = 0; c < copies; c++) {
            const uint32_t turn = (c + threadIdx.x) & (copies - 1); /* threads of a warp use different banks */
            sum += own[turn];
            own[turn] = 0;
        }
        if (sum == 0) continue;
        unsigned long long *const bin = (unsigned long long *)bins + (int64_t)world * b.length + b.first + i;
        atomicAdd(bin, (unsigned long long)sum);
    }
    __syncthreads();
}

#endif
