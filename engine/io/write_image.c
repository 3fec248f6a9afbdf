/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a picture of the last step, or of all steps if the space is a line. */
#include "io/writers.h"

#include "comm/watch.h"
#include "io/picture/image.h"

/* Checks that the image can be drawn and written, and prepares its palette and diagram. Writes nothing. */
static mass_status create(mass_output *o, mass_error *error)
{
    const mass_output_plan *plan = o->plan;
    if (!plan->image) return MASS_OK;
    mass_status status = mass_picture_check(o->model, plan->slice, error);
    if (status == MASS_OK) status = mass_image_check(plan->image, plan->owner->force, error);
    if (status == MASS_OK) status = mass_picture_palette(o->model, &o->palette, error);
    if (status == MASS_OK && mass_space_time_suits(o->model))
        status = mass_space_time_create(o->model, &o->palette, &o->diagram, error);
    return status;
}

/* Adds the step's row to the diagram, if there is one. */
static mass_status begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    return o->diagram ? mass_space_time_at(o->diagram, d, step, error) : MASS_OK;
}

/* Returns the interval of the diagram's rows; 0 without one. */
static uint64_t every(const mass_output *o) { return o->diagram ? mass_space_time_every(o->diagram) : 0; }

/* Adds the step's row to the diagram, if there is one. Writes no file. */
static mass_status write_due(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    (void)wanted;
    return begin(o, d, step, error);
}

/* Draws the picture or the diagram and writes it as PNG. */
static mass_status write_image(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_raster raster;
    mass_status status = o->diagram
        ? mass_space_time_end(o->diagram, d, step, &raster, error)
        : mass_picture_draw(d, o->plan->slice, MASS_IMAGE_LIMIT, &o->palette, &raster, error);
    if (status != MASS_OK) return status;
    const char *other = mass_comm_watch_writes(o->plan->image);
    status = mass_image_write_png(o->plan->image, &raster, &o->palette, o->plan->owner->force, error);
    mass_comm_watch_writes(other);
    mass_raster_free(&raster);
    return status;
}

/* Writes the image of the last step, if one is wanted. A failure is added to the run's. */
static void end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    if (o->plan->image) write_image(o, d, final->step, failure);
}

static void release(mass_output *o) { mass_space_time_free(o->diagram); }

const mass_output_writer mass_output_image = {
    .create = create, .begin = begin, .every = every, .write = write_due, .end = end, .release = release};
