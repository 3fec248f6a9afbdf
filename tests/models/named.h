/* SPDX-License-Identifier: Apache-2.0 */
/* Expects that the paranoid device names what a body may not do, and that this has one result elsewhere. */
#ifndef MASS_TESTS_MODELS_NAMED_H
#define MASS_TESTS_MODELS_NAMED_H

#include <stdbool.h>

/* Expects that both runs end with status 0, and that their state hashes are the same, or are not. They may write to
 * standard error. */
void expect_same_hash(const char *one, const char *other, bool same);

/* Expects that the run ends on the paranoid device with status 3, and that its standard error contains both texts. */
void paranoid_names(const char *options, const char *words, const char *where);

/* Expects that too, and that runs on other devices end with status 0 and the same state hash. */
void only_paranoid_names(const char *options, const char *words, const char *where);

#endif
