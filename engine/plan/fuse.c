/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/fuse.h"
#include "model/network.h"
#include "plan/bind.h"
#include "plan/phase.h"

/* PASSES_MOST: most launches between two exchanges. THICKNESS: a slab has at least that many times the layers of its
 * ghosts. */
enum { PASSES_MOST = 8, THICKNESS = 8 };

/* Places that one CPU thread updates in about the time of an exchange between ranks: of bits, and of other elements. */
static const double EXCHANGE_BITS = 0x1p19, EXCHANGE = 0x1p17;

/* Returns true for a phase that runs in steps. */
static bool is_of_step(const mass_phase_def *p) { return p->schedule == MASS_STEP && !p->replaced; }

uint32_t mass_fuse_phase(const mass_model *m)
{
    uint32_t i = 0;
    while (i < m->phase_count && !is_of_step(&m->phases[i])) i++;
    return i;
}

/* Returns the number of phases in a step. */
static uint32_t count_phases(const mass_model *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->phase_count; i++) count += is_of_step(&m->phases[i]);
    return count;
}

/* Returns true if the phase reads the array that field i writes, and both use one buffer. */
static bool writes_in_place(const mass_model *m, const mass_phase_def *phase, uint32_t i)
{
    for (uint32_t k = 0; k < phase->callback->field_count; k++)
        if (mass_access_of(phase->targets[k].access)->buffer == MASS_BUFFER_OLD &&
            phase->targets[k].index == phase->targets[i].index)
            return !mass_phase_swaps(phase, m, i);
    return false;
}

/* Returns the reason that field i does not allow fused steps, or NULL. */
static const char *why_not_field(const mass_model *m, const mass_phase_def *phase, uint32_t i)
{
    const uint32_t access = phase->targets[i].access;
    const mass_access_buffer buffer = mass_access_of(access)->buffer;
    if (mass_access_is_tally(access)) return access == MASS_KEYS ? "a tally counts by key" : NULL;
    if (mass_access_class_of(access, MASS_OVER_PLACES) == MASS_CLASS_TOTAL) return "a body reads a total";
    if (mass_access_class_of(access, MASS_OVER_PLACES) == MASS_CLASS_KEPT) return "a body reads a world attribute";
    if (mass_access_class_of(access, MASS_OVER_PLACES) == MASS_CLASS_WORLD || buffer == MASS_BUFFER_OLD) return NULL;
    return buffer != MASS_BUFFER_NEW || writes_in_place(m, phase, i) ? "places change in place" : NULL;
}

/* Returns the reason that the phase does not allow fused steps, or NULL. */
static const char *why_not_phase(const mass_model *m, const mass_phase_def *phase)
{
    const char *why = NULL;
    if (!phase->callback || phase->callback->over != MASS_OVER_PLACES || phase->population_count)
        return "agents take part";
    if (mass_callback_is_of_nodes(phase->callback)) return "a body follows edges";
    if (phase->conditional) return "a phase is conditional";
    if (mass_phase_counts_always(m, phase)) return "a tally counts in every step";
    for (uint32_t i = 0; !why && i < phase->callback->field_count; i++) why = why_not_field(m, phase, i);
    return why;
}

const char *mass_fuse_why_not(const mass_model *m)
{
    if (m->population_count) return "the model has agents";
    if (m->stream.read) return "the model reads a stream";
    if (m->racy) return "the model has races";
    if (count_phases(m) != 1) return count_phases(m) ? "a step has several phases" : "a step has no phases";
    return why_not_phase(m, &m->phases[mass_fuse_phase(m)]);
}

mass_status mass_fuse_check(const mass_model *m, int32_t steps, mass_error *error)
{
    const char *why = mass_fuse_why_not(m);
    if (steps <= 1) return MASS_OK;
    if (steps & (steps - 1))
        return mass_error_set(error, MASS_BAD_USAGE, "--fuse %d is not a power of two, as 4, 8 or 16 are", steps);
    if (!why) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "--fuse %d: %s takes one step after the other, as %s", steps,
                          m->plugin, why);
}

void mass_fuse_thicken(mass_model *m, int32_t steps)
{
    const mass_phase_def *phase = &m->phases[mass_fuse_phase(m)];
    mass_space_def *s = &m->spaces[phase->space];
    for (uint32_t a = 0; a < s->dimensions; a++)
        if (s->ghost[a] < steps * phase->reach) s->ghost[a] = steps * phase->reach;
}

/* Returns true if all places that the phase uses are bits. */
static bool goes_over_bits(const mass_model *m, const mass_phase_def *phase)
{
    bool bits = true;
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        if (mass_access_class_of(phase->targets[i].access, MASS_OVER_PLACES) == MASS_CLASS_PLACES)
            bits &= m->arrays[phase->targets[i].index].bits;
    return bits;
}

/* Returns how many launches one exchange should serve, `most` at the most. Twice as many launches save half of the
 * exchanges. Each of them computes more ghost layers at both ends of a slab. The loop halves the number while these
 * layers cost more than an exchange. On a GPU the exchange costs more, so `most` is returned. */
static int32_t passes_worth(const mass_model *m, const mass_device *device, int32_t steps, int32_t most)
{
    const mass_phase_def *phase = &m->phases[mass_fuse_phase(m)];
    const mass_space_def *s = &m->spaces[phase->space];
    const double layer = (double)mass_space_places(s) / (double)s->size[mass_slab_axis(s)];
    const double one = layer * steps * steps * phase->reach;
    const double exchange = goes_over_bits(m, phase) ? EXCHANGE_BITS : EXCHANGE;
    if (!device->table->memory->in_host_memory) return most;
    while (most > 1 && one * most * most / 2 > exchange) most /= 2;
    return most;
}

void mass_fuse_deepen(mass_model *m, const mass_device *device, int32_t steps, int32_t slabs)
{
    const mass_phase_def *phase = &m->phases[mass_fuse_phase(m)];
    mass_space_def *s = &m->spaces[phase->space];
    const uint32_t axis = mass_slab_axis(s);
    const int64_t one = (int64_t)steps * phase->reach, rows = s->size[axis] / slabs;
    int64_t passes = PASSES_MOST;
    while (passes > 1 && passes * one * THICKNESS > rows) passes /= 2;
    passes = passes_worth(m, device, steps, (int32_t)passes);
    if (s->ghost[axis] < passes * one) s->ghost[axis] = (int32_t)(passes * one);
}

int32_t mass_fuse_passes(const mass_domain *d, int32_t steps)
{
    const mass_phase_def *phase = &d->model->phases[mass_fuse_phase(d->model)];
    const mass_space_def *s = &d->model->spaces[phase->space];
    const int32_t one = steps * phase->reach;
    if (!mass_share_is_split(&d->share) || one == 0) return 1;
    return passes_worth(d->model, d->device, steps, s->ghost[mass_slab_axis(s)] / one);
}

int32_t mass_fuse_most(const mass_domain *d, const mass_prepared *prepared, bool tallies)
{
    const mass_launch_operations *launch = d->device->table->launch;
    const uint32_t phase = mass_fuse_phase(d->model);
    if (!launch->steps) return 1;
    const mass_launch record = mass_launch_record(d, phase, d->partitions[d->model->phases[phase].space], 1, false);
    const int32_t most = launch->steps(d->device, prepared, &record, tallies);
    return tallies && most > d->rows ? d->rows : most;
}

const char *mass_fuse_why_one(const mass_domain *d, bool has_rule, const char *no_rule, bool no_bits)
{
    const mass_model *m = d->model;
    const mass_phase_def *phase = &m->phases[mass_fuse_phase(m)];
    bool bits = false, others = false, flushed = false;
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        if (mass_access_class_of(phase->targets[i].access, MASS_OVER_PLACES) != MASS_CLASS_PLACES) continue;
        bits |= phase->callback->fields[i].type == MASS_BIT;
        others |= phase->callback->fields[i].type != MASS_BIT;
        flushed |= m->attributes[m->arrays[phase->targets[i].index].attribute].flushed;
    }
    if (flushed && !d->device->table->memory->in_host_memory) return "an attribute has .flush";
    if (!d->device->table->launch->steps) return "the device has no way to";
    if (!bits) return m->spaces[phase->space].dimensions == 1 ? "its space is a line" : "the device has no way to";
    if (others) return "bits and other attributes change together";
    if (no_bits) return "--no-bits runs it without a rule";
    if (!has_rule) return no_rule ? no_rule : "its bits follow no table of a rule";
    if (m->spaces[phase->space].dimensions != 2) return "its bits are not of a plane";
    return phase->callback->radius > 1 ? "its rule looks too far" : "its rule does not count neighbours";
}
