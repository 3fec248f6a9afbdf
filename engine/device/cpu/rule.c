/* SPDX-License-Identifier: Apache-2.0 */
/* Translates a rule's nodes into operations between words. A node that only one other node reads becomes part of that
 * node's operation, so that nothing is written between them. A slot is reused as soon as its value has no more readers;
 * so slots are few and fit into the nearest cache. */
#include "device/cpu/rule.h"
#include "bits.h"
#include "cpu/bits_step.h"
#include "rule/rule.h"

#include <stdlib.h>

typedef struct followed {
    const mass_rule *rule;
    mass_bits_program program;
    mass_bits_operation *operations;
    mass_bits_output *outputs;
} followed;

struct mass_cpu_rules {
    const mass_world_rules *rules;
    uint32_t isa, count; /* count: of `rules`, which may have been freed before these */
    bool tallies;        /* all are rules of tallies, too */
    followed list[];     /* [count] */
};

void mass_cpu_rules_free(mass_cpu_rules *r)
{
    for (uint32_t i = 0; r && i < r->count; i++) {
        free(r->list[i].operations);
        free(r->list[i].outputs);
    }
    free(r);
}

/* ---- from nodes to operations ---- */

/* How a node is translated. */
typedef struct plan {
    uint32_t at;    /* the node whose operation computes it: itself, or the node that reads it */
    uint32_t reads; /* number of reads of its value */
    bool holds;     /* its operation includes another node */
} plan;

typedef struct translation {
    const mass_rule *rule;
    followed *into;
    plan *plans;      /* [nodes] */
    uint32_t *last;   /* [values] the node whose operation reads a value last; UINT32_MAX: an output reads it */
    uint16_t *slots;  /* [values] */
    uint32_t input_last[MASS_RULE_INPUTS_MOST];
    uint16_t input_slots[MASS_RULE_INPUTS_MOST]; /* 0: not made yet */
    uint16_t free[MASS_BITS_SLOTS];
    uint32_t free_count;
    bool full; /* a program cannot have so many slots */
} translation;

/* Returns a slot for a value. If there is none, sets t->full and returns 0. */
static uint16_t take_slot(translation *t)
{
    if (t->free_count) return t->free[--t->free_count];
    t->full |= t->into->program.slots == MASS_BITS_SLOTS;
    return t->full ? 0 : (uint16_t)t->into->program.slots++;
}

/* Returns a slot to those that are free. Does nothing once slots have run out. */
static void give_slot(translation *t, uint16_t slot)
{
    if (!t->full) t->free[t->free_count++] = slot;
}

/* Appends an operation to the program. */
static void emit(translation *t, mass_bits_operation operation)
{
    mass_bits_program *p = &t->into->program;
    t->into->operations[p->operation_count++] = operation;
}

/* Counts how often each node is read; outputs count twice, so that their nodes remain operations. Also makes each node
 * an operation of its own. */
static void count_reads(translation *t)
{
    const mass_rule *r = t->rule;
    for (uint32_t i = 0; i < r->node_count; i++) {
        const mass_rule_node *n = &r->nodes[i];
        t->plans[i].at = i;
        if (n->high >= 2) t->plans[n->high - 2].reads++;
        if (n->low >= 2) t->plans[n->low - 2].reads++;
    }
    for (uint32_t o = 0; o < r->output_count; o++)
        if (r->outputs[o].value >= 2) t->plans[r->outputs[o].value - 2].reads += 2; /* 2, so that it does not become
                                                                                       part of another operation */
}

/* Makes a value part of the operation of `node`, if no other node reads it and it contains no other node. Returns
 * whether it did. */
static bool join(translation *t, uint16_t value, uint32_t node)
{
    plan *const p = value >= 2 ? &t->plans[value - 2] : NULL;
    const bool joins = p && p->reads == 1 && !p->holds;
    if (joins) p->at = node;
    return joins;
}

/* Joins nodes, beginning at the bottom, where most nodes are. Sets `holds` of the operations that include another
 * node. */
static void join_nodes(translation *t)
{
    for (uint32_t i = 0; i < t->rule->node_count; i++) {
        const bool high = join(t, t->rule->nodes[i].high, i), low = join(t, t->rule->nodes[i].low, i);
        t->plans[i].holds = high || low;
    }
}

/* Notes that `node` reads a value, if no later node does. */
static void read_at(uint32_t *last, uint32_t node) { *last = node > *last ? node : *last; }

/* Finds the last operation that reads each value and each shifted input. What an output reads is kept to the end. */
static void find_last_reads(translation *t)
{
    const mass_rule *r = t->rule;
    for (uint32_t i = 0; i < r->node_count; i++) {
        const uint32_t at = t->plans[i].at;
        read_at(&t->last[r->nodes[i].high], at);
        read_at(&t->last[r->nodes[i].low], at);
        read_at(&t->input_last[r->nodes[i].input], at);
    }
    for (uint32_t o = 0; o < r->output_count; o++) t->last[r->outputs[o].value] = UINT32_MAX;
}

/* Returns the slot of an input's words. Emits a shift if the input has an offset along x, and no slot yet. */
static uint16_t slot_of_input(translation *t, uint16_t input)
{
    if (t->rule->inputs[input].x == 0) return (uint16_t)(2 + input);
    if (t->input_slots[input]) return t->input_slots[input];
    t->input_slots[input] = take_slot(t);
    emit(t, (mass_bits_operation){.kind = MASS_BITS_SHIFT, .to = t->input_slots[input], .input = input});
    return t->input_slots[input];
}

/* Returns the simplest operation that gives the node's value. */
static mass_bits_kind kind_of(const mass_rule_node *n)
{
    if (n->high == 0 && n->low == 1) return MASS_BITS_NOT;
    if (n->high == 1) return MASS_BITS_OR; /* also if low is 0 */
    if (n->low == 0) return MASS_BITS_AND;
    if (n->high == 0) return MASS_BITS_LESS;
    return n->low == 1 ? MASS_BITS_MORE : MASS_BITS_CHOOSE;
}

/* Returns the node that operation `node` includes and that has this value, or NULL. */
static const mass_rule_node *part_of(const translation *t, uint32_t node, uint16_t value)
{
    return value >= 2 && t->plans[value - 2].at == node ? &t->rule->nodes[value - 2] : NULL;
}

/* Frees a value's slot if `node` is its last reader. */
static void give_value(translation *t, uint32_t node, uint16_t value)
{
    if (value < 2 || t->last[value] != node) return;
    give_slot(t, t->slots[value]);
    t->last[value] = UINT32_MAX;
}

/* Frees a shifted input's slot if `node` is its last reader. */
static void give_input(translation *t, uint32_t node, uint16_t input)
{
    if (!t->input_slots[input] || t->input_last[input] != node) return;
    give_slot(t, t->input_slots[input]);
    t->input_slots[input] = 0;
}

/* Frees the slots that the operation of node `node` reads last. */
static void give_back(translation *t, uint32_t node)
{
    const mass_rule_node *n = &t->rule->nodes[node];
    const mass_rule_node *const done[] = {n, part_of(t, node, n->high), part_of(t, node, n->low)};
    for (int i = 0; i < 3; i++) {
        if (!done[i]) continue;
        if (!part_of(t, node, done[i]->high)) give_value(t, node, done[i]->high);
        if (!part_of(t, node, done[i]->low)) give_value(t, node, done[i]->low);
        give_input(t, node, done[i]->input);
    }
}

/* Returns the operation of a node, including those that it has joined, but without its slot `to`. May emit a shift for
 * an input. */
static mass_bits_operation operation_of(translation *t, uint32_t node)
{
    const mass_rule_node *n = &t->rule->nodes[node];
    const mass_rule_node *high = part_of(t, node, n->high), *low = part_of(t, node, n->low);
    mass_bits_operation o = {.kind = high && low ? MASS_BITS_CHOOSE_BOTH : high ? MASS_BITS_CHOOSE_HIGH
                                   : low ? MASS_BITS_CHOOSE_LOW : kind_of(n),
                             .x = slot_of_input(t, n->input), .high = t->slots[high ? high->high : n->high],
                             .low = t->slots[low ? low->high : n->low]};
    if (high) o.y = slot_of_input(t, high->input), o.high_else = t->slots[high->low];
    if (low) o.z = slot_of_input(t, low->input), o.low_else = t->slots[low->low];
    return o;
}

/* Emits an operation for each node that is not part of another, unless slots run out. */
static void translate_nodes(translation *t)
{
    t->slots[1] = 1;
    for (uint32_t i = 0; i < t->rule->node_count && !t->full; i++) {
        if (t->plans[i].at != i) continue;
        mass_bits_operation o = operation_of(t, i);
        o.to = t->slots[2 + i] = take_slot(t);
        emit(t, o);
        give_back(t, i);
    }
}

/* Finds the output from whose old and new bit all that a place adds to a sum follows: o->after, with what is added in
 * o->adds. MASS_BITS_FIELDS: there is none. */
static void find_change(const mass_rule *r, mass_bits_output *o, const mass_rule_output *sum)
{
    o->after = 0;
    while (o->after < r->output_count &&
           (r->outputs[o->after].kind != MASS_RULE_FIELD ||
            !mass_rule_adds_by_change(r, sum, &r->outputs[o->after], o->adds)))
        o->after++;
    if (o->after == r->output_count) o->after = MASS_BITS_FIELDS;
}

/* Translates the rule's inputs and outputs into those of the program of bits. Values must have their slots. */
static void translate_rest(translation *t)
{
    const mass_rule *r = t->rule;
    mass_bits_program *p = &t->into->program;
    for (uint32_t i = 0; i < r->input_count; i++) {
        const mass_rule_input *in = &r->inputs[i];
        p->inputs[i] = (mass_bits_input){in->field, in->x, in->y, in->z};
    }
    for (uint32_t o = 0; o < r->output_count; o++) {
        const mass_rule_output *out = &r->outputs[o];
        t->into->outputs[o] = (mass_bits_output){out->field, out->kind == MASS_RULE_SUM, out->weight,
                                                 t->slots[out->value], out->birth, out->survive, 0, {{0}}};
        if (out->kind == MASS_RULE_SUM && p->counted) find_change(r, &t->into->outputs[o], out);
    }
    p->operations = t->into->operations;
    p->outputs = t->into->outputs;
    p->output_count = r->output_count;
}

/* Returns whether a rule is by counts of a field; its outputs may still not depend on it. */
static bool is_counted(const mass_rule *r) { return r->counted && r->input_count > 0; }

/* Translates a rule to a program. Returns false if it needs too many slots and is not by counts. */
static bool translate(translation *t)
{
    const mass_rule *r = t->rule;
    mass_bits_program *p = &t->into->program;
    p->counted = is_counted(r);
    p->von_neumann = r->von_neumann;
    p->input_count = r->input_count;
    p->slots = 2 + r->input_count;
    count_reads(t);
    join_nodes(t);
    find_last_reads(t);
    translate_nodes(t);
    translate_rest(t);
    return !t->full || p->counted;
}

/* Returns whether a word program can hold the rule's inputs and outputs. */
static bool fits(const mass_rule *r)
{
    bool fits = r->input_count <= MASS_BITS_INPUTS && r->output_count <= MASS_BITS_FIELDS;
    for (uint32_t i = 0; i < r->input_count; i++) fits &= abs(r->inputs[i].x) < MASS_BITS_WORD;
    return fits;
}

/* Translates one rule. Sets *follows to false if it needs too many slots. The caller frees the lists of *out in any
 * case. */
static mass_status follow_one(const mass_rule *rule, followed *out, bool *follows, mass_error *error)
{
    translation *t = calloc(1, sizeof *t);
    out->operations = calloc(rule->node_count + rule->input_count + 1, sizeof *out->operations);
    out->outputs = calloc(rule->output_count + 1, sizeof *out->outputs);
    if (t) t->plans = calloc(rule->node_count + 1, sizeof *t->plans);
    if (t) t->last = calloc(rule->node_count + 2, sizeof *t->last);
    if (t) t->slots = calloc(rule->node_count + 2, sizeof *t->slots);
    const bool room = t && out->operations && out->outputs && t->plans && t->last && t->slots;
    if (room) {
        t->rule = out->rule = rule;
        t->into = out;
    }
    *follows = room && translate(t);
    if (t) free(t->plans);
    if (t) free(t->last);
    if (t) free(t->slots);
    free(t);
    return room ? MASS_OK : mass_error_memory(error, rule->node_count * sizeof *out->operations, "a rule");
}

mass_status mass_cpu_follow(mass_device *device, mass_prepared *prepared, const mass_world_rules *rules, bool *follows,
                            mass_error *error)
{
    mass_cpu_rules *r = calloc(1, sizeof *r + rules->count * sizeof *r->list);
    mass_status status = r ? MASS_OK : mass_error_memory(error, rules->count * sizeof *r->list, "rules");
    *follows = r != NULL;
    if (r) *r = (mass_cpu_rules){.rules = rules, .isa = ((mass_cpu *)device)->isa, .count = rules->count,
                                      .tallies = true};
    for (uint32_t i = 0; status == MASS_OK && *follows && i < rules->count; i++) {
        *follows = fits(rules->list[i]);
        r->tallies &= rules->list[i]->tallies;
        if (*follows) status = follow_one(rules->list[i], &r->list[i], follows, error);
    }
    if (status == MASS_OK && *follows) prepared->rules = r;
    else mass_cpu_rules_free(r);
    return status;
}

/* ---- launches ---- */

bool mass_cpu_follows(const mass_work *work)
{
    const mass_cpu_rules *r = work->prepared->rules;
    return r && work->steps <= 1 && (!work->tallies || r->tallies);
}

const mass_world_rules *mass_cpu_rules_of(const mass_prepared *prepared) { return prepared->rules->rules; }

/* Returns the program of a world's rule. */
static const mass_bits_program *program_of(const mass_cpu_rules *r, int64_t world)
{
    return &r->list[r->rules->of[world]].program;
}

/* Runs the rules over a range. Consecutive worlds with the same rule are one call. */
void mass_cpu_run_rule(const mass_cpu_thread_parts *s, void *const *fields, const mass_range *range)
{
    const mass_cpu_rules *r = s->work->prepared->rules;
    const mass_launch *l = &s->launch;
    const int64_t rows = (int64_t)l->extent[1] * l->extent[2];
    mass_range part = *range;
    for (part.first_row = range->first_row; part.first_row < range->last_row; part.first_row = part.last_row) {
        const int64_t world = part.first_row / rows;
        part.last_row = rows * mass_world_rules_same(r->rules, (int32_t)world);
        if (part.last_row > range->last_row) part.last_row = range->last_row;
        mass_cpu_step_bits(program_of(r, world), r->isa, fields, s->work->tallies, l, &part);
    }
}

bool mass_cpu_counts_changes(const mass_prepared *p)
{
    const mass_cpu_rules *r = p->rules;
    bool can = r && r->tallies;
    for (uint32_t k = 0; can && k < r->count; k++) {
        const mass_bits_program *program = &r->list[k].program;
        can = program->counted;
        for (uint32_t i = 0; can && i < program->output_count; i++)
            can = !program->outputs[i].sum || program->outputs[i].after < MASS_BITS_FIELDS;
    }
    return can;
}

void mass_cpu_count_changes_in(const mass_prepared *p, int64_t world, void *const *fields, const mass_launch *l,
                               const mass_range *range)
{
    mass_cpu_count_bits(program_of(p->rules, world), p->rules->isa, fields, l, range);
}

void mass_cpu_run_rule_in(const mass_prepared *p, int64_t world, void *const *fields, const mass_launch *l,
                          const mass_range *range)
{
    mass_cpu_step_bits(program_of(p->rules, world), p->rules->isa, fields, false, l, range);
}
