/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a movie, frame by frame. */
#include "io/writers.h"

#include "comm/watch.h"
#include "process/progress.h"

/* Checks that the movie can be drawn and written, and prepares its palette. Writes nothing. */
static mass_status create(mass_output *o, mass_error *error)
{
    const mass_output_plan *plan = o->plan;
    if (!plan->movie) return MASS_OK;
    mass_status status = mass_picture_check(o->model, plan->slice, error);
    if (status == MASS_OK) status = mass_movie_check(plan->movie, plan->owner->force, error);
    return status == MASS_OK ? mass_picture_palette(o->model, &o->palette, error) : status;
}

/* Appends a frame; opens the movie at its first one, which gives it its size. */
static mass_status put_frame(mass_output *o, const mass_raster *raster, mass_error *error)
{
    mass_status status = MASS_OK;
    const double delay = 100 / o->plan->movie_rate; /* hundredths of a second */
    const char *other = mass_comm_watch_writes(o->plan->movie);
    if (!o->movie)
        status = mass_movie_open(&o->movie, o->plan->movie, raster->width, raster->height, &o->palette, delay,
                                 o->plan->owner->force, error);
    if (status == MASS_OK) status = mass_movie_add(o->movie, raster, error);
    mass_comm_watch_writes(other);
    return status;
}

/* Draws a frame and appends it to the movie. Sets o->movie_step. problem: failures of the file; error: other
 * failures. */
static mass_status add_frame(mass_output *o, mass_domain *d, uint64_t step, mass_error *problem, mass_error *error)
{
    mass_raster raster;
    const mass_status status = mass_picture_draw(d, o->plan->slice, MASS_MOVIE_LIMIT, &o->palette, &raster, error);
    if (status != MASS_OK) return status;
    o->movie_step = step;
    put_frame(o, &raster, problem);
    mass_raster_free(&raster);
    return problem->status;
}

/* Draws a frame and appends it. If its file fails, abandons the movie, reports that once, and lets the run go on. */
static mass_status try_frame(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    const mass_status status = add_frame(o, d, step, &o->no_movie, error);
    if (o->no_movie.status == MASS_OK) return status;
    mass_movie_abandon(o->movie);
    o->movie = NULL;
    mass_progress_say("mass-engine: no movie: %s; the run goes on", o->no_movie.text);
    return MASS_OK;
}

/* Appends the last step's frame, unless it is there, and publishes the movie. Reports an earlier failure instead. */
static mass_status close_movie(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    if (!o->movie) return mass_error_set(error, o->no_movie.status, "%s", o->no_movie.text);
    const mass_status status = o->movie_step == step ? MASS_OK : add_frame(o, d, step, error, error);
    if (status != MASS_OK) return status;
    mass_movie *movie = o->movie;
    o->movie = NULL;
    const char *other = mass_comm_watch_writes(o->plan->movie);
    const mass_status closed = mass_movie_close(movie, error);
    mass_comm_watch_writes(other);
    return closed;
}

/* Appends the first step's frame. */
static mass_status begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    return o->plan->movie ? add_frame(o, d, step, error, error) : MASS_OK;
}

/* Returns the interval of frames; 0 if there is no movie. */
static uint64_t every(const mass_output *o) { return o->plan->movie ? o->plan->movie_every : 0; }

/* Appends a frame if the step is due, as try_frame does. */
static mass_status write_due(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    (void)wanted;
    return o->movie && step % o->plan->movie_every == 0 ? try_frame(o, d, step, error) : MASS_OK;
}

/* Ends the movie with the last step. A failure is added to the run's. */
static void end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    if (o->plan->movie) close_movie(o, d, final->step, failure);
}

/* Abandons a movie that was not closed, and leaves no file. */
static void release(mass_output *o)
{
    if (o->movie) mass_movie_abandon(o->movie);
}

const mass_output_writer mass_output_movie = {
    .create = create, .begin = begin, .every = every, .write = write_due, .end = end, .release = release};
