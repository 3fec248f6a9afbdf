/* SPDX-License-Identifier: Apache-2.0 */
/* What a run is made of, as text: a line for its plugin, its seed, each parameter, each size, its worlds, and each file
 * that it was started with. Fields, series.h5 and FILE.run of a text series have it, so that the files of another run
 * tell in what that differs. */
#ifndef MASS_ENGINE_IO_FOLDER_MADE_H
#define MASS_ENGINE_IO_FOLDER_MADE_H

#include <stdbool.h>
#include <stddef.h>

#define MASS_MADE_NAME "made" /* of the HDF5 attribute */

enum {
    MASS_MADE_BYTES = 60000, /* the most that a text has, with its zero byte: HDF5 attributes end at 64 KiB */
    MASS_WHY_ANOTHER = 600
};

/* A line is "KIND NAME VALUE\n". Plugin, seed, worlds and first_world have the name "-". Of an input, the value is a
 * hash, a blank, and the file. */
#define MASS_MADE_PLUGIN "plugin"
#define MASS_MADE_SEED "seed"
#define MASS_MADE_PARAMETER "parameter"
#define MASS_MADE_SIZE "size"
#define MASS_MADE_WORLDS "worlds"
#define MASS_MADE_FIRST_WORLD "first_world"
#define MASS_MADE_INPUT "input"
#define MASS_MADE_CUT "cut" /* the last line of a text that would be longer: others are missing */

typedef enum mass_made_result { MASS_MADE_SAME, MASS_MADE_DIFFERS, MASS_MADE_UNKNOWN } mass_made_result;

/* Compares a text that anybody may have written with that of this run. Of one that differs, `why` becomes the first
 * difference: "with edges=torus, and this has edges=bounded". It is UNKNOWN if `then` has no such line. Pure. */
mass_made_result mass_made_tell_apart(const char *then, size_t size, const char *now, char why[MASS_WHY_ANOTHER]);

#endif
