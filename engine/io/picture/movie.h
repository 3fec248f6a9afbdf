/* SPDX-License-Identifier: Apache-2.0 */
/* A movie of a space: an animated GIF, a frame at a time, looping for ever. Until it is closed the
 * file has a temporary name that starts with a dot; a killed process leaves that and no more, until the
 * same movie is made again. */
#ifndef MASS_ENGINE_IO_PICTURE_MOVIE_H
#define MASS_ENGINE_IO_PICTURE_MOVIE_H

#include "io/picture/raster.h"

enum { MASS_MOVIE_LIMIT = 1024 /* pixels a side, for mass_raster_begin */ };

typedef struct mass_movie mass_movie;

/* mass_image_check for a movie: the name must end in .gif. */
mass_status mass_movie_check(const char *path, bool force, mass_error *error);

/* Starts a movie of frames of width x height pixels, each shown for delay hundredths of a second, 1 to 65535; many
 * viewers slow down frames of 1. Where it is no whole number, some frames last one more than others, so that any number
 * of them takes as long as it says, but for half a hundredth. The caller ends it with close or abandon. Fails
 * with MASS_BAD_USAGE on a wrong size or delay and if the folder does not exist, else MASS_FAILED;
 * *out is then untouched and no file is left. */
mass_status mass_movie_open(mass_movie **out, const char *path, int32_t width, int32_t height,
                            const mass_palette *palette, double delay, bool force, mass_error *error);

/* Appends a frame, which must have the movie's size; the raster stays the caller's. After a
 * failed write every further add fails as well: abandon the movie. */
mass_status mass_movie_add(mass_movie *movie, const mass_raster *raster, mass_error *error);

/* Completes the file and gives it its name, replacing a movie of this program or, with `force`, any
 * file. On any failure, and for a
 * movie without frames, the temporary file is removed and a former file stays. Frees the movie. */
mass_status mass_movie_close(mass_movie *movie, mass_error *error);

/* Removes the temporary file and frees the movie. A former file at the path stays. */
void mass_movie_abandon(mass_movie *movie);

#endif
