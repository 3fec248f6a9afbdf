/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a checkpoint in parts (parts.h), for the owner of a domain. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_PARTS_WRITE_H
#define MASS_ENGINE_IO_CHECKPOINT_PARTS_WRITE_H

#include "io/checkpoint/checkpoint.h"
#include "snapshot/chunks.h"
#include "snapshot/snapshot.h"

/* Writes this rank's part, as a mass_domain.write_part; if order->remove, only removes it. table:
 * [attribute_count][MASS_PART_WORDS], gets the offset and the hash of each attribute's values. On failure no file is
 * left. */
mass_status mass_parts_write_own(mass_domain *d, const mass_part_order *order, uint64_t *table, mass_error *error);

/* Writes a checkpoint in parts of the domain's state; s has the numbers. Behaves as mass_checkpoint_write; refuses more
 * than MASS_PARTS_MAX ranks. If s has a source, the chunks have begun before. Main thread of rank 0, while the other
 * ranks serve. */
mass_status mass_parts_write(const mass_checkpoint_settings *settings, mass_domain *d, const mass_snapshot *s,
                             char path[PATH_MAX], mass_error *error);

#endif
