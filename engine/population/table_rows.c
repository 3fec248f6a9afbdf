/* SPDX-License-Identifier: Apache-2.0 */
#include "population/table_rows.h"
#include "model/positions.h"
#include "model/range.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_MOST ((uint64_t)1 << 62) /* children get higher ids, which still fit a tally */
static const uint64_t agents_most = UINT32_MAX - 2;

/* ---- refusals ---- */

mass_status mass_table_refuse(const mass_table_rows *rows, uint64_t row, mass_error *error, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mass_error_set(error, rows->by_hand ? MASS_BAD_PLUGIN : MASS_BAD_INPUT, "%s, %s %" PRIu64 ": %s", rows->path,
                          rows->by_hand ? "agent" : rows->lines ? "line" : "row", rows->lines ? row + 2 : row, text);
}

/* Returns the place of the header for messages; empty if the file has no lines. */
static const char *header_of(const mass_table_rows *rows) { return rows->lines ? ", line 1" : ""; }

/* Lists the possible columns, for messages: "x, y, id, world, health". Returns `out`; a long list is cut off. */
static const char *list_columns(const mass_table_rows *rows, char out[400])
{
    static const char *const axes[] = {"x", "x, y", "x, y, z"};
    const mass_model *m = rows->request->model;
    const mass_population_def *p = &m->populations[rows->request->population];
    snprintf(out, 400, "%s, id, world", axes[m->spaces[p->space].dimensions - 1]);
    for (uint32_t i = p->first_attribute + MASS_AGENT_COLUMNS; i < m->attribute_count; i++) {
        const size_t used = strlen(out);
        if (m->attributes[i].population == (int32_t)rows->request->population && (int)i != p->position)
            snprintf(out + used, 400 - used, ", %s%s", m->attributes[i].name, m->attributes[i].length > 1 ? "[0]" : "");
    }
    return out;
}

/* ---- columns ---- */

/* Finds the attribute that a column's name means: "wealth", or "gene[2]" for one of several components, which must
 * be said. Columns of the engine, such as the id, do not count. Sets *out; returns false if there is none. */
static bool find_attribute(const mass_table_rows *rows, const char *name, mass_table_column *out)
{
    const mass_model *m = rows->request->model;
    char stem[sizeof out->name];
    const char *bracket = strchr(name, '[');
    const size_t length = bracket ? (size_t)(bracket - name) : strlen(name);
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    const int index = mass_model_find_agent_attribute(m, rows->request->population, stem);
    const uint32_t first = m->populations[rows->request->population].first_attribute;
    if (index < 0 || (uint32_t)index < first + MASS_AGENT_COLUMNS) return false;
    const mass_attribute_def *a = &m->attributes[index];
    int64_t component = 0;
    if (bracket) {
        const size_t digits = strlen(bracket + 1);
        if (digits < 2 || bracket[digits] != ']') return false;
        snprintf(stem, sizeof stem, "%.*s", (int)digits - 1, bracket + 1);
        if (!mass_read_i64(stem, &component) || component < 0 || component >= a->length) return false;
    } else if (a->length > 1) return false;
    out->role = MASS_TABLE_ATTRIBUTE;
    out->attribute = (uint32_t)index;
    out->component = (uint32_t)component;
    return true;
}

/* Finds a column's meaning by its name: x, y, z, id, world, or an attribute. Sets *out; returns false if it has
 * none. */
static bool find_column(const mass_table_rows *rows, const char *name, mass_table_column *out)
{
    static const char *const fixed[] = {"x", "y", "z", "id", "world"};
    const mass_model *m = rows->request->model;
    const uint32_t dimensions = m->spaces[m->populations[rows->request->population].space].dimensions;
    const int position = m->populations[rows->request->population].position;
    for (uint32_t i = 0; i < 5; i++)
        if (strcmp(name, fixed[i]) == 0 && (i >= 3 || i < dimensions)) {
            out->role = (mass_table_role)i;
            if (i >= 3 || position < 0) return true;
            out->role = MASS_TABLE_ATTRIBUTE; /* a coordinate of continuous space */
            out->attribute = (uint32_t)position;
            out->component = i;
            return true;
        }
    return find_attribute(rows, name, out);
}

mass_status mass_table_add_column(mass_table_rows *rows, const char *name, mass_error *error)
{
    char list[400];
    mass_table_column column = {0};
    if (strlen(name) >= sizeof column.name || !find_column(rows, name, &column))
        return mass_error_set(error, MASS_BAD_INPUT, "%s%s: there is no column '%.100s' for population %s; it may have "
                              "%s", rows->path, header_of(rows), name,
                              rows->request->model->populations[rows->request->population].name,
                              list_columns(rows, list));
    snprintf(column.name, sizeof column.name, "%s", name);
    if (column.role == MASS_TABLE_ATTRIBUTE && rows->request->model->attributes[column.attribute].type == MASS_STRUCT)
        return mass_error_set(error, MASS_BAD_INPUT, "%s%s: attribute '%s' is a struct, which no column can give",
                              rows->path, header_of(rows), name);
    for (uint32_t i = 0; i < rows->column_count; i++) {
        const mass_table_column *other = &rows->columns[i];
        if (other->role == column.role && other->attribute == column.attribute && other->component == column.component)
            return mass_error_set(error, MASS_BAD_INPUT, "%s%s: columns '%s' and '%s' are the same", rows->path,
                                  header_of(rows), other->name, name);
    }
    mass_table_column *larger = realloc(rows->columns, (rows->column_count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, "a table");
    rows->columns = larger;
    rows->columns[rows->column_count++] = column;
    return MASS_OK;
}

/* Returns true if a column with this role was added. */
static bool has_role(const mass_table_rows *rows, mass_table_role role)
{
    for (uint32_t i = 0; i < rows->column_count; i++)
        if (rows->columns[i].role == role) return true;
    return false;
}

/* Returns true if a column has the coordinates along an axis: of places, or of points. */
static bool has_axis(const mass_table_rows *rows, uint32_t axis)
{
    const int position = rows->request->model->populations[rows->request->population].position;
    bool has = position < 0 && has_role(rows, (mass_table_role)axis);
    for (uint32_t i = 0; position >= 0 && i < rows->column_count; i++)
        has |= rows->columns[i].role == MASS_TABLE_ATTRIBUTE && rows->columns[i].attribute == (uint32_t)position &&
               rows->columns[i].component == axis;
    return has;
}

/* ---- rows ---- */

/* Makes an array longer, of `to` elements in place of `from`; NULL is one of no elements. New elements are zero.
 * Returns false if memory is short. */
static bool widen(void **array, uint64_t from, uint64_t to, size_t size)
{
    if (!*array) return (*array = calloc(to ? to : 1, size)) != NULL;
    char *longer = realloc(*array, (to ? to : 1) * size);
    if (!longer) return false;
    memset(longer + from * size, 0, (to - from) * size);
    *array = longer;
    return true;
}

/* Makes a column of values longer, for `to` rows in place of `from`. New ones are the attribute's default. Returns
 * false if memory is short. */
static bool widen_values(const mass_attribute_def *a, void **values, uint64_t from, uint64_t to)
{
    if (!widen(values, from, to, mass_element_size(a))) return false;
    for (uint64_t i = from * a->length; i < to * a->length; i++)
        memcpy((uint8_t *)*values + i * a->component_size, a->initial, a->component_size);
    return true;
}

/* Makes room for a number of rows in the arrays that there are, and in that of places. */
static bool widen_rows(mass_table_rows *rows, uint64_t room)
{
    const mass_model *m = rows->request->model;
    void *place = rows->place, *id = rows->id, *world = rows->world;
    bool good = widen(&place, rows->room, room, sizeof *rows->place);
    if (good && id) good = widen(&id, rows->room, room, sizeof *rows->id);
    if (good && world) good = widen(&world, rows->room, room, sizeof *rows->world);
    rows->place = place, rows->id = id, rows->world = world;
    for (uint32_t i = 0; good && rows->values && i < m->attribute_count; i++)
        if (rows->values[i]) good = widen_values(&m->attributes[i], &rows->values[i], rows->room, room);
    if (good) rows->room = room;
    return good;
}

mass_status mass_table_widen(mass_table_rows *rows, uint64_t room, mass_error *error)
{
    const uint64_t half_more = rows->room + rows->room / 2, wide = room > half_more ? room : half_more;
    if (room <= rows->room && rows->place) return MASS_OK;
    if (room > agents_most)
        return mass_error_set(error, MASS_BAD_USAGE, "%s: more than 2^32 - 3 agents", rows->path);
    if (!rows->values) rows->values = calloc(rows->request->model->attribute_count, sizeof *rows->values);
    if (rows->values && widen_rows(rows, wide)) return MASS_OK;
    return mass_error_memory(error, wide * 16, "a table");
}

mass_status mass_table_hold_ids(mass_table_rows *rows, mass_error *error)
{
    if (rows->id) return MASS_OK;
    rows->id = malloc((rows->room ? rows->room : 1) * sizeof *rows->id);
    if (!rows->id) return mass_error_memory(error, rows->room * sizeof *rows->id, "a table");
    for (uint64_t i = 0; i < rows->room; i++) rows->id[i] = MASS_TABLE_UNNUMBERED;
    return MASS_OK;
}

mass_status mass_table_hold_values(mass_table_rows *rows, uint32_t attribute, mass_error *error)
{
    const mass_attribute_def *a = &rows->request->model->attributes[attribute];
    if (rows->values[attribute] || widen_values(a, &rows->values[attribute], 0, rows->room)) return MASS_OK;
    return mass_error_memory(error, rows->room * mass_element_size(a), "a table");
}

mass_status mass_table_allocate(mass_table_rows *rows, uint64_t room, mass_error *error)
{
    static const char *const axes[] = {"x", "y", "z"};
    const mass_model *m = rows->request->model;
    const mass_population_def *p = &m->populations[rows->request->population];
    for (uint32_t a = 0; a < m->spaces[p->space].dimensions; a++)
        if (!has_axis(rows, a))
            return mass_error_set(error, MASS_BAD_INPUT, "%s%s: there is no column '%s', which has the places of "
                                  "agents",
                                  rows->path, header_of(rows), axes[a]);
    if (room > agents_most)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: there are %" PRIu64 " rows, more than 2^32 - 3", rows->path,
                              room);
    rows->room = room;
    rows->place = calloc(room ? room : 1, sizeof *rows->place);
    rows->values = calloc(m->attribute_count, sizeof *rows->values);
    bool good = rows->place && rows->values;
    if (has_role(rows, MASS_TABLE_ID)) good = (rows->id = calloc(room ? room : 1, sizeof *rows->id)) && good;
    if (has_role(rows, MASS_TABLE_WORLD)) good = (rows->world = calloc(room ? room : 1, sizeof *rows->world)) && good;
    for (uint32_t i = 0; good && i < rows->column_count; i++) {
        const mass_table_column *c = &rows->columns[i];
        if (c->role == MASS_TABLE_ATTRIBUTE && !rows->values[c->attribute])
            good = widen_values(&m->attributes[c->attribute], &rows->values[c->attribute], 0, room);
    }
    return good ? MASS_OK : mass_error_memory(error, room * 16, "a table");
}

/* Frees all columns and values. The struct is not zeroed. */
void mass_table_rows_free(mass_table_rows *rows)
{
    for (uint32_t i = 0; rows->values && i < rows->request->model->attribute_count; i++) free(rows->values[i]);
    free(rows->columns);
    free(rows->place);
    free(rows->id);
    free(rows->world);
    free(rows->values);
}

/* Returns true if a column holds real numbers. */
static bool is_real(const mass_table_rows *rows, const mass_table_column *c)
{
    return c->role == MASS_TABLE_ATTRIBUTE && mass_number_is_real(rows->request->model->attributes[c->attribute].type);
}

bool mass_table_is_real(const mass_table_rows *rows, uint32_t column) { return is_real(rows, &rows->columns[column]); }

const mass_attribute_def *mass_table_attribute(const mass_table_rows *rows, uint32_t column)
{
    const mass_table_column *c = &rows->columns[column];
    return c->role == MASS_TABLE_ATTRIBUTE ? &rows->request->model->attributes[c->attribute] : NULL;
}

/* Stores an attribute's value in its row. Refuses one that the type or the attribute's range excludes. */
static mass_status put_value(mass_table_rows *rows, const mass_table_column *c, uint64_t row, mass_number n,
                             mass_error *error)
{
    const mass_attribute_def *a = &rows->request->model->attributes[c->attribute];
    char shown[MASS_NUMBER_SIZE], range[MASS_RANGE_TEXT];
    void *to = (char *)rows->values[c->attribute] + row * mass_element_size(a) + c->component * a->component_size;
    if (mass_number_store(a->type, n, to))
        return mass_range_find(a, to, 1) == 1 ? MASS_OK
               : mass_table_refuse(rows, row, error, "%s: %s is not a value that %s have: %s", c->name,
                                   mass_number_show(mass_number_at(a->type, to), shown),
                                   mass_owner_name(rows->request->model, a), mass_range_show(a, range));
    return mass_table_refuse(rows, row, error, "%s: %s is not a value of type %s", c->name, mass_number_show(n, shown),
                             mass_type_name(a->type));
}

/* Returns the largest number that a column other than one of an attribute may hold. */
static uint64_t most_of(const mass_table_rows *rows, mass_table_role role)
{
    const mass_model *m = rows->request->model;
    const mass_space_def *s = &m->spaces[m->populations[rows->request->population].space];
    if (role == MASS_TABLE_ID) return ID_MOST;
    if (role == MASS_TABLE_WORLD) return INT32_MAX;
    return (uint64_t)(role == MASS_TABLE_PLACE ? mass_space_places(s) : s->size[role]) - 1;
}

mass_status mass_table_put_in(mass_table_rows *rows, const mass_table_column *c, uint64_t row, mass_number n,
                              mass_error *error)
{
    if (!is_real(rows, c)) mass_number_make_integer(&n);
    if (c->role == MASS_TABLE_ATTRIBUTE) return put_value(rows, c, row, n, error);
    const mass_model *m = rows->request->model;
    const mass_gidx *size = m->spaces[m->populations[rows->request->population].space].size;
    const uint64_t most = most_of(rows, c->role);
    uint64_t value;
    char shown[MASS_NUMBER_SIZE];
    if (!mass_number_integer(n, 0, most, &value))
        return mass_table_refuse(rows, row, error, "%s: %s is not an integer from 0 to %" PRIu64, c->name,
                                 mass_number_show(n, shown), most);
    if (c->role == MASS_TABLE_ID) rows->id[row] = value;
    else if (c->role == MASS_TABLE_WORLD) rows->world[row] = (int32_t)value;
    else if (c->role == MASS_TABLE_PLACE) rows->place[row] = value;
    else {
        uint64_t stride = 1;
        for (uint32_t a = 0; a < (uint32_t)c->role; a++) stride *= (uint64_t)size[a];
        rows->place[row] += value * stride;
    }
    return MASS_OK;
}

mass_status mass_table_put(mass_table_rows *rows, uint32_t column, uint64_t row, mass_number n, mass_error *error)
{
    return mass_table_put_in(rows, &rows->columns[column], row, n, error);
}

/* ---- agents ---- */

typedef struct agent {
    uint32_t cell, row;
    uint64_t id;
} agent;

/* Orders agents for qsort: by cell, then id, then row. */
static int by_cell(const void *first, const void *second)
{
    const agent *a = first, *b = second;
    if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Returns true if a row is an agent in every world. */
static bool is_everywhere(const mass_table_rows *rows, uint64_t row)
{
    return !rows->world || rows->world[row] == MASS_EVERY_WORLD;
}

/* Returns the world of a row as an index in the run, or -1 if it is outside. */
static int32_t world_of(const mass_table_rows *rows, uint64_t row)
{
    const int64_t world = (int64_t)rows->world[row] - rows->request->first_world;
    return world >= 0 && world < rows->request->worlds ? (int32_t)world : -1;
}

/* Counts the agents of all worlds: a row without a world is one in each; rows of other worlds do not count. */
static uint64_t count_agents(const mass_table_rows *rows)
{
    if (!rows->world) return rows->count * (uint64_t)rows->request->worlds;
    uint64_t count = 0;
    for (uint64_t i = 0; i < rows->count; i++)
        count += is_everywhere(rows, i) ? (uint64_t)rows->request->worlds : world_of(rows, i) >= 0;
    return count;
}

/* Returns a row's id. One without an id gets *next. Then *next is above it. */
static uint64_t take_id(const mass_table_rows *rows, uint64_t row, int64_t *next)
{
    if (!rows->id || rows->id[row] == MASS_TABLE_UNNUMBERED) return (uint64_t)(*next)++;
    if (*next <= (int64_t)rows->id[row]) *next = (int64_t)rows->id[row] + 1;
    return rows->id[row];
}

/* Makes an agent of each row, or one in each world if the row has no world. `agents` has room for as many as
 * count_agents counts. Sets next[], 0 before, to the first id for children in each world: one above all ids of its
 * agents. */
static void place_agents(const mass_table_rows *rows, uint64_t places, int64_t *next, agent *agents)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < rows->count; i++) {
        const bool everywhere = is_everywhere(rows, i);
        const int32_t only = everywhere ? 0 : world_of(rows, i), end = everywhere ? rows->request->worlds : only + 1;
        for (int32_t w = only; w >= 0 && w < end; w++)
            agents[n++] = (agent){(uint32_t)((uint64_t)w * places + rows->place[i]), (uint32_t)i,
                                  take_id(rows, i, &next[w])};
    }
}

/* Refuses the first row whose id occurs before it in the same world. Without a column of ids does nothing. */
static mass_status check_ids(const mass_table_rows *rows, const agent *agents, uint64_t count, uint64_t places,
                             mass_error *error)
{
    if (!rows->id || count == 0) return MASS_OK;
    agent *sorted = malloc(count * sizeof *sorted);
    if (!sorted) return mass_error_memory(error, count * sizeof *sorted, "a table");
    for (uint64_t i = 0; i < count; i++)
        sorted[i] = (agent){(uint32_t)(agents[i].cell / places), agents[i].row, agents[i].id};
    qsort(sorted, count, sizeof *sorted, by_cell); /* by world and id: `cell` is the world here */
    const agent *found = NULL;
    for (uint64_t i = 1; i < count; i++)
        if (sorted[i].cell == sorted[i - 1].cell && sorted[i].id == sorted[i - 1].id &&
            (!found || sorted[i].row < found->row))
            found = &sorted[i];
    if (found)
        mass_table_refuse(rows, found->row, error, "id: an agent before it in world %d has the id %" PRIu64 ", too",
                          rows->request->first_world + (int32_t)found->cell, found->id);
    free(sorted);
    return error->status;
}

/* Refuses a place with more agents than the population's capacity. Agents have to be ordered by cell. */
static mass_status check_capacity(const mass_table_rows *rows, const agent *agents, uint64_t count, mass_error *error)
{
    const mass_population_def *p = &rows->request->model->populations[rows->request->population];
    uint32_t residents = 0;
    for (uint64_t i = 0; p->capacity && i < count; i++) {
        residents = i && agents[i].cell == agents[i - 1].cell ? residents + 1 : 1;
        if (residents > p->capacity)
            return mass_table_refuse(rows, agents[i].row, error, "its place would have more agents of population %s "
                                     "than the %u that it holds", p->name, p->capacity);
    }
    return MASS_OK;
}

/* Fills in the cells, ids and values of *out, in the order of `agents`. out->count and an empty out->values are there
 * before. False if memory is short. */
static bool gather(const mass_table_rows *rows, const agent *agents, mass_table *out)
{
    const mass_model *m = rows->request->model;
    out->cell = malloc(((size_t)out->count + 1) * sizeof *out->cell);
    out->id = malloc(((size_t)out->count + 1) * sizeof *out->id);
    out->values[m->populations[rows->request->population].first_attribute + MASS_AGENT_ID] = out->id;
    if (!out->cell || !out->id) return false;
    for (uint32_t i = 0; i < out->count; i++) out->cell[i] = agents[i].cell, out->id[i] = agents[i].id;
    for (uint32_t a = 0; a < m->attribute_count; a++) {
        if (!rows->values[a]) continue;
        const size_t size = mass_element_size(&m->attributes[a]);
        char *to = malloc(((size_t)out->count + 1) * size);
        out->values[a] = to;
        if (!to) return false;
        for (uint32_t i = 0; i < out->count; i++)
            memcpy(to + i * size, (const char *)rows->values[a] + agents[i].row * size, size);
    }
    return true;
}

/* Sets rows->place to the places of agents, from their positions. Refuses a row whose position is outside of the space.
 * Does nothing for agents without positions. */
static mass_status find_places(const mass_table_rows *rows, mass_error *error)
{
    static const char axes[] = "xyz";
    const mass_model *m = rows->request->model;
    const mass_population_def *p = &m->populations[rows->request->population];
    const size_t size = p->position < 0 ? 0 : mass_element_size(&m->attributes[p->position]);
    for (uint64_t i = 0; size && i < rows->count; i++) {
        const char *const point = (const char *)rows->values[p->position] + i * size;
        int64_t place = 0;
        const int axis = mass_positions_find_place(m, rows->request->population, point, &place);
        if (axis >= 0) {
            const mass_space_def *s = &m->spaces[p->space];
            return mass_table_refuse(rows, i, error, "%c: %.9g is not from 0 to below %.9g, where space %s ends",
                                     axes[axis],
                                     mass_positions_coordinate(m, rows->request->population, point, (uint32_t)axis),
                                     (double)s->size[axis] * s->cell, s->name);
        }
        rows->place[i] = (uint64_t)place;
    }
    return MASS_OK;
}

mass_status mass_table_finish(const mass_table_rows *rows, mass_table *out, mass_error *error)
{
    const mass_table_request *q = rows->request;
    const mass_status found = find_places(rows, error);
    if (found != MASS_OK) return found;
    const uint64_t places = (uint64_t)mass_space_places(&q->model->spaces[q->model->populations[q->population].space]);
    const uint64_t count = count_agents(rows);
    if (count > agents_most || places > agents_most / (uint64_t)q->worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "%s: more than 2^32 - 3 agents or places over all worlds",
                              rows->path);
    mass_table table = {.count = (uint32_t)count};
    agent *agents = malloc((count + 1) * sizeof *agents);
    table.next_id = calloc((size_t)q->worlds, sizeof *table.next_id);
    table.values = calloc(q->model->attribute_count, sizeof *table.values);
    mass_status status = agents && table.next_id && table.values
                             ? MASS_OK : mass_error_memory(error, count * sizeof *agents, "a table");
    if (status == MASS_OK) {
        place_agents(rows, places, table.next_id, agents);
        status = check_ids(rows, agents, count, places, error);
    }
    if (status == MASS_OK) {
        qsort(agents, count, sizeof *agents, by_cell);
        status = check_capacity(rows, agents, count, error);
    }
    if (status == MASS_OK && !gather(rows, agents, &table))
        status = mass_error_memory(error, count * sizeof *agents, "a table");
    if (status == MASS_OK) *out = table;
    else mass_table_free(q->model, &table);
    free(agents);
    return status;
}

void mass_table_free(const mass_model *m, mass_table *t)
{
    for (uint32_t i = 0; t->values && i < m->attribute_count; i++)
        if (t->values[i] != t->id) free(t->values[i]);
    free(t->values);
    free(t->id);
    free(t->cell);
    free(t->next_id);
    *t = (mass_table){0};
}
