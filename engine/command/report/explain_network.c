/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/explain_network.h"
#include "model/network.h"

#include <inttypes.h>

/* How a network is cut. */
typedef struct cuts {
    uint64_t edges, cut; /* that come into a node; and from a node of another part */
    double balance;      /* the most of a part, relative to the mean */
} cuts;

/* Counts the edges of a network that come from a node of another part. */
static cuts cuts_of(const mass_domain *d, const mass_network_def *n)
{
    const mass_space_def *const space = &d->model->spaces[n->space];
    cuts c = {.edges = n->ends.count};
    uint64_t most = 0;
    for (int32_t p = 0; p < d->share.partitions; p++) {
        const mass_gidx first = mass_share_row(&d->share, space, p), end = mass_share_row(&d->share, space, p + 1);
        const uint64_t begin = n->ends.first[first], behind = n->ends.first[end];
        for (uint64_t k = begin; k < behind; k++)
            c.cut += n->ends.source[k] < (uint64_t)first || n->ends.source[k] >= (uint64_t)end;
        if (behind - begin > most) most = behind - begin;
    }
    c.balance = c.edges ? (double)most * d->share.partitions / (double)c.edges : 1;
    return c;
}

/* Returns the share of these edges among all. */
static double part_cut(const cuts *c) { return c->edges ? (double)c->cut / (double)c->edges : 0; }

void mass_explain_put_networks(const mass_domain *d, FILE *to)
{
    const struct mass_networks *const all = d->model->networks;
    for (uint32_t i = 0; all && d->share.partitions > 1 && i < all->count; i++) {
        const cuts c = cuts_of(d, &all->list[i]);
        fprintf(to, "network %s in %" PRId32 " parts: %.3g %% of the edges come from another part; a part has at most "
                "%.3g times the mean\n", all->list[i].name, d->share.partitions,
                100 * part_cut(&c), c.balance);
    }
}

json_t *mass_explain_networks_json(const mass_domain *d)
{
    const struct mass_networks *const all = d->model->networks;
    json_t *const list = json_array();
    for (uint32_t i = 0; all && d->share.partitions > 1 && i < all->count; i++) {
        const cuts c = cuts_of(d, &all->list[i]);
        json_array_append_new(list, json_pack("{s:s, s:i, s:f, s:f}", "name",
                                              all->list[i].name, "parts",
                                              (int)d->share.partitions, "cut", part_cut(&c), "balance", c.balance));
    }
    return list;
}
