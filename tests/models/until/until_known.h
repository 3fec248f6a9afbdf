/* SPDX-License-Identifier: Apache-2.0 */
/* Compares runs that end by a condition with the series of runs that do not. */
#ifndef MASS_TESTS_MODELS_UNTIL_KNOWN_H
#define MASS_TESTS_MODELS_UNTIL_KNOWN_H

/* Expects, on the devices of the options `where`, that a run ends at the first step at which its condition holds. Its
 * state and tallies must be those of a run with that number of steps. */
void expect_until_of_life(const char *where);
void expect_until_of_agents(const char *where);
void expect_until_in_worlds(const char *where);
/* The same after many hundred steps. */
void expect_until_late(const char *where);
/* The same while it writes checkpoints, pictures and series, and when it is resumed, with `to`. */
void expect_until_beside_output(const char *where);
void expect_until_resumed(const char *where, const char *to);

/* Expects that logged rows are the same everywhere, whatever the interval. */
void expect_same_rows(const char *where);

#endif
