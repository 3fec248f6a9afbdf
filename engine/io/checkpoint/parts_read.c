/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/parts.h"

#include "core/identity.h"
#include "domain/state_hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };
enum { OF_BITS = MASS_SPACES_MAX + MASS_POPULATIONS_MAX, OWNERS = OF_BITS + MASS_SPACES_MAX };

typedef struct mass_parts {
    char token[33];
    uint64_t ranks, groups;
    uint64_t *counts[OWNERS]; /* [groups * ranks], of spaces, then of populations, and then of spaces' bits */
    uint64_t **tables; /* of each attribute: offsets [ranks], and part_hashes [ranks][2]; NULL: not seen yet */
    uint32_t tabled;   /* how many attributes tables has room for */
    int file;          /* of the part that was read last, or -1 */
    uint64_t rank;     /* whose that is */
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
    if (p->file >= 0) close(p->file);
    for (size_t i = 0; i < sizeof p->counts / sizeof *p->counts; i++) free(p->counts[i]);
    for (uint32_t i = 0; i < p->tabled; i++) free(p->tables[i]);
    free(p->tables);
    free(p);
    c->parts = NULL;
}

/* ---- what the master says ---- */

bool mass_parts_open(mass_reader *r)
{
    if (H5Aexists(r->c->file, "parts") <= 0) return true;
    parts *p = r->c->parts = calloc(1, sizeof *p);
    if (!p) return mass_reader_no_memory(r, sizeof *p);
    p->file = -1;
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
    if (good && !(*counts = calloc(count, sizeof **counts))) good = mass_reader_no_memory(r, count * sizeof **counts);
    good = good && mass_column_read(&column, 0, count, *counts);
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

static void name_part(const mass_reader *r, uint64_t rank, char path[PATH_MAX])
{
    char real[PATH_MAX], folder[PATH_MAX]; /* the master may be opened through a link */
    const char *master = realpath(r->c->path, real) ? real : r->c->path, *slash = strrchr(master, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - master) : 1, slash ? master : ".");
    if (!mass_part_name(folder[0] ? folder : "/", r->c->step, r->c->parts->token, (int32_t)rank, path)) path[0] = '\0';
}

static bool refuse_part(mass_reader *r, uint64_t rank, const char *what)
{
    char path[PATH_MAX];
    name_part(r, rank, path);
    return mass_reader_damaged(r, "its part %s %s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, what);
}

/* Beside the master, a file and no link. */
static bool open_part(mass_reader *r, uint64_t rank)
{
    parts *p = r->c->parts;
    char path[PATH_MAX], what[200];
    struct stat facts;
    if (p->file >= 0 && p->rank == rank) return true;
    if (p->file >= 0) close(p->file);
    name_part(r, rank, path);
    p->rank = rank;
    p->file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (p->file < 0) {
        snprintf(what, sizeof what, "cannot be read (%s)", strerror(errno));
        return refuse_part(r, rank, what);
    }
    return (fstat(p->file, &facts) == 0 && S_ISREG(facts.st_mode)) || refuse_part(r, rank, "is no regular file");
}

/* `bytes` of what a rank has of an attribute, from byte `first` on. */
static bool read_bytes(mass_reader *r, uint32_t attribute, uint64_t rank, uint64_t first, uint64_t bytes, char *out)
{
    parts *p = r->c->parts;
    uint64_t at;
    if (!open_part(r, rank)) return false;
    if (__builtin_add_overflow(p->tables[attribute][rank], first, &at) || at > INT64_MAX - bytes)
        return refuse_part(r, rank, "is too short");
    while (bytes > 0) {
        const ssize_t got = pread(p->file, out, bytes, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refuse_part(r, rank, "cannot be read");
        if (got == 0) return refuse_part(r, rank, "is too short");
        out += got;
        at += (uint64_t)got;
        bytes -= (uint64_t)got;
    }
    return true;
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
    return memcmp(hash, own, sizeof hash) == 0 || refuse_part(r, rank, "is not as it was written");
}

bool mass_parts_blame(mass_reader *r, uint32_t attribute)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    const parts *p = r->c->parts;
    const uint64_t *counts = *counts_of(r, a);
    char *block = malloc(BLOCK);
    bool good = block || mass_reader_no_memory(r, BLOCK);
    for (uint64_t rank = 0; good && rank < p->ranks; rank++) {
        uint64_t own = 0;
        for (uint64_t g = 0; g < p->groups; g++) own += counts[g * p->ranks + rank];
        good = check_part(r, attribute, rank, own * mass_element_size(a), block);
    }
    free(block);
    return false;
}

bool mass_parts_verify(mass_reader *r)
{
    static const mass_agents_columns none;
    bool good = true;
    for (uint32_t i = 0; good && i < r->c->model.attribute_count; i++) good = mass_reader_stream(r, i, NULL, NULL);
    for (uint32_t i = 0; good && i < r->c->model.population_count; i++) good = mass_reader_check_agents(r, i, &none);
    return good;
}
