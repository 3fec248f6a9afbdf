/* SIGINT and SIGTERM end a run after a last checkpoint, SIGUSR1 asks for one; a second signal to end,
 * other than with the first, leaves at once, by that signal. Main thread. */
#ifndef MASS_ENGINE_SIGNALS_H
#define MASS_ENGINE_SIGNALS_H

#include "core/error.h"

#include <stdbool.h>

/* Installs the handlers, and ignores SIGXFSZ and SIGPIPE: a write that fails says so itself. */
void mass_signals_install(void);

/* The signal that asked the run to end, or 0. */
int mass_signals_end(void);

/* Whether a checkpoint was asked for since the last call. */
bool mass_signals_take_checkpoint(void);

/* Whether either was asked for. */
bool mass_signals_pending(void);

/* Before there is a state to keep: once a signal asked the run to end, records that and returns
 * MASS_INTERRUPTED, else MASS_OK. */
mass_status mass_signals_check(mass_error *error);

#endif
