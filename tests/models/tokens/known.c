/* SPDX-License-Identifier: Apache-2.0 */
#include "tokens_known.h"
#include "run.h"
#include "tokens.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys as plain arrays: every contribution, sorted ---- */

typedef struct token {
    const uint8_t *text; /* NULL: a number */
    uint64_t number, length;
} token;

typedef struct tokens {
    token *at;
    size_t count, room;
} tokens;

static void add(tokens *t, token k)
{
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 1024;
        t->at = realloc(t->at, t->room * sizeof *t->at);
    }
    t->at[t->count++] = k;
}

static int compare(const void *a, const void *b)
{
    const token *x = a, *y = b;
    if (!x->text) return (x->number > y->number) - (x->number < y->number);
    const size_t both = x->length < y->length ? x->length : y->length;
    const int order = memcmp(x->text, y->text, both);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* ---- against the checkpoint ---- */

typedef struct stored {
    dataset distinct, count, key, text;
} stored;

static stored read_stored(const char *path, const char *tally, bool texts)
{
    stored s = {.distinct = dataset_read(path, text("/tallies/%s/distinct", tally)),
                .count = dataset_read(path, text("/tallies/%s/count", tally)),
                .key = dataset_read(path, text("/tallies/%s/%s", tally, texts ? "end" : "key"))};
    if (texts) s.text = dataset_read(path, text("/tallies/%s/text", tally));
    return s;
}

static void free_stored(stored *s)
{
    free(s->distinct.bytes);
    free(s->count.bytes);
    free(s->key.bytes);
    free(s->text.bytes);
}

/* Whether key i of the file is this one. */
static bool is_stored(const stored *s, size_t i, const token *k)
{
    const uint64_t *keys = (const uint64_t *)s->key.bytes;
    if (!k->text) return keys[i] == k->number;
    const uint64_t start = i ? keys[i - 1] : 0;
    return keys[i] - start == k->length && memcmp(s->text.bytes + start, k->text, k->length) == 0;
}

/* The report's first key and number of keys. */
static void expect_report(const outcome *o, const char *name, int worlds, int world, size_t distinct, size_t total,
                          int64_t most, const char *options)
{
    const json_t *r = json_object_get(json_object_get(o->report, "tallies"), name);
    if (worlds > 1) r = json_array_get(r, (size_t)world);
    const json_t *top = json_object_get(r, "top");
    cr_assert_eq(json_integer_value(json_object_get(r, "distinct")), (json_int_t)distinct, "%s, %s", name, options);
    cr_assert_eq(json_integer_value(json_object_get(r, "total")), (json_int_t)total, "%s, %s", name, options);
    cr_assert_eq(json_array_size(top), distinct < 100 ? distinct : 100);
    cr_assert_eq(json_integer_value(json_array_get(json_array_get(top, 0), 1)), most, "%s, %s", name, options);
}

/* Keys of all worlds, one list after the other. */
static void expect_keys(const outcome *o, const char *path, const char *name, tokens *lists, int worlds,
                        const char *options)
{
    stored s = read_stored(path, name, lists[0].at[0].text != NULL);
    size_t at = 0;
    for (int w = 0; w < worlds; w++) {
        const size_t first = at;
        int64_t most = 0;
        qsort(lists[w].at, lists[w].count, sizeof *lists[w].at, compare);
        for (size_t i = 0; i < lists[w].count; at++) {
            const size_t start = i;
            while (i < lists[w].count && compare(&lists[w].at[start], &lists[w].at[i]) == 0) i++;
            cr_assert(at * 8 < s.key.size, "%s has no more than %zu keys: %s", name, at, options);
            cr_assert(is_stored(&s, at, &lists[w].at[start]), "key %zu of %s: %s", at, name, options);
            cr_assert_eq(((const int64_t *)s.count.bytes)[at], (int64_t)(i - start), "count of key %zu of %s: %s", at,
                         name, options);
            if ((int64_t)(i - start) > most) most = (int64_t)(i - start);
        }
        cr_assert_eq(((const uint64_t *)s.distinct.bytes)[w], at - first, "%s: %s", name, options);
        expect_report(o, name, worlds, w, at - first, lists[w].count, most, options);
        free(lists[w].at);
    }
    cr_assert_eq(at * 8, s.key.size, "%s has keys too many: %s", name, options);
    free_stored(&s);
}

/* ---- plain loops ---- */

static uint8_t *page_of(const tokens_run *r, int world)
{
    uint8_t *page = malloc((size_t)r->nx * (size_t)r->ny);
    for (int y = 0; y < r->ny; y++)
        for (int x = 0; x < r->nx; x++)
            page[(size_t)y * (size_t)r->nx + (size_t)x] = byte_of(x, (r->alike ? 0 : y) + world);
    return page;
}

static void find_words(const tokens_run *r, const uint8_t *page, tokens *words)
{
    for (int step = 0; step < r->steps; step++)
        for (int y = 0; y < r->ny; y++) {
            const uint8_t *row = page + (size_t)y * (size_t)r->nx, *end = row + r->nx;
            for (const uint8_t *at = row; at < end; at++) {
                const uint8_t *behind = at;
                if (at > row && at[-1] != ' ') continue;
                while (behind < end && *behind != ' ') behind++;
                add(words, (token){.text = at, .length = (uint64_t)(behind - at)});
            }
        }
}

static void expect_all(const tokens_run *r, const outcome *o, const char *path)
{
    const int worlds = r->worlds ? r->worlds : 1;
    tokens words[8] = {0}, rows[8] = {0}, numbers[8] = {0}, ever[8] = {0}, ids[8] = {0};
    uint8_t *pages[8];
    for (int w = 0; w < worlds; w++) {
        pages[w] = page_of(r, w);
        find_words(r, pages[w], &words[w]);
        for (int y = 0; y < r->ny; y++)
            add(&rows[w], (token){.text = pages[w] + (size_t)y * (size_t)r->nx, .length = (uint64_t)r->nx});
        for (int64_t i = 0; i < (int64_t)r->nx * r->ny; i++)
            for (int step = 1; step <= r->steps; step++) {
                add(&ever[w], (token){.number = number_of(r->kind, i, step)});
                if (step == r->steps) add(&numbers[w], (token){.number = number_of(r->kind, i, step)});
            }
        for (uint64_t id = 0; id < WALKERS; id++) add(&ids[w], (token){.number = id % 37});
    }
    expect_keys(o, path, "words", words, worlds, r->options);
    expect_keys(o, path, "rows", rows, worlds, r->options);
    expect_keys(o, path, "numbers", numbers, worlds, r->options);
    expect_keys(o, path, "ever", ever, worlds, r->options);
    expect_keys(o, path, "ids", ids, worlds, r->options);
    for (int w = 0; w < worlds; w++) free(pages[w]);
}

void expect_tokens(const tokens_run *r)
{
    const char *folder = folder_make();
    const char *from = r->folder ? text("--resume '%s'", r->folder)
                                 : text("--size %dx%d --set kind=%d --set alike=%d --seed 5 --worlds %d", r->nx, r->ny,
                                        r->kind, r->alike, r->worlds ? r->worlds : 1);
    outcome o = engine_run(text("--plugin '%s/tokens.so' --steps %d --checkpoint '%s' %s %s", MASS_TEST_PLUGINS,
                                r->steps, folder, from, r->options));
    expect_all(r, &o, checkpoint_path(folder, (uint64_t)r->steps));
    outcome_free(&o);
}
