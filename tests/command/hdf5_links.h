/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5 files whose objects lead to other files: a link replaces a group or data set. */
#ifndef MASS_TESTS_HDF5_LINKS_H
#define MASS_TESTS_HDF5_LINKS_H

typedef enum link_kind {
    LINK_SOFT,      /* to the object itself, by another name */
    LINK_EXTERNAL,  /* to the object of the same path in another file */
    LINK_OF_USER,   /* of a class that this program does not know */
    LINK_DANGLING,
    LINK_KINDS,
    STORED_OUTSIDE = LINK_KINDS, /* a data set of the same type and extents, whose bytes are in another file */
    STORED_VIRTUALLY,            /* ... or in another file's data set */
    STORED_KINDS
} link_kind;

/* Replaces the object at `path`. `other` is another such file. */
void hdf5_lead_out(const char *file, const char *path, link_kind kind, const char *other);

/* Gives an object a second name, by a hard link. */
void hdf5_link_again(const char *file, const char *path, const char *name);

#endif
