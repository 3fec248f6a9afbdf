/* SPDX-License-Identifier: Apache-2.0 */
#include "text/series.h"
#include "text/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mass_series_name_valid(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length >= 2 * MASS_NAME_SIZE || (name[0] >= '0' && name[0] <= '9')) return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == length &&
           name[0] != '.' && name[length - 1] != '.' && !strstr(name, "..") && strcmp(name, "step") != 0 &&
           strcmp(name, "world") != 0;
}

mass_status mass_model_add_series(mass_model *m, const mass_series *l, mass_error *error)
{
    const char *expression = l->expression ? l->expression : "", *name = l->name ? l->name : expression;
    mass_error why = {0};
    mass_expression compiled;
    if (!mass_series_name_valid(name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "a log '%s' is not named by letters, digits, '_' and dots, and "
                              "not step or world", name);
    for (uint32_t i = 0; i < m->series_count; i++)
        if (strcmp(m->series[i].name, name) == 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "log '%s' is declared twice", name);
    const mass_expression_scope scope = {m, 1, 0, false};
    if (mass_expression_compile_series("log", expression, &scope, &compiled, &why) != MASS_OK)
        return mass_error_set(error, why.status == MASS_NO_DEVICE ? MASS_NO_DEVICE : MASS_BAD_PLUGIN, "%s", why.text);
    const int tally = mass_expression_tally(&compiled);
    mass_expression_free(&compiled);
    mass_series_def *larger = realloc(m->series, (m->series_count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, "a declaration");
    m->series = larger;
    mass_series_def *def = &larger[m->series_count];
    snprintf(def->name, sizeof def->name, "%s", name);
    def->expression = strdup(expression);
    def->unit = strdup(l->unit ? l->unit : tally >= 0 ? m->tallies[tally].unit : "");
    if (def->expression && def->unit) {
        m->series_count++;
        return MASS_OK;
    }
    free(def->expression);
    free(def->unit);
    return mass_error_memory(error, sizeof *def, "a declaration");
}
