/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/explain_network.h"
#include "base/plural.h"
#include "split/edge_cuts.h"

#include <inttypes.h>

enum { PARTS_SHOWN = 8 };

/* Returns the partitions of a rank. */
static int32_t partitions_of_rank(const mass_share *s)
{
    return mass_share_is_split(s) ? s->partitions / s->comm->size : s->partitions;
}

/* Puts a line for each of the first PARTS_SHOWN parts, and one of how many more there are. */
static void put_parts(const mass_edge_cuts *c, const char *indent, const char *part, FILE *to)
{
    for (int32_t i = 0; i < c->count && i < PARTS_SHOWN; i++) {
        const mass_edge_part *const p = &c->parts[i];
        fprintf(to, "%s%s %" PRId32 ": %" PRId64 " node%s; %" PRIu64 " edge%s come in, %" PRIu64 " of them from %"
                PRId64 " node%s of other %ss\n", indent, part, i, p->nodes, mass_plural(p->nodes), p->edges,
                mass_plural(p->edges), p->cut, p->ghosts, mass_plural(p->ghosts), part);
    }
    if (c->count > PARTS_SHOWN)
        fprintf(to, "%sand %" PRId32 " more %s%s\n", indent, c->count - PARTS_SHOWN, part,
                mass_plural(c->count - PARTS_SHOWN));
}

/* Puts the lines for parts of `each` partitions, or that memory is short. `part` is what a part is called. indent NULL:
 * only the first line. */
static void put_level(const mass_share *share, const mass_model *m, const mass_network_def *n, int32_t each,
                      const char *part, const char *lead, const char *indent, FILE *to)
{
    mass_edge_cuts c;
    mass_error short_of = {0};
    if (mass_edge_cuts_find(share, m, n, each, &c, &short_of) == MASS_OK) {
        fprintf(to, "%sin %" PRId32 " %ss%s: %.3g %% of the edges come from another %s; a %s has at most %.3g times "
                "the mean\n", lead, c.count, part, n->population >= 0 ? ", at the start" : "",
                100 * mass_edge_cuts_fraction(&c), part, part, c.balance);
        if (indent) put_parts(&c, indent, part, to);
    } else fprintf(to, "%sthe edges of each %s were not counted: memory is short\n", lead, part);
    mass_edge_cuts_free(&c);
}

void mass_explain_put_cuts(const mass_share *share, const mass_model *m, const mass_network_def *n, const char *lead,
                           const char *indent, FILE *to)
{
    const int32_t each = partitions_of_rank(share);
    const bool split = mass_share_is_split(share);
    if (each > 1) put_level(share, m, n, 1, "part", lead, indent, to);
    if (split) put_level(share, m, n, each, "rank", lead, indent, to);
}

void mass_explain_put_networks(const mass_share *share, const mass_model *m, FILE *to)
{
    char lead[MASS_NAME_SIZE + 16];
    for (uint32_t i = 0; m->networks && share->partitions > 1 && i < m->networks->count; i++) {
        snprintf(lead, sizeof lead, "network %s ", m->networks->list[i].name);
        mass_explain_put_cuts(share, m, &m->networks->list[i], lead, "  ", to);
    }
}

/* Returns a new array of the parts, each with nodes, edges, cut and ghosts. */
static json_t *parts_json(const mass_edge_cuts *c)
{
    json_t *const list = json_array();
    for (int32_t i = 0; i < c->count; i++) {
        const mass_edge_part *const p = &c->parts[i];
        json_array_append_new(list, json_pack("{s:I, s:I, s:I, s:I}", "nodes", (json_int_t)p->nodes, "edges",
                                              (json_int_t)p->edges, "cut", (json_int_t)p->cut, "ghosts",
                                              (json_int_t)p->ghosts));
    }
    return list;
}

void mass_explain_add_cuts(const mass_share *share, const mass_model *m, const mass_network_def *n, json_t *to)
{
    mass_edge_cuts c;
    mass_error short_of = {0};
    if (mass_edge_cuts_find(share, m, n, 1, &c, &short_of) == MASS_OK) {
        json_object_set_new(to, "parts", json_integer(c.count));
        json_object_set_new(to, "cut", json_real(mass_edge_cuts_fraction(&c)));
        json_object_set_new(to, "balance", json_real(c.balance));
        json_object_set_new(to, "by_part", parts_json(&c));
    }
    mass_edge_cuts_free(&c);
    if (!mass_share_is_split(share)) return;
    if (mass_edge_cuts_find(share, m, n, partitions_of_rank(share), &c, &short_of) == MASS_OK)
        json_object_set_new(to, "by_rank", parts_json(&c));
    mass_edge_cuts_free(&c);
}

json_t *mass_explain_networks_json(const mass_share *share, const mass_model *m)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; m->networks && share->partitions > 1 && i < m->networks->count; i++) {
        json_t *const one = json_pack("{s:s}", "name", m->networks->list[i].name);
        mass_explain_add_cuts(share, m, &m->networks->list[i], one);
        json_array_append_new(list, one);
    }
    return list;
}
