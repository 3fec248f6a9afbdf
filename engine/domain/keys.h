/* SPDX-License-Identifier: Apache-2.0 */
/* The counts by key that a domain has on its device. */
#ifndef MASS_ENGINE_DOMAIN_KEYS_H
#define MASS_ENGINE_DOMAIN_KEYS_H

#include "domain/domain.h"

/* For every tally that counts by key. On failure some are left to free. */
mass_status mass_keys_of_domain_create(mass_domain *d, mass_error *error);
void mass_keys_of_domain_free(mass_domain *d);

#endif
