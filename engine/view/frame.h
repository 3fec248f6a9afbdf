/* SPDX-License-Identifier: Apache-2.0 */
/* Part of a picture of the present state, as the page draws it. Main thread; with several ranks on rank 0, while the
 * others serve (run/serve.h). */
#ifndef MASS_ENGINE_VIEW_FRAME_H
#define MASS_ENGINE_VIEW_FRAME_H

#include "state/domain.h"
#include "view/desk.h"
#include "view/pictures.h"

enum {
    MASS_FRAME_AGENTS = 1, /* behind all pixels, as many bytes: how many agents stand there, 255 for more */
    MASS_FRAME_RANGE = 2,  /* before the pixels, two doubles: the values of the first colour and of the last */
    MASS_FRAME_SPOTS = 4   /* behind all pixels, as many bytes: the colours of agents that stand there; 0: of none */
};

/* What precedes all pixels, in the order of the bytes: 44 of them. */
typedef struct mass_frame_head {
    uint32_t run;
    uint64_t step;
    uint32_t width, height; /* of the frame, in pixels */
    uint32_t box[4];        /* x, y, width, height of what it shows, in places */
    uint32_t flags;
} mass_frame_head;

/* The box that a question means, inside of its space; false: there is no such picture, world, slice or place. */
bool mass_frame_clip(const mass_domain *d, const mass_view_pictures *pictures, mass_view_question *q);

/* The same of a box alone; of a line, its present step. */
bool mass_frame_clip_box(const mass_space_def *s, mass_view_question *q);

/* How many places a pixel has along each side, and the frame's size for a question that was clipped. */
mass_gidx mass_frame_size(const mass_view_question *q, uint32_t *width, uint32_t *height);

/* Part of it: the places alone, in pixels of factor x factor of them. */
mass_status mass_frame_places(mass_domain *d, mass_view_picture *p, const mass_view_question *q, mass_gidx factor,
                              uint8_t *index, mass_error *error);

/* And the answer with its head, and a range where head->flags or the picture ask for one: *pixels is where the pixels
 * go, zero so far. */
mass_status mass_frame_begin(const mass_frame_head *head, int32_t worlds, const mass_view_picture *p, uint8_t **pixels,
                             mass_view_answer *answer, mass_error *error);

/* Draws what a question that was clipped asks for: the pixels of each of its worlds, one after another, and behind them
 * their agents; answer->bytes are the caller's. */
mass_status mass_frame_draw(mass_domain *d, mass_view_pictures *pictures, const mass_view_question *q, uint32_t run,
                            uint64_t step, mass_view_answer *answer, mass_error *error);

#endif
