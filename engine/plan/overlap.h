/* SPDX-License-Identifier: Apache-2.0 */
/* Which exchanges between ranks may go on while most of the launch that needs them runs. Pure. */
#ifndef MASS_ENGINE_OVERLAP_H
#define MASS_ENGINE_OVERLAP_H

#include "plan/plan.h"

/* Sets `edges` of each EXCHANGE of a list. */
void mass_plan_find_overlaps(const mass_domain *d, mass_plan_list *list);

/* Places of a partition from layer `first` on, `count` layers along the axis that is cut, as a partition of their own,
 * which has their arrays. */
mass_partition mass_partition_layers(const mass_domain *d, uint32_t space, const mass_partition *p, mass_lidx first,
                                     mass_lidx count);

#endif
