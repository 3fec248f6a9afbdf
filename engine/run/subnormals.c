/* SPDX-License-Identifier: Apache-2.0 */
#include "run/subnormals.h"
#include "plan/phase.h"
#include "population/gather.h"
#include "population/population.h"
#include "process/progress.h"
#include "ranks/rpc.h"
#include "state/box.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sample of an attribute: PIECES chunks of PIECE elements. */
enum { PIECES = 64, PIECE = 256 };
static const double few = 0.001, first_pause = 0.5, longest_pause = 60; /* few: share without a report; seconds */

/* ---- attributes to check ---- */

/* Returns true if a phase of a step writes the attribute. */
static bool writes(const mass_model *m, const mass_phase_def *p, uint32_t attribute)
{
    for (uint32_t i = 0; p->schedule == MASS_STEP && p->callback && i < p->callback->field_count; i++) {
        const mass_access_class class = mass_phase_class(p, i);
        const bool array = class == MASS_CLASS_PLACES || class == MASS_CLASS_AGENTS;
        if (array && (mass_access_of(p->targets[i].access)->effect & MASS_EFFECT_WRITES) &&
            m->arrays[p->targets[i].index].attribute == attribute)
            return true;
    }
    return false;
}

/* Returns true if an element has a number of type F32 or F64. */
static bool has_floats(const mass_attribute_def *a)
{
    bool has = a->type == MASS_F32 || a->type == MASS_F64;
    for (uint32_t i = 0; i < a->member_count; i++)
        has |= a->members[i].type == MASS_F32 || a->members[i].type == MASS_F64;
    return has;
}

/* Returns true for an attribute with floats that steps write, and that has no .flush. */
static bool is_of_concern(const mass_model *m, uint32_t attribute)
{
    const mass_attribute_def *a = &m->attributes[attribute];
    bool is = false;
    if (a->derived || a->streamed || a->flushed || !has_floats(a)) return false;
    for (uint32_t i = 0; !is && i < m->phase_count; i++) is = writes(m, &m->phases[i], attribute);
    return is;
}

bool mass_subnormals_may_come(const mass_model *m)
{
    bool may = false;
    for (uint32_t i = 0; !may && i < m->attribute_count; i++) may = is_of_concern(m, i);
    return may;
}

/* ---- counting ---- */

typedef struct tally {
    int64_t numbers, subnormal;
} tally;

/* Counts a number of a floating-point type, and whether it is subnormal. Ignores other types. */
static void count_number(const void *at, uint32_t type, tally *t)
{
    float single = 1;
    double wide = 1;
    if (type != MASS_F32 && type != MASS_F64) return;
    if (type == MASS_F32) memcpy(&single, at, sizeof single);
    else memcpy(&wide, at, sizeof wide);
    t->numbers++;
    t->subnormal += fpclassify(single) == FP_SUBNORMAL || fpclassify(wide) == FP_SUBNORMAL;
}

/* Counts the floating-point numbers of `count` elements, including those in structs. */
static void count_elements(const mass_attribute_def *a, const char *data, int64_t count, tally *t)
{
    for (int64_t i = 0; i < count * a->length; i++, data += a->component_size) {
        if (a->type != MASS_STRUCT) count_number(data, a->type, t);
        for (uint32_t k = 0; k < a->member_count; k++)
            count_number(data + a->members[k].offset, a->members[k].type, t);
    }
}

/* Sets *count to the elements of an attribute on this rank, in all its worlds: all places, or its agents. */
static mass_status count_own(mass_domain *d, const mass_attribute_def *a, int64_t *count, mass_error *error)
{
    uint64_t agents = 0;
    *count = mass_domain_places(d, a->space) * d->worlds;
    if (a->population < 0) return MASS_OK;
    const mass_status status = mass_population_count_own(d, (uint32_t)a->population, &agents, error);
    *count = (int64_t)agents;
    return status;
}

bool mass_subnormals_chunk(int64_t all, int64_t i, int64_t *first, int64_t *count)
{
    const bool some = all > (int64_t)PIECES * PIECE;
    const int64_t stride = some ? all / PIECES : PIECE, room = stride - PIECE;
    if (i >= (some ? PIECES : (all + PIECE - 1) / PIECE)) return false;
    *first = i * stride + (room > 0 ? i * 7919 % (room + 1) : 0);
    *count = all - *first < PIECE ? all - *first : PIECE;
    return true;
}

/* Adds the numbers of a sample of an attribute on this rank, and how many are subnormal, to *t. */
static mass_status sample(mass_domain *d, uint32_t attribute, tally *t, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    int64_t all = 0, first = 0, count = 0;
    mass_status status = count_own(d, a, &all, error);
    char *data = status == MASS_OK ? malloc(PIECE * a->component_size * a->length) : NULL;
    if (status == MASS_OK && !data) status = mass_error_memory(error, PIECE * a->component_size, "a sample");
    for (int64_t i = 0; status == MASS_OK && mass_subnormals_chunk(all, i, &first, &count); i++) {
        status = a->population < 0 ? mass_domain_read_run(d, attribute, first, count, data, error)
                                   : mass_population_read_run(d, attribute, first, count, data, error);
        if (status == MASS_OK) count_elements(a, data, count, t);
    }
    free(data);
    return status;
}

/* ---- report ---- */

/* Writes the sentence for an attribute: its share of subnormal numbers, the last callback that writes it, and
 * advice. share: from 0 to 1. */
static void put(const mass_model *m, uint32_t attribute, double share, char text[MASS_SUBNORMALS_TEXT])
{
    const mass_attribute_def *a = &m->attributes[attribute];
    const char *callback = NULL;
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (writes(m, &m->phases[i], attribute)) callback = m->phases[i].callback->name; /* the last one counts */
    const bool wide = a->type == MASS_F64;
    snprintf(text, MASS_SUBNORMALS_TEXT, "%.3g %% of attribute %s, which callback %s writes, is subnormal, and CPUs "
             "are slow with such numbers: %slet the callback write 0 for what is below %s", 100 * share, a->name,
             callback, a->type == MASS_STRUCT ? "" : "declare the attribute with .flush = 1, or ",
             wide ? "1e-153" : "1e-18");
}

/* Samples the attributes of concern on this rank. Adds to tallies: [attributes]. */
static mass_status look(mass_domain *d, tally *tallies, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++)
        if (is_of_concern(d->model, i)) status = sample(d, i, &tallies[i], error);
    return status;
}

mass_status mass_subnormals_look(mass_domain *d, char text[MASS_SUBNORMALS_TEXT], mass_error *error)
{
    const size_t count = d->model->attribute_count;
    mass_comm *comm = d->share.comm;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_SUBNORMALS, NULL, 0, error);
    if (status != MASS_OK) return status;
    tally *tallies = calloc(count + 1, sizeof *tallies);
    status = tallies ? look(d, tallies, error) : mass_error_memory(error, count * sizeof *tallies, "a sample");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && comm->size > 1)
        status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, (int64_t *)tallies, 2 * count, error);
    double most = few;
    if (text) text[0] = '\0';
    for (uint32_t i = 0; status == MASS_OK && text && i < count; i++) {
        const double share = tallies[i].numbers ? (double)tallies[i].subnormal / (double)tallies[i].numbers : 0;
        if (share >= most) put(d->model, i, most = share, text);
    }
    free(tallies);
    return status;
}

/* Begins to watch for subnormal numbers, if `wanted`, on a CPU, and if the model has numbers that can be subnormal. */
void mass_subnormals_begin(mass_subnormals_watch *w, const mass_domain *d, bool wanted)
{
    const bool may = mass_subnormals_may_come(d->model) && d->device->table == &mass_cpu_table;
    *w = (mass_subnormals_watch){.on = wanted && may, .pause = first_pause, .next = mass_seconds() + first_pause};
}

bool mass_subnormals_are_due(const mass_subnormals_watch *w) { return w->on && mass_seconds() >= w->next; }

mass_status mass_subnormals_say(mass_subnormals_watch *w, mass_domain *d, mass_error *error)
{
    char text[MASS_SUBNORMALS_TEXT];
    if (!w->on) return MASS_OK;
    const mass_status status = mass_subnormals_look(d, text, error);
    if (w->pause < longest_pause) w->pause *= 2;
    w->next = mass_seconds() + w->pause;
    if (status != MASS_OK || !text[0]) return status;
    mass_progress_say("mass-engine: %s", text);
    w->on = false;
    return MASS_OK;
}
