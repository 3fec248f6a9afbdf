/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of a block-resident world's steps, and the barriers between them. */
#include "model/access.h"
#include "plan/bind.h"
#include "plan/phase.h"
#include "run/block_program_builder.h"

#include <mass/impl/reach.h>

/* Adds a copy of a phase to the program, which has room for it, and returns its address there. */
static mass_world_phase *add_phase(mass_block_builder *k, mass_world_phase phase)
{
    k->phases[k->phase_count] = phase;
    return &k->phases[k->phase_count++];
}

/* Returns the offset of the number that a condition compares with. Equal conditions share it. */
static uint32_t bound_of(mass_block_builder *k, const mass_condition_def *c)
{
    const mass_world_bound b = {.value = c->value,
        .parameter = c->parameter < 0 ? MASS_WORLD_NONE : mass_block_builder_parameter(k, (uint32_t)c->parameter),
        .real = c->parameter >= 0 && k->d->model->parameters.slots[c->parameter].type == MASS_REAL,
        .counted = c->population < 0 ? MASS_WORLD_NONE : (uint32_t)c->population};
    for (uint32_t i = 0; i < k->bound_count; i++) {
        const mass_world_bound *other = &k->bounds[i];
        if (other->value == b.value && other->parameter == b.parameter && other->counted == b.counted)
            return other->local;
    }
    k->bounds[k->bound_count] = b;
    return k->bounds[k->bound_count++].local = mass_block_builder_take(k, sizeof(double));
}

/* Copies a phase's condition into *h, if a GATE came before, and forgets that GATE. 2 means: the same as that of the
 * phase before, so the block need not test it. */
static void set_condition(mass_block_builder *k, const mass_phase_def *def, mass_world_phase *h)
{
    const mass_condition_def *c = &def->condition;
    h->conditional = k->gated;
    if (!k->gated) return;
    k->gated = false;
    h->relation = (uint8_t)c->relation;
    h->tally = mass_block_builder_tally(k, c->tally);
    h->bound = bound_of(k, c);
    if (h == k->phases) return;
    const mass_world_phase *before = h - 1;
    for (uint32_t i = 0; i < before->field_count; i++)
        if (before->fields[i] == h->tally) return; /* that callback may change the tally, so the block tests the
                                                      condition again */
    if (before->conditional && before->relation == h->relation && before->tally == h->tally &&
        before->bound == h->bound)
        h->conditional = 2; /* the phase before has the same condition, and its callback does not change the tally */
}

/* Returns a factor that replaces a division by `extent`. The upper 32 bits of a number below `count` times the
 * factor are the quotient. The factor is too large by less than 2^-32, so `count` such errors must stay below one;
 * else sets k->too_large. Returns 0 for an extent of 1. */
static uint32_t inverse(mass_block_builder *k, uint64_t extent, uint64_t count)
{
    const uint64_t all = (uint64_t)1 << 32, rounded = (all + extent - 1) / extent;
    if (extent == 1) return 0;
    if ((rounded * extent - all) * count >= all) k->too_large = true;
    return (uint32_t)rounded;
}

/* Returns the element with an attribute's default. The SDK defines it. */
static uint32_t default_element(const mass_world_space *s)
{
    const mass_launch launch = {.worlds = 1, .world_stride = s->local_plane * (s->extent[2] + 2 * s->ghost[2]),
        .plane = s->local_plane, .pitch = s->local_pitch, .ghost = {s->ghost[0], s->ghost[1], s->ghost[2]}};
    return (uint32_t)mass_default_element(&launch);
}

/* Returns the parts of a launch record that are the same in every step: one world, and places without padding. Adds the
 * random keys to the block's values. Sets k->too_large if a division cannot be replaced (inverse). */
static mass_world_call call_of(mass_block_builder *k, const mass_phase_def *def, const mass_launch *l)
{
    const mass_world_space *s = &k->spaces[def->space];
    const uint64_t rows = (uint64_t)l->extent[1] * (uint64_t)l->extent[2];
    mass_world_call c = {.torus = l->torus, .pitch = (uint32_t)s->local_pitch, .plane = (uint32_t)s->local_plane,
        .none = default_element(s), .push = l->push,
        .rows = inverse(k, (uint64_t)l->extent[0], (uint64_t)l->extent[0] * rows),
        .sheets = inverse(k, (uint64_t)l->extent[1], rows),
        .random_keys = mass_block_builder_world_value(k, k->d->random_keys.address, NULL)};
    for (int a = 0; a < 3; a++) {
        const int32_t margin = l->push >> a & 1 ? l->ghost[a] : 0;
        c.size[a] = (uint32_t)l->size[a];
        c.ghost[a] = l->ghost[a];
        c.inner_first[a] = margin;
        c.inner_last[a] = l->extent[a] - margin;
    }
    if (def->population < 0) return c;
    const mass_world_population *g = &k->populations[def->population];
    c.start = g->starts;
    c.move = g->move;
    c.asked = g->asked;
    c.agents = k->counts + (uint32_t)def->population * (uint32_t)sizeof(uint32_t);
    c.occupied = g->occupied;
    c.places = (uint32_t)g->places;
    return c;
}

/* Returns the offset of a column at the present phase. */
static uint32_t agent_field(const mass_block_builder *k, uint32_t population, uint32_t array)
{
    const uint32_t column = array - k->d->model->populations[population].first_array;
    const mass_world_population *g = &k->populations[population];
    const uint32_t turn = k->turned[population] ? g->spare - g->columns : 0;
    return (column == MASS_AGENT_LOST ? g->lost : k->columns[array]) + turn;
}

bool mass_block_builder_is_wide(const mass_model *m, const mass_operand *o)
{
    return o->data == MASS_DATA_TALLY && m->tallies[o->index].words > 1;
}

/* Returns the offset of a field's data in the block. Adds the data to the block if it is not there yet. 0: a
 * tally that blocks do not count. */
static uint32_t field(mass_block_builder *k, const mass_phase_def *def, const mass_operand *o)
{
    if (o->data == MASS_DATA_PARAMETER) return mass_block_builder_parameter(k, o->index);
    /* The block does not count these, so the offset has no effect. */
    if (mass_block_builder_is_wide(k->d->model, o)) return 0;
    if (o->data == MASS_DATA_TALLY) return mass_block_builder_tally(k, o->index);
    if (o->data != MASS_DATA_PLACES) return agent_field(k, (uint32_t)def->population, o->index);
    const uint32_t buffer = k->d->current[o->index] ^ k->swapped[o->index] ^ (o->next ? 1u : 0u);
    return mass_block_builder_places(k, def->space, o->index, buffer, o->use & MASS_WRITES);
}

bool mass_block_builder_is_value(const mass_callback *c, uint32_t field, const mass_operand *o)
{
    const mass_access_traits *t = mass_access_of(c->fields[field].access);
    return o->data == MASS_DATA_PLACES && t->own && t->effect & MASS_EFFECT_WRITES;
}

/* Adds the phase of a callback to the program of small worlds. Sets k->too_large if two phases need different settings
 * of the same callback. */
static void add_call(mass_block_builder *k, const mass_plan_operation *op)
{
    const mass_domain *d = k->d;
    const mass_phase_def *def = &d->model->phases[op->phase];
    const uint32_t number = (uint32_t)d->device->table->small_worlds->callback(d->device, def->callback->name);
    const mass_launch launch = mass_launch_record(d, op->phase, &d->partitions[def->space][0], 1, true);
    const mass_world_call call = call_of(k, def, &launch);
    if (k->called[number] && memcmp(&k->calls[number], &call, sizeof call) != 0) k->too_large = true;
    k->called[number] = true;
    k->calls[number] = call;
    mass_world_phase *h = add_phase(k, (mass_world_phase){.kind = MASS_WORLD_CALL, .callback = (uint8_t)number,
        .population = MASS_WORLD_NOBODY, .tallies = op->counts == MASS_ALWAYS, .phase = launch.phase,
        .reach = (uint32_t)launch.reach, .field_count = (uint8_t)def->callback->field_count});
    set_condition(k, def, h);
    if (def->population >= 0) {
        const mass_world_population *g = &k->populations[def->population];
        const uint32_t turn = k->turned[def->population] ? g->spare - g->columns : 0;
        h->population = (uint8_t)def->population;
        h->id = g->id + turn;
        h->cell = g->cell + turn;
        h->lost = g->lost + turn;
    }
    for (uint32_t i = 0; i < h->field_count; i++) h->fields[i] = field(k, def, &op->operands[i]);
}

/* Adds the phase of a manage, which writes the columns to the population's other memory. A manage in every step
 * leaves them there, and the next one writes them back. A conditional one copies them back at once, so that later
 * phases find them in the same place in either case. */
static void add_manage(mass_block_builder *k, const mass_plan_operation *op)
{
    mass_world_population *g = &k->populations[op->index];
    const uint32_t now = k->turned[op->index] ? g->spare : g->columns;
    mass_world_phase *h = add_phase(k, (mass_world_phase){.kind = MASS_WORLD_MANAGE,
        .population = (uint8_t)op->index, .columns = now, .spare = g->columns + g->spare - now});
    set_condition(k, &k->d->model->phases[op->phase], h);
    if (!h->conditional) k->turned[op->index] ^= true;
}

/* Adds the phases of an operation of the plan, or notes a gate or a swap of places. Other operations need nothing. */
static void add_operation(mass_block_builder *k, const mass_plan_operation *op)
{
    switch (op->kind) {
    case MASS_PLAN_GATE: k->gated = true; break;
    case MASS_PLAN_LAUNCH: add_call(k, op); break;
    case MASS_PLAN_MANAGE: add_manage(k, op); break;
    case MASS_PLAN_SWAP:
        if (op->operands[0].data == MASS_DATA_PLACES) k->swapped[op->operands[0].index] ^= 1;
        break;
    default: break; /* no REFRESH: threads that write a place also write its ghosts. The tables of values and
                       populations contain resets and discarded requests */
    }
}

void mass_block_builder_add_step(mass_block_builder *k)
{
    for (uint32_t i = 0; i < k->step->count; i++)
        if (k->step->list[i].when == MASS_ALWAYS) add_operation(k, &k->step->list[i]);
    add_phase(k, (mass_world_phase){.kind = MASS_WORLD_END_STEP, .population = MASS_WORLD_NOBODY});
}

/* Returns true for a phase of that kind without a condition. */
static bool always(const mass_world_phase *h, uint32_t kind) { return h->kind == kind && !h->conditional; }

/* Sets the phases that end with a barrier. At the end of a step, and at the end of an unconditional manage, each
 * thread writes only what the same thread reads in the next callback. So no barrier is needed before an
 * unconditional callback. A manage also needs none before it if two unconditional callbacks precede it: its
 * beginning and the second callback do not read each other's results. The barrier after the first callback makes all
 * threads finish the manage before it. */
void mass_block_builder_set_waits(mass_block_builder *k)
{
    const uint32_t count = k->phase_count;
    for (uint32_t i = 0; i < count; i++) {
        mass_world_phase *h = &k->phases[i];
        const mass_world_phase *next = &k->phases[(i + 1) % count], *before = &k->phases[(i + count - 1) % count];
        const bool own = h->kind == MASS_WORLD_END_STEP || always(h, MASS_WORLD_MANAGE);
        const bool apart = always(before, MASS_WORLD_CALL) && always(h, MASS_WORLD_CALL) &&
                           always(next, MASS_WORLD_MANAGE);
        h->waits = !apart && (!own || next->kind != MASS_WORLD_CALL || next->conditional);
    }
}
