/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/row_blocks.h"

#include "model/access.h"

#include <mass/impl/reach.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64, PAGE = 4096, ROOM = 96 << 10 /* bytes of a block of all fields */, ROWS_MOST = 64 };

static int64_t round_up(int64_t value, int64_t quantum) { return (value + quantum - 1) / quantum * quantum; }

/* Returns whether field i has a value for each place. */
static bool is_of_places(const mass_callback *c, uint32_t i)
{
    return mass_access_class_of(c->fields[i].access, c->over) == MASS_CLASS_PLACES;
}

/* Returns whether a field reads places around its own, so that the block needs rows and columns around it. */
static bool looks_around(const mass_callback *c, uint32_t i)
{
    return mass_access_of(c->fields[i].access)->reach == MASS_REACH_AROUND;
}

bool mass_cpu_takes_row_blocks(const mass_callback *c)
{
    bool bits = false, apart = true;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const mass_access_traits *access = mass_access_of(c->fields[i].access);
        bits |= c->fields[i].type == MASS_BIT;
        apart &= !is_of_places(c, i) || (access->reach != MASS_REACH_ROW && !(access->effect & MASS_EFFECT_ADDS));
    }
    return bits && apart && c->over != MASS_OVER_AGENTS && !mass_over_is_in_turn(c->over);
}

/* ---- the layout of a block in memory ---- */

/* Sets the strides, offsets and bytes that a thread's copies of `rows` rows of all fields of places have, with their
 * ghosts. */
static void lay_out(const mass_cpu_thread_parts *s, mass_cpu_row_block *t, int64_t rows)
{
    const mass_callback *c = s->work->prepared->callback;
    const int64_t boundary = round_up(t->reach[0], CACHE_LINE) + CACHE_LINE;
    t->rows = rows;
    t->pitch = round_up(boundary + s->stretch + t->reach[0] + 8, CACHE_LINE);
    if (t->pitch % PAGE == 0) t->pitch += CACHE_LINE; /* so that rows of a column do not share cache lines */
    t->plane = t->pitch * (rows + 2 * t->reach[1]);
    t->first = t->reach[2] * t->plane + t->reach[1] * t->pitch + boundary;
    t->none = t->plane * (2 * t->reach[2] + 1) + boundary;
    t->bytes = 0;
    for (uint32_t i = 0; i < c->field_count; i++)
        if (is_of_places(c, i))
            t->bytes += (size_t)round_up((t->none + 1) * (int64_t)s->work->memory[i].element_size, CACHE_LINE);
}

mass_status mass_cpu_begin_row_blocks(mass_cpu *cpu, mass_cpu_thread_parts *s, mass_error *error)
{
    const mass_callback *c = s->work->prepared->callback;
    const mass_launch *l = &s->launch;
    mass_cpu_row_block *t = &s->strip;
    for (int a = 0; a < 3; a++) {
        const bool around = c->dimensions == 0 || a < c->dimensions;
        t->reach[a] = !around ? 0 : c->radius < l->ghost[a] ? c->radius : l->ghost[a];
    }
    lay_out(s, t, 1);
    for (int64_t rows = 2; rows <= ROWS_MOST && rows <= l->extent[1] && t->bytes < ROOM; rows *= 2) lay_out(s, t, rows);
    const size_t bytes = t->bytes * (size_t)mass_cpu_team_threads(cpu->team);
    if (bytes > cpu->strip_bytes) {
        free(cpu->strips);
        cpu->strips = NULL;
        cpu->strip_bytes = 0;
        void *memory;
        if (posix_memalign(&memory, CACHE_LINE, bytes) != 0)
            return mass_error_memory(error, bytes, "places of bits, as bytes");
        cpu->strips = memory;
        cpu->strip_bytes = bytes;
    }
    t->memory = cpu->strips;
    return MASS_OK;
}

/* ---- copies ---- */

/* The part to work on: rows of one plane of a world, and places x to end - 1 of each row. */
typedef struct part {
    const mass_cpu_thread_parts *shares;
    int64_t world, z, y, rows;
    mass_lidx x, end;
} part;

/* Returns the number of a row's first element in arrays. */
static int64_t element_of(const part *p, int64_t y, int64_t z)
{
    const mass_launch *l = &p->shares->launch;
    return p->world * l->world_stride + z * l->plane + y * l->pitch;
}

/* Copies columns `from` to `end` - 1 of a row; place x is at `to`. Unpacks bits. Bits come in whole bytes: up to 7
 * places more on either side are written. */
static void load_row(const mass_cpu_thread_parts *s, uint32_t i, const char *row, char *to, int64_t x, int64_t from,
                     int64_t end)
{
    const size_t size = s->work->memory[i].element_size;
    if (s->work->prepared->callback->fields[i].type != MASS_BIT) {
        memcpy(to + (from - x) * (int64_t)size, row + from * (int64_t)size, (size_t)(end - from) * size);
        return;
    }
    const int64_t first = from >> 3, bytes = ((end + 7) >> 3) - first;
    mass_cpu_unpack_row((uint8_t *)to + first * 8 - x, (const uint8_t *)row + first, bytes * 8);
}

/* Returns the address of a row of a field, from its first element. */
static const char *row_at(const mass_cpu_thread_parts *s, uint32_t i, int64_t element)
{
    const bool bits = s->work->prepared->callback->fields[i].type == MASS_BIT;
    const char *field = s->work->fields[i];
    return bits ? field + element / 8 : field + element * (int64_t)s->work->memory[i].element_size;
}

/* Copies the block's rows of a field, with what the callback reads around them, into its memory; unpacks bits. */
static void load_field(const part *p, uint32_t i, char *to)
{
    const mass_cpu_thread_parts *s = p->shares;
    const mass_cpu_row_block *t = &s->strip;
    const bool around = looks_around(s->work->prepared->callback, i);
    const int64_t size = (int64_t)s->work->memory[i].element_size;
    const int64_t rx = around ? t->reach[0] : 0, ry = around ? t->reach[1] : 0, rz = around ? t->reach[2] : 0;
    for (int64_t z = -rz; z <= rz; z++)
        for (int64_t y = -ry; y < p->rows + ry; y++)
            load_row(s, i, row_at(s, i, element_of(p, p->y + y, p->z + z)),
                     to + (t->first + z * t->plane + y * t->pitch) * size, p->x, p->x - rx, p->end + rx);
}

/* Copies the block's rows of a field back into its array; packs bits. Spare bits of the last byte become 0. */
static void store_field(const part *p, uint32_t i, const char *from)
{
    const mass_cpu_thread_parts *s = p->shares;
    const mass_cpu_row_block *t = &s->strip;
    const bool bits = s->work->prepared->callback->fields[i].type == MASS_BIT;
    const int64_t size = (int64_t)s->work->memory[i].element_size, count = p->end - p->x;
    for (int64_t y = 0; y < p->rows; y++) {
        char *row = (char *)(uintptr_t)row_at(s, i, element_of(p, p->y + y, p->z));
        const char *places = from + (t->first + y * t->pitch) * size;
        if (bits) mass_cpu_pack_row((uint8_t *)row + p->x / 8, (const uint8_t *)places, count);
        else memcpy(row + p->x * size, places, (size_t)(count * size));
    }
}

/* Copies the default element to its place behind the block; bodies get it for places that they may not see. */
static void load_default(const part *p, uint32_t i, char *to)
{
    const mass_launch *l = &p->shares->launch;
    const int64_t none = mass_default_element(l), size = (int64_t)p->shares->work->memory[i].element_size;
    to += p->shares->strip.none * size;
    if (p->shares->work->prepared->callback->fields[i].type == MASS_BIT) {
        const uint8_t *field = p->shares->work->fields[i];
        *to = (char)(field[none >> 3] >> (none & 7) & 1);
    } else memcpy(to, (const char *)p->shares->work->fields[i] + none * size, (size_t)size);
}

/* ---- a part ---- */

/* Makes the launch record of a block. Place (x, y, z) of the world has the same coordinates, but is in the block's
 * memory. So is the default element, which follows from the number of worlds and their stride. Returns the element of
 * place (0, 0, 0) of world 0, which may be outside the block. */
static int64_t make_record(const part *p, mass_launch *l)
{
    const mass_cpu_row_block *t = &p->shares->strip;
    l->pitch = t->pitch;
    l->plane = t->plane;
    l->push = 0;
    const int64_t before = p->z * t->plane + p->y * t->pitch + p->x;
    const int64_t boundary = l->ghost[2] * t->plane + l->ghost[1] * t->pitch + l->ghost[0];
    l->worlds = (int32_t)p->world + 1;
    l->world_stride = t->none - t->first + before + boundary;
    return t->first - p->world * l->world_stride - before; /* the element that place (0, 0, 0) of world 0 would be */
}

/* Runs the callback on one block of rows. Copies its fields into `memory` first, and afterwards copies back what it
 * wrote. On a thread of the team. */
static void run_part(const part *p, void *const *fields, char *memory)
{
    const mass_cpu_thread_parts *s = p->shares;
    const mass_callback *c = s->work->prepared->callback;
    mass_launch record = s->launch;
    void *own[256];
    const int64_t start = make_record(p, &record), row = (p->world * record.extent[2] + p->z) * record.extent[1] + p->y;
    memcpy(own, fields, c->field_count * sizeof *own);
    char *at = memory;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!is_of_places(c, i)) continue;
        const int64_t size = (int64_t)s->work->memory[i].element_size;
        if (mass_access_of(c->fields[i].access)->effect & MASS_EFFECT_READS) load_field(p, i, at);
        load_default(p, i, at);
        own[i] = (void *)((uintptr_t)at + (uintptr_t)(start * size));
        at += round_up((s->strip.none + 1) * size, CACHE_LINE);
    }
    s->form->loop(own, &record, &(mass_range){row, row + p->rows, p->x, p->end});
    at = memory;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!is_of_places(c, i)) continue;
        if (mass_access_of(c->fields[i].access)->effect & MASS_EFFECT_WRITES) store_field(p, i, at);
        at += round_up((s->strip.none + 1) * (int64_t)s->work->memory[i].element_size, CACHE_LINE);
    }
}

void mass_cpu_run_row_blocks(const mass_cpu_thread_parts *s, void *const *fields, int thread, const mass_range *range)
{
    const mass_launch *l = &s->launch;
    char *memory = s->strip.memory + (size_t)thread * s->strip.bytes;
    for (int64_t row = range->first_row, rows; row < range->last_row; row += rows) {
        const int64_t y = row % l->extent[1], sheet = row / l->extent[1], left = range->last_row - row;
        part p = {s, sheet / l->extent[2], sheet % l->extent[2], y, l->extent[1] - y, 0, 0};
        if (p.rows > left) p.rows = left;
        if (p.rows > s->strip.rows) p.rows = s->strip.rows;
        rows = p.rows;
        if (l->gates && l->gates[p.world]) continue;
        for (p.x = range->first_x; p.x < range->last_x; p.x = p.end) {
            p.end = range->last_x - p.x < s->stretch ? range->last_x : p.x + s->stretch;
            run_part(&p, fields, memory);
        }
    }
}
