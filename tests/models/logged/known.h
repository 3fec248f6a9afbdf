/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that log every step, or every few: their rows and what they end with are those of one step after the other. */
#ifndef MASS_TESTS_MODELS_LOGGED_KNOWN_H
#define MASS_TESTS_MODELS_LOGGED_KNOWN_H

/* Life in spaces, by rules and with edges that differ from number to number, `where`, beside a CPU that takes each step
 * by itself and each place by bytes. */
void logged_expect_same(int number, const char *where);

/* Steps that go together, so that runs are to end at every one of them. */
extern const int logged_fuse[];
enum { LOGGED_FUSES = 5, LOGGED_CASES = 24 };

#endif
