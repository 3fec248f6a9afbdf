/* SPDX-License-Identifier: Apache-2.0 */
/* Data-parallel algorithms on a GPU. Each function queues its work on the stream, and returns the error of the launch.
 * Pointers are device addresses unless a comment says otherwise; the structs that describe work are in host memory.
 * Work that takes a `stop` does nothing while it is set; NULL: no stop. */
#ifndef MASS_KERNELS_CUDA_H
#define MASS_KERNELS_CUDA_H

#include "anybody.h"
#include "bits.h"
#include "blocks.h"
#include "combination.h"
#include "fixed_sums.h"
#include "gate.h"
#include "settle.h"
#include "manage.h"
#include "relink.h"
#include "reposition.h"
#include "shrink.h"
#include "sprouts.h"
#include "strided.h"
#include "stop_condition.h"
#include "turn.h"

#include <mass/impl/keys.h>

#include <cuda_runtime.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether launches of a kernel may begin while the launch before ends. They may if the kernel is compiled to
 * wait by itself. NULL: one of the kernels here. */
bool mass_cuda_may_overlap(const void *kernel);

/* Writes `count` copies of an element (host memory, `size` bytes) to `to`. overlaps: the launch may begin while the one
 * before it ends. If `size` does not divide 16, reads `element` after it returns, ignores the stop, and cannot be
 * recorded. */
cudaError_t mass_cuda_fill(cudaStream_t stream, void *to, const void *element, size_t size, size_t count,
                           const mass_stop *stop, bool overlaps);

/* Copies the runs of a box (strided.h). Source and target do not overlap. */
cudaError_t mass_cuda_copy(cudaStream_t stream, const mass_strided *copy);

/* Copies runs of bits (bits.h), or sets them to a value if there is no source. The bits around a run stay. */
cudaError_t mass_cuda_copy_bits(cudaStream_t stream, const mass_bit_runs *runs);

/* Puts all keys of a table (keys.h) but that of `none`, and their counts, into an empty one. `from` is in host memory,
 * `to` on the device. Texts may be in the input or among those kept. Sets to->overflow if the new table overflows. */
cudaError_t mass_cuda_keys_rehash(cudaStream_t stream, const mass_key_table *from, mass_key_table *to, bool texts);
/* Copies the texts that a table on the device has in its input to `kept`, which must have room for them, from byte
 * table->kept_bytes on. Raises that, and points the slots there. capacity: that of the table. */
cudaError_t mass_cuda_keys_keep(cudaStream_t stream, mass_key_table *table, uint64_t capacity, uint8_t *kept);

/* Combines each integer of the target with that of the source. */
cudaError_t mass_cuda_combine(cudaStream_t stream, const mass_strided *box, const mass_combination *how,
                              const mass_stop *stop);
/* Gather sets to[i] = from[index[i]]. Scatter sets to[index[i]] = from[i], or combines both if `how` is not NULL. */
cudaError_t mass_cuda_gather(cudaStream_t stream, const mass_indexed *g, const mass_stop *stop);
cudaError_t mass_cuda_scatter(cudaStream_t stream, const mass_indexed *s, const mass_combination *how,
                              const mass_stop *stop);

/* Sets hashes[i] to the hash of block first + i (blocks.h), or to its count of values outside the range. */
cudaError_t mass_cuda_hash_blocks(cudaStream_t stream, const mass_blocks *b, int64_t first, int64_t count,
                                  uint64_t *hashes);

/* Draws a frame (shrink.h) by the mean or the largest. range: doubles, mapped to unsigned integers of the same order.
 * Unless w->ranged, lowers range[0] to the least value and raises range[1] to the greatest. parts: a copy of w->parts
 * on the device. */
cudaError_t mass_cuda_shrink(cudaStream_t stream, const mass_shrink_work *w, const mass_shrink_part *parts,
                             uint8_t *index, unsigned long long range[2]);

/* Adds `amount` to *counter. */
cudaError_t mass_cuda_advance(cudaStream_t stream, uint64_t *counter, uint64_t amount, const mass_stop *stop);

/* Returns the bytes of scratch that a manage needs with arrays of `room` agents, whatever w->room is. */
size_t mass_cuda_manage_scratch(const mass_manage_work *w, uint32_t room);

/* Most elements of an array of agents, and half the most of an array of children: 2^30 and 2^31 are too many. */
enum { MASS_CUDA_ROOM_MOST = (1 << 30) - 1 };

/* A number of places. If places hold one agent, a manage with at least so many first counts the sought places: claims
 * for all places would not fit into the caches. If places hold more agents, a manage with at least an eighth of it
 * first counts agents in bytes. Tests set it. */
extern uint64_t mass_cuda_places_to_count;

/* Applies a manage (manage.h). `scratch` is aligned to 256 bytes, start to 16, arrays of agents to their elements or
 * 16. Its contents do not outlive the call. room is at most MASS_CUDA_ROOM_MOST, children * room at most twice that. If
 * there would be more agents than w->room, sets *stop, closes the gates w->closed, and changes nothing else. The same,
 * with a `needed` of UINT64_MAX, if w->order leaves ANY and an agent dies or asks for a birth. Never waits for the
 * device; can be captured into a graph. */
cudaError_t mass_cuda_manage(cudaStream_t stream, const mass_manage_work *w, void *scratch, mass_stop *stop);

/* Add the agents that places bring forth (sprouts.h): see mass_sprout_operations. The first function returns the bytes
 * of scratch memory that the second one needs. The second one waits. */
size_t mass_cuda_sprout_scratch(const mass_sprout_work *w);
cudaError_t mass_cuda_sprout_count(cudaStream_t stream, const mass_sprout_work *w, void *scratch, uint64_t *born,
                                   bool *any);
cudaError_t mass_cuda_sprout_grow(cudaStream_t stream, const mass_sprout_work *w);
cudaError_t mass_cuda_sprout_clear(cudaStream_t stream, const mass_sprout_work *w);

/* Phases in turn: see mass_turn_operations. Works and the population are in host memory. restore needs scratch memory
 * of as many bytes as mass_cuda_turn_scratch returns. */
cudaError_t mass_cuda_turn_list(cudaStream_t stream, const mass_turn_population *t, const uint32_t *cell,
                                int32_t worlds);
size_t mass_cuda_turn_order_bytes(uint32_t count);
cudaError_t mass_cuda_turn_order(cudaStream_t stream, const mass_turn_order_work *w);
size_t mass_cuda_turn_scratch(const mass_turn_restore_work *w);
cudaError_t mass_cuda_turn_restore(cudaStream_t stream, const mass_turn_restore_work *w, void *scratch);
cudaError_t mass_cuda_turn_copy_places(cudaStream_t stream, const mass_turn_places_work *w, bool back);
/* Finds the nodes that edges join, for nodes in turn: see mass_turn_operations. Needs as many bytes of scratch memory
 * as mass_cuda_turn_join_scratch returns. */
size_t mass_cuda_turn_join_scratch(const mass_turn_join_work *w);
cudaError_t mass_cuda_turn_join(cudaStream_t stream, const mass_turn_join_work *w, void *scratch, uint64_t *most);

/* Change the edges of a network (relink.h): see mass_relink_operations. Works are in host memory. Each function needs
 * as many bytes of scratch memory as the one before it returns. All but the last one wait. */
size_t mass_cuda_relink_end_scratch(const mass_relink_end_work *w);
cudaError_t mass_cuda_relink_end(cudaStream_t stream, const mass_relink_end_work *w, void *scratch,
                                 mass_relink_counts *counts);
size_t mass_cuda_relink_judge_scratch(const mass_relink_judge_work *w);
cudaError_t mass_cuda_relink_judge(cudaStream_t stream, const mass_relink_judge_work *w, void *scratch,
                                   uint64_t *refused);
size_t mass_cuda_relink_collect_scratch(const mass_relink_collect_work *w);
cudaError_t mass_cuda_relink_collect(cudaStream_t stream, const mass_relink_collect_work *w, void *scratch,
                                     mass_relink_found *found);
size_t mass_cuda_relink_merge_scratch(const mass_relink_merge_work *w);
cudaError_t mass_cuda_relink_merge(cudaStream_t stream, const mass_relink_merge_work *w, void *scratch);

/* Gives agents that move their new positions (reposition.h). */
cudaError_t mass_cuda_reposition(cudaStream_t stream, const mass_reposition_work *w, const mass_stop *stop);
/* Discards requests (manage.h). */
cudaError_t mass_cuda_discard_requests(cudaStream_t stream, const mass_discard_work *w, const mass_stop *stop);

/* Fill the index of agents by their ids, and the bitmap of full places (anybody.h). find_full needs scratch memory of
 * as many bytes as mass_cuda_full_scratch returns. */
cudaError_t mass_cuda_index(cudaStream_t stream, const mass_index_work *w, const mass_stop *stop);
size_t mass_cuda_full_scratch(const mass_full_work *w);
cudaError_t mass_cuda_find_full(cudaStream_t stream, const mass_full_work *w, void *scratch);

/* Sets *stop and closes the gates if there are more agents than the limit. */
cudaError_t mass_cuda_memory_guard(cudaStream_t stream, const mass_memory_guard_work *w, mass_stop *stop);

/* Set the gates of a phase, and count the agents of every world (gate.h). */
cudaError_t mass_cuda_gate(cudaStream_t stream, const mass_gate_work *w);
cudaError_t mass_cuda_census(cudaStream_t stream, const uint32_t *start, int64_t places, int32_t worlds,
                             int64_t *tally, const mass_stop *stop);

/* Writes the values of a tally that bodies read, one thread a world, unless queued work has stopped (settle.h). */
cudaError_t mass_cuda_settle(cudaStream_t stream, const mass_settle_work *w, const mass_stop *stop);

/* Splits fixed-point sums before ranks add them, or joins them afterwards (fixed_sums.h). */
cudaError_t mass_cuda_fixed(cudaStream_t stream, const mass_fixed_work *w);

/* Sets counts[worlds][count]: the agents on each of the first `low` and the last `count - low` places of every world.
 * Uses the occupancy bitmap of a population that has one. */
cudaError_t mass_cuda_count_bands(cudaStream_t stream, const uint32_t *start, const mass_seats *occupancy,
                                  int64_t places,
                                  int32_t worlds, int64_t low, int64_t count, uint32_t *counts);

/* Evaluates a stop condition (stop_condition.h). If it holds, sets *w->held and, unless `stop` is NULL, sets *stop and
 * closes the gates w->closed. */
cudaError_t mass_cuda_look(cudaStream_t stream, const mass_until_work *w, mass_stop *stop);

#ifdef __cplusplus
}
#endif
#endif
