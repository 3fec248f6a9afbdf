/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram_known.h"
#include "run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BELOW, ABOVE, INFINITE, NOT_A_NUMBER, APART };

const counting each_mode[] = {{"bytes", 256, 0, 256}, {"u16", 65536, 0, 65536}, {"u32", 65536, 0, 4294967296.0},
                              {"f32", 256, 0, 1}, {NULL, 0, 0, 0}};

static const counting *mode_of(const counting *c)
{
    const counting *m = each_mode;
    while (m->mode && strcmp(m->mode, c->mode) != 0) m++;
    cr_assert_not_null(m->mode);
    return m;
}

static counting whole(const counting *c) { return c->bins ? *c : *mode_of(c); }

static size_t item_size(const counting *c)
{
    const ptrdiff_t mode = mode_of(c) - each_mode;
    return mode == 0 ? 1 : mode == 1 ? 2 : 4;
}

static double item(const counting *c, const unsigned char *at)
{
    uint16_t small;
    uint32_t large;
    float real;
    memcpy(&small, at, item_size(c) == 1 ? 1 : 2);
    if (item_size(c) == 1) return at[0];
    if (item_size(c) == 2) return small;
    memcpy(&large, at, sizeof large);
    memcpy(&real, at, sizeof real);
    return strcmp(c->mode, "u32") == 0 ? (double)large : (double)real;
}

/* ---- files ---- */

const char *file_make(const void *bytes, size_t size)
{
    const char *path = text("%s/items", folder_make());
    FILE *f = fopen(path, "wb");
    cr_assert_not_null(f);
    cr_assert_eq(fwrite(bytes, 1, size, f), size);
    cr_assert_eq(fclose(f), 0);
    return path;
}

/* Around the bins, at one of their edges, or nothing that a bin could hold. */
static float some_float(const counting *c, uint64_t random)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 1e-45f, -3e38f};
    const double width = (c->hi - c->lo) / (double)c->bins, unit = (double)(random >> 11) * 0x1p-53;
    if (random % 16 == 0) return odd[random / 16 % 6];
    if (random % 16 == 1) return (float)(c->lo + (double)(random / 16 % (uint64_t)(c->bins + 1)) * width);
    return (float)(c->lo + (c->hi - c->lo) * (1.25 * unit - 0.125));
}

const char *items_make(const counting *c, size_t items)
{
    const counting w = whole(c);
    const size_t size = item_size(c);
    unsigned char *bytes = malloc(items * size + 1);
    uint64_t random = 88172645463325252u;
    for (size_t i = 0; i < items; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const float real = some_float(&w, random);
        if (strcmp(c->mode, "f32") == 0) memcpy(bytes + i * size, &real, size);
        else memcpy(bytes + i * size, &random, size);
    }
    const char *path = file_make(bytes, items * size);
    free(bytes);
    return path;
}

static unsigned char *file_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*size + 1);
    cr_assert_eq(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

/* ---- counting ---- */

/* The last bin that begins at v or below. */
static int64_t bin_of(const counting *c, double v)
{
    const double width = (c->hi - c->lo) / (double)c->bins;
    int64_t first = 0, beyond = c->bins;
    while (beyond - first > 1) {
        const int64_t middle = (first + beyond) / 2;
        if (c->lo + (double)middle * width <= v) first = middle;
        else beyond = middle;
    }
    return first;
}

static void count(const counting *c, const unsigned char *bytes, size_t size, int64_t *counts, int64_t apart[APART])
{
    for (size_t at = 0; at < size; at += item_size(c)) {
        const double v = item(c, bytes + at);
        if (isnan(v)) apart[NOT_A_NUMBER]++;
        else if (isinf(v)) apart[INFINITE]++;
        else if (v < c->lo) apart[BELOW]++;
        else if (v > c->hi) apart[ABOVE]++;
        else counts[bin_of(c, v)]++;
    }
}

static void expect_tally(const char *checkpoint, const char *name, const int64_t *expected, int64_t bins,
                         const char *options)
{
    dataset found = dataset_read(checkpoint, text("/tallies/%s/accumulator", name));
    const int64_t *at = (const int64_t *)(const void *)found.bytes;
    cr_assert_eq(found.size, (size_t)bins * sizeof *at, "%s has %zu bytes: %s", name, found.size, options);
    for (int64_t i = 0; i < bins; i++)
        if (at[i] != expected[i])
            cr_assert_fail("%s[%lld] is %lld and not %lld: %s", name, (long long)i, (long long)at[i],
                           (long long)expected[i], options);
    free(found.bytes);
}

void expect_counts_in(const char *checkpoint, const char *path, const counting *c, const char *options)
{
    const counting w = whole(c);
    size_t size;
    unsigned char *bytes = file_read(path, &size);
    int64_t *counts = calloc((size_t)w.bins, sizeof *counts), apart[APART] = {0};
    const int64_t total = (int64_t)(size / item_size(c));
    count(&w, bytes, size, counts, apart);
    expect_tally(checkpoint, "counts", counts, w.bins, options);
    expect_tally(checkpoint, "total", &total, 1, options);
    if (item_size(c) > 1) expect_tally(checkpoint, "apart", apart, APART, options);
    free(counts);
    free(bytes);
}

const char *counting_options(const char *path, const counting *c)
{
    const char *model = text("--plugin histogram --seed 1 --set 'input=%s' --set mode=%s", path, c->mode);
    if (c->bins == 0) return model;
    return text("%s --set bins=%lld --set lo=%.17g --set hi=%.17g", model, (long long)c->bins, c->lo, c->hi);
}

void expect_counts(const char *path, const counting *c, const char *options)
{
    uint64_t step;
    const char *folder = folder_make(), *all = text("%s %s", counting_options(path, c), options);
    outcome o = engine_run(text("%s --checkpoint '%s'", all, folder));
    cr_assert_eq(checkpoint_steps(folder, false, &step, 1), 1);
    expect_counts_in(checkpoint_path(folder, step), path, c, all);
    outcome_free(&o);
    folder_empty(folder);
}

/* ---- words ---- */

const char *words_make(size_t words)
{
    static const char *const some[] = {"the", "The", "of", "\xce\xba\xce\xb1\xce\xb9", "na\xc3\xafve",
                                       "\xe4\xbd\xa0", "a", "x-y", "THE", "word", "incomprehensibilities", "0", "Of"};
    static const char spaces[] = " \t\n\v\f\r";
    char *all = malloc(words * 40 + 1), *at = all;
    cr_assert(all);
    uint32_t random = 7;
    for (size_t i = 0; i < words; i++) {
        random = random * 1664525 + 1013904223;
        at += sprintf(at, "%s", some[(random >> 8) % (sizeof some / sizeof *some)]);
        if (random >> 28 == 0) at += sprintf(at, "%u", (random >> 12) % 60);
        for (uint32_t k = 0; k <= (random >> 4) % 3; k++) *at++ = spaces[(random >> (4 + k)) % 6];
    }
    const char *path = file_make(all, (size_t)(at - all));
    free(all);
    return path;
}

void expect_words(const char *path, bool folded, const char *options)
{
    outcome o = engine_run(text("--plugin histogram --seed 1 --set mode=words --set input='%s' --set fold=%s %s", path,
                                folded ? "yes" : "no", options));
    const json_t *counts = json_object_get(json_object_get(o.report, "tallies"), "counts");
    const char *counted = text("export LC_ALL=C; tr -s ' \\t\\n\\v\\f\\r' '\\n' < '%s' | tr '%s' '%s' | grep -a . | "
                               "sort | uniq -c | sort -k1,1nr -k2,2", path, folded ? "A-Z" : "A", folded ? "a-z" : "A");
    FILE *lines = popen(counted, "r");
    cr_assert(lines);
    long long count, total = 0, distinct = 0;
    for (char word[100]; fscanf(lines, "%lld %99s", &count, word) == 2; distinct++) {
        const json_t *pair = json_array_get(json_object_get(counts, "top"), (size_t)distinct);
        total += count;
        if (distinct >= 100) continue;
        cr_assert_eq(json_integer_value(json_array_get(pair, 1)), count, "%s: %s", word, options);
        cr_assert_str_eq(json_string_value(json_array_get(pair, 0)), word, "%s", options);
    }
    cr_assert_eq(pclose(lines), 0);
    cr_assert_eq(json_integer_value(json_object_get(counts, "distinct")), distinct, "%s", options);
    cr_assert_eq(tally_of(&o, "total"), total, "%s", options);
    outcome_free(&o);
}
