/* SPDX-License-Identifier: Apache-2.0 */
/* How many agents stand beside the places that a rank holds, for callbacks that count them (CROWD). Main thread. */
#ifndef MASS_ENGINE_CROWDS_H
#define MASS_ENGINE_CROWDS_H

#include "domain/domain.h"

/* Makes the crowds of a population show where agents stand now, after a change of that on all ranks, which all call it.
 * It does nothing where no callback looks, or the space is not cut. */
mass_status mass_crowds_refresh(mass_domain *d, uint32_t population, mass_error *error);

#endif
