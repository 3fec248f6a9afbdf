/* SPDX-License-Identifier: Apache-2.0 */
/* Handles signals from users, terminals and batch systems. A signal that asks for an end lets the run write a last
 * checkpoint and end. SIGUSR1 asks for a checkpoint.
 *
 * A second signal ends the program at once, by that signal, unless it arrives together with the first, or is SIGXCPU,
 * which repeats. If the run has not ended one second after the first signal, the engine reports what it waits for. An
 * overdue step (crash.h) ends the program by the first signal. Signals that were ignored when the program started, as
 * by nohup, stay ignored. Main thread. */
#ifndef MASS_ENGINE_PROCESS_SIGNALS_H
#define MASS_ENGINE_PROCESS_SIGNALS_H

#include "base/error.h"

#include <stdbool.h>

/* Installs the handlers: SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGXCPU and SIGPWR ask for an end. Ignores SIGXFSZ and
 * SIGPIPE, since a failed write reports itself. If the limit of processor time would kill without SIGXCPU, SIGXCPU
 * arrives a twentieth of the limit earlier, and at least a second. */
void mass_signals_install(void);

/* Keeps requests in this process from now on, for another process that manages the run and fetches them; also those
 * that have arrived, which mass_signals_end no longer returns. */
void mass_signals_keep(void);

/* Returns and clears the kept signal that asked for an end, or 0; and returns and clears a kept checkpoint request. */
int mass_signals_take_kept_end(void);
bool mass_signals_take_kept_checkpoint(void);

/* Returns the kept signal that asked for an end, or 0, and leaves it kept. Any thread. */
int mass_signals_kept_end(void);

/* Handles requests that other processes kept as if this process had received them. end: the signal that asked for an
 * end, or 0. A launcher signals one process after another: if the same signal then arrives here too, both count as one
 * request. A checkpoint is not requested again if a signal has asked here in the last half second. */
void mass_signals_hear(int end, bool checkpoint);

/* Returns the signal that asked the run to end, or 0. Any thread. */
int mass_signals_end(void);

/* Returns true if a signal asked for the end more than half a second ago: the caller then breaks off long work. */
bool mass_signals_end_is_due(void);

/* Returns true, once, if a checkpoint was requested since the last call. */
bool mass_signals_take_checkpoint(void);

/* Returns true if an end or a checkpoint is requested. */
bool mass_signals_pending(void);

/* Returns MASS_INTERRUPTED, with an error that nothing was written, if a signal asked for the end; else MASS_OK. For
 * the time before the run has a state to save. */
mass_status mass_signals_check(mass_error *error);

#endif
