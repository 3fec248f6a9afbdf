/* SPDX-License-Identifier: Apache-2.0 */
/* A time limit for ranks to connect to each other. MPI's library has none: if a launcher starts another program as one
 * of the ranks, the others would wait for ever. */
#ifndef MASS_ENGINE_COMM_CONNECT_LIMIT_H
#define MASS_ENGINE_COMM_CONNECT_LIMIT_H

#include <stdint.h>

/* Returns the seconds for connecting, given the `timeout` of later waits; 0: no limit. */
double mass_comm_time_to_connect(double timeout);

/* Starts the limit. Call it before MPI's library is started. Unless mass_comm_connect_ends is called in time, this rank
 * reports that the others were not found, and ends. Rank 0 does so first. Main thread. */
void mass_comm_connect_begins(int32_t rank, double timeout);
/* Ends the limit: the ranks are connected. Does nothing if there is none. */
void mass_comm_connect_ends(void);

#endif
