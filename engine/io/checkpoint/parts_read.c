/* SPDX-License-Identifier: Apache-2.0 */
/* Reads checkpoints in parts (parts.h): the data about parts in the master, and values from the parts, which it checks
 * against their hashes. A function that returns bool, and says no more, returns false at the first fault, with the
 * reader's error set. */
#include "io/checkpoint/parts.h"

#include "base/identity.h"
#include "snapshot/state_hash.h"
#include "io/checkpoint/parts_repacked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20 };
enum { OF_BITS = MASS_SPACES_MAX + MASS_POPULATIONS_MAX, OWNERS = OF_BITS + MASS_SPACES_MAX };

typedef struct mass_parts {
    char token[33];
    uint64_t ranks, groups;
    uint64_t *counts[OWNERS]; /* [groups * ranks], of spaces, then of populations, then of spaces' bits. After them
                               * come the sums over groups, [ranks] */
    uint64_t **tables; /* of each attribute: offsets [ranks], and part_hashes [ranks][2]; NULL: not read yet */
    uint32_t tabled;   /* capacity of tables */
    mass_part_files files;
    bool fits;         /* the files' sizes were compared with the master's data */
    bool *repacked;    /* [ranks]: which parts are repacked; NULL: none */
    mass_part_repacked open; /* the repacked part that is open */
} parts;

/* Returns where the counts of an attribute's owner are kept: a population, a space or a space's packed bits. */
static uint64_t **counts_of(const mass_reader *r, const mass_attribute_def *a)
{
    return &r->c->parts->counts[a->population >= 0 ? MASS_SPACES_MAX + (uint32_t)a->population
                                : a->type == MASS_BIT ? OF_BITS + a->space : a->space];
}

void mass_parts_close(mass_checkpoint *c)
{
    parts *p = c->parts;
    if (!p) return;
    mass_part_repacked_close(&p->open);
    mass_part_files_close(&p->files);
    free(p->repacked);
    for (size_t i = 0; i < sizeof p->counts / sizeof *p->counts; i++) free(p->counts[i]);
    for (uint32_t i = 0; i < p->tabled; i++) free(p->tables[i]);
    free(p->tables);
    free(p);
    c->parts = NULL;
}

bool mass_parts_leave(mass_reader *r)
{
    if (r->c->source.origin != MASS_HDF5_REPACKED || r->c->parts->tabled > 0) return false;
    if (mass_hdf5_is_hindered(r->c->path, r->error)) return false;
    mass_parts_close(r->c);
    return true;
}

/* ---- the master ---- */

bool mass_parts_open(mass_reader *r)
{
    bool has;
    if (!mass_reader_has_value(r, r->c->file, "parts", &has)) return false;
    if (!has) return true;
    parts *p = r->c->parts = calloc(1, sizeof *p);
    if (!p) return mass_reader_no_memory(r, sizeof *p);
    if (!mass_reader_hash(r, r->c->file, "parts", p->token) ||
        !mass_reader_u64(r, r->c->file, "ranks", MASS_PARTS_MAX, &p->ranks) ||
        !mass_reader_u64(r, r->c->file, "groups", MASS_PARTS_MAX, &p->groups))
        return false;
    return (p->ranks > 0 && p->groups > 0) || mass_reader_damaged(r, "it is in no parts");
}

bool mass_parts_open_set(mass_reader *r, hid_t set, uint32_t attribute)
{
    parts *p = r->c->parts;
    if (attribute >= p->tabled) {
        uint64_t **larger = realloc(p->tables, (attribute + 1u) * sizeof *larger);
        if (!larger) return mass_reader_no_memory(r, (attribute + 1u) * sizeof *larger);
        p->tables = larger;
        while (p->tabled <= attribute) p->tables[p->tabled++] = NULL;
    }
    free(p->tables[attribute]);
    uint64_t *table = p->tables[attribute] = calloc(3 * p->ranks, sizeof *table);
    if (!table) return mass_reader_no_memory(r, 3 * p->ranks * sizeof *table);
    return mass_reader_values(r, set, "offsets", H5T_STD_U64LE, p->ranks, table) &&
           mass_reader_values(r, set, "part_hashes", H5T_STD_U64LE, 2 * p->ranks, table + p->ranks);
}

/* Counts an attribute's elements; false if their bytes overflow. */
static bool count_elements(const mass_reader *r, const mass_attribute_def *a, uint64_t *out)
{
    uint64_t bytes;
    *out = a->population >= 0 ? r->c->agents[a->population] : (uint64_t)r->c->worlds;
    if (a->population < 0 &&
        __builtin_mul_overflow(*out, (uint64_t)mass_stored_places(a, &r->c->model.spaces[a->space]), out))
        return false;
    return !__builtin_mul_overflow(*out, mass_element_size(a), &bytes) && bytes <= INT64_MAX;
}

/* Checks that the parts' counts add up to all of the attribute's elements. Looks at no part. */
static bool check_counts(mass_reader *r, const mass_attribute_def *a, const uint64_t *counts)
{
    uint64_t left;
    if (!count_elements(r, a, &left)) return mass_reader_damaged(r, "'%s' has too many values", a->name);
    for (uint64_t i = 0; i < r->c->parts->ranks * r->c->parts->groups; i++) {
        if (counts[i] > left) return mass_reader_damaged(r, "its parts hold more than there is");
        left -= counts[i];
    }
    return left == 0 || mass_reader_damaged(r, "its parts do not hold all");
}

/* Reads how many elements each rank has of the attribute's owner, once, and appends each rank's total. */
static bool open_counts(mass_reader *r, const mass_attribute_def *a)
{
    const parts *p = r->c->parts;
    const uint64_t count = p->ranks * p->groups;
    uint64_t **counts = counts_of(r, a);
    char path[MASS_NAME_SIZE + 32];
    mass_column column = {0};
    if (*counts) return true;
    snprintf(path, sizeof path, "/parts/%s.%s", mass_parts_kind(a), mass_owner_name(&r->c->model, a));
    bool good = mass_column_begin(r, r->c->file, path, H5T_STD_U64LE, &column) &&
                (column.count == count || mass_reader_damaged(r, "'%s' has another number of parts", path));
    if (good && !(*counts = calloc(count + p->ranks, sizeof **counts)))
        good = mass_reader_no_memory(r, (count + p->ranks) * sizeof **counts);
    good = good && mass_column_read(&column, 0, count, *counts);
    for (uint64_t i = 0; good && i < count; i++) (*counts)[count + i % p->ranks] += (*counts)[i];
    mass_column_end(&column);
    return good;
}

bool mass_parts_open_counts(mass_reader *r)
{
    bool good = true;
    if (!r->c->parts) return true;
    for (uint32_t i = 0; good && i < r->c->model.attribute_count; i++) {
        good = (i < r->c->parts->tabled && r->c->parts->tables[i]) ||
               mass_reader_damaged(r, "'%s' is in no part", r->c->model.attributes[i].name);
        good = good && open_counts(r, &r->c->model.attributes[i]) &&
               check_counts(r, &r->c->model.attributes[i], *counts_of(r, &r->c->model.attributes[i]));
    }
    return good;
}

int mass_parts_find(const mass_reader *r, const char *path)
{
    const mass_model *m = &r->c->model;
    char own[2 * MASS_NAME_SIZE + 16];
    for (uint32_t i = 0; r->c->parts && i < m->attribute_count; i++) {
        if (m->attributes[i].population < 0) continue;
        snprintf(own, sizeof own, "/agents/%s/%s", mass_owner_name(m, &m->attributes[i]), m->attributes[i].name);
        if (strcmp(own, path) == 0) return (int)i;
    }
    return -1;
}

/* ---- bytes of a part ---- */

/* Returns how many elements of an attribute's owner a rank has. */
static uint64_t elements_of(const mass_reader *r, uint32_t attribute, uint64_t rank)
{
    const parts *p = r->c->parts;
    return (*counts_of(r, &r->c->model.attributes[attribute]))[p->groups * p->ranks + rank];
}

/* Adds an attribute to each part's extent: where its data ends, and the sum of its bytes. Ends and sums saturate. */
static void add_extents(const mass_reader *r, uint32_t attribute, mass_part_extent *extents)
{
    const parts *p = r->c->parts;
    const uint64_t size = mass_element_size(&r->c->model.attributes[attribute]);
    for (uint64_t rank = 0; rank < p->ranks; rank++) {
        mass_part_extent *e = &extents[rank];
        const uint64_t bytes = elements_of(r, attribute, rank) * size; /* no overflow: count_elements() */
        uint64_t end = 0;
        if (bytes > 0 && __builtin_add_overflow(p->tables[attribute][rank], bytes, &end)) end = UINT64_MAX;
        if (end > e->end) e->end = end;
        if (__builtin_add_overflow(e->bytes, bytes, &e->bytes)) e->bytes = UINT64_MAX;
    }
}

/* Returns the extents [ranks], which the caller frees. NULL: out of memory, and the error is set. */
static mass_part_extent *get_extents(mass_reader *r)
{
    mass_part_extent *extents = calloc(r->c->parts->ranks, sizeof *extents);
    if (!extents) mass_reader_no_memory(r, r->c->parts->ranks * sizeof *extents);
    for (uint32_t i = 0; extents && i < r->c->model.attribute_count; i++) add_extents(r, i, extents);
    return extents;
}

/* Returns true if another program repacked this rank's part. */
static bool is_repacked(const parts *p, uint64_t rank) { return p->repacked && p->repacked[rank]; }

/* Looks at all files of the parts and compares their sizes with the master's data; only the first time. Reads no
 * values. */
static bool survey(mass_reader *r)
{
    parts *p = r->c->parts;
    if (p->fits) return true;
    p->files.token = p->token;
    p->files.ranks = p->ranks;
    if (!mass_part_files_survey(r, &p->files)) return false;
    mass_part_extent *extents = get_extents(r);
    p->fits = extents != NULL;
    for (uint64_t rank = 0; p->fits && rank < p->ranks; rank++)
        p->fits = mass_part_files_fit(&p->files, rank, &extents[rank], is_repacked(p, rank)) ||
                  mass_part_files_refuse(r, &p->files, rank, "is too short");
    free(extents);
    return p->fits;
}

/* Reads `bytes` bytes of a rank's values of an attribute, from byte `first` on. */
static bool read_bytes(mass_reader *r, uint32_t attribute, uint64_t rank, uint64_t first, uint64_t bytes, char *out)
{
    parts *p = r->c->parts;
    if (!survey(r)) return false;
    if (is_repacked(p, rank))
        return mass_part_repacked_read(r, &p->files, &p->open, rank, attribute, elements_of(r, attribute, rank), first,
                                       bytes, out);
    return mass_part_files_read(r, &p->files, rank, p->tables[attribute][rank] + first, bytes, out);
}

bool mass_parts_read(mass_reader *r, uint32_t attribute, uint64_t first, uint64_t count, void *out)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    const parts *p = r->c->parts;
    const uint64_t *counts = *counts_of(r, a), size = mass_element_size(a), begin = first * a->component_size,
                   end = begin + count * a->component_size;
    uint64_t *before = calloc(p->ranks, sizeof *before), at = 0; /* in bytes: of each rank, and of all ranks */
    bool good = before || mass_reader_no_memory(r, p->ranks * sizeof *before);
    for (uint64_t i = 0; good && i < p->ranks * p->groups && at < end; i++) {
        const uint64_t rank = i % p->ranks, next = at + counts[i] * size;
        const uint64_t from = at > begin ? at : begin, to = next < end ? next : end;
        if (from < to)
            good = read_bytes(r, attribute, rank, before[rank] + (from - at), to - from, (char *)out + (from - begin));
        before[rank] += counts[i] * size;
        at = next;
    }
    free(before);
    return good;
}

/* ---- verifying ---- */

/* Reads one rank's values of an attribute, of `bytes` bytes in all, and compares their hash with the part's own. block:
 * BLOCK bytes to work in. */
static bool check_part(mass_reader *r, uint32_t attribute, uint64_t rank, uint64_t bytes, char *block)
{
    uint8_t hash[16];
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, r->c->hash_version);
    const uint64_t most = BLOCK - BLOCK % r->c->model.attributes[attribute].component_size;
    for (uint64_t at = 0, some; at < bytes; at += some) {
        some = bytes - at < most ? bytes - at : most;
        if (!read_bytes(r, attribute, rank, at, some, block)) return false;
        mass_bytes_hash_add(&h, block, some);
    }
    mass_bytes_hash_end(&h, hash);
    const uint64_t *own = r->c->parts->tables[attribute] + r->c->parts->ranks + 2 * rank;
    return memcmp(hash, own, sizeof hash) == 0 ||
           mass_part_files_refuse(r, &r->c->parts->files, rank, "is not as it was written");
}

bool mass_parts_blame(mass_reader *r, uint32_t attribute)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    char *block = malloc(BLOCK);
    bool good = block || mass_reader_no_memory(r, BLOCK);
    for (uint64_t rank = 0; good && rank < r->c->parts->ranks; rank++)
        good = check_part(r, attribute, rank, elements_of(r, attribute, rank) * mass_element_size(a), block);
    free(block);
    return false;
}

/* Verifies all attributes and agents, within the time limit for parts. */
static bool verify(mass_reader *r)
{
    static const mass_agents_columns none;
    bool good = survey(r);
    mass_part_files_limit(&r->c->parts->files, true);
    for (uint32_t i = 0; good && i < r->c->model.attribute_count; i++) good = mass_reader_stream(r, i, NULL, NULL);
    for (uint32_t i = 0; good && i < r->c->model.population_count; i++) good = mass_reader_check_agents(r, i, &none);
    mass_part_files_limit(&r->c->parts->files, false);
    return good;
}

/* ---- repacked parts ---- */

/* Returns true if a part's size and all its values' hashes are as the master says. If the size is another one, sets no
 * error. The caller judges by the error, and does not report it. block: [BLOCK] scratch. */
static bool is_as_written(mass_reader *r, uint64_t rank, const mass_part_extent *extent, char *block)
{
    const mass_model *m = &r->c->model;
    bool good = mass_part_files_fit(&r->c->parts->files, rank, extent, false);
    for (uint32_t i = 0; good && i < m->attribute_count; i++)
        good = check_part(r, i, rank, elements_of(r, i, rank) * mass_element_size(&m->attributes[i]), block);
    return good;
}

/* Returns true if a part is as it was written, or if another program repacked it, which sets p->repacked[rank]. False
 * without an error: neither is so; with an error: that is unknown. p->repacked must be there, and p->fits be true, so
 * that sizes are not compared again. block: [BLOCK] scratch. */
static bool look_at_part(mass_reader *r, uint64_t rank, const mass_part_extent *extent, char *block)
{
    parts *p = r->c->parts;
    mass_error why = {0};
    mass_reader own = {.c = r->c, .error = &why};
    if (is_as_written(&own, rank, extent, block)) return true;
    if (why.status == MASS_OK || (why.status == MASS_BAD_INPUT && !why.obstacle))
        return p->repacked[rank] = mass_part_repacked_is(r, &p->files, rank);
    *r->error = why;
    return false;
}

/* Call this if parts are not as they were written, and no obstacle explains it. Finds repacked parts; false if there
 * are none, or if some part is neither repacked nor as written. */
static bool find_repacked(mass_reader *r)
{
    parts *p = r->c->parts;
    mass_part_extent *extents = p->files.seen ? get_extents(r) : NULL;
    char *block = extents ? malloc(BLOCK) : NULL;
    p->repacked = block ? calloc(p->ranks, sizeof *p->repacked) : NULL;
    bool good = p->repacked || (p->files.seen && mass_reader_no_memory(r, BLOCK)), some = false;
    p->fits = true; /* the loop below checks it */
    mass_part_files_limit(&p->files, true);
    for (uint64_t rank = 0; good && rank < p->ranks; rank++) {
        good = look_at_part(r, rank, &extents[rank], block);
        some |= p->repacked[rank];
    }
    mass_part_files_limit(&p->files, false);
    p->fits = false;
    free(block);
    free(extents);
    return good && some;
}

bool mass_parts_verify(mass_reader *r)
{
    if (verify(r)) return true;
    const mass_error why = *r->error;
    if (why.status != MASS_BAD_INPUT || why.obstacle) return false;
    *r->error = (mass_error){0};
    const bool found = find_repacked(r);
    r->c->repacked |= found;
    if (!found && r->error->status == MASS_OK) *r->error = why;
    return found && verify(r);
}
