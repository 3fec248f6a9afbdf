/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of a model in --info: their nodes, edges, and how many edges come into a node,
 * components, clustering, and names; and how parts divide the edges, as in --explain. */
#ifndef MASS_ENGINE_INFO_NETWORK_H
#define MASS_ENGINE_INFO_NETWORK_H

#include "model/network.h"
#include "split/share.h"

#include <jansson.h>
#include <stdio.h>

/* Prints the networks, with a title. Nothing if there are none. share: the parts of the run that the options
 * describe. */
void mass_info_put_networks(const mass_share *share, const mass_model *m, FILE *to);
/* Returns a new array of them, which is empty if there are none. Leaves out components, largest and clustering of a
 * network that cannot be measured, and dies, named and cuts of one that has none. */
json_t *mass_info_networks_json(const mass_share *share, const mass_model *m);

#endif
