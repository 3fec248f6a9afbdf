/* SPDX-License-Identifier: Apache-2.0 */
/* Several steps in one pass over memory. A thread goes down its rows, or planes, as a wave: the first step runs some of
 * them, the second follows a radius behind, and so on; the last step writes where the launch is to write. What lies
 * between two steps are a few rows, in a buffer that stays in the cache. The callback's ordinary loop runs each piece.
 *
 * Rows lie in these buffers as in the arrays, so that a loop reads from the one and writes to the other. At the ends of
 * a thread's part, which others go on with, rows of all but the last step are computed twice: once on each side. In a
 * space of three dimensions the wave goes along z, and planes are cut into tiles along y where they are too large for
 * the cache; tiles overlap in the same way.
 *
 * Rows beyond the edge of a torus are computed with the coordinates of the places that they show. Beyond a bounded edge
 * nothing is computed: buffers hold the defaults there. */
#include "device/cpu/fused.h"
#include "core/access.h"
#include "device/cpu/shares.h"
#include "process/crash.h"

#include <mass/reach.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STEPS_MOST = 64,
    LINE = 64,
    LEFT = 64, /* elements in a buffer before the first row, for its ghosts and for rows to begin lines */
    FIELDS_MOST = 256,
    ROWS_MOST = 64,       /* of a piece */
    BAND_RADII = 4,       /* a thread's part is so many times as long as what is computed twice of it */
    PARAMETER = 8,        /* bytes of one, in a world */
    CACHE_UNKNOWN = 1 << 20
};

/* What a step does with a field. */
typedef enum role {
    ROLE_VALUE,   /* one a world, or a tally, which is left alone */
    ROLE_FIXED,   /* an array that the callback reads and does not write */
    ROLE_PRESENT, /* one that it reads, and writes by another field */
    ROLE_NEXT,    /* that other field */
    ROLE_RESULT   /* an array that it only writes */
} role;

/* A launch, as all threads know it. */
typedef struct fused {
    const mass_work *work;
    const mass_form *form;
    role roles[FIELDS_MOST];
    uint32_t partner[FIELDS_MOST]; /* of PRESENT: its NEXT */
    size_t buffer[FIELDS_MOST];    /* of NEXT and RESULT: where its buffers begin, in bytes, in a thread's memory */
    size_t level[FIELDS_MOST];     /* bytes from one step's buffer to the next one's; 0: they share one */
    int32_t steps;
    int32_t radius[3]; /* along each axis */
    int along;         /* the axis of the wave: 1 or 2 */
    int64_t stride;    /* elements from row to row along it */
    int64_t rows;      /* of a piece, along it */
    int64_t tile;      /* rows of a tile along y, where the wave goes along z */
    int64_t tiles, bands, items; /* tiles of a plane; parts along the wave; and all of them, in all worlds */
    size_t bytes;      /* a thread's memory */
    char *memory;      /* [threads] */
    int threads;
} fused;

/* Rows of a box along y and z, in the partition's coordinates; whole rows along x. */
typedef struct rows_of {
    int64_t first[3], last[3]; /* of axes 1 and 2 */
} rows_of;

/* One part of the work, with what its thread knows of it. */
typedef struct wave {
    const fused *f;
    char *memory;
    int64_t world;
    rows_of part;
    int64_t held[STEPS_MOST], done[STEPS_MOST]; /* by step: the first row that its buffer holds, and the end of those */
} wave;

/* ---- which fields ---- */

static bool is_write(const mass_callback *c, uint32_t i) { return c->fields[i].access == MASS_WRITE; }

/* The first field of that access with the target of field i, or the number of fields. */
static uint32_t find_field(const mass_callback *c, uint32_t access, uint32_t i)
{
    for (uint32_t k = 0; k < c->field_count; k++)
        if (c->fields[k].access == access && strcmp(c->fields[k].target, c->fields[i].target) == 0) return k;
    return c->field_count;
}

static bool is_value(uint32_t access) { return access == MASS_PARAM || mass_access_is_tally(access); }

static role role_of(const mass_callback *c, uint32_t i)
{
    const uint32_t access = c->fields[i].access;
    if (is_value(access)) return ROLE_VALUE;
    if (access == MASS_READ) return find_field(c, MASS_WRITE, i) < c->field_count ? ROLE_PRESENT : ROLE_FIXED;
    return find_field(c, MASS_READ, i) < c->field_count ? ROLE_NEXT : ROLE_RESULT;
}

/* Whether a step's values of the field can be handed on to the next one row by row. */
static bool is_handed_on(const mass_callback *c, uint32_t i)
{
    const uint32_t access = c->fields[i].access;
    if (is_value(access)) return access != MASS_KEYS;
    if (c->fields[i].type == MASS_BIT) return false;
    return access == MASS_READ || (access == MASS_WRITE && find_field(c, MASS_WRITE, i) == i);
}

int32_t mass_cpu_steps(mass_device *device, const mass_prepared *p, const mass_launch *l)
{
    const mass_callback *c = p->callback;
    (void)device;
    const bool line = l->size[1] * l->size[2] == 1 && l->ghost[1] + l->ghost[2] == 0;
    if (c->over != MASS_OVER_PLACES || c->field_count > FIELDS_MOST || line) return 1;
    for (uint32_t i = 0; i < c->field_count; i++)
        if (!is_handed_on(c, i)) return 1;
    return STEPS_MOST;
}

/* ---- how it is cut ---- */

static int64_t size_of(const fused *f, uint32_t field) { return (int64_t)f->work->memory[field].element_size; }

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t up(int64_t value, int64_t part) { return (value + part - 1) / part; }

static int64_t cache_bytes(void)
{
    const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? bytes : CACHE_UNKNOWN;
}

/* Bytes of a place in all buffers together. */
static int64_t bytes_between_steps(const fused *f)
{
    const mass_callback *c = f->work->prepared->callback;
    int64_t bytes = 0;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!is_write(c, i)) continue;
        bytes += size_of(f, i) * (f->roles[i] == ROLE_NEXT ? f->steps - 1 : 1);
    }
    return bytes;
}

/* Pieces as large as half of the cache has room for: along y in tiles, where the wave goes along z by few planes, else
 * along the wave. */
static void cut(fused *f, int threads)
{
    const mass_launch *l = f->work->launch;
    const int64_t r = f->radius[f->along], kept = 2 * r, twice = (int64_t)(f->steps - 1) * r;
    const int64_t row = l->pitch * bytes_between_steps(f), room = greatest(cache_bytes() / 2 / greatest(row, 1), 1);
    f->tile = l->extent[1];
    f->rows = least(greatest(room - kept, greatest(r, 1)), ROWS_MOST);
    if (f->along == 2) {
        f->rows = greatest(2 * kept, 1);
        const int64_t fit = room / (f->rows + kept) - 2 * (int64_t)(f->steps - 1) * f->radius[1];
        f->tile = least(greatest(fit, BAND_RADII * (int64_t)f->steps * greatest(f->radius[1], 1)), l->extent[1]);
    }
    f->tiles = f->along == 2 ? up(l->extent[1], f->tile) : 1;
    const int64_t shortest = greatest(BAND_RADII * twice, 1), alike = f->tiles * l->worlds;
    f->bands = greatest(least(up(threads, alike), l->extent[f->along] / shortest), 1);
    f->items = f->bands * alike;
    f->threads = (int)least(f->items, threads);
}

/* Where buffers lie in a thread's memory. */
static void place_buffers(fused *f)
{
    const mass_launch *l = f->work->launch;
    const mass_callback *c = f->work->prepared->callback;
    const int64_t elements = LEFT + (f->rows + 2 * f->radius[f->along]) * f->stride + l->pitch;
    f->bytes = 0;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!is_write(c, i)) continue;
        const size_t one = ((size_t)(elements * size_of(f, i)) + LINE - 1) / LINE * LINE + LINE;
        f->buffer[i] = f->bytes;
        f->level[i] = f->roles[i] == ROLE_NEXT ? one : 0;
        f->bytes += one * (f->roles[i] == ROLE_NEXT ? (size_t)f->steps - 1 : 1);
    }
}

/* ---- where rows lie ---- */

static int64_t array_at(const mass_launch *l, int64_t world, int64_t y, int64_t z)
{
    return world * l->world_stride + z * l->plane + y * l->pitch;
}

/* Place (0, y, z) in what step `step` writes, which is an array where it is the last one. */
static char *written_at(const wave *w, uint32_t field, int32_t step, int64_t y, int64_t z)
{
    const fused *f = w->f;
    const mass_launch *l = f->work->launch;
    const int64_t size = size_of(f, field);
    if (step == f->steps) return (char *)f->work->fields[field] + array_at(l, w->world, y, z) * size;
    const int64_t row = (f->along == 2 ? z : y) - w->held[step];
    const int64_t at = LEFT + row * f->stride + (f->along == 2 ? (y + l->ghost[1]) * l->pitch : 0);
    return w->memory + f->buffer[field] + (size_t)(step - 1) * f->level[field] + at * size;
}

/* The same in what it reads. */
static char *read_at(const wave *w, uint32_t field, int32_t step, int64_t y, int64_t z)
{
    const fused *f = w->f;
    const mass_launch *l = f->work->launch;
    if (step > 1 && f->roles[field] == ROLE_PRESENT) return written_at(w, f->partner[field], step - 1, y, z);
    const int64_t size = size_of(f, field);
    return (char *)f->work->fields[field] + array_at(l, w->world, y, z) * size;
}

static void point_at(const wave *w, int32_t step, int64_t y, int64_t z, void **fields)
{
    const fused *f = w->f;
    const mass_callback *c = f->work->prepared->callback;
    for (uint32_t i = 0; i < c->field_count; i++)
        fields[i] = is_write(c, i)                  ? written_at(w, i, step, y, z)
                    : f->roles[i] != ROLE_VALUE     ? read_at(w, i, step, y, z)
                    : c->fields[i].access == MASS_PARAM ? (char *)f->work->fields[i] + w->world * PARAMETER
                                                        : f->work->fields[i];
}

/* ---- a piece of a step ---- */

/* Up to where rows from `from` on have coordinates that follow each other, and where they begin. */
static int64_t run_of(const mass_launch *l, int axis, int64_t from, int64_t to, mass_gidx *origin)
{
    const int64_t there = (l->origin[axis] + from) % l->size[axis];
    *origin = there < 0 ? there + l->size[axis] : there;
    return least(to, from + l->size[axis] - *origin);
}

/* The launch record of rows that begin at `origin`, for one world. The default's element is between the rows, where
 * nobody writes: arrays and buffers are filled with it. */
static mass_launch record_of(const wave *w, int32_t step, const mass_gidx origin[3], const int64_t rows[3])
{
    const fused *f = w->f;
    mass_launch l = *f->work->launch;
    const int64_t beyond = l.extent[0] + l.ghost[0];
    l.step += (uint64_t)step - 1;
    l.worlds = 1;
    l.first_world += (int32_t)w->world;
    l.random_keys += w->world;
    if (l.gates) l.gates += w->world;
    l.push = step < f->steps ? l.torus & MASS_AXIS_X : 0;
    for (int a = 0; a < 3; a++) l.ghost[a] = f->radius[a];
    for (int a = 1; a < 3; a++) {
        l.origin[a] = origin[a];
        l.extent[a] = (mass_lidx)rows[a];
    }
    l.world_stride = beyond + l.ghost[2] * l.plane + l.ghost[1] * l.pitch + l.ghost[0];
    return l;
}

static void run_rows(const wave *w, int32_t step, int64_t y, int64_t z, const mass_gidx origin[3],
                     const int64_t rows[3])
{
    const fused *f = w->f;
    void *fields[FIELDS_MOST];
    const mass_launch l = record_of(w, step, origin, rows);
    point_at(w, step, y, z, fields);
    const mass_range range = {0, rows[1] * rows[2], 0, l.extent[0]};
    f->form->loop(fields, &l, &range);
    if (!l.push || (f->form->flags & MASS_FORM_PUSHES)) return;
    mass_work part = *f->work;
    part.launch = &l;
    part.fields = fields;
    mass_cpu_push_rows(&part, 0, range.last_row);
}

static void run_box(const wave *w, int32_t step, const rows_of *box)
{
    const mass_launch *l = w->f->work->launch;
    mass_gidx origin[3] = {0};
    int64_t rows[3] = {0};
    for (int64_t z = box->first[2], to_z; z < box->last[2]; z = to_z) {
        to_z = run_of(l, 2, z, box->last[2], &origin[2]);
        rows[2] = to_z - z;
        for (int64_t y = box->first[1], to_y; y < box->last[1]; y = to_y) {
            to_y = run_of(l, 1, y, box->last[1], &origin[1]);
            rows[1] = to_y - y;
            run_rows(w, step, y, z, origin, rows);
        }
    }
}

/* ---- a wave ---- */

/* Leaves out of a box what lies beyond bounded edges. */
static void clip(const mass_launch *l, rows_of *box)
{
    for (int a = 1; a < 3; a++) {
        if (l->torus >> a & 1) continue;
        box->first[a] = greatest(box->first[a], -l->origin[a]);
        box->last[a] = least(box->last[a], l->size[a] - l->origin[a]);
    }
}

/* Rows along the wave of what a step writes, to the default. */
static void fill_rows(const wave *w, int32_t step, int64_t first, int64_t last)
{
    const fused *f = w->f;
    const mass_launch *l = f->work->launch;
    const mass_callback *c = f->work->prepared->callback;
    const int64_t y0 = f->along == 2 ? -l->ghost[1] : first, z0 = f->along == 2 ? first : 0;
    for (uint32_t i = 0; first < last && i < c->field_count; i++) {
        if (f->roles[i] != ROLE_PRESENT) continue;
        const int64_t size = size_of(f, i);
        const char *none = (char *)f->work->fields[i] + mass_default_element(l) * size;
        char *to = written_at(w, f->partner[i], step, y0, z0) - f->radius[0] * size;
        mass_cpu_fill(to, none, (size_t)size, (size_t)((last - first) * f->stride), NULL);
    }
}

/* What the wave has of a step's rows, along y where it goes along z. */
static void find_width(const wave *w, int32_t step, int64_t *first, int64_t *last)
{
    const int64_t later = (int64_t)(w->f->steps - step) * w->f->radius[1];
    *first = w->part.first[1] - later;
    *last = w->part.last[1] + later;
}

/* Makes room in a step's buffer, but for the rows that the next step still reads. */
static void slide(wave *w, int32_t step)
{
    const fused *f = w->f;
    const mass_callback *c = f->work->prepared->callback;
    const mass_launch *l = f->work->launch;
    const int64_t held = w->held[step], keep = w->done[step] - 2 * f->radius[f->along];
    int64_t first = 0, last = 1; /* rows of a plane */
    if (keep <= held) return;
    if (f->along == 2) find_width(w, step, &first, &last);
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (f->roles[i] != ROLE_NEXT) continue;
        for (int64_t row = 0; row < w->done[step] - keep; row++) {
            const int64_t y = f->along == 2 ? first : held + row, z = f->along == 2 ? held + row : 0, by = keep - held;
            char *to = written_at(w, i, step, y, z) - f->radius[0] * size_of(f, i);
            memcpy(to, to + by * f->stride * size_of(f, i), (size_t)((last - first) * l->pitch * size_of(f, i)));
        }
    }
    w->held[step] = keep;
}

/* Rows of a step up to `to`, along the wave, so wide that the steps after it find what they read. */
static void run_step(wave *w, int32_t step, int64_t to)
{
    const fused *f = w->f;
    const mass_launch *l = f->work->launch;
    if (to <= w->done[step]) return;
    if (step < f->steps) slide(w, step);
    rows_of box = w->part;
    if (f->along == 2) find_width(w, step, &box.first[1], &box.last[1]);
    box.first[f->along] = w->done[step];
    box.last[f->along] = to;
    clip(l, &box);
    if (step < f->steps) {
        fill_rows(w, step, w->done[step], least(greatest(box.first[f->along], w->done[step]), to));
        fill_rows(w, step, greatest(least(box.last[f->along], to), w->done[step]), to);
    }
    run_box(w, step, &box);
    w->done[step] = to;
}

static void run_wave(wave *w)
{
    const fused *f = w->f;
    const int64_t first = w->part.first[f->along], last = w->part.last[f->along], r = f->radius[f->along];
    const int64_t begin = first - (f->steps - 1) * r, end = last + (f->steps - 1) * r;
    for (int32_t s = 1; s <= f->steps; s++) w->held[s] = w->done[s] = begin + (s - 1) * r;
    for (int64_t to = begin; to < end;) {
        to = least(to + f->rows, end);
        for (int32_t s = 1; s <= f->steps; s++) run_step(w, s, to - (s - 1) * r);
    }
}

/* ---- a thread's share ---- */

/* All that no step writes in them stays the default. */
static void fill_buffers(const fused *f, char *memory)
{
    const mass_callback *c = f->work->prepared->callback;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (f->roles[i] != ROLE_PRESENT) continue;
        const size_t size = (size_t)size_of(f, i), next = f->partner[i];
        const char *none = (char *)f->work->fields[i] + mass_default_element(f->work->launch) * (int64_t)size;
        char *all = memory + f->buffer[next];
        for (int32_t s = 1; s < f->steps; s++)
            mass_cpu_fill(all + (size_t)(s - 1) * f->level[next], none, size, f->level[next] / size, NULL);
    }
}

static void run_share(void *context, int thread)
{
    const fused *f = context;
    const mass_launch *l = f->work->launch;
    wave w = {.f = f, .memory = f->memory + (size_t)thread * f->bytes};
    mass_crash_plugin_thread();
    mass_cpu_set_float_environment();
    fill_buffers(f, w.memory);
    const int64_t first = f->items * thread / f->threads, last = f->items * (thread + 1) / f->threads;
    for (int64_t i = first; i < last; i++) {
        const int64_t band = i % f->bands, tile = i / f->bands % f->tiles, along = l->extent[f->along];
        w.world = i / f->bands / f->tiles;
        w.part = (rows_of){{0, tile * f->tile, 0}, {0, least((tile + 1) * f->tile, l->extent[1]), 1}};
        w.part.first[f->along] = along * band / f->bands;
        w.part.last[f->along] = along * (band + 1) / f->bands;
        if (!l->gates || !l->gates[w.world]) run_wave(&w);
    }
    mass_crash_plugin_thread_done();
}

static mass_status make_memory(mass_cpu *cpu, size_t bytes, mass_error *error)
{
    if (bytes <= cpu->between_bytes) return MASS_OK;
    free(cpu->between);
    cpu->between = NULL;
    cpu->between_bytes = 0;
    void *memory;
    if (posix_memalign(&memory, LINE, bytes) != 0) return mass_error_memory(error, bytes, "what lies between steps");
    cpu->between = memory;
    cpu->between_bytes = bytes;
    return MASS_OK;
}

mass_status mass_cpu_launch_fused(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    const mass_launch *l = work->launch;
    fused f = {.work = work, .form = p->quiet, .steps = work->steps};
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        f.roles[i] = role_of(p->callback, i);
        f.partner[i] = find_field(p->callback, MASS_WRITE, i);
    }
    for (int a = 0; a < 3; a++) f.radius[a] = l->ghost[a] ? l->reach : 0;
    f.along = l->size[2] > 1 || f.radius[2] ? 2 : 1;
    f.stride = f.along == 2 ? l->plane : l->pitch;
    const int most = mass_cpu_team_threads(cpu->team);
    const double count = (double)l->extent[0] * l->extent[1] * l->extent[2] * l->worlds * f.steps;
    const bool paced = cpu->paced && most > 1;
    cut(&f, paced ? mass_pace_begin(&p->pace[MASS_PACE_FUSED], most, count) : most);
    place_buffers(&f);
    const mass_status status = make_memory(cpu, f.bytes * (size_t)f.threads, error);
    f.memory = cpu->between;
    bool helped = false;
    if (status == MASS_OK) helped = mass_cpu_team_run(cpu->team, f.threads, run_share, &f) > 0;
    if (paced) mass_pace_end(&p->pace[MASS_PACE_FUSED], helped);
    return status;
}
