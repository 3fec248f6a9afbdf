/* SPDX-License-Identifier: Apache-2.0 */
/* What callbacks ask for and nobody carries out, said once a run. Main thread. */
#ifndef MASS_ENGINE_RUN_IGNORED_H
#define MASS_ENGINE_RUN_IGNORED_H

#include "domain/domain.h"

/* Says what was asked for so far, each thing in a line of its own, and but for the first time in no later call. Waits
 * for the device. */
mass_status mass_ignored_report(mass_domain *d, mass_error *error);

#endif
