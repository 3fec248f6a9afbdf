/* SPDX-License-Identifier: Apache-2.0 */
/* Waits between ranks that have no limit, as nobody knows how long another rank's disk takes. One that has lasted a
 * minute is said, and a signal that asks for an end ends it: at once where the other rank is stopped, or after some
 * seconds where it was said before the signal came, or where it has lasted longer than ranks wait otherwise. A signal
 * that came before the wait ends it, too. It may be for the last checkpoint then, which takes its time: so nothing is
 * ended while other ranks of this host bring bytes to their disks. */
#ifndef MASS_ENGINE_COMM_PATIENCE_H
#define MASS_ENGINE_COMM_PATIENCE_H

#include "comm/comm.h"

/* timeout: seconds that ranks wait otherwise; 0: for ever. */
void mass_comm_patience_begin(double timeout);

/* All ranks have heard of a signal that asks for an end. Main thread. */
void mass_comm_patience_expect_end(void);

/* A mass_comm_opening.waits. Main thread. */
void mass_comm_waits(mass_comm *comm, const char *what, double seconds);

#endif
