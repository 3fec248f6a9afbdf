/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that ask for an end, as users, terminals and batch systems send them, end a run after a last checkpoint, and
 * SIGUSR1 asks for one; a second signal to end, other than with the first, leaves at once, by that signal. Where the
 * first has not ended the run within a second, what it waits for is said; a step that is overdue (crash.h) ends the
 * program by that signal, as a second one does. What was ignored when the program started, as
 * by nohup, stays so. Main thread. */
#ifndef MASS_ENGINE_PROCESS_SIGNALS_H
#define MASS_ENGINE_PROCESS_SIGNALS_H

#include "base/error.h"

#include <stdbool.h>

/* Installs the handlers, of SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGXCPU and SIGPWR for an end, and ignores SIGXFSZ and
 * SIGPIPE: a write that fails says so itself. A limit of processor time that kills without SIGXCPU gets one, a
 * twentieth of it before, and at least a second. */
void mass_signals_install(void);

/* Another process carries the run: what signals ask for is kept here from now on, until it is taken for that one. */
void mass_signals_keep(void);

/* The signal that asked for an end since the last call, or 0; and whether a checkpoint was asked for. */
int mass_signals_take_kept_end(void);
bool mass_signals_take_kept_checkpoint(void);

/* The same signal, which stays. Any thread. */
int mass_signals_kept_end(void);

/* What others kept, as if it had been sent to this process. It may yet come here itself, as launchers tell one process
 * after the other: that is still one request. */
void mass_signals_hear(int end, bool checkpoint);

/* The signal that asked the run to end, or 0. Any thread. */
int mass_signals_end(void);

/* Whether that was so long ago that what takes its time is to be broken off: half a second. */
bool mass_signals_end_is_due(void);

/* Whether a checkpoint was asked for since the last call. */
bool mass_signals_take_checkpoint(void);

/* Whether either was asked for. */
bool mass_signals_pending(void);

/* Before there is a state to keep: once a signal asked the run to end, records that and returns
 * MASS_INTERRUPTED, else MASS_OK. */
mass_status mass_signals_check(mass_error *error);

#endif
