/* SPDX-License-Identifier: Apache-2.0 */
/* Data-parallel algorithms on the CPU. Blocking; on the threads of a team, fewer where there is little to do. Of the
 * team's own thread. */
#ifndef MASS_KERNELS_CPU_H
#define MASS_KERNELS_CPU_H

#include "bits.h"
#include "blocks.h"
#include "combination.h"
#include "cpu/team.h"
#include "manage.h"
#include "shrink.h"
#include "strided.h"

/* Says of new memory that it is gone through as a whole: if it is large, it gets huge pages where the system has such,
 * for which processors look up fewer addresses, and fetch ahead over longer stretches. */
void mass_cpu_advise_pages(void *memory, size_t bytes);

/* Writes `count` copies of an element of `size` bytes to `to`. */
void mass_cpu_fill(void *to, const void *element, size_t size, size_t count, mass_cpu_team *team);

void mass_cpu_copy(const mass_strided *copy, mass_cpu_team *team);

void mass_cpu_copy_bits(const mass_bit_runs *runs, mass_cpu_team *team);

/* `count` places of a row, from the beginning of a byte of bits: as mass_bits_unpack and mass_bits_pack. Any thread. */
void mass_cpu_unpack_row(uint8_t *to, const uint8_t *bits, int64_t count);
void mass_cpu_pack_row(uint8_t *bits, const uint8_t *from, int64_t count);
/* `bytes` bytes of bits to eight times as many of 0 or 1, and back (bits.h). */
void mass_cpu_unpack(uint8_t *to, const uint8_t *bits, int64_t bytes, mass_cpu_team *team);
void mass_cpu_pack(uint8_t *bits, const uint8_t *from, int64_t bytes, mass_cpu_team *team);

/* Combines each integer of the target with that of the source. */
void mass_cpu_combine(const mass_strided *box, const mass_combination *how, mass_cpu_team *team);
/* to[i] = from[index[i]]; and to[index[i]] = from[i], or combined with it if `how` is not NULL. Any thread. */
void mass_cpu_gather(const mass_indexed *g);
void mass_cpu_scatter(const mass_indexed *s, const mass_combination *how);

/* hashes[i] = the hash of block first + i (blocks.h). */
void mass_cpu_hash_blocks(const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes, mass_cpu_team *team);

/* Memory of mass_cpu_manage, kept between calls and grown as needed; begins as all zeros. */
typedef struct mass_cpu_manage_scratch {
    void *memory;
    size_t size;
    uint64_t clean; /* so many list heads at its beginning are zero */
    uint64_t part;  /* least work worth a thread, in cells; 0: as measured */
} mass_cpu_manage_scratch;

/* Carries out a manage (manage.h) in at most `threads` parts. Returns the number of agents there would be afterwards;
 * above w->room nothing was changed, but that agents in no order may have been put in order where they are, and the
 * caller enlarges the arrays and calls again. UINT64_MAX: out of memory, and likewise. Or MASS_MANAGE_CHANGES. */
uint64_t mass_cpu_manage(const mass_manage_work *w, mass_cpu_manage_scratch *scratch, mass_cpu_team *team,
                         int threads);
void mass_cpu_manage_free(mass_cpu_manage_scratch *scratch);

/* What a manage leaves of requests: none, but for those of worlds with a closed gate, which follow their agents from
 * first[world], of [worlds + 1], to where w->start says now. */
void mass_cpu_reset_requests(const mass_manage_work *w, const uint32_t *first, mass_cpu_team *team);

/* Draws `count` rows of pixels from row `first` on into a frame's index (shrink.h), with mass_cpu_shrink_memory bytes
 * of memory. range[0] becomes the least value if that is less, and range[1] the greatest. Any thread. */
size_t mass_cpu_shrink_memory(const mass_shrink_work *w);
void mass_cpu_shrink(const mass_shrink_work *w, int64_t first, int64_t count, void *memory, uint8_t *index,
                     double range[2]);

/* Drops requests (manage.h). */
void mass_cpu_drop(const mass_drop_work *w, mass_cpu_team *team);

#endif
