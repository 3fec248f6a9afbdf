/* SPDX-License-Identifier: Apache-2.0 */
#include "run/fuse_tuner.h"
#include "plan/fuse.h"
#include "plan/phase.h"

enum { FLAT_MOST = 16, SOLID_MOST = 4, FIRST_SEVERAL = 4, THICKNESS = 4, TOO_SHORT_MOST = 8 };

/* Bytes below which a space may stay in a cache, where passes cost little. Ranks of a host share the cache of its
 * processors. */
static const double CACHED = 64.0 * (1 << 20);

/* Factors by which a time must be better than the best so far: more steps, more steps with many measures, and
 * exchanges before launches. */
static const double BETTER = 0.95, BETTER_BRIEF = 0.98, BETTER_APART = 0.97;

/* MEASURE: least seconds of a measure. BRIEF: seconds of measuring after which the tuner takes no further ones. */
static const double MEASURE = 5e-4, BRIEF = 2e-3;

/* Returns the bytes of the arrays that a step uses, in so many worlds. *bits: all of them are bits. */
static double bytes_of(const mass_model *m, const mass_phase_def *phase, int32_t worlds, bool *bits)
{
    double bytes = 0;
    *bits = true;
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        if (mass_access_class_of(phase->targets[i].access, MASS_OVER_PLACES) == MASS_CLASS_PLACES) {
            const bool packed = phase->callback->fields[i].type == MASS_BIT;
            bytes += (double)m->arrays[phase->targets[i].index].element_size / (packed ? 8 : 1);
            *bits &= packed;
        }
    return bytes * (double)mass_space_places(&m->spaces[phase->space]) * worlds;
}

/* Returns the most steps, `most` halved until it is 1 at the least, whose ghosts are thin enough for so many layers of
 * places. */
static int32_t fit(mass_gidx extent, const mass_phase_def *phase, int32_t most)
{
    while (most > 1 && extent < (mass_gidx)THICKNESS * most * phase->reach) most /= 2;
    return most;
}

/* Returns the number of steps, at most `most`, that fit the slabs of ranks and all axes of a small space, where fused
 * steps would compute most places twice. Bits are cheap, so only slabs limit them. */
static int32_t fit_all(const mass_space_def *s, const mass_phase_def *phase, int32_t slabs, bool bits, int32_t most)
{
    if (slabs > 1) most = fit(s->size[mass_slab_axis(s)] / slabs, phase, most);
    for (uint32_t a = 0; a < s->dimensions && !bits; a++) most = fit(s->size[a], phase, most);
    return most;
}

/* Returns the most steps that are worth a trial, or 1. Fused steps are worth one if a step takes little longer than to
 * start it. Steps over bits do so in spaces of many sizes: a GPU has to launch them, and CPU threads have to
 * synchronise. On a GPU, an exchange between ranks before a step also takes at least that long. */
int32_t mass_fuse_tuner_most_on(bool gpu, const mass_model *m, int32_t worlds, const mass_comm *comm)
{
    bool bits;
    if (mass_fuse_why_not(m)) return 1;
    const mass_phase_def *phase = &m->phases[mass_fuse_phase(m)];
    const mass_space_def *s = &m->spaces[phase->space];
    const int32_t ranks = comm->size, sharing = gpu ? 1 : comm->local_size;
    const bool cut = ranks > 1 && worlds < ranks;
    const bool cached = bytes_of(m, phase, worlds, &bits) * sharing / ranks < CACHED;
    if (cached && !bits && !(gpu && cut)) return 1;
    const int32_t most = s->dimensions > 2 || (gpu && !bits) ? SOLID_MOST : FLAT_MOST;
    return fit_all(s, phase, cut ? ranks : 1, bits, most);
}

int32_t mass_fuse_tuner_most(const mass_model *m, const mass_device *device, int32_t worlds, const mass_comm *comm)
{
    if (!device->table->launch->steps) return 1;
    return mass_fuse_tuner_most_on(!device->table->memory->in_host_memory, m, worlds, comm);
}

mass_fuse_tuner mass_fuse_tuner_begin(int32_t most, bool may_part, bool brief)
{
    return (mass_fuse_tuner){.most = most > 1 || may_part ? most : 0, .now = 1, .runs = 1, .best = 1,
                             .may_part = may_part, .brief = brief};
}

/* Goes on to the next trial: sets t->apart and t->now. Returns false after the last one. */
static bool go_on(mass_fuse_tuner *t)
{
    const int32_t more = t->now == 1 ? FIRST_SEVERAL : 2 * t->now;
    if (t->may_part && !t->apart) return t->apart = true;
    if (t->now == t->most) return false;
    t->apart = false;
    t->now = more < t->most ? more : t->most;
    return true;
}

/* Returns the passes of the next measure: as many as make it long enough, or as many steps as other measures have.
 * pass: seconds of one. */
static int32_t runs_of(const mass_fuse_tuner *t, double pass)
{
    const int32_t most = t->most > t->now ? 2 * t->most / t->now : 2;
    return pass * most > MEASURE ? (int32_t)(MEASURE / pass) + 1 : most;
}

/* Inserts a time in ascending order. */
static void note_step(mass_fuse_tuner *t, double step)
{
    int32_t at = t->counted++;
    for (; at > 0 && t->steps[at - 1] > step; at--) t->steps[at] = t->steps[at - 1];
    t->steps[at] = step;
}

/* Returns the time of a step: the median of several measures, because exchanges vary. Of two it takes the shorter
 * one, because other programs run too. */
static double find_step(const mass_fuse_tuner *t) { return t->steps[(t->counted - 1) / 2]; }

/* Takes a measure. The first one warms up. The second one does not count if passes are brief, but sets
 * t->runs. Returns true after the last one. */
static bool take_measure(mass_fuse_tuner *t, int32_t runs, double seconds)
{
    const double step = seconds / runs / t->now;
    const int32_t before = t->measures++;
    if (before == 0) return false;
    if (before == 1 && t->brief) t->runs = runs_of(t, seconds);
    if (before == 1 && t->runs > 1) return false;
    t->spent += seconds;
    note_step(t, step);
    return t->measures >= (t->brief && t->spent < BRIEF ? MASS_FUSE_TUNER_MEASURES_MOST : MASS_FUSE_TUNER_MEASURES);
}

bool mass_fuse_tuner_note(mass_fuse_tuner *t, int32_t runs, double seconds)
{
    if (!take_measure(t, runs, seconds)) return false;
    const double asked = t->now == t->best ? BETTER_APART : t->brief ? BETTER_BRIEF : BETTER;
    const double step = find_step(t);
    if (t->seconds == 0 || step < asked * t->seconds) {
        t->best = t->now;
        t->best_apart = t->apart;
        t->seconds = step;
    }
    t->measures = 0;
    t->runs = 1;
    t->counted = 0;
    t->spent = 0;
    if (go_on(t)) return false;
    t->most = 0;
    return true;
}

bool mass_fuse_tuner_note_left(mass_fuse_tuner *t, uint64_t left)
{
    t->too_short = left < (uint64_t)t->now ? t->too_short + 1 : 0;
    if (t->too_short < TOO_SHORT_MOST) return false;
    t->most = 0;
    return true;
}
