/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/info_network.h"
#include "base/plural.h"
#include "base/escape.h"
#include "command/report/explain_network.h"
#include "network/measures.h"
#include "text/json.h"

#include <inttypes.h>

enum { NAMES_SHOWN = 3 };

#define LEAD "                   " /* the begin of a line without a network's name */

/* Returns whether a network is divided into several parts, and has nodes for each. */
static bool is_divided(const mass_share *share, const mass_network_def *n)
{
    return share->partitions > 1 && share->partitions <= n->ends.nodes;
}

/* Prints components and clustering, and the first names if nodes have any, in lines of their own. status: that of
 * the measures, without which it prints that memory was short. */
static void put_more(const mass_network_def *n, const mass_network_measures *m, mass_status status, FILE *to)
{
    if (status != MASS_OK) mass_print(to, "  %-16s components were not counted: memory is short\n", "");
    else {
        if (m->components == 1) mass_print(to, "  %-16s 1 component; ", "");
        else mass_print(to, "  %-16s %" PRId64 " components, the largest of %" PRId64 " node%s; ", "", m->components,
                        m->largest, mass_plural(m->largest));
        mass_print(to, "clustering %.6g", m->clustering);
        if (m->sampled < n->ends.nodes) mass_print(to, ", of %" PRId64 " node%s", m->sampled, mass_plural(m->sampled));
        mass_print(to, "\n");
    }
    if (!n->names.count) return;
    mass_print(to, "  %-16s %" PRIu32 " node%s names: ", "", n->names.count, n->names.count == 1 ? " has" : "s have");
    for (uint32_t i = 0; i < n->names.count && i < NAMES_SHOWN; i++)
        mass_print(to, "%s%" PRIu32 " is %s", i ? ", " : "", i, mass_node_name(&n->names, i));
    mass_print(to, "%s\n", n->names.count > NAMES_SHOWN ? " ..." : "");
}

void mass_info_put_networks(const mass_share *share, const mass_model *m, FILE *to)
{
    const struct mass_networks *const all = m->networks;
    if (!all) return;
    mass_print(to, "\nnetworks\n");
    for (uint32_t i = 0; i < all->count; i++) {
        const mass_network_def *const n = &all->list[i];
        mass_network_measures d;
        mass_error short_of = {0};
        const mass_status status = mass_network_measure(&n->ends, &d, &short_of);
        mass_print(to, "  %-16s %" PRId64 " node%s%s%s, %" PRIu64 " %sedge%s%s%s%s; %" PRIu64 " to %" PRIu64 " come "
                   "into a node, %.6g in the mean\n", n->name, n->ends.nodes, mass_plural(n->ends.nodes),
                   n->set ? " of " : "", n->set ? m->spaces[n->space].name : "", n->edges,
                   n->directed ? "directed " : "", mass_plural(n->edges), n->file ? " of " : "", n->file ? n->file : "",
                   n->population >= 0 ? ", which change" : "", d.least, d.most,
                   d.mean);
        if (n->dies >= 0)
            mass_print(to, "  %-16s a node's edges end with the last of its %s\n", "", m->populations[n->dies].name);
        put_more(n, &d, status, to);
        if (is_divided(share, n)) mass_explain_put_cuts(share, m, n, LEAD, NULL, to);
    }
    for (uint32_t i = 0; i < all->attribute_count; i++) {
        const mass_edge_attribute_def *const a = &all->attributes[i];
        mass_print(to, "  %-16s %s%sof the edges of %s (%s), ", a->name, a->help, a->help[0] ? "; " : "",
                   all->list[a->network].name, mass_type_name(a->type));
        if (a->from_file) mass_print(to, "from the file\n");
        else mass_print(to, "%.6g each\n", a->initial);
    }
}

json_t *mass_info_networks_json(const mass_share *share, const mass_model *m)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) {
        const mass_network_def *const n = &m->networks->list[i];
        mass_network_measures d;
        mass_error short_of = {0};
        const mass_status status = mass_network_measure(&n->ends, &d, &short_of);
        json_t *const attributes = json_array();
        for (uint32_t k = 0; k < m->networks->attribute_count; k++)
            if (m->networks->attributes[k].network == i)
                json_array_append_new(attributes, json_string(m->networks->attributes[k].name));
        json_t *const one = json_pack("{s:s, s:I, s:I, s:b, s:b, s:o, s:[I, f, I], s:o}", "name", n->name, "nodes",
                                      (json_int_t)n->ends.nodes, "edges", (json_int_t)n->edges, "directed",
                                      n->directed, "changes", n->population >= 0, "file",
                                      n->file ? mass_text_json(n->file) : json_null(), "degrees",
                                      (json_int_t)d.least, d.mean, (json_int_t)d.most, "attributes", attributes);
        if (status == MASS_OK) {
            json_object_set_new(one, "components", json_integer((json_int_t)d.components));
            json_object_set_new(one, "largest", json_integer((json_int_t)d.largest));
            json_object_set_new(one, "clustering", json_real(d.clustering));
        }
        if (n->dies >= 0) json_object_set_new(one, "dies", json_string(m->populations[n->dies].name));
        if (n->names.count) json_object_set_new(one, "named", json_integer((json_int_t)n->names.count));
        if (is_divided(share, n)) mass_explain_add_cuts(share, m, n, one);
        json_array_append_new(list, one);
    }
    return list;
}
