/* SPDX-License-Identifier: Apache-2.0 */
/* Limits that whoever starts the program sets (ulimit), below which libraries die without a word: they are checked
 * first. */
#ifndef MASS_ENGINE_PROCESS_LIMITS_H
#define MASS_ENGINE_PROCESS_LIMITS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { MASS_THREADS_MAX = 1024 }; /* CPU threads of a run, at most */

/* Refuses, as MASS_FAILED, limits that no run fits into, and says what it takes. Where memory is limited, threads and
 * the heap take less of it from here on. Main thread, before there are others. */
mass_status mass_limits_check(mass_error *error);

/* The same of a process that is to start so many ranks on this host, and of these. */
mass_status mass_limits_check_ranks(int32_t ranks, mass_error *error);

/* Bytes that the program may still map; SIZE_MAX: that is not limited. Any thread. */
size_t mass_limits_left(void);

/* Of these, what HDF5 and the stacks of threads take, and die without: others leave it to them. */
enum { MASS_LIMITS_KEPT = 8 << 20 };

#endif
