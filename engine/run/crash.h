/* What is said when a plugin crashes: one line with the plugin, the callback and the step, then death
 * by the same signal. In a probe the line goes to the parent instead. */
#ifndef MASS_ENGINE_CRASH_H
#define MASS_ENGINE_CRASH_H

#include <stdbool.h>
#include <stdint.h>

/* Installs the handlers. Main thread, once. `child`: this process reports by mass_child_report. */
void mass_crash_install(bool child);

/* What runs from here on: a function or callback of a plugin, or what = NULL for the engine itself.
 * The strings stay valid while they are set. Main thread; cheap enough for every launch. */
void mass_crash_where(const char *plugin, const char *what, uint64_t step);

#endif
