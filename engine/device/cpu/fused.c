/* SPDX-License-Identifier: Apache-2.0 */
/* Several steps in one pass over memory. Places are divided into tiles. A thread moves down a tile's rows, or planes,
 * as a wavefront. The first step reads memory, each next step follows a radius behind the one before, and the last one
 * writes memory. Buffers between two steps have a few rows, and stay in the cache. So do copies of arrays that all
 * steps read and none writes. The callback's ordinary loop runs each piece.
 *
 * At the sides of a tile, and at the ends of a wavefront, places of all but the last step are computed twice: once on
 * each side. Places beyond the edge of a torus have the coordinates of the places that they copy. Beyond a bounded edge
 * nothing is computed, and buffers hold the defaults. A tile as wide as a torus has ghosts of its own along x. */
#include "device/cpu/fused.h"
#include "model/access.h"
#include "device/cpu/bytes.h"
#include "device/cpu/fused_bits.h"
#include "device/cpu/fused_wavefront.h"
#include "device/cpu/rule.h"
#include "process/crash.h"

#include <mass/impl/reach.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE = 64, /* bytes; also, rows of a buffer are a multiple of so many elements apart */
    PAGE = 4096,
    ROWS_LEAST = 8,       /* rows of a piece of a tile */
    ROWS_MOST = 64,
    WIDTH_LEAST = 512,    /* places of a tile, along x */
    WIDTH_OF_PLANES = 256,
    BAND_RADII = 4,       /* a wavefront is this many times as long as the part of it that is computed twice */
    CACHE_UNKNOWN = 1 << 20
};

int32_t mass_cpu_steps(mass_device *device, const mass_prepared *p, const mass_launch *l, bool tallies)
{
    const mass_callback *c = p->callback;
    (void)device;
    const bool line = l->size[1] * l->size[2] == 1 && l->ghost[1] + l->ghost[2] == 0;
    if (line || !mass_cpu_hands_on(c)) return 1;
    if (tallies && !(mass_cpu_has_bits(c) && mass_cpu_counts_changes(p))) return 1;
    return mass_cpu_has_bits(c) ? mass_cpu_bit_steps(p, l) : MASS_CPU_STEPS_MOST;
}

uint32_t mass_cpu_around(mass_device *device, const mass_work *work)
{
    (void)device;
    return mass_cpu_has_bits(work->prepared->callback) ? mass_cpu_bits_around(work) : 0;
}

/* ---- division into tiles ---- */

int64_t mass_cpu_cache_bytes(void)
{
    const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? bytes : CACHE_UNKNOWN;
}

/* Returns the number of places that each buffer may have, so that they fill half of the cache. */
static int64_t room(const mass_cpu_fused *f)
{
    int64_t bytes = 0;
    for (uint32_t i = 0; i < field_count(f); i++)
        if (is_buffered(f, i)) bytes += size_of(f, i) * (f->roles[i] == MASS_ROLE_NEXT ? f->steps - 1 : 1);
    return mass_cpu_cache_bytes() / 2 / greatest(bytes, 1);
}

/* Chooses tiles of rows. Their rows are as long as the whole cache allows with few rows, since memory is fastest in
 * whole rows. All tiles have about the same width. Sets f->rows and the width of tiles. */
static void cut_rows(mass_cpu_fused *f, const mass_launch *l)
{
    const int64_t all = room(f), kept = 2 * f->radius[1], fit = 2 * all / (ROWS_LEAST + kept);
    const int64_t tiles = parts(l->extent[0], greatest(fit, WIDTH_LEAST));
    f->tile[0] = least(up(parts(l->extent[0], tiles), LINE), l->extent[0]);
    f->rows = greatest(least(all / f->tile[0] - kept, ROWS_MOST), ROWS_LEAST);
}

/* Chooses tiles of planes, since only few planes fit into the cache. Sets f->rows and the extents of tiles along x and
 * y. */
static void cut_planes(mass_cpu_fused *f, const mass_launch *l)
{
    f->rows = greatest(4 * f->radius[2], 1);
    const int64_t plane = room(f) / (f->rows + 2 * f->radius[2]);
    const int64_t shortest = greatest(4 * (int64_t)f->wide[1], 2 * ROWS_LEAST);
    f->tile[0] = l->extent[0] < 2 * WIDTH_OF_PLANES ? l->extent[0] : WIDTH_OF_PLANES;
    f->tile[1] = least(greatest(plane / f->tile[0] - 2 * (int64_t)f->wide[1], shortest), l->extent[1]);
}

/* Divides the places into tiles and wavefronts, for at most `threads` threads. Sets f->threads. */
static void cut(mass_cpu_fused *f, int threads)
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

/* Places the buffers in a thread's memory. Rows must not begin at the same offset of pages: caches would keep them in
 * the same few lines. */
static void place_buffers(mass_cpu_fused *f)
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
        f->bytes += one * (f->roles[i] == MASS_ROLE_NEXT ? (size_t)f->steps - 1 : 1);
    }
}

/* ---- a thread's share ---- */

/* Returns the box of a work item: a tile, or of it one of the wave's parts along one axis. item: its number in a
 * world. */
static mass_cpu_box part_of(const mass_cpu_fused *f, int64_t item)
{
    const mass_launch *l = f->work->launch;
    const int64_t number = item % f->waves, along = l->extent[f->along];
    mass_cpu_box b;
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

/* Runs one thread's share of the items in its own memory, in worlds with open gates. Notes if the callback changed
 * float modes. */
static void run_share(void *context, int thread)
{
    mass_cpu_fused *f = context;
    const mass_launch *l = f->work->launch;
    char *const memory = f->memory + (size_t)thread * f->bytes;
    mass_crash_plugin_thread();
    mass_floats_settle();
    const int64_t first = f->items * thread / f->threads, last = f->items * (thread + 1) / f->threads;
    for (int64_t i = first; i < last; i++) {
        const int64_t world = i / (f->items / l->worlds);
        const mass_cpu_box part = part_of(f, i % (f->items / l->worlds));
        if (!l->gates || !l->gates[world]) mass_cpu_run_wavefront(f, memory, world, &part);
    }
    if (!mass_cpu_kept_floats()) __atomic_store_n(&f->unsettles, true, __ATOMIC_RELAXED);
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

/* Sets the roles and partners of the fields, the radii, and the axis of the wavefronts. */
static void describe(mass_cpu_fused *f)
{
    const mass_callback *c = f->work->prepared->callback;
    const mass_launch *l = f->work->launch;
    for (uint32_t i = 0; i < c->field_count; i++) f->roles[i] = mass_cpu_argument_kind_of(c, i, &f->partner[i]);
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
    mass_cpu_fused f = {.work = work, .form = p->quiet, .steps = work->steps};
    const int most = mass_cpu_team_threads(cpu->team);
    const double count = (double)l->extent[0] * l->extent[1] * l->extent[2] * l->worlds * work->steps;
    const bool paced = cpu->paced && most > 1;
    bool helped = false;
    describe(&f);
    cut(&f, paced ? mass_thread_tuner_begin(&p->tuner[MASS_THREAD_TUNER_FUSED], most, count) : most);
    place_buffers(&f);
    const mass_status status = mass_cpu_make_room(cpu, f.bytes * (size_t)f.threads, error);
    f.memory = cpu->between;
    if (status == MASS_OK) helped = mass_cpu_team_run(cpu->team, f.threads, run_share, &f) > 0;
    if (paced) mass_thread_tuner_end(&p->tuner[MASS_THREAD_TUNER_FUSED], helped);
    return status == MASS_OK && f.unsettles ? mass_cpu_refuse_floats(work, error) : status;
}
