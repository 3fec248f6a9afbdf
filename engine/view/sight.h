/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a frame become pixels: on the device, where it can, and else band by band as other ranks and devices
 * give them. Main thread, as frame.h. */
#ifndef MASS_ENGINE_VIEW_SIGHT_H
#define MASS_ENGINE_VIEW_SIGHT_H

#include "state/domain.h"
#include "view/pictures.h"
#include "view/question.h"

/* Draws a question that was clipped, factor x factor places a pixel, into index. range: of mass_picture_operations. */
mass_status mass_sight_draw(mass_domain *d, const mass_view_picture *p, const mass_view_question *q, mass_gidx factor,
                            uint8_t *index, double range[2], mass_error *error);

#endif
