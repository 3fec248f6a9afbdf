/* SPDX-License-Identifier: Apache-2.0 */
/* The tallies of a domain: the device's accumulators, their history, and their values over all ranks. These functions
 * concern the whole run, all its worlds and places, wherever they are. Rank 0 calls them, and the other ranks do out of
 * mass_serve (ranks/call.h), with NULL for data, snapshots and lists. A failure of one rank is a failure of all.
 * Exceptions say so. Main thread. */
#ifndef MASS_ENGINE_STATE_TALLY_H
#define MASS_ENGINE_STATE_TALLY_H

#include "state/domain.h"

/* The accumulators of a tally in all worlds, [worlds][words]; and the address of the first, for kernels. */
mass_buffer mass_domain_tally(const mass_domain *d, uint32_t tally);
int64_t *mass_domain_tally_at(const mass_domain *d, uint32_t tally);
/* The same over all ranks, [worlds of the run][words], as last reduced. */
mass_buffer mass_domain_total(const mass_domain *d, uint32_t tally);
/* So many int64_t a world take the totals of a run of several ranks, with the parts of one of them (fixed_sums.h). */
uint64_t mass_total_words(const mass_model *m);

/* This rank's share of tallies to the neutral element: those that restart each step, or all. Reductions restart when
 * they are computed. Of this rank alone. Queued. */
mass_status mass_domain_reset_tallies(mass_domain *d, bool cumulative_too, mass_error *error);
/* Some that follow each other, whatever they are; those that lie side by side and begin alike at once. */
mass_status mass_domain_reset_some(mass_domain *d, uint32_t first, uint32_t count, mass_error *error);
/* The same of `rows` rows of the history, behind which `later` follow. */
mass_status mass_domain_reset_rows(mass_domain *d, uint32_t first, uint32_t count, int32_t later, int32_t rows,
                                   mass_error *error);
/* From a row to the next one, in int64_t. */
int64_t mass_domain_tally_row(const mass_domain *d);
/* This rank's last `rows` rows of the history. Waits for the device. */
mass_status mass_domain_read_history(mass_domain *d, int32_t rows, int64_t *out, mass_error *error);

/* [tallies][worlds][words] accumulators as mass_tally_value takes them. Keys are not among them. */
mass_status mass_domain_read_tallies(mass_domain *d, int64_t *accumulators, mass_error *error);
mass_status mass_domain_write_tallies(mass_domain *d, const int64_t *accumulators, mass_error *error);
/* `count` words of one of them in one world, from word `first` on. */
mass_status mass_domain_read_tally(mass_domain *d, uint32_t tally, int32_t world, uint32_t first, uint32_t count,
                                   int64_t *out, mass_error *error);

/* Exact sums that go on from step to step carry, so that as much fits again (the SDK's exact.h). Of this rank alone.
 * Waits. And how many steps fit between; 0: there are no such sums. */
mass_status mass_domain_carry_sums(mass_domain *d, mass_error *error);
uint64_t mass_domain_steps_to_carry(const mass_domain *d);
/* In a step, on all ranks: has mass_domain_total show some tallies over all ranks, as they are now. With one rank, it
 * always does. */
mass_status mass_domain_reduce_tallies(mass_domain *d, const uint32_t *tallies, uint32_t count, mass_error *error);

#endif
