/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/info_network.h"
#include "base/escape.h"
#include "text/json.h"

#include <inttypes.h>

/* The edges that come into a node. */
typedef struct degrees {
    uint64_t least, most;
    double mean;
} degrees;

static degrees degrees_of(const mass_edge_ends *e)
{
    degrees d = {UINT64_MAX, 0, (double)e->count / (double)e->nodes};
    for (mass_gidx i = 0; i < e->nodes; i++) {
        const uint64_t own = e->first[i + 1] - e->first[i];
        if (own < d.least) d.least = own;
        if (own > d.most) d.most = own;
    }
    return d;
}

void mass_info_put_networks(const mass_model *m, FILE *to)
{
    const struct mass_networks *const all = m->networks;
    if (!all) return;
    mass_print(to, "\nnetworks\n");
    for (uint32_t i = 0; i < all->count; i++) {
        const mass_network_def *const n = &all->list[i];
        const degrees d = degrees_of(&n->ends);
        mass_print(to, "  %-16s %" PRId64 " nodes, %" PRIu64 " %sedges%s%s; %" PRIu64 " to %" PRIu64 " come into a "
                   "node, %.6g in the mean\n", m->spaces[n->space].name, n->ends.nodes, n->edges,
                   n->directed ? "directed " : "", n->file ? " of " : "", n->file ? n->file : "", d.least, d.most,
                   d.mean);
    }
    for (uint32_t i = 0; i < all->attribute_count; i++) {
        const mass_edge_attribute_def *const a = &all->attributes[i];
        mass_print(to, "  %-16s %s%sof the edges of %s (%s)\n", a->name, a->help, a->help[0] ? "; " : "",
                   m->spaces[all->list[a->network].space].name, mass_type_name(a->type));
    }
}

json_t *mass_info_networks_json(const mass_model *m)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) {
        const mass_network_def *const n = &m->networks->list[i];
        const degrees d = degrees_of(&n->ends);
        json_t *const attributes = json_array();
        for (uint32_t k = 0; k < m->networks->attribute_count; k++)
            if (m->networks->attributes[k].network == i)
                json_array_append_new(attributes, json_string(m->networks->attributes[k].name));
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:b, s:o, s:[I, f, I], s:o}", "name",
                                              m->spaces[n->space].name, "nodes", (json_int_t)n->ends.nodes, "edges",
                                              (json_int_t)n->edges, "directed", n->directed, "file",
                                              n->file ? mass_text_json(n->file) : json_null(), "degrees",
                                              (json_int_t)d.least, d.mean, (json_int_t)d.most, "attributes",
                                              attributes));
    }
    return list;
}
