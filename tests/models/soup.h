/* SPDX-License-Identifier: Apache-2.0 */
/* Life against a plain reference, cell by cell, and against what is known of famous patterns. */
#ifndef MASS_TESTS_MODELS_SOUP_H
#define MASS_TESTS_MODELS_SOUP_H

/* Random soups of many sizes, under several rules and both edges, run with the options `where` and
 * by a plain reference from the same start for as many steps. */
void expect_soups(const char *where, int steps);

/* The population of a pattern of the data folder after some steps on 2048 x 2048. */
void expect_population(const char *where, const char *pattern, int steps, long population);

#endif
