/* SPDX-License-Identifier: Apache-2.0 */
/* Agents over a picture: their number on each place, or the colours in which the model draws them. Main thread, as
 * frame.h. */
#ifndef MASS_ENGINE_VIEW_OVERLAY_H
#define MASS_ENGINE_VIEW_OVERLAY_H

#include "state/domain.h"
#include "view/pictures.h"
#include "view/question.h"

/* Returns whether a population is in the space, with or without agents. */
bool mass_overlay_has_agents(const mass_model *m, uint32_t space);

/* Returns whether the model draws a population of the space. */
bool mass_overlay_is_drawn(const mass_model *m, uint32_t space);

/* Returns the index of agent i's colour in its population's palette, as --image draws it. values: of the attribute that
 * chooses colours, of all agents; NULL: there is none, and the index is 0. */
uint32_t mass_overlay_colour(const mass_model *m, const mass_population_def *p, const char *values, uint64_t i);

/* Draws the agents of the picture's space into pixels of factor x factor places, which are 0 before. With `spots` a
 * pixel gets the colour in which agents are drawn, the highest if several agents share it. Else it gets their number,
 * 255 for more. The question is clipped (frame.h). */
mass_status mass_overlay_draw(mass_domain *d, const mass_view_picture *p, const mass_view_question *q,
                              mass_gidx factor, bool spots, uint8_t *pixels, mass_error *error);

#endif
