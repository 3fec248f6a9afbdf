/* SPDX-License-Identifier: Apache-2.0 */
/* A run in a browser starts again with other parameters and another seed. The process becomes the new run: it executes
 * its own command line with other --set and --seed. It keeps the listening socket, and a file in memory with the
 * address and the token, and no other file. So nothing of the old run in memory, in libraries or on a device reaches
 * the new one.
 *
 * Before that, a subprocess prepares the new command line (--probe-run): the same options, sizes, worlds and files,
 * without output and device. If it refuses, the old run goes on as it is. Main thread. */
#ifndef MASS_ENGINE_COMMAND_RESTART_H
#define MASS_ENGINE_COMMAND_RESTART_H

#include "command/run/session.h"

typedef struct mass_restart {
    mass_session *session; /* borrowed */
    char **words;          /* the new command line, ended by NULL; owned. NULL: no new run was requested */
} mass_restart;

/* Returns why this run cannot be restarted, as a constant text; NULL: it can. */
const char *mass_restart_hindrance(const mass_session *s);

/* Implements restart of mass_view_plan: prepares the requested run in a subprocess and remembers it, in place of an
 * earlier one. On failure it remembers none. The context is a mass_restart. */
mass_status mass_restart_ask(void *context, const mass_view_wish *wish, mass_error *error);

/* Becomes the new run, which mass_restart_ask remembers, after everything of this one has been released. handed: the
 * result of mass_view_hand_over. Returns only on failure. */
mass_status mass_restart_become(mass_restart *r, int handed, mass_error *error);

/* Frees the words. */
void mass_restart_free(mass_restart *r);

#endif
