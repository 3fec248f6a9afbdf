/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5 files that are made to mislead a reader: a whole file, changed by HDF5 itself, so that all checksums of the
 * library are right. */
#ifndef MASS_TEST_CRAFTING_H
#define MASS_TEST_CRAFTING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct craft_scene {
    const char *path;   /* of the file that is changed */
    const char *group;  /* group in it with the data that is read, as in "/places/grid" */
    const char *set;    /* a data set in the group that is read */
    const char *victim; /* path of another whole file, into which no reader may follow a link */
    bool small;         /* numbers that would be large are small, for corpora */
} craft_scene;

typedef struct craft {
    const char *name;
    void (*make)(const craft_scene *scene); /* ends the program if HDF5 refuses to */
    enum {
        CRAFT_HARMFUL,
        CRAFT_GROUP,   /* harmful, and changes the type of the group, which therefore is not the root */
        CRAFT_HARMLESS /* the file still has a meaning: readers may accept or refuse it */
    } kind;
} craft;

/* All of them, by subject: crafting/links.c, sets.c, around.c. */
extern const craft craft_links[], craft_sets[], craft_around[];
extern const size_t craft_links_count, craft_sets_count, craft_around_count;

/* Returns number i of all of them, in that order; NULL after the last. */
const craft *craft_at(size_t i);

/* Returns true if a scene's file can be changed in this way. */
bool craft_applies(const craft *c, const craft_scene *scene);

/* Copies a file without unused space, with one chunk for each data set. */
void craft_repack(const char *from, const char *to);

#endif
