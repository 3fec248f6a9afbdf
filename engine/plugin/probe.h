/* SPDX-License-Identifier: Apache-2.0 */
/* Tries a plugin in a subprocess before it is loaded in this process. A plugin that crashes, hangs or exits there is
 * refused in one line. That is for robustness; it is no sandbox: a plugin is trusted native code. The trial runs one
 * step on one CPU thread, with extents of at most 8.
 *
 * If that took at most 20 ms of the processor, the same subprocess tries the plugin again on the paranoid device, for
 * up to 8 steps or 20 ms. The first promise that a callback breaks is reported in a line before the run, which goes on;
 * with --strict it is refused. A trial of 8 places an axis is not the run: --device paranoid checks the run itself.
 */
#ifndef MASS_ENGINE_PROBE_H
#define MASS_ENGINE_PROBE_H

#include "plugin/host.h"
#include "process/subprocess.h"

/* Limits of a trial: extent, agents of a place, bins, seconds. */
/* MASS_PROBE_PLACES: places of the larger space for --explain, in which numbers decay as in a run. */
enum { MASS_PROBE_EXTENT = 8, MASS_PROBE_PLACES = 16384, MASS_PROBE_COUNT = 16, MASS_PROBE_BINS = 256,
       MASS_PROBE_SECONDS = 5 };
enum { MASS_PROBE_TEXT = 1000 };

/* Findings of a trial in a plugin that passes; "": nothing. */
typedef struct mass_probe_findings {
    char broken[MASS_PROBE_TEXT]; /* the first promise that a callback breaks */
    char slow[MASS_PROBE_TEXT];   /* what makes it slow (run/subnormals.h) */
} mass_probe_findings;

/* Runs this program with --probe-plugin PATH and the opening's settings, and reads its report. If the plugin itself
 * refuses, that is no failure here: it refuses again when it is opened for the run. If `found` is not NULL, a plugin
 * that passes is tried once more, for at most a second, on a device that checks its promises. For --explain it is also
 * tried in a larger space, to find what makes it slow. */
mass_status mass_probe_plugin(const char *path, const mass_opening *opening, mass_probe_findings *found,
                              mass_error *error);

/* Opens the plugin in a subprocess, without running it, and fails if `ranks` ranks with `partitions` partitions each
 * cannot divide a space. The plugin's own refusal is no failure here. Neither is a crash or a hang, as it may be slow
 * at its size. */
mass_status mass_probe_cut(const char *path, const mass_opening *opening, int32_t ranks, int32_t partitions,
                           mass_error *error);

/* Returns MASS_OK if a subprocess that tried the plugin with a limit of `seconds` reported, whatever it reported. Else
 * returns the error for its outcome. */
mass_status mass_probe_judge(const mass_subprocess_result *r, const char *path, int seconds, mass_error *error);

#endif
