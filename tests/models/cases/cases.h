/* SPDX-License-Identifier: Apache-2.0 */
/* Random small cases of models of agents, and of places in turn, in random ways to run. Each comes to what a plain
 * program of its model does.
 *
 * A case is a number. MASS_CASES sets how many there are, MASS_CASES_FROM the first, and MASS_CASES_OF the only model.
 * With MASS_CASES, the number of every hundredth case is printed:
 *
 *     MASS_CASES=20000 build/release/tests/bin/test-models-cases
 *
 * Programs of their own run the cases over ranks, on a GPU, and over ranks by NCCL: those that can't are skipped, and
 * say why. */
#ifndef MASS_TESTS_MODELS_CASES_H
#define MASS_TESTS_MODELS_CASES_H

#include <stdbool.h>
#include <stdint.h>

/* A source of the numbers of one case. Half of the cases have small numbers more often than large ones. */
typedef struct dice {
    uint64_t key;
    uint64_t next;
    bool small;
} dice;

/* Returns a number from `least` to `most`. */
int64_t roll(dice *d, int64_t least, int64_t most);

/* Returns options for a way to run a model whose partitions divide an axis of so many rows, in so many worlds. */
typedef const char *way_source(dice *d, int64_t rows, int worlds);

/* Ways on CPUs of one process. */
way_source draw_cpu_way;

/* Runs the cases in ways of a source, which divides spaces of `rows` rows and more. alone: one process runs them, which
 * all models allow. `sample`: how many, without MASS_CASES. A run that stops and goes on does parts of it in ways on
 * CPUs. */
void expect_cases(way_source *ways, int64_t rows, bool alone, int sample);

#endif
