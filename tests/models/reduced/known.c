/* SPDX-License-Identifier: Apache-2.0 */
#include "reduced_known.h"
#include "reduced.h"
#include "run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All values of one attribute in one world. 113 bits hold the sums of those of `reduced` without rounding. */
typedef struct numbers {
    size_t count;
    __float128 *exact;
    uint64_t *bits; /* of integers, as int64_t */
    bool real;
} numbers;

typedef struct wanted {
    const outcome *o;
    const char *options;
    int world, worlds;
} wanted;

static const json_t *tally(const wanted *w, const char *name)
{
    const json_t *found = json_object_get(json_object_get(w->o->report, "tallies"), name);
    return w->worlds == 1 ? found : json_array_get(found, (size_t)w->world);
}

static void expect_real(const wanted *w, const char *name, double value)
{
    const json_t *found = tally(w, name);
    if (isnan(value)) cr_assert(json_is_null(found), "%s is no NaN: %s", name, w->options);
    else
        cr_assert(json_is_real(found) && json_real_value(found) == value, "%s is %.17g and not %.17g: %s", name,
                  json_real_value(found), value, w->options);
}

static void expect_integer(const wanted *w, const char *name, int64_t value)
{
    const json_t *found = tally(w, name);
    cr_assert(json_is_integer(found) && json_integer_value(found) == value, "%s is %lld and not %lld: %s", name,
              (long long)json_integer_value(found), (long long)value, w->options);
}

static void expect_number(const wanted *w, const char *name, bool real, double value, int64_t integer)
{
    if (real) expect_real(w, name, value);
    else expect_integer(w, name, integer);
}

static void expect_bins(const wanted *w, const char *name, const numbers *n, int bins, double low, double high)
{
    int64_t counts[BINS] = {0}, below = 0, above = 0, nan = 0;
    const double width = (high - low) / bins;
    for (size_t i = 0; i < n->count; i++) {
        const double v = (double)n->exact[i];
        if (isnan(v)) nan++;
        else if (v < low) below++;
        else if (v > high) above++;
        else {
            int bin = 0;
            while (bin < bins - 1 && v >= low + (bin + 1) * width) bin++;
            counts[bin]++;
        }
    }
    const json_t *found = tally(w, name);
    cr_assert_eq(json_array_size(found), (size_t)bins, "%s: %s", name, w->options);
    for (int i = 0; i < bins; i++)
        cr_assert_eq(json_integer_value(json_array_get(found, (size_t)i)), counts[i], "bin %d of %s: %s", i, name,
                     w->options);
    expect_integer(w, text("%s.below", name), below);
    expect_integer(w, text("%s.above", name), above);
    expect_integer(w, text("%s.nan", name), nan);
}

/* Every reduction of one attribute, by the names of all_reductions(). */
static void expect_all(const wanted *w, const char *suffix, const numbers *n, bool wide, double low, double high)
{
    __float128 sum = 0;
    uint64_t wrapped = 0;
    size_t least = 0, most = 0;
    for (size_t i = 0; i < n->count; i++) {
        sum += n->exact[i];
        wrapped += n->bits[i];
        if (n->exact[i] < n->exact[least]) least = i;
        if (n->exact[i] > n->exact[most]) most = i;
    }
    expect_number(w, text("sum_%s", suffix), n->real, (double)sum, (int64_t)wrapped);
    expect_number(w, text("min_%s", suffix), n->real || wide, (double)n->exact[least], (int64_t)n->bits[least]);
    expect_number(w, text("max_%s", suffix), n->real || wide, (double)n->exact[most], (int64_t)n->bits[most]);
    for (size_t i = sum = 0; i < n->count; i++) sum += (double)n->exact[i];
    expect_real(w, text("mean_%s", suffix), (double)(sum / n->count));
    expect_bins(w, text("hist_%s", suffix), n, BINS, low, high);
}

/* What a reader of the type at `bytes` finds: an integer as such, any number without rounding. */
#define READER(NAME, TYPE, LOW, HIGH)                                                              \
    static void read_##NAME(const unsigned char *bytes, size_t i, __float128 *exact, uint64_t *bits) \
    {                                                                                              \
        TYPE value;                                                                                \
        memcpy(&value, bytes + i * sizeof value, sizeof value);                                    \
        *exact = value;                                                                            \
        *bits = (TYPE)0.5 == 0 ? (uint64_t)value : 0;                                              \
    }
REDUCED_TYPES(READER)

typedef void reader(const unsigned char *bytes, size_t i, __float128 *exact, uint64_t *bits);

/* Those of one world; world_of NULL: of places, of which every world has as many. Component c of `length`. */
static numbers read_numbers(const char *checkpoint, const char *name, reader *read, size_t size,
                            const dataset *world_of, const wanted *w, size_t length, size_t c)
{
    dataset d = dataset_read(checkpoint, name);
    const size_t all = d.size / size / length, each = world_of ? all : all / (size_t)w->worlds;
    numbers n = {.exact = calloc(each + 1, sizeof *n.exact), .bits = calloc(each + 1, sizeof *n.bits)};
    for (size_t k = 0; k < each; k++) {
        int32_t world = w->world;
        if (world_of) memcpy(&world, world_of->bytes + k * sizeof world, sizeof world);
        if (world != w->world) continue;
        const size_t element = world_of ? k : (size_t)w->world * each + k;
        read(d.bytes, element * length + c, &n.exact[n.count], &n.bits[n.count]);
        n.count++;
    }
    free(d.bytes);
    return n;
}

static void free_numbers(numbers *n)
{
    free(n->exact);
    free(n->bits);
}

/* `owner` is a group of the checkpoint, `prefix` begins the names of its tallies. */
static void expect_owner(const wanted *w, const char *checkpoint, const char *owner, const char *prefix,
                         const dataset *world_of)
{
    numbers n;
#define EXPECT(NAME, TYPE, LOW, HIGH)                                                                                \
    n = read_numbers(checkpoint, text("%s/a_" #NAME, owner), read_##NAME, sizeof(TYPE), world_of, w, 1, 0);          \
    n.real = (TYPE)0.5 != 0;                                                                                         \
    expect_all(w, text("%s_" #NAME, prefix), &n, sizeof(TYPE) == 8 && (TYPE)-1 > 0, LOW, HIGH);                      \
    free_numbers(&n);
    REDUCED_TYPES(EXPECT)
}

/* What the plugin declares itself, and NaN. */
static void expect_declared(const wanted *w, const char *checkpoint, const dataset *world_of)
{
    numbers gap = read_numbers(checkpoint, "/agents/walker/gap", read_f32, sizeof(float), world_of, w, 1, 0);
    numbers second = read_numbers(checkpoint, "/places/grid/pair", read_f64, sizeof(double), NULL, w, 2, 1);
    __float128 sum = 0, of_gap = 0;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = 0; i < second.count; i++) sum += second.exact[i];
    for (size_t i = 0; i < gap.count; i++) {
        of_gap += gap.exact[i];
        least = fmin(least, (double)gap.exact[i]);
        most = fmax(most, (double)gap.exact[i]);
    }
    expect_real(w, "second", (double)sum);
    expect_bins(w, "declared", &gap, 10, 5, 95);
    expect_real(w, "gap_sum", (double)of_gap);
    expect_real(w, "gap_min", least);
    expect_real(w, "gap_max", most);
    free_numbers(&gap);
    free_numbers(&second);
}

const char *all_reductions(void)
{
    static const char *const owners[] = {"", "walker."}, *const prefixes[] = {"p", "w"};
    const char *all = "--tally 'gap_sum=sum(walker.gap)' --tally 'gap_min=min(walker.gap)' "
                      "--tally 'gap_max=max(walker.gap)'";
    for (int i = 0; i < 2; i++) {
        static const char *const operations[] = {"sum", "mean", "min", "max"};
#define ASK(NAME, TYPE, LOW, HIGH)                                                                                    \
    for (int k = 0; k < 4; k++)                                                                                       \
        all = text("%s --tally '%s_%s_" #NAME "=%s(%sa_" #NAME ")'", all, operations[k], prefixes[i], operations[k],  \
                   owners[i]);                                                                                        \
    all = text("%s --tally 'hist_%s_" #NAME "=hist(%sa_" #NAME ",%d," #LOW "," #HIGH ")'", all, prefixes[i],          \
               owners[i], BINS);
        REDUCED_TYPES(ASK)
    }
    return all;
}

void expect_reductions_of(const outcome *o, const char *checkpoint, int worlds, const char *options)
{
    dataset world_of = dataset_read(checkpoint, "/agents/walker/world");
    for (int world = 0; world < worlds; world++) {
        const wanted w = {o, options, world, worlds};
        expect_owner(&w, checkpoint, "/places/grid", "p", NULL);
        expect_owner(&w, checkpoint, "/agents/walker", "w", &world_of);
        expect_declared(&w, checkpoint, &world_of);
    }
    free(world_of.bytes);
}

const char *expect_reduced(const char *options, int steps, int worlds)
{
    const char *folder = folder_make();
    outcome o = engine_run(text("--plugin '%s/reduced.so' --seed 5 --steps %d --worlds %d --checkpoint '%s' %s %s",
                                MASS_TEST_PLUGINS, steps, worlds, folder, options, all_reductions()));
    expect_reductions_of(&o, checkpoint_path(folder, (uint64_t)steps), worlds, options);
    uint64_t sum = 0;
    for (const char *c = o.tallies; *c; c++) sum = (sum ^ (unsigned char)*c) * 0x100000001b3u;
    const char *all = text("%s %llu", o.hash, (unsigned long long)sum);
    outcome_free(&o);
    return all;
}
