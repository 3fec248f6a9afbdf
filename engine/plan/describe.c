/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/describe.h"
#include "model/network.h"
#include "population/requests.h"

#include <string.h>

const char *mass_plan_data_name(mass_data data)
{
    static const char *const names[] = {
        [MASS_DATA_PLACES] = "places", [MASS_DATA_GHOSTS] = "ghosts", [MASS_DATA_AGENTS] = "agents",
        [MASS_DATA_CHILDREN] = "children", [MASS_DATA_SPROUTS] = "sprouts",
        [MASS_DATA_ORDER] = "order", [MASS_DATA_REQUESTS] = "requests",
        [MASS_DATA_PARAMETER] = "parameter", [MASS_DATA_TALLY] = "tally", [MASS_DATA_TOTAL] = "total",
        [MASS_DATA_SETTLED] = "value of a tally",
        [MASS_DATA_GATES] = "gates", [MASS_DATA_UNTIL] = "stop condition", [MASS_DATA_INPUT] = "input",
        [MASS_DATA_LINKED] = "linked", [MASS_DATA_EDGES] = "edges",
        [MASS_DATA_BEFORE] = "before", [MASS_DATA_ADDED] = "added"};
    return names[data];
}

const char *mass_plan_operation_name(const mass_model *m, const mass_plan_operation *op)
{
    static const char *const names[MASS_PLAN_KINDS] = {
        [MASS_PLAN_RESET] = "reset", [MASS_PLAN_POPULATE] = "populate", [MASS_PLAN_GUARD_MEMORY] = "guard",
        [MASS_PLAN_READ] = "read", [MASS_PLAN_ALL_REDUCE] = "allreduce", [MASS_PLAN_GATE] = "gate",
        [MASS_PLAN_REFRESH] = "refresh", [MASS_PLAN_EXCHANGE] = "exchange", [MASS_PLAN_DELIVER] = "deliver",
        [MASS_PLAN_CLEAR] = "clear", [MASS_PLAN_LAUNCH] = "launch", [MASS_PLAN_ADD] = "add",
        [MASS_PLAN_MANAGE] = "manage", [MASS_PLAN_SWAP] = "swap", [MASS_PLAN_DISCARD] = "drop",
        [MASS_PLAN_CENSUS] = "census", [MASS_PLAN_CONSUMED] = "consumed", [MASS_PLAN_COUNT] = "count",
        [MASS_PLAN_LOOK] = "look", [MASS_PLAN_NEARBY] = "nearby", [MASS_PLAN_ADD_NEARBY] = "addnearby",
        [MASS_PLAN_LINE_UP] = "lineup", [MASS_PLAN_RESTORE] = "restore",
        [MASS_PLAN_SETTLE] = "settle", [MASS_PLAN_SPROUT] = "sprout",
        [MASS_PLAN_GATHER] = "gather", [MASS_PLAN_LINK] = "linked",
        [MASS_PLAN_EDGES] = "edges", [MASS_PLAN_RELINK] = "relink",
        [MASS_PLAN_INDEX] = "index", [MASS_PLAN_FULL] = "full", [MASS_PLAN_COLLECT] = "collect"};
    const bool own = op->kind == MASS_PLAN_LAUNCH && m->phases[op->phase].schedule == MASS_OBSERVE;
    return own ? "reduce" : names[op->kind];
}

const char *mass_plan_when_name(mass_when when)
{
    static const char *const names[] = {[MASS_ALWAYS] = "always", [MASS_OBSERVED] = "observed",
        [MASS_RECORDED] = "recorded", [MASS_UNTIL] = "until", [MASS_NEVER] = "never"};
    return names[when];
}

/* Prints an array by its name: "grid.temperature[1]". */
static void put_array(const mass_model *m, uint32_t array, FILE *to)
{
    const mass_attribute_def *a = &m->attributes[m->arrays[array].attribute];
    fprintf(to, "%s.%s", mass_owner_name(m, a), a->name);
    if (a->length > 1 && a->layout == MASS_PLANES) fprintf(to, "[%u]", m->arrays[array].component);
}

/* Returns the name of a phase's callback, or "manage". */
static const char *phase_name(const mass_model *m, uint32_t phase)
{
    const mass_phase_def *p = &m->phases[phase];
    return p->callback ? p->callback->name : "manage";
}

void mass_plan_put_operand(const mass_model *m, const mass_operand *o, FILE *to)
{
    const mass_parameters *p = &m->parameters;
    switch (o->data) {
    case MASS_DATA_PLACES:
    case MASS_DATA_GHOSTS:
    case MASS_DATA_AGENTS:
    case MASS_DATA_LINKED:
    case MASS_DATA_BEFORE:
    case MASS_DATA_ADDED:
    case MASS_DATA_SPROUTS:
    case MASS_DATA_CHILDREN: put_array(m, o->index, to); break;
    case MASS_DATA_ORDER:
    case MASS_DATA_REQUESTS: fputs(m->populations[o->index].name, to); break;
    case MASS_DATA_PARAMETER: fputs(o->index < p->count ? p->slots[o->index].name : "of a reduction", to); break;
    case MASS_DATA_TALLY:
    case MASS_DATA_SETTLED:
    case MASS_DATA_TOTAL: fputs(m->tallies[o->index].name, to); break;
    case MASS_DATA_EDGES: fputs(m->networks->attributes[o->index].name, to); break;
    case MASS_DATA_GATES: fputs(phase_name(m, o->index), to); break;
    case MASS_DATA_UNTIL:
    case MASS_DATA_INPUT: break;
    }
}

/* Prints the operands of that use, with commas between them. */
static void put_several(const mass_model *m, const mass_plan_operation *op, uint32_t use, FILE *to)
{
    bool first = true;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (op->operands[i].use != use) continue;
        if (!first) fputs(", ", to);
        mass_plan_put_operand(m, &op->operands[i], to);
        first = false;
    }
}

void mass_plan_put_subject(const mass_model *m, const mass_plan_operation *op, FILE *to)
{
    switch (op->kind) {
    case MASS_PLAN_RESET:
    case MASS_PLAN_SETTLE:
    case MASS_PLAN_COUNT: fputs(m->tallies[op->index].name, to); break;
    case MASS_PLAN_POPULATE:
    case MASS_PLAN_GATHER:
    case MASS_PLAN_INDEX:
    case MASS_PLAN_FULL:
    case MASS_PLAN_EDGES:
    case MASS_PLAN_RELINK:
    case MASS_PLAN_MANAGE:
    case MASS_PLAN_SPROUT:
    case MASS_PLAN_DISCARD:
    case MASS_PLAN_NEARBY:
    case MASS_PLAN_ADD_NEARBY:
    case MASS_PLAN_CENSUS: fputs(m->populations[op->index].name, to); break;
    case MASS_PLAN_LINE_UP:
    case MASS_PLAN_RESTORE:
        fputs(mass_phase_turns_places(&m->phases[op->phase]) ? m->spaces[op->index].name
                                                             : m->populations[op->index].name, to);
        break;
    case MASS_PLAN_READ:
    case MASS_PLAN_CONSUMED:
    case MASS_PLAN_REFRESH:
    case MASS_PLAN_CLEAR:
    case MASS_PLAN_COLLECT:
    case MASS_PLAN_LINK:
    case MASS_PLAN_ADD: put_array(m, op->index, to); break;
    case MASS_PLAN_ALL_REDUCE:
    case MASS_PLAN_EXCHANGE:
    case MASS_PLAN_DELIVER: put_several(m, op, MASS_READS, to); break;
    case MASS_PLAN_SWAP: mass_plan_put_operand(m, op->operands, to); break;
    case MASS_PLAN_GATE:
    case MASS_PLAN_LAUNCH: fputs(phase_name(m, op->phase), to); break;
    case MASS_PLAN_GUARD_MEMORY: fputs("agents", to); break;
    case MASS_PLAN_LOOK: fputs("stop condition", to); break;
    case MASS_PLAN_KINDS: break;
    }
}

/* Prints the attributes that a callback uses in one way, without parameters and tallies. *begun: the line has text
 * already; it becomes true with the first. */
static void put_uses(const mass_model *m, const mass_plan_operation *op, uint32_t use, const char *verb, bool *begun,
                     FILE *to)
{
    bool first = true;
    for (uint32_t i = 0; i < m->phases[op->phase].callback->field_count; i++) {
        const mass_operand *o = &op->operands[i];
        const bool counts = o->data == MASS_DATA_TALLY && mass_phase_class(&m->phases[op->phase], i) != MASS_CLASS_KEPT;
        if (o->use != use || o->data == MASS_DATA_PARAMETER || counts) continue;
        fprintf(to, "%s%s ", !first ? "," : *begun ? "; " : "", first ? verb : "");
        mass_plan_put_operand(m, o, to);
        if (o->reach) fprintf(to, " (radius %d)", o->reach);
        if (o->data == MASS_DATA_CHILDREN) fputs(" of children", to);
        if (mass_access_is_nearby(m->phases[op->phase].targets[i].access, m->phases[op->phase].callback->over))
            fputs(" of agents nearby", to);
        if (o->data == MASS_DATA_SPROUTS) fputs(" of sprouts", to);
        *begun = true;
        first = false;
    }
}

/* Prints what a launch reads, writes and counts. */
static void put_launch(const mass_model *m, const mass_plan_operation *op, FILE *to)
{
    bool begun = false;
    put_uses(m, op, MASS_READS, "reads", &begun, to);
    put_uses(m, op, MASS_READS | MASS_WRITES, "updates", &begun, to);
    put_uses(m, op, MASS_WRITES, "writes", &begun, to);
    if (op->counts != MASS_NEVER)
        fprintf(to, "%s%s", begun ? "; " : "", op->counts == MASS_ALWAYS ? "counts" : "counts if observed");
}

/* Prints the axes along which ghosts are stale, or that none are. */
static void put_stale_axes(uint32_t axes, uint32_t dimensions, FILE *to)
{
    bool first = true;
    for (uint32_t a = 0; a < dimensions; a++) {
        if (!(axes >> a & 1)) continue;
        fprintf(to, "%s%c", first ? "ghosts along " : ", ", "xyz"[a]);
        first = false;
    }
    if (first) fputs("ghosts are right already", to);
}

/* Writes the axes of an exchange of ghosts, and whether it is between ranks. */
static void put_exchange(const mass_model *m, const mass_plan_operation *op, FILE *to)
{
    const mass_array_def *array = &m->arrays[op->operands->index];
    put_stale_axes(op->axes, m->spaces[m->attributes[array->attribute].space].dimensions, to);
    if (op->axes) fputs(", between ranks", to);
}

/* Writes a phase's condition as text, such as "where ants > 5". */
static void put_condition(const mass_model *m, const mass_condition_def *c, FILE *to)
{
    static const char *const relations[] = {[MASS_AT_MOST] = "<=", [MASS_LESS] = "<", [MASS_AT_LEAST] = ">=",
                                            [MASS_GREATER] = ">"};
    fprintf(to, "where %s %s %.15g", m->tallies[c->tally].name, relations[c->relation], c->value);
    if (c->parameter >= 0) fprintf(to, " * %s", m->parameters.slots[c->parameter].name);
    if (c->population >= 0) fprintf(to, " * agents of %s", m->populations[c->population].name);
}

/* Prints what is decided about edges. */
static void put_relink(const mass_model *m, const mass_plan_operation *op, FILE *to)
{
    const int dies = mass_phase_dies(m, &m->phases[op->phase]);
    fputs("requests for edges, before they are managed", to);
    if (dies >= 0) fprintf(to, "; edges of nodes without %s end", m->populations[dies].name);
}

/* Prints the arrays that are copied as they are before the phase, and those whose sums begin. */
static void put_nearby(const mass_model *m, const mass_plan_operation *op, FILE *to)
{
    bool first = true;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        const mass_operand *o = &op->operands[i];
        if (o->use != MASS_WRITES) continue;
        if (!first) fputs(", ", to);
        fputs(o->data == MASS_DATA_BEFORE ? "a copy of " : "no sums of ", to);
        mass_plan_put_operand(m, o, to);
        first = false;
    }
}

void mass_plan_put_detail(const mass_model *m, const mass_plan_operation *op, FILE *to)
{
    const mass_array_def *array = &m->arrays[op->index];
    switch (op->kind) {
    case MASS_PLAN_GATE: put_condition(m, &m->phases[op->phase].condition, to); break;
    case MASS_PLAN_ALL_REDUCE: fputs("over all ranks", to); break;
    case MASS_PLAN_SETTLE: fputs("its value, for bodies that read it", to); break;
    case MASS_PLAN_REFRESH:
        put_stale_axes(op->axes, m->spaces[m->attributes[array->attribute].space].dimensions, to);
        break;
    case MASS_PLAN_EXCHANGE: put_exchange(m, op, to); break;
    case MASS_PLAN_DELIVER: fprintf(to, "ghosts of other ranks, %d deep, to their places", op->reach); break;
    case MASS_PLAN_CLEAR:
    case MASS_PLAN_ADD:
        fprintf(to, "ghosts of other partitions, %d deep%s", op->reach,
                op->kind == MASS_PLAN_ADD ? ", to their places" : ", to zero");
        break;
    case MASS_PLAN_GATHER: fputs("agents of all ranks", to); break;
    case MASS_PLAN_INDEX: fputs("agents by their ids", to); break;
    case MASS_PLAN_FULL: fputs("places without a free seat", to); break;
    case MASS_PLAN_LINK: fputs("a copy of linked nodes, for bodies that follow edges", to); break;
    case MASS_PLAN_EDGES: fputs("edges that changed, for bodies that follow them", to); break;
    case MASS_PLAN_RELINK: put_relink(m, op, to); break;
    case MASS_PLAN_COLLECT: fputs("what all ranks added", to); break;
    case MASS_PLAN_LAUNCH: put_launch(m, op, to); break;
    case MASS_PLAN_NEARBY: put_nearby(m, op, to); break;
    case MASS_PLAN_ADD_NEARBY: put_several(m, op, MASS_READS, to); break;
    case MASS_PLAN_MANAGE:
        if (op->order.leaves == MASS_ORDER_ANY)
            fputs("agents stay where they are in memory, as long as none dies or is born", to);
        break;
    case MASS_PLAN_SPROUT: fputs("the agents that places bring forth", to); break;
    case MASS_PLAN_LINE_UP: fputs("the order in which they act, one after the other", to); break;
    case MASS_PLAN_RESTORE: fputs("after they acted in turn", to); break;
    case MASS_PLAN_DISCARD: fputs(op->ignored ? "requests that no manage applies" : "requests left over", to); break;
    case MASS_PLAN_CENSUS: fprintf(to, "to %s", m->tallies[m->populations[op->index].alive].name); break;
    case MASS_PLAN_READ: fputs("the next piece of the input, until it ends", to); break;
    case MASS_PLAN_GUARD_MEMORY: fputs("whether there is memory for all that could be born", to); break;
    default: break;
    }
}
