/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the order of claims, decisions and pairs in the schedules (the SDK's claims.h). The attributes tell them
 * apart: a body with CLAIMS updates those of claims, one with PAIRS reads those of pairs, and only decisions write
 * pairs. */
#ifndef MASS_ENGINE_CLAIMS_H
#define MASS_ENGINE_CLAIMS_H

#include "model/model.h"

/* Refuses claims without a decision, decisions without claims, pairs before a decision or after their end, and pairs
 * beyond the reach of the phase that reads them. Part of mass_model_resolve. */
mass_status mass_claims_check(const mass_model *m, mass_error *error);

/* Returns whether a phase decides about claims. Once the model is resolved. */
bool mass_claims_are_decided(const mass_model *m, const mass_phase_def *p);

#endif
