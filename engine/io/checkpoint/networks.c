/* SPDX-License-Identifier: Apache-2.0 */
/* The names of nodes in a checkpoint, for those who read it. A resumed run reads them from the network's file again, so
 * they are only checked here. A function that returns bool, and says no more, returns false at the first fault, with
 * the reader's error set. */
#include "io/checkpoint/reader.h"
#include "io/checkpoint/writer.h"
#include "model/network.h"
#include "snapshot/state_hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

/* Returns the names in a row, each of `size` bytes with zeros at its end; no name may be longer. The caller frees them;
 * NULL: no memory. */
static char *padded(const mass_node_names *names, size_t size)
{
    char *const all = calloc((size_t)names->count + 1, size);
    for (uint32_t i = 0; all && i < names->count; i++) {
        const char *const name = mass_node_name(names, i);
        memcpy(all + i * size, name, strlen(name));
    }
    return all;
}

/* Writes the names of a network's nodes, all in as many bytes as the longest needs, and their hash. */
static void put_names(mass_checkpoint_writer *w, hid_t group, const mass_node_names *names)
{
    size_t size = 1;
    char hex[33];
    for (uint32_t i = 0; i < names->count; i++)
        if (strlen(mass_node_name(names, i)) >= size) size = strlen(mass_node_name(names, i)) + 1;
    char *const all = padded(names, size);
    if (!all) {
        mass_hdf5_failed(&w->out);
        return;
    }
    const mass_checkpoint_shape shape = mass_checkpoint_keys_shape("node", names->count, size);
    const hid_t type = mass_hdf5_check(&w->out, mass_checkpoint_swept_type(MASS_CHOICE, size));
    const hid_t set = mass_checkpoint_put_data(w, group, "names", type, &shape, all);
    mass_checkpoint_hash_bytes(all, names->count * size, hex);
    mass_hdf5_put_u64(&w->out, set, "bytes", size);
    mass_hdf5_put_text(&w->out, set, "hash", hex);
    mass_hdf5_done(&w->out, set, H5Dclose);
    mass_hdf5_done(&w->out, type, H5Tclose);
    free(all);
}

void mass_checkpoint_put_networks(mass_checkpoint_writer *w)
{
    const mass_model *const m = w->snapshot->model;
    uint32_t named = 0;
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) named += m->networks->list[i].names.count > 0;
    if (!named) return;
    const hid_t all = mass_checkpoint_make_group(w, w->out.file, "networks");
    for (uint32_t i = 0; i < m->networks->count; i++) {
        const mass_network_def *const n = &m->networks->list[i];
        if (!n->names.count) continue;
        const hid_t group = mass_checkpoint_make_group(w, all, m->spaces[n->space].name);
        put_names(w, group, &n->names);
        mass_hdf5_done(&w->out, group, H5Gclose);
    }
    mass_hdf5_done(&w->out, all, H5Gclose);
}

/* ---- reading ---- */

/* Compares the hash of all names with the one that was written. */
static bool hash_names(mass_reader *r, mass_column *names)
{
    enum { MOST = 1 << 16 };
    uint8_t hash[16];
    char said[33], found[33];
    mass_bytes_hash h;
    if (!mass_reader_hash(r, names->set, "hash", said)) return false;
    const uint64_t most = MOST / names->size;
    char *const some = malloc(MOST);
    if (!some) return mass_reader_no_memory(r, MOST);
    bool good = true;
    mass_bytes_hash_begin(&h, 1);
    for (uint64_t at = 0, count; good && at < names->count; at += count) {
        count = names->count - at < most ? names->count - at : most;
        good = mass_column_read(names, at, count, some);
        if (good) mass_bytes_hash_add(&h, some, count * names->size);
    }
    mass_bytes_hash_end(&h, hash);
    mass_hash_format(hash, found);
    free(some);
    return good && (strcmp(said, found) == 0 || mass_reader_damaged(r, "its names of nodes are not those written"));
}

/* Checks the names of a network, of `bytes` bytes each: their number, form and hash. Keeps none. */
static bool check_names(mass_reader *r, hid_t group, uint64_t bytes)
{
    mass_column column = {0};
    const hid_t type = mass_checkpoint_swept_type(MASS_CHOICE, bytes);
    if (type < 0) return mass_reader_no_memory(r, bytes);
    bool good = mass_column_begin(r, group, "names", type, &column);
    if (good) {
        const mass_checkpoint_shape shape = mass_checkpoint_keys_shape("node", column.count, bytes);
        good = (column.count <= MASS_NODES_MOST || mass_reader_damaged(r, "a network has too many names")) &&
               mass_reader_check_type(r, column.set, type, "names") &&
               mass_reader_check_extents(r, column.set, &shape, "names") &&
               mass_reader_check_layout(r, column.set, &shape, bytes, "names") && hash_names(r, &column);
    }
    mass_column_end(&column);
    H5Tclose(type);
    return good;
}

/* Refuses any object of a network but its names, and checks these. */
static bool check_link(mass_reader *r, hid_t group, const char *name)
{
    uint64_t bytes;
    if (strcmp(name, "names") != 0) return mass_reader_damaged(r, "it holds an unknown '%s' of a network", name);
    const hid_t set = mass_reader_set(r, group, name);
    if (set < 0) return false;
    const bool sized = mass_reader_u64(r, set, "bytes", MASS_NODE_NAME_MOST + 1, &bytes);
    H5Dclose(set);
    if (!sized) return false;
    return bytes > 0 ? check_names(r, group, bytes) : mass_reader_damaged(r, "names of nodes have no bytes");
}

/* Checks one network, whose space is in the checkpoint. */
static bool check_network(mass_reader *r, hid_t networks, const char *name)
{
    if (mass_model_find_space(&r->c->model, name) < 0)
        return mass_reader_damaged(r, "it has a network '%s' and no such space", name);
    return mass_reader_walk(r, networks, name, check_link);
}

bool mass_reader_networks(mass_reader *r)
{
    bool has;
    if (!mass_reader_has_link(r, r->c->file, "networks", &has)) return false;
    return !has || mass_reader_walk(r, r->c->file, "networks", check_network);
}
