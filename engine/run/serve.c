/* SPDX-License-Identifier: Apache-2.0 */
#include "run/serve.h"
#include "domain/call.h"

mass_status mass_serve(mass_domain *d, mass_stepper *r, mass_error *error)
{
    _Alignas(8) uint8_t arguments[MASS_CALL_BYTES];
    mass_call call = MASS_CALL_END;
    (void)r;
    do {
        const mass_status status = mass_call_hear(d->share.comm, &call, arguments, error);
        if (status != MASS_OK) return status;
    } while (call != MASS_CALL_END);
    return MASS_OK;
}

mass_status mass_serve_end(mass_comm *comm, mass_error *error)
{
    return mass_call_tell(comm, MASS_CALL_END, NULL, 0, error);
}
