/* SPDX-License-Identifier: Apache-2.0 */
/* A domain's whole state as a snapshot, and back. These functions concern the whole run, all its worlds and places,
 * wherever they are. Rank 0 calls them, and the other ranks do out of mass_serve (ranks/call.h), with NULL for data,
 * snapshots and lists. A failure of one rank is a failure of all. Exceptions say so. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_SAVE_H
#define MASS_ENGINE_SNAPSHOT_SAVE_H

#include "snapshot/snapshot.h"
#include "state/domain.h"

/* The whole state. save allocates *s, which holds nothing on failure; restore takes one of this model and
 * these worlds. */
mass_status mass_domain_save(mass_domain *d, mass_snapshot *s, mass_error *error);
mass_status mass_domain_restore(mass_domain *d, const mass_snapshot *s, mass_error *error);
/* Its part without attributes. */
mass_status mass_domain_restore_numbers(mass_domain *d, const mass_snapshot *s, mass_error *error);
/* The same of the run where its attributes stay with the ranks, and are read by pieces (pieces.h) until
 * mass_pieces_end: s->source. kept: while the run goes on; else before the next step. */
mass_status mass_domain_save_pieces(mass_domain *d, bool kept, mass_snapshot *s, mass_error *error);
/* What reports need of it, in little memory: save without attributes and the stop condition. */
mass_status mass_domain_save_numbers(mass_domain *d, mass_snapshot *s, mass_error *error);

#endif
