/* SPDX-License-Identifier: Apache-2.0 */
/* Data exchange from GPU to GPU, if --comm allows it and the devices support it. Main thread. */
#ifndef MASS_COMMAND_LINK_H
#define MASS_COMMAND_LINK_H

#include "comm/link.h"
#include "state/domain.h"

/* Links the devices of all ranks, if the domain exchanges data between them, and makes the domain use the link. Refuses
 * agents over ranks on GPUs and on CPUs. All ranks call it. by: --comm, or NULL. limit: --comm-timeout in seconds.
 *
 * *out, NULL before, remains so without a link. Then data goes through the host, an error only if `by` is "nccl". If
 * a link could be expected, rank 0 reports why there is none, unless `quiet`. The caller closes the link after the
 * stepper and the domain, and before the device. */
mass_status mass_link_domain(mass_domain *d, const char *by, double limit, bool quiet, mass_link **out,
                             mass_error *error);

#endif
