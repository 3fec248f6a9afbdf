/* SPDX-License-Identifier: Apache-2.0 */
#include "run/world_program.h"
#include "domain/population.h"
#include "plan/bind.h"
#include "plan/phase.h"

#include <mass/reach.h>

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, WIDTHS = 6, PLACES_MAX = 1 << 20, ARRAYS_MAX = 512, VALUES_MAX = 512,
       PHASES_MAX = 2 * (MASS_PHASES_MAX + 1),
       AGENTS_MAX = 8191 /* see mass_world_asked */ };

/* The tables of a program while they are made. They are made twice: they take the beginning of the block's memory, so
 * that where its arrays lie is known only when the tables' length is. */
typedef struct maker {
    const mass_domain *d;
    const mass_plan_list *step;
    uint32_t next;  /* offset in the block's memory at which the next array is placed */
    bool too_large; /* the steps need more than the tables or the block's memory can hold */
    mass_world_phase *phases;
    mass_world_array *arrays;
    mass_world_value *values;
    mass_world_space spaces[MASS_SPACES_MAX + 1]; /* and one of a single place, for defaults */
    mass_world_population populations[MASS_POPULATIONS_MAX];
    uint32_t phase_count, array_count, value_count;
    uint32_t clock, threads; /* the clock of the step of a pair whose phases are made */
    uint32_t *columns; /* [arrays of the model] offset of a column, that is, an array of a population's agents */
    bool gated; /* the last operation was a GATE: the phase that comes next runs under its condition */
    bool turned[MASS_POPULATIONS_MAX]; /* whether the columns now lie in the population's other memory, `spare` */
    uint8_t *swapped;  /* [arrays of the model] 1: the SWAPs so far have had the two buffers of places change places */
    const bool *beside; /* [arrays of the model] arrays of places that lie outside of the block's memory */
    uint64_t next_beside;
    uint32_t *placed;  /* [2][arrays of the model] by buffer: 1 + its number in arrays[]; 0: it is not there yet */
} maker;

static uint32_t take(maker *k, uint64_t bytes)
{
    const uint32_t local = k->next;
    const uint64_t next = local + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (next > UINT32_MAX / 2) k->too_large = true;
    else k->next = (uint32_t)next;
    return local;
}

static uint32_t take_beside(maker *k, uint64_t bytes)
{
    const uint64_t local = k->next_beside;
    k->next_beside += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (k->next_beside >= MASS_WORLD_BESIDE) k->too_large = true;
    return (uint32_t)local | MASS_WORLD_BESIDE;
}

/* ---- what lies in the block's memory, or beside it ---- */

static mass_world_array *add_array(maker *k, mass_world_array array, bool beside)
{
    static mass_world_array none;
    if (k->array_count == ARRAYS_MAX) {
        k->too_large = true;
        return &none;
    }
    const uint64_t bytes = (uint64_t)array.size * array.elements;
    array.local = beside ? take_beside(k, bytes) : take(k, bytes);
    k->arrays[k->array_count] = array;
    return &k->arrays[k->array_count++];
}

static void set_spaces(maker *k)
{
    for (uint32_t i = 0; i < k->d->model->space_count; i++) {
        const mass_layout *l = &k->d->partitions[i][0].layout;
        mass_world_space *s = &k->spaces[i];
        *s = (mass_world_space){.world_stride = l->world_stride, .plane = l->plane, .pitch = l->pitch};
        memcpy(s->extent, l->extent, sizeof s->extent);
        memcpy(s->ghost, l->ghost, sizeof s->ghost);
        s->local_pitch = s->extent[0] + 2 * s->ghost[0];
        s->local_plane = s->local_pitch * (s->extent[1] + 2 * s->ghost[1]);
    }
    k->spaces[k->d->model->space_count] = (mass_world_space){.extent = {1, 1, 1}};
}

/* Where every array of a space holds its default, from place (0, 0, 0) on: as the SDK has it. */
static int64_t default_element(const mass_domain *d, uint32_t space)
{
    const mass_layout *l = &d->partitions[space][0].layout;
    const mass_launch launch = {.worlds = d->worlds, .world_stride = l->world_stride, .plane = l->plane,
        .pitch = l->pitch, .ghost = {l->ghost[0], l->ghost[1], l->ghost[2]}};
    return mass_default_element(&launch);
}

/* Adds the default of an array of places right behind it, where mass_default_element looks for it. For the block, it
 * is an array of its own, over space number `space_count`, which has a single place. */
static void add_default(maker *k, const mass_world_array *places, void *global, bool beside)
{
    const uint32_t behind = places->local + places->size * places->elements;
    const mass_world_array one = {.global = global, .kind = MASS_WORLD_PLACES, .owner = k->d->model->space_count,
                                  .size = places->size, .elements = 1};
    mass_world_array *const a = add_array(k, one, beside);
    if (!k->too_large) a->local = behind;
}

/* Offset of place (0, 0, 0) in one of the two buffers of an array of places, which is added when it is first asked
 * for. */
static uint32_t place_array(maker *k, uint32_t space, uint32_t array, uint32_t buffer, bool written)
{
    const mass_domain *d = k->d;
    const mass_world_space *s = &k->spaces[space];
    const mass_partition *p = &d->partitions[space][0];
    const uint32_t size = (uint32_t)d->model->arrays[array].element_size;
    uint32_t *placed = &k->placed[buffer * d->model->array_count + array];
    if (!*placed) {
        const double elements = (double)s->local_plane * (s->extent[2] + 2 * s->ghost[2]);
        if (elements > PLACES_MAX) k->too_large = true;
        char *first = (char *)p->arrays[array].buffer[buffer].address + (size_t)p->layout.first * size;
        add_array(k, (mass_world_array){.global = first, .kind = MASS_WORLD_PLACES, .owner = space, .size = size,
                                        .elements = k->too_large ? 0 : (uint32_t)elements}, k->beside[array]);
        *placed = k->array_count;
        add_default(k, &k->arrays[*placed - 1], first + default_element(d, space) * size, k->beside[array]);
    }
    if (k->too_large) return 0;
    mass_world_array *a = &k->arrays[*placed - 1];
    a->stored |= written;
    const int64_t first = s->ghost[2] * s->local_plane + s->ghost[1] * s->local_pitch + s->ghost[0];
    return a->local + (uint32_t)first * size;
}

/* The first operation of a kind and index among those of steps whose tallies nobody looks at, or NULL. */
static const mass_plan_operation *find(const maker *k, mass_plan_kind kind, uint32_t index)
{
    for (uint32_t i = 0; i < k->step->count; i++) {
        const mass_plan_operation *op = &k->step->list[i];
        if (op->kind == kind && op->index == index && op->when == MASS_ALWAYS) return op;
    }
    return NULL;
}

static uint32_t value(maker *k, const void *global, const mass_tally_def *tally)
{
    for (uint32_t i = 0; i < k->value_count; i++)
        if (k->values[i].global == global) return k->values[i].local;
    if (k->value_count == VALUES_MAX) {
        k->too_large = true;
        return 0;
    }
    k->values[k->value_count++] = (mass_world_value){.global = (int64_t *)global, .access = tally ? tally->access : 0,
        .local = take(k, (tally ? MASS_WORLD_WARPS : 1) * sizeof(int64_t)),
        .neutral = tally ? mass_tally_neutral(tally) : 0,
        .restarts = tally && find(k, MASS_PLAN_RESET, (uint32_t)(tally - k->d->model->tallies))};
    return k->values[k->value_count - 1].local;
}

static uint32_t tally(maker *k, uint32_t index)
{
    return value(k, mass_domain_tally_at(k->d, index), &k->d->model->tallies[index]);
}

static uint32_t parameter(maker *k, uint32_t index)
{
    return value(k, (uint64_t *)k->d->parameters.address + (size_t)index * (size_t)k->d->worlds, NULL);
}

/* The class of a column's width: 1, 2, 4, 8, 16 bytes, others. Columns of one class lie together, so that one loop can
 * copy an agent's values in all of them. */
static uint32_t width_of(uint32_t size)
{
    uint32_t width = 0;
    while (width < WIDTHS - 1 && size != 1u << width) width++;
    return width;
}

/* Places the columns of a population one behind the other, then as much memory again for a manage to write them to, and
 * what else a manage needs. */
static void set_population(maker *k, uint32_t index)
{
    const mass_domain *d = k->d;
    const mass_population_def *p = &d->model->populations[index];
    const mass_population_state *s = &d->populations[index];
    mass_world_population *g = &k->populations[index];
    *g = (mass_world_population){.start = s->start.address, .places = mass_space_places(&d->model->spaces[p->space]),
                                 .columns = k->next};
    g->fours = (uint32_t)(g->places / 4 + 1);
    g->fours_a_thread = (g->fours + k->threads - 1) / k->threads;
    mass_world_array column = {.kind = MASS_WORLD_AGENTS, .owner = index, .elements = s->most, .stored = 1};
    for (uint32_t width = 0; width < WIDTHS; width++) {
        g->wider[width] = k->array_count;
        for (uint32_t i = 0; i < p->array_count; i++) {
            column.size = (uint32_t)d->model->arrays[p->first_array + i].element_size;
            column.global = s->arrays[i].buffer[s->current].address;
            if (i != MASS_AGENT_LOST && width_of(column.size) == width)
                k->columns[p->first_array + i] = add_array(k, column, false)->local;
        }
    }
    g->wider[WIDTHS] = k->array_count;
    g->id = k->columns[p->first_array + MASS_AGENT_ID];
    column.size = sizeof(uint8_t);
    column.global = s->arrays[MASS_AGENT_LOST].buffer[s->current].address;
    g->lost = add_array(k, column, false)->local;
    g->cell = add_array(k, (mass_world_array){.global = s->cell[s->current].address, .kind = MASS_WORLD_CELLS,
                                              .owner = index, .size = sizeof(uint32_t), .elements = s->most,
                                              .stored = 1}, false)->local;
    g->bytes = k->next - g->columns;
    g->spare = take(k, g->bytes);
    if (g->places > PLACES_MAX || s->most > AGENTS_MAX) k->too_large = true;
    g->starts = add_array(k, (mass_world_array){.global = s->start.address, .kind = MASS_WORLD_STARTS, .owner = index,
                                                .size = sizeof(uint32_t), .elements = (uint32_t)g->places + 1,
                                                .stored = 1}, false)->local;
    g->move = take(k, (uint64_t)s->most * sizeof(uint32_t));
    g->asked = take(k, (uint64_t)s->most * sizeof(uint32_t));
    g->order = take(k, (uint64_t)s->most * sizeof(uint32_t));
    g->stays = take(k, ((uint64_t)s->most / 32 + 1) * sizeof(uint32_t));
    const mass_plan_operation *drop = find(k, MASS_PLAN_DROP, index);
    g->drops = !drop ? 0 : drop->ignored ? 2 : 1;
    g->crowds = take(k, ((uint64_t)g->places + 1) * sizeof(uint32_t));
}

/* ---- phases ---- */

static mass_world_phase *add_phase(maker *k, mass_world_phase phase)
{
    k->phases[k->phase_count] = phase;
    return &k->phases[k->phase_count++];
}

static void set_condition(maker *k, const mass_phase_def *def, mass_world_phase *h)
{
    const mass_condition_def *c = &def->condition;
    h->conditional = k->gated;
    if (!k->gated) return;
    k->gated = false;
    h->relation = c->relation;
    h->value = c->value;
    h->tally = tally(k, c->tally);
    h->parameter = c->parameter < 0 ? MASS_WORLD_NONE : parameter(k, (uint32_t)c->parameter);
    h->real = c->parameter >= 0 && k->d->model->parameters.slots[c->parameter].type == MASS_REAL;
    h->counted = c->population < 0 ? MASS_WORLD_NONE : (uint32_t)c->population;
    if (h == k->phases) return;
    const mass_world_phase *before = h - 1;
    for (uint32_t i = 0; i < before->field_count; i++)
        if (before->fields[i] == h->tally) return; /* that callback may change the tally: the condition is evaluated */
    if (before->conditional && before->relation == h->relation && before->value == h->value &&
        before->tally == h->tally && before->parameter == h->parameter && before->counted == h->counted)
        h->conditional = 2; /* the condition is that of the phase before, and its tally has not changed */
}

static void *as_pointer(uint32_t local) { return (void *)(uintptr_t)local; }

/* Sets the launch record of a callback in the block's memory, which has one world, and places without padding. */
static void set_launch(maker *k, uint32_t index, mass_launch *l)
{
    const mass_domain *d = k->d;
    const mass_phase_def *def = &d->model->phases[index];
    const mass_world_space *s = &k->spaces[def->space];
    *l = mass_launch_record(d, index, &d->partitions[def->space][0], 1, true);
    l->clock = as_pointer(k->clock);
    l->random_keys = as_pointer(value(k, d->random_keys.address, NULL));
    l->gates = NULL;
    l->worlds = 1;
    l->pitch = s->local_pitch;
    l->plane = s->local_plane;
    l->world_stride = s->local_plane * (s->extent[2] + 2 * s->ghost[2]); /* behind which is the default */
    for (int a = 0; a < 3; a++) {
        const int32_t margin = l->push >> a & 1 ? l->ghost[a] : 0;
        l->inner_first[a] = margin;
        l->inner_last[a] = l->extent[a] - margin;
    }
    const mass_world_population *g = def->population >= 0 ? &k->populations[def->population] : NULL;
    const uint32_t turn = g && k->turned[def->population] ? g->spare - g->columns : 0;
    l->agents.id = as_pointer(g ? g->id + turn : MASS_WORLD_NONE);
    l->agents.cell = as_pointer(g ? g->cell + turn : MASS_WORLD_NONE);
    l->agents.lost = as_pointer(g ? g->lost + turn : MASS_WORLD_NONE);
    l->agents.start = as_pointer(g ? g->starts : MASS_WORLD_NONE);
    l->agents.move = as_pointer(g ? g->move : MASS_WORLD_NONE);
    l->agents.asked = as_pointer(g ? g->asked : MASS_WORLD_NONE);
}

static uint32_t agent_field(const maker *k, uint32_t population, uint32_t array)
{
    const uint32_t column = array - k->d->model->populations[population].first_array;
    const mass_world_population *g = &k->populations[population];
    const uint32_t turn = k->turned[population] ? g->spare - g->columns : 0;
    return (column == MASS_AGENT_LOST ? g->lost : k->columns[array]) + turn;
}

/* Whether an operand is a tally of several accumulators: bins or an exact sum, which blocks do not count. */
static bool is_wide(const mass_model *m, const mass_operand *o)
{
    return o->data == MASS_DATA_TALLY && m->tallies[o->index].words > 1;
}

static uint32_t field(maker *k, const mass_phase_def *def, const mass_operand *o)
{
    if (o->data == MASS_DATA_PARAMETER) return parameter(k, o->index);
    if (is_wide(k->d->model, o)) return 0; /* steps that nobody looks at do not count it, so the address is not used */
    if (o->data == MASS_DATA_TALLY) return tally(k, o->index);
    if (o->data != MASS_DATA_PLACES) return agent_field(k, (uint32_t)def->population, o->index);
    const uint32_t buffer = k->d->current[o->index] ^ k->swapped[o->index] ^ (o->next ? 1u : 0u);
    return place_array(k, def->space, o->index, buffer, o->use & MASS_WRITES);
}

/* Whether a field is an attribute that a callback over places writes or updates, which it does in its own place. */
static bool is_value_of_places(const mass_callback *c, uint32_t field, const mass_operand *o)
{
    const uint32_t access = c->fields[field].access;
    const bool over_places = o->data == MASS_DATA_PLACES && c->over != MASS_OVER_AGENTS;
    return over_places && (access == MASS_UPDATE || access == MASS_WRITE);
}

/* What numbers below `count` are multiplied by, in 64 bits, for the upper 32 to be their quotient by `extent`: with the
 * inverse too large by less than 2^-32, which `count` times may not add up to one more. */
static uint32_t inverse(maker *k, uint64_t extent, uint64_t count)
{
    const uint64_t all = (uint64_t)1 << 32, rounded = (all + extent - 1) / extent;
    if (extent == 1) return 0;
    if ((rounded * extent - all) * count >= all) k->too_large = true;
    return (uint32_t)rounded;
}

static void add_call(maker *k, const mass_plan_operation *op)
{
    const mass_domain *d = k->d;
    const mass_phase_def *def = &d->model->phases[op->phase];
    mass_world_phase *h = add_phase(k, (mass_world_phase){.kind = MASS_WORLD_CALL,
        .callback = (uint32_t)d->device->table->small_worlds->callback(d->device, def->callback->name),
        .tallies = op->counts == MASS_ALWAYS, .field_count = def->callback->field_count});
    set_condition(k, def, h);
    set_launch(k, op->phase, &h->launch);
    const mass_lidx *extent = h->launch.extent;
    const uint64_t rows = (uint64_t)extent[1] * (uint64_t)extent[2];
    h->rows = inverse(k, (uint64_t)extent[0], (uint64_t)extent[0] * rows);
    h->sheets = inverse(k, (uint64_t)extent[1], rows);
    for (uint32_t i = 0; i < h->field_count; i++) {
        h->fields[i] = field(k, def, &op->operands[i]);
        h->values |= (uint32_t)is_value_of_places(def->callback, i, &op->operands[i]) << i;
    }
}

/* A manage writes the columns to the population's other memory. One that runs in every step leaves them there, and the
 * next one writes them back. One under a condition copies them back at once, so that the phases behind it find them in
 * the same place whether it ran or not. */
static void add_manage(maker *k, const mass_plan_operation *op)
{
    mass_world_population *g = &k->populations[op->index];
    const uint32_t now = k->turned[op->index] ? g->spare : g->columns;
    mass_world_phase *h = add_phase(k, (mass_world_phase){.kind = MASS_WORLD_MANAGE, .population = op->index,
        .columns = now, .spare = g->columns + g->spare - now});
    set_condition(k, &k->d->model->phases[op->phase], h);
    if (!h->conditional) k->turned[op->index] ^= true;
}

static void add_operation(maker *k, const mass_plan_operation *op)
{
    switch (op->kind) {
    case MASS_PLAN_GATE: k->gated = true; break;
    case MASS_PLAN_LAUNCH: add_call(k, op); break;
    case MASS_PLAN_MANAGE: add_manage(k, op); break;
    case MASS_PLAN_SWAP:
        if (op->operands[0].data == MASS_DATA_PLACES) k->swapped[op->operands[0].index] ^= 1;
        break;
    default: break; /* no REFRESH: threads that write a place write the ghosts that show it, too. What restarts, and
                       which requests are dropped, the tables of values and populations say */
    }
}

static void add_step(maker *k)
{
    mass_diagnostics *const of_populations = (mass_diagnostics *)k->d->diagnostics.address + k->d->model->phase_count;
    for (uint32_t i = 0; i < k->step->count; i++)
        if (k->step->list[i].when == MASS_ALWAYS) add_operation(k, &k->step->list[i]);
    add_phase(k, (mass_world_phase){.kind = MASS_WORLD_END_STEP, .launch.diagnostics = of_populations});
}

static bool always(const mass_world_phase *h, uint32_t kind) { return h->kind == kind && !h->conditional; }

/* What a thread does at the end of a step, and last in a manage that runs in every step, nobody but itself sees in
 * callbacks. So it need not wait for others before one, unless they decide first whether it runs. Nor does what a
 * manage begins with look at what callbacks leave for others, or they at that; but all have to be through with the
 * manage before it, for which they have waited behind the callback before. */
static void set_waits(maker *k)
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

/* ---- the program ---- */

/* Why a block cannot launch that, or NULL. */
static const char *why_not_launch(const mass_domain *d, const mass_plan_operation *op)
{
    const mass_callback *c = d->model->phases[op->phase].callback;
    if (c->field_count > MASS_WORLD_FIELDS) return "a callback has too many fields";
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].type == MASS_BIT) return "an attribute is of bits";
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (op->counts == MASS_ALWAYS && is_wide(d->model, &op->operands[i]))
            return "bins or exact sums count in every step";
        if (op->operands[i].data == MASS_DATA_CHILDREN) return "a callback says what children start with";
    }
    if (d->device->table->small_worlds->callback(d->device, c->name) >= 0) return NULL;
    return "the plugin has no MASS_WORLD_STEPS with all of its callbacks";
}

static const char *why_not_operation(const mass_domain *d, const mass_plan_operation *op)
{
    const mass_model *m = d->model;
    const mass_space_def *s = op->phase == MASS_NO_PHASE ? NULL : &m->spaces[m->phases[op->phase].space];
    if (op->kind == MASS_PLAN_READ) return "the input is a stream";
    if (s && mass_space_places(s) > PLACES_MAX) return "a space is too large";
    if (s && s->scattered) return "places are added to by others"; /* in a block, nobody fills such ghosts */
    return op->kind == MASS_PLAN_LAUNCH ? why_not_launch(d, op) : NULL;
}

const char *mass_world_program_why_not(const mass_domain *d, const mass_plan *plan)
{
    const mass_model *m = d->model;
    bool managed = false;
    const char *why = NULL;
    if (!d->device->table->small_worlds) return "the device has no blocks";
    if (d->share.partitions > 1) return "the space is cut";
    if (m->racy) return "the model has races";
    if (mass_model_counts_keys(m)) return "a tally counts by key";
    for (uint32_t p = 0; p < m->population_count; p++) {
        if (!m->populations[p].constant) return "agents are born or die";
        if (m->populations[p].capacity) return "places hold a limited number of agents";
    }
    for (uint32_t i = 0; !why && i < plan->step.count; i++) {
        if (plan->step.list[i].when != MASS_ALWAYS) continue;
        managed |= plan->step.list[i].kind == MASS_PLAN_MANAGE;
        why = why_not_operation(d, &plan->step.list[i]);
    }
    return why || managed ? why : "no agents move";
}

static void make(maker *k, uint32_t tables)
{
    k->next = tables;
    k->next_beside = 0;
    k->too_large = false;
    k->phase_count = k->array_count = k->value_count = 0;
    memset(k->turned, 0, sizeof k->turned);
    memset(k->swapped, 0, k->d->model->array_count);
    memset(k->placed, 0, 2 * (size_t)k->d->model->array_count * sizeof *k->placed);
    for (uint32_t p = 0; p < k->d->model->population_count; p++) set_population(k, p);
    const uint32_t clock = k->clock;
    add_step(k);
    k->clock = clock + sizeof(uint64_t);
    add_step(k);
    k->clock = clock;
    set_waits(k);
}

/* Appends a table, and returns its offset in the block's memory. */
static uint32_t append(uint8_t *tables, uint32_t *end, const void *table, size_t bytes)
{
    const uint32_t at = *end;
    if (tables && bytes) memcpy(tables + at, table, bytes);
    *end += (uint32_t)((bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    return at;
}

/* tables NULL: only offsets and lengths. */
static void lay_out(maker *k, uint8_t *tables, mass_world_program *p)
{
    const mass_model *m = k->d->model;
    uint32_t end = 0;
    p->phases = append(tables, &end, k->phases, k->phase_count * sizeof *k->phases);
    p->phase_count = k->phase_count / 2;
    p->arrays = append(tables, &end, k->arrays, k->array_count * sizeof *k->arrays);
    p->array_count = k->array_count;
    p->values = append(tables, &end, k->values, k->value_count * sizeof *k->values);
    p->value_count = k->value_count;
    p->spaces = append(tables, &end, k->spaces, (m->space_count + 1) * sizeof *k->spaces);
    p->populations = append(tables, &end, k->populations, m->population_count * sizeof *k->populations);
    p->population_count = m->population_count;
    p->table_bytes = end;
    p->counts = append(NULL, &end, NULL, m->population_count * sizeof(uint32_t));
    k->clock = p->clock = append(NULL, &end, NULL, 2 * sizeof(uint64_t));
    p->bytes = end;
}

static mass_status upload(const mass_domain *d, maker *k, mass_small_worlds *out, mass_error *error)
{
    mass_world_program *p = &out->program;
    uint8_t *tables = calloc(p->table_bytes, 1);
    if (!tables) return mass_error_memory(error, p->table_bytes, "the steps of small worlds");
    lay_out(k, tables, p);
    p->bytes = k->next;
    p->threads = k->threads;
    p->beside_bytes = k->next_beside;
    mass_status status = mass_buffer_allocate(d->device, p->table_bytes, &out->tables, error);
    if (status == MASS_OK && p->beside_bytes)
        status = mass_buffer_allocate(d->device, p->beside_bytes * (size_t)d->worlds, &out->beside, error);
    p->tables = out->tables.address;
    p->beside = out->beside.address;
    if (status == MASS_OK) status = mass_buffer_upload(out->tables, tables, p->table_bytes, error);
    free(tables);
    return status;
}

/* As many threads as the phase with the most work takes: one for each place or agent, and where agents are few one for
 * every four cells whose agents a manage counts. */
static uint32_t threads_of(const maker *k)
{
    int64_t most = 1;
    for (uint32_t i = 0; i < k->step->count; i++) {
        const mass_plan_operation *op = &k->step->list[i];
        if (op->when != MASS_ALWAYS || (op->kind != MASS_PLAN_LAUNCH && op->kind != MASS_PLAN_MANAGE)) continue;
        const mass_phase_def *p = &k->d->model->phases[op->phase];
        const int64_t places = mass_space_places(&k->d->model->spaces[p->space]);
        const int64_t agents = p->population >= 0 ? k->d->populations[p->population].most : 0;
        const bool over_places = p->callback && p->callback->over != MASS_OVER_AGENTS &&
                                 p->callback->over != MASS_OVER_OCCUPIED;
        const int64_t work = over_places ? places : p->callback || agents > places / 8 ? agents : places / 4 + 1;
        if (work > most) most = work;
    }
    return most < MASS_WORLD_THREADS ? (uint32_t)((most + 31) / 32 * 32) : MASS_WORLD_THREADS;
}

/* Offsets depend on the length of the tables, which those do not. */
static bool make_within(maker *k, size_t memory, mass_world_program *p)
{
    make(k, 0);
    lay_out(k, NULL, p);
    make(k, p->bytes);
    return !k->too_large && k->next <= memory;
}

/* Whether callbacks have an array of places as their own place's alone, to write or to update. */
static bool can_lie_beside(const maker *k, uint32_t array)
{
    for (uint32_t i = 0; i < k->step->count; i++) {
        const mass_plan_operation *op = &k->step->list[i];
        if (op->when != MASS_ALWAYS || op->kind != MASS_PLAN_LAUNCH) continue;
        const mass_callback *c = k->d->model->phases[op->phase].callback;
        for (uint32_t f = 0; f < c->field_count; f++) {
            const mass_operand *o = &op->operands[f];
            if (o->data == MASS_DATA_PLACES && o->index == array && !is_value_of_places(c, f, o)) return false;
        }
    }
    return true;
}

/* The model's number of the largest array of places that can lie beside and does not yet, or -1. */
static int64_t next_beside(const maker *k)
{
    const mass_domain *d = k->d;
    uint64_t most = 0;
    int64_t found = -1;
    for (uint32_t i = 0; i < d->model->array_count; i++) {
        const uint32_t placed = k->placed[i] ? k->placed[i] : k->placed[d->model->array_count + i];
        if (!placed || k->beside[i] || !can_lie_beside(k, i)) continue;
        const mass_world_array *a = &k->arrays[placed - 1];
        const uint64_t bytes = (uint64_t)a->size * a->elements;
        if (bytes > most) most = bytes, found = i;
    }
    return found;
}

/* Where there are more worlds than processors, a processor takes two at a time if so little is left of them when the
 * largest arrays lie beside: two have the work that hides what one of them waits for. */
static bool make_for_two(maker *k, bool *beside, mass_world_program *p)
{
    const mass_small_world_operations *small = k->d->device->table->small_worlds;
    const size_t memory = small->memory_of_two ? small->memory_of_two(k->d->device, k->d->worlds, k->threads) : 0;
    if (memory == 0) return false;
    while (!make_within(k, memory, p)) {
        const int64_t array = k->too_large ? -1 : next_beside(k);
        if (array < 0) {
            memset(beside, 0, k->d->model->array_count * sizeof *beside);
            return false;
        }
        beside[array] = true;
    }
    return true;
}

static mass_status create(const mass_domain *d, maker *k, bool *beside, mass_small_worlds **out, mass_error *error)
{
    mass_world_program p = {.struct_size = sizeof p, .worlds = d->worlds, .first_world = d->first_world};
    const mass_small_world_operations *small = d->device->table->small_worlds;
    k->threads = threads_of(k);
    k->beside = beside;
    set_spaces(k);
    if (!make_for_two(k, beside, &p) && !make_within(k, small->memory(d->device), &p)) return MASS_OK;
    mass_small_worlds *made = malloc(sizeof *made);
    if (!made) return mass_error_memory(error, sizeof *made, "the steps of small worlds");
    *made = (mass_small_worlds){.program = p};
    const mass_status status = upload(d, k, made, error);
    if (status == MASS_OK) *out = made;
    else mass_world_program_free(made);
    return status;
}

mass_status mass_world_program_create(const mass_domain *d, const mass_plan *plan, mass_small_worlds **out,
                                      mass_error *error)
{
    const uint32_t arrays = d->model->array_count + 1;
    *out = NULL;
    if (mass_world_program_why_not(d, plan)) return MASS_OK;
    maker k = {.d = d, .step = &plan->step, .phases = calloc(PHASES_MAX, sizeof *k.phases),
               .arrays = calloc(ARRAYS_MAX, sizeof *k.arrays), .values = calloc(VALUES_MAX, sizeof *k.values),
               .swapped = calloc(arrays, 1),
               .columns = calloc(arrays, sizeof *k.columns),
               .placed = calloc(2 * (size_t)arrays, sizeof *k.placed)};
    bool *beside = calloc(arrays, sizeof *beside);
    const bool ready = k.phases && k.arrays && k.values && k.swapped && k.placed && k.columns && beside;
    const mass_status status = ready ? create(d, &k, beside, out, error)
                                     : mass_error_memory(error, PHASES_MAX * sizeof *k.phases, "steps of small worlds");
    free(k.phases);
    free(k.arrays);
    free(k.values);
    free(k.swapped);
    free(k.columns);
    free(k.placed);
    free(beside);
    return status;
}

void mass_world_program_free(mass_small_worlds *p)
{
    if (!p) return;
    mass_buffer_release(&p->tables);
    mass_buffer_release(&p->beside);
    free(p);
}
