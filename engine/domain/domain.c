/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/domain.h"
#include "domain/cut.h"
#include "domain/keys.h"
#include "domain/pieces.h"
#include "domain/population.h"
#include "domain/until.h"
#include "process/available_memory.h"

#include <mass/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double tally_bytes(const mass_model *m, int32_t worlds) { return (double)worlds * 8 * (double)m->tally_words; }

/* Of partitions `first` to `first` + `count` - 1 of `partitions`. */
static double bytes_of_share(const mass_model *m, int32_t first, int32_t count, int32_t partitions, int32_t worlds)
{
    double bytes = (double)worlds * 8 * (1 + m->parameters.count + mass_model_reduction_values(m)) +
                   tally_bytes(m, worlds);
    for (uint32_t s = 0; s < m->space_count; s++)
        for (int32_t p = first; p < first + count; p++) {
            mass_layout layout;
            if (!mass_layout_make(m, s, p, partitions, worlds, &layout)) return 0x1p63;
            for (uint32_t i = 0; i < m->spaces[s].array_count; i++) {
                const mass_array_def *a = &m->arrays[m->spaces[s].first_array + i];
                bytes += (double)layout.elements * (double)a->element_size * (a->buffered ? 2 : 1);
            }
        }
    for (uint32_t p = 0; p < m->population_count; p++)
        bytes += mass_population_bytes(m, p, worlds) * count / partitions;
    return bytes;
}

double mass_domain_bytes(const mass_model *m, int32_t partitions, int32_t worlds)
{
    return bytes_of_share(m, 0, partitions, partitions, worlds);
}

/* A space has no fewer rows than slabs. */
static mass_status check_rows(const mass_space_def *space, const mass_domain_options *o, int32_t ranks,
                              mass_error *error)
{
    const mass_gidx rows = space->size[mass_slab_axis(space)];
    if (ranks == 1 && o->partitions > rows)
        return mass_error_set(error, MASS_BAD_USAGE, "--partitions %d is more than the %lld rows of space %s",
                              o->partitions, (long long)rows, space->name);
    if ((int64_t)ranks * o->partitions > rows)
        return mass_error_set(error, MASS_BAD_USAGE, "%d ranks (--ranks) with --partitions %d each cut space %s more "
                              "often than it has rows, of which there are %lld", ranks, o->partitions, space->name,
                              (long long)rows);
    return MASS_OK;
}

static mass_status check_options(const mass_model *m, const mass_domain_options *o, mass_error *error)
{
    const int32_t ranks = o->comm ? o->comm->size : 1;
    const bool cut = ranks > 1 && o->worlds < ranks;
    mass_status status = MASS_OK;
    if (o->partitions < 1 || o->worlds < 1 || o->first_world < 0 || o->first_world > INT32_MAX - o->worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "there have to be at least 1 partition and 1 world");
    if (m->parameters.worlds && m->parameters.worlds != o->worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "there are %d worlds, and parameters for %d", o->worlds,
                              m->parameters.worlds);
    for (uint32_t s = 0; status == MASS_OK && s < m->space_count; s++)
        status = check_rows(&m->spaces[s], o, cut ? ranks : 1, error);
    return status;
}

/* Bytes of a snapshot, which a run takes in host memory for every checkpoint. */
static double snapshot_bytes(const mass_model *m, int32_t worlds)
{
    double bytes = tally_bytes(m, worlds);
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        if (a->streamed) continue;
        const double elements = a->population >= 0 ? mass_population_estimate(m, (uint32_t)a->population)
                                                   : (double)mass_space_places(&m->spaces[a->space]);
        bytes += elements * (double)mass_element_size(a) * worlds;
    }
    return bytes;
}

static mass_status check_room(const mass_model *m, int32_t worlds, const char *where, double needed, size_t available,
                              mass_error *error)
{
    if (needed <= (double)available) return MASS_OK;
    char need[32], have[32], together[48] = "";
    mass_format_bytes(need, needed);
    mass_format_bytes(have, (double)available);
    if (tally_bytes(m, worlds) > needed / 4)
        return mass_error_set(error, MASS_NO_DEVICE, "%s needs %s, %s has %s free, and tallies take much of it: use "
                              "fewer bins%s", m->plugin, need, where, have, worlds > 1 ? " or worlds" : "");
    double places = 0;
    for (uint32_t s = 0; s < m->space_count; s++) places += (double)mass_space_places(&m->spaces[s]);
    if (worlds > 1) snprintf(together, sizeof together, " over all %d worlds", worlds);
    return mass_error_set(error, MASS_NO_DEVICE, "%s needs %s, %s has %s free: use a space of at most %.0f places%s",
                          m->plugin, need, where, have, places * worlds * (double)available / needed, together);
}

/* The state is this rank's; snapshots are rank 0's alone, and of the whole run. Ranks of a host share its memory. */
static mass_status check_memory(const mass_model *m, mass_device *device, const mass_share *share, int32_t partitions,
                                mass_error *error)
{
    const mass_device_table *t = device->table;
    const mass_comm *comm = share->comm;
    const int32_t worlds = mass_share_worlds_of(share, comm->rank);
    const double state = bytes_of_share(m, share->first_partition, partitions, share->partitions, worlds) +
                         (comm->size > 1 ? tally_bytes(m, share->worlds) : 0);
    const double snapshot = comm->rank == 0 ? snapshot_bytes(m, share->worlds) : 0;
    const bool in_host_memory = t->memory->in_host_memory;
    size_t on_device, on_host;
    mass_status status = t->memory->available(device, &on_device, error);
    if (status == MASS_OK && in_host_memory) on_device /= (size_t)comm->local_size;
    if (status == MASS_OK)
        status = check_room(m, worlds, t->name(device), state + (in_host_memory ? snapshot : 0), on_device, error);
    if (status != MASS_OK || in_host_memory) return status;
    status = mass_available_memory_left(&on_host, error);
    return status == MASS_OK ? check_room(m, share->worlds, "this machine", snapshot, on_host, error) : status;
}

static mass_status allocate_array(mass_domain *d, mass_partition *p, uint32_t index, mass_error *error)
{
    const mass_array_def *def = &d->model->arrays[index];
    const size_t bytes = (size_t)p->layout.elements * def->element_size;
    mass_status status = MASS_OK;
    for (int b = 0; status == MASS_OK && b < (def->buffered ? 2 : 1); b++)
        status = mass_buffer_allocate(d->device, bytes, &p->arrays[index].buffer[b], error);
    return status;
}

mass_status mass_array_initial(const mass_model *m, uint32_t array, uint8_t **out, mass_error *error)
{
    const mass_array_def *def = &m->arrays[array];
    const mass_attribute_def *a = &m->attributes[def->attribute];
    *out = malloc(def->element_size);
    if (!*out) return mass_error_memory(error, def->element_size, "a default value");
    for (size_t at = 0; at < def->element_size; at += a->component_size)
        memcpy(*out + at, a->initial, a->component_size);
    return MASS_OK;
}

static mass_status fill_array(mass_domain *d, mass_partition *p, uint32_t index, mass_error *error)
{
    const mass_array_def *def = &d->model->arrays[index];
    uint8_t *element;
    mass_status status = mass_array_initial(d->model, index, &element, error);
    if (status != MASS_OK) return status;
    for (int b = 0; status == MASS_OK && b < (def->buffered ? 2 : 1); b++)
        status = mass_buffer_fill(p->arrays[index].buffer[b], element, def->element_size, (size_t)p->layout.elements,
                                  error);
    free(element);
    return status;
}

static mass_status create_partition(mass_domain *d, uint32_t space, int32_t index, mass_error *error)
{
    const mass_space_def *s = &d->model->spaces[space];
    mass_partition *p = &d->partitions[space][index];
    p->arrays = calloc(d->model->array_count ? d->model->array_count : 1, sizeof *p->arrays);
    if (!p->arrays || !mass_layout_make(d->model, space, d->share.first_partition + index, d->share.partitions,
                                        d->worlds, &p->layout))
        return mass_error_memory(error, SIZE_MAX / 2, "the space");
    mass_status status = MASS_OK;
    for (uint32_t i = s->first_array; status == MASS_OK && i < s->first_array + s->array_count; i++) {
        status = allocate_array(d, p, i, error);
        if (status == MASS_OK) status = fill_array(d, p, i, error);
        p->arrays[i].fresh = MASS_AXES_ALL; /* of one value everywhere */
    }
    return status;
}

static mass_status upload_constants(mass_domain *d, uint64_t seed, mass_error *error)
{
    const mass_parameters *list = &d->model->parameters;
    const uint32_t values = mass_model_reduction_values(d->model);
    const size_t worlds = (size_t)d->worlds, count = (1 + list->count + values) * worlds;
    const size_t bytes = count * sizeof(uint64_t), keys = worlds * sizeof(uint64_t);
    uint64_t *host = malloc(bytes);
    if (!host) return mass_error_memory(error, bytes, "parameters");
    for (size_t w = 0; w < worlds; w++) {
        host[w] = mass_random_key(seed, (uint64_t)d->first_world + w);
        for (uint32_t i = 0; i < list->count; i++)
            host[(1 + i) * worlds + w] = mass_parameter_bits_in(&list->slots[i], d->share.first_world + (int32_t)w);
        for (uint32_t i = 0; i < values; i++)
            host[(1 + list->count + i) * worlds + w] = mass_model_reduction_value(d->model, i);
    }
    mass_status status = mass_buffer_allocate(d->device, bytes, &d->constants, error);
    d->random_keys = mass_buffer_part(d->constants, 0, keys);
    d->parameters = mass_buffer_from(d->constants, keys);
    if (status == MASS_OK) status = mass_buffer_upload(d->constants, host, bytes, error);
    free(host);
    return status;
}

static mass_status create_tallies(mass_domain *d, mass_error *error)
{
    static const uint64_t zero = 0;
    const size_t before = 2 * sizeof(int64_t); /* so that wide stores may start at the tallies */
    const size_t bytes = before + (size_t)d->model->tally_words * (size_t)d->worlds * sizeof(int64_t);
    mass_status status = mass_buffer_allocate(d->device, bytes, &d->counters, error);
    d->clock = mass_buffer_part(d->counters, 0, sizeof zero);
    d->tallies = mass_buffer_from(d->counters, before);
    if (status == MASS_OK) status = mass_buffer_upload(d->clock, &zero, sizeof zero, error);
    if (status == MASS_OK && d->share.comm->size > 1)
        status = mass_buffer_allocate(d->device, (size_t)tally_bytes(d->model, d->share.worlds), &d->totals, error);
    if (status == MASS_OK) status = mass_keys_of_domain_create(d, error);
    return status == MASS_OK ? mass_domain_reset_tallies(d, true, error) : status;
}

static mass_status create_gates(mass_domain *d, mass_error *error)
{
    static const uint32_t open = 0;
    const bool grows = mass_population_can_grow(d->model);
    bool conditional = false;
    for (uint32_t i = 0; i < d->model->phase_count; i++) conditional |= d->model->phases[i].conditional;
    if (!conditional && !grows) return MASS_OK;
    const size_t of_phases = d->model->phase_count * (size_t)d->worlds * sizeof open;
    const size_t of_worlds = (size_t)d->worlds * sizeof open;
    const mass_status status = mass_buffer_allocate(d->device, of_phases + of_worlds, &d->gates, error);
    if (status != MASS_OK || !grows) return status;
    d->closed = mass_buffer_part(d->gates, of_phases, of_worlds);
    return mass_buffer_fill(d->closed, &open, sizeof open, (size_t)d->worlds, error);
}

/* One record for each phase and each population, in which nothing was ignored yet. */
static mass_status create_diagnostics(mass_domain *d, mass_error *error)
{
    const size_t count = mass_domain_diagnostic_count(d), bytes = count * sizeof(mass_diagnostics);
    mass_diagnostics *host = calloc(count + 1, sizeof *host);
    if (!host) return mass_error_memory(error, bytes, "the domain");
    for (size_t i = 0; i < count; i++)
        host[i] = (mass_diagnostics){.struct_size = sizeof *host, .seen = MASS_DIAGNOSTICS_OFF};
    mass_status status = mass_buffer_allocate(d->device, bytes, &d->diagnostics, error);
    if (status == MASS_OK) status = mass_buffer_upload(d->diagnostics, host, bytes, error);
    free(host);
    return status;
}

/* What the ghosts of arrays that are added to are made zero with. */
static mass_status create_zeros(mass_domain *d, mass_error *error)
{
    static const uint64_t zero = 0;
    size_t row = 0;
    for (uint32_t s = 0; d->share.partitions > 1 && s < d->model->space_count; s++) {
        const mass_space_def *space = &d->model->spaces[s];
        const size_t most = (size_t)(space->size[0] > space->ghost[0] ? space->size[0] : space->ghost[0]);
        if (space->scattered && most > row) row = most;
    }
    if (row == 0) return MASS_OK;
    const mass_status status = mass_buffer_allocate(d->device, row * sizeof zero, &d->zeros, error);
    return status == MASS_OK ? mass_buffer_fill(d->zeros, &zero, sizeof zero, row, error) : status;
}

mass_status mass_domain_reset_tallies(mass_domain *d, bool cumulative_too, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++)
        if (cumulative_too || (!d->model->tallies[i].cumulative && !d->model->tallies[i].reduced))
            status = mass_domain_reset_tally(d, i, error);
    return status;
}

mass_status mass_domain_reset_tally(mass_domain *d, uint32_t tally, mass_error *error)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    const int64_t neutral = mass_tally_neutral(t);
    if (t->keys) return d->device->table->keys->clear(d->device, d->key_counts[tally], error);
    return mass_buffer_fill(mass_domain_tally(d, tally), &neutral, sizeof neutral, (size_t)d->worlds * t->words,
                            error);
}

static mass_status create_partitions(mass_domain *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t s = 0; status == MASS_OK && s < d->model->space_count; s++) {
        d->partitions[s] = calloc((size_t)d->partition_count, sizeof **d->partitions);
        if (!d->partitions[s]) return mass_error_memory(error, sizeof **d->partitions, "partitions");
        for (int32_t p = 0; status == MASS_OK && p < d->partition_count; p++) status = create_partition(d, s, p, error);
    }
    return status;
}

static mass_status create_domain(const mass_model *m, mass_device *device, const mass_share *share,
                                 const mass_domain_options *o, mass_domain **out, mass_error *error)
{
    mass_domain *d = calloc(1, sizeof *d);
    if (!d) return mass_error_memory(error, sizeof *d, "the domain");
    *d = (mass_domain){.model = m, .device = device, .share = *share, .partition_count = o->partitions,
                       .worlds = mass_share_worlds_of(share, share->comm->rank),
                       .first_world = o->first_world + share->first_world, .seed = o->seed};
    d->current = calloc(m->array_count ? m->array_count : 1, 1);
    mass_status status = d->current ? MASS_OK : mass_error_memory(error, m->array_count, "the domain");
    if (status == MASS_OK) status = create_partitions(d, error);
    if (status == MASS_OK) status = upload_constants(d, o->seed, error);
    if (status == MASS_OK) status = create_tallies(d, error);
    if (status == MASS_OK) status = create_gates(d, error);
    if (status == MASS_OK) status = create_zeros(d, error);
    if (status == MASS_OK) status = create_diagnostics(d, error);
    for (uint32_t p = 0; status == MASS_OK && p < m->population_count; p++)
        status = mass_population_create(d, p, error);
    if (status == MASS_OK) *out = d;
    else mass_domain_free(d);
    return status;
}

mass_status mass_domain_create(const mass_model *m, mass_device *device, const mass_domain_options *o,
                               mass_domain **out, mass_error *error)
{
    mass_comm *comm = o->comm ? o->comm : mass_comm_self();
    mass_domain *made = NULL;
    mass_status status = mass_call_agree(comm, check_options(m, o, error), error);
    if (status != MASS_OK) return status;
    const mass_share share = mass_share_make(comm, o->worlds, o->partitions);
    status = mass_call_agree(comm, check_memory(m, device, &share, o->partitions, error), error);
    if (status != MASS_OK) return status;
    status = mass_call_agree(comm, create_domain(m, device, &share, o, &made, error), error);
    if (status == MASS_OK) *out = made;
    else mass_domain_free(made);
    return status;
}

void mass_domain_free(mass_domain *d)
{
    if (!d) return;
    for (uint32_t s = 0; s < d->model->space_count; s++) {
        for (int32_t p = 0; d->partitions[s] && p < d->partition_count; p++) {
            mass_array *arrays = d->partitions[s][p].arrays;
            for (uint32_t i = 0; arrays && i < d->model->array_count; i++)
                for (int b = 0; b < 2; b++) mass_buffer_release(&arrays[i].buffer[b]);
            free(arrays);
        }
        free(d->partitions[s]);
    }
    for (uint32_t p = 0; p < d->model->population_count; p++) mass_population_free(d, p);
    mass_cuts_free(d);
    mass_pieces_free(d);
    mass_until_free(d);
    mass_keys_of_domain_free(d);
    mass_buffer_release(&d->diagnostics);
    mass_buffer_release(&d->zeros);
    mass_buffer_release(&d->gates);
    mass_buffer_release(&d->constants);
    mass_buffer_release(&d->counters);
    mass_buffer_release(&d->totals);
    free(d->current);
    free(d);
}

mass_buffer mass_array_from(const mass_domain *d, const mass_partition *p, uint32_t array, bool next)
{
    const uint32_t buffer = d->current[array] ^ (next ? 1u : 0u);
    return mass_buffer_from(p->arrays[array].buffer[buffer],
                            (size_t)p->layout.first * d->model->arrays[array].element_size);
}

void *mass_array_at(const mass_domain *d, const mass_partition *p, uint32_t array, bool next)
{
    return mass_array_from(d, p, array, next).address;
}

mass_buffer mass_domain_tally(const mass_domain *d, uint32_t tally)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    return mass_buffer_part(d->tallies, mass_tally_at(t, d->worlds, 0) * sizeof(int64_t),
                            (size_t)d->worlds * t->words * sizeof(int64_t));
}

int64_t *mass_domain_tally_at(const mass_domain *d, uint32_t tally)
{
    return mass_domain_tally(d, tally).address;
}
