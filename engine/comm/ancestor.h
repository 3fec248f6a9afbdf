/* SPDX-License-Identifier: Apache-2.0 */
/* The processes that this one descends from, and what became of a launcher's, as Linux lists them. Any thread. */
#ifndef MASS_ENGINE_COMM_ANCESTOR_H
#define MASS_ENGINE_COMM_ANCESTOR_H

#include <stdbool.h>
#include <sys/types.h>

enum { MASS_COMM_GENERATIONS = 32 }; /* launchers have a few processes between themselves and ranks */

pid_t mass_comm_parent_of(pid_t process); /* or 0 */

/* By its name, one of Open MPI's launchers or a daemon of one. What batch systems start ranks by is none. */
bool mass_comm_is_launcher(pid_t process);

/* Whether it has children, all of them have ended, and it has waited for none of those. */
bool mass_comm_has_lost_children(pid_t process);

/* The nearest of this process's ancestors that is, or 0. */
pid_t mass_comm_own_launcher(void);

#endif
