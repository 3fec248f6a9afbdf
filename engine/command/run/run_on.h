/* SPDX-License-Identifier: Apache-2.0 */
/* A run that has ended goes on because its viewer asks for it. Main thread. */
#ifndef MASS_ENGINE_COMMAND_RUN_ON_H
#define MASS_ENGINE_COMMAND_RUN_ON_H

#include "command/run/session.h"

/* Returns why this run cannot go on, as a constant text; NULL: it can. */
const char *mass_run_on_hindrance(const mass_session *s);

/* Returns whether a viewer asked for it. If so, the session has the new end and command, and no --watch any more. */
bool mass_run_on(mass_session *s);

#endif
