/* SPDX-License-Identifier: Apache-2.0 */
/* Saves a domain's state to a snapshot and restores it. These functions treat the whole run: all worlds and places of
 * all ranks. Rank 0 calls them. Other ranks run them from mass_serve (ranks/rpc.h), with NULL for data, snapshots and
 * lists. A failure on one rank fails on all ranks. Main thread. */
#ifndef MASS_ENGINE_SNAPSHOT_SAVE_H
#define MASS_ENGINE_SNAPSHOT_SAVE_H

#include "snapshot/snapshot.h"
#include "state/domain.h"

/* Save and restore the whole state. mass_domain_save allocates *s; on failure *s is empty. The caller frees it with
 * mass_snapshot_free. The step is not saved: the caller sets s->step. Only the stop condition is not restored
 * (mass_until_restore). The snapshot to restore is of this model, with the same worlds. */
mass_status mass_domain_save(mass_domain *d, mass_snapshot *s, mass_error *error);
mass_status mass_domain_restore(mass_domain *d, const mass_snapshot *s, mass_error *error);
/* Restores only tallies and keys. */
mass_status mass_domain_restore_numbers(mass_domain *d, const mass_snapshot *s, mass_error *error);
/* Saves the state, but not the step, and leaves attributes on their ranks. s->source reads them in chunks (chunks.h)
 * until mass_chunks_end. kept: steps may run meanwhile; else the caller reads before the next step. On failure *s is
 * empty. */
mass_status mass_domain_save_chunks(mass_domain *d, bool kept, mass_snapshot *s, mass_error *error);
/* Saves what reports need, in little memory: neither attributes, the stop condition nor the step. On failure *s is
 * empty. */
mass_status mass_domain_save_numbers(mass_domain *d, mass_snapshot *s, mass_error *error);

#endif
