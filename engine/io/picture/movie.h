/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a movie of a space, frame by frame: an animated GIF that loops forever. Until it is closed, the file has a
 * temporary name that starts with a dot. If the process is killed, only that file stays, until the same movie is made
 * again. */
#ifndef MASS_ENGINE_IO_PICTURE_MOVIE_H
#define MASS_ENGINE_IO_PICTURE_MOVIE_H

#include "io/picture/raster.h"

enum { MASS_MOVIE_LIMIT = 1024 /* pixels a side, for mass_raster_begin */ };

typedef struct mass_movie mass_movie;

/* Checks a movie's path as mass_image_check does; the name has to end in .gif. */
mass_status mass_movie_check(const char *path, bool force, mass_error *error);

/* Begins a movie of frames of width x height pixels. Each frame is shown for `delay` hundredths of a second, 1 to
 * 65535; many viewers slow down frames of 1. If delay is not an integer, some frames last one hundredth longer, so that
 * any number of frames lasts as long as it should, within half a hundredth. The caller ends with close or abandon.
 * MASS_BAD_USAGE for a wrong size or delay, or if the folder does not exist; MASS_FAILED for other failures. On failure
 * *out is untouched and no file remains. */
mass_status mass_movie_open(mass_movie **out, const char *path, int32_t width, int32_t height,
                            const mass_palette *palette, double delay, bool force, mass_error *error);

/* Appends a frame of the movie's size; the caller keeps the raster. After a failed write all later calls fail too:
 * abandon the movie. */
mass_status mass_movie_add(mass_movie *movie, const mass_raster *raster, mass_error *error);

/* Completes the file and gives it its name. It replaces a movie of this program or, with `force`, any file. On any
 * failure, and for a movie without frames, the temporary file is removed and a former file stays. Frees the movie. */
mass_status mass_movie_close(mass_movie *movie, mass_error *error);

/* Removes the temporary file and frees the movie. A former file at the path stays. */
void mass_movie_abandon(mass_movie *movie);

#endif
