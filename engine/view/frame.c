/* SPDX-License-Identifier: Apache-2.0 */
#include "view/frame.h"
#include "view/overlay.h"
#include "view/shrink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_BYTES = 4 << 20, HEAD = 44, RANGE = 2 * sizeof(double) };

/* ---- what is shown ---- */

static bool clip_axis(mass_gidx size, mass_gidx *at, mass_gidx *extent)
{
    const mass_gidx end = *at + *extent;
    *at = *at > 0 ? *at : 0;
    *extent = (end < size ? end : size) - *at;
    return *extent > 0;
}

bool mass_frame_clip(const mass_domain *d, const mass_view_pictures *pictures, mass_view_question *q)
{
    if (q->picture >= pictures->count || q->world >= d->share.worlds) return false;
    const mass_space_def *s = &d->model->spaces[pictures->list[q->picture].space];
    if (q->slice < 0) q->slice = s->size[2] / 2;
    return q->slice < s->size[2] && clip_axis(s->size[0], &q->at[0], &q->extent[0]) &&
           clip_axis(s->size[1], &q->at[1], &q->extent[1]);
}

static mass_gidx blocks(mass_gidx places, mass_gidx factor) { return (places - 1) / factor + 1; }

mass_gidx mass_frame_size(const mass_view_question *q, uint32_t *width, uint32_t *height)
{
    const mass_gidx across = blocks(q->extent[0], q->pixels[0]), down = blocks(q->extent[1], q->pixels[1]);
    const mass_gidx factor = across > down ? across : down;
    *width = (uint32_t)blocks(q->extent[0], factor);
    *height = (uint32_t)blocks(q->extent[1], factor);
    return factor;
}

/* ---- places ---- */

/* Band after band of rows, from wherever they lie. */
static mass_status shrink_bands(mass_domain *d, const mass_view_picture *p, const mass_view_question *q,
                                mass_shrink *s, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[p->attribute];
    const size_t pitch = (size_t)q->extent[0] * mass_element_size(a);
    const mass_gidx fit = BAND_BYTES / (mass_gidx)pitch > 0 ? BAND_BYTES / (mass_gidx)pitch : 1;
    const mass_gidx band = fit < q->extent[1] ? fit : q->extent[1];
    char *bytes = malloc((size_t)band * pitch);
    mass_status status = bytes ? mass_shrink_begin(s, error) : mass_error_memory(error, (size_t)band * pitch, "a picture");
    for (mass_gidx y = 0; status == MASS_OK && y < q->extent[1]; y += band) {
        const mass_gidx rows = band < q->extent[1] - y ? band : q->extent[1] - y;
        status = mass_domain_read(d, p->attribute, q->world, (const mass_gidx[3]){q->at[0], q->at[1] + y, q->slice},
                                  (const mass_gidx[3]){q->extent[0], rows, 1}, bytes, error);
        if (status == MASS_OK) mass_shrink_rows(s, bytes + p->component * a->component_size, rows, pitch);
    }
    mass_shrink_end(s);
    free(bytes);
    return status;
}

/* Colours go with the values that were seen, and never back, so that they stay what they are while one looks. */
static bool widen(mass_view_picture *p, double least, double most)
{
    mass_palette *c = &p->palette;
    if (p->ranged || !(least <= most) || !isfinite(most - least)) return false;
    const double low = p->seen && c->low < least ? c->low : least, high = p->seen && c->high > most ? c->high : most;
    const bool wider = !p->seen || low < c->low || high > c->high;
    if (!wider) return false;
    c->low = low;
    c->high = high > low ? high : low + 1;
    p->seen = true;
    return true;
}

static mass_status draw_places(mass_domain *d, mass_view_picture *p, const mass_view_question *q, mass_gidx factor,
                               uint8_t *index, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[p->attribute];
    mass_status status = MASS_OK;
    for (int pass = 0; pass < 2; pass++) {
        mass_shrink s = {.rule = q->has_rule ? q->rule : MASS_VIEW_MEAN, .width = q->extent[0], .height = q->extent[1],
                         .factor = factor, .low = p->palette.low, .high = p->palette.high, .last = p->palette.last,
                         .type = a->type, .stride = mass_element_size(a), .index = index, .least = INFINITY,
                         .most = -INFINITY};
        status = shrink_bands(d, p, q, &s, error);
        if (status != MASS_OK || !widen(p, s.least, s.most)) return status;
    }
    return status;
}

/* ---- the whole ---- */

static uint32_t flags_of(const mass_domain *d, const mass_view_picture *p, const mass_view_question *q)
{
    uint32_t flags = p->ranged ? 0 : MASS_FRAME_RANGE;
    if (!q->agents || !mass_overlay_has_agents(d->model, p->space)) return flags;
    return flags | (p->declared && mass_overlay_is_drawn(d->model, p->space) ? MASS_FRAME_SPOTS : MASS_FRAME_AGENTS);
}

static char *put(char *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

static char *put_head(char *to, const mass_frame_head *h)
{
    to = put(to, "MSF1", 4);
    to = put(to, &h->run, sizeof h->run);
    to = put(to, &h->step, sizeof h->step);
    to = put(to, &h->width, sizeof h->width);
    to = put(to, &h->height, sizeof h->height);
    to = put(to, h->box, sizeof h->box);
    return put(to, &h->flags, sizeof h->flags);
}

mass_status mass_frame_draw(mass_domain *d, mass_view_pictures *pictures, const mass_view_question *q, uint32_t run,
                            uint64_t step, mass_view_answer *answer, mass_error *error)
{
    mass_view_picture *p = &pictures->list[q->picture];
    mass_frame_head head = {.run = run, .step = step, .flags = flags_of(d, p, q)};
    const mass_gidx factor = mass_frame_size(q, &head.width, &head.height);
    const size_t pixels = (size_t)head.width * head.height, range = head.flags & MASS_FRAME_RANGE ? RANGE : 0;
    const bool over = head.flags & (MASS_FRAME_AGENTS | MASS_FRAME_SPOTS);
    const size_t size = HEAD + range + (over ? 2 : 1) * pixels;
    for (int a = 0; a < 2; a++) {
        head.box[a] = (uint32_t)q->at[a];
        head.box[2 + a] = (uint32_t)q->extent[a];
    }
    char *bytes = calloc(1, size), *at = bytes;
    if (!bytes) return mass_error_memory(error, size, "a picture");
    at = put_head(at, &head) + range;
    mass_status status = draw_places(d, p, q, factor, (uint8_t *)at, error);
    if (range) {
        memcpy(at - range, &p->palette.low, sizeof(double));
        memcpy(at - range / 2, &p->palette.high, sizeof(double));
    }
    if (status == MASS_OK && over)
        status = mass_overlay_draw(d, p, q, factor, head.flags & MASS_FRAME_SPOTS, (uint8_t *)at + pixels, error);
    if (status == MASS_OK) *answer = (mass_view_answer){200, "application/octet-stream", bytes, size};
    else free(bytes);
    return status;
}
