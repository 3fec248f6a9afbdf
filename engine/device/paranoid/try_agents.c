/* SPDX-License-Identifier: Apache-2.0 */
/* Tries callbacks over agents and residents. Each runs twice on copies of all its memory: over everything at once, and
 * then agent by agent, or row by row, the last first. Memory that it only reads must stay unchanged. Both runs must
 * give the same result, although memory that it must write begins with different bits. So every element is written, and
 * none depends on another. A callback with a RACE field may depend on the order, and has the same order in both
 * runs. */
#include "device/paranoid/try_agents.h"
#include "device/paranoid/canonical.h"
#include "device/cpu/key_counts.h"
#include "device/key_fields.h"
#include "device/paranoid/reach.h"

#include <mass/impl/exact.h>
#include <mass/impl/points.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES, ASKED, CHILD_CELLS, POINTS, CHILD_POINTS, REQUESTS }; /* the chunks of a population's requests */
enum { FIELDS_MAX = 256, COPIES_MAX = FIELDS_MAX + (REQUESTS + 1) * MASS_POPULATIONS_SEEN + 1 };

/* One block of memory of a launch. */
typedef struct chunk {
    const char *name;
    void *real;
    size_t bytes, element;
    int64_t offset; /* bytes from its start to the address that the callback gets */
    bool written, fresh; /* written: the callback may write it; fresh: it must write all of it, and may not read it */
    bool of_agents, of_children, of_sprouts;
    uint32_t population; /* of agents: among those that the callback sees */
    unsigned char *copy[2];
} chunk;

typedef struct trial {
    const mass_work *work;
    const mass_callback *callback;
    mass_loop *loop;
    bool tallies, races;
    mass_forgiveness forgives;
    chunk chunks[COPIES_MAX];
    uint32_t count;
    chunk *requests[MASS_POPULATIONS_SEEN]; /* the chunks of a population's requests; NULL: it is not asked */
    chunk *cut;                             /* that of the requests of UNLINK; NULL: there are none */
    chunk *sprouts[MASS_POPULATIONS_SEEN];  /* that of its sprouts; NULL: it has none */
    int keys, input;  /* field that counts by key; field whose array has the texts; or -1 */
    uint64_t *digest; /* [worlds] a digest of all keys */
    mass_diagnostics *diagnostics;
    mass_error *error;
} trial;

/* Returns whether the callback may write a field; tallies only if contributions count. */
static bool is_written(const trial *t, const mass_field *f)
{
    if (mass_access_is_tally(f->access)) return t->tallies;
    return mass_access_of(f->access)->effect != MASS_EFFECT_READS;
}

static bool over_agents(const trial *t) { return t->callback->over == MASS_OVER_AGENTS; }

/* Returns whether bodies may ask agents of the population with a number among those that they see. */
static bool asks(const trial *t, uint32_t population)
{
    return over_agents(t) ? population == 0 : t->callback->asks >> population & 1;
}

/* Adds a chunk with two copies of its present contents, one for each run. The trial owns the copies, also on
 * failure. */
static mass_status add_piece(trial *t, chunk p)
{
    for (int run = 0; run < 2; run++) {
        p.copy[run] = malloc(p.bytes + 1);
        t->chunks[t->count].copy[run] = p.copy[run];
        if (!p.copy[run]) return mass_error_memory(t->error, p.bytes, "the paranoid device");
        if (p.bytes) memcpy(p.copy[run], p.real, p.bytes);
    }
    t->chunks[t->count++] = p;
    return MASS_OK;
}

/* Adds the memory of the callback's field i to the memory that the trial copies and compares. Fails without memory. */
static mass_status add_field(trial *t, uint32_t i)
{
    const mass_field *f = &t->callback->fields[i];
    const mass_field_memory *m = &t->work->memory[i];
    chunk p = {.name = f->name, .written = is_written(t, f), .population = f->population};
    if (m->start) {
        p.real = m->start;
        p.bytes = m->bytes;
        p.element = m->element_size;
        p.offset = (char *)t->work->fields[i] - (char *)m->start;
        p.fresh = mass_access_of(f->access)->buffer == MASS_BUFFER_NEW;
        p.of_sprouts = mass_access_class_of(f->access, t->callback->over) == MASS_CLASS_SPROUTS;
        p.of_agents = mass_access_is_of_agents(f->access, t->callback->over) && !p.of_sprouts;
        p.of_children = mass_access_class_of(f->access, t->callback->over) == MASS_CLASS_REQUEST;
    } else {
        p.real = t->work->fields[i];
        if (f->access == MASS_KEYS) p.real = t->digest;
        p.element = f->access == MASS_KEYS            ? sizeof *t->digest
                    : mass_access_is_tally(f->access) ? m->words * sizeof(int64_t)
                                                      : f->size;
        p.bytes = (size_t)t->work->launch->worlds * p.element;
    }
    return add_piece(t, p);
}

/* Adds the chunk of a population's requests for sprouts. Does nothing if it can have none. */
static mass_status add_sprouts(trial *t, uint32_t population)
{
    const mass_launch *l = t->work->launch;
    const mass_sprouts *g = &l->sprouts[population];
    if (!g->asked) return MASS_OK;
    const size_t cells = (size_t)l->worlds * (size_t)l->populations[population].places;
    t->sprouts[population] = t->chunks + t->count;
    return add_piece(t, (chunk){.name = "SPROUT", .real = g->asked, .bytes = cells * sizeof *g->asked,
                                .element = sizeof *g->asked, .written = true, .of_sprouts = true,
                                .population = population});
}

/* Adds the chunk of the requests of UNLINK. */
static mass_status add_cut(trial *t)
{
    const mass_edges *const e = &t->work->launch->edges;
    t->cut = t->chunks + t->count;
    return add_piece(t, (chunk){.name = "UNLINK", .real = e->cut, .bytes = e->count, .element = 1, .written = true,
                                .of_sprouts = true});
}

/* Adds the chunks of a population's requests. */
static mass_status add_requests(trial *t, uint32_t population)
{
    const mass_agents *g = &t->work->launch->populations[population];
    const mass_positions *points = &t->work->launch->positions[population];
    const size_t words = (size_t)g->room * sizeof(uint32_t), bytes = (size_t)g->room * points->size;
    const chunk requests[REQUESTS] = {
        [MOVES] = {.name = "MIGRATE", .real = g->move, .bytes = words, .written = over_agents(t)},
        [ASKED] = {.name = "SPAWN or KILL", .real = g->asked, .bytes = words, .written = true},
        [CHILD_CELLS] = {.name = "CHILD_TO", .real = g->child_cell, .bytes = words * g->children, .written = true},
        [POINTS] = {.name = "MOVE_BY", .real = points->to, .bytes = bytes, .written = over_agents(t)},
        [CHILD_POINTS] = {.name = "CHILD_AT", .real = points->child, .bytes = points->child ? bytes * g->children : 0,
                          .written = true}};
    mass_status status = MASS_OK;
    t->requests[population] = t->chunks + t->count;
    for (int i = 0; status == MASS_OK && i < REQUESTS; i++) {
        chunk p = requests[i];
        p.element = i < POINTS || !points->size ? sizeof(uint32_t) : points->size;
        p.population = population;
        status = add_piece(t, p);
    }
    return status;
}

/* Adds the chunks of all fields, of the requests of the agents that bodies may ask, and of those for sprouts. */
static mass_status add_pieces(trial *t)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < t->callback->field_count; i++) status = add_field(t, i);
    for (uint32_t k = 0; status == MASS_OK && k < MASS_POPULATIONS_SEEN; k++)
        if (asks(t, k)) status = add_requests(t, k);
    for (uint32_t k = 0; status == MASS_OK && !over_agents(t) && k < MASS_POPULATIONS_SEEN; k++)
        status = add_sprouts(t, k);
    if (status == MASS_OK && t->work->launch->edges.cut) status = add_cut(t);
    return status;
}

/* ---- the ranges that the callback runs over ---- */

/* Returns whether the launch runs in a world. */
static bool is_open(const mass_launch *l, int64_t world) { return !l->gates || l->gates[world] == 0; }

/* Returns the number of rows of the partition in all worlds. */
static int64_t rows_of(const mass_launch *l) { return (int64_t)l->worlds * l->extent[2] * l->extent[1]; }

/* Finds the agents of the partition in one world: *first to *last - 1. */
static void agents_of(const mass_launch *l, int32_t world, int64_t *first, int64_t *last)
{
    const int64_t row = l->origin[2] * l->size[1] + l->origin[1];
    const mass_agents *g = &l->populations[0];
    const int64_t cell = world * g->places + row * l->size[0] + l->origin[0] - g->first_place;
    *first = g->start[cell];
    *last = g->start[cell + (int64_t)l->extent[0] * l->extent[1] * l->extent[2]];
}

/* Returns the poison of a byte, which differs in all bits between the two runs. */
static unsigned char poison(int run, size_t at) { return (unsigned char)((at * 167 + 89) ^ (run ? 0xff : 0)); }

/* Writes poison to an element, in the copies of both runs. */
static void poison_element(chunk *p, size_t at)
{
    for (int run = 0; run < 2; run++)
        for (size_t b = 0; b < p->element; b++) p->copy[run][at + b] = poison(run, at + b);
}

/* Returns whether an element still has its poison in both runs. */
static bool is_poisoned(const chunk *p, size_t at)
{
    for (int run = 0; run < 2; run++)
        for (size_t b = 0; b < p->element; b++)
            if (p->copy[run][at + b] != poison(run, at + b)) return false;
    return true;
}

/* Fills memory that the callback must write with bits that differ in both runs. Only in open worlds. */
static void poison_piece(const trial *t, chunk *p)
{
    const mass_launch *l = t->work->launch;
    for (int32_t w = 0; p->of_agents && w < l->worlds; w++) {
        int64_t first, last;
        agents_of(l, w, &first, &last);
        for (int64_t i = first; is_open(l, w) && i < last; i++) poison_element(p, (size_t)i * p->element);
    }
    for (int64_t row = 0; !p->of_agents && row < rows_of(l); row++) {
        const int64_t y = row % l->extent[1], sheet = row / l->extent[1], world = sheet / l->extent[2];
        const int64_t at = world * l->world_stride + sheet % l->extent[2] * l->plane + y * l->pitch;
        for (int64_t x = 0; is_open(l, world) && x < l->extent[0]; x++)
            poison_element(p, (size_t)(p->offset + (at + x) * (int64_t)p->element));
    }
}

/* Poisons the values of all children. Only those of requested children must be written: see settle_children. */
static void poison_children(chunk *p)
{
    for (size_t at = 0; p->of_children && at + p->element <= p->bytes; at += p->element) poison_element(p, at);
}

/* Runs the callback on one run's copies: in one call (0), or item by item, mostly in reverse order (1). */
static void run(const trial *t, int which)
{
    const mass_launch *l = t->work->launch;
    void *pointers[FIELDS_MAX];
    mass_launch record = *l;
    record.push = 0;
    record.count_number = mass_cpu_count_number;
    record.count_text = mass_cpu_count_text;
    record.diagnostics = t->diagnostics;
    for (uint32_t i = 0; i < t->callback->field_count; i++)
        pointers[i] = t->chunks[i].copy[which] + t->chunks[i].offset;
    if (t->keys >= 0) {
        const chunk *input = t->input >= 0 ? &t->chunks[t->input] : NULL;
        mass_cpu_keys_retry(t->work, input ? input->copy[which] : NULL, input ? input->bytes : 0);
        pointers[t->keys] = mass_cpu_keys_of(t->work, 0);
    }
    for (uint32_t k = 0; k < MASS_POPULATIONS_SEEN; k++) {
        if (t->sprouts[k]) record.sprouts[k].asked = (void *)t->sprouts[k]->copy[which];
        if (!t->requests[k]) continue;
        record.populations[k].move = (void *)t->requests[k][MOVES].copy[which];
        record.populations[k].asked = (void *)t->requests[k][ASKED].copy[which];
        record.populations[k].child_cell = (void *)t->requests[k][CHILD_CELLS].copy[which];
        if (!record.positions[k].at) continue;
        record.positions[k].to = (void *)t->requests[k][POINTS].copy[which];
        if (record.positions[k].child) record.positions[k].child = (void *)t->requests[k][CHILD_POINTS].copy[which];
    }
    if (t->cut) record.edges.cut = t->cut->copy[which];
    if (over_agents(t)) {
        for (int32_t w = 0; w < l->worlds; w++) {
            int64_t first, last;
            agents_of(l, w, &first, &last);
            if (which == 0 && first < last) t->loop(pointers, &record, &(mass_range){first, last, 0, 0});
            for (int64_t n = 0; which == 1 && n < last - first; n++) {
                const int64_t i = t->races ? first + n : last - 1 - n;
                t->loop(pointers, &record, &(mass_range){i, i + 1, 0, 0});
            }
        }
        return;
    }
    const int64_t rows = rows_of(l);
    if (which == 0) t->loop(pointers, &record, &(mass_range){0, rows, 0, l->extent[0]});
    for (int64_t row = rows; which == 1 && row > 0; row--)
        t->loop(pointers, &record, &(mass_range){row - 1, row, 0, l->extent[0]});
}

/* ---- the results ---- */

/* Reports a fault at a byte of a chunk. Returns MASS_BAD_PLUGIN. */
static mass_status report(const trial *t, const chunk *p, size_t byte, const char *what)
{
    char where[64] = "";
    const ptrdiff_t field = p - t->chunks;
    const bool request = field >= t->callback->field_count;
    const mass_agents *of = &t->work->launch->populations[p->population];
    if (p->of_agents || p->of_children || (request && !p->of_sprouts))
        snprintf(where, sizeof where, ", agent %" PRIu64, of->id[byte / p->element % of->room]);
    return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s, field %s%s, step %" PRIu64 ": %s", t->callback->name,
                          p->name, where, t->work->step, what);
}

/* Returns the number of births that an agent requests, from a copy of the requests. */
static uint32_t births_in(const void *asked, size_t agent)
{
    return ((const uint32_t *)asked)[agent] & ~MASS_ASKED_KILL;
}

/* Returns how many births an agent of a population asks for, or is asked for, in the first run. */
static uint32_t births_of(const trial *t, uint32_t population, int64_t agent)
{
    return births_in(t->requests[population][ASKED].copy[0], (size_t)agent);
}

/* Restores the values of children that were neither requested nor written. Fails if a requested child has an unwritten
 * value. */
static mass_status settle_children(const trial *t, chunk *p)
{
    const size_t room = (size_t)t->work->launch->populations[p->population].room;
    for (size_t at = 0; p->of_children && at + p->element <= p->bytes; at += p->element) {
        const size_t agent = at / p->element % room, birth = at / p->element / room;
        if (!is_poisoned(p, at)) continue;
        if (birth < births_of(t, p->population, (int64_t)agent) &&
            birth >= births_in(t->requests[p->population][ASKED].real, agent))
            return report(t, p, at, over_agents(t) ? "it asks for a child, and does not write this attribute of it"
                                    : "the callback asks for a child of it, and does not write this attribute of the "
                                      "child");
        for (int run = 0; run < 2; run++) memcpy(p->copy[run] + at, (char *)p->real + at, p->element);
    }
    return MASS_OK;
}

/* Reports data that was only to be read and was written, and results that differ between the runs. */
static mass_status check(const trial *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const chunk *p = &t->chunks[i];
        for (size_t b = 0; b < p->bytes; b++) {
            if (!p->written && (p->copy[0][b] != ((unsigned char *)p->real)[b] ||
                                p->copy[1][b] != ((unsigned char *)p->real)[b]))
                return report(t, p, b, "it is only read, and was written");
            if (p->copy[0][b] != p->copy[1][b])
                return report(t, p, b, p->fresh ? "it was not written, or depends on the order of the calls"
                                               : "it depends on the order of the calls");
        }
    }
    return MASS_OK;
}

/* Checks that a number that the callback changed is canonical and in its attribute's range. A trial that forgives
 * passes any NaN. */
static mass_status check_number(const trial *t, uint32_t field, size_t at)
{
    const chunk *p = &t->chunks[field];
    const mass_attribute_def *a = t->work->memory[field].attribute;
    char value[MASS_DECLARED_TEXT], what[sizeof value + 16];
    const bool canonical = mass_is_canonical(&t->callback->fields[field], a, p->copy[0] + at);
    if (!canonical && t->forgives) return MASS_OK;
    if ((canonical && mass_is_declared(a, p->copy[0] + at, value)) ||
        memcmp((char *)p->real + at, p->copy[0] + at, p->element) == 0)
        return MASS_OK;
    if (!canonical)
        return report(t, p, at, "it is a NaN, as of 0/0, with other bits than the canonical one: if it is meant, store "
                     "what mass_canonical_f32 or _f64 makes of it");
    snprintf(what, sizeof what, "it is %s", value);
    return report(t, p, at, what);
}

/* Reports the first number that the callback changed and that is not canonical or outside its attribute's range. */
static mass_status check_numbers(const trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const chunk *p = &t->chunks[i];
        const mass_field_memory *m = &t->work->memory[i];
        for (size_t at = 0; p->written && m->start && at + p->element <= p->bytes; at += p->element) {
            const mass_status status = check_number(t, i, at);
            if (status != MASS_OK) return status;
        }
    }
    return MASS_OK;
}

/* Normalises exact sums. Only then do equal sums that were added in different orders have equal words. */
static void settle_sums(const trial *t, int which)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const chunk *p = &t->chunks[i];
        if (t->callback->fields[i].access != MASS_SUM || p->element != MASS_EXACT_WORDS * sizeof(int64_t)) continue;
        for (size_t at = 0; p->written && at < p->bytes; at += p->element)
            mass_exact_normalise((int64_t *)(p->copy[which] + at));
    }
}

/* Puts a digest of a world's keys and counts into the copies, where the results of runs are compared. */
static void settle_keys(const trial *t, int which)
{
    for (int32_t w = 0; t->keys >= 0 && w < t->work->launch->worlds; w++) {
        const uint64_t digest = mass_cpu_keys_digest(t->work, w);
        memcpy(t->chunks[t->keys].copy[which] + (size_t)w * sizeof digest, &digest, sizeof digest);
    }
}

/* Sets the error of a move, or of a child's place, outside the space. */
static mass_status report_edge(const trial *t, int64_t agent, const char *what)
{
    return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s, agent %" PRIu64 ", step %" PRIu64 ": it asks %s "
                          "over the edge of the space", t->callback->name, t->work->launch->populations[0].id[agent],
                          t->work->step, what);
}

/* Returns the cell that an agent's child asks for, in the first run. */
static uint32_t child_cell(const trial *t, int64_t agent, uint32_t birth)
{
    const size_t at = (size_t)birth * t->work->launch->populations[0].room + (size_t)agent;
    uint32_t cell;
    memcpy(&cell, t->requests[0][CHILD_CELLS].copy[0] + at * sizeof cell, sizeof cell);
    return cell;
}

/* Reports the first agent that asks for a cell beyond a bounded edge, for itself or a child. Does not look if agents
 * have positions. */
static mass_status check_moves(const trial *t)
{
    const mass_launch *l = t->work->launch;
    const chunk *moves = t->requests[0];
    if (l->positions[0].at) return MASS_OK; /* no body can see an edge coming */
    for (int32_t w = 0; over_agents(t) && w < l->worlds; w++) {
        int64_t first, last;
        agents_of(l, w, &first, &last);
        for (int64_t i = first; i < last; i++) {
            uint32_t cell;
            memcpy(&cell, moves->copy[0] + (size_t)i * sizeof cell, sizeof cell);
            if (cell == MASS_CELL_NOWHERE) return report_edge(t, i, "to move");
            for (uint32_t b = 0, births = births_of(t, 0, i); b < births; b++)
                if (child_cell(t, i, b) == MASS_CELL_NOWHERE) return report_edge(t, i, "for a child");
        }
    }
    return MASS_OK;
}

/* Returns the row-major place of a point, with the type and the size of the launch's. Points past the last cell of an
 * axis are in it. -1: a number is negative or NaN. */
static int64_t place_of(const mass_launch *l, const mass_positions *all, const unsigned char *point)
{
    int64_t place = 0, stride = 1;
    const size_t number = all->type == MASS_F32 ? sizeof(float) : sizeof(double);
    for (size_t a = 0; a < all->size / number; a++) {
        float single;
        double v;
        memcpy(&single, point + a * number, sizeof single);
        if (all->type == MASS_F32) v = (double)single;
        else memcpy(&v, point + a * number, sizeof v);
        if (!(v >= 0)) return -1;
        place += stride * (v < (double)l->size[a] * l->cell ? mass_cell_along(v, l->cell, l->size[a]) : l->size[a] - 1);
        stride *= l->size[a];
    }
    return place;
}

/* Reports a request for a place by an agent that has a position. A plugin's loops record it. If they do not, it looks
 * for the first agent that asks to move to a cell without its new position. */
static mass_status check_points(const trial *t)
{
    if (t->diagnostics->no_point)
        return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": it asks by MIGRATE or "
                              "CHILD_TO for a place, and its population has positions: let it use MOVE_BY, MOVE_TO or "
                              "CHILD_AT", t->callback->name, t->work->step);
    const mass_launch *l = t->work->launch;
    const mass_positions *all = &l->positions[0];
    const mass_agents *g = &l->populations[0];
    for (int32_t w = 0; over_agents(t) && all->at && w < l->worlds; w++) {
        int64_t first, last;
        agents_of(l, w, &first, &last);
        for (int64_t i = first; i < last; i++) {
            uint32_t cell;
            memcpy(&cell, t->requests[0][MOVES].copy[0] + (size_t)i * sizeof cell, sizeof cell);
            if (cell == MASS_CELL_STAY || cell == MASS_CELL_NOWHERE || cell == MASS_CELL_REMOTE) continue;
            const unsigned char *const to = t->requests[0][POINTS].copy[0] + (size_t)i * all->size;
            if (g->first_place + cell - w * g->places == place_of(l, all, to)) continue;
            return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s, agent %" PRIu64 ", step %" PRIu64 ": it "
                                  "asks to move by MIGRATE, and its population has positions: let it ask by MOVE_BY or "
                                  "MOVE_TO", t->callback->name, g->id[i], t->work->step);
        }
    }
    return MASS_OK;
}

/* Returns the callback's checked form if there is one, else its plain form. */
static mass_loop *loop_of(const mass_prepared *p, bool tallies)
{
    const mass_form *checked = p->checked[tallies], *plain = tallies ? p->tally : p->quiet;
    return (checked ? checked : plain)->loop;
}

mass_status mass_paranoid_agents(const mass_work *work, mass_forgiveness forgives, mass_error *error)
{
    trial *t = calloc(1, sizeof *t);
    mass_diagnostics diagnostics = {.struct_size = sizeof diagnostics};
    if (!t) return mass_error_memory(error, sizeof *t, "the paranoid device");
    t->work = work;
    t->forgives = forgives;
    t->callback = work->prepared->callback;
    t->diagnostics = &diagnostics;
    t->error = error;
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        t->tallies |= work->tallies && mass_access_is_tally(t->callback->fields[i].access);
        t->races |= mass_access_of(t->callback->fields[i].access)->races;
    }
    t->loop = loop_of(work->prepared, t->tallies);
    mass_floats_settle();
    t->keys = t->tallies ? mass_keys_field(t->callback) : -1;
    t->input = mass_keys_input(t->callback);
    t->digest = calloc((size_t)work->launch->worlds, sizeof *t->digest);
    mass_status status = t->digest ? MASS_OK : mass_error_memory(error, sizeof *t->digest, "the paranoid device");
    if (status == MASS_OK && t->keys >= 0) status = mass_cpu_keys_begin(work, 1, error);
    if (status == MASS_OK) status = add_pieces(t);
    for (uint32_t i = 0; status == MASS_OK && i < t->count; i++)
        if (t->chunks[i].fresh) poison_piece(t, &t->chunks[i]);
    for (uint32_t i = 0; status == MASS_OK && i < t->count; i++) poison_children(&t->chunks[i]);
    for (int which = 0; status == MASS_OK && which < 2; which++) {
        run(t, which);
        if (!mass_cpu_kept_floats()) status = mass_cpu_refuse_floats(work, error);
        settle_sums(t, which);
        settle_keys(t, which);
    }
    mass_pass_on_ignored(work, &diagnostics);
    if (status == MASS_OK) status = mass_check_reach(work, &diagnostics, error);
    for (uint32_t i = 0; status == MASS_OK && i < t->count; i++) status = settle_children(t, &t->chunks[i]);
    if (status == MASS_OK) status = check(t);
    if (status == MASS_OK && forgives < MASS_FORGIVES_RANGES) status = check_numbers(t);
    if (status == MASS_OK && !forgives) status = check_moves(t);
    if (status == MASS_OK) status = check_points(t);
    for (uint32_t i = 0; status == MASS_OK && i < t->count; i++)
        if (t->chunks[i].written && t->chunks[i].bytes)
            memcpy(t->chunks[i].real, t->chunks[i].copy[0], t->chunks[i].bytes);
    if (status == MASS_OK && t->keys >= 0) status = mass_cpu_keys_end(work, 1, error);
    free(t->digest);
    for (uint32_t i = 0; i <= t->count && i < COPIES_MAX; i++)
        for (int which = 0; which < 2; which++) free(t->chunks[i].copy[which]);
    free(t);
    return status;
}
