/* SPDX-License-Identifier: Apache-2.0 */
/* Ancestors of this process, and the state of a launcher's children, as Linux lists them in /proc. Any thread. */
#ifndef MASS_ENGINE_COMM_ANCESTOR_H
#define MASS_ENGINE_COMM_ANCESTOR_H

#include <stdbool.h>
#include <sys/types.h>

enum { MASS_COMM_GENERATIONS = 32 }; /* most ancestors to look at: a few processes are between a launcher and its
                                        ranks */

pid_t mass_comm_parent_of(pid_t process); /* returns 0 if it is unknown */

/* Returns whether a process is, by its name, a launcher of Open MPI or one of its daemons. Processes of batch systems
 * that start ranks are not. */
bool mass_comm_is_launcher(pid_t process);

/* Returns whether a process has children, all of them have ended, and it has not waited for any of those. */
bool mass_comm_has_lost_children(pid_t process);

/* Returns the nearest ancestor of this process that is a launcher of Open MPI, or 0. */
pid_t mass_comm_own_launcher(void);

#endif
