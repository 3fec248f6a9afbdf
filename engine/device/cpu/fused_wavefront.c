/* SPDX-License-Identifier: Apache-2.0 */
/* The wavefront of fused steps. Buffers between two steps hold a few rows, and stay in the cache. A step follows a
 * radius behind the one before. The callback's ordinary loop runs each piece whose coordinates are consecutive. A loop
 * uses one pitch for all fields. So the first step, which reads memory, and the last one, which writes it, run row by
 * row. */
#include "device/cpu/fused_wavefront.h"
#include "model/access.h"
#include "cpu/kernels.h"
#include "device/cpu/thread_parts.h"

#include <mass/impl/reach.h>
#include <string.h>

enum { PARAMETER = 8 /* bytes of a parameter in one world */ };

/* A wavefront over a tile, and the state of its thread. */
typedef struct wavefront {
    const mass_cpu_fused *f;
    char *memory;
    int64_t world;
    mass_cpu_box part;
    /* By step: the first row that its buffer holds, and the end of those rows. Only done[0] is used, for the copies of
     * FIXED fields. */
    int64_t held[MASS_CPU_STEPS_MOST + 1], done[MASS_CPU_STEPS_MOST + 1];
    int64_t fixed; /* the first row that buffers of FIXED fields hold */
} wavefront;

/* ---- addresses of places ---- */

/* Returns the address of a field's element in its array. */
static char *in_array(const wavefront *w, uint32_t field, const int64_t at[3])
{
    const mass_launch *l = w->f->work->launch;
    const int64_t element = w->world * l->world_stride + at[2] * l->plane + at[1] * l->pitch + at[0];
    return (char *)w->f->work->fields[field] + element * size_of(w->f, field);
}

/* Returns the address of a place in the result of a step, or in the copy of a FIXED field. */
static char *in_buffer(const wavefront *w, uint32_t field, int32_t step, const int64_t at[3])
{
    const mass_cpu_fused *f = w->f;
    const int64_t row = at[f->along] - (f->roles[field] == MASS_ROLE_FIXED ? w->fixed : w->held[step]);
    const int64_t y = f->along == 2 ? at[1] - w->part.first[1] + f->wide[1] : 0;
    const int64_t element = row * f->stride + y * f->pitch + at[0] - w->part.first[0] + f->left;
    return w->memory + f->buffer[field] + (size_t)(step - 1) * f->level[field] + element * size_of(f, field);
}

static bool is_last(const wavefront *w, int32_t step) { return step == w->f->steps; }

/* Points each field at the place `at` for a step: in arrays in the first or last step, else in buffers. */
static void point_at(const wavefront *w, int32_t step, const int64_t at[3], void **fields)
{
    const mass_cpu_fused *f = w->f;
    for (uint32_t i = 0; i < field_count(f); i++)
        switch (f->roles[i]) {
        case MASS_ROLE_PRESENT:
            fields[i] = step == 1 ? in_array(w, i, at) : in_buffer(w, f->partner[i], step - 1, at);
            break;
        case MASS_ROLE_FIXED: fields[i] = step == 1 ? in_array(w, i, at) : in_buffer(w, i, step, at); break;
        case MASS_ROLE_VALUE: {
            const bool parameter = !mass_access_is_tally(f->work->prepared->callback->fields[i].access);
            fields[i] = (char *)f->work->fields[i] + (parameter ? w->world * PARAMETER : 0);
            break;
        }
        default: fields[i] = is_last(w, step) ? in_array(w, i, at) : in_buffer(w, i, step, at); break;
        }
}

/* ---- a piece of a step ---- */

/* Returns the end of the places from `from` on whose coordinates are consecutive. Sets *origin to the coordinate of the
 * first. */
static int64_t run_of(const mass_launch *l, int axis, int64_t from, int64_t to, mass_gidx *origin)
{
    const int64_t there = (l->origin[axis] + from) % l->size[axis];
    *origin = there < 0 ? there + l->size[axis] : there;
    return least(to, from + l->size[axis] - *origin);
}

/* Returns the index of the default element, relative to the first element of a piece. It is in the array, or after a
 * row of buffers, where no step writes. */
static int64_t default_from(const wavefront *w, int32_t step, const int64_t at[3])
{
    const mass_launch *l = w->f->work->launch;
    if (step > 1) return w->f->tile[0] + w->f->wide[0] - (at[0] - w->part.first[0]);
    return mass_default_element(l) - w->world * l->world_stride - at[2] * l->plane - at[1] * l->pitch - at[0];
}

/* Returns the launch record of a piece that begins at `origin`, for one world. */
static mass_launch record_of(const wavefront *w, int32_t step, const mass_cpu_box *chunk, const mass_gidx origin[3])
{
    const mass_cpu_fused *f = w->f;
    mass_launch l = *f->work->launch;
    l.step += (uint64_t)step - 1;
    l.worlds = 1;
    l.first_world += (int32_t)w->world;
    l.random_keys += w->world;
    if (l.gates) l.gates += w->world;
    l.push = f->whole && !is_last(w, step) ? l.torus & MASS_AXIS_X : 0;
    if (step > 1) {
        l.pitch = f->pitch;
        l.plane = f->stride;
    }
    for (int a = 0; a < 3; a++) {
        l.ghost[a] = f->radius[a];
        l.origin[a] = origin[a];
        l.extent[a] = (mass_lidx)(chunk->last[a] - chunk->first[a]);
    }
    l.world_stride = default_from(w, step, chunk->first) + l.ghost[2] * l.plane + l.ghost[1] * l.pitch + l.ghost[0];
    return l;
}

/* Runs a step on a box whose rows are contiguous in all memory, and pushes ghosts if the form does not. origin: the
 * coordinates of the box's first place. Those of the others follow, and do not wrap. */
static void run_piece(const wavefront *w, int32_t step, const mass_cpu_box *chunk, const mass_gidx origin[3])
{
    const mass_cpu_fused *f = w->f;
    void *fields[MASS_CPU_FIELDS_MOST];
    const mass_launch l = record_of(w, step, chunk, origin);
    const mass_range range = {0, (int64_t)l.extent[1] * l.extent[2], 0, l.extent[0]};
    point_at(w, step, chunk->first, fields);
    f->form->loop(fields, &l, &range);
    if (!l.push || (f->form->flags & MASS_FORM_PUSHES)) return;
    mass_work part = *f->work;
    part.launch = &l;
    part.fields = fields;
    mass_cpu_push_rows(&part, 0, range.last_row);
}

/* Runs a step on a box row by row. origin: as in run_piece. */
static void run_rows(const wavefront *w, int32_t step, const mass_cpu_box *chunk, const mass_gidx origin[3])
{
    mass_cpu_box row = *chunk;
    for (row.first[2] = chunk->first[2]; row.first[2] < chunk->last[2]; row.first[2]++)
        for (row.first[1] = chunk->first[1]; row.first[1] < chunk->last[1]; row.first[1]++) {
            const mass_gidx at[] = {origin[0], origin[1] + row.first[1] - chunk->first[1],
                                    origin[2] + row.first[2] - chunk->first[2]};
            row.last[1] = row.first[1] + 1;
            row.last[2] = row.first[2] + 1;
            run_piece(w, step, &row, at);
        }
}

/* Runs a step on a box, divided where coordinates wrap around the torus. The first and the last step, which use the
 * arrays, are run row by row. */
static void run_box(const wavefront *w, int32_t step, const mass_cpu_box *all)
{
    const mass_launch *l = w->f->work->launch;
    mass_gidx origin[3];
    mass_cpu_box p;
    for (p.first[2] = all->first[2]; p.first[2] < all->last[2]; p.first[2] = p.last[2]) {
        p.last[2] = run_of(l, 2, p.first[2], all->last[2], &origin[2]);
        for (p.first[1] = all->first[1]; p.first[1] < all->last[1]; p.first[1] = p.last[1]) {
            p.last[1] = run_of(l, 1, p.first[1], all->last[1], &origin[1]);
            for (p.first[0] = all->first[0]; p.first[0] < all->last[0]; p.first[0] = p.last[0]) {
                p.last[0] = run_of(l, 0, p.first[0], all->last[0], &origin[0]);
                if (step == 1 || is_last(w, step)) run_rows(w, step, &p, origin);
                else run_piece(w, step, &p, origin);
            }
        }
    }
}

/* ---- between memory and buffers ---- */

/* Copies rows of the arrays that all steps read, from w->done[0] up to `to` along the wavefront. */
static void fetch(const wavefront *w, int64_t to)
{
    const mass_cpu_fused *f = w->f;
    mass_cpu_box b = w->part;
    for (int a = 0; a < 3; a++) {
        b.first[a] -= f->wide[a];
        b.last[a] += f->wide[a];
    }
    b.first[f->along] = w->done[0];
    b.last[f->along] = to;
    for (uint32_t i = 0; i < field_count(f); i++) {
        const size_t bytes = (size_t)((b.last[0] - b.first[0]) * size_of(f, i));
        int64_t at[3] = {b.first[0]};
        if (f->roles[i] != MASS_ROLE_FIXED) continue;
        for (at[2] = b.first[2]; at[2] < b.last[2]; at[2]++)
            for (at[1] = b.first[1]; at[1] < b.last[1]; at[1]++)
                memcpy(in_buffer(w, i, 0, at), in_array(w, i, at), bytes);
    }
}

/* Returns a field's default element, from the array that a buffer belongs to. */
static const char *default_of(const mass_cpu_fused *f, uint32_t i)
{
    const uint32_t array = f->roles[i] == MASS_ROLE_NEXT ? f->partner[i] : i;
    return (const char *)f->work->fields[array] + mass_default_element(f->work->launch) * size_of(f, i);
}

/* Fills all buffers with the default, which remains where no step writes. */
static void clear(const wavefront *w)
{
    const mass_cpu_fused *f = w->f;
    for (uint32_t i = 0; i < field_count(f); i++) {
        if (!is_buffered(f, i)) continue;
        const size_t size = (size_t)size_of(f, i), levels = f->roles[i] == MASS_ROLE_NEXT ? (size_t)f->steps - 1 : 1;
        for (size_t k = 0; k < levels; k++)
            mass_cpu_fill(w->memory + f->buffer[i] + k * f->each[i], default_of(f, i), size, f->each[i] / size, NULL);
    }
}

/* Fills rows of a step's result beyond a bounded edge with the default. */
static void clear_rows(const wavefront *w, int32_t step, int64_t first, int64_t last)
{
    const mass_cpu_fused *f = w->f;
    for (uint32_t i = 0; first < last && i < field_count(f); i++) {
        if (f->roles[i] != MASS_ROLE_NEXT) continue;
        const size_t size = (size_t)size_of(f, i);
        char *start = w->memory + f->buffer[i] + (size_t)(step - 1) * f->level[i];
        mass_cpu_fill(start + (first - w->held[step]) * f->stride * (int64_t)size, default_of(f, i), size,
                      (size_t)((last - first) * f->stride), NULL);
    }
}

/* ---- a wavefront ---- */

/* Moves `count` rows of a field's buffer for a step, from row `by` on, to its start, so that new ones fit. */
static void move_rows(const wavefront *w, uint32_t i, int32_t step, int64_t by, int64_t count)
{
    const size_t row = (size_t)(w->f->stride * size_of(w->f, i));
    char *start = w->memory + w->f->buffer[i] + (size_t)(step - 1) * w->f->level[i];
    memmove(start, start + (size_t)by * row, (size_t)count * row);
}

/* Returns the first row that any step still reads. */
static int64_t first_read(const wavefront *w)
{
    int64_t first = w->done[1];
    for (int32_t s = 2; s <= w->f->steps; s++) first = least(first, w->done[s]);
    return first - w->f->radius[w->f->along];
}

/* Frees space in the buffer of a step; keeps the rows that the next step still reads. Sets w->held. */
static void slide(wavefront *w, int32_t step)
{
    const mass_cpu_fused *f = w->f;
    const int64_t keep = is_last(w, step) ? w->done[step] : w->done[step] - 2 * (int64_t)f->radius[f->along];
    if (keep <= w->held[step]) return;
    for (uint32_t i = 0; i < field_count(f); i++)
        if (f->roles[i] == MASS_ROLE_NEXT && !is_last(w, step))
            move_rows(w, i, step, keep - w->held[step], w->done[step] - keep);
    w->held[step] = keep;
}

/* Frees space in the buffers of FIXED fields, which all steps read: moves the rows that a step still needs to the
 * start, and sets w->fixed. Loads none (fetch). */
static void slide_fixed(wavefront *w)
{
    const int64_t keep = first_read(w);
    if (keep <= w->fixed) return;
    for (uint32_t i = 0; i < field_count(w->f); i++)
        if (w->f->roles[i] == MASS_ROLE_FIXED) move_rows(w, i, 1, keep - w->fixed, w->done[0] - keep);
    w->fixed = keep;
}

/* Removes from a box the places beyond bounded edges. */
static void clip(const mass_launch *l, mass_cpu_box *b)
{
    for (int a = 0; a < 3; a++) {
        if (l->torus >> a & 1) continue;
        b->first[a] = greatest(b->first[a], -l->origin[a]);
        b->last[a] = least(b->last[a], l->size[a] - l->origin[a]);
    }
}

/* Runs rows of a step from w->done[step] up to `to` along the wavefront, and sets w->done[step]. They are wide enough
 * for the reads of all later steps. Does nothing if these rows have run. */
static void run_step(wavefront *w, int32_t step, int64_t to)
{
    const mass_cpu_fused *f = w->f;
    const int along = f->along;
    const int64_t from = w->done[step], later = f->steps - step;
    if (to <= from) return;
    slide(w, step);
    mass_cpu_box b = w->part;
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
    w->done[step] = to;
}

/* Runs all steps over the part as a wavefront: step s follows step s - 1 at the distance that it reads. */
static void run(wavefront *w)
{
    const mass_cpu_fused *f = w->f;
    const int64_t r = f->radius[f->along], begin = w->part.first[f->along] - f->wide[f->along];
    const int64_t end = w->part.last[f->along] + f->wide[f->along];
    for (int32_t s = 0; s <= f->steps; s++) w->held[s] = w->done[s] = begin + s * r;
    w->fixed = begin;
    clear(w);
    for (int64_t to = begin; to < end;) {
        to = least(to + f->rows, end);
        slide_fixed(w);
        fetch(w, to);
        w->done[0] = to;
        for (int32_t s = 1; s <= f->steps; s++) run_step(w, s, to - s * r);
    }
}

void mass_cpu_run_wavefront(const mass_cpu_fused *f, char *memory, int64_t world, const mass_cpu_box *part)
{
    wavefront w = {.f = f, .memory = memory, .world = world, .part = *part};
    run(&w);
}
