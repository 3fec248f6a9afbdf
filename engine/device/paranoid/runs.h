/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a callback on copies of its memory (trial.h), which checks that it writes nothing but what it was asked
 * to write. */
#ifndef MASS_ENGINE_PARANOID_RUNS_H
#define MASS_ENGINE_PARANOID_RUNS_H

#include "device/paranoid/trial.h"

/* Cuts a run's places into two parts: those whose row, or whose x, has a bit set in its number, and the others. */
typedef struct mass_cut {
    bool along_x;
    int bit;
} mass_cut;

static const mass_cut mass_cut_none = {false, 62}; /* no row has that bit: all are in one part */

/* Poisons all copies (`flipped`: see mass_trial_poison), and calls the callback for the places of one part and then for
 * those of the other. After each part, all memory but the places asked for has to be as before. Returns MASS_BAD_PLUGIN
 * with the reason where it is not, or where the callback accessed a place beyond its reach. The copies hold what the
 * callback computed. */
mass_status mass_trial_run(const mass_trial *t, mass_cut by, int flipped);

/* The first byte in which two pieces of memory differ, as they do somewhere. */
size_t mass_first_difference(const unsigned char *a, const unsigned char *b);

#endif
