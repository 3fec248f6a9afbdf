/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that start from files: agents from a table, and worlds from a sweep. */
#ifndef MASS_TESTS_MODELS_TABLES_H
#define MASS_TESTS_MODELS_TABLES_H

#include "same.h"

/* Expects that agents from a .csv and from an .h5 of the same content have the result of one CPU thread. It runs with
 * the options `where` in 1, 2, 3 and 7 partitions, and checks the number of agents. */
void expect_tables(const char *where);

/* The same for sweeps of sugarscape and minesweeper. Each of their worlds must be the run of its row. */
void expect_sweeps(const char *where);

#endif
