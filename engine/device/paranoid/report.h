/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the paranoid device about callbacks that broke a promise. All functions but mass_trial_describe return
 * MASS_BAD_PLUGIN, and put the callback, the field and the step before the message. `byte` counts from the start of a
 * copy. */
#ifndef MASS_ENGINE_PARANOID_REPORT_H
#define MASS_ENGINE_PARANOID_REPORT_H

#include "device/paranoid/trial.h"

mass_status mass_trial_report(const mass_trial *t, const mass_copy *c, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes "place (3, 4) of world 0", or "world 0" for a tally. Returns text. */
const char *mass_trial_describe(const mass_trial *t, const mass_copy *c, size_t byte, char text[PLACE_TEXT]);

/* The callback wrote a byte that it may not write. */
mass_status mass_trial_report_write(const mass_trial *t, const mass_copy *c, size_t byte);
/* The result of `changed` differs when `read` has another poison. */
mass_status mass_trial_report_read(const mass_trial *t, const mass_copy *read, const mass_copy *changed, size_t byte);
/* The result differs when the call is repeated, or in another order. */
mass_status mass_trial_report_state(const mass_trial *t, const mass_copy *c, size_t byte);
mass_status mass_trial_report_order(const mass_trial *t, const mass_copy *c, size_t byte);
mass_status mass_trial_report_form(const mass_trial *t, const mass_copy *c, size_t byte); /* The result differs with
                                                                                             another form. */

#endif
