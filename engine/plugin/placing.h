/* SPDX-License-Identifier: Apache-2.0 */
/* The agents that a plugin's load has added through mass.placing/0. Main thread. */
#ifndef MASS_ENGINE_PLACING_H
#define MASS_ENGINE_PLACING_H

#include "plugin/host.h"

/* Makes the agents those with which their populations start, except of those for which the user gives a table. Call it
 * after load. MASS_BAD_PLUGIN if ids are not unique, or if a place cannot hold its agents. */
mass_status mass_placed_start(mass_engine_host *h, mass_error *error);

/* Frees what is left of them. */
void mass_placed_free(mass_engine_host *h);

#endif
