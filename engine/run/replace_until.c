/* SPDX-License-Identifier: Apache-2.0 */
#include "run/replace_until.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"
#include "state/stop_condition.h"

#include <stdlib.h>
#include <string.h>

/* Replaces the condition of this rank, which counts as a change of the domain and no longer holds. NULL: no
 * condition. */
static mass_status replace(mass_stepper *r, const char *text, const mass_expression *compiled, mass_error *error)
{
    mass_domain *d = r->domain;
    mass_until_free(d);
    d->changes++; /* recorded steps look at the condition */
    r->held = false;
    return text ? mass_until_create(d, text, compiled, error) : MASS_OK;
}

mass_status mass_stepper_replace_until(mass_stepper *r, const char *text, const mass_expression *compiled,
                                       mass_error *error)
{
    mass_comm *comm = r->domain->share.comm;
    uint64_t bytes = text ? strlen(text) + 1 : 0;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_REPLACE_UNTIL, &bytes, sizeof bytes, error);
    if (status == MASS_OK && comm->size > 1 && text)
        status = mass_transfer_to_all(comm, (void *)(uintptr_t)text, bytes, error);
    return status == MASS_OK ? mass_rpc_agree(comm, replace(r, text, compiled, error), error) : status;
}

mass_status mass_stepper_replace_until_here(mass_stepper *r, uint64_t bytes, mass_error *error)
{
    const mass_domain *d = r->domain;
    mass_comm *comm = d->share.comm;
    const mass_expression_scope scope = {d->model, d->share.worlds, d->first_world - d->share.first_world, true};
    mass_expression compiled = {0};
    char *text = bytes ? malloc(bytes) : NULL;
    if (bytes && !text) { /* rank 0 sends the text all the same */
        mass_error_memory(error, bytes, "the stop condition");
        return mass_rpc_abandon(comm, error->status, error);
    }
    mass_status status = text ? mass_transfer_to_all(comm, text, bytes, error) : MASS_OK;
    if (status == MASS_OK) {
        if (text) status = mass_expression_compile("--until", text, &scope, &compiled, error);
        if (status == MASS_OK) status = replace(r, text, &compiled, error);
        status = mass_rpc_agree(comm, status, error);
    }
    mass_expression_free(&compiled);
    free(text);
    return status;
}
