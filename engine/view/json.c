/* SPDX-License-Identifier: Apache-2.0 */
#include "view/json.h"

#include <math.h>
#include <string.h>

json_t *mass_view_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *mass_view_value(mass_number n)
{
    static const int64_t most = (int64_t)1 << 53;
    char text[MASS_NUMBER_SIZE];
    uint64_t bits;
    if (n.kind == MASS_NUMBER_REAL) return mass_view_number(n.f);
    return mass_number_integer(n, -most, (uint64_t)most, &bits) ? json_integer((json_int_t)bits)
                                                                : json_string(mass_number_show(n, text));
}

mass_status mass_view_answer_json(json_t *json, int status, mass_view_answer *out, mass_error *error)
{
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(json);
    if (!text || !mass_json_is_whole()) {
        free(text);
        return mass_error_memory(error, 1 << 16, "an answer to a browser");
    }
    *out = (mass_view_answer){status, "application/json", text, strlen(text)};
    return MASS_OK;
}
