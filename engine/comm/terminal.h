/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal on which the user started the launcher of ranks. */
#ifndef MASS_ENGINE_COMM_TERMINAL_H
#define MASS_ENGINE_COMM_TERMINAL_H

/* Finds the launcher's terminal and uses it as this rank's terminal, too. It does nothing unless messages of this rank
 * go to a launcher on this host that has a terminal. Main thread. */
void mass_comm_find_terminal(void);

#endif
