/* SPDX-License-Identifier: Apache-2.0 */
/* Data-parallel algorithms on a GPU. All are queued on the stream and return what the launch
 * returned; pointers are device addresses unless said otherwise. Those that take a `stop` do nothing while
 * it is set; NULL: there is none. */
#ifndef MASS_KERNELS_CUDA_H
#define MASS_KERNELS_CUDA_H

#include "bits.h"
#include "blocks.h"
#include "combination.h"
#include "fixed_sums.h"
#include "gate.h"
#include "manage.h"
#include "shrink.h"
#include "strided.h"
#include "until.h"

#include <mass/impl/keys.h>

#include <cuda_runtime.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a launch may begin while the one before it ends, on a GPU that can do so: its kernel, or for NULL one of
 * these, is made to wait for that itself. */
bool mass_cuda_may_overlap(const void *kernel);

/* Writes `count` copies of an element (host memory, `size` bytes) to `to`. overlaps: it may begin while the launch
 * before it ends. */
cudaError_t mass_cuda_fill(cudaStream_t stream, void *to, const void *element, size_t size, size_t count,
                           const mass_stop *stop, bool overlaps);

cudaError_t mass_cuda_copy(cudaStream_t stream, const mass_strided *copy);

cudaError_t mass_cuda_copy_bits(cudaStream_t stream, const mass_bit_runs *runs);

/* Tables of keys (keys.h), whose texts may be in either array. Puts all keys of one into another that is empty, on the
 * device, with their counts; *to says if it overflows. */
cudaError_t mass_cuda_keys_rehash(cudaStream_t stream, const mass_key_table *from, mass_key_table *to, bool texts);
/* Copies the texts in the input of this table, on the device, to those kept, which have room for them. */
cudaError_t mass_cuda_keys_keep(cudaStream_t stream, mass_key_table *table, uint64_t capacity, uint8_t *kept);

/* Combines each integer of the target with that of the source. */
cudaError_t mass_cuda_combine(cudaStream_t stream, const mass_strided *box, const mass_combination *how,
                              const mass_stop *stop);
/* to[i] = from[index[i]]; and to[index[i]] = from[i], or combined with it if `how` is not NULL. */
cudaError_t mass_cuda_gather(cudaStream_t stream, const mass_indexed *g, const mass_stop *stop);
cudaError_t mass_cuda_scatter(cudaStream_t stream, const mass_indexed *s, const mass_combination *how,
                              const mass_stop *stop);

/* hashes[i] = the hash of block first + i (blocks.h). */
cudaError_t mass_cuda_hash_blocks(cudaStream_t stream, const mass_blocks *b, int64_t first, int64_t count,
                                  uint64_t *hashes);

/* Draws a frame (shrink.h) by the mean or the largest. range: doubles in the order of unsigned integers, of which the
 * first falls, and the second rises, unless w->ranged. parts: w->parts, which are
 * the host's, on the device. */
cudaError_t mass_cuda_shrink(cudaStream_t stream, const mass_shrink_work *w, const mass_shrink_part *parts,
                             uint8_t *index, unsigned long long range[2]);

/* *counter += amount. */
cudaError_t mass_cuda_advance(cudaStream_t stream, uint64_t *counter, uint64_t amount, const mass_stop *stop);

/* Bytes of scratch that a manage takes with arrays of `room` agents, whatever w->room is. */
size_t mass_cuda_manage_scratch(const mass_manage_work *w, uint32_t room);

/* Elements that arrays of agents have at most, and half of what those of children have: 2^30 and 2^31 are too many. */
enum { MASS_CUDA_ROOM_MOST = (1 << 30) - 1 };

/* With so many places or more that hold one agent each, those that are sought are counted before they are claimed:
 * claims of all places would not stay in the caches. With an eighth of them that hold more, agents of places are
 * counted in bytes first. Tests set it. */
extern uint64_t mass_cuda_places_to_count;

/* Carries out a manage (manage.h). `scratch` is aligned to 256 bytes, start to 16, the arrays of agents to their
 * elements or 16; its contents do not outlive the call. room is MASS_CUDA_ROOM_MOST at most, children * room twice
 * that. If there would be more agents than w->room, *stop says so, the gates w->closed close, and nothing else changes.
 * Never waits for the device, and can be captured into a graph. */
cudaError_t mass_cuda_manage(cudaStream_t stream, const mass_manage_work *w, void *scratch, mass_stop *stop);

/* Drops requests (manage.h). */
cudaError_t mass_cuda_drop(cudaStream_t stream, const mass_drop_work *w, const mass_stop *stop);

/* Sets *stop and closes the gates if there are more agents than the limit. */
cudaError_t mass_cuda_guard(cudaStream_t stream, const mass_guard_work *w, mass_stop *stop);

/* gate.h: the gates of a phase, and the agents of every world. */
cudaError_t mass_cuda_gate(cudaStream_t stream, const mass_gate_work *w);
cudaError_t mass_cuda_census(cudaStream_t stream, const uint32_t *start, int64_t places, int32_t worlds,
                             int64_t *tally, const mass_stop *stop);

/* fixed_sums.h: before sums in fixed point are added up over ranks, and afterwards. */
cudaError_t mass_cuda_fixed(cudaStream_t stream, const mass_fixed_work *w);

/* counts[worlds][count]: the agents on each of the first `low` and the last `count - low` places of every world, by the
 * seats of a population that has them. */
cudaError_t mass_cuda_count_bands(cudaStream_t stream, const uint32_t *start, const mass_seats *seats, int64_t places,
                                  int32_t worlds, int64_t low, int64_t count, uint32_t *counts);

/* until.h. Where the condition holds, *stop says so, and the gates w->closed close. */
cudaError_t mass_cuda_look(cudaStream_t stream, const mass_until_work *w, mass_stop *stop);

#ifdef __cplusplus
}
#endif
#endif
