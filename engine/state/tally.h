/* SPDX-License-Identifier: Apache-2.0 */
/* The tallies of a domain: the device's accumulators, their history, and their values over all ranks. These functions
 * concern the whole run: all worlds and places, on any rank. Rank 0 calls them. The other ranks call them in mass_serve
 * (ranks/rpc.h), with NULL for data, snapshots and lists. If one rank fails, all fail. Exceptions are marked. Main
 * thread. */
#ifndef MASS_ENGINE_STATE_TALLY_H
#define MASS_ENGINE_STATE_TALLY_H

#include "state/domain.h"

/* Return this rank's accumulators of a tally, [worlds][words], in the last row of the history; and the address of the
 * first, for kernels. */
mass_buffer mass_domain_tally(const mass_domain *d, uint32_t tally);
int64_t *mass_domain_tally_at(const mass_domain *d, uint32_t tally);
/* Returns the accumulators of a tally over all ranks, [worlds of the run][words], as last reduced. */
mass_buffer mass_domain_total(const mass_domain *d, uint32_t tally);
/* Returns the int64_t a world that the totals of a run of several ranks need, with room to split one fixed-point sum
 * (fixed_sums.h). */
uint64_t mass_total_words(const mass_model *m);

/* Resets this rank's tallies to the neutral element: those that restart each step or, if cumulative_too, all.
 * Reductions restart when they are computed. Only this rank. Queued. */
mass_status mass_domain_reset_tallies(mass_domain *d, bool cumulative_too, mass_error *error);
/* Resets `count` consecutive tallies of any kind, of this rank, in the last row of the history. Those that are
 * contiguous and have the same neutral element are reset at once. Queued. */
mass_status mass_domain_reset_some(mass_domain *d, uint32_t first, uint32_t count, mass_error *error);
/* Resets `count` consecutive tallies of this rank in `rows` rows of the history, after which there are `later` rows.
 * Tallies that count by key have no rows: all their counts are cleared. */
mass_status mass_domain_reset_rows(mass_domain *d, uint32_t first, uint32_t count, int32_t later, int32_t rows,
                                   mass_error *error);
/* Returns the number of int64_t from one row to the next. */
int64_t mass_domain_tally_row(const mass_domain *d);
/* Copies this rank's last `rows` rows of the history, [rows][mass_domain_tally_row], with sums normalised. Waits for
 * the device. */
mass_status mass_domain_read_history(mass_domain *d, int32_t rows, int64_t *out, mass_error *error);

/* Read or write the accumulators [tallies][worlds][words], as mass_tally_value takes them. They do not include keys. */
mass_status mass_domain_read_tallies(mass_domain *d, int64_t *accumulators, mass_error *error);
mass_status mass_domain_write_tallies(mass_domain *d, const int64_t *accumulators, mass_error *error);
/* Reads `count` words of a tally in one world, from word `first` on. Worlds count from the run's first one. Rank 0
 * gets them. Exact sums are not normalised. */
mass_status mass_domain_read_tally(mass_domain *d, uint32_t tally, int32_t world, uint32_t first, uint32_t count,
                                   int64_t *out, mass_error *error);

/* Propagates carries in exact sums that continue from step to step, so that they can take as many contributions again
 * (the SDK's exact.h). Only this rank. Waits. mass_domain_steps_to_carry returns the steps that may pass between two
 * calls; 0: there are no such sums. */
mass_status mass_domain_carry_sums(mass_domain *d, mass_error *error);
uint64_t mass_domain_steps_to_carry(const mass_domain *d);
/* Reduces some tallies over all ranks into mass_domain_total. All ranks call it, in a step. With one rank, the totals
 * are always current. */
mass_status mass_domain_reduce_tallies(mass_domain *d, const uint32_t *tallies, uint32_t count, mass_error *error);

/* Writes the value of a tally in this rank's worlds, as bodies read it. If ranks split the space, it is that of the
 * total, which must be reduced. before: the tally was not counted yet, and its value is .initial. Queued. */
mass_status mass_domain_settle(mass_domain *d, uint32_t tally, bool before, mass_error *error);
/* Returns the address, for kernels, of the settled value of a tally in the first world. */
uint64_t *mass_domain_settled_at(const mass_domain *d, uint32_t tally);

#endif
