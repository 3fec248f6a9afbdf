/* SPDX-License-Identifier: Apache-2.0 */
/* An end that does not depend on the launcher. One that has lost a host waits for it, for as long as TCP tries to reach
 * it, which is a quarter of an hour; so does its daemon on the host that was cut off. */
#ifndef MASS_ENGINE_COMM_FAREWELL_H
#define MASS_ENGINE_COMM_FAREWELL_H

/* Leaves a process behind that waits some seconds for this process and its parent to end, and then ends them itself:
 * the parent if it is a launcher of Open MPI or a daemon of one. Called by a rank that ends all, which is about to end
 * itself. Any thread. */
void mass_comm_leave_behind(void);

#endif
