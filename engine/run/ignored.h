/* SPDX-License-Identifier: Apache-2.0 */
/* Reports requests of callbacks that the engine ignores, each once a run. Main thread. */
#ifndef MASS_ENGINE_RUN_IGNORED_H
#define MASS_ENGINE_RUN_IGNORED_H

#include "state/domain.h"

/* Receives the reports, one sentence a call. */
typedef struct mass_ignored_listener {
    void (*say)(void *context, const char *text);
    void *context;
} mass_ignored_listener;

/* Reports all ignored requests so far, each in one sentence and only once. Waits for the device. With several ranks,
 * rank 0's listener gets all reports. The others have none. All ranks call it together. */
mass_status mass_ignored_report(mass_domain *d, const mass_ignored_listener *listener, mass_error *error);

#endif
