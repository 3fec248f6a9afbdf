/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that this process can still allocate, in bytes. */
#ifndef MASS_ENGINE_AVAILABLE_MEMORY_H
#define MASS_ENGINE_AVAILABLE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>

/* Returns in *bytes the least of: memory that the machine has available; what the control groups of this process and
 * above leave; and what is left of the address space (RLIMIT_AS). A group's limit is memory.max, or
 * memory.limit_in_bytes in version 1; cached files do not count as used. `root` is the prefix of /proc and of the
 * groups' mount points; "" means this machine. MASS_FAILED: the machine does not tell its free memory. Any thread. */
mass_status mass_available_memory(const char *root, size_t *bytes, mass_error *error);

/* Returns in *bytes the memory of this machine that is available for arrays and snapshots. If the run's memory is
 * limited (process/limits.h), it is less by the memory kept for other uses. Any thread. */
mass_status mass_available_memory_left(size_t *bytes, mass_error *error);

/* Returns true if `bytes` bytes are available and some are left for other uses; also if that is unknown. Any thread. */
bool mass_available_memory_has(size_t bytes);

#endif
