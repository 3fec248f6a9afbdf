/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the networks of the last step. */
#include "io/writers.h"

#include "io/export/graphml.h"
#include "io/picture/image.h"
#include "model/network.h"

#include <errno.h>

/* Checks that there is a network, and that its file can be written. Writes nothing. */
static mass_status create(mass_output *o, mass_error *error)
{
    const char *const path = o->plan->network;
    if (!path) return MASS_OK;
    if (!o->model->networks || !o->model->networks->count)
        return mass_error_set(error, MASS_BAD_USAGE, "--network: plugin %s has no network", o->model->plugin);
    return mass_image_check_path(path, "network", ".graphml", o->plan->owner->force, error);
}

/* Writes the file, if one is wanted, from the final state. A failure is added to the run's. */
static void end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    mass_image_file file;
    (void)d;
    if (!o->plan->network || mass_image_file_open(&file, o->plan->network, o->plan->owner->force, failure) != MASS_OK)
        return;
    errno = 0;
    mass_graphml_write(final, file.stream);
    if (ferror(file.stream)) file.cause = errno ? errno : EIO;
    mass_image_file_commit(&file, failure);
}

const mass_output_writer mass_output_network = {.create = create, .end = end};
