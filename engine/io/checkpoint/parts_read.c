/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/parts.h"

#include "base/identity.h"
#include "snapshot/state_hash.h"
#include "io/checkpoint/parts_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20 };
enum { OF_BITS = MASS_SPACES_MAX + MASS_POPULATIONS_MAX, OWNERS = OF_BITS + MASS_SPACES_MAX };

typedef struct mass_parts {
    char token[33];
    uint64_t ranks, groups;
    uint64_t *counts[OWNERS]; /* [groups * ranks], of spaces, then of populations, and then of spaces' bits; and behind
                               * them the sums over groups, [ranks] */
    uint64_t **tables; /* of each attribute: offsets [ranks], and part_hashes [ranks][2]; NULL: not seen yet */
    uint32_t tabled;   /* how many attributes tables has room for */
    mass_part_files files;
} parts;

static uint64_t **counts_of(const mass_reader *r, const mass_attribute_def *a)
{
    return &r->c->parts->counts[a->population >= 0 ? MASS_SPACES_MAX + (uint32_t)a->population
                                : a->type == MASS_BIT ? OF_BITS + a->space : a->space];
}

void mass_parts_close(mass_checkpoint *c)
{
    parts *p = c->parts;
    if (!p) return;
    mass_part_files_close(&p->files);
    for (size_t i = 0; i < sizeof p->counts / sizeof *p->counts; i++) free(p->counts[i]);
    for (uint32_t i = 0; i < p->tabled; i++) free(p->tables[i]);
    free(p->tables);
    free(p);
    c->parts = NULL;
}

/* ---- what the master says ---- */

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

/* How many there are; false if their bytes are beyond counting. */
static bool count_elements(const mass_reader *r, const mass_attribute_def *a, uint64_t *out)
{
    uint64_t bytes;
    *out = a->population >= 0 ? r->c->agents[a->population] : (uint64_t)r->c->worlds;
    if (a->population < 0 &&
        __builtin_mul_overflow(*out, (uint64_t)mass_stored_places(a, &r->c->model.spaces[a->space]), out))
        return false;
    return !__builtin_mul_overflow(*out, mass_element_size(a), &bytes) && bytes <= INT64_MAX;
}

/* All elements are somewhere, and none twice. */
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

/* How many elements of an attribute's owner a rank has. */
static uint64_t elements_of(const mass_reader *r, uint32_t attribute, uint64_t rank)
{
    const parts *p = r->c->parts;
    return (*counts_of(r, &r->c->model.attributes[attribute]))[p->groups * p->ranks + rank];
}

/* Adds an attribute to what each part has; sums of bytes stop at the largest number. */
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

static bool survey(mass_reader *r)
{
    parts *p = r->c->parts;
    if (p->files.seen) return true;
    mass_part_extent *extents = calloc(p->ranks, sizeof *extents);
    if (!extents) return mass_reader_no_memory(r, p->ranks * sizeof *extents);
    for (uint32_t i = 0; i < r->c->model.attribute_count; i++) add_extents(r, i, extents);
    p->files.token = p->token;
    p->files.ranks = p->ranks;
    const bool good = mass_part_files_survey(r, &p->files, extents);
    free(extents);
    return good;
}

/* `bytes` of what a rank has of an attribute, from byte `first` on. */
static bool read_bytes(mass_reader *r, uint32_t attribute, uint64_t rank, uint64_t first, uint64_t bytes, char *out)
{
    parts *p = r->c->parts;
    return survey(r) && mass_part_files_read(r, &p->files, rank, p->tables[attribute][rank] + first, bytes, out);
}

bool mass_parts_read(mass_reader *r, uint32_t attribute, uint64_t first, uint64_t count, void *out)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    const parts *p = r->c->parts;
    const uint64_t *counts = *counts_of(r, a), size = mass_element_size(a), begin = first * a->component_size,
                   end = begin + count * a->component_size;
    uint64_t *before = calloc(p->ranks, sizeof *before), at = 0; /* in bytes: of each rank; and of all */
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

static bool check_part(mass_reader *r, uint32_t attribute, uint64_t rank, uint64_t bytes, char *block)
{
    uint8_t hash[16];
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, r->c->hash_version);
    for (uint64_t at = 0; at < bytes; at += BLOCK) {
        const uint64_t some = bytes - at < BLOCK ? bytes - at : BLOCK;
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

bool mass_parts_verify(mass_reader *r)
{
    static const mass_agents_columns none;
    bool good = survey(r);
    mass_part_files_limit(&r->c->parts->files, true);
    for (uint32_t i = 0; good && i < r->c->model.attribute_count; i++) good = mass_reader_stream(r, i, NULL, NULL);
    for (uint32_t i = 0; good && i < r->c->model.population_count; i++) good = mass_reader_check_agents(r, i, &none);
    mass_part_files_limit(&r->c->parts->files, false);
    return good;
}
