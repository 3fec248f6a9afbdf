/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/create.h"
#include "base/plural.h"
#include "halo/exchange.h"
#include "halo/halo.h"
#include "model/list.h"
#include "population/growth.h"
#include "population/in_turn.h"
#include "population/nearby.h"
#include "population/population.h"
#include "population/turn_ranks.h"
#include "population/turn_stage.h"
#include "ranks/rpc.h"
#include "snapshot/memory_check.h"
#include "snapshot/chunks.h"
#include "split/edge_shares.h"
#include "state/edges.h"
#include "state/key_counts.h"
#include "state/partition.h"
#include "state/stop_condition.h"
#include "state/tally.h"

#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

/* Refuses more ranks and partitions than one space has rows to cut, and says which option is too large. */
static mass_status check_rows(const mass_space_def *space, int32_t ranks, int32_t partitions, mass_error *error)
{
    const mass_gidx rows = mass_share_units(space);
    if (space->cut_every > 1 && (int64_t)ranks * partitions > rows)
        return mass_error_set(error, MASS_BAD_USAGE, "--ranks and --partitions cut space %s into %lld parts, and along "
                              "its bits it can be cut every %d places, into %lld", space->name,
                              (long long)ranks * partitions, space->cut_every, (long long)rows);
    if (ranks == 1 && partitions > rows)
        return mass_error_set(error, MASS_BAD_USAGE, "--partitions %d is more than the %lld row%s of space %s",
                              partitions, (long long)rows, mass_plural(rows), space->name);
    if ((int64_t)ranks * partitions > rows)
        return mass_error_set(error, MASS_BAD_USAGE, "%d ranks (--ranks) with --partitions %d each cut space %s more "
                              "often than it has rows, of which there are %lld", ranks, partitions, space->name,
                              (long long)rows);
    return MASS_OK;
}

mass_status mass_domain_check_rows(const mass_model *m, int32_t ranks, int32_t partitions, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t s = 0; status == MASS_OK && s < m->space_count; s++)
        status = check_rows(&m->spaces[s], ranks, partitions, error);
    return status;
}

/* Refuses numbers of worlds, partitions and ranks that do not suit each other, the parameters or the spaces. */
static mass_status check_options(const mass_model *m, const mass_domain_options *o, mass_error *error)
{
    const int32_t ranks = o->comm ? o->comm->size : 1;
    const bool cut = ranks > 1 && o->worlds < ranks;
    if (o->partitions < 1 || o->worlds < 1 || o->first_world < 0 || o->first_world > INT32_MAX - o->worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "there have to be at least 1 partition and 1 world");
    if (m->parameters.worlds && m->parameters.worlds != o->worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "the run has %d world%s, and parameters for %d", o->worlds,
                              mass_plural(o->worlds), m->parameters.worlds);
    return mass_domain_check_rows(m, cut ? ranks : 1, o->partitions, error);
}

/* Puts the lists of this rank's worlds, list by list, from `to` on: in each world its count and its values. */
static void put_lists(const mass_domain *d, uint64_t *to)
{
    const mass_parameters *list = &d->model->parameters;
    for (uint32_t i = 0; i < list->count; i++)
        for (int32_t w = 0; w < d->worlds && list->slots[i].list; w++, to += mass_list_words(&list->slots[i])) {
            const char *text = mass_list_text_in(&list->slots[i], d->share.first_world + w);
            to[0] = mass_list_count(text);
            mass_list_values(&list->slots[i], text, to + 1);
        }
}

/* Allocates the device's constants and fills them, by world: random keys, parameters, values of reductions, lists. */
static mass_status upload_constants(mass_domain *d, uint64_t seed, mass_error *error)
{
    const mass_parameters *list = &d->model->parameters;
    const uint32_t values = mass_model_reduction_values(d->model);
    const size_t worlds = (size_t)d->worlds, words = 1 + list->count + values;
    const size_t count = (words + mass_list_words_before(list, list->count)) * worlds;
    const size_t bytes = count * sizeof(uint64_t), keys = worlds * sizeof(uint64_t);
    uint64_t *host = calloc(count, sizeof *host);
    if (!host) return mass_error_memory(error, bytes, "parameters");
    for (size_t w = 0; w < worlds; w++) {
        host[w] = mass_random_key(seed, (uint64_t)d->first_world + w);
        for (uint32_t i = 0; i < list->count; i++)
            host[(1 + i) * worlds + w] = mass_parameter_bits_in(&list->slots[i], d->share.first_world + (int32_t)w);
        for (uint32_t i = 0; i < values; i++)
            host[(1 + list->count + i) * worlds + w] = mass_model_reduction_value(d->model, i);
    }
    put_lists(d, host + words * worlds);
    mass_status status = mass_buffer_allocate(d->device, bytes, &d->constants, error);
    d->random_keys = mass_buffer_part(d->constants, 0, keys);
    d->parameters = mass_buffer_from(d->constants, keys);
    if (status == MASS_OK) status = mass_buffer_upload(d->constants, host, bytes, error);
    free(host);
    return status;
}

/* Returns how many steps' tallies are kept. Several are kept if steps may run before the host reads their tallies: not
 * with agents or a stream, nor if tallies are large, count by key, or are reduced or cumulative. */
static int32_t count_rows(const mass_domain *d)
{
    enum { ROWS = 64, BYTES_MOST = 4 << 20 };
    bool plain = d->model->population_count == 0 && !d->model->stream.read && d->model->tally_count > 0;
    for (uint32_t i = 0; i < d->model->tally_count; i++)
        plain &= !d->model->tallies[i].keys && !d->model->tallies[i].reduced && !d->model->tallies[i].cumulative;
    return plain && ROWS * (double)mass_domain_tally_row(d) * sizeof(int64_t) <= BYTES_MOST ? ROWS : 1;
}

/* Sets d->rows. Allocates the clock, the tallies' rows, totals over ranks and those that bodies read, and key tables.
 * Sets the tallies to their start. */
static mass_status create_tallies(mass_domain *d, mass_error *error)
{
    static const uint64_t zero = 0;
    const size_t before = 2 * sizeof(int64_t); /* keeps the tallies aligned for wide stores */
    const size_t row = (size_t)mass_domain_tally_row(d) * sizeof(int64_t);
    d->rows = count_rows(d);
    const size_t bytes = before + (size_t)d->rows * row;
    mass_status status = mass_buffer_allocate(d->device, bytes, &d->counters, error);
    d->clock = mass_buffer_part(d->counters, 0, sizeof zero);
    d->history = mass_buffer_from(d->counters, before);
    d->tallies = mass_buffer_part(d->history, (size_t)(d->rows - 1) * row,
                                  (size_t)d->model->tally_words * (size_t)d->worlds * sizeof(int64_t));
    if (status == MASS_OK) status = mass_buffer_upload(d->clock, &zero, sizeof zero, error);
    if (status == MASS_OK && d->share.comm->size > 1)
        status = mass_buffer_allocate(d->device, (size_t)d->share.worlds * mass_total_words(d->model) * sizeof(int64_t),
                                      &d->totals, error);
    if (status == MASS_OK && mass_model_reads_totals(d->model))
        status = mass_buffer_allocate(d->device, (size_t)d->worlds * d->model->tally_count * sizeof(int64_t),
                                      &d->settled, error);
    if (status == MASS_OK) status = mass_keys_of_domain_create(d, error);
    return status == MASS_OK ? mass_domain_reset_tallies(d, true, error) : status;
}

/* Allocates the gates that skip phases and, if agents can need capacity or rounds, worlds. None if nothing is
 * conditional. Only those of worlds are set, to open. */
static mass_status create_gates(mass_domain *d, mass_error *error)
{
    static const uint32_t open = 0;
    /* Recorded manage functions may stop if agents need more capacity or ranks need more rounds. */
    const bool grows = mass_population_can_grow(d->model) ||
                       (d->model->population_count > 0 && mass_share_is_split(&d->share));
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

/* Creates one record for each phase and each population on the device; nothing has been ignored yet. */
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

/* Creates a row of zeros on the device, which clears the ghosts of arrays that models add to; none if no space needs
 * it. */
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

/* Creates the partitions of all spaces with their arrays on the device. All values are the defaults. */
static mass_status create_partitions(mass_domain *d, mass_error *error)
{
    mass_status status = mass_partitions_create(d, error);
    for (uint32_t s = 0; s < d->model->space_count; s++) {
        const mass_space_def *space = &d->model->spaces[s];
        for (uint32_t i = 0; status == MASS_OK && i < space->array_count; i++)
            status = mass_partitions_allocate(d, space->first_array + i, error);
    }
    return status;
}

/* Allocates the domain on the device, with places at their defaults and without agents. It takes over the memory of
 * *share. On failure *out is the incomplete domain, which the caller frees, or unchanged. */
static mass_status create_domain(const mass_model *m, mass_device *device, const mass_share *share,
                                 const mass_domain_options *o, mass_domain **out, mass_error *error)
{
    mass_domain *d = calloc(1, sizeof *d);
    if (!d) return mass_error_memory(error, sizeof *d, "the domain");
    *d = (mass_domain){.model = m, .device = device, .share = *share, .partition_count = o->partitions,
                       .worlds = mass_share_worlds_of(share, share->comm->rank),
                       .first_world = o->first_world + share->first_world, .seed = o->seed};
    *out = d;
    d->current = calloc(m->array_count ? m->array_count : 1, 1);
    mass_status status = d->current ? MASS_OK : mass_error_memory(error, m->array_count, "the domain");
    if (status == MASS_OK) status = create_partitions(d, error);
    if (status == MASS_OK) status = upload_constants(d, o->seed, error);
    if (status == MASS_OK) status = create_tallies(d, error);
    if (status == MASS_OK) status = create_gates(d, error);
    if (status == MASS_OK) status = create_zeros(d, error);
    if (status == MASS_OK) status = create_diagnostics(d, error);
    if (status == MASS_OK) status = mass_domain_edges_create(d, error);
    for (uint32_t p = 0; status == MASS_OK && p < m->population_count; p++)
        status = mass_population_create(d, p, error);
    return status;
}

/* Computes the ranks' ownership from their weights or their edges, and refuses a weight out of range. The caller frees
 * *out; NULL: equal weights. */
static mass_status add_up_shares(const mass_model *m, const mass_domain_options *o, int32_t ranks, int64_t **out,
                                 mass_error *error)
{
    *out = NULL;
    if (ranks == 1 || (!o->shares && !o->by_edges)) return MASS_OK;
    for (int32_t r = 0; !o->by_edges && r < ranks; r++)
        if (o->shares[r] < 1 || o->shares[r] > MASS_SHARE_MOST)
            return mass_error_set(error, MASS_BAD_USAGE, "a rank's share is from 1 to %d, and not %d", MASS_SHARE_MOST,
                                  o->shares[r]);
    *out = malloc(((size_t)ranks + 1) * sizeof **out);
    if (!*out) return mass_error_memory(error, (size_t)ranks * sizeof **out, "ranks");
    if (!o->by_edges) mass_share_add_up(o->shares, ranks, *out);
    else if (o->worlds >= ranks || !mass_edge_shares_find(m, ranks, o->partitions, *out)) {
        free(*out);
        *out = NULL;
    }
    return MASS_OK;
}

mass_status mass_domain_create(const mass_model *m, mass_device *device, const mass_domain_options *o,
                               mass_domain **out, mass_error *error)
{
    mass_comm *comm = o->comm ? o->comm : mass_comm_self();
    mass_domain *made = NULL;
    int64_t *before = NULL;
    mass_status status = check_options(m, o, error);
    if (status == MASS_OK) status = add_up_shares(m, o, comm->size, &before, error);
    status = mass_rpc_agree(comm, status, error);
    if (status != MASS_OK) {
        free(before);
        return status;
    }
    mass_share share = mass_share_make(comm, o->worlds, o->partitions, before);
    status = mass_rpc_agree(comm, mass_memory_check(m, device, &share, error), error);
    if (status == MASS_OK) status = mass_rpc_agree(comm, mass_turn_check(m, device, &share, error), error);
    if (status == MASS_OK) status = mass_rpc_agree(comm, create_domain(m, device, &share, o, &made, error), error);
    if (status == MASS_OK) *out = made;
    else if (made) mass_domain_free(made);
    else free(before);
    return status;
}

void mass_domain_free(mass_domain *d)
{
    if (!d) return;
    mass_partitions_free(d);
    for (uint32_t p = 0; p < d->model->population_count; p++) mass_population_free(d, p);
    mass_turn_ranks_free(d);
    mass_turn_stage_free(d);
    mass_nearby_free(d);
    mass_domain_edges_free(d);
    mass_halos_free(d);
    mass_halo_rooms_free(d);
    mass_chunks_free(d);
    mass_until_free(d);
    mass_keys_of_domain_free(d);
    mass_buffer_release(&d->diagnostics);
    mass_buffer_release(&d->zeros);
    mass_buffer_release(&d->gates);
    mass_buffer_release(&d->constants);
    mass_buffer_release(&d->settled);
    mass_buffer_release(&d->counters);
    mass_buffer_release(&d->totals);
    free(d->current);
    free(d->share.before);
    free(d);
}
