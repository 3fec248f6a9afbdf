/* SPDX-License-Identifier: Apache-2.0 */
/* Waits between ranks that have no time limit, as another rank's disk may take any time. A wait is reported after a
 * minute.
 *
 * A signal that asks for an end ends the wait, too:
 * - at once if the other rank is stopped;
 * - after some seconds if the wait was reported before the signal came;
 * - after some seconds if the wait has lasted longer than the timeout of other waits.
 *
 * A signal that came before the wait also ends it. The wait may then be for the last checkpoint, which takes time. So
 * no rank is ended while other ranks of this host write to their disks. */
#ifndef MASS_ENGINE_COMM_DISK_WAIT_H
#define MASS_ENGINE_COMM_DISK_WAIT_H

#include "comm/comm.h"

/* Sets the timeout of other waits, in seconds; 0: none. */
void mass_comm_patience_begin(double timeout);

/* Records that all ranks know of a signal that asks for an end. Main thread. */
void mass_comm_patience_expect_end(void);

/* Implements mass_comm_opening.waits. Main thread. */
void mass_comm_waits(mass_comm *comm, const char *what, double seconds);

#endif
