/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that start from files: agents from a table, and worlds from a sweep. */
#ifndef MASS_TESTS_MODELS_TABLES_H
#define MASS_TESTS_MODELS_TABLES_H

#include "same.h"

/* Agents from a .csv and from an .h5 of the same content come to the same, which one CPU thread comes to, run with
 * the options `where` in 1, 2, 3 and 7 partitions; and there are as many as there have to be. */
void expect_tables(const char *where);

/* The same of sweeps of sugarscape and minesweeper; and each of their worlds is the run of its row. */
void expect_sweeps(const char *where);

#endif
