/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/world_values.h"
#include "model/access.h"

#include <mass/arithmetic.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns whether a double is infinite, or a NaN other than the canonical one. */
static bool is_odd(int64_t bits)
{
    double value, canonical;
    memcpy(&value, &bits, sizeof value);
    canonical = mass_canonical_f64(value);
    return isinf(value) || memcmp(&value, &canonical, sizeof value) != 0;
}

/* Returns whether a field is a world attribute that its callback writes. */
static bool is_written(const mass_callback *c, const mass_field *f)
{
    return mass_access_class_of(f->access, c->over) == MASS_CLASS_KEPT &&
           (mass_access_of(f->access)->effect & MASS_EFFECT_WRITES);
}

/* Returns whether a phase's callback writes a world attribute. */
static bool writes(const mass_phase_def *p, uint32_t tally)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        if (p->targets[i].index == tally && is_written(p->callback, &p->callback->fields[i])) return true;
    return false;
}

/* Returns whether an earlier phase has the same callback. */
static bool is_repeated(const mass_model *m, uint32_t phase)
{
    for (uint32_t i = 0; i < phase; i++)
        if (m->phases[i].callback && strcmp(m->phases[i].callback->name, m->phases[phase].callback->name) == 0)
            return true;
    return false;
}

/* Lists the callbacks that write a world attribute: "callback trade", or "callback open or trade". A long list is cut
 * off. Returns `out`. */
static const char *list_writers(const mass_model *m, uint32_t tally, char out[200])
{
    out[0] = '\0';
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const size_t used = strlen(out);
        if (!writes(&m->phases[i], tally) || is_repeated(m, i)) continue;
        snprintf(out + used, 200 - used, "%s%s", used ? " or " : "callback ", m->phases[i].callback->name);
    }
    return out;
}

/* Writes the sentence about value `index` of a world attribute. */
static void describe(const mass_snapshot *s, uint32_t tally, int32_t world, uint32_t index, int64_t bits,
                     char text[MASS_WORLD_VALUES_TEXT])
{
    const mass_tally_def *const t = &s->model->tallies[tally];
    char writers[200], component[16] = "", of_world[32] = "";
    double value;
    memcpy(&value, &bits, sizeof value);
    if (t->bins) snprintf(component, sizeof component, "[%" PRIu32 "]", index);
    if (s->worlds > 1) snprintf(of_world, sizeof of_world, " of world %" PRId32, s->first_world + world);
    snprintf(text, MASS_WORLD_VALUES_TEXT, "results may be wrong: world attribute %s%s%s is %s at step %" PRIu64
             ": %s wrote it, and --device paranoid says in which step", t->name, component, of_world,
             isnan(value) ? "a NaN, as of 0/0," : "infinite", s->step, list_writers(s->model, tally, writers));
}

bool mass_world_values_check(const mass_snapshot *s, char text[MASS_WORLD_VALUES_TEXT])
{
    for (uint32_t i = 0; i < s->model->tally_count; i++) {
        const mass_tally_def *const t = &s->model->tallies[i];
        if (!mass_tally_is_kept(t) || t->kind != MASS_TALLY_REAL) continue;
        for (int32_t w = 0; w < s->worlds; w++)
            for (uint32_t k = 0; k < mass_tally_values(t); k++) {
                const int64_t bits = s->tallies[mass_tally_at(t, s->worlds, w) + k];
                if (!is_odd(bits)) continue;
                describe(s, i, w, k, bits, text);
                return true;
            }
    }
    return false;
}
