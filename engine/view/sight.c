/* SPDX-License-Identifier: Apache-2.0 */
#include "view/sight.h"
#include "device/pictures.h"
#include "state/box.h"

#include <assert.h>
#include <stdlib.h>

static_assert((int)MASS_VIEW_MEAN == MASS_SHRINK_MEAN && (int)MASS_VIEW_MOST == MASS_SHRINK_MOST &&
              (int)MASS_VIEW_LARGEST == MASS_SHRINK_LARGEST, "rules are asked for by the numbers that kernels know");

enum { BAND_BYTES = 4 << 20 };

/* Returns the work for the picture, without its data. */
static mass_shrink_work begin(const mass_domain *d, const mass_view_picture *p, const mass_view_question *q,
                              mass_gidx factor)
{
    const mass_attribute_def *a = &d->model->attributes[p->attribute];
    return (mass_shrink_work){.type = a->type, .stride = (int64_t)mass_element_size(a), .width = q->extent[0],
                              .height = q->extent[1], .factor = factor,
                              .rule = q->has_rule ? (mass_shrink_rule)q->rule : MASS_SHRINK_MEAN,
                              .low = p->palette.low, .high = p->palette.high, .last = p->palette.last,
                              .ranged = p->ranged};
}

/* ---- drawing on the device ---- */

/* Returns the array of a component: each has its own in planes, else all share one. */
static uint32_t array_of(const mass_attribute_def *a, const mass_view_picture *p)
{
    return a->first_array + (a->layout == MASS_PLANES ? p->component : 0);
}

/* Return the larger number, and the smaller one. */
static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t sooner(int64_t a, int64_t b) { return a < b ? a : b; }

/* Finds the rows of the box that one partition has. Returns false if it has none. */
static bool find_part(const mass_domain *d, const mass_partition *p, const mass_view_picture *picture,
                      const mass_view_question *q, mass_shrink_part *out)
{
    const mass_attribute_def *a = &d->model->attributes[picture->attribute];
    const mass_array_def *array = &d->model->arrays[array_of(a, picture)];
    const mass_layout *l = &p->layout;
    const mass_gidx first = later(q->at[1], l->origin[1]);
    const mass_gidx end = sooner(q->at[1] + q->extent[1], l->origin[1] + l->extent[1]);
    if (first >= end || q->slice < l->origin[2] || q->slice >= l->origin[2] + l->extent[2]) return false;
    const int64_t row = q->world * l->world_stride + (q->slice - l->origin[2]) * l->plane +
                        (first - l->origin[1]) * l->pitch;
    const int64_t column = array->bits ? q->at[0] / 8 : q->at[0] * (int64_t)array->element_size;
    const size_t inside = a->layout == MASS_PLANES ? 0 : picture->component * a->component_size;
    const char *base = mass_array_at(d, p, array_of(a, picture), false);
    *out = (mass_shrink_part){base + mass_array_bytes(array, row) + column + inside, first - q->at[1], end - first,
                              mass_array_bytes(array, l->pitch)};
    return true;
}

/* Draws the part of the picture that q asks for on the device, from the arrays of its partitions. Sets index, a colour
 * for each pixel, and widens the range to the values unless it is known beforehand. */
static mass_status draw_there(mass_domain *d, const mass_view_picture *p, const mass_view_question *q,
                              mass_gidx factor, uint8_t *index, double range[2], mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[p->attribute];
    const mass_array_def *array = &d->model->arrays[array_of(a, p)];
    mass_shrink_part *parts = malloc((size_t)d->partition_count * sizeof *parts);
    if (!parts) return mass_error_memory(error, (size_t)d->partition_count * sizeof *parts, "a picture");
    mass_shrink_work w = begin(d, p, q, factor);
    w.parts = parts;
    w.bits = array->bits;
    w.bit = array->bits ? (int32_t)(q->at[0] % 8) : 0;
    w.stride = (int64_t)array->element_size;
    for (int32_t i = 0; i < d->partition_count; i++)
        w.part_count += find_part(d, &d->partitions[p->space][i], p, q, &parts[w.part_count]);
    const mass_status status = d->device->table->pictures->shrink(d->device, &w, index, range, error);
    free(parts);
    return status;
}

/* Returns whether the device can draw: it has the operation for the rule, and one rank has all places, in partitions of
 * whole rows. */
static bool can_draw_there(const mass_domain *d, const mass_view_picture *p, const mass_view_question *q)
{
    const mass_picture_operations *o = d->device->table->pictures;
    const mass_view_rule rule = q->has_rule ? q->rule : MASS_VIEW_MEAN;
    return o && o->rules >> rule & 1 && d->share.comm->size == 1 &&
           (d->partition_count == 1 || d->model->spaces[p->space].dimensions > 1);
}

/* ---- drawing on the host ---- */

/* Draws on the host, in bands of whole rows of pixels, to limit the memory for what it reads. Sets index and widens
 * the range as draw_there does. */
static mass_status draw_bands(mass_domain *d, const mass_view_picture *p, const mass_view_question *q,
                              mass_gidx factor, uint8_t *index, double range[2], mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[p->attribute];
    mass_shrink_work w = begin(d, p, q, factor);
    const int64_t pitch = q->extent[0] * w.stride, columns = mass_shrink_columns(&w);
    const int64_t fit = BAND_BYTES / (pitch * factor), band = factor * (fit > 0 ? fit : 1);
    char *bytes = malloc((size_t)(sooner(band, q->extent[1]) * pitch));
    void *memory = malloc(mass_pictures_host_memory(&w));
    mass_status status = bytes && memory ? MASS_OK : mass_error_memory(error, (size_t)(band * pitch), "a picture");
    for (mass_gidx y = 0; status == MASS_OK && y < q->extent[1]; y += band) {
        w.height = sooner(band, q->extent[1] - y);
        status = mass_domain_read(d, p->attribute, q->world, (const mass_gidx[3]){q->at[0], q->at[1] + y, q->slice},
                                  (const mass_gidx[3]){q->extent[0], w.height, 1}, bytes, error);
        const mass_shrink_part part = {bytes + p->component * a->component_size, 0, w.height, pitch};
        w.parts = &part;
        w.part_count = 1;
        if (status == MASS_OK) mass_pictures_shrink_on_host(&w, memory, index + y / factor * columns, range);
    }
    free(memory);
    free(bytes);
    return status;
}

mass_status mass_sight_draw(mass_domain *d, const mass_view_picture *p, const mass_view_question *q, mass_gidx factor,
                            uint8_t *index, double range[2], mass_error *error)
{
    return can_draw_there(d, p, q) ? draw_there(d, p, q, factor, index, range, error)
                                   : draw_bands(d, p, q, factor, index, range, error);
}
