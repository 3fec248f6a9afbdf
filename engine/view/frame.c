/* SPDX-License-Identifier: Apache-2.0 */
#include "view/frame.h"
#include "view/overlay.h"
#include "view/sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 44, RANGE = 2 * sizeof(double) };

/* ---- the part that is shown ---- */

/* Clips a range, *extent from *at on, to an axis. Returns false if nothing is left. */
static bool clip_axis(mass_gidx size, mass_gidx *at, mass_gidx *extent)
{
    const mass_gidx end = *at + *extent;
    *at = *at > 0 ? *at : 0;
    *extent = (end < size ? end : size) - *at;
    return *extent > 0;
}

bool mass_frame_clip_box(const mass_space_def *s, mass_view_question *q)
{
    const bool line = s->dimensions == 1;
    if (q->slice < 0) q->slice = s->size[2] / 2;
    if (line) q->at[1] = 0, q->extent[1] = 1;
    return q->slice < s->size[2] && clip_axis(s->size[0], &q->at[0], &q->extent[0]) &&
           clip_axis(s->size[1], &q->at[1], &q->extent[1]);
}

bool mass_frame_clip(const mass_domain *d, const mass_view_pictures *pictures, mass_view_question *q)
{
    if (q->picture >= pictures->count || q->world >= d->share.worlds) return false;
    const mass_space_def *s = &d->model->spaces[pictures->list[q->picture].space];
    if (q->slice < 0) q->slice = s->size[2] / 2;
    const bool line = s->dimensions == 1; /* shown with its past steps, of one world */
    if (line) q->at[1] = 0;
    if (line || q->worlds > d->share.worlds - q->world) q->worlds = line ? 1 : d->share.worlds - q->world;
    return q->slice < s->size[2] && clip_axis(s->size[0], &q->at[0], &q->extent[0]) &&
           (line || clip_axis(s->size[1], &q->at[1], &q->extent[1]));
}

/* Returns how many blocks of `factor` places are needed. */
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

/* Widens the range of colours to include the values that were seen, from least to most. It never shrinks, so that
 * colours keep their meaning while one looks. Returns whether it changed; never if the range was known beforehand. */
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

/* Draws all worlds one after the other. Draws all again if a world has changed the range of colours. */
mass_status mass_frame_places(mass_domain *d, mass_view_picture *p, const mass_view_question *q, mass_gidx factor,
                              uint8_t *index, mass_error *error)
{
    const mass_gidx pixels = blocks(q->extent[0], factor) * blocks(q->extent[1], factor);
    mass_status status = MASS_OK;
    for (int pass = 0; pass < 2; pass++) {
        double range[2] = {INFINITY, -INFINITY};
        mass_view_question one = *q;
        for (int32_t w = 0; status == MASS_OK && w < q->worlds; w++, one.world++)
            status = mass_sight_draw(d, p, &one, factor, index + (size_t)(w * pixels), range, error);
        if (status != MASS_OK || !widen(p, range[0], range[1])) return status;
    }
    return status;
}

/* Draws the agents of each of the question's worlds into index[worlds][pixels], as mass_overlay_draw does. */
static mass_status draw_agents(mass_domain *d, const mass_view_picture *p, const mass_view_question *q,
                               mass_gidx factor, bool spots, size_t pixels, uint8_t *index, mass_error *error)
{
    mass_status status = MASS_OK;
    mass_view_question one = *q;
    for (int32_t w = 0; status == MASS_OK && w < q->worlds; w++, one.world++)
        status = mass_overlay_draw(d, p, &one, factor, spots, index + (size_t)w * pixels, error);
    return status;
}

/* ---- the frame ---- */

/* Returns the flags for a frame's agents. */
static uint32_t flags_of(const mass_domain *d, const mass_view_picture *p, const mass_view_question *q)
{
    if (!q->agents || !mass_overlay_has_agents(d->model, p->space)) return 0;
    return p->declared && mass_overlay_is_drawn(d->model, p->space) ? MASS_FRAME_SPOTS : MASS_FRAME_AGENTS;
}

/* Copies bytes and returns where the next ones go. */
static char *put(char *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

/* Writes a frame's head and returns where its picture goes. */
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

mass_status mass_frame_begin(const mass_frame_head *head, int32_t worlds, const mass_view_picture *p, uint8_t **pixels,
                             mass_view_answer *answer, mass_error *error)
{
    mass_frame_head h = *head;
    if (!p->ranged) h.flags |= MASS_FRAME_RANGE;
    const bool over = h.flags & (MASS_FRAME_AGENTS | MASS_FRAME_SPOTS);
    const size_t plane = (size_t)h.width * h.height, range = p->ranged ? 0 : RANGE;
    const size_t size = HEAD + range + (over ? 2 : 1) * plane * (size_t)worlds;
    char *bytes = calloc(1, size);
    if (!bytes) return mass_error_memory(error, size, "a picture");
    char *at = put_head(bytes, &h);
    if (range) {
        at = put(at, &p->palette.low, sizeof(double));
        at = put(at, &p->palette.high, sizeof(double));
    }
    *pixels = (uint8_t *)at;
    *answer = (mass_view_answer){200, "application/octet-stream", bytes, size};
    return MASS_OK;
}

mass_status mass_frame_draw(mass_domain *d, mass_view_pictures *pictures, const mass_view_question *q, uint32_t run,
                            uint64_t step, mass_view_answer *answer, mass_error *error)
{
    mass_view_picture *p = &pictures->list[q->picture];
    mass_frame_head head = {.run = run, .step = step, .flags = flags_of(d, p, q)};
    const mass_gidx factor = mass_frame_size(q, &head.width, &head.height);
    const size_t pixels = (size_t)head.width * head.height;
    for (int a = 0; a < 2; a++) {
        head.box[a] = (uint32_t)q->at[a];
        head.box[2 + a] = (uint32_t)q->extent[a];
    }
    uint8_t *index;
    mass_view_answer made;
    mass_status status = mass_frame_begin(&head, q->worlds, p, &index, &made, error);
    if (status != MASS_OK) return status;
    status = mass_frame_places(d, p, q, factor, index, error);
    if (!p->ranged) put(put((char *)index - RANGE, &p->palette.low, sizeof(double)), &p->palette.high, sizeof(double));
    if (status == MASS_OK && head.flags & (MASS_FRAME_AGENTS | MASS_FRAME_SPOTS))
        status = draw_agents(d, p, q, factor, head.flags & MASS_FRAME_SPOTS, pixels,
                             index + (size_t)q->worlds * pixels, error);
    if (status == MASS_OK) *answer = made;
    else free(made.bytes);
    return status;
}
