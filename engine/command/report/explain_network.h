/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of a run in --explain: how many edges lead from one part to another, and how even the parts are. A part
 * is a partition of a rank. */
#ifndef MASS_ENGINE_EXPLAIN_NETWORK_H
#define MASS_ENGINE_EXPLAIN_NETWORK_H

#include "state/domain.h"

#include <jansson.h>
#include <stdio.h>

/* Puts a line for each network, if there are several parts. */
void mass_explain_put_networks(const mass_domain *d, FILE *to);
/* Returns a new array of them; empty if there is one part. */
json_t *mass_explain_networks_json(const mass_domain *d);

#endif
