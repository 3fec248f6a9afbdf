/* SPDX-License-Identifier: Apache-2.0 */
/* The process that started the ranks of this host and waits for them (launch.h), which each rank finds by what it has
 * in its environment, and believes only where it can be so. Main thread. */
#ifndef MASS_ENGINE_COMM_STARTER_H
#define MASS_ENGINE_COMM_STARTER_H

#include "base/error.h"

#include <stdint.h>

/* In a rank, before the others: MASS_BAD_USAGE where the environment names another process than one of this user's
 * from which this one descends, or another file than one in that process's memory. */
mass_status mass_comm_starter_find(mass_error *error);

/* Its process, or 0: there is none, as under a launcher that somebody else started. */
int32_t mass_comm_starter(void);

/* Results go to it from here on, where there is one. */
void mass_comm_starter_takes_results(void);

/* Tells it MASS_COMM_READY or MASS_COMM_SAID, if it is there. */
void mass_comm_starter_tell(int news);

#endif
