/* SPDX-License-Identifier: Apache-2.0 */
/* Several steps in one pass over memory. Places are cut into tiles, and a thread goes down a tile's rows, or planes, as
 * a wave: some of them are copied to a buffer, the first step follows a radius behind, the second a radius behind the
 * first, and so on; what the last one computes goes back to memory. Between two steps there are a few rows, in buffers
 * that stay in the cache. The callback's ordinary loop runs each piece.
 *
 * At the sides of a tile, and at the ends of a wave, which others go on with, places of all but the last step are
 * computed twice: once on each side. Beyond the edge of a torus they have the coordinates of the places that they show;
 * beyond a bounded edge nothing is computed, and buffers hold the defaults. A tile as wide as a torus has ghosts of its
 * own along x. */
#include "device/cpu/fused.h"
#include "core/access.h"
#include "device/cpu/bytes.h"
#include "device/cpu/fused_bits.h"
#include "device/cpu/roles.h"
#include "device/cpu/shares.h"
#include "process/crash.h"

#include <mass/reach.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STEPS_MOST = 64,
    LINE = 64, /* bytes; and elements from row to row are a multiple of it */
    PAGE = 4096,
    FIELDS_MOST = MASS_CPU_FIELDS_MOST,
    ROWS = 16,            /* of a piece of a tile, where they may be so many */
    ROWS_MOST = 64,
    WIDTH_LEAST = 512,    /* of a tile, along x */
    WIDTH_OF_PLANES = 256,
    BAND_RADII = 4,       /* a wave is so many times as long as what is computed twice of it */
    PARAMETER = 8,        /* bytes of one, in a world */
    CACHE_UNKNOWN = 1 << 20
};

/* A launch, as all threads know it. */
typedef struct fused {
    const mass_work *work;
    const mass_form *form;
    mass_cpu_role roles[FIELDS_MOST];
    uint32_t partner[FIELDS_MOST]; /* of PRESENT and NEXT: the other one */
    size_t buffer[FIELDS_MOST];    /* of others than VALUE and PRESENT: where its buffers begin, in bytes */
    size_t each[FIELDS_MOST];      /* bytes of one of them */
    size_t level[FIELDS_MOST];     /* of NEXT: bytes from what one step writes to what the next one does; else 0 */
    int32_t steps;
    int32_t radius[3]; /* along each axis */
    int32_t wide[3];   /* as many times more as there are steps */
    int along;         /* the axis of the waves: 1 or 2 */
    int64_t rows;      /* of a piece, along it */
    int64_t tile[3];   /* extent of a tile; along x all of it, or a part */
    int64_t tiles[3];
    bool whole;        /* tiles are as wide as the space */
    int64_t waves, items;        /* along the axis of the waves; and tiles times waves, in all worlds */
    int64_t left, pitch, stride; /* in elements of a buffer: before x = 0 of the tile; from row to row; and along */
    size_t bytes;      /* a thread's memory */
    char *memory;      /* [threads] */
    int threads;
} fused;

/* Places of the partition. */
typedef struct box {
    int64_t first[3], last[3];
} box;

/* One wave over a tile, with what its thread knows of it. */
typedef struct wave {
    const fused *f;
    char *memory;
    int64_t world;
    box part;
    /* By step, 0 being what is copied: the first row that its buffer holds, and the end of those. */
    int64_t held[STEPS_MOST + 1], done[STEPS_MOST + 1];
    int64_t fixed; /* the first row that buffers of FIXED hold */
} wave;

int32_t mass_cpu_steps(mass_device *device, const mass_prepared *p, const mass_launch *l)
{
    const mass_callback *c = p->callback;
    (void)device;
    const bool line = l->size[1] * l->size[2] == 1 && l->ghost[1] + l->ghost[2] == 0;
    if (line || !mass_cpu_hands_on(c)) return 1;
    return mass_cpu_has_bits(c) ? mass_cpu_bit_steps(p, l) : STEPS_MOST;
}

/* ---- how it is cut ---- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t parts(int64_t value, int64_t part) { return (value + part - 1) / part; }
static int64_t up(int64_t value, int64_t quantum) { return parts(value, quantum) * quantum; }

static int64_t size_of(const fused *f, uint32_t field) { return (int64_t)f->work->memory[field].element_size; }
static uint32_t field_count(const fused *f) { return f->work->prepared->callback->field_count; }
static bool is_buffered(const fused *f, uint32_t i) { return f->roles[i] != MASS_ROLE_VALUE && f->roles[i] != MASS_ROLE_PRESENT; }

int64_t mass_cpu_cache_bytes(void)
{
    const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? bytes : CACHE_UNKNOWN;
}

/* How many places buffers have room for, so that half of the cache holds them. */
static int64_t room(const fused *f)
{
    int64_t bytes = 0;
    for (uint32_t i = 0; i < field_count(f); i++)
        if (is_buffered(f, i)) bytes += size_of(f, i) * (f->roles[i] == MASS_ROLE_NEXT ? f->steps + 1 : 1);
    return mass_cpu_cache_bytes() / 2 / greatest(bytes, 1);
}

/* Rows of tiles as wide as there is room for. */
static void cut_rows(fused *f, const mass_launch *l)
{
    const int64_t all = room(f), kept = 2 * f->radius[1], fit = up(all / (ROWS + kept), LINE);
    f->tile[0] = least(greatest(fit, WIDTH_LEAST), l->extent[0]);
    f->rows = greatest(least(all / f->tile[0] - kept, ROWS_MOST), ROWS / 2);
}

/* Planes of tiles, where there is room for few. */
static void cut_planes(fused *f, const mass_launch *l)
{
    f->rows = greatest(4 * f->radius[2], 1);
    const int64_t plane = room(f) / (f->rows + 2 * f->radius[2]), shortest = greatest(4 * (int64_t)f->wide[1], ROWS);
    f->tile[0] = l->extent[0] < 2 * WIDTH_OF_PLANES ? l->extent[0] : WIDTH_OF_PLANES;
    f->tile[1] = least(greatest(plane / f->tile[0] - 2 * (int64_t)f->wide[1], shortest), l->extent[1]);
}

/* Into tiles and waves, for so many threads at most. */
static void cut(fused *f, int threads)
{
    const mass_launch *l = f->work->launch;
    for (int a = 0; a < 3; a++) f->tile[a] = l->extent[a];
    if (f->along == 1) cut_rows(f, l);
    else cut_planes(f, l);
    f->whole = f->tile[0] == l->extent[0];
    for (int a = 0; a < 3; a++) f->tiles[a] = a == f->along ? 1 : parts(l->extent[a], f->tile[a]);
    const int64_t alike = f->tiles[0] * f->tiles[1] * f->tiles[2] * l->worlds;
    const int64_t shortest = greatest(2 * BAND_RADII * (int64_t)f->wide[f->along], 1);
    f->waves = greatest(least(parts(threads, alike), l->extent[f->along] / shortest), 1);
    f->items = f->waves * alike;
    f->threads = (int)least(f->items, threads);
}

/* Where buffers lie in a thread's memory. Rows do not begin at the same places of pages, which caches would keep in the
 * same few lines. */
static void place_buffers(fused *f)
{
    f->left = up(f->wide[0], LINE);
    f->pitch = up(f->left + f->tile[0] + f->wide[0] + 1, LINE);
    if (f->pitch % PAGE == 0) f->pitch += LINE;
    f->stride = f->along == 2 ? f->pitch * (f->tile[1] + 2 * (int64_t)f->wide[1]) : f->pitch;
    for (uint32_t i = 0; i < field_count(f); i++) {
        if (!is_buffered(f, i)) continue;
        const int64_t r = f->radius[f->along], kept = f->roles[i] == MASS_ROLE_FIXED ? (f->steps + 1) * r : 2 * r;
        const size_t one = (size_t)up(((f->rows + kept) * f->stride + f->pitch) * size_of(f, i), LINE) + LINE;
        f->buffer[i] = f->bytes;
        f->each[i] = one;
        f->level[i] = f->roles[i] == MASS_ROLE_NEXT ? one : 0;
        f->bytes += one * (f->roles[i] == MASS_ROLE_NEXT ? (size_t)f->steps + 1 : 1);
    }
}

/* ---- where places lie ---- */

static char *in_array(const wave *w, uint32_t field, const int64_t at[3])
{
    const mass_launch *l = w->f->work->launch;
    const int64_t element = w->world * l->world_stride + at[2] * l->plane + at[1] * l->pitch + at[0];
    return (char *)w->f->work->fields[field] + element * size_of(w->f, field);
}

/* In what step `step` writes, or in the copy of FIXED. */
static char *in_buffer(const wave *w, uint32_t field, int32_t step, const int64_t at[3])
{
    const fused *f = w->f;
    const int64_t row = at[f->along] - (f->roles[field] == MASS_ROLE_FIXED ? w->fixed : w->held[step]);
    const int64_t y = f->along == 2 ? at[1] - w->part.first[1] + f->wide[1] : 0;
    const int64_t element = row * f->stride + y * f->pitch + at[0] - w->part.first[0] + f->left;
    return w->memory + f->buffer[field] + (size_t)step * f->level[field] + element * size_of(f, field);
}

static void point_at(const wave *w, int32_t step, const int64_t at[3], void **fields)
{
    const fused *f = w->f;
    for (uint32_t i = 0; i < field_count(f); i++)
        switch (f->roles[i]) {
        case MASS_ROLE_PRESENT: fields[i] = in_buffer(w, f->partner[i], step - 1, at); break;
        case MASS_ROLE_VALUE: {
            const bool parameter = !mass_access_is_tally(f->work->prepared->callback->fields[i].access);
            fields[i] = (char *)f->work->fields[i] + (parameter ? w->world * PARAMETER : 0);
            break;
        }
        default: fields[i] = in_buffer(w, i, step, at); break;
        }
}

/* ---- a piece of a step ---- */

/* Up to where places from `from` on have coordinates that follow each other, and where they begin. */
static int64_t run_of(const mass_launch *l, int axis, int64_t from, int64_t to, mass_gidx *origin)
{
    const int64_t there = (l->origin[axis] + from) % l->size[axis];
    *origin = there < 0 ? there + l->size[axis] : there;
    return least(to, from + l->size[axis] - *origin);
}

/* The launch record of a piece that begins at `origin`, for one world. The default's element is behind a row, where
 * nobody writes. */
static mass_launch record_of(const wave *w, int32_t step, const box *piece, const mass_gidx origin[3])
{
    const fused *f = w->f;
    mass_launch l = *f->work->launch;
    const int64_t none = f->tile[0] + f->wide[0] - (piece->first[0] - w->part.first[0]);
    l.step += (uint64_t)step - 1;
    l.worlds = 1;
    l.first_world += (int32_t)w->world;
    l.random_keys += w->world;
    if (l.gates) l.gates += w->world;
    l.push = f->whole ? l.torus & MASS_AXIS_X : 0;
    l.pitch = f->pitch;
    l.plane = f->stride;
    for (int a = 0; a < 3; a++) {
        l.ghost[a] = f->radius[a];
        l.origin[a] = origin[a];
        l.extent[a] = (mass_lidx)(piece->last[a] - piece->first[a]);
    }
    l.world_stride = none + l.ghost[2] * l.plane + l.ghost[1] * l.pitch + l.ghost[0];
    return l;
}

static void run_piece(const wave *w, int32_t step, const box *piece, const mass_gidx origin[3])
{
    const fused *f = w->f;
    void *fields[FIELDS_MOST];
    const mass_launch l = record_of(w, step, piece, origin);
    const mass_range range = {0, (int64_t)l.extent[1] * l.extent[2], 0, l.extent[0]};
    point_at(w, step, piece->first, fields);
    f->form->loop(fields, &l, &range);
    if (!l.push || (f->form->flags & MASS_FORM_PUSHES)) return;
    mass_work part = *f->work;
    part.launch = &l;
    part.fields = fields;
    mass_cpu_push_rows(&part, 0, range.last_row);
}

static void run_box(const wave *w, int32_t step, const box *all)
{
    const mass_launch *l = w->f->work->launch;
    mass_gidx origin[3];
    box p;
    for (p.first[2] = all->first[2]; p.first[2] < all->last[2]; p.first[2] = p.last[2]) {
        p.last[2] = run_of(l, 2, p.first[2], all->last[2], &origin[2]);
        for (p.first[1] = all->first[1]; p.first[1] < all->last[1]; p.first[1] = p.last[1]) {
            p.last[1] = run_of(l, 1, p.first[1], all->last[1], &origin[1]);
            for (p.first[0] = all->first[0]; p.first[0] < all->last[0]; p.first[0] = p.last[0]) {
                p.last[0] = run_of(l, 0, p.first[0], all->last[0], &origin[0]);
                run_piece(w, step, &p, origin);
            }
        }
    }
}

/* ---- between memory and buffers ---- */

/* Row by row, what lies in a box: to the buffers, or back from those of the last step. */
static void copy_box(const wave *w, uint32_t array, uint32_t buffer, const box *b, bool back)
{
    const size_t bytes = (size_t)((b->last[0] - b->first[0]) * size_of(w->f, array));
    int64_t at[3] = {b->first[0]};
    for (at[2] = b->first[2]; at[2] < b->last[2]; at[2]++)
        for (at[1] = b->first[1]; at[1] < b->last[1]; at[1]++)
            if (back) memcpy(in_array(w, array, at), in_buffer(w, buffer, w->f->steps, at), bytes);
            else memcpy(in_buffer(w, buffer, 0, at), in_array(w, array, at), bytes);
}

/* What the steps read of memory, up to `to` along the wave. */
static void fetch(const wave *w, int64_t to)
{
    const fused *f = w->f;
    box b = w->part;
    for (int a = 0; a < 3; a++) {
        b.first[a] -= f->wide[a];
        b.last[a] += f->wide[a];
    }
    b.first[f->along] = w->done[0];
    b.last[f->along] = to;
    for (uint32_t i = 0; i < field_count(f); i++)
        if (f->roles[i] == MASS_ROLE_NEXT) copy_box(w, f->partner[i], i, &b, false);
        else if (f->roles[i] == MASS_ROLE_FIXED) copy_box(w, i, i, &b, false);
}

static void store(const wave *w, const box *b)
{
    for (uint32_t i = 0; i < field_count(w->f); i++)
        if (w->f->roles[i] == MASS_ROLE_NEXT || w->f->roles[i] == MASS_ROLE_RESULT) copy_box(w, i, i, b, true);
}

/* Its default, which the array that a buffer stands for has somewhere. */
static const char *default_of(const fused *f, uint32_t i)
{
    const uint32_t array = f->roles[i] == MASS_ROLE_NEXT ? f->partner[i] : i;
    return (const char *)f->work->fields[array] + mass_default_element(f->work->launch) * size_of(f, i);
}

/* All buffers to the default, which they keep where no step writes. */
static void clear(const wave *w)
{
    const fused *f = w->f;
    for (uint32_t i = 0; i < field_count(f); i++) {
        if (!is_buffered(f, i)) continue;
        const size_t size = (size_t)size_of(f, i), levels = f->roles[i] == MASS_ROLE_NEXT ? (size_t)f->steps + 1 : 1;
        for (size_t k = 0; k < levels; k++)
            mass_cpu_fill(w->memory + f->buffer[i] + k * f->each[i], default_of(f, i), size, f->each[i] / size, NULL);
    }
}

/* Rows of what a step writes, beyond a bounded edge. */
static void clear_rows(const wave *w, int32_t step, int64_t first, int64_t last)
{
    const fused *f = w->f;
    for (uint32_t i = 0; first < last && i < field_count(f); i++) {
        if (f->roles[i] != MASS_ROLE_NEXT) continue;
        const size_t size = (size_t)size_of(f, i);
        char *start = w->memory + f->buffer[i] + (size_t)step * f->level[i];
        mass_cpu_fill(start + (first - w->held[step]) * f->stride * (int64_t)size, default_of(f, i), size,
                      (size_t)((last - first) * f->stride), NULL);
    }
}

/* ---- a wave ---- */

static void move_rows(const wave *w, uint32_t i, int32_t step, int64_t by, int64_t count)
{
    const size_t row = (size_t)(w->f->stride * size_of(w->f, i));
    char *start = w->memory + w->f->buffer[i] + (size_t)step * w->f->level[i];
    memmove(start, start + (size_t)by * row, (size_t)count * row);
}

/* The first row that any step still reads. */
static int64_t first_read(const wave *w)
{
    int64_t first = w->done[1];
    for (int32_t s = 2; s <= w->f->steps; s++) first = least(first, w->done[s]);
    return first - w->f->radius[w->f->along];
}

/* Makes room in a step's buffers, but for the rows that the next step still reads: those of the last step are stored,
 * and those of FIXED are read by all. */
static void slide(wave *w, int32_t step)
{
    const fused *f = w->f;
    const int64_t r = f->radius[f->along], keep = w->done[step] - (step < f->steps ? 2 * r : 0);
    const int64_t fixed = step == 0 ? first_read(w) : w->fixed;
    for (uint32_t i = 0; i < field_count(f); i++) {
        if (f->roles[i] == MASS_ROLE_NEXT && keep > w->held[step])
            move_rows(w, i, step, keep - w->held[step], w->done[step] - keep);
        if (f->roles[i] == MASS_ROLE_FIXED && fixed > w->fixed)
            move_rows(w, i, 0, fixed - w->fixed, w->done[0] - fixed);
    }
    if (keep > w->held[step]) w->held[step] = keep;
    w->fixed = fixed;
}

/* Leaves out of a box what lies beyond bounded edges. */
static void clip(const mass_launch *l, box *b)
{
    for (int a = 0; a < 3; a++) {
        if (l->torus >> a & 1) continue;
        b->first[a] = greatest(b->first[a], -l->origin[a]);
        b->last[a] = least(b->last[a], l->size[a] - l->origin[a]);
    }
}

/* Rows of a step up to `to`, along the wave, so wide that the steps after it find what they read. */
static void run_step(wave *w, int32_t step, int64_t to)
{
    const fused *f = w->f;
    const int along = f->along;
    const int64_t from = w->done[step], later = f->steps - step;
    if (to <= from) return;
    slide(w, step);
    box b = w->part;
    for (int a = f->whole ? 1 : 0; a < 3; a++) {
        b.first[a] -= later * f->radius[a];
        b.last[a] += later * f->radius[a];
    }
    b.first[along] = from;
    b.last[along] = to;
    clip(f->work->launch, &b);
    clear_rows(w, step, from, least(b.first[along], to));
    clear_rows(w, step, greatest(b.last[along], from), to);
    run_box(w, step, &b);
    if (step == f->steps) store(w, &b);
    w->done[step] = to;
}

static void run_wave(wave *w)
{
    const fused *f = w->f;
    const int64_t r = f->radius[f->along], begin = w->part.first[f->along] - f->wide[f->along];
    const int64_t end = w->part.last[f->along] + f->wide[f->along];
    for (int32_t s = 0; s <= f->steps; s++) w->held[s] = w->done[s] = begin + s * r;
    w->fixed = begin;
    clear(w);
    for (int64_t to = begin; to < end;) {
        to = least(to + f->rows, end);
        slide(w, 0);
        fetch(w, to);
        w->done[0] = to;
        for (int32_t s = 1; s <= f->steps; s++) run_step(w, s, to - s * r);
    }
}

/* ---- a thread's share ---- */

static box part_of(const fused *f, int64_t item)
{
    const mass_launch *l = f->work->launch;
    const int64_t number = item % f->waves, along = l->extent[f->along];
    box b;
    item /= f->waves;
    for (int a = 0; a < 3; a++) {
        const int64_t tile = item % f->tiles[a];
        item /= f->tiles[a];
        b.first[a] = tile * f->tile[a];
        b.last[a] = least(b.first[a] + f->tile[a], l->extent[a]);
    }
    b.first[f->along] = along * number / f->waves;
    b.last[f->along] = along * (number + 1) / f->waves;
    return b;
}

static void run_share(void *context, int thread)
{
    const fused *f = context;
    const mass_launch *l = f->work->launch;
    wave w = {.f = f, .memory = f->memory + (size_t)thread * f->bytes};
    mass_crash_plugin_thread();
    mass_cpu_set_float_environment();
    const int64_t first = f->items * thread / f->threads, last = f->items * (thread + 1) / f->threads;
    for (int64_t i = first; i < last; i++) {
        w.world = i / (f->items / l->worlds);
        w.part = part_of(f, i % (f->items / l->worlds));
        if (!l->gates || !l->gates[w.world]) run_wave(&w);
    }
    mass_crash_plugin_thread_done();
}

mass_status mass_cpu_make_room(mass_cpu *cpu, size_t bytes, mass_error *error)
{
    if (bytes <= cpu->between_bytes) return MASS_OK;
    free(cpu->between);
    cpu->between = NULL;
    cpu->between_bytes = 0;
    void *memory;
    if (posix_memalign(&memory, LINE, bytes) != 0) return mass_error_memory(error, bytes, "what lies between steps");
    memset(memory, 0, bytes);
    cpu->between = memory;
    cpu->between_bytes = bytes;
    return MASS_OK;
}

static void describe(fused *f)
{
    const mass_callback *c = f->work->prepared->callback;
    const mass_launch *l = f->work->launch;
    for (uint32_t i = 0; i < c->field_count; i++) f->roles[i] = mass_cpu_role_of(c, i, &f->partner[i]);
    for (int a = 0; a < 3; a++) {
        f->radius[a] = l->ghost[a] ? l->reach : 0;
        f->wide[a] = f->steps * f->radius[a];
    }
    f->along = l->size[2] > 1 || f->radius[2] ? 2 : 1;
}

mass_status mass_cpu_launch_fused(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    const mass_launch *l = work->launch;
    if (mass_cpu_has_bits(p->callback)) return mass_cpu_launch_fused_bits(cpu, work, error);
    fused f = {.work = work, .form = p->quiet, .steps = work->steps};
    const int most = mass_cpu_team_threads(cpu->team);
    const double count = (double)l->extent[0] * l->extent[1] * l->extent[2] * l->worlds * work->steps;
    const bool paced = cpu->paced && most > 1;
    bool helped = false;
    describe(&f);
    cut(&f, paced ? mass_pace_begin(&p->pace[MASS_PACE_FUSED], most, count) : most);
    place_buffers(&f);
    const mass_status status = mass_cpu_make_room(cpu, f.bytes * (size_t)f.threads, error);
    f.memory = cpu->between;
    if (status == MASS_OK) helped = mass_cpu_team_run(cpu->team, f.threads, run_share, &f) > 0;
    if (paced) mass_pace_end(&p->pace[MASS_PACE_FUSED], helped);
    return status;
}
