/* SPDX-License-Identifier: Apache-2.0 */
/* What all crafts need: a file that HDF5 changes, and a data set put in the place of another. What HDF5 refuses ends
 * the program. */
#ifndef MASS_TEST_CRAFTING_FILE_H
#define MASS_TEST_CRAFTING_FILE_H

#include "crafting.h"

#include <hdf5.h>
#include <stdint.h>

enum { CRAFT_RANK_MOST = 32 };

/* Gives back what an HDF5 call gave, if that is no failure. */
int64_t craft_must(int64_t result, const char *what);
#define MUST(CALL) craft_must((int64_t)(CALL), #CALL)

/* The scene's file, to change it. */
hid_t craft_open(const craft_scene *s);
void craft_close(hid_t file);
void craft_copy_attributes(hid_t from, hid_t to);

/* What the scene's set is, and what may take its place. */
typedef struct craft_shape {
    hid_t type, list;
    int rank;
    hsize_t extent[CRAFT_RANK_MOST], most[CRAFT_RANK_MOST];
} craft_shape;

/* Of a set that is there; craft_replace_with gives back what it holds. */
craft_shape craft_shape_of(hid_t file, const char *set);
/* Chunks of so many elements along every axis; 0: one for all. */
void craft_use_chunks(const craft_shape *s, hsize_t of);
/* Of the shape's extents, which can grow where those of the old set could. */
hid_t craft_space_of(const craft_shape *s);
/* Puts a new data set in the place of the old one, with its attributes, and closes shape and space. The caller closes
 * the set. */
hid_t craft_replace_with(hid_t file, const char *set, const craft_shape *s, hid_t space);
/* The same with a space of the shape's extents, and closes the set. */
void craft_replace(hid_t file, const char *set, const craft_shape *s);

/* How many there are where there should be many: of what lies in an object's header, or anywhere. */
int craft_many(const craft_scene *s, bool in_header);

#endif
