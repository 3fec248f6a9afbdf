/* SPDX-License-Identifier: Apache-2.0 */
/* What callbacks ask for and nobody carries out, said once a run. Main thread. */
#ifndef MASS_ENGINE_RUN_IGNORED_H
#define MASS_ENGINE_RUN_IGNORED_H

#include "state/domain.h"

/* Who is told, a sentence a thing. */
typedef struct mass_ignored_listener {
    void (*say)(void *context, const char *text);
    void *context;
} mass_ignored_listener;

/* Tells what was asked for so far, each thing in a sentence of its own, and but for the first time in no later call.
 * Waits for the device. Of several ranks, the first one's listener is told of all; others have none. */
mass_status mass_ignored_report(mass_domain *d, const mass_ignored_listener *listener, mass_error *error);

#endif
