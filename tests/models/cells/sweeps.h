/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps whose worlds have different rules. */
#ifndef MASS_TESTS_MODELS_CELLS_SWEEPS_H
#define MASS_TESTS_MODELS_CELLS_SWEEPS_H

enum { SWEEPS = 12 };

/* Expects that sweep `number`, run with the options `where`, has the same result with and without rules. Its worlds
 * must have the result of a plain loop. Numbers differ in size, edges and kind of rules. */
void expect_plain_sweep(int number, const char *where);

/* Expects that each of its worlds has the result of its row as a run. */
void expect_sweep_of_runs(int number, const char *where);

#endif
