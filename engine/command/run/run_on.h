/* SPDX-License-Identifier: Apache-2.0 */
/* A run that has come to its end goes on, because who looks at it asks for that. Main thread. */
#ifndef MASS_ENGINE_COMMAND_RUN_ON_H
#define MASS_ENGINE_COMMAND_RUN_ON_H

#include "command/run/session.h"

/* Why this run cannot; NULL: it can. A constant. */
const char *mass_run_on_hindrance(const mass_session *s);

/* Whether it was asked for; then all of the session knows the new end. */
bool mass_run_on(mass_session *s);

#endif
