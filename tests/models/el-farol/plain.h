/* SPDX-License-Identifier: Apache-2.0 */
/* People who go to a bar or stay at home, as plain loops. */
#ifndef MASS_TESTS_MODELS_EL_FAROL_PLAIN_H
#define MASS_TESTS_MODELS_EL_FAROL_PLAIN_H

#include "same.h"

/* Calls check for models of several sizes and of bars of several widths. */
void each_el_farol(void (*check)(const model *m));

/* Runs each with the options `where`. Expects what the plain loops say of everybody, and of the past, bit by bit. */
void expect_el_farol(const char *where);

#endif
