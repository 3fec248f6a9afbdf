/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces _exit for all shared objects that the program loads: the loader finds the program's function before the C
 * library's. A call ends a run as a failure, unless the program is about to end anyway. The C library itself and direct
 * system calls do not use these functions. */
#include "process/crash.h"

#include <stdlib.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void _exit(int status) { mass_crash_exit(status); }
EXPORTED void _Exit(int status) { mass_crash_exit(status); }
