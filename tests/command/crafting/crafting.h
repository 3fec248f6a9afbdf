/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5 files that somebody made to lead a reader astray: a whole file, changed by HDF5 itself, so that every checksum
 * of the library is right. */
#ifndef MASS_TEST_CRAFTING_H
#define MASS_TEST_CRAFTING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct craft_scene {
    const char *path;   /* of the file that is changed */
    const char *group;  /* of it, which what is read lies in, as in "/places/grid" */
    const char *set;    /* a data set in the group, which is read */
    const char *victim; /* path of another whole file, which nobody may follow a link into */
    bool small;         /* what would be many is few, for corpora */
} craft_scene;

typedef struct craft {
    const char *name;
    void (*make)(const craft_scene *scene); /* ends the program if HDF5 refuses to */
    enum {
        CRAFT_HARMFUL,
        CRAFT_GROUP,   /* harmful, and changes what the group is, which therefore is not the root */
        CRAFT_HARMLESS /* the file still says something: it may be read, or refused */
    } kind;
} craft;

/* All of them, by subject: crafting/links.c, sets.c, around.c. */
extern const craft craft_links[], craft_sets[], craft_around[];
extern const size_t craft_links_count, craft_sets_count, craft_around_count;

/* Number i of all of them, in that order; NULL behind the last. */
const craft *craft_at(size_t i);

/* Whether the file of a scene can be changed so. */
bool craft_applies(const craft *c, const craft_scene *scene);

/* A copy of a file in which no room is left unused, and data sets have one chunk. */
void craft_repack(const char *from, const char *to);

#endif
