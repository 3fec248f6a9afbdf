/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all crafts: a file that HDF5 changes, and a data set that replaces another. An error of HDF5 ends the
 * program. */
#ifndef MASS_TEST_CRAFTING_FILE_H
#define MASS_TEST_CRAFTING_FILE_H

#include "crafting.h"

#include <hdf5.h>
#include <stdint.h>

enum { CRAFT_RANK_MOST = 32 };

/* Returns the result of an HDF5 call, if it is no failure. */
int64_t craft_must(int64_t result, const char *what);
#define MUST(CALL) craft_must((int64_t)(CALL), #CALL)

/* Opens the scene's file for changes. */
hid_t craft_open(const craft_scene *s);
void craft_close(hid_t file);
void craft_copy_attributes(hid_t from, hid_t to);

/* The shape of the scene's set, and of a set that may replace it. */
typedef struct craft_shape {
    hid_t type, list;
    int rank;
    hsize_t extent[CRAFT_RANK_MOST], most[CRAFT_RANK_MOST];
} craft_shape;

/* Returns the shape of an existing set. craft_replace_with closes its handles. */
craft_shape craft_shape_of(hid_t file, const char *set);
/* Sets chunks of `of` elements along every axis; 0: one chunk. */
void craft_use_chunks(const craft_shape *s, hsize_t of);
/* Returns a data space of the shape's extents, which can grow if those of the old set could. */
hid_t craft_space_of(const craft_shape *s);
/* Replaces the old data set with a new one, with its attributes, and closes shape and space. The caller closes the
 * set. */
hid_t craft_replace_with(hid_t file, const char *set, const craft_shape *s, hid_t space);
/* The same with a data space of the shape's extents; it closes the set. */
void craft_replace(hid_t file, const char *set, const craft_shape *s);

/* Returns a large number of things to make, in an object's header or elsewhere. */
int craft_many(const craft_scene *s, bool in_header);

#endif
