/* SPDX-License-Identifier: Apache-2.0 */
/* Gives up all rights of a process except those needed to read files that are already open. A hostile file that
 * exploits a library then harms only that process. */
#ifndef MASS_ENGINE_PROCESS_CONFINE_H
#define MASS_ENGINE_PROCESS_CONFINE_H

#include <stdbool.h>

typedef struct mass_confinement {
    bool seccomp; /* system calls are restricted to a list */
    int landlock; /* version of Landlock that denies files, ports and other processes; 0: not available */
} mass_confinement;

/* Confines this thread, and threads that it starts, for good. They can no longer open or change files, write to
 * descriptors above that of a subprocess's report, make sockets or processes, execute programs or signal others. Builds
 * with a sanitizer may still open files for reading. Restrictions that the kernel or a container does not support are
 * left out, except the one on opening files. Open descriptors stay open. Returns what is in force. */
mass_confinement mass_confine(void);

/* Returns what mass_confine would achieve here. It tries this in a child process. All zeros if there can be none. */
mass_confinement mass_confinement_available(void);

#endif
