/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the places of a frame into pixels: on the device if it can, else on the host, band by band. Main thread, as
 * frame.h. */
#ifndef MASS_ENGINE_VIEW_SIGHT_H
#define MASS_ENGINE_VIEW_SIGHT_H

#include "state/domain.h"
#include "view/pictures.h"
#include "view/question.h"

/* Draws a clipped question into index, with factor x factor places for each pixel. range: as in
 * mass_picture_operations. */
mass_status mass_sight_draw(mass_domain *d, const mass_view_picture *p, const mass_view_question *q, mass_gidx factor,
                            uint8_t *index, double range[2], mass_error *error);

#endif
