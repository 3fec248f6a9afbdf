/* SPDX-License-Identifier: Apache-2.0 */
/* The other side of plugin/probe.h: what this program does when it was started to try a plugin. */
#ifndef MASS_ENGINE_COMMAND_ANSWER_PROBE_H
#define MASS_ENGINE_COMMAND_ANSWER_PROBE_H

#include "plugin/host.h"

/* In the subprocess: opens the plugin with its extents cut, runs load, the schedule `start` and one step
 * on the CPU, reports, and returns the exit status. */
int mass_probe_answer(const char *path, const mass_opening *opening);

/* For mass_probe_cut: opens the plugin, and reports whether so many ranks can cut its spaces. */
int mass_probe_answer_cut(const char *path, const mass_opening *opening, int32_t ranks, int32_t partitions);

#endif
