/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/edge_arrays.h"
#include "io/input/numbers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Returns whether a file is an array by its name. One that ends in .h5 without a data set is, too. */
static bool is_array(const char *path)
{
    static const char *const endings[] = {".npy", ".h5", ".hdf5"};
    const size_t length = strlen(path);
    bool is = mass_numbers_hdf5_file(path) > 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i]);
        is |= length > tail && strcasecmp(path + length - tail, endings[i]) == 0;
    }
    return is;
}

/* Returns number i as an integer, and sets *beyond if that has more than 63 bits. */
static int64_t integer_at(const mass_numbers *a, uint64_t i, bool *beyond)
{
    int64_t number = 0;
#define CASE(CODE, TYPE)                                       \
    case CODE: {                                               \
        TYPE own;                                              \
        memcpy(&own, (const TYPE *)a->values + i, sizeof own); \
        number = (int64_t)own;                                 \
        break;                                                 \
    }
    switch (a->type) {
        CASE(MASS_I8, int8_t)
        CASE(MASS_U8, uint8_t)
        CASE(MASS_I16, int16_t)
        CASE(MASS_U16, uint16_t)
        CASE(MASS_I32, int32_t)
        CASE(MASS_U32, uint32_t)
        CASE(MASS_I64, int64_t)
        CASE(MASS_U64, uint64_t)
    default: break; /* check_form refuses others */
    }
#undef CASE
    *beyond = a->type == MASS_U64 && number < 0;
    return number;
}

/* Says what could be meant by an array of another shape. */
static const char *meant_by(const mass_numbers *a)
{
    if (a->rank != 2) return "";
    if (a->extent[0] == 2) return ": save array.T";
    if (a->extent[0] == a->extent[1]) return ": of a matrix, save numpy.argwhere(array)";
    return a->extent[1] > 2 ? ": values of edges are columns of a CSV" : "";
}

/* Refuses an array that has another form than edges: another shape than [m][2], truth values, or floats. */
static mass_status check_form(const mass_network *n, const mass_numbers *a, mass_error *error)
{
    char shape[MASS_NUMBERS_AXES * 24] = "";
    for (uint32_t i = 0, used = 0; i < a->rank; i++)
        used += (uint32_t)snprintf(shape + used, sizeof shape - used, "[%" PRIu64 "]", a->extent[i]);
    if (a->rank == 0)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: it is a single number, and edges are an array of shape "
                              "[m][2]", n->file);
    if (a->rank != 2 || a->extent[1] != 2)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: its shape is %s, and that of edges is [m][2]%s", n->file,
                              shape, meant_by(a));
    if (a->truth)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: it holds truth values, and edges are the numbers of two "
                              "nodes each", n->file);
    if (a->type == MASS_F32 || a->type == MASS_F64)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: it holds floats, and nodes are numbered by integers: save "
                              "array.astype('int64')", n->file);
    return MASS_OK;
}

/* Refuses an end of an edge that is no node: negative, or beyond the nodes; nodes 0: beyond what can be numbered.
 * number: of the end, with two in a row. */
static mass_status refuse(const mass_network *n, const mass_numbers *a, uint64_t number, mass_gidx nodes,
                          mass_error *error)
{
    bool beyond = false;
    const int64_t node = integer_at(a, number, &beyond);
    if (node < 0 && !beyond)
        return mass_error_set(error, MASS_BAD_INPUT, "%s, row %" PRIu64 ": '%" PRId64 "' is no number of a node: nodes "
                              "are numbered from 0", n->file, number / 2, node);
    if (!nodes)
        return mass_error_set(error, MASS_BAD_INPUT, "%s, row %" PRIu64 ": node %" PRIu64 " is beyond what can be "
                              "numbered, 0 to %d", n->file, number / 2, (uint64_t)node, MASS_NODES_MOST - 1);
    return mass_error_set(error, MASS_BAD_INPUT, "%s, row %" PRIu64 ": there is no node %" PRIu64 ": network '%s' has "
                          "nodes 0 to %" PRId64, n->file, number / 2, (uint64_t)node, n->name, nodes - 1);
}

/* Makes the list of edges from an array that has their form. Refuses an end that is no node, and in a simple network an
 * edge from a node to itself. */
static mass_status take(const mass_network *n, const mass_numbers *a, mass_gidx nodes, mass_edge_list *out,
                        mass_error *error)
{
    const mass_gidx end = nodes ? nodes : MASS_NODES_MOST;
    const uint64_t count = a->extent[0];
    out->rows = true;
    if (n->simple && !(out->line = malloc(((size_t)count + 1) * sizeof *out->line)))
        return mass_error_memory(error, ((size_t)count + 1) * sizeof *out->line, "a network");
    out->from = malloc(((size_t)count + 1) * sizeof *out->from);
    out->to = malloc(((size_t)count + 1) * sizeof *out->to);
    if (!out->from || !out->to) return mass_error_memory(error, ((size_t)count + 1) * 2 * sizeof *out->to, "a network");
    out->room = count + 1;
    for (uint64_t i = 0; i < 2 * count; i++) {
        bool beyond = false;
        const int64_t node = integer_at(a, i, &beyond);
        if (beyond || node < 0 || node >= end) return refuse(n, a, i, nodes, error);
        (i % 2 ? out->to : out->from)[i / 2] = (uint32_t)node;
        if (node >= out->nodes) out->nodes = node + 1;
    }
    for (uint64_t i = 0; n->simple && i < count; i++) {
        out->line[i] = i;
        if (out->from[i] == out->to[i])
            return mass_error_set(error, MASS_BAD_INPUT, "%s, row %" PRIu64 ": it joins node %" PRIu32 " to itself, "
                                  "which network '%s' does not allow", n->file, i, out->from[i], n->name);
    }
    out->count = count;
    out->scratch = (double)a->count * (double)mass_type_size(a->type);
    return MASS_OK;
}

mass_status mass_edge_arrays_read_again(const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                                        mass_edge_list *out, mass_error *error)
{
    struct stat facts;
    *out = (mass_edge_list){0};
    if (stat(n->file, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
        return mass_error_set(error, MASS_BAD_INPUT, "%s is no file but a pipe or a device, and this run reads its "
                              "edges more than once: copy it into a file", n->file);
    return mass_edge_arrays_read(n, nodes, known, out, error);
}

mass_status mass_edge_arrays_read(const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                                  mass_edge_list *out, mass_error *error)
{
    if (!is_array(n->file)) return mass_edge_list_read(n, nodes, known, out, error);
    *out = (mass_edge_list){0};
    mass_numbers numbers = {0};
    mass_status status = mass_numbers_read(n->file, NULL, &numbers, error);
    if (status == MASS_OK) status = check_form(n, &numbers, error);
    if (status == MASS_OK) status = take(n, &numbers, nodes, out, error);
    mass_numbers_free(&numbers);
    return status;
}
