/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/snapshot.h"

#include "snapshot/state_hash.h"
#include "process/available_memory.h"

#include <stdlib.h>
#include <string.h>

size_t mass_snapshot_size(const mass_snapshot *s, uint32_t attribute)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    if (a->streamed) return 0;
    if (a->population >= 0) return s->agents[a->population] * mass_element_size(a);
    return (size_t)s->worlds * (size_t)mass_stored_places(a, &s->model->spaces[a->space]) * mass_element_size(a);
}

/* Returns the bytes of all attributes and tallies; SIZE_MAX if they overflow. agents NULL: none. */
static size_t total_size(const mass_model *m, int32_t worlds, const uint64_t *agents)
{
    size_t total = 0, bytes;
    bool beyond = __builtin_mul_overflow((size_t)worlds, m->tally_words * sizeof(int64_t), &total);
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        if (a->streamed) continue;
        size_t elements = a->population < 0 ? (size_t)mass_stored_places(a, &m->spaces[a->space])
                          : agents          ? agents[a->population]
                                            : 0;
        if (a->population < 0) beyond |= __builtin_mul_overflow(elements, (size_t)worlds, &elements);
        beyond |= __builtin_mul_overflow(elements, mass_element_size(a), &bytes);
        beyond |= __builtin_add_overflow(bytes, total, &total);
    }
    return beyond ? SIZE_MAX : total;
}

mass_status mass_snapshot_allocate_numbers(mass_snapshot *s, const mass_model *model, int32_t worlds,
                                           const uint64_t *agents, mass_error *error)
{
    const size_t accumulators = (size_t)worlds * model->tally_words;
    *s = (mass_snapshot){.model = model, .worlds = worlds};
    s->tallies = calloc(accumulators + 1, sizeof *s->tallies);
    s->keys = calloc((size_t)worlds * model->tally_count + 1, sizeof *s->keys);
    s->agents = calloc(model->population_count + 1, sizeof *s->agents);
    if (!s->tallies || !s->keys || !s->agents) {
        mass_snapshot_free(s);
        return mass_error_memory(error, accumulators * sizeof *s->tallies, "the state of the run");
    }
    for (uint32_t p = 0; agents && p < model->population_count; p++) s->agents[p] = agents[p];
    return MASS_OK;
}

size_t mass_snapshot_writer_room(double bytes)
{
    enum { WRITER = 16 << 20 };
    return bytes <= MASS_SNAPSHOT_LITTLE ? 0 : WRITER;
}

/* Returns true if the memory is available, or if so little needs no check, or it is not known. malloc may succeed
 * beyond a control group's limit, which then kills the process. */
static bool is_free(size_t bytes)
{
    mass_error ignored = {0};
    const size_t writer = mass_snapshot_writer_room((double)bytes);
    size_t left;
    return writer == 0 || mass_available_memory_left(&left, &ignored) != MASS_OK || bytes + writer <= left;
}

mass_status mass_snapshot_allocate(mass_snapshot *s, const mass_model *model, int32_t worlds,
                                   const uint64_t *agents, mass_error *error)
{
    *s = (mass_snapshot){0};
    const size_t total = total_size(model, worlds, agents);
    if (total > PTRDIFF_MAX || !is_free(total)) return mass_error_memory(error, total, "the state of the run");
    const mass_status status = mass_snapshot_allocate_numbers(s, model, worlds, agents, error);
    if (status != MASS_OK) return status;
    s->attributes = calloc(model->attribute_count + 1, sizeof *s->attributes);
    bool complete = s->attributes != NULL;
    for (uint32_t i = 0; complete && i < model->attribute_count; i++) {
        const size_t bytes = mass_snapshot_size(s, i);
        s->attributes[i] = calloc(bytes ? bytes : 1, 1);
        complete = s->attributes[i] != NULL;
    }
    if (complete) return MASS_OK;
    mass_snapshot_free(s);
    return mass_error_memory(error, total, "the state of the run");
}

void mass_snapshot_free(mass_snapshot *s)
{
    for (uint32_t i = 0; s->attributes && i < s->model->attribute_count; i++)
        free(s->attributes[i]);
    free(s->attributes);
    free(s->tallies);
    for (size_t i = 0; s->keys && i < s->model->tally_count * (size_t)s->worlds; i++) mass_key_list_free(&s->keys[i]);
    free(s->keys);
    free(s->agents);
    mass_until_state_free(&s->until);
    *s = (mass_snapshot){0};
}

void mass_snapshot_count_agents(const mass_snapshot *s, uint32_t population, uint64_t *counts)
{
    const int32_t *world = s->attributes[s->model->populations[population].first_attribute + MASS_AGENT_WORLD];
    memset(counts, 0, (size_t)s->worlds * sizeof *counts);
    for (uint64_t i = 0; i < s->agents[population]; i++) counts[world[i]]++;
}

void mass_snapshot_hash_attribute(const mass_snapshot *s, uint32_t attribute, uint8_t hash[16])
{
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, MASS_STATE_HASH_VERSION);
    mass_bytes_hash_add(&h, s->attributes[attribute], mass_snapshot_size(s, attribute));
    mass_bytes_hash_end(&h, hash);
}

void mass_snapshot_hash_tally(const mass_snapshot *s, uint32_t tally, uint8_t hash[16])
{
    const mass_tally_def *t = &s->model->tallies[tally];
    mass_tally_hash(t, s->worlds, s->tallies + mass_tally_at(t, s->worlds, 0),
                    s->keys + (size_t)tally * (size_t)s->worlds, hash);
}

/* Hashes a snapshot's attribute; `snapshot` is a mass_snapshot. */
static void attribute_hash(const void *snapshot, uint32_t index, uint8_t hash[16])
{
    mass_snapshot_hash_attribute(snapshot, index, hash);
}

/* Hashes a snapshot's tally; `snapshot` is a mass_snapshot. */
static void tally_hash(const void *snapshot, uint32_t index, uint8_t hash[16])
{
    mass_snapshot_hash_tally(snapshot, index, hash);
}

void mass_snapshot_hash(const mass_snapshot *s, char hex[33])
{
    const mass_hashed_state state = {s->model, MASS_STATE_HASH_VERSION, s->worlds, s->agents, s->step,
                                     attribute_hash, tally_hash, s};
    mass_state_hash(&state, hex);
}
