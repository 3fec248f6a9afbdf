/* SPDX-License-Identifier: Apache-2.0 */
#include "boltzmann/plain.h"
#include "standard/stored.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 4000, MONEY = 10, SETTLED = 3000, LOOKS = 5 };
static const int steps[LOOKS] = {0, 10, 100, 600, SETTLED};

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Both of sorted values. */
static double gini_of(const int64_t *wealth, size_t count)
{
    double sum = 0, weighted = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)wealth[i];
        weighted += (double)(i + 1) * (double)wealth[i];
    }
    return (2 * weighted / sum - (double)(count + 1)) / (double)count;
}

static double entropy_of(const int64_t *wealth, size_t count)
{
    double entropy = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && wealth[end] == wealth[first];) end++;
        const double share = (double)(end - first) / (double)count;
        entropy -= share * log(share);
    }
    return entropy;
}

static int64_t *wealth_at(const char *folder, int step)
{
    size_t count;
    const char *path = checkpoint_path(folder, (uint64_t)step);
    int64_t *wealth = stored_agents(path, "people", "wealth", sizeof *wealth, &count);
    cr_assert_eq(count, PEOPLE);
    qsort(wealth, count, sizeof *wealth, compare);
    return wealth;
}

/* The share of people with k falls as exp(-k / MONEY). Then Gini's coefficient is 1/2 and the entropy 1 + log(MONEY),
 * but for what whole numbers add. */
static void expect_exponential(const int64_t *wealth, const char *to)
{
    const double gini = gini_of(wealth, PEOPLE), entropy = entropy_of(wealth, PEOPLE);
    cr_expect(fabs(gini - 0.5) < 0.02, "Gini's coefficient is %.4f: %s", gini, to);
    cr_expect(fabs(entropy / (1 + log(MONEY)) - 1) < 0.02, "the entropy is %.4f: %s", entropy, to);
}

void expect_settled(const char *to)
{
    const char *folder = folder_make();
    for (int i = 0; i < LOOKS; i++)
        engine_write(text("--plugin '%s/boltzmann.so' --seed 3 --size 40x25 --set people=%d --set money=%d --set to=%s "
                          "--steps %d --checkpoint '%s' --device cpu", getenv("MASS_PLUGINS"), PEOPLE, MONEY, to,
                          steps[i], folder));
    double before = -1;
    for (int i = 0; i < LOOKS; i++) {
        int64_t *wealth = wealth_at(folder, steps[i]);
        const double entropy = entropy_of(wealth, PEOPLE);
        cr_expect_gt(entropy, before, "the entropy of step %d is %.4f, after %.4f: %s", steps[i], entropy, before, to);
        before = entropy;
        if (i == LOOKS - 1) expect_exponential(wealth, to);
        free(wealth);
    }
    folder_empty(folder);
}

void expect_known_poor(void)
{
    static const int money[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof money / sizeof *money; i++) {
        outcome o = engine_run(text("--plugin '%s/boltzmann.so' --seed 4 --size 9x9 --set people=%d --set money=%d "
                                    "--steps 600 --device cpu", getenv("MASS_PLUGINS"), PEOPLE, money[i]));
        const double known = sqrt(1.0 + money[i] * money[i]) - money[i];
        const double poor = (double)tally_of(&o, "poor") / PEOPLE, error = sqrt(known * (1 - known) / PEOPLE);
        cr_expect(fabs(poor - known) < 4 * error, "%.4f have nothing, and not %.4f", poor, known);
        outcome_free(&o);
    }
}
