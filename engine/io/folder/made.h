/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that determines a run, as text: a line each for its plugin, seed, parameters, sizes, worlds and input
 * files. Fields, series.h5 and FILE.run of a text series contain this text, so that a message can say how another run
 * differs. */
#ifndef MASS_ENGINE_IO_FOLDER_MADE_H
#define MASS_ENGINE_IO_FOLDER_MADE_H

#include <stdbool.h>
#include <stddef.h>

#define MASS_MADE_NAME "made" /* name of the HDF5 attribute */

enum {
    MASS_MADE_BYTES = 60000, /* most bytes of a text, with its final zero: HDF5 attributes have at most 64 KiB */
    MASS_WHY_ANOTHER = 600
};

/* A line is "KIND NAME VALUE\n". Plugin, seed, worlds and first_world have the name "-". The value of an input is a
 * hash, a blank, and the file's name. */
#define MASS_MADE_PLUGIN "plugin"
#define MASS_MADE_SEED "seed"
#define MASS_MADE_PARAMETER "parameter"
#define MASS_MADE_SIZE "size"
#define MASS_MADE_WORLDS "worlds"
#define MASS_MADE_FIRST_WORLD "first_world"
#define MASS_MADE_INPUT "input"
#define MASS_MADE_CUT "cut" /* last line of a text that was cut because it is too long */

typedef enum mass_made_result { MASS_MADE_SAME, MASS_MADE_DIFFERS, MASS_MADE_UNKNOWN } mass_made_result;

/* Compares the text `then`, of `size` bytes, which may be hostile, with this run's text `now`. If they differ, `why`
 * becomes the first difference: "with edges=torus, and this has edges=bounded"; else it stays. Returns
 * MASS_MADE_UNKNOWN if `then` names no plugin. Pure. */
mass_made_result mass_made_tell_apart(const char *then, size_t size, const char *now, char why[MASS_WHY_ANOTHER]);

#endif
