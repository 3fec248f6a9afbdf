/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/link.h"
#include "population/requests.h"
#include "process/progress.h"

#include <string.h>

mass_status mass_link_domain(mass_domain *d, const char *by, double limit, bool quiet, mass_link **out,
                             mass_error *error)
{
    const bool wanted = by && strcmp(by, "nccl") == 0, refused = by && strcmp(by, "mpi") == 0;
    mass_comm *comm = d->share.comm;
    mass_error why = {0};
    bool odd = false;
    const mass_status alike = mass_population_check_devices(d, error);
    if (alike != MASS_OK || comm->size == 1 || refused) return alike;
    if (!wanted && !mass_share_is_split(&d->share) && !d->until) return MASS_OK;
    const mass_status status = mass_device_link(d->device, comm, limit, out, &odd, &why);
    if (status == MASS_OK) d->share.link = *out;
    else if (odd && !wanted && !quiet && status == MASS_NO_DEVICE && comm->rank == 0)
        mass_progress_say("mass-engine: %s; what ranks exchange goes through the hosts, as with --comm mpi", why.text);
    if (status == MASS_OK || (status == MASS_NO_DEVICE && !wanted)) return MASS_OK;
    return mass_error_set(error, status, "%s%s", wanted ? "--comm nccl: " : "", why.text);
}
