/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/parts.h"
#include "snapshot/hash.h"
#include "snapshot/snapshot.h"

#include "comm/watch.h"
#include "snapshot/state_hash.h"
#include "ranks/transfer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define check(W, RESULT) mass_hdf5_check((W), (RESULT))

/* ---- a part ---- */

/* Returns the bytes of this rank's own elements of all stored attributes. */
static size_t own_bytes(const mass_domain *d)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < d->model->attribute_count; i++)
        if (!d->model->attributes[i].streamed)
            bytes += mass_chunks_own_count(d, i) * mass_element_size(&d->model->attributes[i]);
    return bytes;
}

/* Writes an attribute's path in the file of a part. */
static void path_of(const mass_model *m, const mass_attribute_def *a, char path[2 * MASS_NAME_SIZE + 16])
{
    snprintf(path, 2 * MASS_NAME_SIZE + 16, "/%s/%s/%s", a->population >= 0 ? "agents" : "places",
             mass_owner_name(m, a), a->name);
}

/* Creates a contiguous data set for an attribute of this rank, unfilled, whose offset in the file is fixed at once.
 * The caller closes it; -1: writing has failed. */
static hid_t make_set(mass_hdf5_writer *w, const mass_domain *d, uint32_t attribute)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const hsize_t extent[2] = {mass_chunks_own_count(d, attribute), a->length};
    char path[2 * MASS_NAME_SIZE + 16];
    path_of(d->model, a, path);
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE)), links = check(w, H5Pcreate(H5P_LINK_CREATE));
    check(w, H5Pset_create_intermediate_group(links, 1));
    check(w, H5Pset_layout(list, H5D_CONTIGUOUS));
    check(w, H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
    check(w, H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
    check(w, H5Pset_obj_track_times(list, 0));
    const hid_t space = check(w, H5Screate_simple(2, extent, NULL)), type = check(w, mass_checkpoint_component_type(a));
    const hid_t set = w->failed ? -1 : check(w, H5Dcreate2(w->file, path, type, space, links, list, H5P_DEFAULT));
    mass_hdf5_done(w, type, H5Tclose);
    mass_hdf5_done(w, space, H5Sclose);
    mass_hdf5_done(w, links, H5Pclose);
    mass_hdf5_done(w, list, H5Pclose);
    return set;
}

/* Writes `count` elements from number `first` on to a set of a part. On failure marks the writer. */
static void write_rows(mass_hdf5_writer *w, hid_t set, const mass_attribute_def *a, uint64_t first, uint64_t count,
                       const void *values)
{
    const hsize_t start[2] = {first, 0}, extent[2] = {count, a->length};
    const hid_t type = check(w, mass_checkpoint_component_type(a));
    const hid_t memory = check(w, H5Screate_simple(2, extent, NULL));
    const hid_t space = check(w, H5Dget_space(set));
    check(w, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL));
    if (!w->failed) check(w, H5Dwrite(set, type, memory, space, H5P_DEFAULT, values));
    mass_hdf5_done(w, space, H5Sclose);
    mass_hdf5_done(w, memory, H5Sclose);
    mass_hdf5_done(w, type, H5Tclose);
}

/* Writes this rank's values of an attribute in chunks, and adds them to the hash. A failed write marks w only. */
static mass_status put_rows(mass_hdf5_writer *w, hid_t set, mass_domain *d, uint32_t attribute, mass_bytes_hash *h,
                            mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const size_t size = mass_element_size(a);
    const uint64_t count = mass_chunks_own_count(d, attribute), most = mass_transfer_elements(size);
    char *chunk = malloc((most < count ? most : count) * size + 1);
    mass_status status = chunk ? MASS_OK : mass_error_memory(error, most * size, "a part of a checkpoint");
    for (uint64_t first = 0; status == MASS_OK && !w->failed && first < count; first += most) {
        const uint64_t some = count - first < most ? count - first : most;
        status = mass_chunks_read_own(d, attribute, first, some, chunk, error);
        if (status != MASS_OK) break;
        mass_bytes_hash_add(h, chunk, some * size);
        write_rows(w, set, a, first, some, chunk);
    }
    free(chunk);
    return status;
}

/* Writes this rank's values of an attribute. words, [MASS_PART_WORDS]: gets their offset, if there are any, and
 * their hash. */
static mass_status put_own(mass_hdf5_writer *w, mass_domain *d, uint32_t attribute, uint64_t *words, mass_error *error)
{
    uint8_t hash[16];
    mass_bytes_hash h;
    mass_status status = MASS_OK;
    mass_bytes_hash_begin(&h, MASS_STATE_HASH_VERSION);
    if (mass_chunks_own_count(d, attribute) > 0) {
        const hid_t set = make_set(w, d, attribute);
        const haddr_t at = w->failed ? HADDR_UNDEF : H5Dget_offset(set);
        if (at == HADDR_UNDEF) check(w, -1);
        else status = put_rows(w, set, d, attribute, &h, error);
        words[0] = at;
        mass_hdf5_done(w, set, H5Dclose);
    }
    mass_bytes_hash_end(&h, hash);
    memcpy(words + 1, hash, sizeof hash);
    return status;
}

mass_status mass_parts_write_own(mass_domain *d, const mass_part_order *order, uint64_t *table, mass_error *error)
{
    char path[PATH_MAX], temporary[PATH_MAX];
    const int32_t rank = d->share.comm->rank;
    mass_hdf5_writer w = {.file = -1};
    mass_status status = MASS_OK;
    if (!mass_part_name(order->folder, order->step, order->token, rank, path) ||
        !mass_part_temporary_name(order->folder, order->identity, order->writer, rank, temporary))
        return mass_error_set(error, MASS_BAD_USAGE, "the checkpoint folder's path is too long: give a shorter one");
    if (order->remove) {
        unlink(path);
        return MASS_OK;
    }
    const char *other = mass_comm_watch_writes(path);
    mass_hdf5_create(&w, temporary, own_bytes(d));
    if (!w.failed) {
        mass_hdf5_put_text(&w, w.file, "format", MASS_PART_FORMAT_NAME);
        mass_hdf5_put_text(&w, w.file, "parts", order->token);
        if (order->identity[0]) mass_hdf5_put_text(&w, w.file, "identity", order->identity);
    }
    for (uint32_t i = 0; status == MASS_OK && !w.failed && i < d->model->attribute_count; i++)
        if (!d->model->attributes[i].streamed)
            status = put_own(&w, d, i, table + (size_t)i * MASS_PART_WORDS, error);
    if (w.file >= 0) mass_hdf5_close(&w);
    if (status == MASS_OK) mass_hdf5_publish(&w, temporary, path, order->folder, NULL);
    if (status == MASS_OK && w.failed)
        status = mass_error_set(error, MASS_FAILED, "cannot write its part %s: %s", path, w.reason);
    if (status != MASS_OK) unlink(w.named ? path : temporary);
    mass_comm_watch_writes(other);
    return status;
}

/* ---- the master ---- */

/* Returns how many ranks wrote a part each. */
static int32_t ranks_of(const mass_parts_written *p) { return p->domain->share.comm->size; }

/* Selects elements [first, first + count) of the shape as one box: they have to be whole layers along one axis. */
static void choose(mass_hdf5_writer *w, hid_t space, const mass_checkpoint_shape *s, uint32_t length, uint64_t first,
                   uint64_t count)
{
    hsize_t start[5] = {0}, extent[5], stride = 1;
    uint64_t at = first * length, left = count * length;
    int axis = s->rank - 1;
    while (axis > 0 && at % (stride * s->extent[axis]) == 0 && left % (stride * s->extent[axis]) == 0)
        stride *= s->extent[axis--];
    for (int i = 0; i < s->rank; i++) extent[i] = i > axis ? s->extent[i] : 1;
    extent[axis] = left / stride;
    at /= stride;
    for (int i = axis; i >= 0; at /= s->extent[i--]) start[i] = at % s->extent[i];
    check(w, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL));
}

/* Maps a rank's elements of a group, from range[1] on, to those of the whole from range[0] on; range[2]: how many.
 * rank_total: elements of the rank in all groups. */
static void map(mass_hdf5_writer *w, hid_t list, hid_t space, const mass_parts_written *p, const mass_snapshot *s,
                uint32_t attribute, int32_t rank, const uint64_t range[3], uint64_t rank_total)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    const mass_checkpoint_shape shape = mass_checkpoint_attribute_shape(s->model, a, s->worlds, s->agents);
    const hsize_t all[2] = {rank_total, a->length}, start[2] = {range[1], 0}, count[2] = {range[2], a->length};
    const hid_t from = check(w, H5Screate_simple(2, all, NULL));
    char name[PATH_MAX], path[2 * MASS_NAME_SIZE + 16];
    mass_part_name(".", p->step, p->token, rank, name);
    path_of(s->model, a, path);
    choose(w, space, &shape, a->length, range[0], range[2]);
    check(w, H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL));
    check(w, H5Pset_virtual(list, space, name + 2, path, from)); /* + 2 skips "./" */
    mass_hdf5_done(w, from, H5Sclose);
}

/* Returns each rank's total of elements, then a zero for each rank. The caller frees it; NULL: no memory. */
static uint64_t *total_of_ranks(const mass_parts_written *p, uint32_t attribute)
{
    int32_t groups;
    const uint64_t *counts = mass_chunks_counts(p->domain, attribute, &groups);
    uint64_t *totals = calloc(2 * (size_t)ranks_of(p), sizeof *totals); /* second half: how many are mapped */
    for (int32_t i = 0; totals && i < groups * ranks_of(p); i++) totals[i % ranks_of(p)] += counts[i];
    return totals;
}

/* Maps each world's and rank's elements to the rank's part, in the order of the state, into the virtual set's list. */
static void map_all(mass_hdf5_writer *w, hid_t list, hid_t space, const mass_parts_written *p, const mass_snapshot *s,
                    uint32_t attribute)
{
    int32_t groups;
    const int32_t ranks = ranks_of(p);
    const uint64_t *counts = mass_chunks_counts(p->domain, attribute, &groups);
    uint64_t *totals = total_of_ranks(p, attribute), at = 0;
    if (!totals) mass_hdf5_failed(w);
    for (int32_t i = 0; !w->failed && i < groups * ranks; i++) {
        const int32_t rank = i % ranks;
        const uint64_t range[3] = {at, totals[ranks + rank], counts[i]};
        if (counts[i]) map(w, list, space, p, s, attribute, rank, range, totals[rank]);
        totals[ranks + rank] += counts[i];
        at += counts[i];
    }
    free(totals);
}

/* Writes the offsets and hashes that this program's reader uses. */
static void put_table(mass_hdf5_writer *w, hid_t set, const mass_parts_written *p, uint32_t attribute)
{
    const size_t ranks = (size_t)ranks_of(p), attributes = p->domain->model->attribute_count;
    uint64_t *offsets = calloc(3 * ranks, sizeof *offsets), *hashes = offsets + ranks;
    if (!offsets) mass_hdf5_failed(w);
    for (size_t r = 0; offsets && r < ranks; r++) {
        const uint64_t *words = p->tables + (r * attributes + attribute) * MASS_PART_WORDS;
        offsets[r] = words[0];
        memcpy(hashes + 2 * r, words + 1, 2 * sizeof *hashes);
    }
    if (offsets) {
        mass_hdf5_put(w, set, "offsets", H5T_STD_U64LE, ranks, offsets);
        mass_hdf5_put(w, set, "part_hashes", H5T_STD_U64LE, 2 * ranks, hashes);
    }
    free(offsets);
}

hid_t mass_parts_put_set(mass_hdf5_writer *w, hid_t group, const mass_parts_written *p, const mass_snapshot *s,
                         uint32_t attribute)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    const mass_checkpoint_shape shape = mass_checkpoint_attribute_shape(s->model, a, s->worlds, s->agents);
    hsize_t extent[5];
    for (int i = 0; i < shape.rank; i++) extent[i] = shape.extent[i];
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE)), type = check(w, mass_checkpoint_component_type(a));
    const hid_t space = check(w, H5Screate_simple(shape.rank, extent, NULL));
    check(w, H5Pset_attr_phase_change(list, 65535, 0));
    check(w, H5Pset_obj_track_times(list, 0));
    check(w, H5Pset_layout(list, H5D_VIRTUAL));
    if (!w->failed) map_all(w, list, space, p, s, attribute);
    const hid_t whole = check(w, H5Screate_simple(shape.rank, extent, NULL));
    const hid_t set =
        w->failed ? -1 : check(w, H5Dcreate2(group, a->name, type, whole, H5P_DEFAULT, list, H5P_DEFAULT));
    if (!w->failed) put_table(w, set, p, attribute);
    mass_hdf5_done(w, whole, H5Sclose);
    mass_hdf5_done(w, space, H5Sclose);
    mass_hdf5_done(w, type, H5Tclose);
    mass_hdf5_done(w, list, H5Pclose);
    return set;
}

void mass_parts_put_facts(mass_hdf5_writer *w, const mass_parts_written *p)
{
    int32_t groups = 1;
    mass_hdf5_put_text(w, w->file, "parts", p->token);
    mass_hdf5_put_u64(w, w->file, "ranks", (uint64_t)ranks_of(p));
    if (p->domain->model->attribute_count) mass_chunks_counts(p->domain, 0, &groups);
    mass_hdf5_put_u64(w, w->file, "groups", (uint64_t)groups);
}

/* Writes the counts of an attribute's owner, unless they are there. */
static void put_counts_of(mass_hdf5_writer *w, const mass_parts_written *p, const mass_model *m, uint32_t attribute)
{
    const mass_attribute_def *a = &m->attributes[attribute];
    char path[MASS_NAME_SIZE + 32];
    int32_t groups;
    const uint64_t *counts = mass_chunks_counts(p->domain, attribute, &groups);
    const uint64_t extent = (uint64_t)groups * (uint64_t)ranks_of(p);
    snprintf(path, sizeof path, "/parts/%s.%s", mass_parts_kind(a), mass_owner_name(m, a));
    if (H5Lexists(w->file, "/parts", H5P_DEFAULT) > 0 && H5Lexists(w->file, path, H5P_DEFAULT) > 0) return;
    mass_hdf5_done(w, mass_hdf5_put_data(w, path, MASS_U64, 1, &extent, counts), H5Dclose);
}

void mass_parts_put_counts(mass_hdf5_writer *w, const mass_parts_written *p, const mass_model *m)
{
    for (uint32_t i = 0; !w->failed && i < m->attribute_count; i++)
        if (!m->attributes[i].streamed) put_counts_of(w, p, m, i);
}

/* ---- the checkpoint ---- */

/* Checks that rank 0 sees the parts of all ranks. */
static mass_status check_seen(const mass_part_order *order, int32_t ranks, mass_error *error)
{
    char path[PATH_MAX];
    for (int32_t r = 0; r < ranks; r++)
        if (!mass_part_name(order->folder, order->step, order->token, r, path) || access(path, R_OK) != 0)
            return mass_error_set(error, MASS_BAD_USAGE, "rank 0 does not see %s, which rank %d has written: "
                                  "--checkpoint-parts is for a folder that all ranks share", path, r);
    return MASS_OK;
}

/* Makes the order to write a set of parts, with a new token of this process. Writes nothing. */
static mass_status make_order(const mass_checkpoint_settings *settings, uint64_t step, mass_part_order *out,
                              mass_error *error)
{
    static uint64_t sets;
    *out = (mass_part_order){.step = step};
    if (!realpath(settings->folder, out->folder))
        return mass_error_set(error, MASS_FAILED, "%s: %s", settings->folder, strerror(errno));
    snprintf(out->token, sizeof out->token, "%.16s%016" PRIx64, mass_writer(), ++sets);
    snprintf(out->identity, sizeof out->identity, "%s", settings->owner ? settings->owner->facts.identity : "");
    snprintf(out->writer, sizeof out->writer, "%s", mass_writer());
    return MASS_OK;
}

/* Rank 0: has all ranks write their parts and hash the attributes that have none, then writes the master. On
 * failure, has the ranks remove parts that no master names. */
static mass_status write_all(const mass_checkpoint_settings *settings, mass_domain *d, const mass_snapshot *s,
                             mass_parts_written *p, uint8_t (*hashes)[16], uint64_t *tables, char path[PATH_MAX],
                             mass_error *error)
{
    mass_part_order order;
    mass_checkpoint_settings with = *settings;
    mass_status status = make_order(settings, s->step, &order, error);
    if (status == MASS_OK) status = mass_chunks_write_parts(d, &order, tables, error);
    if (status == MASS_OK) status = check_seen(&order, d->share.comm->size, error);
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++)
        if (!d->model->attributes[i].streamed) status = mass_domain_hash_attribute(d, i, hashes[i], error);
    *p = (mass_parts_written){d, order.token, s->step, tables, (const uint8_t(*)[16])hashes};
    with.parts = p;
    if (status == MASS_OK) status = mass_checkpoint_write(&with, s, path, error);
    mass_error ignored = {0};
    order.remove = true; /* unless a complete checkpoint names the parts: only the sync of its folder failed */
    if (status != MASS_OK && mass_part_is_orphan(order.folder, s->step, order.token))
        mass_chunks_write_parts(d, &order, tables, &ignored);
    return status;
}

mass_status mass_parts_write(const mass_checkpoint_settings *settings, mass_domain *d, const mass_snapshot *s,
                             char path[PATH_MAX], mass_error *error)
{
    const size_t attributes = d->model->attribute_count, ranks = (size_t)d->share.comm->size;
    uint8_t(*hashes)[16] = calloc(attributes + 1, sizeof *hashes);
    uint64_t *tables = calloc(ranks * attributes * MASS_PART_WORDS + 1, sizeof *tables);
    mass_parts_written p;
    mass_status status = MASS_OK;
    mass_error ignored = {0};
    if (ranks > MASS_PARTS_MAX)
        status = mass_error_set(error, MASS_BAD_USAGE, "--checkpoint-parts is for at most %d ranks", MASS_PARTS_MAX);
    else if (!hashes || !tables) status = mass_error_memory(error, ranks * attributes * 24, "a checkpoint");
    if (status == MASS_OK && !s->source) status = mass_chunks_begin(d, MASS_CHUNKS_LIVE, error);
    if (status == MASS_OK) status = write_all(settings, d, s, &p, hashes, tables, path, error);
    if (!s->source) mass_chunks_end(d, &ignored);
    free(hashes);
    free(tables);
    return status;
}
