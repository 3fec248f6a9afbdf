/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal before which people have started the launcher of ranks. */
#ifndef MASS_ENGINE_COMM_TERMINAL_H
#define MASS_ENGINE_COMM_TERMINAL_H

/* Where what this rank says goes to its launcher, and the launcher, on this host, has a terminal for it: that is the
 * terminal of this rank, too. Else nothing. Main thread. */
void mass_comm_find_terminal(void);

#endif
