/* SPDX-License-Identifier: Apache-2.0 */
/* The child's side of plugin/probe.h: what this program does when it was started to try a plugin. */
#ifndef MASS_ENGINE_COMMAND_ANSWER_PROBE_H
#define MASS_ENGINE_COMMAND_ANSWER_PROBE_H

#include "plugin/host.h"

/* Opens the plugin with small extents, runs load, the schedule `start` and one step on the CPU. If that was quick,
 * tries the plugin again, as plugin/probe.h says. Reports, all in the subprocess: what makes steps slow, or "", if
 * nothing failed. Returns the exit status. */
int mass_probe_answer(const char *path, const mass_opening *opening);

/* Opens the plugin for mass_probe_cut, and reports whether `ranks` ranks with `partitions` partitions each can divide
 * its spaces. Reports no failure if it cannot be loaded or opened. Returns the exit status. */
int mass_probe_answer_cut(const char *path, const mass_opening *opening, int32_t ranks, int32_t partitions);

#endif
