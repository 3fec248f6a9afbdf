/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that several steps in one pass take: their ghosts are thicker. Main thread. */
#ifndef MASS_ENGINE_FUSE_MEMORY_H
#define MASS_ENGINE_FUSE_MEMORY_H

#include "split/share.h"

/* Bytes that what a rank holds by `share` takes on its device, with ghosts for passes of so many steps. */
double mass_fuse_memory_bytes(const mass_model *m, const mass_share *share, int32_t steps);

/* Up to `most`, by halves: the most steps whose ghosts are worth their memory. They are if they add at most half to
 * what the share takes, or little. */
int32_t mass_fuse_memory_worth(const mass_model *m, const mass_share *share, int32_t most);

/* The same, of those that also fit into the memory of the device, beside what the other ranks of this host take. */
mass_status mass_fuse_memory_most(const mass_model *m, mass_device *device, const mass_share *share, int32_t most,
                                int32_t *out, mass_error *error);

/* Of --fuse: MASS_NO_DEVICE where passes of so many steps do not fit, and single steps do. Whether these fit, others
 * look (snapshot/memory_check.h). */
mass_status mass_fuse_memory_check(const mass_model *m, mass_device *device, const mass_share *share, int32_t steps,
                                 mass_error *error);

#endif
