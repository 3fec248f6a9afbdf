/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/space_time.h"
#include "io/picture/image.h"
#include "io/picture/picture.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_FIRST = 16, ROWS_MOST = MASS_IMAGE_LIMIT - 1 /* leaves space for the last row */ };

struct mass_space_time {
    const mass_palette *palette;
    int32_t columns;  /* places in a row, or blocks of places */
    bool reduced;     /* columns are blocks */
    uint64_t every;
    int32_t count, room;
    uint64_t *steps;  /* [room] step of each row */
    uint8_t *index;   /* [room][columns] indices of the palette */
};

/* Returns the space that the model's picture shows. */
static const mass_space_def *space_of(const mass_model *m)
{
    return &m->spaces[m->attributes[m->picture.attribute].space];
}

bool mass_space_time_suits(const mass_model *m)
{
    return m->picture.declared && space_of(m)->dimensions == 1;
}

/* Returns the most pixels of a row, for mass_raster_size. */
static int32_t limit_of(const mass_space_def *s)
{
    return s->size[0] < MASS_IMAGE_LIMIT ? (int32_t)s->size[0] : MASS_IMAGE_LIMIT;
}

mass_status mass_space_time_create(const mass_model *m, const mass_palette *palette, mass_space_time **out,
                                   mass_error *error)
{
    mass_space_time *t = calloc(1, sizeof *t);
    int32_t height;
    if (!t) return mass_error_memory(error, sizeof *t, "the picture");
    *t = (mass_space_time){.palette = palette, .every = 1};
    mass_raster_size(space_of(m)->size[0], 1, limit_of(space_of(m)), &t->columns, &height);
    t->reduced = t->columns < space_of(m)->size[0];
    *out = t;
    return MASS_OK;
}

void mass_space_time_free(mass_space_time *t)
{
    if (!t) return;
    free(t->steps);
    free(t->index);
    free(t);
}

uint64_t mass_space_time_every(const mass_space_time *t) { return t->every; }

/* Returns the pixels of a kept row. */
static uint8_t *row_at(const mass_space_time *t, int32_t row)
{
    return t->index + (size_t)row * (size_t)t->columns;
}

/* Doubles the interval, and keeps the first row and those that are then due. */
static void thin(mass_space_time *t)
{
    int32_t left = 1;
    t->every *= 2;
    for (int32_t row = 1; row < t->count; row++) {
        if (t->steps[row] % t->every != 0) continue;
        memmove(row_at(t, left), row_at(t, row), (size_t)t->columns);
        t->steps[left++] = t->steps[row];
    }
    t->count = left;
}

/* Makes room for one more row, by doubling, unless there is some. On failure the rows so far stay. */
static mass_status make_room(mass_space_time *t, mass_error *error)
{
    if (t->count < t->room) return MASS_OK;
    const int32_t room = t->room ? 2 * t->room : ROWS_FIRST;
    uint64_t *steps = realloc(t->steps, (size_t)room * sizeof *steps);
    if (steps) t->steps = steps;
    uint8_t *index = realloc(t->index, (size_t)room * (size_t)t->columns);
    if (index) t->index = index;
    if (!steps || !index) return mass_error_memory(error, (size_t)room * (size_t)t->columns, "the picture");
    t->room = room;
    return MASS_OK;
}

/* Draws the space as it is now, and appends the drawn row with its step. */
static mass_status add_row(mass_space_time *t, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_raster raster;
    mass_status status = make_room(t, error);
    if (status == MASS_OK)
        status = mass_picture_draw(d, 0, limit_of(space_of(d->model)), t->palette, &raster, error);
    if (status != MASS_OK) return status;
    memcpy(row_at(t, t->count), raster.index, (size_t)t->columns);
    t->steps[t->count++] = step;
    mass_raster_free(&raster);
    return MASS_OK;
}

mass_status mass_space_time_at(mass_space_time *t, mass_domain *d, uint64_t step, mass_error *error)
{
    if (t->count == ROWS_MOST) thin(t);
    return t->count && step % t->every != 0 ? MASS_OK : add_row(t, d, step, error);
}

/* Draws all kept rows, each place enlarged alike. The caller frees the raster. */
static mass_status draw(const mass_space_time *t, mass_raster *out, mass_error *error)
{
    mass_raster raster = {0};
    mass_raster_size(t->columns, t->count, MASS_IMAGE_LIMIT, &raster.width, &raster.height);
    const size_t width = (size_t)raster.width, grow = width / (size_t)t->columns;
    raster.grow = t->reduced ? 0 : (int32_t)grow;
    raster.index = malloc(width * (size_t)raster.height);
    if (!raster.index) return mass_error_memory(error, width * (size_t)raster.height, "the picture");
    for (size_t y = 0; y < (size_t)raster.height; y++)
        for (size_t x = 0; x < width; x++) raster.index[y * width + x] = row_at(t, (int32_t)(y / grow))[x / grow];
    *out = raster;
    return MASS_OK;
}

mass_status mass_space_time_end(mass_space_time *t, mass_domain *d, uint64_t step, mass_raster *out, mass_error *error)
{
    const bool there = t->count && t->steps[t->count - 1] == step;
    const mass_status status = there ? MASS_OK : add_row(t, d, step, error);
    return status == MASS_OK ? draw(t, out, error) : status;
}
