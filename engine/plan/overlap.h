/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the exchanges between ranks that may run during the launch that needs them. Pure. */
#ifndef MASS_ENGINE_OVERLAP_H
#define MASS_ENGINE_OVERLAP_H

#include "plan/plan.h"

/* Sets `edges` of each EXCHANGE of a list. */
void mass_plan_find_overlaps(const mass_domain *d, mass_plan_list *list);

/* Returns `count` layers of a partition from layer `first` on, along the axis that is cut; below 0 are ghosts. The
 * result is a partition that shares the arrays. On that axis, its layout.ghost is the number of layers of the array
 * before `first`, with places among them. */
mass_partition mass_partition_layers(const mass_domain *d, uint32_t space, const mass_partition *p, mass_lidx first,
                                     mass_lidx count);

#endif
