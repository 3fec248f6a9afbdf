/* SPDX-License-Identifier: Apache-2.0 */
/* Compares Life with a plain reference, cell by cell, and with known results of famous patterns. */
#ifndef MASS_TESTS_MODELS_SOUP_H
#define MASS_TESTS_MODELS_SOUP_H

/* Compares random soups of many sizes, rules and both edges, run with the options `where`, with a plain reference from
 * the same start. */
void expect_soups(const char *where, int steps);

/* Expects the population of a pattern of the data folder after some steps on 2048 x 2048. */
void expect_population(const char *where, const char *pattern, int steps, long population);

#endif
