/* SPDX-License-Identifier: Apache-2.0 */
/* Data-parallel algorithms on the CPU. All block until done. They use the threads of a team, fewer if there is little
 * work. Call them on the team's own thread. With NULL for a team, any thread may call them, and does all the work. */
#ifndef MASS_KERNELS_CPU_H
#define MASS_KERNELS_CPU_H

#include "anybody.h"
#include "bits.h"
#include "blocks.h"
#include "combination.h"
#include "cpu/team.h"
#include "manage.h"
#include "reposition.h"
#include "shrink.h"
#include "sprouts.h"
#include "strided.h"
#include "turn.h"

/* Advises the system that new memory is used as a whole. Large memory gets huge pages if the system has them: fewer
 * address look-ups, and longer prefetch. */
void mass_cpu_advise_pages(void *memory, size_t bytes);

/* Writes `count` copies of an element of `size` bytes to `to`. */
void mass_cpu_fill(void *to, const void *element, size_t size, size_t count, mass_cpu_team *team);

/* Copies the runs of a box (strided.h). Source and target do not overlap. */
void mass_cpu_copy(const mass_strided *copy, mass_cpu_team *team);

/* Copies runs of bits (bits.h), or sets them to a value if there is no source. The bits around a run stay. */
void mass_cpu_copy_bits(const mass_bit_runs *runs, mass_cpu_team *team);

/* Convert `count` places of a row that begins at bit 0 of a byte, like mass_bits_unpack and mass_bits_pack. Any
 * thread. */
void mass_cpu_unpack_row(uint8_t *to, const uint8_t *bits, int64_t count);
void mass_cpu_pack_row(uint8_t *bits, const uint8_t *from, int64_t count);
/* Convert `bytes` bytes of bits to eight times as many bytes of 0 or 1, and back (bits.h). */
void mass_cpu_unpack(uint8_t *to, const uint8_t *bits, int64_t bytes, mass_cpu_team *team);
void mass_cpu_pack(uint8_t *bits, const uint8_t *from, int64_t bytes, mass_cpu_team *team);

/* Combines each integer of the target with that of the source. */
void mass_cpu_combine(const mass_strided *box, const mass_combination *how, mass_cpu_team *team);
/* Gather sets to[i] = from[index[i]]. Scatter sets to[index[i]] = from[i], or combines both if `how` is not NULL. Any
 * thread. */
void mass_cpu_gather(const mass_indexed *g);
void mass_cpu_scatter(const mass_indexed *s, const mass_combination *how);

/* Sets hashes[i] to the hash of block first + i (blocks.h), or to its count of values outside the range. */
void mass_cpu_hash_blocks(const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes, mass_cpu_team *team);

/* Memory of mass_cpu_manage, kept between calls and grown as needed. Initialize it with zeros. */
typedef struct mass_cpu_manage_scratch {
    void *memory;
    size_t size;
    uint64_t clean; /* list heads at its beginning that are zero */
    uint64_t part;  /* least work worth a thread, in cells; 0: the default */
} mass_cpu_manage_scratch;

/* Applies a manage (manage.h) in at most `threads` parts. Returns the number of agents afterwards. If that is above
 * w->room, the manage is not applied: the caller enlarges the arrays and calls again. Returns UINT64_MAX if out of
 * memory, or if agents and births that are asked for do not fit into 32 bits. In both cases nothing has changed, except
 * that unsorted agents may now be sorted. Returns MASS_MANAGE_CHANGES, and changes nothing, if w->order leaves ANY and
 * an agent dies or asks for a birth. */
uint64_t mass_cpu_manage(const mass_manage_work *w, mass_cpu_manage_scratch *scratch, mass_cpu_team *team,
                         int threads);
/* Frees the memory. The scratch can be used again, and keeps `part`. */
void mass_cpu_manage_free(mass_cpu_manage_scratch *scratch);

/* Resets requests after a manage. Requests of worlds with a closed gate are kept, and follow their agents from
 * first[world] ([worlds + 1]) to w->start. */
void mass_cpu_reset_requests(const mass_manage_work *w, const uint32_t *first, mass_cpu_team *team);

/* Draws `count` rows of pixels, from row `first` on, into a frame's index (shrink.h). Needs mass_cpu_shrink_memory
 * bytes of memory. Unless w->ranged, lowers range[0] to the least value, and raises range[1] to the greatest; else they
 * may change or not. Any thread. */
size_t mass_cpu_shrink_memory(const mass_shrink_work *w);
void mass_cpu_shrink(const mass_shrink_work *w, int64_t first, int64_t count, void *memory, uint8_t *index,
                     double range[2]);

/* Add the agents that places bring forth (sprouts.h). The first function computes w->before, the number of agents that
 * are born, and whether a place of an open world has a request. The second one adds them, and updates count, start,
 * occupancy, next_id and born. The third one clears the requests of open worlds, and counts those that got no seat. If
 * there are any, or if w->before is NULL and a sprout is asked for, it sets *w->ignored. */
void mass_cpu_sprout_count(const mass_sprout_work *w, mass_cpu_team *team, uint64_t *born, bool *any);
void mass_cpu_sprout_grow(const mass_sprout_work *w, mass_cpu_team *team);
void mass_cpu_sprout_clear(const mass_sprout_work *w, mass_cpu_team *team);

/* Phases in turn (turn.h). The first function makes the lists of a population from its cells, which ascend, when the
 * phase begins; all lists are empty before. The second one brings a population back to canonical order. Both use at
 * most `threads` threads. */
void mass_cpu_turn_list(const mass_turn_population *t, const uint32_t *cell, mass_cpu_team *team, int threads);
void mass_cpu_turn_restore(const mass_turn_restore_work *w, mass_cpu_team *team, int threads);
/* Find the order in which agents act, of all open worlds or of one if it is open; it needs memory of so many bytes.
 * Only the order of all worlds sets w->turn->order. Return where in this memory it is. Copy places to the copy of the
 * space, or back. On the calling thread. */
size_t mass_cpu_turn_order_bytes(uint32_t count);
void mass_cpu_turn_order(const mass_turn_order_work *w);
void mass_cpu_turn_order_world(const mass_turn_order_work *w, int32_t world);
uint32_t *mass_cpu_turn_order_in(const mass_turn_order_work *w);
void mass_cpu_turn_copy_places(const mass_turn_places_work *w, bool back);

/* Gives agents that move their new positions (reposition.h). */
void mass_cpu_reposition(const mass_reposition_work *w, mass_cpu_team *team);
/* Discards requests (manage.h). */
void mass_cpu_discard_requests(const mass_discard_work *w, mass_cpu_team *team);

/* Fill the index of agents by their ids, and the bitmap of full places (anybody.h). */
void mass_cpu_index(const mass_index_work *w);
void mass_cpu_find_full(const mass_full_work *w);

#endif
