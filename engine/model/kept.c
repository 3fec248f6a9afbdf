/* SPDX-License-Identifier: Apache-2.0 */
#include "model/kept.h"
#include "base/plural.h"

#include <inttypes.h>
#include <math.h>

mass_status mass_kept_check(const mass_tally *t, mass_error *error)
{
    if (t->kind > MASS_TALLY_REAL || t->fraction_bits || t->bins || t->keys || t->method || t->cumulative ||
        t->length > MASS_WORLD_LENGTH_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "world attribute '%s' has 1 to %d values of int64_t or double, "
                              "and of the members of mass_tally only .initial, .help and .unit", t->name,
                              MASS_WORLD_LENGTH_MAX);
    if (!isfinite(t->initial))
        return mass_error_set(error, MASS_BAD_PLUGIN, "world attribute '%s' begins with %g: give it a finite .initial",
                              t->name, t->initial);
    if (t->kind == MASS_TALLY_INTEGER && (double)mass_i64_f64(t->initial) != t->initial)
        return mass_error_set(error, MASS_BAD_PLUGIN, "world attribute '%s' is of integers and begins with %g: give it "
                              "an integer as .initial", t->name, t->initial);
    return MASS_OK;
}

mass_status mass_kept_resolve(const mass_model *m, const mass_phase_def *p, const mass_field *f, mass_target *out,
                              mass_error *error)
{
    const char *callback = p->callback->name;
    const int index = mass_model_find_tally(m, f->target);
    if (index < 0 || !mass_tally_is_kept(&m->tallies[index]))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: there is no world attribute '%s': "
                              "MASS_WORLD_ATTRIBUTE declares one", callback, f->name, f->target);
    const mass_tally_def *t = &m->tallies[index];
    const uint32_t type = t->bins ? MASS_STRUCT : t->kind == MASS_TALLY_REAL ? MASS_F64 : MASS_I64;
    if (f->type != type || f->size != t->words * sizeof(int64_t))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: world attribute '%s' has %u value%s of "
                              "%s, and the field's type has %u bytes of another type", callback, f->name, f->target,
                              t->words, mass_plural(t->words), t->kind == MASS_TALLY_REAL ? "double" : "int64_t",
                              f->size);
    *out = (mass_target){f->access, (uint32_t)index};
    return MASS_OK;
}

mass_status mass_kept_check_phase(const mass_model *m, const mass_phase_def *p, mass_error *error)
{
    bool writes = false;
    if (m->stream.read)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs once a world, and the model reads a stream, "
                              "whose steps run in pieces: compute its values in finish", p->callback->name);
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_target *a = &p->targets[i];
        if (mass_phase_class(p, i) != MASS_CLASS_KEPT || !(mass_access_of(a->access)->effect & MASS_EFFECT_WRITES))
            continue;
        writes = true;
        for (uint32_t k = 0; k < p->callback->field_count; k++)
            if (k != i && mass_phase_class(p, k) == MASS_CLASS_KEPT && p->targets[k].index == a->index)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one world attribute: "
                                      "have '%s' in UPDATES once, which reads it too", p->callback->name,
                                      p->callback->fields[i].name, p->callback->fields[k].name,
                                      m->tallies[a->index].name);
    }
    if (writes) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs once a world and writes no world attribute: add "
                          "one to its UPDATES", p->callback->name);
}

bool mass_model_keeps(const mass_model *m)
{
    bool keeps = false;
    for (uint32_t i = 0; i < m->tally_count; i++) keeps |= mass_tally_is_kept(&m->tallies[i]);
    return keeps;
}

bool mass_callback_has_kept(const mass_callback *c)
{
    bool has = false;
    for (uint32_t i = 0; i < c->field_count; i++)
        has |= mass_access_class_of(c->fields[i].access, c->over) == MASS_CLASS_KEPT;
    return has;
}
