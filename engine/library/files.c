/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a run: pictures and checkpoints. */
#include "library/run.h"
#include "io/picture/image.h"
#include "io/picture/picture.h"
#include "snapshot/chunks.h"
#include "snapshot/save.h"

/* Draws the present state of the first world and writes it, once the path and the slice are found to be good. */
static mass_status draw(mass_engine *run, const char *path, int64_t slice, bool replace, mass_error *error)
{
    const mass_model *m = &run->session.model;
    mass_palette palette;
    mass_raster raster;
    mass_status status = mass_picture_check(m, slice, error);
    if (status == MASS_OK) status = mass_image_check(path, replace, error);
    if (status == MASS_OK) status = mass_picture_palette(m, &palette, error);
    if (status == MASS_OK)
        status = mass_picture_draw(run->session.domain, slice, MASS_IMAGE_LIMIT, &palette, &raster, error);
    if (status != MASS_OK) return status;
    status = mass_image_write_png(path, &raster, &palette, replace, error);
    mass_raster_free(&raster);
    return status;
}

int mass_engine_picture(mass_engine *run, const char *path, int64_t slice, int replace)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    return mass_library_leave(run, draw(run, path, slice, replace != 0, &error), &error);
}

/* Writes the state by an output that has only a checkpoint folder. The caller frees the output. */
static mass_status write_checkpoint(mass_engine *run, mass_output *output, mass_error *error)
{
    mass_session *s = &run->session;
    mass_snapshot state;
    mass_status status = mass_output_begin(output, s->domain, s->run->step, error);
    if (status == MASS_OK) status = mass_domain_save_chunks(s->domain, false, &state, error);
    if (status != MASS_OK) return status;
    state.step = s->run->step;
    status = mass_output_end(output, s->domain, &state, error);
    mass_error ignored = {0};
    mass_chunks_end(s->domain, &ignored);
    mass_snapshot_free(&state);
    return status;
}

int mass_engine_checkpoint(mass_engine *run, const char *folder, int replace)
{
    mass_error error;
    const int entered = mass_library_enter_to_read(run, &error);
    if (entered != MASS_OK) return entered;
    mass_session *s = &run->session;
    mass_output *output = NULL;
    mass_ownership owner = s->owner;
    mass_output_plan plan = s->plan;
    owner.force = replace != 0;
    plan.folder = folder;
    plan.owner = &owner;
    plan.keep = 0;
    plan.checkpoint_every = 0;
    plan.resumed = NULL; /* the state may have been changed since */
    plan.last_step = s->last_step > s->run->step ? s->last_step : s->run->step;
    plan.series_set = NULL;
    plan.image = plan.movie = plan.fields = plan.series = plan.series_source = NULL;
    mass_status status = mass_output_create(&plan, &s->model, &output, &error);
    if (status == MASS_OK) status = write_checkpoint(run, output, &error);
    mass_output_free(output);
    return mass_library_leave(run, status, &error);
}
