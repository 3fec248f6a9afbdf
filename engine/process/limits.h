/* SPDX-License-Identifier: Apache-2.0 */
/* Checks resource limits (ulimit) of the process before a run. Below them, libraries die without a message. */
#ifndef MASS_ENGINE_PROCESS_LIMITS_H
#define MASS_ENGINE_PROCESS_LIMITS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { MASS_THREADS_MAX = 1024 }; /* most CPU threads of a run */

/* Returns MASS_FAILED, and names the need, if a limit is too small for any run. If memory is limited, makes threads and
 * the heap use less of it from here on. Main thread, before other threads start. */
mass_status mass_limits_check(mass_error *error);

/* Checks the limits of a process that starts so many ranks on this host, and the limits of those ranks. Returns
 * MASS_FAILED, and names the need, if one is too small. */
mass_status mass_limits_check_ranks(int32_t ranks, mass_error *error);

/* Returns the bytes that the program may still map; SIZE_MAX: no limit, or it is unknown. Any thread. */
size_t mass_limits_left(void);

/* Bytes that other users leave free: HDF5 and thread stacks need them, and die without them. */
enum { MASS_LIMITS_KEPT = 8 << 20 };

#endif
