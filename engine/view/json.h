/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for answers. Main thread. */
#ifndef MASS_ENGINE_VIEW_JSON_H
#define MASS_ENGINE_VIEW_JSON_H

#include "text/json.h"
#include "text/number.h"
#include "base/error.h"
#include "view/desk.h"

/* Returns a number, or null if JSON cannot express it. */
json_t *mass_view_number(double value);

/* Returns a number of any type, or null if JSON cannot express it. An integer that a double cannot store exactly
 * becomes a text, since JavaScript reads numbers as doubles. */
json_t *mass_view_value(mass_number n);

/* Makes an answer of a JSON value, with a status of HTTP, and releases the value, on failure too. mass_json_begin has
 * been called before it was made. Fails if json is NULL or mass_json_is_whole is false, as memory was short. */
mass_status mass_view_answer_json(json_t *json, int status, mass_view_answer *out, mass_error *error);

#endif
