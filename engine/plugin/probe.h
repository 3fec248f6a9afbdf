/* SPDX-License-Identifier: Apache-2.0 */
/* Trying a plugin in a subprocess before it is loaded here. A plugin that crashes, hangs or exits there is refused in
 * one line. This is robustness, not a sandbox: a plugin is trusted native code. The trial runs one step on one CPU
 * thread, with extents cut to 8.
 *
 * If that took at most 20 ms, the same subprocess tries the plugin again on the paranoid device, for up to 8 steps or
 * 20 ms. The first promise that a callback breaks is reported in a line before the run, which goes on; with --strict it
 * is refused. A trial of 8 places an axis is not the run: --device paranoid checks the run itself. */
#ifndef MASS_ENGINE_PROBE_H
#define MASS_ENGINE_PROBE_H

#include "plugin/host.h"
#include "process/subprocess.h"

/* Extents a probe runs with, at most, agents on a place, and its time. */
/* MASS_PROBE_PLACES: of a space in which numbers fade as in a run, for --explain. */
enum { MASS_PROBE_EXTENT = 8, MASS_PROBE_PLACES = 16384, MASS_PROBE_CROWD = 16, MASS_PROBE_BINS = 256,
       MASS_PROBE_SECONDS = 5 };
enum { MASS_PROBE_TEXT = 1000 };

/* What a plugin that passes was found to do; "" where there is nothing. */
typedef struct mass_probe_findings {
    char broken[MASS_PROBE_TEXT]; /* the first promise that a callback does not keep */
    char slow[MASS_PROBE_TEXT];   /* what makes it slow (run/subnormals.h) */
} mass_probe_findings;

/* Runs this program with --probe-plugin PATH and the opening's settings, and reads its report. A
 * refusal by the plugin itself is no failure here: it is said where it is opened in earnest.
 * Where `found` is not NULL, callbacks that pass this are tried once more, for a second at most, on a device that
 * checks their promises; and for --explain in a larger space, too, for what makes them slow. */
mass_status mass_probe_plugin(const char *path, const mass_opening *opening, mass_probe_findings *found,
                              mass_error *error);

/* Opens the plugin in a subprocess, and no more, for a space that so many ranks cannot cut, each into so many
 * partitions. Neither are refusals of the plugin's own any here,
 * nor that it comes to no end, as it may be slow at its size, or crash. */
mass_status mass_probe_cut(const char *path, const mass_opening *opening, int32_t ranks, int32_t partitions,
                           mass_error *error);

/* What became of a subprocess that tried the plugin and had so many seconds: MASS_OK if it reported, whatever that was.
 */
mass_status mass_probe_judge(const mass_subprocess_result *r, const char *path, int seconds, mass_error *error);

#endif
