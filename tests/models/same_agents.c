/* SPDX-License-Identifier: Apache-2.0 */
#include "../extended.h"
#include "same.h"

static int least(int a, int b) { return a < b ? a : b; }

static void same_over_ranks(const model *m, int ranks)
{
    expect_same(m, text("--device cpu --threads 1 --ranks %d --partitions %d", ranks, ranks - 1), expected_result(m));
}
void same_over_two_ranks(const model *m) { same_over_ranks(m, 2); }
void same_over_three_ranks(const model *m) { same_over_ranks(m, 3); }
void same_on_threads(const model *m)
{
    const char *expected = expected_result(m);
    if (unsanitized(0, 1)) expect_same(m, "--device cpu --threads 2", expected);
    expect_same(m, "--device cpu --threads 5", expected);
}

void same_in_partitions(const model *m)
{
    expect_same_in_partitions(m, "--device cpu --threads 2", expected_result(m));
}

void same_on_paranoid(const model *m)
{
    expect_same_in_partitions(m, "--device paranoid --threads 1", expected_result(m));
}

void same_on_gpu(const model *m) { expect_same(m, "--device cuda", expected_result(m)); }

void same_in_partitions_on_gpu(const model *m) { expect_same_in_partitions(m, "--device cuda", expected_result(m)); }

static void expect_same_worlds_in_partitions(const model *m, const char *where)
{
    for (partition_counts p = next_partition_counts(m); p.first < p.end; p.first++)
        expect_same_worlds(m, text("%s --partitions %d", where, p.first[0]), "--device cpu --threads 1");
}

void same_worlds(const model *m)
{
    static size_t turn;
    const size_t number = turn++;
    if (takes_part(number, 2)) expect_same_worlds_in_partitions(m, "--device cpu --threads 2");
    if (takes_part(number + 1, 2))
        expect_same_worlds(m, text("--device paranoid --threads 1 --partitions %d", least(m->rows, 3)),
                           "--device paranoid --threads 1");
}

void same_worlds_on_gpu(const model *m)
{
    expect_same_worlds_in_partitions(m, "--device cuda");
    expect_same_worlds(m, "--device cpu --threads 2", "--device cuda");
}

void same_resumed(const model *m)
{
    const leg legs[] = {{1, "--device cpu --threads 1"},
                        {17, text("--device cpu --threads 2 --partitions %d", least(m->rows, 3))},
                        {18, "--device paranoid --threads 1"},
                        {0, text("--device cpu --threads 1 --partitions %d", least(m->rows, 7))}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
}

void same_resumed_on_gpu(const model *m)
{
    const leg legs[] = {{3, "--device cpu --threads 2"},
                        {m->steps - 7, text("--device cuda --partitions %d", least(m->rows, 3))},
                        {m->steps - 6, "--device paranoid --threads 1"},
                        {0, "--device cuda"}};
    expect_same_resumed(m, legs, sizeof legs / sizeof *legs);
}
