/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of fused steps, which need thicker ghosts. Main thread. */
#ifndef MASS_ENGINE_FUSE_MEMORY_H
#define MASS_ENGINE_FUSE_MEMORY_H

#include "split/share.h"

/* Returns the bytes of a rank's share on its device, with ghosts for `steps` fused steps. If the model
 * cannot fuse steps, as for one. */
double mass_fuse_memory_bytes(const mass_model *m, const mass_share *share, int32_t steps);

/* Returns the most fused steps whose ghosts are worth their memory, starting with `most` and halving it. Ghosts may
 * add half to the share's memory, or a small fixed amount. */
int32_t mass_fuse_memory_worth(const mass_model *m, const mass_share *share, int32_t most);

/* Sets *out to mass_fuse_memory_worth, halved until it is 1 or a run with such ghosts fits into the device's memory
 * next to the other ranks of this host. On failure *out is unchanged. */
mass_status mass_fuse_memory_most(const mass_model *m, mass_device *device, const mass_share *share, int32_t most,
                                int32_t *out, mass_error *error);

/* Checks --fuse. MASS_NO_DEVICE if so many fused steps do not fit although single steps do. The check of single
 * steps is in snapshot/memory_check.h. */
mass_status mass_fuse_memory_check(const mass_model *m, mass_device *device, const mass_share *share, int32_t steps,
                                 mass_error *error);

#endif
