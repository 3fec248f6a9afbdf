/* SPDX-License-Identifier: Apache-2.0 */
/* Reports ends of the program that it did not plan. When a plugin crashes: one line with the plugin, the callback and
 * the step, then death by the same signal. When other code calls exit, quick_exit, _exit or pthread_exit: one line that
 * names the plugin, if it was running, else a library; then a failure. It also reports what a run waits for that was
 * asked to end. In a probe, the parent process gets each place that plugin code reaches. */
#ifndef MASS_ENGINE_PROCESS_CRASH_H
#define MASS_ENGINE_PROCESS_CRASH_H

#include <stdbool.h>
#include <stdint.h>

#define MASS_NO_STEP UINT64_MAX /* no step has begun yet */

/* Installs the handlers. Main thread, once. `probe`: this process is a probe. It reports to its parent by
 * mass_subprocess_where, and signals of a crash get their default action instead. */
void mass_crash_install(bool probe);

/* Declares that the calling thread runs no plugin code: its crash is the engine's. */
void mass_crash_engine_thread(void);

/* Call these around plugin code in a thread of a team, so that a stack overflow or an end of the thread is reported.
 * Cheap after the first time. On the main thread, mass_crash_install does this. In a copy that the code made with fork,
 * mass_crash_plugin_thread_done reports that and ends the copy. */
void mass_crash_plugin_thread(void);
void mass_crash_plugin_thread_done(void);

/* Sets the engine's current work, for the report of a library that ends the program: it follows "while ". The string
 * stays valid. Main thread. */
void mass_crash_doing(const char *what);

/* Sets which of several processes this one is, such as "rank 1 on node7: ". It follows "mass-engine: " in reports. The
 * string stays valid. Main thread. */
void mass_crash_as(const char *who);

/* Declares that this process is one of several that end together. Before an end is blamed on a plugin or a library,
 * `end_if_gone` (or NULL) is called: it ends the process if another one has ended. Before a report, `claim` is called
 * with the exit status: only the process for which it returns true reports. Both run on any thread and in signal
 * handlers. Main thread. */
void mass_crash_among(void (*end_if_gone)(void), bool (*claim)(int status));

/* Records that a step of the plugin begins, or another function that has to end as steps have; the previous one has
 * ended. plugin NULL: no step is running. The time of step 0 is no measure for mass_crash_is_overdue. The string stays
 * valid while it is set. Main thread; cheap enough for every step. */
void mass_crash_step(const char *plugin, uint64_t step);

/* Reports that the ending run waits for a plugin's function or for the current step, and for how long at most. Returns
 * false if neither is running. Any thread, also in a signal handler. */
bool mass_crash_say_waiting(void);

/* Returns true if a step is running. Any thread, also in a signal handler. */
bool mass_crash_steps(void);

/* Returns true if the current step counts as endless: since it began, and for `waited` seconds, it has taken longer
 * than 10 seconds and ten times the longest step before it. mass_crash_say_overdue reports that. Any thread, also in a
 * signal handler. */
bool mass_crash_is_overdue(double waited);
void mass_crash_say_overdue(void);

/* Reports the end of the thread that runs the program, and not a team, by pthread_exit. Does nothing if the end is
 * planned. A cleanup handler of that thread. */
void mass_crash_main_ends(void *unused);

/* Declares that the program now ends on purpose, with this status, whatever else calls _exit. Main thread. */
void mass_crash_leave(int status);

/* Implements _exit for the program. After mass_crash_leave, ends with its status; otherwise reports a failure. In a
 * copy made by fork, does what _exit always does. Any thread. */
_Noreturn void mass_crash_exit(int status);

/* Declares that this process is a copy that the engine made with fork, in which plugin code may return. */
void mass_crash_in_copy(void);

/* Adds the seed to reports, since the user did not choose it and does not know it. */
void mass_crash_seed(uint64_t seed);

/* Records what runs from here on: a function or callback of a plugin; what NULL: the engine itself. The strings stay
 * valid while they are set, and are not on the stack. With what NULL, in a copy that plugin code made with fork, it
 * reports that and ends the copy. Main thread; cheap enough for every launch. */
void mass_crash_where(const char *plugin, const char *what, uint64_t step);

#endif
