/* SPDX-License-Identifier: Apache-2.0 */
/* Files of pictures: writes a raster as a PNG file, and gives writers of other formats a file, too. A file appears
 * under its name complete or not at all. Every function may be called by any thread, with objects of its own. */
#ifndef MASS_ENGINE_IO_PICTURE_IMAGE_H
#define MASS_ENGINE_IO_PICTURE_IMAGE_H

#include "io/folder/temporary.h"
#include "io/picture/raster.h"

#include <stdbool.h>
#include <stdio.h>

enum { MASS_IMAGE_LIMIT = 2048 /* pixels a side of an image */ };

/* ---- PNG ---- */

/* Before a run: MASS_OK if an image can be written to path, else MASS_BAD_USAGE with what is
 * expected: a name ending in .png, not a folder, in a writable folder that exists, and under it
 * nothing or, if not `force`, a picture of this program. Writes nothing. */
mass_status mass_image_check(const char *path, bool force, mass_error *error);

/* Writes an 8-bit palette PNG, replacing a picture of this program or, with `force`, any file.
 * Fails with MASS_BAD_USAGE if the folder does not exist, else MASS_FAILED; a former file at path
 * then stays, and nothing else is left. */
mass_status mass_image_write_png(const char *path, const mass_raster *raster,
                                 const mass_palette *palette, bool force, mass_error *error);

/* Whether a file is a PNG or a GIF that says it is of this program: "Software" in a PNG, the comment
 * of a GIF. */
bool mass_image_is_ours(const char *path);

/* What says so in a PNG: a whole chunk, to stand after its first one, which ends at byte
 * MASS_PNG_FIRST; and in a GIF. */
enum { MASS_PNG_MARK_BYTES = 32, MASS_PNG_FIRST = 33 };
extern const unsigned char mass_png_mark[MASS_PNG_MARK_BYTES];
/* What a PNG says of its places, as a text: their `grow`. */
#define MASS_PNG_PLACES "Pixels per place"
#define MASS_IMAGE_SOFTWARE "mass-engine"

/* ---- for writers of other formats ---- */

/* The check above for a kind of picture ("movie") and its extension (".gif"). */
mass_status mass_image_check_path(const char *path, const char *kind, const char *extension, bool force,
                                  mass_error *error);

/* A file under a temporary name in the folder of path, as mass_temporary has it. A killed process
 * leaves that, and never half a picture, until the same picture is written again. */
typedef struct mass_image_file {
    FILE *stream;
    char *path;
    mass_temporary temporary;
    bool force; /* replaces any file */
    int cause; /* errno of the first failure, 0 while there is none */
} mass_image_file;

/* Creates the temporary file. On failure there is nothing to close. The caller ends it with commit
 * or abandon. */
mass_status mass_image_file_open(mass_image_file *file, const char *path, bool force, mass_error *error);

/* Appends bytes; false, and the cause kept, once a write has failed. */
bool mass_image_file_write(mass_image_file *file, const void *bytes, size_t size);

/* Records why the file cannot be written. An unknown cause is taken for a lack of memory, the only
 * one that the encoders have besides writing. */
mass_status mass_image_file_failed(const mass_image_file *file, mass_error *error);

/* Brings everything to disk and gives the file its name, if what has it may be replaced. On any
 * failure, also an earlier one, the temporary file is removed instead. Frees what `file` holds. */
mass_status mass_image_file_commit(mass_image_file *file, mass_error *error);

/* Removes the temporary file and frees what `file` holds. */
void mass_image_file_abandon(mass_image_file *file);

/* For mass_publish: *force, or the file is ours. */
bool mass_image_may_replace(const void *force, const char *path);

#endif
