/* SPDX-License-Identifier: Apache-2.0 */
/* Several steps of bits in one pass over memory. Places are divided into tiles of some words and rows. A thread copies
 * a tile to a buffer, with a word on either side and as many rows around it as the steps need. Steps go back and forth
 * between two buffers, each over fewer rows than the one before. The result of the last step goes back to memory.
 * Places around a tile are computed more than once. Their values become wrong from the outside, a radius in each step,
 * but never in the tile itself. Beyond a bounded edge, every step finds the defaults.
 *
 * If a tile is as wide as a torus, each step writes the ghosts along x of its rows. Then no places at the sides are
 * computed twice, and the last step writes directly to memory. */
#include "device/cpu/fused_bits.h"
#include "bits.h"
#include "model/access.h"
#include "cpu/bits_step.h"
#include "device/cpu/fused.h"
#include "device/cpu/argument_kinds.h"
#include "device/cpu/rule.h"
#include "process/crash.h"

#include <mass/impl/reach.h>
#include <string.h>

enum {
    LINE = 8,          /* words of a cache line; rows of a buffer are multiples of it */
    WORDS_MOST = 256,  /* of a row of a buffer */
    ROWS_LEAST = 16,   /* of a tile */
    ROWS_MOST = 1152,  /* 1,024 and ghosts of several passes */
    LINES_OF_PAGE = 64 /* rows this many lines apart would share lines of the first cache */
};

typedef struct fused {
    const mass_work *work;
    mass_cpu_argument_kind roles[MASS_CPU_FIELDS_MOST];
    uint32_t partner[MASS_CPU_FIELDS_MOST];
    int64_t buffer[MASS_CPU_FIELDS_MOST]; /* first word of a field's buffers: two for NEXT, none for VALUE and
                                             PRESENT */
    int32_t steps, radius, wide; /* wide: the radius of all steps together */
    bool around;                 /* tiles are as wide as a torus; rows of buffers are as far apart as those of arrays */
    int64_t words, rows;         /* of a tile */
    int64_t across, down;        /* tiles of a world */
    int64_t width, pitch, each;  /* computed words of a buffer's row; words between rows; words of a buffer */
    int64_t before;              /* words of a buffer before the word on the left of its first row */
    int64_t bytes;               /* of a thread */
    char *memory;                /* [threads] */
    int threads;
} fused;

typedef struct tile {
    const fused *f;
    uint64_t *memory;
    int64_t world, word, words, y, rows; /* of the partition */
} tile;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t parts(int64_t value, int64_t part) { return (value + part - 1) / part; }
static int64_t up(int64_t value, int64_t quantum) { return parts(value, quantum) * quantum; }
static uint32_t field_count(const fused *f) { return f->work->prepared->callback->field_count; }

int32_t mass_cpu_bit_steps(const mass_prepared *p, const mass_launch *l)
{
    int32_t steps = MASS_BITS_WORD;
    if (!p->rules || l->size[2] > 1 || l->ghost[2]) return 1;
    while (steps > 1 && steps * l->reach > MASS_BITS_WORD) steps /= 2;
    return steps;
}

/* Returns whether a row is a ring that one tile holds whole, so that the tile makes its ghosts along x itself. */
static bool goes_around(const mass_launch *l)
{
    return l->torus & MASS_AXIS_X && l->extent[0] == l->size[0] &&
           parts(l->extent[0], MASS_BITS_WORD) <= WORDS_MOST - 2;
}

uint32_t mass_cpu_bits_around(const mass_work *work)
{
    return work->steps > 1 && goes_around(work->launch) ? MASS_AXIS_X : 0;
}

/* ---- a tile ---- */

/* Returns the address of a word of row y of the partition, in the array. */
static uint64_t *in_array(const tile *t, uint32_t field, int64_t y, int64_t word)
{
    const mass_launch *l = t->f->work->launch;
    return (uint64_t *)t->f->work->fields[field] + (t->world * l->world_stride + y * l->pitch) / MASS_BITS_WORD + word;
}

/* Returns the address of the word left of the tile in row y of the partition, in the buffer after step `step`; 0 is
 * before the first step. */
static uint64_t *in_buffer(const tile *t, uint32_t field, int32_t step, int64_t y)
{
    const fused *f = t->f;
    const int64_t which = f->roles[field] == MASS_ROLE_NEXT ? step % 2 : 0;
    return t->memory + f->buffer[field] + which * f->each + (y - t->y + f->wide) * f->pitch + f->before;
}

/* Returns a word of the default value of a field: all bits 0 or all 1. */
static uint64_t default_of(const tile *t, uint32_t field)
{
    const int64_t none = mass_default_element(t->f->work->launch);
    const uint64_t *array = t->f->work->fields[field];
    return array[none / MASS_BITS_WORD] >> none % MASS_BITS_WORD & 1 ? ~(uint64_t)0 : 0;
}

/* Copies all rows of the array to the buffer in one piece, then sets their ghosts; those in the array may be of another
 * step. */
static void fetch_around(const tile *t, uint32_t field, uint32_t array)
{
    const fused *f = t->f;
    const int64_t rows = t->rows + 2 * (int64_t)f->wide;
    uint64_t *const to = in_buffer(t, field, 0, t->y - f->wide);
    memcpy(to, in_array(t, array, t->y - f->wide, -1), (size_t)((rows - 1) * f->pitch + t->words + 2) * sizeof *to);
    mass_cpu_push_bits(to + 1, f->pitch, rows, f->work->launch->extent[0], f->radius);
}

/* Copies the tile to the buffers, with a word on either side if the array has ghosts there. */
static void fetch(const tile *t)
{
    const fused *f = t->f;
    const mass_launch *l = f->work->launch;
    const int64_t ghosts = l->ghost[0], left = ghosts > 0;
    const int64_t end = least(t->words + 1, parts(l->extent[0] + ghosts, MASS_BITS_WORD) - t->word);
    for (uint32_t i = 0; i < field_count(f); i++) {
        if (f->roles[i] != MASS_ROLE_NEXT && f->roles[i] != MASS_ROLE_FIXED) continue;
        const uint32_t array = f->roles[i] == MASS_ROLE_NEXT ? f->partner[i] : i;
        if (f->around) fetch_around(t, i, array);
        for (int64_t y = t->y - f->wide; !f->around && y < t->y + t->rows + f->wide; y++)
            memcpy(in_buffer(t, i, 0, y) + 1 - left, in_array(t, array, y, t->word - left),
                   (size_t)(left + end) * sizeof(uint64_t));
    }
}

/* Copies a row of the tile to the array. Bits of the last word that are not places keep their values. */
static void store_row(const tile *t, uint32_t field, int64_t y)
{
    const int64_t end = t->f->work->launch->extent[0] - t->word * MASS_BITS_WORD;
    const int64_t whole = least(t->words, end / MASS_BITS_WORD);
    const uint64_t *from = in_buffer(t, field, t->f->steps, y) + 1;
    uint64_t *to = in_array(t, field, y, t->word);
    memcpy(to, from, (size_t)whole * sizeof *to);
    if (whole == t->words) return;
    const uint64_t mask = ((uint64_t)1 << end % MASS_BITS_WORD) - 1;
    to[whole] = (to[whole] & ~mask) | (from[whole] & mask);
}

/* Sets places beyond bounded edges along x to the default, in a row of a step's result. Does nothing on a torus. */
static void clear_ends(const tile *t, uint64_t *row, uint64_t value)
{
    const mass_launch *l = t->f->work->launch;
    if (l->torus & MASS_AXIS_X) return;
    if (t->word == 0 && l->origin[0] == 0) row[0] = value;
    const int64_t end = l->extent[0] - t->word * MASS_BITS_WORD, word = end / MASS_BITS_WORD;
    if (word > t->words || l->origin[0] + l->extent[0] < l->size[0]) return;
    const uint64_t mask = ((uint64_t)1 << end % MASS_BITS_WORD) - 1;
    row[1 + word] = (row[1 + word] & mask) | (value & ~mask);
    for (int64_t i = 2 + word; i < t->words + 2; i++) row[i] = value;
}

/* Sets the places beyond the space's edges to their defaults in rows that a step wrote. */
static void clear_beyond(const tile *t, int32_t step, int64_t first, int64_t last)
{
    const fused *f = t->f;
    const mass_launch *l = f->work->launch;
    for (uint32_t i = 0; i < field_count(f); i++) {
        if (f->roles[i] != MASS_ROLE_NEXT) continue;
        const uint64_t value = default_of(t, f->partner[i]);
        for (int64_t y = first; y < last; y++) {
            uint64_t *row = in_buffer(t, i, step, y);
            const mass_gidx there = l->origin[1] + y;
            const bool beyond = !(l->torus & MASS_AXIS_Y) && (there < 0 || there >= l->size[1]);
            if (!beyond) clear_ends(t, row, value);
            else memset(row, (int)(value & 0xff), (size_t)(t->words + 2) * sizeof *row);
        }
    }
}

/* Returns the address of a field's row in a step, at the first word that is computed. */
static void *field_of(const tile *t, uint32_t i, int32_t step, int64_t y)
{
    const fused *f = t->f;
    const int64_t left = f->around; /* words that are not computed */
    switch (f->roles[i]) {
    case MASS_ROLE_VALUE: return f->work->fields[i];
    case MASS_ROLE_PRESENT: return in_buffer(t, f->partner[i], step - 1, y) + left;
    case MASS_ROLE_FIXED: return in_buffer(t, i, step, y) + left;
    default: return f->around && step == f->steps ? in_array(t, i, y, 0) : in_buffer(t, i, step, y) + left;
    }
}

/* Points each field at its rows for a step, in the tile's memory or the array. */
static void bind_rows(const tile *t, int32_t step, int64_t first, void **fields)
{
    for (uint32_t i = 0; i < field_count(t->f); i++) fields[i] = field_of(t, i, step, first);
}

/* Returns the launch record for rows first to last - 1, as if the first were the first row of a partition. */
static mass_launch launch_of(const tile *t, int32_t step, int64_t first, int64_t last)
{
    const fused *f = t->f;
    mass_launch l = *f->work->launch;
    l.worlds = 1;
    l.world_stride = l.plane = 0;
    l.push = f->around && step < f->steps ? MASS_AXIS_X : 0;
    l.ghost[0] = f->radius;
    l.gates = NULL;
    l.pitch = f->pitch * MASS_BITS_WORD;
    if (!f->around) l.extent[0] = (mass_lidx)(f->width * MASS_BITS_WORD);
    l.extent[1] = (mass_lidx)(last - first);
    return l;
}

/* Runs one step on rows of the tile. Unless it is the last, then restores the defaults beyond the space's edges. */
static void run_step(const tile *t, int32_t step, int64_t first, int64_t last)
{
    const fused *f = t->f;
    void *fields[MASS_CPU_FIELDS_MOST];
    const mass_launch l = launch_of(t, step, first, last);
    bind_rows(t, step, first, fields);
    mass_cpu_run_rule_in(f->work->prepared, t->world, fields, &l, &(mass_range){0, last - first, 0, l.extent[0]});
    if (step < f->steps) clear_beyond(t, step, first, last);
}

/* Adds to tallies what the tile's own places contribute in a step. Atomically, since other threads add to them too. */
static void count_step(const tile *t, int32_t step)
{
    const fused *f = t->f;
    const mass_callback *c = f->work->prepared->callback;
    void *fields[MASS_CPU_FIELDS_MOST];
    int64_t sums[MASS_CPU_FIELDS_MOST] = {0};
    const mass_launch l = launch_of(t, step, t->y, t->y + t->rows);
    const int64_t end = f->work->launch->extent[0] - t->word * MASS_BITS_WORD;
    const int64_t places = least(t->words * MASS_BITS_WORD, end);
    bind_rows(t, step, t->y, fields);
    for (uint32_t i = 0; i < field_count(f); i++)
        if (mass_access_is_tally(c->fields[i].access)) fields[i] = &sums[i];
    const mass_lidx first = f->around ? 0 : MASS_BITS_WORD;
    const mass_range range = {0, t->rows, first, first + (mass_lidx)places};
    mass_cpu_count_changes_in(f->work->prepared, t->world, fields, &l, &range);
    for (uint32_t i = 0; i < field_count(f); i++) {
        if (!sums[i]) continue;
        int64_t *const tally = (int64_t *)f->work->fields[i] + t->world - (f->steps - step) * f->work->row;
        __atomic_fetch_add(tally, sums[i], __ATOMIC_RELAXED);
    }
}

/* Runs all steps on one tile: fetches its values, steps them in the tile's memory, and stores the results. */
static void run_tile(const tile *t)
{
    const fused *f = t->f;
    fetch(t);
    for (int32_t s = 1; s <= f->steps; s++) {
        const int64_t more = (int64_t)(f->steps - s) * f->radius;
        run_step(t, s, t->y - more, t->y + t->rows + more);
        if (f->work->tallies) count_step(t, s);
    }
    for (uint32_t i = 0; !f->around && i < field_count(f); i++)
        for (int64_t y = t->y; y < t->y + t->rows; y++)
            if (f->roles[i] == MASS_ROLE_NEXT || f->roles[i] == MASS_ROLE_RESULT) store_row(t, i, y);
}

/* ---- a launch ---- */

/* Returns the tile of a work item; tiles at the end of an axis may be smaller. */
static tile tile_of(const fused *f, uint64_t *memory, int64_t item)
{
    const mass_launch *l = f->work->launch;
    tile t = {.f = f, .memory = memory, .word = item % f->across * f->words, .y = item / f->across % f->down * f->rows,
              .world = item / f->across / f->down};
    t.words = least(f->words, parts(l->extent[0], MASS_BITS_WORD) - t.word);
    t.rows = least(f->rows, l->extent[1] - t.y);
    return t;
}

/* Runs one thread's share of the tiles, in worlds with open gates, in memory of its own. */
static void run_share(void *context, int thread)
{
    const fused *f = context;
    const mass_launch *l = f->work->launch;
    const int64_t items = f->across * f->down * l->worlds;
    uint64_t *memory = (uint64_t *)(void *)(f->memory + (size_t)thread * (size_t)f->bytes);
    mass_crash_plugin_thread();
    for (int64_t i = items * thread / f->threads; i < items * (thread + 1) / f->threads; i++) {
        const tile t = tile_of(f, memory, i);
        if (!l->gates || !l->gates[t.world]) run_tile(&t);
    }
    mass_crash_plugin_thread_done();
}

/* Returns the number of tiles along y: enough that each has at most f->rows rows, and the same number for each thread.
 * The latter only if tiles do not become shorter than the part that is computed twice. alike: tiles along x, of all
 * worlds. */
static int64_t tiles_down(const fused *f, int64_t threads, int64_t alike)
{
    const int64_t extent = f->work->launch->extent[1], down = parts(extent, f->rows);
    int64_t even = down;
    while (even < down + threads && even * alike % threads != 0) even++;
    return extent / even < f->wide ? down : even;
}

/* Divides the places into tiles of about the same size, for at most `threads` threads (f->threads). Also lays out a
 * thread's buffers. */
static void cut(fused *f, int threads)
{
    const mass_launch *l = f->work->launch;
    const int64_t words = parts(l->extent[0], MASS_BITS_WORD);
    int64_t buffers = 0;
    f->words = parts(words, parts(words, WORDS_MOST - 2));
    f->across = parts(words, f->words);
    f->width = up(f->words + 2, LINE);
    f->pitch = f->width + 2 * LINE; /* loops also read words on the left and right */
    if (f->pitch % (LINE * LINES_OF_PAGE) == 0) f->pitch += LINE;
    f->around = goes_around(l);
    f->before = f->around ? LINE - 1 : LINE;
    if (f->around) f->pitch = l->pitch / MASS_BITS_WORD;
    for (uint32_t i = 0; i < field_count(f); i++) {
        f->buffer[i] = buffers;
        if (f->roles[i] == MASS_ROLE_VALUE || f->roles[i] == MASS_ROLE_PRESENT) continue;
        buffers += f->roles[i] == MASS_ROLE_NEXT ? 2 : 1;
    }
    const int64_t fit = mass_cpu_cache_bytes() / 2 / (f->pitch * (int64_t)sizeof(uint64_t)) / greatest(buffers, 1);
    const int64_t alike = f->across * l->worlds, shared = parts(l->extent[1], parts(threads, alike));
    f->rows = least(greatest(fit - 2 * (int64_t)f->wide, greatest(ROWS_LEAST, 2 * (int64_t)f->wide)), ROWS_MOST);
    f->rows = greatest(least(f->rows, greatest(shared, f->wide)), 1);
    f->down = tiles_down(f, threads, alike);
    f->rows = parts(l->extent[1], f->down);
    f->down = parts(l->extent[1], f->rows);
    f->each = (f->rows + 2 * (int64_t)f->wide) * f->pitch + 2 * LINE;
    for (uint32_t i = 0; i < field_count(f); i++) f->buffer[i] *= f->each;
    f->bytes = buffers * f->each * (int64_t)sizeof(uint64_t);
    f->threads = (int)least(alike * f->down, threads);
}

mass_status mass_cpu_launch_fused_bits(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    const mass_launch *l = work->launch;
    fused f = {.work = work, .steps = work->steps, .radius = l->reach, .wide = work->steps * l->reach};
    const int most = mass_cpu_team_threads(cpu->team);
    const double count = (double)l->extent[0] * l->extent[1] * l->worlds * work->steps / MASS_BITS_WORD;
    const bool paced = cpu->paced && most > 1;
    bool helped = false;
    for (uint32_t i = 0; i < field_count(&f); i++) f.roles[i] = mass_cpu_argument_kind_of(p->callback, i,
                                                                                          &f.partner[i]);
    cut(&f, paced ? mass_thread_tuner_begin(&p->tuner[MASS_THREAD_TUNER_FUSED], most, count) : most);
    const mass_status status = mass_cpu_make_room(cpu, (size_t)f.bytes * (size_t)f.threads, error);
    f.memory = cpu->between;
    if (status == MASS_OK) helped = mass_cpu_team_run(cpu->team, f.threads, run_share, &f) > 0;
    if (paced) mass_thread_tuner_end(&p->tuner[MASS_THREAD_TUNER_FUSED], helped);
    return status;
}
