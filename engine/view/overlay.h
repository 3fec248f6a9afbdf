/* SPDX-License-Identifier: Apache-2.0 */
/* Agents over a picture: how many stand where, or the colours in which the model draws them. Main thread, as frame.h.
 */
#ifndef MASS_ENGINE_VIEW_OVERLAY_H
#define MASS_ENGINE_VIEW_OVERLAY_H

#include "state/domain.h"
#include "view/pictures.h"
#include "view/question.h"

bool mass_overlay_has_agents(const mass_model *m, uint32_t space);
/* Whether the model draws some of them. */
bool mass_overlay_is_drawn(const mass_model *m, uint32_t space);

/* Puts agents of the picture's space into pixels of factor x factor places, which are 0 before: colours of the palette
 * that agents are drawn in, the highest of those that meet, or how many there are, 255 for more. The question was
 * clipped (frame.h). */
mass_status mass_overlay_draw(mass_domain *d, const mass_view_picture *p, const mass_view_question *q,
                              mass_gidx factor, bool spots, uint8_t *pixels, mass_error *error);

#endif
