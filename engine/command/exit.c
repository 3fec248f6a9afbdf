/* SPDX-License-Identifier: Apache-2.0 */
/* What _exit means in this program, to all that is loaded into it: the loader looks for a function in the program
 * before it does in the C library. It ends a run as a failure, unless the program is at its end anyway. The C library
 * itself, and system calls by hand, do not come here. */
#include "process/crash.h"

#include <stdlib.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void _exit(int status) { mass_crash_exit(status); }
EXPORTED void _Exit(int status) { mass_crash_exit(status); }
