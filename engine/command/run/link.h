/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks exchange from GPU to GPU, where --comm lets them and their devices can. Main thread. */
#ifndef MASS_COMMAND_LINK_H
#define MASS_COMMAND_LINK_H

#include "comm/link.h"
#include "state/domain.h"

/* Links the devices of all ranks, if the domain has anything to exchange between them, and lets the domain use it; all
 * ranks call it. by: what --comm says, or NULL; limit: what --comm-timeout says. *out stays NULL where there is no
 * link: data goes through the host, which is an error only if by is "nccl". Where a link was to be expected, rank 0
 * says why there is none, unless it is quiet. The caller closes it, after the stepper and the domain, and before the
 * device. */
mass_status mass_link_domain(mass_domain *d, const char *by, double limit, bool quiet, mass_link **out,
                             mass_error *error);

#endif
