/* What is said when a plugin crashes: one line with the plugin, the callback and the step, then death
 * by the same signal. One that calls exit ends the run as a bad plugin. In a probe, each place goes to
 * the parent as it is reached. */
#ifndef MASS_ENGINE_CRASH_H
#define MASS_ENGINE_CRASH_H

#include <stdbool.h>
#include <stdint.h>

#define MASS_NO_STEP UINT64_MAX /* before there are steps */

/* Installs the handlers. Main thread, once. `child`: this process is a probe, and tells
 * its parent by mass_child_where. */
void mass_crash_install(bool child);

/* The calling thread runs no plugin code: if it crashes, that is the engine's. */
void mass_crash_engine_thread(void);

/* The calling thread runs plugin code, and when that overflows its stack it is said too. Cheap after the
 * first time. The main thread is ready once the handlers are installed. */
void mass_crash_plugin_thread(void);

/* A seed that the user does not know, to be said in the line of a crash. */
void mass_crash_seed(uint64_t seed);

/* What runs from here on: a function or callback of a plugin, or what = NULL for the engine itself.
 * The strings stay valid while they are set. Main thread; cheap enough for every launch. */
void mass_crash_where(const char *plugin, const char *what, uint64_t step);

#endif
