/* SPDX-License-Identifier: Apache-2.0 */
/* What is said when the program ends against its will, or not soon by its own. When a plugin crashes: one line with the
 * plugin, the callback and the step, then death by the same signal. When something calls exit, quick_exit, _exit or
 * pthread_exit: one line that says who it was, and a failure: of the plugin, if it was running, else of a library. In a
 * probe, each place goes to the parent as it is reached. */
#ifndef MASS_ENGINE_PROCESS_CRASH_H
#define MASS_ENGINE_PROCESS_CRASH_H

#include <stdbool.h>
#include <stdint.h>

#define MASS_NO_STEP UINT64_MAX /* before there are steps */

/* Installs the handlers. Main thread, once. `probe`: this process is a probe, and tells
 * its parent by mass_subprocess_where. */
void mass_crash_install(bool probe);

/* The calling thread runs no plugin code: if it crashes, that is the engine's. */
void mass_crash_engine_thread(void);

/* Around plugin code in a thread of a team: when it overflows the stack or ends the thread, that is said too. Cheap
 * after the first time. Outside of teams the main thread is ready once the handlers are installed. */
void mass_crash_plugin_thread(void);
void mass_crash_plugin_thread_done(void);

/* What the engine itself is doing, after "while ", for a library that ends the program; a string that stays valid. Main
 * thread. */
void mass_crash_doing(const char *what);

/* Which of several processes this one is, after "mass-engine: " in the line of its end: "rank 1 on node7: "; a string
 * that stays valid. Main thread. */
void mass_crash_as(const char *who);

/* This process is one of several that end together. Before an end is put down to a plugin or a library, `end_if_gone`
 * (or NULL) is called, which ends the process if another of them has ended; and before it is said why this one ends,
 * with which status, `claim`, which says whether it is the first: the others say nothing. Both from any thread and from
 * signal handlers. Main thread. */
void mass_crash_among(void (*end_if_gone)(void), bool (*claim)(int status));

/* A step of the plugin begins, or a function of its that has to end as steps have; the one before it has ended. NULL:
 * none goes on any more. The string stays valid while it is set. Main thread; cheap enough for every step. */
void mass_crash_step(const char *plugin, uint64_t step);

/* Says that the run, which is to end, waits for the function or callback of the plugin that runs, or for the step that
 * goes on, and how long it will. False: there is none. Any thread, also in a signal handler. */
bool mass_crash_say_waiting(void);

/* Whether a step goes on. Any thread, also in a signal handler. */
bool mass_crash_steps(void);

/* Whether it has taken so long of the seconds that somebody waits for it that it is taken for one
 * without an end: 10 seconds, and ten times what the longest step took before it; and says so. Any thread, also in a
 * signal handler. */
bool mass_crash_is_overdue(double waited);
void mass_crash_say_overdue(void);

/* What a thread cleans up that runs the program, and not a team, if pthread_exit ends it. */
void mass_crash_main_ends(void *unused);

/* From here on the program ends by its own will, with this status, whatever else calls _exit. Main thread. */
void mass_crash_leave(int status);

/* What _exit of the program does: ends it, and where nobody has announced that, as a failure that is said. In a copy
 * that fork made, what _exit has always done. Any thread. */
_Noreturn void mass_crash_exit(int status);

/* This process is a copy that the engine itself made with fork, in which plugin code may come back. */
void mass_crash_in_copy(void);

/* A seed that the user does not know, to be said in the line of a crash. */
void mass_crash_seed(uint64_t seed);

/* What runs from here on: a function or callback of a plugin, or what = NULL for the engine itself.
 * The strings stay valid while they are set, and do not lie on the stack. Main thread; cheap enough for every
 * launch. */
void mass_crash_where(const char *plugin, const char *what, uint64_t step);

#endif
