/* SPDX-License-Identifier: Apache-2.0 */
/* Trying in a copy of this process what may crash or never end. */
#ifndef MASS_ENGINE_PROCESS_REHEARSE_H
#define MASS_ENGINE_PROCESS_REHEARSE_H

#include <stdbool.h>

/* Whether a copy of this process comes to the end of call(context) within some seconds of processor time. The copy
 * has one thread, no standard streams and no crash report, and what it changes is lost. False also where no copy can be
 * had. Main thread. */
bool mass_rehearse(void (*call)(void *context), void *context, unsigned seconds);

#endif
