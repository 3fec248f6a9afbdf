/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a picture of the current state, as the page draws it. Main thread. With several ranks rank 0 draws, while
 * the others serve its calls (run/serve.h). */
#ifndef MASS_ENGINE_VIEW_FRAME_H
#define MASS_ENGINE_VIEW_FRAME_H

#include "state/domain.h"
#include "view/desk.h"
#include "view/pictures.h"

enum {
    MASS_FRAME_AGENTS = 1, /* after all pixels, a byte for each: how many agents are there, 255 for more */
    MASS_FRAME_RANGE = 2,  /* before the pixels, two doubles: the values of the first and the last colour */
    MASS_FRAME_SPOTS = 4   /* after all pixels, a byte for each: the colour of an agent there; 0: no agent */
};

/* Precedes all pixels: 44 bytes, in this order. */
typedef struct mass_frame_head {
    uint32_t run;
    uint64_t step;
    uint32_t width, height; /* of the frame, in pixels */
    uint32_t box[4];        /* x, y, width, height of what is shown, in places */
    uint32_t flags;
} mass_frame_head;

/* Clips a question's box to its space, and its worlds to those that there are; of a line, to one. Sets a slice of -1 to
 * the middle one. Returns false if there is no such picture, world, slice or place. */
bool mass_frame_clip(const mass_domain *d, const mass_view_pictures *pictures, mass_view_question *q);

/* Clips a box and the slice alone, without a picture and worlds. In a line, the box has only the current step. Returns
 * false if there is no such slice or place. */
bool mass_frame_clip_box(const mass_space_def *s, mass_view_question *q);

/* Returns the places along each side of a pixel, and stores the frame's size. The question is clipped. */
mass_gidx mass_frame_size(const mass_view_question *q, uint32_t *width, uint32_t *height);

/* Draws the places of a frame into index[worlds][pixels], with factor x factor places for each pixel. If the picture
 * has no range of its own, widens its colours to the values that are seen. */
mass_status mass_frame_places(mass_domain *d, mass_view_picture *p, const mass_view_question *q, mass_gidx factor,
                              uint8_t *index, mass_error *error);

/* Makes an answer with its head, room for the pixels of so many worlds, and as much for agents if head->flags say so. A
 * picture that is not ranged also gets its range and that flag. *pixels becomes the address of the pixels, which are
 * zero. The caller frees answer->bytes. */
mass_status mass_frame_begin(const mass_frame_head *head, int32_t worlds, const mass_view_picture *p, uint8_t **pixels,
                             mass_view_answer *answer, mass_error *error);

/* Draws a clipped question: the pixels of all its worlds, one after the other, and then their agents. run, step: for
 * the head. The caller frees answer->bytes. On failure *answer is unchanged. */
mass_status mass_frame_draw(mass_domain *d, mass_view_pictures *pictures, const mass_view_question *q, uint32_t run,
                            uint64_t step, mass_view_answer *answer, mass_error *error);

#endif
