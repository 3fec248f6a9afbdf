/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a callback once on copies of its memory (trial.h), and checks that it writes only what it was called to
 * write. */
#ifndef MASS_ENGINE_PARANOID_RUNS_H
#define MASS_ENGINE_PARANOID_RUNS_H

#include "device/paranoid/trial.h"

/* Divides a run's places into two parts, 1 and 0: those whose row number, or whose x, has a bit set, and the others. */
typedef struct mass_cut {
    bool along_x;
    int bit;
} mass_cut;

static const mass_cut mass_cut_none = {false, 62}; /* no row has that bit: all are in one part */

/* Poisons all copies (`flipped`: see mass_trial_poison), and calls the callback for the places of one part, then for
 * those of the other. After each part, all memory but those places must be unchanged. Returns MASS_BAD_PLUGIN with the
 * reason if it is not, or if the callback accessed a place beyond its reach or changed how floats are computed. The
 * copies hold the results. */
mass_status mass_trial_run(const mass_trial *t, mass_cut by, int flipped);

/* Returns the first byte in which two blocks of memory differ. They must differ. */
size_t mass_first_difference(const unsigned char *a, const unsigned char *b);

#endif
