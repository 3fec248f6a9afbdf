/* SPDX-License-Identifier: Apache-2.0 */
/* The input that a model declares as a stream, read in chunks. */
#include "model/model.h"

#include <mass/streams.h>

#include <string.h>

mass_status mass_model_add_stream(mass_model *m, const mass_stream *s, mass_read_items *read, void *context,
                                  mass_error *error)
{
    const int found = s->attribute && m->space_count ? mass_model_find_attribute(m, 0, s->attribute) : -1;
    const int total = s->total ? mass_model_find_tally(m, s->total) : -1;
    if (m->stream.read) return mass_error_set(error, MASS_BAD_PLUGIN, "it declares two streams");
    if (found < 0 || m->attributes[found].length != 1)
        return mass_error_set(error, MASS_BAD_PLUGIN, "the stream's attribute '%s' is not of the first space, or has "
                              "several components", s->attribute ? s->attribute : "");
    if (s->total && (total < 0 || m->tallies[total].access != MASS_SUM || m->tallies[total].words != 1 ||
                     m->tallies[total].reduced))
        return mass_error_set(error, MASS_BAD_PLUGIN, "the stream's total '%s' is not an integer sum", s->total);
    m->stream = (mass_stream_def){.read = read, .context = context, .items = s->items, .total = total,
                                  .attribute = (uint32_t)found};
    m->attributes[found].streamed = true;
    return MASS_OK;
}

mass_status mass_model_check_stream(mass_model *m, mass_error *error)
{
    if (!m->stream.read) return MASS_OK;
    const mass_space_def *s = &m->spaces[0];
    if (m->space_count != 1 || s->dimensions != 1 || s->torus || m->population_count || m->attribute_count != 1)
        return mass_error_set(error, MASS_BAD_PLUGIN, "a model with a stream has one bounded space of one dimension, "
                              "one attribute and no agents");
    if (m->attributes[m->stream.attribute].type == MASS_BIT)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' of a stream is of bits: make it uint8_t",
                              m->attributes[m->stream.attribute].name);
    m->stream.array = m->attributes[m->stream.attribute].first_array;
    m->arrays[m->stream.array].buffered = true; /* callbacks work on one chunk while another arrives */
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (p->schedule != MASS_STEP || p->reach > 0 || p->conditional || mass_phase_is_in_turn(p))
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: with a stream, callbacks run in the step, "
                                  "without conditions and not in turn, and see their own place "
                                  "alone", p->callback->name);
        for (uint32_t k = 0; k < p->callback->field_count; k++)
            m->stream.changed |= (mass_access_of(p->targets[k].access)->effect & MASS_EFFECT_WRITES) != 0;
    }
    return MASS_OK;
}
