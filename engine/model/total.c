/* SPDX-License-Identifier: Apache-2.0 */
#include "model/total.h"

mass_status mass_total_resolve(mass_model *m, const mass_phase_def *p, const mass_field *f, mass_target *out,
                               mass_error *error)
{
    const char *callback = p->callback->name;
    const int index = mass_model_find_tally(m, f->target);
    if (index < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: there is no tally '%s'", callback,
                              f->name, f->target);
    mass_tally_def *t = &m->tallies[index];
    if (mass_tally_is_kept(t))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: '%s' is a world attribute: WORLD(%s) "
                              "reads it, and not TOTALS", callback, f->name, f->target, f->target);
    if (t->bins || t->keys)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: tally '%s' counts by %s, and TOTALS "
                              "reads tallies of one value", callback, f->name, f->target, t->bins ? "bins" : "keys");
    if (m->stream.read)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: the model reads a stream, and its bodies "
                              "cannot read tallies: read '%s' in finish", callback, f->name, f->target);
    const uint32_t type = t->kind == MASS_TALLY_REAL ? MASS_F64 : MASS_I64;
    if (f->type != type)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: the value of tally '%s' is %s: the "
                              "field's type has to be %s", callback, f->name, f->target,
                              type == MASS_F64 ? "real" : "an integer", type == MASS_F64 ? "double" : "int64_t");
    t->read = t->needed = true;
    *out = (mass_target){f->access, (uint32_t)index};
    return MASS_OK;
}

bool mass_phase_counts(const mass_model *m, const mass_phase_def *p, uint32_t tally)
{
    bool counts = false;
    for (uint32_t i = 0; i < m->population_count; i++) {
        const mass_population_def *of = &m->populations[i];
        const int own = (int)tally;
        counts |= mass_phase_applies(p, i) &&
                  (of->born == own || of->died == own || of->unborn == own || of->alive == own);
    }
    if (!p->callback) return counts;
    for (uint32_t f = 0; f < p->callback->field_count; f++)
        counts |= mass_phase_class(p, f) == MASS_CLASS_ACCUMULATOR && p->targets[f].index == tally;
    return counts;
}

/* Returns whether some phase, or the engine itself, counts a tally. */
static bool is_counted(const mass_model *m, uint32_t tally)
{
    bool counted = m->tallies[tally].reduced || m->tallies[tally].at_start;
    for (uint32_t i = 0; i < m->phase_count; i++) counted |= mass_phase_counts(m, &m->phases[i], tally);
    return counted;
}

/* Checks one tally that the callback of a phase reads: a phase counts it, and it has a value before that. Returns
 * MASS_BAD_PLUGIN if not. */
static mass_status check(const mass_model *m, const mass_phase_def *p, uint32_t tally, mass_error *error)
{
    const mass_tally_def *t = &m->tallies[tally];
    const char *callback = p->callback->name;
    if (!is_counted(m, tally))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s reads tally '%s' in TOTALS, and no phase counts it: "
                              "add it to %s of a callback", callback, t->name,
                              mass_access_of(mass_tally_access(t))->entry);
    if (t->reduced && p->schedule == MASS_START)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s reads reduction '%s' in a phase of the start, and "
                              "reductions have no value before its end: read it in steps", callback, t->name);
    if (!t->at_start && !t->has_initial && !t->reduced)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s reads tally '%s', which no phase of the start "
                              "counts: give it .initial, the value before it is first counted", callback, t->name);
    return MASS_OK;
}

mass_status mass_totals_check(const mass_model *m, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        for (uint32_t f = 0; p->callback && status == MASS_OK && f < p->callback->field_count; f++)
            if (mass_phase_class(p, f) == MASS_CLASS_TOTAL) status = check(m, p, p->targets[f].index, error);
    }
    return status;
}

bool mass_model_reads_totals(const mass_model *m)
{
    bool reads = false;
    for (uint32_t i = 0; i < m->tally_count; i++) reads |= m->tallies[i].read;
    return reads;
}

bool mass_phase_counts_any_read(const mass_model *m, const mass_phase_def *p)
{
    bool counts = false;
    for (uint32_t i = 0; i < m->tally_count; i++) counts |= m->tallies[i].read && mass_phase_counts(m, p, i);
    return counts;
}
