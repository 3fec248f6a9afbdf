/* SPDX-License-Identifier: Apache-2.0 */
#include "io/export/agents_csv.h"
#include "model/network.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* Columns of every table; those after ID_AND_WORLD are for the axes that the space has. */
static const char *const own[] = {"id", "world", "x", "y", "z"};
enum { ID_AND_WORLD = 2 };

/* Returns why a table cannot have an attribute; NULL: it can. columns: how many of the first columns there are. */
static const char *hindrance(const mass_attribute_def *a, uint32_t columns)
{
    if (a->type == MASS_STRUCT) return "it is a struct";
    for (uint32_t i = 0; a->length == 1 && i < columns; i++)
        if (strcmp(a->name, own[i]) == 0) return "the column of that name has something else";
    return NULL;
}

/* Declares a column for each component of an attribute. */
static mass_status add_components(mass_table_rows *rows, const mass_attribute_def *a, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t c = 0; status == MASS_OK && c < a->length; c++) {
        char name[MASS_NAME_SIZE + 16];
        snprintf(name, sizeof name, a->length > 1 ? "%s[%" PRIu32 "]" : "%s", a->name, c);
        status = mass_table_add_column(rows, name, error);
    }
    return status;
}

mass_status mass_agents_csv_columns(mass_table_rows *rows,
                                    void (*leave_out)(const mass_attribute_def *a, const char *why),
                                    mass_error *error)
{
    const mass_model *const m = rows->request->model;
    const mass_population_def *const p = &m->populations[rows->request->population];
    const uint32_t columns = ID_AND_WORLD + m->spaces[p->space].dimensions;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < columns; i++) status = mass_table_add_column(rows, own[i], error);
    for (uint32_t i = p->first_attribute + MASS_AGENT_COLUMNS; status == MASS_OK && i < m->attribute_count; i++) {
        const mass_attribute_def *const a = &m->attributes[i];
        if (a->population != (int32_t)rows->request->population || (int)i == p->position) continue;
        const char *const why = hindrance(a, columns);
        if (!why) status = add_components(rows, a, error);
        else if (leave_out) leave_out(a, why);
    }
    return status;
}

/* ---- values ---- */

/* Writes a real number with the fewest digits, from 6 or 15 on, that are read back as it. */
static void put_real(FILE *to, double value, bool narrow)
{
    char digits[32];
    const int most = narrow ? 9 : 17;
    if (isnan(value)) fputs("nan", to);
    else if (isinf(value)) fputs(value > 0 ? "inf" : "-inf", to);
    else {
        for (int precision = narrow ? 6 : 15; precision <= most; precision++) {
            snprintf(digits, sizeof digits, "%.*g", precision, value);
            const double back = strtod(digits, NULL);
            if (narrow ? (float)back == (float)value : back == value) break;
        }
        fputs(digits, to);
    }
}

/* Writes an element of an attribute's type. */
static void put_element(FILE *to, uint32_t type, const void *at)
{
    const mass_number n = mass_number_at(type, at);
    if (n.kind == MASS_NUMBER_REAL) put_real(to, n.f, type == MASS_F32);
    else if (n.kind == MASS_NUMBER_UNSIGNED) fprintf(to, "%" PRIu64, n.u);
    else fprintf(to, "%" PRId64, n.i);
}

/* Writes the number of a node, or its name, in quotes. */
static void put_node(FILE *to, const mass_node_names *names, int64_t node)
{
    const char *const name = mass_node_name(names, node);
    if (name) fprintf(to, "\"%s\"", name);
    else fprintf(to, "%" PRId64, node);
}

/* ---- rows ---- */

/* What all rows of a table need. */
typedef struct writing {
    const mass_snapshot *snapshot;
    const mass_gidx *size; /* of the space */
    const mass_node_names *names; /* of nodes; NULL: x is a number */
    uint32_t first_attribute;
    FILE *to;
} writing;

/* Writes a field of an agent: what its column says. */
static void put_field(const writing *w, const mass_table_column *c, uint64_t agent)
{
    const mass_snapshot *const s = w->snapshot;
    const int64_t place = ((const int64_t *)s->attributes[w->first_attribute + MASS_AGENT_PLACE])[agent];
    const mass_attribute_def *const a = &s->model->attributes[c->attribute];
    switch (c->role) {
    case MASS_TABLE_ID:
        fprintf(w->to, "%" PRIu64, ((const uint64_t *)s->attributes[w->first_attribute + MASS_AGENT_ID])[agent]);
        break;
    case MASS_TABLE_WORLD:
        fprintf(w->to, "%" PRId32,
                s->first_world + ((const int32_t *)s->attributes[w->first_attribute + MASS_AGENT_WORLD])[agent]);
        break;
    case MASS_TABLE_X:
        if (w->names) put_node(w->to, w->names, place);
        else fprintf(w->to, "%" PRId64, place % w->size[0]);
        break;
    case MASS_TABLE_Y: fprintf(w->to, "%" PRId64, place / w->size[0] % w->size[1]); break;
    case MASS_TABLE_Z: fprintf(w->to, "%" PRId64, place / w->size[0] / w->size[1]); break;
    default:
        put_element(w->to, a->type, (const uint8_t *)s->attributes[c->attribute] + agent * mass_element_size(a) +
                                        c->component * a->component_size);
    }
}

void mass_agents_csv_write(const mass_snapshot *s, const mass_table_rows *rows, FILE *to)
{
    const uint32_t population = rows->request->population;
    const mass_population_def *const p = &s->model->populations[population];
    const mass_network_def *const n = mass_model_network_of(s->model, p->space);
    const writing w = {s, s->model->spaces[p->space].size, n && n->names.count ? &n->names : NULL, p->first_attribute,
                       to};
    for (uint32_t i = 0; i < rows->column_count; i++) fprintf(to, "%s%s", i ? "," : "", rows->columns[i].name);
    fputc('\n', to);
    for (uint64_t agent = 0; agent < s->agents[population] && !ferror(to); agent++) {
        for (uint32_t i = 0; i < rows->column_count; i++) {
            if (i) fputc(',', to);
            put_field(&w, &rows->columns[i], agent);
        }
        fputc('\n', to);
    }
}
