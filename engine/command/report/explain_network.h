/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of a run in --explain and --info: how many edges lead from one part to another, and how even the parts
 * are. A part is a partition of a rank. If ranks divide the space, the same follows for ranks. */
#ifndef MASS_ENGINE_EXPLAIN_NETWORK_H
#define MASS_ENGINE_EXPLAIN_NETWORK_H

#include "model/network.h"
#include "split/share.h"

#include <jansson.h>
#include <stdio.h>

/* Puts a line for each network, and one for each of its first parts, if there are several parts. */
void mass_explain_put_networks(const mass_share *share, const mass_model *m, FILE *to);
/* Puts these lines for one network, and nothing if there is one part. `lead` is before the first one, and `indent`
 * before those of parts. indent NULL: no lines of parts. */
void mass_explain_put_cuts(const mass_share *share, const mass_model *m, const mass_network_def *n, const char *lead,
                           const char *indent, FILE *to);

/* Returns a new array of the networks; empty if there is one part. */
json_t *mass_explain_networks_json(const mass_share *share, const mass_model *m);
/* Adds the same about one network to an object, as `parts`, `cut`, `balance` and `by_part`; and `by_rank` if ranks
 * divide the space. Leaves out what memory is short for. */
void mass_explain_add_cuts(const mass_share *share, const mass_model *m, const mass_network_def *n, json_t *to);

#endif
