/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that end by a condition, against series of runs that do not. */
#ifndef MASS_TESTS_MODELS_UNTIL_KNOWN_H
#define MASS_TESTS_MODELS_UNTIL_KNOWN_H

/* On the devices that the options `where` say, a run ends at the first step at which its condition holds, with the
 * state and tallies of a run that was to end there. */
void expect_until_of_life(const char *where);
void expect_until_of_agents(const char *where);
void expect_until_in_worlds(const char *where);
/* ... after many hundred steps. */
void expect_until_late(const char *where);
/* ... also when checkpoints, pictures and series are written on the way, and when it is resumed, with `to`. */
void expect_until_beside_output(const char *where);
void expect_until_resumed(const char *where, const char *to);

/* What is logged is the same everywhere, whatever the interval. */
void expect_same_rows(const char *where);

#endif
