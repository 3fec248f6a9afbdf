/* SPDX-License-Identifier: Apache-2.0 */
/* A file that --load names, and the attribute that gets its numbers. */
#ifndef MASS_ENGINE_IO_INPUT_LOAD_SOURCE_H
#define MASS_ENGINE_IO_INPUT_LOAD_SOURCE_H

#include "model/model.h"

typedef struct mass_load {
    char name[2 * MASS_NAME_SIZE + 16]; /* "grid.health", "grid.temperature[1]" */
    const char *file;                   /* borrowed: the file's name, with a data set's path */
    char hash[33];                      /* of its bytes, as from xxh128sum; with a threshold, of that hash and it */
    uint32_t attribute;
    int32_t component; /* -1: all */
    bool by_world;     /* the file has values for each world */
    bool transparent;  /* the file is a picture with pixels that are not opaque */
    size_t length;     /* of `file` without a threshold */
    double threshold;  /* of a picture, as in FILE.png@0.5; 0: none */
    void *values;      /* [worlds or 1][nz][ny][nx][components] of the attribute's type; owned */
} mass_load;

typedef struct mass_load_request {
    const mass_model *model;
    int32_t worlds, first_world;
    const char *sized; /* the --load whose file gives the size of the first space, for messages; NULL: there is none */
} mass_load_request;

#endif
