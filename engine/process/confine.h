/* SPDX-License-Identifier: Apache-2.0 */
/* Giving up, for the rest of a process, all that reading a file that is open already does not take: what is wrong with
 * a library that reads a hostile file stays in that process. */
#ifndef MASS_ENGINE_PROCESS_CONFINE_H
#define MASS_ENGINE_PROCESS_CONFINE_H

#include <stdbool.h>

typedef struct mass_confinement {
    bool seccomp; /* system calls are limited to a list */
    int landlock; /* version of Landlock, by which no file, port or other process can be reached; 0: none */
} mass_confinement;

/* From now on this thread, and those that it starts, open no file (but for reading, in builds with a sanitizer), change
 * none, write to no descriptor beyond that of a subprocess's report, make no socket and no process, become no other
 * program and signal nobody else. What the kernel or a container does not allow is left out; no file can be opened in
 * any case. Descriptors that are open stay so. */
mass_confinement mass_confine(void);

/* What mass_confine would do here, found out in a process of its own. */
mass_confinement mass_confinement_available(void);

#endif
