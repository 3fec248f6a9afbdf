/* SPDX-License-Identifier: Apache-2.0 */
/* Where nodes are shown, and which nodes edges join. */
#include "io/export/format.h"

#include <mass/math.h>
#include <stdlib.h>
#include <string.h>

void mass_export_locate_node(mass_gidx nodes, mass_gidx node, double at[3])
{
    const double whole = 6.283185307179586, angle = whole * (double)node / (double)nodes;
    const double radius = (double)nodes / whole;
    at[0] = radius * mass_cos_f64(angle);
    at[1] = radius * mass_sin_f64(angle);
    at[2] = 0;
}

bool mass_export_has_edges(const mass_network_def *n) { return n->population < 0 && n->edges > 0; }

void mass_export_edges_name(const mass_network_def *n, char name[2 * MASS_NAME_SIZE])
{
    snprintf(name, 2 * MASS_NAME_SIZE, "%s%s", n->name, n->set ? "" : "_edges");
}

uint64_t mass_export_list_edges(const mass_network_def *n, uint32_t *ends, uint64_t *number)
{
    const mass_edge_ends *const e = &n->ends;
    uint64_t count = 0;
    for (mass_gidx i = 0; i < e->nodes; i++)
        for (uint64_t k = e->first[i]; k < e->first[i + 1]; k++) {
            if (!n->directed && e->source[k] < i) continue; /* it comes into the lower node, too */
            ends[2 * count] = n->directed ? e->source[k] : (uint32_t)i;
            ends[2 * count + 1] = n->directed ? (uint32_t)i : e->source[k];
            number[count++] = k;
        }
    return count;
}
