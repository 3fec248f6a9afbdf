/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a model whose input is a stream: one pass over it, piece by piece. While the device works on one piece,
 * the plugin reads the next. Main thread. */
#ifndef MASS_ENGINE_FEED_H
#define MASS_ENGINE_FEED_H

#include "domain/domain.h"

typedef struct mass_feeder mass_feeder;

mass_status mass_feeder_create(mass_domain *d, mass_feeder **out, mass_error *error);
void mass_feeder_free(mass_feeder *); /* NULL is fine */

/* Gets the next piece: *more false: the pass has ended. Then the domain's `live` places are what the phases run
 * over. Where all of the input is one piece that no callback changes, later passes find it there. */
mass_status mass_feeder_next(mass_feeder *f, bool *more, mass_error *error);
/* The phases of the piece have been queued. */
mass_status mass_feeder_done(mass_feeder *f, mass_error *error);
/* Items that the plugin has given, in the pass and in all. */
uint64_t mass_feeder_given(const mass_feeder *f);
uint64_t mass_feeder_total(const mass_feeder *f);

#endif
