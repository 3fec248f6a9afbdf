/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/diagram.h"

#include <stdlib.h>
#include <string.h>

/* Orders to try. Each is drawn from the bottom, which takes time in proportion to the size of the tables. */
enum { ORDERS_MOST = 300, ORDERS_LEAST = 6, ENTRIES_TRIED = 1 << 22, HASHES = 2 * MASS_RULE_NODES_MOST };

typedef struct drawing {
    uint8_t order[MASS_RULE_PROBES_MOST]; /* inputs; the one tested last comes first */
    mass_rule_node nodes[MASS_RULE_NODES_MOST];
    uint32_t count;
    uint16_t values[MASS_RULE_OUTPUTS_MOST];
} drawing;

typedef struct table_of_nodes {
    uint16_t slots[HASHES]; /* 0: free; else a value */
    uint16_t *values;       /* [outputs][entries] values of the drawing so far, level by level */
    uint32_t *entries;      /* numbers of table entries, in the order of the drawing */
} table_of_nodes;

/* Returns the value of `input ? high : low`, of a node that is there or is added; 0: there are too many nodes. */
static uint16_t node_of(table_of_nodes *u, drawing *d, uint32_t input, uint16_t high, uint16_t low)
{
    uint32_t at = (high * 40503u + low * 30011u) % HASHES;
    for (; u->slots[at]; at = (at + 1) % HASHES) {
        const mass_rule_node *n = &d->nodes[u->slots[at] - 2];
        if (n->input == input && n->high == high && n->low == low) return u->slots[at];
    }
    if (d->count == MASS_RULE_NODES_MOST) return 0;
    d->nodes[d->count] = (mass_rule_node){(uint16_t)input, high, low};
    return u->slots[at] = (uint16_t)(2 + d->count++);
}

/* Draws one level of all outputs, for the input that is tested there. Each pair of values becomes one. Returns false if
 * the drawing now has at least `most` nodes, or needs more than there can be. */
static bool draw_level(const mass_rule_tables *t, table_of_nodes *u, drawing *d, uint32_t level, uint32_t most)
{
    const size_t entries = (size_t)1 << t->input_count, pairs = entries >> (level + 1);
    memset(u->slots, 0, sizeof u->slots);
    for (uint32_t o = 0; o < t->count; o++) {
        uint16_t *v = u->values + o * entries;
        for (size_t i = 0; i < pairs; i++) {
            const uint16_t low = v[2 * i], high = v[2 * i + 1];
            v[i] = low == high ? low : node_of(u, d, d->order[level], high, low);
            if (v[i] == 0 && low != high) return false;
        }
    }
    return d->count < most;
}

/* Draws in the order d->order: sets the nodes and values of *d. Returns false if it takes at least `most` nodes. */
static bool draw(const mass_rule_tables *t, table_of_nodes *u, drawing *d, uint32_t most)
{
    const size_t entries = (size_t)1 << t->input_count;
    d->count = 0;
    u->entries[0] = 0;
    for (uint32_t level = 0; level < t->input_count; level++)
        for (size_t i = 0, n = (size_t)1 << level; i < n; i++)
            u->entries[n + i] = u->entries[i] | 1u << d->order[level];
    for (uint32_t o = 0; o < t->count; o++)
        for (size_t i = 0; i < entries; i++) u->values[o * entries + i] = t->list[o].bits[u->entries[i]];
    for (uint32_t level = 0; level < t->input_count; level++)
        if (!draw_level(t, u, d, level, most)) return false;
    for (uint32_t o = 0; o < t->count; o++) d->values[o] = u->values[o * entries];
    return true;
}

/* Advances the state and returns 31 pseudorandom bits. */
static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Changes the order of inputs. any: to a random order; else moves one random input. *random: the state of
 * next_random. */
static void change_order(uint8_t *order, uint32_t count, bool any, uint64_t *random)
{
    if (count == 0) return;
    if (any) {
        for (uint32_t i = count - 1; i > 0; i--) {
            const uint32_t k = next_random(random) % (i + 1);
            const uint8_t kept = order[i];
            order[i] = order[k];
            order[k] = kept;
        }
        return;
    }
    const uint32_t from = next_random(random) % count, to = next_random(random) % count;
    const uint8_t moved = order[from];
    memmove(order + from, order + from + 1, count - from - 1);
    memmove(order + to + 1, order + to, count - to - 1);
    order[to] = moved;
}

/* Sets *best to the drawing with the fewest nodes. tried: scratch. Returns false if all orders need too many. */
static bool find_best(const mass_rule_tables *t, table_of_nodes *u, drawing *tried, drawing *best)
{
    const size_t work = ((size_t)t->count << t->input_count) + 1;
    size_t orders = ENTRIES_TRIED / work;
    orders = orders < ORDERS_LEAST ? ORDERS_LEAST : orders > ORDERS_MOST ? ORDERS_MOST : orders;
    uint64_t random = 1;
    bool found = false;
    for (uint32_t i = 0; i < t->input_count; i++) best->order[i] = (uint8_t)i;
    for (size_t i = 0; i < orders; i++) {
        memcpy(tried->order, best->order, sizeof tried->order);
        if (i) change_order(tried->order, t->input_count, i < orders / 2, &random);
        if (!draw(t, u, tried, found ? best->count : MASS_RULE_NODES_MOST)) continue;
        *best = *tried;
        found = true;
    }
    return found;
}

mass_status mass_rule_draw(const mass_rule_tables *t, mass_rule *rule, bool *fits, mass_error *error)
{
    const size_t entries = (size_t)1 << t->input_count;
    drawing *drawings = malloc(2 * sizeof *drawings);
    table_of_nodes *u = malloc(sizeof *u);
    if (u) u->values = malloc(entries * (t->count + 1) * sizeof *u->values);
    if (u) u->entries = malloc(entries * sizeof *u->entries);
    const bool room = drawings && u && u->values && u->entries;
    *fits = room && find_best(t, u, &drawings[0], &drawings[1]);
    mass_rule_node *nodes = *fits ? malloc((drawings[1].count + 1) * sizeof *nodes) : NULL;
    if (nodes) {
        rule->nodes = memcpy(nodes, drawings[1].nodes, drawings[1].count * sizeof *nodes);
        rule->node_count = drawings[1].count;
        for (uint32_t o = 0; o < t->count; o++) rule->outputs[o].value = drawings[1].values[o];
    }
    const bool lacking = !room || (*fits && !nodes);
    if (u) free(u->values);
    if (u) free(u->entries);
    free(u);
    free(drawings);
    return lacking ? mass_error_memory(error, entries * sizeof *u->values, "a rule") : MASS_OK;
}
