/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the tallies of a checkpoint: declares them in its model, and checks their data sets. A function that returns
 * bool, and says no more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/reader.h"

#include <stdio.h>
#include <string.h>

/* Reads how a tally is declared and adds it to the checkpoint's model. A population's id counter is only checked. */
static bool declare_tally(mass_reader *r, hid_t group, const char *name)
{
    char kind[16], op[16], keys[16] = "";
    uint64_t fraction_bits, cumulative, bins = 0;
    bool has_bins, has_keys;
    mass_tally t = {.struct_size = sizeof t, .name = name};
    mass_error why = {0};
    if (!mass_reader_text(r, group, "kind", kind, sizeof kind) ||
        !mass_reader_text(r, group, "op", op, sizeof op) ||
        !mass_reader_u64(r, group, "fraction_bits", 62, &fraction_bits) ||
        !mass_reader_u64(r, group, "cumulative", 1, &cumulative) ||
        !mass_reader_has_value(r, group, "bins", &has_bins) || !mass_reader_has_value(r, group, "keys", &has_keys) ||
        (has_bins && !mass_reader_u64(r, group, "bins", MASS_BINS_MAX, &bins)) ||
        (has_keys && !mass_reader_text(r, group, "keys", keys, sizeof keys)))
        return false;
    const mass_tally_operation *operation = mass_tally_operation_named(op);
    if (!operation || !mass_reader_find_word(kind, mass_checkpoint_tally_kinds, 3, &t.kind) ||
        !mass_reader_find_word(keys, mass_checkpoint_key_kinds, 3, &t.keys))
        return mass_reader_damaged(r, "tally '%s' is of unknown kind '%s' and '%s'", name, kind, op);
    t.access = operation->operation;
    t.bins = (uint32_t)bins;
    t.fraction_bits = (uint32_t)fraction_bits;
    t.cumulative = (uint32_t)cumulative;
    if (t.access == MASS_OF_WORLD && cumulative == 1) { /* as it is declared: with a length, and always cumulative */
        t.length = bins;
        t.bins = t.cumulative = 0;
    }
    const int known = mass_model_find_tally(&r->c->model, name);
    if (known >= 0 && r->c->model.tallies[known].hidden)
        return (t.access == MASS_SUM && t.kind == MASS_TALLY_INTEGER && cumulative && !fraction_bits) ||
               mass_reader_damaged(r, "tally '%s' does not count ids", name);
    return mass_model_add_tally(&r->c->model, &t, &why) == MASS_OK || mass_reader_refused(r, &why);
}

/* Checks the type, extents and layout of a tally's set; reads no values. */
static bool check_numbers(mass_reader *r, hid_t group, const char *name, hid_t type, const mass_checkpoint_shape *shape)
{
    const hid_t set = mass_reader_set(r, group, name);
    if (set < 0) return false;
    const bool good = mass_reader_check_type(r, set, type, name) && mass_reader_check_extents(r, set, shape, name) &&
                      mass_reader_check_layout(r, set, shape, sizeof(int64_t), name);
    H5Dclose(set);
    return good;
}

/* Checks the form of a data set of r->tally, which has no keys. Refuses one that is neither accumulator nor value. */
static bool check_tally_part(mass_reader *r, hid_t group, const char *name)
{
    const mass_tally_def *t = &r->c->model.tallies[r->tally];
    const mass_checkpoint_shape words = mass_checkpoint_tally_shape(r->c->worlds, "word", t->words),
                                bins = mass_checkpoint_tally_shape(r->c->worlds, "bin", t->bins);
    if (strcmp(name, "accumulator") == 0) return check_numbers(r, group, name, H5T_STD_I64LE, &words);
    if (strcmp(name, "value") == 0) return check_numbers(r, group, name, H5T_IEEE_F64LE, &bins);
    return mass_reader_damaged(r, "it holds an unknown '%s' of a tally", name);
}

/* Adds a tally to the checkpoint's model, keeps its place and hash, and checks its parts' form. Sets r->tally. */
static bool open_tally(mass_reader *r, hid_t tallies, const char *name)
{
    const hid_t group = mass_reader_group(r, tallies, name);
    if (group < 0) return false;
    bool good = declare_tally(r, group, name);
    r->tally = good ? (uint32_t)mass_model_find_tally(&r->c->model, name) : 0;
    good = good && mass_reader_keep_place(r, group, &r->c->tally_places, r->c->model.tally_count, r->tally);
    if (good && r->c->hash_version > 1)
        good = mass_reader_keep_hash(r, group, &r->c->tally_hashes, r->c->model.tally_count, r->tally);
    const mass_tally_def *t = good ? &r->c->model.tallies[r->tally] : NULL;
    good = good && mass_reader_walk(r, tallies, name, t->keys ? mass_reader_check_keys : check_tally_part);
    if (good && (t->keys ? !mass_reader_keys_whole(group, t)
                         : H5Lexists(group, "value", H5P_DEFAULT) <= 0 ||
                               H5Lexists(group, "accumulator", H5P_DEFAULT) <= 0))
        good = mass_reader_damaged(r, "tally '%s' is not whole", name);
    H5Gclose(group);
    return good;
}

/* Adds all tallies to the checkpoint's model. Every population has to have its id counter. */
bool mass_reader_open_tallies(mass_reader *r)
{
    const mass_model *m = &r->c->model;
    if (!mass_reader_walk(r, r->c->file, "tallies", open_tally)) return false;
    for (uint32_t i = 0; i < m->population_count; i++) {
        char name[MASS_NAME_SIZE + 16];
        snprintf(name, sizeof name, "tallies/%s", m->tallies[m->populations[i].next_id].name);
        if (H5Lexists(r->c->file, name, H5P_DEFAULT) <= 0)
            return mass_reader_damaged(r, "it has no '/%s'", name);
    }
    return true;
}
