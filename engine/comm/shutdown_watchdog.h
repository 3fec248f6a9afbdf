/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a rank and its launcher without the launcher's help. A launcher that has lost a host waits for as long as TCP
 * tries to reach it, a quarter of an hour. Its daemon on the lost host waits as long. */
#ifndef MASS_ENGINE_COMM_SHUTDOWN_WATCHDOG_H
#define MASS_ENGINE_COMM_SHUTDOWN_WATCHDOG_H

/* Leaves a process behind, which waits some seconds until this process and its parent have ended, and then kills them.
 * Does nothing if the parent is not a launcher of Open MPI or one of its daemons. A rank that ends all ranks calls
 * this just before it ends. Any thread. */
void mass_comm_leave_behind(void);

#endif
