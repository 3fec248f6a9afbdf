/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the model of nodes that read linked nodes. Each run compares its last state with that of a plain program. */
#ifndef MASS_TESTS_LINKED_WAYS_H
#define MASS_TESTS_LINKED_WAYS_H

#include "run.h"

#include <mass/random.h>
#include <stdio.h>

/* Returns the options of a run: `more` and the plugin. */
static inline const char *linked_options(const char *more)
{
    return text("--plugin '%s/linked.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}
static inline const char *linked_bits_options(const char *more)
{
    return text("--plugin '%s/linked_bits.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}
static inline const char *moving_options(const char *more)
{
    return text("--plugin '%s/moving.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}

/* Returns the options of the command for a run of this model. */
static inline const char *turned_options(const char *more)
{
    return text("--plugin '%s/turned.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}
static inline const char *turned_bits_options(const char *more)
{
    return text("--plugin '%s/turned_bits.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}

/* Returns a number from `least` to `most`, drawn for network i. */
static inline int linked_number(int i, uint32_t draw, int least, int most)
{
    const mass_random4 r = mass_random_block(7, (uint64_t)i, 0, 0, draw);
    return least + (int)mass_below_u32((uint32_t)(most - least + 1), r.v[0], r.v[1]);
}

/* Writes an edge list with lines in any order, some edges twice, and loops. */
static inline void linked_write(int i, const char *path, int nodes, int edges)
{
    FILE *f = fopen(path, "w");
    const bool header = linked_number(i, 20, 0, 1);
    if (header) fputs("source,target,weight\n", f);
    for (int k = 0; k < edges; k++) {
        const int from = linked_number(i, 100 + 3 * (uint32_t)k, 0, nodes - 1);
        const int to = linked_number(i, 101 + 3 * (uint32_t)k, 0, nodes - 1);
        fprintf(f, header ? "%d,%d,%d\n" : "%d,%d\n", from, to, linked_number(i, 102 + 3 * (uint32_t)k, -99, 99));
    }
    fclose(f);
}

/* Returns the options that make small network i: its generator or file, and its numbers. `folder` receives files. */
static inline const char *linked_network(int i, const char *folder)
{
    const int generator = i % 10, directed = linked_number(i, 2, 0, 1), columns = linked_number(i, 8, 0, 6);
    const int torus = generator == 7 && columns == 0 ? 0 : linked_number(i, 9, 0, 1);
    int nodes = linked_number(i, 1, 7, 40);
    if (generator == 7 && torus) nodes -= nodes % columns;
    const int simple = linked_number(i, 3, 0, 1), edges = linked_number(i, 4, 0, nodes);
    const char *common = text("--set nodes=%d --set draws=%d --set directed=%d", nodes, i, directed);
    if (generator == 0) {
        const char *path = text("%s/%d.csv", folder, i);
        linked_write(i, path, nodes, 3 * edges + 1);
        return text("%s --set file=%s", common, path);
    }
    common = text("%s --set generator=%d --set simple=%d", common, generator, simple);
    if (generator == 1 || generator == 2)
        return text("%s --set degree=%d --set rewired=0.%d", common, 2 * linked_number(i, 5, 1, 3),
                    linked_number(i, 6, 0, 99));
    if (generator == 4) return text("%s --set degree=%d", common, linked_number(i, 5, 1, 4));
    if (generator == 5)
        return text("%s --set edges=%d --set inside=%d --set blocks=%d --set degree=%d", common, edges / 2, edges / 8,
                    linked_number(i, 5, 2, 3), simple ? 0 : linked_number(i, 7, 0, 5));
    if (generator == 7)
        return text("%s --set columns=%d --set torus=%d --set degree=%d", common, columns, torus,
                    linked_number(i, 5, 1, 2) * 4);
    if (generator == 8)
        return text("%s --set radius=%s --set degree=%d --set torus=%d", common,
                    ((const char *const[]){"0", "0.04", "0.2", "0.34", "0.6"})[linked_number(i, 5, 0, 4)],
                    linked_number(i, 6, 0, 6), torus);
    if (generator == 9)
        return text("%s --set chance=%s", common,
                    ((const char *const[]){"0", "0.02", "0.2", "0.7", "1"})[linked_number(i, 5, 0, 4)]);
    return text("%s --set edges=%d --set degree=%d", common, edges, simple ? 0 : linked_number(i, 7, 0, 5));
}

enum { LINKED_NETWORKS = 210 };

/* Returns the options of a run: `more` and the plugin of a model. */
typedef const char *linked_options_of(const char *more);

/* Expects that some of the small networks have one result in every way to run on one process: in one world, or in
 * several too. */
void expect_one_result_in_every_way(linked_options_of *options, bool several);

#endif
