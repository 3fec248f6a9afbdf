/* SPDX-License-Identifier: Apache-2.0 */
/* Checks bodies in turn. They run once, in their order, by loops that check what they reach. If there are few of them,
 * and ranks do not share the worlds, they run again on the same memory. In the second run, agents that are too far
 * apart to matter to each other act in another order. Threads and GPUs may choose that order, so the result must be the
 * same. If it is not, a third run in the first order tells why: the body keeps values from call to call, or it acts
 * beyond its radius, by addresses of its own. Phases that share a turn run once. After the first run, numbers that
 * bodies changed must be in the ranges of their attributes, and NaNs must be canonical. */
#include "device/paranoid/try_turns.h"
#include "device/cpu/together.h"
#include "device/paranoid/canonical.h"
#include "device/paranoid/late_order.h"
#include "device/paranoid/reach.h"
#include "model/access.h"
#include "model/shared_turns.h"

#include <mass/impl/exact.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE, FIRST, SECOND, COPIES }; /* contents of a block: before the phase, and after both runs */
enum { WHERE_TEXT = 128, BLOCKS_OF_POPULATION = 4 };

/* A block of memory that bodies may change. */
typedef struct block {
    const char *name; /* NULL: it is not compared, as it follows from others */
    char *real;
    size_t bytes, element;
    const char *origin; /* of places: the first one, in `real` */
    const mass_agents *agents; /* of agents: their ids */
    const mass_turn_population *turn; /* of agents: their cells, by which the dead are known; or NULL */
    const mass_field *field;   /* of an attribute of places or agents, whose numbers are checked; else NULL */
    const mass_attribute_def *attribute; /* of `field` */
    bool exact;                /* elements are exact sums */
    bool lists;                /* elements are mass_turn_agent, of which only the cell is compared */
    unsigned char *copy[COPIES];
} block;

typedef struct trial {
    mass_cpu *cpu;
    const mass_work *work;
    block *blocks;
    uint32_t count, room;
    uint32_t *late; /* another order */
    bool differs;   /* it is not the launch's own */
    mass_error *error;
} trial;

/* ---- the memory ---- */

/* Adds memory that the trial compares, and allocates its copies. On failure those that it has are in the list too,
 * to be freed. */
static mass_status add_block(trial *t, block b)
{
    for (int k = 0; k < COPIES; k++) {
        b.copy[k] = malloc(b.bytes + 1);
        t->blocks[t->count].copy[k] = b.copy[k];
        if (!b.copy[k]) {
            t->count++;
            return mass_error_memory(t->error, b.bytes, "the paranoid device");
        }
    }
    t->blocks[t->count++] = b;
    return MASS_OK;
}

/* Adds the memory of field i, if bodies may write it and, of a tally, if the launch counts. */
static mass_status add_field(trial *t, uint32_t i)
{
    const mass_callback *c = t->work->prepared->callback;
    const mass_field *f = &c->fields[i];
    const mass_field_memory *m = &t->work->memory[i];
    const bool tally = mass_access_is_tally(f->access);
    if (tally ? !t->work->tallies : mass_access_of(f->access)->effect == MASS_EFFECT_READS) return MASS_OK;
    if (!m->start) {
        const size_t element = tally ? m->words * sizeof(int64_t) : f->size;
        return add_block(t, (block){.name = f->name, .real = t->work->fields[i], .element = element,
                                    .bytes = (size_t)t->work->launch->worlds * element,
                                    .exact = f->access == MASS_SUM && element == MASS_EXACT_WORDS * sizeof(int64_t)});
    }
    const mass_launch *const l = t->work->launch;
    const bool agents = mass_access_is_of_agents(f->access, c->over);
    const mass_turn_population *const turn = agents ? &l->turn->populations[f->population] : NULL;
    return add_block(t, (block){.name = f->name, .real = m->start, .bytes = m->bytes, .element = m->element_size,
                                .origin = agents ? NULL : t->work->fields[i],
                                .agents = agents ? &l->populations[f->population] : NULL,
                                .turn = turn && turn->agents ? turn : NULL, .field = f, .attribute = m->attribute});
}

/* Adds the lists of a population's agents, its counts of births and deaths, and the values of its children. Also adds
 * the positions of population 0. Adds nothing if it has no lists. */
static mass_status add_population(trial *t, uint32_t k)
{
    const mass_launch *l = t->work->launch;
    const mass_turn_population *p = &l->turn->populations[k];
    const size_t rows = p->count * (size_t)(1 + p->children), worlds = (size_t)l->worlds;
    const size_t places = worlds * (size_t)l->populations[k].places;
    if (!p->agents) return MASS_OK;
    mass_status status = add_block(t, (block){.name = "place", .real = (char *)p->agents, .bytes = rows *
                                              sizeof *p->agents, .element = sizeof *p->agents,
                                              .agents = &l->populations[k], .lists = true});
    if (status == MASS_OK)
        status = add_block(t, (block){.real = (char *)p->first, .bytes = places * sizeof *p->first});
    if (status == MASS_OK) /* births, deaths, and births without a seat follow one another */
        status = add_block(t, (block){.real = (char *)p->born, .bytes = 3 * worlds * sizeof *p->born});
    const mass_positions *points = &l->positions[k];
    if (status == MASS_OK && k == 0 && points->at) /* a move writes them, and READS names them */
        status = add_block(t, (block){.name = "position", .real = (char *)(uintptr_t)points->at,
                                      .bytes = rows * points->size, .element = points->size,
                                      .agents = &l->populations[k]});
    for (uint32_t i = 0; status == MASS_OK && p->children && i < p->array_count; i++)
        status = add_block(t, (block){.real = p->arrays[i].values, .bytes = rows * p->arrays[i].size});
    return status;
}

/* Adds all that bodies may change: fields and populations. Makes the list of blocks, which the trial owns. */
static mass_status add_blocks(trial *t)
{
    const mass_callback *c = t->work->prepared->callback;
    t->room = c->field_count + BLOCKS_OF_POPULATION * MASS_POPULATIONS_SEEN;
    for (uint32_t k = 0; k < MASS_POPULATIONS_SEEN; k++) t->room += t->work->launch->turn->populations[k].array_count;
    t->blocks = calloc(t->room, sizeof *t->blocks);
    if (!t->blocks) return mass_error_memory(t->error, t->room * sizeof *t->blocks, "the paranoid device");
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < c->field_count; i++) status = add_field(t, i);
    for (uint32_t k = 0; status == MASS_OK && k < MASS_POPULATIONS_SEEN; k++) status = add_population(t, k);
    return status;
}

/* Keeps the present contents of all blocks: as BEFORE, FIRST or SECOND. */
static void keep(const trial *t, int copy)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->blocks[i].bytes) memcpy(t->blocks[i].copy[copy], t->blocks[i].real, t->blocks[i].bytes);
}

/* Gives all blocks the contents that were kept as BEFORE, FIRST or SECOND. */
static void restore(const trial *t, int copy)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->blocks[i].bytes) memcpy(t->blocks[i].real, t->blocks[i].copy[copy], t->blocks[i].bytes);
}

/* ---- runs ---- */

/* Refuses what a body may not do: it reaches too far, or asks for a place for an agent that has a position. */
static mass_status check(const mass_work *work, const mass_diagnostics *found, mass_error *error)
{
    if (found->no_point)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": it asks by MOVE or BEAR for a "
                              "place, and its population has positions: let it use MOVE_BY, MOVE_TO or BEAR_AT",
                              work->prepared->callback->name, work->step);
    return mass_check_reach(work, found, error);
}

/* Runs all bodies once on the engine's memory, in this order, or in the launch's own if it is NULL. Fails if one
 * reaches too far. Passes ignored requests on to the run. */
static mass_status run(const trial *t, const uint32_t *order)
{
    mass_diagnostics found = {.struct_size = sizeof found};
    mass_launch launch = *t->work->launch;
    mass_turn turn = *launch.turn;
    mass_work w = *t->work;
    if (order) turn.order = order;
    launch.turn = &turn;
    launch.diagnostics = &found;
    w.launch = &launch;
    const mass_status status = mass_cpu_launch_checked(t->cpu, &w, t->error);
    mass_pass_on_ignored(t->work, &found);
    return status == MASS_OK ? check(t->work, &found, t->error) : status;
}

/* Returns the first byte of an element that differs after both runs, or SIZE_MAX. Normalises exact sums in both copies
 * before. */
static size_t compare_element(const block *b, size_t at)
{
    const size_t end = at + (b->lists ? sizeof(uint32_t) : b->element);
    if (b->exact)
        for (int k = FIRST; k <= SECOND; k++) mass_exact_normalise((int64_t *)(void *)(b->copy[k] + at));
    while (at < end && b->copy[FIRST][at] == b->copy[SECOND][at]) at++;
    return at < end ? at : SIZE_MAX;
}

/* Returns a block that differs after both runs, or NULL, and the element that does. */
static const block *find_difference(const trial *t, size_t *element)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const block *b = &t->blocks[i];
        for (size_t at = 0; b->name && at + b->element <= b->bytes; at += b->element) {
            *element = at / b->element;
            if (compare_element(b, at) != SIZE_MAX) return b;
        }
    }
    return NULL;
}

/* Describes an element of a block: an agent, a place or a world. */
static void describe(const trial *t, const block *b, size_t element, char text[WHERE_TEXT])
{
    const mass_launch *l = t->work->launch;
    char numbers[NUMBERS_TEXT];
    if (b->agents) {
        const bool elder = element < b->agents->start[l->worlds * b->agents->places];
        if (elder) snprintf(text, WHERE_TEXT, ", agent %" PRIu64, b->agents->id[element]);
        else snprintf(text, WHERE_TEXT, ", a child");
    } else if (b->origin) {
        const int64_t e = (int64_t)element - (b->origin - b->real) / (int64_t)b->element;
        const mass_gidx at[3] = {e % l->pitch, e % l->plane / l->pitch, e % l->world_stride / l->plane};
        snprintf(text, WHERE_TEXT, ", place %s of world %" PRId64, mass_describe_numbers(l, at, numbers),
                 l->first_world + e / l->world_stride);
    } else snprintf(text, WHERE_TEXT, ", world %" PRId64, l->first_world + (int64_t)element);
}

/* ---- numbers ---- */

/* Returns whether the element is of an agent that has died, or of a child that was not born. */
static bool is_gone(const block *b, size_t element)
{
    return b->turn && element < b->turn->count * (size_t)(1 + b->turn->children) &&
           b->turn->agents[element].cell == MASS_CELL_NOWHERE;
}

/* Checks that a number that bodies changed is canonical and in its attribute's range. A trial that forgives passes any
 * NaN. */
static mass_status check_number(const trial *t, const block *b, size_t element)
{
    const char *const now = b->real + element * b->element;
    char where[WHERE_TEXT], value[MASS_DECLARED_TEXT] = "";
    if (memcmp(now, b->copy[BEFORE] + element * b->element, b->element) == 0 || is_gone(b, element)) return MASS_OK;
    const bool canonical = mass_is_canonical(b->field, b->attribute, now);
    if (canonical ? mass_is_declared(b->attribute, now, value) : t->cpu->forgives > 0) return MASS_OK;
    describe(t, b, element, where);
    return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s, field %s%s, step %" PRIu64 ": it is %s%s",
                          t->work->prepared->callback->name, b->name, where, t->work->step, value,
                          canonical ? "" : "a NaN, as of 0/0, with other bits than the canonical one: if it is meant, "
                          "store what mass_canonical_f32 or _f64 makes of it");
}

/* Reports the first number that bodies changed and that is not canonical or outside its attribute's range. */
static mass_status check_numbers(const trial *t)
{
    for (uint32_t i = 0; t->cpu->forgives < MASS_FORGIVES_RANGES && i < t->count; i++) {
        const block *b = &t->blocks[i];
        for (size_t element = 0; b->field && (element + 1) * b->element <= b->bytes; element++) {
            const mass_status status = check_number(t, b, element);
            if (status != MASS_OK) return status;
        }
    }
    return MASS_OK;
}

/* Runs the phase a second time. If the results differ, reports why. If all runs ended, the memory has the results of
 * the first one again. */
static mass_status run_again(const trial *t)
{
    static const char kept[] = "it differs when the phase is repeated: the body keeps values between calls, or reads "
                               "one that nothing has set";
    static const char apart[] = "it depends on the order of those that are too far apart to matter to each other: the "
                                "body acts beyond its radius, by addresses of its own";
    char where[WHERE_TEXT];
    size_t element;
    restore(t, BEFORE);
    mass_status status = run(t, t->late);
    if (status != MASS_OK) return status;
    keep(t, SECOND);
    const block *b = find_difference(t, &element);
    restore(t, FIRST);
    if (!b) return MASS_OK;
    describe(t, b, element, where);
    const char *const name = b->name;
    bool repeats = t->differs;
    if (t->differs) { /* the same order once more */
        restore(t, BEFORE);
        status = run(t, NULL);
        keep(t, SECOND);
        repeats = !find_difference(t, &element);
        restore(t, FIRST);
    }
    if (status != MASS_OK) return status;
    return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s, field %s%s, step %" PRIu64 ": %s",
                          t->work->prepared->callback->name, name, where, t->work->step, repeats ? apart : kept);
}

/* Frees the blocks with their copies, and the late order. */
static void free_trial(trial *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        for (int k = 0; k < COPIES; k++) free(t->blocks[i].copy[k]);
    free(t->blocks);
    free(t->late);
}

mass_status mass_paranoid_turns(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    const uint32_t actors = work->launch->turn->populations[0].count;
    const bool once = actors > MASS_LATE_ORDER_MOST;
    trial t = {.cpu = cpu, .work = work, .error = error};
    if (work->launch->turn->part.shared) return run(&t, NULL);
    mass_status status = MASS_OK;
    if (!once) {
        t.late = malloc((actors + (size_t)1) * sizeof *t.late);
        status = t.late ? mass_late_order(work->launch, t.late, &t.differs, error)
                        : mass_error_memory(error, actors * sizeof *t.late, "the paranoid device");
    }
    if (status == MASS_OK) status = add_blocks(&t);
    if (status == MASS_OK) {
        keep(&t, BEFORE);
        status = run(&t, NULL);
    }
    if (status == MASS_OK) status = check_numbers(&t);
    if (status == MASS_OK && !once) {
        keep(&t, FIRST);
        status = run_again(&t);
    }
    free_trial(&t);
    return status;
}

mass_status mass_paranoid_together(mass_cpu *cpu, const mass_work *works, uint32_t count, mass_error *error)
{
    mass_diagnostics found[MASS_TURN_PHASES_MAX];
    mass_launch launches[MASS_TURN_PHASES_MAX];
    mass_work own[MASS_TURN_PHASES_MAX] = {{0}};
    trial trials[MASS_TURN_PHASES_MAX] = {{0}};
    mass_status status = MASS_OK;
    for (uint32_t k = 0; k < count; k++) {
        found[k] = (mass_diagnostics){.struct_size = sizeof *found};
        launches[k] = *works[k].launch;
        launches[k].diagnostics = &found[k];
        own[k] = works[k];
        own[k].launch = &launches[k];
        trials[k] = (trial){.cpu = cpu, .work = &works[k], .error = error};
        if (status == MASS_OK && !works[k].launch->turn->part.shared) status = add_blocks(&trials[k]);
        if (status == MASS_OK) keep(&trials[k], BEFORE);
    }
    if (status == MASS_OK) status = mass_cpu_launch_together(cpu, own, count, true, error);
    for (uint32_t k = 0; k < count; k++) {
        mass_pass_on_ignored(&works[k], &found[k]);
        if (status == MASS_OK) status = check(&works[k], &found[k], error);
        if (status == MASS_OK) status = check_numbers(&trials[k]);
        free_trial(&trials[k]);
    }
    return status;
}
