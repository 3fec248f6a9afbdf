/* SPDX-License-Identifier: Apache-2.0 */
#include "run/fuse_trial.h"
#include "plan/fuse.h"
#include "plan/phase.h"

enum { FLAT_MOST = 16, SOLID_MOST = 4, TIMES_MORE = 4 };

/* Spaces of fewer bytes may stay in a cache, where passes over them cost little. */
static const double CACHED = 64.0 * (1 << 20);

/* More than one step has to be so much faster than what is known. */
static const double BETTER = 0.95;

/* Of the arrays that a step goes over; and whether they are of bits, all of them. */
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

/* On a GPU, a step over bits takes little longer than to begin it, in spaces of any size. */
int32_t mass_fuse_trial_most(const mass_model *m, const mass_device *device, int32_t worlds)
{
    bool bits;
    if (mass_fuse_why_not(m) || !device->table->launch->steps) return 1;
    const mass_phase_def *phase = &m->phases[mass_fuse_phase(m)];
    const bool cached = bytes_of(m, phase, worlds, &bits) < CACHED, on_gpu = !device->table->memory->in_host_memory;
    if (cached && !(on_gpu && bits)) return 1;
    return m->spaces[phase->space].dimensions > 2 || (on_gpu && !bits) ? SOLID_MOST : FLAT_MOST;
}

mass_fuse_trial mass_fuse_trial_begin(int32_t most)
{
    return (mass_fuse_trial){.most = most > 1 ? most : 0, .now = 1, .best = 1};
}

bool mass_fuse_trial_note(mass_fuse_trial *t, double seconds)
{
    const double step = seconds / t->now;
    if (t->passes > 0 && (t->shortest == 0 || step < t->shortest)) t->shortest = step; /* the first one warms up */
    if (++t->passes < MASS_FUSE_TRIAL_PASSES) return false;
    const bool better = t->seconds == 0 || t->shortest < BETTER * t->seconds;
    if (better) {
        t->best = t->now;
        t->seconds = t->shortest;
    }
    const bool last = t->now == t->most;
    t->now = t->now * TIMES_MORE < t->most ? t->now * TIMES_MORE : t->most;
    t->passes = 0;
    t->shortest = 0;
    if (last) t->most = 0;
    return last;
}
