/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies of the run. Each rank accumulates its part: the contributions of its callbacks in its slab, or in the worlds
 * that it holds. The total is the sum, the least or the greatest of these parts. A rank has the neutral element for
 * worlds that it does not hold. Accumulators are integers, so the order of ranks does not matter. */
#include "model/kept.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"
#include "state/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t mass_domain_tally_row(const mass_domain *d)
{
    const int64_t words = (int64_t)d->model->tally_words * d->worlds;
    return words + words % 2; /* so that wide stores may begin at each row */
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

mass_status mass_domain_reset_tallies(mass_domain *d, bool cumulative_too, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++)
        if (cumulative_too || (!d->model->tallies[i].cumulative && !d->model->tallies[i].reduced))
            status = mass_domain_reset_some(d, i, 1, error);
    return status;
}

/* Returns how many of `count` tallies, from the first on, are contiguous and have the same neutral element: at
 * least 1. */
static uint32_t count_alike(const mass_tally_def *t, uint32_t count)
{
    uint32_t n = 1;
    while (n < count && !t[n].keys && t[n].first == t[n - 1].first + t[n - 1].words &&
           mass_tally_neutral(&t[n]) == mass_tally_neutral(t))
        n++;
    return n;
}

/* Resets contiguous tallies from *t on, which have `words` accumulators in all worlds, in some rows. If they are all
 * tallies, the rows are contiguous too. */
static mass_status reset_alike(mass_domain *d, const mass_tally_def *t, size_t words, int32_t later, int32_t rows,
                               mass_error *error)
{
    const int64_t neutral = mass_tally_neutral(t);
    const size_t row = (size_t)mass_domain_tally_row(d), first = (size_t)(d->rows - later - rows);
    const bool together = words == (size_t)d->model->tally_words * (size_t)d->worlds;
    const size_t fills = together ? 1 : (size_t)rows, more = together ? (size_t)(rows - 1) * row : 0;
    mass_status status = MASS_OK;
    for (size_t i = 0; status == MASS_OK && i < fills; i++) {
        const size_t at = (first + i) * row + mass_tally_at(t, d->worlds, 0);
        status = mass_buffer_fill(mass_buffer_from(d->history, at * sizeof neutral), &neutral, sizeof neutral,
                                  words + more, error);
    }
    return status;
}

mass_status mass_domain_reset_some(mass_domain *d, uint32_t first, uint32_t count, mass_error *error)
{
    return mass_domain_reset_rows(d, first, count, 0, 1, error);
}

mass_status mass_domain_reset_rows(mass_domain *d, uint32_t first, uint32_t count, int32_t later, int32_t rows,
                                   mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t n = 1; status == MASS_OK && count > 0; first += n, count -= n) {
        const mass_tally_def *t = &d->model->tallies[first];
        n = t->keys ? 1 : count_alike(t, count);
        const size_t words = (size_t)d->worlds * (t[n - 1].first + t[n - 1].words - t->first);
        status = t->keys ? d->device->table->keys->clear(d->device, d->key_counts[first], error)
                         : reset_alike(d, t, words, later, rows, error);
    }
    return status;
}

/* ---- over all ranks ---- */

_Static_assert((int)MASS_COMBINE_ADD == (int)MASS_REDUCE_SUM && (int)MASS_COMBINE_LEAST == (int)MASS_REDUCE_LEAST &&
               (int)MASS_COMBINE_GREATEST == (int)MASS_REDUCE_MOST, "tallies are reduced as they are combined");

/* Returns how the ranks' accumulators of a tally are combined. All ranks have the same world attributes, in the worlds
 * that they hold. */
static mass_combine_rule rule_of(const mass_tally_def *t)
{
    return mass_tally_is_kept(t) ? MASS_COMBINE_LEAST : mass_access_of(mass_tally_access(t))->combine;
}

/* Returns an accumulator in worlds that a rank does not hold: the neutral element of rule_of. */
static int64_t absent_of(const mass_tally_def *t)
{
    return mass_tally_is_kept(t) ? mass_accumulator_neutral(MASS_COMBINE_LEAST) : mass_tally_neutral(t);
}

/* Returns the accumulators of a tally in all worlds of the run. */
static size_t words_of(const mass_domain *d, uint32_t tally)
{
    return (size_t)d->share.worlds * d->model->tallies[tally].words;
}

/* Normalises the accumulators, [worlds][words], of a tally that is an exact sum or a fixed-point sum, which may have
 * overflowed. Leaves other tallies. Words that are not normalised depend on the order of contributions. */
static void settle_sums(const mass_tally_def *t, int32_t worlds, int64_t *accumulators)
{
    for (int32_t w = 0; mass_tally_is_exact(t) && w < worlds; w++)
        mass_exact_normalise(accumulators + (size_t)w * t->words);
    for (size_t i = 0; mass_tally_is_fixed_sum(t) && i < (size_t)worlds * t->words; i++)
        accumulators[i] = mass_sum_fixed(accumulators[i], 0);
}

/* Adds fixed-point sums over all ranks, in values[count]. parts[2 * count] is scratch. All ranks call it. */
static mass_status add_fixed(mass_comm *comm, int64_t *values, size_t count, int64_t *parts, mass_error *error)
{
    for (size_t i = 0; i < count; i++) mass_fixed_split(values[i], parts + 2 * i);
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, parts, 2 * count, error);
    for (size_t i = 0; status == MASS_OK && i < count; i++) values[i] = mass_fixed_join(parts + 2 * i);
    return status;
}

/* Reads this rank's part of a tally, [worlds of the run][words], with sums normalised. Worlds of other ranks get what
 * absent_of returns. */
static mass_status read_share(mass_domain *d, uint32_t tally, int64_t *out, mass_error *error)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    const int64_t absent = absent_of(t);
    const size_t all = words_of(d, tally);
    if (d->worlds < d->share.worlds)
        for (size_t i = 0; i < all; i++) out[i] = absent;
    int64_t *own = out + (size_t)d->share.first_world * t->words;
    const mass_status status = mass_buffer_download(mass_domain_tally(d, tally), own,
                                                    (size_t)d->worlds * t->words * sizeof *own, error);
    if (status == MASS_OK) settle_sums(t, d->worlds, own);
    return status;
}

/* How tallies are reduced over ranks: by their rule, or as fixed-point sums. */
enum { BY_FIXED_SUM = MASS_COMBINE_GREATEST + 1 };
/* Returns how a tally is reduced over ranks: BY_FIXED_SUM or a mass_combine_rule. */
static int reduced_by(const mass_tally_def *t) { return mass_tally_is_fixed_sum(t) ? BY_FIXED_SUM : (int)rule_of(t); }

/* Reduces `count` accumulators over all ranks, by the result of reduced_by. After them, packed[] has 2 * count more as
 * scratch. All ranks call it. */
static mass_status reduce_packed(mass_comm *comm, int by, int64_t *packed, size_t count, mass_error *error)
{
    if (by == BY_FIXED_SUM) return add_fixed(comm, packed, count, packed + count, error);
    return comm->table->all_reduce(comm, (mass_reduction_operation)by, packed, count, error);
}

/* Reduces some tallies over ranks, in place. values: [words of the first tally, of the next, ...]. Does at most one
 * all-reduce for each rule. All ranks call it. */
static mass_status reduce(mass_domain *d, const uint32_t *tallies, uint32_t count, int64_t *values, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) total += words_of(d, tallies[i]);
    int64_t *packed = malloc((3 * total + 1) * sizeof *packed);
    if (!packed) return mass_rpc_abandon(comm, mass_error_memory(error, 3 * total * sizeof *packed, "tallies"), error);
    mass_status status = MASS_OK;
    for (int by = MASS_COMBINE_ADD; status == MASS_OK && by <= BY_FIXED_SUM; by++) {
        for (int back = 0; status == MASS_OK && back < 2; back++) {
            size_t at = 0, n = 0;
            for (uint32_t i = 0; i < count; at += words_of(d, tallies[i++])) {
                const size_t words = words_of(d, tallies[i]);
                if (reduced_by(&d->model->tallies[tallies[i]]) != by) continue;
                memcpy(back ? values + at : packed + n, back ? packed + n : values + at, words * sizeof *values);
                n += words;
            }
            if (!back && n > 0) status = reduce_packed(comm, by, packed, n, error);
        }
    }
    free(packed);
    return status;
}

mass_buffer mass_domain_total(const mass_domain *d, uint32_t tally)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    if (d->share.comm->size == 1) return mass_domain_tally(d, tally);
    return mass_buffer_part(d->totals, mass_tally_at(t, d->share.worlds, 0) * sizeof(int64_t),
                            words_of(d, tally) * sizeof(int64_t));
}

uint64_t mass_total_words(const mass_model *m)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (mass_tally_is_fixed_sum(&m->tallies[i]) && m->tallies[i].words > most) most = m->tallies[i].words;
    return m->tally_words + 2 * most;
}

/* Adds a fixed-point total over ranks, on the devices. Before, the total is this rank's part, and 0 in worlds of
 * others. Its split words are after all totals. All ranks call it together. */
static mass_status add_fixed_linked(mass_domain *d, mass_buffer total, size_t words, mass_error *error)
{
    const size_t before = (size_t)d->share.worlds * d->model->tally_words * sizeof(int64_t);
    const mass_condition_operations *device = d->device->table->conditions;
    mass_fixed_work w = {.sums = total.address, .parts = mass_buffer_from(d->totals, before).address,
                         .count = (int64_t)words};
    mass_link *link = d->share.link;
    mass_status status = device->fixed(d->device, &w, error);
    if (status == MASS_OK)
        status = link->table->all_reduce(link, MASS_REDUCE_SUM, w.parts, 2 * words, error);
    w.join = 1;
    return status == MASS_OK ? device->fixed(d->device, &w, error) : status;
}

/* Reduces a tally on the devices. Sets the total to this rank's part, to absent_of in worlds of others, and reduces it.
 * All ranks call it together. */
static mass_status reduce_linked(mass_domain *d, uint32_t tally, mass_error *error)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    const mass_buffer share = mass_domain_tally(d, tally), total = mass_domain_total(d, tally);
    const mass_buffer own = mass_buffer_from(total, (size_t)d->share.first_world * t->words * sizeof(int64_t));
    const mass_strided copy = {.to = own.address, .from = share.address, .bytes = share.bytes, .count = {1, 1, 1}};
    const int64_t absent = absent_of(t);
    mass_link *link = d->share.link;
    mass_status status = MASS_OK;
    if (d->worlds < d->share.worlds)
        status = mass_buffer_fill(total, &absent, sizeof absent, words_of(d, tally), error);
    if (status == MASS_OK) status = d->device->table->memory->copy(d->device, &copy, error);
    if (status != MASS_OK) return status;
    if (mass_tally_is_fixed_sum(t)) return add_fixed_linked(d, total, words_of(d, tally), error);
    return link->table->all_reduce(link, (mass_reduction_operation)rule_of(t), total.address, words_of(d, tally),
                                   error);
}

/* Reduces tallies over all ranks through the hosts' memory: downloads the ranks' parts, exchanges them, uploads the
 * totals. All ranks call it. */
static mass_status reduce_staged(mass_domain *d, const uint32_t *tallies, uint32_t count, mass_error *error)
{
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) total += words_of(d, tallies[i]);
    int64_t *values = malloc((total + 1) * sizeof *values), *at = values;
    mass_status status = values ? MASS_OK : mass_error_memory(error, total * sizeof *values, "tallies");
    for (uint32_t i = 0; status == MASS_OK && i < count; at += words_of(d, tallies[i++]))
        status = read_share(d, tallies[i], at, error);
    if (status == MASS_OK) status = reduce(d, tallies, count, values, error);
    at = values;
    for (uint32_t i = 0; status == MASS_OK && i < count; at += words_of(d, tallies[i++]))
        status = mass_buffer_upload(mass_domain_total(d, tallies[i]), at, words_of(d, tallies[i]) * sizeof *at, error);
    free(values);
    return status;
}

mass_status mass_domain_reduce_tallies(mass_domain *d, const uint32_t *tallies, uint32_t count, mass_error *error)
{
    mass_status status = MASS_OK;
    if (!d->share.link) return reduce_staged(d, tallies, count, error);
    for (uint32_t i = 0; status == MASS_OK && i < count; i++) status = reduce_linked(d, tallies[i], error);
    return status;
}

/* ---- for bodies ---- */

uint64_t *mass_domain_settled_at(const mass_domain *d, uint32_t tally)
{
    return (uint64_t *)d->settled.address + (size_t)tally * (size_t)d->worlds;
}

mass_status mass_domain_settle(mass_domain *d, uint32_t tally, bool before, mass_error *error)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    const bool split = mass_share_is_split(&d->share);
    const mass_settle_work w = {.worlds = d->worlds, .words = t->words, .real = t->kind == MASS_TALLY_REAL,
        .neutral = mass_tally_neutral(t), .before = before, .initial = t->initial,
        .how = t->access == MASS_MEAN          ? MASS_SETTLE_MEAN
               : mass_tally_is_exact(t)        ? MASS_SETTLE_EXACT
               : mass_tally_is_fixed_sum(t)    ? MASS_SETTLE_FIXED
               : rule_of(t) == MASS_COMBINE_ADD ? MASS_SETTLE_INTEGER
                                               : MASS_SETTLE_EXTREME,
        .tally = (split ? mass_domain_total(d, tally) : mass_domain_tally(d, tally)).address,
        .values = mass_domain_settled_at(d, tally)};
    return d->device->table->conditions->settle(d->device, &w, error);
}

/* ---- for the host ---- */

/* Reads all tallies over all ranks, [tallies][worlds of the run][words], with sums normalised. All ranks call it and
 * get them. */
static mass_status read_all(mass_domain *d, int64_t *values, mass_error *error)
{
    const mass_model *m = d->model;
    uint32_t *tallies = malloc((m->tally_count + 1) * sizeof *tallies);
    mass_status status = tallies ? MASS_OK : mass_error_memory(error, m->tally_count * sizeof *tallies, "tallies");
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++) {
        tallies[i] = i;
        status = read_share(d, i, values + mass_tally_at(&m->tallies[i], d->share.worlds, 0), error);
    }
    status = mass_rpc_agree(d->share.comm, status, error);
    if (status == MASS_OK && d->share.comm->size > 1) status = reduce(d, tallies, m->tally_count, values, error);
    free(tallies);
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++)
        settle_sums(&m->tallies[i], d->share.worlds, values + mass_tally_at(&m->tallies[i], d->share.worlds, 0));
    return status;
}

mass_status mass_domain_read_history(mass_domain *d, int32_t rows, int64_t *out, mass_error *error)
{
    const size_t row = (size_t)mass_domain_tally_row(d), bytes = (size_t)rows * row * sizeof *out;
    const size_t before = (size_t)(d->rows - rows) * row * sizeof *out;
    const mass_status status = mass_buffer_download(mass_buffer_from(d->history, before), out, bytes, error);
    for (int32_t k = 0; status == MASS_OK && k < rows; k++)
        for (uint32_t i = 0; i < d->model->tally_count; i++)
            settle_sums(&d->model->tallies[i], d->worlds,
                        out + (size_t)k * row + mass_tally_at(&d->model->tallies[i], d->worlds, 0));
    return status;
}

mass_status mass_domain_read_tallies(mass_domain *d, int64_t *accumulators, mass_error *error)
{
    const size_t bytes = (size_t)d->model->tally_words * (size_t)d->share.worlds * sizeof *accumulators;
    mass_status status = mass_rpc_tell(d->share.comm, MASS_RPC_TALLIES, NULL, 0, error);
    if (status != MASS_OK || d->share.comm->rank == 0)
        return status == MASS_OK ? read_all(d, accumulators, error) : status;
    int64_t *scratch = malloc(bytes + 1);
    if (!scratch) status = mass_error_memory(error, bytes, "tallies");
    status = status == MASS_OK ? read_all(d, scratch, error) : mass_rpc_agree(d->share.comm, status, error);
    free(scratch);
    return status;
}

mass_status mass_domain_read_tally(mass_domain *d, uint32_t tally, int32_t world, uint32_t first, uint32_t count,
                                   int64_t *out, mass_error *error)
{
    const mass_rpc_tally asked = {tally, world, first, count};
    const mass_tally_def *t = &d->model->tallies[tally];
    const int32_t own = world - d->share.first_world;
    mass_comm *comm = d->share.comm;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_TALLY, &asked, sizeof asked, error);
    if (status != MASS_OK) return status;
    int64_t *scratch = malloc((3 * (size_t)count + 1) * sizeof *scratch); /* the sums, and room to add them */
    if (!scratch) status = mass_error_memory(error, 3 * (size_t)count * sizeof *scratch, "a tally");
    for (uint32_t i = 0; scratch && i < count; i++) scratch[i] = absent_of(t);
    if (scratch && own >= 0 && own < d->worlds) {
        const size_t before = ((size_t)own * t->words + first) * sizeof *scratch;
        status = mass_buffer_download(mass_buffer_from(mass_domain_tally(d, tally), before), scratch,
                                      count * sizeof *scratch, error);
    }
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = reduce_packed(comm, reduced_by(t), scratch, count, error);
    if (status == MASS_OK && comm->rank == 0) memcpy(out, scratch, count * sizeof *out);
    free(scratch);
    return status;
}

/* Writes this rank's part of a tally of the run. If a space is divided, rank 0 gets all, and the others the neutral
 * element. All ranks get world attributes. Does nothing for a tally that counts by key. */
static mass_status upload_share(mass_domain *d, uint32_t tally, const int64_t *values, mass_error *error)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    if (t->keys) return MASS_OK;
    if (!d->share.by_world && d->share.comm->rank > 0 && !mass_tally_is_kept(t))
        return mass_domain_reset_some(d, tally, 1, error);
    const int64_t *from = values + mass_tally_at(t, d->share.worlds, d->share.first_world);
    return mass_buffer_upload(mass_domain_tally(d, tally), from, (size_t)d->worlds * t->words * sizeof *from, error);
}

mass_status mass_domain_write_tallies(mass_domain *d, const int64_t *accumulators, mass_error *error)
{
    const size_t bytes = (size_t)d->model->tally_words * (size_t)d->share.worlds * sizeof *accumulators;
    mass_comm *comm = d->share.comm;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_WRITE_TALLIES, NULL, 0, error);
    if (status != MASS_OK) return status;
    int64_t *scratch = comm->rank > 0 ? malloc(bytes + 1) : NULL;
    int64_t *values = comm->rank > 0 ? scratch : (int64_t *)(uintptr_t)accumulators;
    if (!values) status = mass_error_memory(error, bytes, "tallies");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && (d->share.by_world || mass_model_keeps(d->model)))
        status = mass_transfer_to_all(comm, values, bytes, error);
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++)
        status = upload_share(d, i, values, error);
    free(scratch);
    return mass_rpc_agree(comm, status, error);
}

/* ---- exact sums ---- */

/* Returns whether a tally is cumulative and an exact sum. */
static bool goes_on(const mass_tally_def *t) { return t->cumulative && mass_tally_is_exact(t); }

mass_status mass_domain_carry_sums(mass_domain *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < d->model->tally_count; i++)
        for (int32_t w = 0; status == MASS_OK && goes_on(&d->model->tallies[i]) && w < d->worlds; w++) {
            int64_t words[MASS_EXACT_WORDS];
            const mass_buffer at = mass_buffer_from(mass_domain_tally(d, i), (size_t)w * sizeof words);
            status = mass_buffer_download(at, words, sizeof words, error);
            mass_exact_normalise(words);
            if (status == MASS_OK) status = mass_buffer_upload(at, words, sizeof words, error);
        }
    return status;
}

uint64_t mass_domain_steps_to_carry(const mass_domain *d)
{
    const mass_model *m = d->model;
    /* 64: a place or agent may ADD several times in a step, and a recording may run some steps too far. */
    const double fit = 0x1p35 / 64;
    double most = 1;
    bool any = false;
    for (uint32_t i = 0; i < m->tally_count; i++) any |= goes_on(&m->tallies[i]);
    for (uint32_t s = 0; s < m->space_count; s++)
        most = fmax(most, (double)mass_space_places(&m->spaces[s]));
    for (uint32_t p = 0; p < m->population_count; p++) most = fmax(most, d->populations[p].room);
    return !any ? 0 : fit / most < 1 ? 1 : (uint64_t)(fit / most);
}
