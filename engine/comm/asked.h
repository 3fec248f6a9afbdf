/* SPDX-License-Identifier: Apache-2.0 */
/* What signals ask any rank for comes to rank 0, which carries the run: launchers and users send them to whom they
 * like. */
#ifndef MASS_ENGINE_COMM_ASKED_H
#define MASS_ENGINE_COMM_ASKED_H

#include "comm/comm.h"

/* On all ranks, each of which waits for the others: rank 0 hears what the others have been asked for since the last
 * call (process/signals.h). Main thread. */
mass_status mass_comm_hear_asked(mass_comm *comm, mass_error *error);

#endif
