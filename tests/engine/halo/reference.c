/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <mass/random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void scene_fail(const scene *s, const char *what, int64_t at)
{
    fprintf(stderr, "draw %llu, rank %d of %d: %s, at %lld\n", (unsigned long long)s->number, s->comm->rank,
            s->comm->size, what, (long long)at);
    s->comm->table->abort(s->comm, 1);
    abort();
}

void scene_check(const scene *s, mass_status status, const mass_error *e)
{
    if (status != MASS_OK) scene_fail(s, e->text, status);
}

uint32_t scene_draw(const scene *s, uint64_t entity, uint32_t which, uint32_t below)
{
    return mass_random_block(7, entity, s->number, 0, which).v[0] % below;
}

void kind_add(kind *k, int64_t element, int32_t part, void *at, bool refreshed_only)
{
    if ((k->count & (k->count - 1)) == 0) /* the next power of two */
        k->list = realloc(k->list, (size_t)(k->count ? 2 * k->count : 1) * sizeof *k->list);
    k->list[k->count++] = (copy){element, part, at, refreshed_only};
}

static int64_t get(const kind *k, const void *at)
{
    int32_t small;
    int64_t value;
    memcpy(&small, at, sizeof small);
    if (k->size == sizeof small) return small;
    memcpy(&value, at, sizeof value);
    return value;
}

static void set(const kind *k, void *at, int64_t value)
{
    const int32_t small = (int32_t)value;
    if (k->size == sizeof small) memcpy(at, &small, sizeof small);
    else memcpy(at, &value, sizeof value);
}

/* Some value of an element or a contribution, which fits into k->size bytes. */
static int64_t value_of(const scene *s, const kind *k, int64_t at, uint32_t round)
{
    const mass_random4 r = mass_random_block(9, (uint64_t)at, s->number, 1, round);
    const uint64_t all = (uint64_t)r.v[0] << 32 | r.v[1];
    return k->size == 4 ? (int64_t)(int32_t)r.v[0] : (int64_t)all;
}

void kind_begin(const scene *s, const kind *k, uint32_t round)
{
    for (int64_t i = 0; i < k->elements; i++)
        if (k->own[i]) set(k, k->own[i], value_of(s, k, i, round));
}

bool kind_is_copied(const scene *s, const kind *k, const copy *c, uint32_t round)
{
    return get(k, c->at) == get(k, &(int64_t){value_of(s, k, c->element, round)});
}

void kind_expect_copies(const scene *s, const kind *k, uint32_t round)
{
    for (int64_t i = 0; i < k->count; i++)
        if (k->list[i].at && !kind_is_copied(s, k, &k->list[i], round)) scene_fail(s, k->name, i);
}

/* What contribution i is: of one writer at most if they replace. */
static int64_t contribution(const scene *s, const kind *k, mass_combination_kind how, int64_t i, const int64_t *writer)
{
    if (how == MASS_COMBINATION_REPLACE && writer[k->list[i].element] != i) return -1;
    return value_of(s, k, i, 100 + how);
}

static int64_t combined(const kind *k, mass_combination_kind how, int64_t a, int64_t b)
{
    if (how == MASS_COMBINATION_LEAST) return b < a ? b : a;
    if (how == MASS_COMBINATION_REPLACE) return b == -1 ? a : b;
    const int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b);
    return k->size == 4 ? (int64_t)(int32_t)sum : sum;
}

int64_t *kind_find_writers(const scene *s, const kind *k)
{
    int64_t *writer = malloc((size_t)(k->elements + 1) * sizeof *writer);
    for (int64_t i = 0; i < k->elements; i++) writer[i] = -1;
    for (int64_t i = 0; i < k->count; i++)
        if (!k->list[i].refreshed_only && scene_draw(s, (uint64_t)i, 40, 3) == 0) writer[k->list[i].element] = i;
    return writer;
}

void kind_contribute(const scene *s, const kind *k, mass_combination_kind how, const int64_t *writer)
{
    for (int64_t i = 0; i < k->count; i++)
        if (k->list[i].at && !k->list[i].refreshed_only) set(k, k->list[i].at, contribution(s, k, how, i, writer));
}

void kind_expect_combined(const scene *s, const kind *k, mass_combination_kind how, const int64_t *writer)
{
    int64_t *expected = malloc((size_t)(k->elements + 1) * sizeof *expected);
    for (int64_t i = 0; i < k->elements; i++) expected[i] = value_of(s, k, i, 50);
    for (int64_t i = 0; i < k->count; i++) {
        int64_t *e = &expected[k->list[i].element];
        if (!k->list[i].refreshed_only) *e = combined(k, how, *e, contribution(s, k, how, i, writer));
    }
    for (int64_t i = 0; i < k->elements; i++)
        if (k->own[i] && get(k, k->own[i]) != expected[i]) scene_fail(s, k->name, i);
    free(expected);
}

void kind_free(kind *k)
{
    free(k->list);
    free(k->own);
    *k = (kind){0};
}
