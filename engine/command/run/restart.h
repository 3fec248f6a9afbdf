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
    char **words;          /* of the new command line, ended by NULL; NULL: nobody asked for it. Owned */
} mass_restart;

/* Why this run cannot be started anew; NULL: it can. */
const char *mass_restart_hindrance(const mass_session *s);

/* For mass_view_plan: prepares the run that is asked for in a process of its own, and remembers it. The context is a
 * mass_restart. */
mass_status mass_restart_ask(void *context, const mass_view_wish *wish, mass_error *error);

/* Becomes the new run, once everything of this one is released. handed: what mass_view_hand_over gave. Returns only if
 * that failed. */
mass_status mass_restart_become(mass_restart *r, int handed, mass_error *error);

void mass_restart_free(mass_restart *r);

#endif
