/* SPDX-License-Identifier: Apache-2.0 */
/* A limit to how long ranks look for each other. The library of MPI has none: where a launcher has started something
 * else as one of the ranks, the others would wait for ever. */
#ifndef MASS_ENGINE_COMM_MEETING_H
#define MASS_ENGINE_COMM_MEETING_H

#include <stdint.h>

/* Seconds to find each other in, where ranks wait `timeout` seconds for each other later; 0: any. */
double mass_comm_time_to_meet(double timeout);

/* Before the library is started: unless mass_comm_meeting_ends is called in time, this rank says that the others were
 * not found, and ends. Rank 0 does so first. Main thread. */
void mass_comm_meeting_begins(int32_t rank, double timeout);
void mass_comm_meeting_ends(void);

#endif
