/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of answers. Main thread. */
#ifndef MASS_ENGINE_VIEW_JSON_H
#define MASS_ENGINE_VIEW_JSON_H

#include "text/json.h"
#include "text/number.h"
#include "base/error.h"
#include "view/desk.h"

/* A number, or null where JSON has none. */
json_t *mass_view_number(double value);

/* The same; an integer that a double might not hold is a text, since that is what JavaScript makes of numbers. */
json_t *mass_view_value(mass_number n);

/* The answer of a value that is built, which is released; json is NULL, or mass_json_is_whole false, if there was no
 * memory. */
mass_status mass_view_answer_json(json_t *json, int status, mass_view_answer *out, mass_error *error);

#endif
