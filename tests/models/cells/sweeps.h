/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps whose worlds have rules of their own. */
#ifndef MASS_TESTS_MODELS_CELLS_SWEEPS_H
#define MASS_TESTS_MODELS_CELLS_SWEEPS_H

enum { SWEEPS = 12 };

/* Sweep `number` comes to the same, run with the options `where`, as without rules, and its worlds to what a plain loop
 * comes to. Numbers differ in size, edges and kind of rules. */
void expect_plain_sweep(int number, const char *where);

/* Each of its worlds is the run of its row. */
void expect_sweep_of_runs(int number, const char *where);

#endif
