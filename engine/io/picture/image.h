/* SPDX-License-Identifier: Apache-2.0 */
/* Files of pictures: writes a raster as a PNG file, and gives writers of other formats a file, too. A file appears
 * under its name complete or not at all. Every function may be called by any thread, with objects of its own. */
#ifndef MASS_ENGINE_IO_PICTURE_IMAGE_H
#define MASS_ENGINE_IO_PICTURE_IMAGE_H

#include "io/folder/temporary.h"
#include "io/picture/raster.h"

#include <stdbool.h>
#include <stdio.h>

enum { MASS_IMAGE_LIMIT = 2048 /* most pixels a side of an image */ };

/* ---- PNG ---- */

/* Checks before a run that an image can be written to path; writes nothing. MASS_BAD_USAGE, with the rule that is
 * broken, otherwise. The name has to end in .png. The folder has to exist and be writable. The path has to be free or,
 * without `force`, a picture of this program. */
mass_status mass_image_check(const char *path, bool force, mass_error *error);

/* Writes an 8-bit palette PNG. Replaces a picture of this program or, with `force`, any file. MASS_BAD_USAGE if the
 * folder does not exist, or for a side not of 1 to MASS_RASTER_MAXIMUM; MASS_FAILED for other failures. A former file
 * at path then stays, and no new file remains. */
mass_status mass_image_write_png(const char *path, const mass_raster *raster,
                                 const mass_palette *palette, bool force, mass_error *error);

/* Returns true if a file is a PNG, a GIF or a GraphML file of this program: by "Software" in a PNG, by a GIF's comment,
 * and by MASS_GRAPHML_HEAD. If not, errno is EEXIST, or the reason why the file cannot be read. */
bool mass_image_is_ours(const char *path);

/* The mark of this program in a PNG: a complete chunk, inserted after the first chunk, which ends at byte
 * MASS_PNG_FIRST. MASS_IMAGE_SOFTWARE is the mark in a GIF. */
enum { MASS_PNG_MARK_BYTES = 32, MASS_PNG_FIRST = 33 };
extern const unsigned char mass_png_mark[MASS_PNG_MARK_BYTES];
/* The key of a PNG's text with the raster's `grow`. */
#define MASS_PNG_PLACES "Pixels per place"
#define MASS_IMAGE_SOFTWARE "mass-engine"
/* What a GraphML file of this program begins with. */
#define MASS_GRAPHML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- mass-engine -->\n"

/* ---- for writers of other formats ---- */

/* Checks a path as mass_image_check does, for a kind of picture ("movie") and its extension (".gif"). */
mass_status mass_image_check_path(const char *path, const char *kind, const char *extension, bool force,
                                  mass_error *error);

/* A file under a temporary name in the folder of path (mass_temporary). If the process is killed, the temporary file
 * stays until the same picture is written again, but never half a picture. */
typedef struct mass_image_file {
    FILE *stream;
    char *path;
    mass_temporary temporary;
    bool force; /* replaces any file */
    int cause; /* errno of the first failure; 0: none */
} mass_image_file;

/* Creates the temporary file. The caller ends with commit or abandon. On failure there is nothing to close. */
mass_status mass_image_file_open(mass_image_file *file, const char *path, bool force, mass_error *error);

/* Appends bytes; false, with the cause kept, once a write has failed. */
bool mass_image_file_write(mass_image_file *file, const void *bytes, size_t size);

/* Sets the error of a file that cannot be written. An unknown cause counts as a lack of memory, the only other failure
 * of the encoders. */
mass_status mass_image_file_failed(const mass_image_file *file, mass_error *error);

/* Brings the file to disk and gives it its name, if an existing file may be replaced. On any failure, even an earlier
 * one, removes the temporary file instead. Frees what `file` holds. */
mass_status mass_image_file_commit(mass_image_file *file, mass_error *error);

/* Removes the temporary file and frees what `file` holds. */
void mass_image_file_abandon(mass_image_file *file);

/* Decides for mass_publish: true if *force, or if mass_image_is_ours. If not, errno is as that has set it. */
bool mass_image_may_replace(const void *force, const char *path);

#endif
