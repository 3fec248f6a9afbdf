/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the tallies of a checkpoint: accumulators and values, or counts by key. */
#include "io/checkpoint/writer.h"
#include "snapshot/state_hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Closes an HDF5 object; a failure marks the writer. */
static void done(mass_checkpoint_writer *w, hid_t id, herr_t (*close_id)(hid_t))
{
    mass_hdf5_done(&w->out, id, close_id);
}

/* Writes one number as an HDF5 attribute. */
static void put_u64(mass_checkpoint_writer *w, hid_t at, const char *name, uint64_t value)
{
    mass_hdf5_put_u64(&w->out, at, name, value);
}

/* Writes one text as an HDF5 attribute. */
static void put_text(mass_checkpoint_writer *w, hid_t at, const char *name, const char *text)
{
    mass_hdf5_put_text(&w->out, at, name, text);
}

/* Writes a tally's values as doubles, from its accumulators; NaN if the step has none. For readers of the file. */
static void put_values(mass_checkpoint_writer *w, hid_t group, const mass_tally_def *t, const int64_t *accumulators)
{
    const mass_checkpoint_shape shape = mass_checkpoint_tally_shape(w->snapshot->worlds, "bin", t->bins);
    const size_t each = mass_tally_values(t), count = (size_t)w->snapshot->worlds * each;
    double *values = malloc(count * sizeof *values);
    if (!values) {
        mass_hdf5_failed(&w->out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        values[i] = mass_tally_is_unknown(t, w->snapshot->step)
                        ? NAN : mass_tally_value(t, accumulators + i / each * t->words + i % each);
    done(w, mass_checkpoint_put_data(w, group, "value", H5T_IEEE_F64LE, &shape, values), H5Dclose);
    free(values);
}

/* Writes one array of all worlds' lists, of `count` elements of `size` bytes, and frees it, also on failure. */
static void put_list(mass_checkpoint_writer *w, hid_t group, const char *name, hid_t type, size_t size, uint64_t count,
                     const char *axis, void *data)
{
    const mass_checkpoint_shape shape = mass_checkpoint_keys_shape(axis, count, size);
    done(w, mass_checkpoint_put_data(w, group, name, type, &shape, data), H5Dclose);
    free(data);
}

/* Writes the keys of all worlds, in ascending order within each, and their counts, as lists in `group`. A failure is
 * noted in w->out. */
static void put_keys(mass_checkpoint_writer *w, hid_t group, const mass_tally_def *t, const mass_key_list *lists)
{
    const size_t worlds = (size_t)w->snapshot->worlds;
    uint64_t entries = 0, bytes = 0, total = 0, at = 0, byte = 0;
    for (size_t i = 0; i < worlds; i++) {
        entries += lists[i].count;
        bytes += mass_key_list_bytes(&lists[i]);
        total += (uint64_t)mass_key_list_total(&lists[i]);
    }
    uint64_t *distinct = calloc(worlds, sizeof *distinct), *keys = calloc(entries + 1, sizeof *keys);
    int64_t *counts = calloc(entries + 1, sizeof *counts);
    uint8_t *text = calloc(bytes + 1, 1);
    if (!distinct || !keys || !counts || !text) mass_hdf5_failed(&w->out);
    for (size_t i = 0; !w->out.failed && i < worlds; i++) {
        distinct[i] = lists[i].count;
        for (uint64_t k = 0; k < lists[i].count; k++, at++) {
            keys[at] = lists[i].keys[k] + (lists[i].texts ? byte : 0);
            counts[at] = lists[i].counts[k];
        }
        const uint64_t own = mass_key_list_bytes(&lists[i]);
        if (own) memcpy(text + byte, lists[i].bytes, own);
        byte += own;
    }
    const bool texts = t->keys == MASS_KEYS_TEXTS;
    put_u64(w, group, "entries", entries);
    put_u64(w, group, "bytes", bytes);
    put_u64(w, group, "total", total);
    put_list(w, group, "distinct", H5T_STD_U64LE, sizeof *distinct, worlds, "world", distinct);
    put_list(w, group, texts ? "end" : "key", H5T_STD_U64LE, sizeof *keys, entries, "key", keys);
    put_list(w, group, "count", H5T_STD_I64LE, sizeof *counts, entries, "key", counts);
    if (texts) put_list(w, group, "text", H5T_STD_U8LE, 1, bytes, "byte", text);
    else free(text);
}

/* Writes a tally's group: its form, hash, and accumulators and values, or keys. Sets w->tally_hashes[index]. */
static void put_tally(mass_checkpoint_writer *w, hid_t tallies, uint32_t index)
{
    const mass_tally_def *t = &w->snapshot->model->tallies[index];
    const int64_t *accumulators = w->snapshot->tallies + mass_tally_at(t, w->snapshot->worlds, 0);
    const mass_checkpoint_shape shape = mass_checkpoint_tally_shape(w->snapshot->worlds, "word", t->words);
    const hid_t group = mass_checkpoint_make_group(w, tallies, t->name);
    char hex[33];
    put_text(w, group, "kind", mass_checkpoint_tally_kinds[t->kind]);
    put_text(w, group, "op", mass_tally_operation_of(t->access)->name);
    put_u64(w, group, "fraction_bits", t->fraction_bits);
    put_u64(w, group, "cumulative", t->cumulative);
    if (t->bins) put_u64(w, group, "bins", t->bins);
    if (t->keys) put_text(w, group, "keys", mass_checkpoint_key_kinds[t->keys]);
    if (t->low < t->high) mass_hdf5_put(&w->out, group, "low", H5T_IEEE_F64LE, 0, &t->low);
    if (t->low < t->high) mass_hdf5_put(&w->out, group, "high", H5T_IEEE_F64LE, 0, &t->high);
    mass_checkpoint_put_note(w, group, "unit", t->unit);
    mass_checkpoint_put_note(w, group, "help", t->help);
    mass_snapshot_hash_tally(w->snapshot, index, w->tally_hashes[index]);
    mass_hash_format(w->tally_hashes[index], hex);
    put_text(w, group, "hash", hex);
    if (t->keys) put_keys(w, group, t, w->snapshot->keys + (size_t)index * (size_t)w->snapshot->worlds);
    else {
        done(w, mass_checkpoint_put_data(w, group, "accumulator", H5T_STD_I64LE, &shape, accumulators), H5Dclose);
        put_values(w, group, t, accumulators);
    }
    done(w, group, H5Gclose);
}

/* Returns how many tallies a checkpoint holds: all that are not reduced. */
static uint32_t stored_tallies(const mass_model *m)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->tally_count; i++) count += !m->tallies[i].reduced;
    return count;
}

void mass_checkpoint_put_tallies(mass_checkpoint_writer *w)
{
    const mass_model *m = w->snapshot->model;
    const hid_t tallies = mass_checkpoint_make_large_group(w, w->out.file, "tallies", stored_tallies(m));
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].reduced) put_tally(w, tallies, i);
    done(w, tallies, H5Gclose);
}
