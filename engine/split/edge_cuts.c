/* SPDX-License-Identifier: Apache-2.0 */
#include "split/edge_cuts.h"

#include <stdlib.h>

/* Counts the edges that come into the nodes of one part, `first` to before `end`. marks: a bit for each node, all 0
 * before and after. */
static mass_edge_part part_of(const mass_edge_ends *e, mass_gidx first, mass_gidx end, uint8_t *marks)
{
    const uint64_t begin = e->first[first], behind = e->first[end];
    mass_edge_part p = {.nodes = end - first, .edges = behind - begin};
    for (uint64_t k = begin; k < behind; k++) {
        const uint32_t source = e->source[k];
        const uint8_t bit = (uint8_t)(1u << source % 8);
        if (source >= (uint64_t)first && source < (uint64_t)end) continue;
        p.cut++;
        p.ghosts += !(marks[source / 8] & bit);
        marks[source / 8] |= bit;
    }
    for (uint64_t k = begin; k < behind; k++) marks[e->source[k] / 8] = 0;
    return p;
}

mass_status mass_edge_cuts_find(const mass_share *share, const mass_model *m, const mass_network_def *n, int32_t each,
                                mass_edge_cuts *out, mass_error *error)
{
    const mass_space_def *const space = &m->spaces[n->space];
    const size_t bytes = (size_t)n->ends.nodes / 8 + 1;
    uint64_t most = 0;
    *out = (mass_edge_cuts){.count = share->partitions / each};
    uint8_t *const marks = calloc(bytes, 1);
    out->parts = calloc((size_t)out->count, sizeof *out->parts);
    if (!marks || !out->parts) {
        free(marks);
        return mass_error_memory(error, bytes, "the edges of each part");
    }
    for (int32_t i = 0; i < out->count; i++) {
        out->parts[i] = part_of(&n->ends, mass_share_row(share, space, i * each),
                                mass_share_row(share, space, (i + 1) * each), marks);
        out->edges += out->parts[i].edges;
        out->cut += out->parts[i].cut;
        if (out->parts[i].edges > most) most = out->parts[i].edges;
    }
    out->balance = out->edges ? (double)most * out->count / (double)out->edges : 1;
    free(marks);
    return MASS_OK;
}

void mass_edge_cuts_free(mass_edge_cuts *cuts)
{
    free(cuts->parts);
    *cuts = (mass_edge_cuts){0};
}

double mass_edge_cuts_fraction(const mass_edge_cuts *cuts)
{
    return cuts->edges ? (double)cuts->cut / (double)cuts->edges : 0;
}
