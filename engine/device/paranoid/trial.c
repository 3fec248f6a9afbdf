/* SPDX-License-Identifier: Apache-2.0 */
#include "device/paranoid/trial.h"

#include <mass/impl/reach.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256 };

/* Returns the bytes of a guard: accesses up to two layers beyond the ghosts still hit poison. */
static size_t guard_of(const mass_launch *l, size_t element)
{
    const int64_t layer = l->size[2] > 1 ? l->plane : l->size[1] > 1 ? l->pitch : 1;
    return (2 * (size_t)layer * element + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
}

/* Adds a copy with guards, without contents, three times its size. t->copies has room for it. */
static mass_status add_copy(mass_trial *t, const mass_copy *kind)
{
    mass_copy *c = &t->copies[t->count];
    *c = *kind;
    c->guard = c->on_places ? guard_of(&t->record, c->element) : ALIGNMENT;
    c->total = (2 * c->guard + c->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory;
    if (c->bytes > SIZE_MAX / 16 || posix_memalign(&memory, ALIGNMENT, 3 * c->total) != 0)
        return mass_error_memory(t->error, 3 * c->bytes, "the paranoid device");
    c->memory = memory;
    c->expected = c->memory + c->total;
    c->result = c->expected + c->total;
    t->count++;
    return MASS_OK;
}

/* Makes the callback's launch record. It has gaps of poison after the ghosts of a row, a plane or a world, where
 * otherwise the ghosts of the next would follow. */
static void spread(mass_trial *t)
{
    const mass_launch *l = t->launch;
    const int64_t rows = l->plane / l->pitch, planes = l->world_stride / l->plane;
    t->record = *l;
    t->record.count_number = mass_cpu_count_number;
    t->record.count_text = mass_cpu_count_text;
    t->record.pitch = l->pitch + GAP;
    t->record.plane = t->record.pitch * (rows > 1 ? rows + GAP : rows);
    t->record.world_stride = t->record.plane * (planes > 1 ? planes + GAP : planes);
    t->diagnostics = (mass_diagnostics){.struct_size = sizeof t->diagnostics};
    t->record.diagnostics = &t->diagnostics;
}

/* Converts a copy's size and first element from the engine's layout to the spread one. */
static void spread_copy(const mass_trial *t, mass_copy *c)
{
    const mass_launch *l = t->launch, *r = &t->record;
    c->first = c->real_first + element_at(r, 0, l->ghost[2], l->ghost[1], 0) -
               element_at(l, 0, l->ghost[2], l->ghost[1], 0);
    c->bytes += (size_t)(l->worlds * (r->world_stride - l->world_stride)) * c->element;
}

/* Returns how far beyond the partition a field may be read or added to, along an axis. Fields that are added to wrap,
 * unless the axis is divided into partitions. */
static int32_t reach(const mass_trial *t, const mass_field *f, int axis)
{
    const mass_callback *k = t->callback;
    const mass_launch *l = t->launch;
    const mass_access_traits *access = mass_access_of(f->access);
    const bool cut = l->extent[axis] < l->size[axis];
    if (k->dimensions != 0 && axis >= k->dimensions) return 0;
    if (access->reach != MASS_REACH_AROUND || ((access->effect & MASS_EFFECT_ADDS) && !cut)) return 0;
    return k->radius < l->ghost[axis] ? k->radius : l->ghost[axis];
}

/* Returns whether a field is a world attribute that the callback writes. */
static bool is_kept_and_written(const mass_trial *t, const mass_field *f)
{
    return mass_access_class_of(f->access, t->callback->over) == MASS_CLASS_KEPT &&
           (mass_access_of(f->access)->effect & MASS_EFFECT_WRITES);
}

/* Allocates the copy of field i, notes what the callback may do with it, and points the trial's field at it. */
static mass_status add_field(mass_trial *t, uint32_t i)
{
    const mass_field *f = &t->callback->fields[i];
    const mass_field_memory *m = &t->work->memory[i];
    mass_copy c = {.field = f, .name = f->name};
    c.on_places = mass_access_class_of(f->access, t->callback->over) == MASS_CLASS_PLACES;
    if (c.on_places) {
        const ptrdiff_t before = (char *)t->work->fields[i] - (char *)m->start;
        c.real = m->start;
        c.bytes = m->bytes;
        c.element = m->element_size;
        c.real_first = before / (ptrdiff_t)c.element;
        spread_copy(t, &c);
        c.written = mass_access_of(f->access)->effect != MASS_EFFECT_READS;
        for (int a = 0; a < 3; a++) c.reach[a] = reach(t, f, a);
    } else if (mass_access_is_of_agents(f->access, t->callback->over) ||
               mass_access_follows_edges(f->access, t->callback->over)) {
        c.of_agents = true;
        c.real = m->start;
        c.bytes = m->bytes;
        c.element = m->element_size;
    } else {
        c.real = t->work->fields[i];
        c.element = f->access == MASS_KEYS ? sizeof(int64_t) /* a digest of all keys */
                    : mass_access_is_tally(f->access) ? m->words * sizeof(int64_t) : f->size;
        c.bytes = (size_t)t->launch->worlds * c.element;
        c.written = is_kept_and_written(t, f) || (mass_access_is_tally(f->access) && t->tallies);
    }
    const mass_status status = add_copy(t, &c);
    if (status == MASS_OK)
        t->pointers[i] = t->copies[i].memory + t->copies[i].guard + (size_t)c.first * c.element;
    if (status == MASS_OK && f->access == MASS_KEYS && t->tallies) t->pointers[i] = mass_cpu_keys_of(t->work, 0);
    return status;
}

/* Copies a list that the record points at; *to becomes the address for the callback's record. */
static mass_status add_list(mass_trial *t, const char *name, const void *real, size_t bytes, void **to)
{
    const mass_status status =
        add_copy(t, &(mass_copy){.name = name, .real = (void *)real, .bytes = bytes, .element = bytes});
    if (status == MASS_OK) *to = t->copies[t->count - 1].memory + t->copies[t->count - 1].guard;
    return status;
}

mass_status mass_trial_add_copies(mass_trial *t)
{
    const mass_launch *l = t->launch;
    const size_t worlds = (size_t)l->worlds;
    void *keys = NULL, *gates = NULL, *clock = NULL, *ignored;
    mass_status status = MASS_OK;
    spread(t);
    for (uint32_t i = 0; status == MASS_OK && i < t->callback->field_count; i++)
        status = add_field(t, i);
    if (status == MASS_OK && l->random_keys)
        status = add_list(t, "the random keys", l->random_keys, worlds * sizeof *l->random_keys, &keys);
    if (status == MASS_OK && l->gates)
        status = add_list(t, "the gates", l->gates, worlds * sizeof *l->gates, &gates);
    if (status == MASS_OK && l->clock)
        status = add_list(t, "the clock", l->clock, sizeof *l->clock, &clock);
    t->record.random_keys = keys;
    t->record.gates = gates;
    t->record.clock = clock;
    t->record_at = t->count;
    if (status == MASS_OK)
        status = add_list(t, "the launch record", &t->record, sizeof t->record, &ignored);
    t->pointers_at = t->count;
    if (status == MASS_OK)
        status = add_list(t, "the struct of pointers", t->pointers,
                          t->callback->field_count * sizeof *t->pointers, &ignored);
    return status;
}

void mass_trial_free_copies(mass_trial *t)
{
    for (uint32_t i = 0; i < t->count; i++) free(t->copies[i].memory);
}

/* Returns a word of poison: bits without a pattern, different in each step, phase and copy. */
static uint64_t poison_word(const mass_trial *t, uint32_t index, size_t word)
{
    const uint64_t where = (uint64_t)index << 40 ^ (uint64_t)t->launch->phase << 52 ^ word;
    uint64_t bits = (where + t->work->step * 0xd1342543de82ef95u) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
    return bits ^ bits >> 32;
}

unsigned char mass_trial_poison_byte(const mass_trial *t, uint32_t index, size_t byte)
{
    unsigned char bytes[8];
    const uint64_t word = poison_word(t, index, byte / 8);
    memcpy(bytes, &word, sizeof bytes);
    return bytes[byte % 8];
}

/* Copies the attribute's default into the callback's memory. A callback gets it if it reads beyond its reach (which the
 * device then reports). */
static void reveal_default(const mass_trial *t, const mass_copy *c)
{
    const size_t real = t->work->memory[c - t->copies].bytes;
    const size_t from = (size_t)(c->real_first + mass_default_element(t->launch)) * c->element;
    const size_t to = (size_t)(c->first + mass_default_element(&t->record)) * c->element;
    const mass_access_traits *access = mass_access_of(c->field->access);
    const bool reads_around = access->reach == MASS_REACH_AROUND && (access->effect & MASS_EFFECT_READS);
    if (reads_around && from + c->element <= real && to + c->element <= c->bytes)
        memcpy(c->expected + c->guard + to, (const char *)c->real + from, c->element);
}

/* Copies the values that a callback may read of an attribute, or add to: those of open worlds, and the default. */
static void reveal_places(const mass_trial *t, const mass_copy *c)
{
    for (int64_t row = 0; row < rows_of_copy(t, c); row++) {
        const mass_row r = row_of_copy(t, c, row);
        if (is_open(t->launch, r.world))
            memcpy(c->expected + byte_of_row(t, c, &r), real_row(t, c, &r), bytes_of_row(t, c));
    }
    reveal_default(t, c);
}

/* Puts the values into a copy that the callback may read. A tally that it adds to begins at the neutral value. */
static void reveal(const mass_trial *t, const mass_copy *c)
{
    if (c->on_places) {
        if (mass_access_of(c->field->access)->buffer != MASS_BUFFER_NEW) reveal_places(t, c);
    } else if (!c->field || !mass_access_is_tally(c->field->access)) {
        if (c->bytes) memcpy(c->expected + c->guard, c->real, c->bytes);
    } else if (c->written) {
        const int64_t neutral = mass_accumulator_neutral(mass_access_of(c->field->access)->combine);
        for (size_t at = 0; at < c->bytes; at += sizeof neutral)
            memcpy(c->expected + c->guard + at, &neutral, sizeof neutral);
    }
}

void mass_trial_poison(const mass_trial *t, uint32_t index, int flipped)
{
    const mass_copy *c = &t->copies[index];
    const uint64_t flip = flipped == ALL || flipped == (int)index ? UINT64_MAX : 0;
    for (size_t at = 0; at < c->total; at += sizeof flip) {
        const uint64_t word = poison_word(t, index, at / sizeof flip) ^ flip;
        memcpy(c->expected + at, &word, sizeof word);
    }
    reveal(t, c);
    memcpy(c->memory, c->expected, c->total);
}
