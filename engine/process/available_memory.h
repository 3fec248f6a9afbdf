/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory this process can still take. */
#ifndef MASS_ENGINE_AVAILABLE_MEMORY_H
#define MASS_ENGINE_AVAILABLE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>

/* The least of what the machine has available, of what the control groups of this process and those above
 * them leave (memory.max, or memory.limit_in_bytes of version 1; cached files are not counted as used), and of
 * what is left of its address space (RLIMIT_AS). `root` stands before /proc and /sys; "" is the machine
 * itself. Any thread. */
mass_status mass_available_memory(const char *root, size_t *bytes, mass_error *error);

/* The same of this machine, for arrays and snapshots: less what the run's own limit on its memory (process/limits.h)
 * keeps for other things, where it has one. Any thread. */
mass_status mass_available_memory_left(size_t *bytes, mass_error *error);

/* Whether so many bytes are, and some for everything else; true where that is unknown. Any thread. */
bool mass_available_memory_has(size_t bytes);

#endif
