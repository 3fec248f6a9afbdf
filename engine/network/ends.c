/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts edges by the node that they come into. Nodes that follow each other form a bucket, whose ends fit into a cache.
 * Each thread takes a part of the list, and moves its ends to the buckets, a line of a cache at a time. Then the ends
 * of each bucket are moved to their nodes, and those of a node sorted by the other end. All of this keeps the order of
 * the list, and a bucket has the parts one behind the other, so the number of threads does not matter. */
#include "network/edges.h"
#include "network/sort_sources.h"
#include "network/threads.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BUCKET_ENDS = 1 << 17,   /* in the mean: 512 KiB of sources */
       BUCKETS_MOST = 4096,     /* if no more than 2^LOW_BITS nodes are in one: the lines of all are in a cache */
       LOW_BITS = 16, LOW_AT = 48, /* of a node's number in its bucket; and where it is next to an edge's number */
       CACHE_LINE = 64,         /* bytes */
       LINE = 16,               /* ends, whose sources fill a line of the cache */
       SPENT_EDGES = 1 << 18 }; /* whose memory is returned at once */

/* A line of ends of a bucket, until it is full. */
typedef struct line {
    uint32_t source[LINE];
    uint16_t low[LINE];
} line;

/* The work of a thread. */
typedef struct sorter {
    uint64_t *next;      /* [buckets] the place of its next end there; at first a count */
    uint64_t *first;     /* [buckets] the place of its first one; at first a count */
    line *lines;         /* [buckets] */
    uint64_t (*edges)[LINE]; /* [buckets] next to the lines; NULL: edges are not numbered */
    uint64_t *at;        /* [nodes of a bucket] */
    mass_sort_room room; /* for the ends of the largest bucket */
} sorter;

typedef struct sorting {
    const mass_edge_list *list;
    mass_edge_ends *ends;
    bool both;       /* an edge also comes into the node that it is from, unless that is the same one */
    bool spent;      /* the memory of the list's edges is returned as soon as they are in buckets */
    bool numbered;
    uint32_t shift;  /* of a node's number: its bucket */
    uint64_t buckets;
    uint64_t *begin; /* [buckets + 1] the place of a bucket's first end */
    uint16_t *low;   /* [count] a node's number in its bucket, by end; NULL if edges are numbered: it is there */
    int parts;
    sorter *sorters; /* [parts] */
    atomic_uint_fast64_t bucket; /* the next one that no thread has taken */
} sorting;

/* ---- buckets ---- */

/* Returns the first edge of a part of the list. */
static uint64_t first_edge(const sorting *s, int part)
{
    return mass_network_begin(s->list->count, LINE, s->parts, part);
}

/* Counts a part's ends in each bucket: those at targets in next[], the others in first[]. In one array, an addition
 * would wait for the last one to the same bucket twice as often. */
static void count_part(void *context, int part)
{
    const sorting *const s = context;
    const uint32_t *const from = s->list->from, *const to = s->list->to;
    uint64_t *const in = s->sorters[part].next, *const back = s->sorters[part].first;
    const uint64_t end = first_edge(s, part + 1);
    for (uint64_t i = first_edge(s, part); i < end; i++) {
        in[to[i] >> s->shift]++;
        if (s->both) back[from[i] >> s->shift] += from[i] != to[i];
    }
}

/* Sets the places where buckets begin, and in them those of the parts. */
static void add_up(sorting *s)
{
    uint64_t sum = 0;
    for (uint64_t b = 0; b < s->buckets; b++) {
        s->begin[b] = sum;
        for (int p = 0; p < s->parts; p++) {
            const uint64_t own = s->sorters[p].next[b] + s->sorters[p].first[b];
            s->sorters[p].next[b] = s->sorters[p].first[b] = sum;
            sum += own;
        }
    }
    s->begin[s->buckets] = s->ends->count = sum;
}

/* Moves the ends of a bucket before place `end` from its line. */
static inline void flush(const sorting *s, const sorter *own, uint64_t bucket, uint64_t end)
{
    uint64_t at = (end - 1) / LINE * LINE;
    const line *const l = &own->lines[bucket];
    if (end % LINE == 0 && at >= own->first[bucket] && !s->numbered) { /* most ends: copies of a fixed size */
        memcpy(s->ends->source + at, l->source, sizeof l->source);
        memcpy(s->low + at, l->low, sizeof l->low);
        __builtin_prefetch(s->ends->source + end, 1); /* for the next line */
        __builtin_prefetch(s->low + end, 1);
        return;
    }
    if (at < own->first[bucket]) at = own->first[bucket];
    const size_t k = at % LINE, count = (size_t)(end - at);
    memcpy(s->ends->source + at, l->source + k, count * sizeof *l->source);
    if (s->numbered) memcpy(s->ends->edge + at, own->edges[bucket] + k, count * sizeof *s->ends->edge);
    else memcpy(s->low + at, l->low + k, count * sizeof *l->low);
}

/* Moves an end to its bucket. */
static inline void put(const sorting *s, sorter *own, uint32_t node, uint32_t source, uint64_t edge, bool numbered)
{
    const uint64_t bucket = node >> s->shift, at = own->next[bucket]++, k = at % LINE;
    const uint32_t low = node & (((uint32_t)1 << s->shift) - 1);
    line *const l = &own->lines[bucket];
    l->source[k] = source;
    if (numbered) own->edges[bucket][k] = edge | (uint64_t)low << LOW_AT;
    else l->low[k] = (uint16_t)low;
    if (k == LINE - 1) flush(s, own, bucket, at + 1);
}

/* Returns the whole pages of elements `begin` to `end` - 1 of an array to the system. Their values are lost. */
static void return_pages(uint32_t *array, uint64_t begin, uint64_t end)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t from = ((uintptr_t)(array + begin) + page - 1) / page * page;
    const uintptr_t to = (uintptr_t)(array + end) / page * page;
    if (from < to) madvise((void *)from, to - from, MADV_DONTNEED);
}

/* Moves the ends of edges `begin` to `end` - 1. */
static inline void put_edges(const sorting *s, sorter *own, uint64_t begin, uint64_t end, bool numbered)
{
    const uint32_t *const from = s->list->from, *const to = s->list->to;
    for (uint64_t i = begin; i < end; i++) {
        put(s, own, to[i], from[i], i, numbered);
        if (s->both && from[i] != to[i]) put(s, own, from[i], to[i], i, numbered);
    }
}

/* Moves a part's ends to the buckets. */
static void put_part(void *context, int part)
{
    const sorting *const s = context;
    sorter *const own = &s->sorters[part];
    const uint64_t first = first_edge(s, part), last = first_edge(s, part + 1);
    for (uint64_t begin = first, end; begin < last; begin = end) {
        end = last - begin < SPENT_EDGES ? last : begin + SPENT_EDGES;
        if (s->numbered) put_edges(s, own, begin, end, true);
        else put_edges(s, own, begin, end, false);
        if (!s->spent) continue;
        return_pages(s->list->from, begin, end);
        return_pages(s->list->to, begin, end);
    }
    for (uint64_t b = 0; b < s->buckets; b++)
        if (own->next[b] % LINE && own->next[b] > own->first[b]) flush(s, own, b, own->next[b]);
}

/* ---- nodes ---- */

/* Returns the number in its bucket of the node that an end comes into. */
static inline uint64_t low_of(const sorting *s, uint64_t end, bool numbered)
{
    return numbered ? s->ends->edge[end] >> LOW_AT : s->low[end];
}

/* Moves the ends of a bucket to their nodes, and sets first[] of these. */
static inline void place_ends(const sorting *s, const sorter *own, uint64_t bucket, uint64_t nodes, bool numbered)
{
    const uint64_t begin = s->begin[bucket], count = s->begin[bucket + 1] - begin;
    uint64_t *const first = s->ends->first + (bucket << s->shift), sum = begin;
    uint32_t *const source = s->ends->source;
    memset(own->at, 0, (size_t)nodes * sizeof *own->at);
    for (uint64_t i = 0; i < count; i++) own->at[low_of(s, begin + i, numbered)]++;
    for (uint64_t i = 0; i < nodes; i++) {
        const uint64_t ends = own->at[i];
        own->at[i] = first[i] = sum;
        sum += ends;
    }
    memcpy(own->room.source, source + begin, (size_t)count * sizeof *source);
    if (numbered) memcpy(own->room.edge, s->ends->edge + begin, (size_t)count * sizeof *s->ends->edge);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t low = numbered ? own->room.edge[i] >> LOW_AT : s->low[begin + i], at = own->at[low]++;
        source[at] = own->room.source[i];
        if (numbered) s->ends->edge[at] = own->room.edge[i] & (((uint64_t)1 << LOW_AT) - 1);
    }
}

/* Takes one bucket after the other that no other thread has taken, and sorts its ends. */
static void sort_buckets(void *context, int part)
{
    sorting *const s = context;
    const sorter *const own = &s->sorters[part];
    const uint64_t all = (uint64_t)s->ends->nodes;
    mass_edge_ends *const e = s->ends;
    for (uint64_t b; (b = atomic_fetch_add(&s->bucket, 1)) < s->buckets;) {
        const uint64_t begin = b << s->shift, most = (uint64_t)1 << s->shift;
        const uint64_t nodes = all - begin < most ? all - begin : most;
        if (s->numbered) place_ends(s, own, b, nodes, true);
        else place_ends(s, own, b, nodes, false);
        for (uint64_t i = begin, end; i < begin + nodes; i++) {
            end = i + 1 < begin + nodes ? e->first[i + 1] : s->begin[b + 1];
            mass_sort_sources(e->source + e->first[i], e->edge ? e->edge + e->first[i] : NULL, end - e->first[i],
                              &own->room);
        }
    }
}

/* ---- memory ---- */

/* Chooses the buckets. most: the most ends that there may be. */
static void choose_buckets(sorting *s, uint64_t most)
{
    const uint64_t nodes = s->ends->nodes > 0 ? (uint64_t)s->ends->nodes : 1, last = nodes - 1;
    while (s->shift < LOW_BITS && last >> s->shift && (most / nodes + 1) << (s->shift + 1) <= BUCKET_ENDS) s->shift++;
    while (s->shift < LOW_BITS && last >> s->shift >= BUCKETS_MOST) s->shift++;
    s->buckets = (last >> s->shift) + 1;
}

static void free_sorters(sorting *s)
{
    for (int p = 0; s->sorters && p < s->parts; p++) {
        sorter *const own = &s->sorters[p];
        free(own->next), free(own->first), free(own->lines), free(own->edges), free(own->at);
        free(own->room.source), free(own->room.edge);
    }
    free(s->sorters);
    free(s->begin);
    free(s->low);
}

/* Allocates an array whose lines are lines of the cache. The caller frees it. */
static void *allocate(size_t count, size_t size)
{
    const size_t bytes = (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return aligned_alloc(CACHE_LINE, bytes);
}

/* Allocates what the threads take to move ends to buckets. Adds its bytes to *bytes. */
static bool begin_sorters(sorting *s, size_t *bytes)
{
    const size_t buckets = (size_t)s->buckets, low = sizeof(uint64_t) << s->shift;
    const size_t each = 2 * sizeof(uint64_t) + sizeof(line) + (s->numbered ? LINE * sizeof(uint64_t) : 0);
    *bytes += (size_t)s->parts * (buckets * each + low) + (buckets + 1) * sizeof *s->begin;
    s->begin = malloc((buckets + 1) * sizeof *s->begin);
    s->sorters = calloc((size_t)s->parts, sizeof *s->sorters);
    bool good = s->begin && s->sorters;
    for (int p = 0; good && p < s->parts; p++) {
        sorter *const own = &s->sorters[p];
        own->next = calloc(buckets, sizeof *own->next);
        own->first = calloc(buckets, sizeof *own->first);
        own->lines = allocate(buckets, sizeof *own->lines);
        own->at = malloc(low);
        if (s->numbered) own->edges = malloc(buckets * sizeof *own->edges);
        good = own->next && own->first && own->lines && own->at && (own->edges || !s->numbered);
    }
    return good;
}

/* Allocates the ends, and what the threads take for buckets. Adds the bytes of the latter to *bytes. */
static bool begin_ends(sorting *s, size_t *bytes)
{
    const size_t count = (size_t)s->ends->count + 1;
    uint64_t most = 1;
    for (uint64_t b = 0; b < s->buckets; b++)
        if (s->begin[b + 1] - s->begin[b] > most) most = s->begin[b + 1] - s->begin[b];
    const size_t each = sizeof(uint32_t) + (s->numbered ? sizeof(uint64_t) : 0);
    const size_t rooms = (size_t)s->parts * (size_t)most; /* a bucket fills one of them */
    *bytes += (rooms < count ? rooms : count) * each + (s->numbered ? 0 : count * sizeof *s->low);
    s->ends->source = allocate(count, sizeof *s->ends->source);
    if (s->numbered) s->ends->edge = allocate(count, sizeof *s->ends->edge);
    else s->low = allocate(count, sizeof *s->low);
    bool good = s->ends->source && (s->ends->edge || s->low);
    for (int p = 0; good && p < s->parts; p++) {
        mass_sort_room *const room = &s->sorters[p].room;
        room->source = malloc((size_t)most * sizeof *room->source);
        if (s->numbered) room->edge = malloc((size_t)most * sizeof *room->edge);
        good = room->source && (room->edge || !s->numbered);
    }
    return good;
}

/* Refuses the first edge in the list that has the nodes of an earlier one; returns MASS_OK if there is none. The
 * ends must be sorted and numbered. */
static mass_status refuse_double(const mass_edge_list *list, const mass_network *n, const mass_edge_ends *e,
                                 mass_error *error)
{
    uint64_t found = UINT64_MAX;
    for (mass_gidx i = 0; i < e->nodes; i++)
        for (uint64_t k = e->first[i] + 1; k < e->first[i + 1]; k++)
            if (e->source[k] == e->source[k - 1] && e->edge[k] < found) found = e->edge[k];
    if (found == UINT64_MAX) return MASS_OK;
    if (!list->line)
        return mass_error_set(error, MASS_BAD_USAGE, "network '%s': two edges join nodes %" PRIu32 " and %" PRIu32,
                              n->name, list->from[found], list->to[found]);
    const char *const unit = mass_edge_list_unit(list), *const from = mass_node_name(&list->names, list->from[found]);
    if (from)
        return mass_error_set(error, MASS_BAD_INPUT, "%s, line %" PRIu64 ": a line before it joins nodes %s and %s "
                              "too, and network '%s' has at most one edge between two nodes", n->file,
                              list->line[found], from, mass_node_name(&list->names, list->to[found]), n->name);
    return mass_error_set(error, MASS_BAD_INPUT, "%s, %s %" PRIu64 ": a %s before it joins nodes %" PRIu32 " and %"
                          PRIu32 " too, and network '%s' has at most one edge between two nodes", n->file, unit,
                          list->line[found], unit, list->from[found], list->to[found], n->name);
}

/* Sorts the list. Sets *bytes to those of other memory that this takes. */
static mass_status sort(sorting *s, size_t *bytes, mass_error *error)
{
    mass_edge_ends *const e = s->ends;
    const size_t nodes = (size_t)e->nodes, edges = (size_t)s->list->count;
    choose_buckets(s, s->both ? 2 * (uint64_t)edges : edges);
    e->first = malloc((nodes + 1) * sizeof *e->first);
    if (!e->first) return mass_error_memory(error, (nodes + 1) * sizeof *e->first, "a network");
    if (!begin_sorters(s, bytes)) return mass_error_memory(error, *bytes, "a network");
    mass_network_run(s->parts, count_part, s);
    add_up(s);
    e->first[nodes] = e->count;
    if (!begin_ends(s, bytes))
        return mass_error_memory(error, ((size_t)e->count + 1) * (sizeof *e->source + sizeof *e->edge), "a network");
    mass_network_run(s->parts, put_part, s);
    mass_network_run(s->parts, sort_buckets, s);
    return MASS_OK;
}

/* Makes the ends of a list. spent: its edges may get lost, unless they are numbered. Sets *bytes as sort does. */
static mass_status make(const mass_edge_list *list, bool spent, const mass_network *n, mass_gidx nodes,
                        mass_edge_ends *out, size_t *bytes, mass_error *error)
{
    *out = (mass_edge_ends){.nodes = nodes};
    const bool numbered = list->column_count || n->simple || n->links;
    sorting s = {.list = list, .ends = out, .both = !n->directed, .spent = spent && !numbered, .numbered = numbered,
                 .parts = mass_network_parts(list->count)};
    mass_status status = sort(&s, bytes, error);
    free_sorters(&s);
    return status == MASS_OK && n->simple ? refuse_double(list, n, out, error) : status;
}

mass_status mass_edge_ends_make(const mass_edge_list *list, const mass_network *n, mass_gidx nodes, mass_edge_ends *out,
                                mass_error *error)
{
    size_t bytes = 0;
    return make(list, false, n, nodes, out, &bytes, error);
}

mass_status mass_edge_ends_take(mass_edge_list *list, const mass_network *n, mass_gidx nodes, mass_edge_ends *out,
                                mass_error *error)
{
    size_t bytes = 0;
    const double edges = (double)list->count * (sizeof *list->from + sizeof *list->to);
    const mass_status status = make(list, true, n, nodes, out, &bytes, error);
    const double begun = edges + list->scratch, others = (double)bytes + mass_edge_ends_bytes(out);
    const double made = out->edge ? edges + others : others;
    list->scratch = begun > made ? begun : made;
    free(list->from);
    free(list->to);
    list->from = list->to = NULL;
    return status;
}

double mass_edge_ends_bytes(const mass_edge_ends *ends)
{
    const double each = sizeof *ends->source + (ends->edge ? sizeof *ends->edge : 0);
    return ((double)ends->nodes + 1) * sizeof *ends->first + (double)ends->count * each;
}

void mass_edge_ends_free(mass_edge_ends *ends)
{
    free(ends->first);
    free(ends->source);
    free(ends->edge);
    *ends = (mass_edge_ends){0};
}
