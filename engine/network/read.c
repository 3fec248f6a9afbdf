/* SPDX-License-Identifier: Apache-2.0 */
/* Reads edge lists: lines of two numbers, and values of columns that a header names. */
#include "network/edges.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = MASS_EDGE_COLUMNS + 2, NONE = -1 };

/* The state of a read. */
typedef struct reading {
    const mass_network *n;
    mass_gidx nodes;
    mass_edge_list *list;
    uint64_t line;
    int source, target;  /* words of a line */
    int words;           /* of a line; 0: no line was read */
    int column[WORDS];   /* the column of each word, or NONE */
    mass_error *error;
} reading;

/* Fails with the file and the line. */
static mass_status bad(const reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static mass_status bad(const reading *r, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return mass_error_set(r->error, MASS_BAD_INPUT, "%s, line %" PRIu64 ": %s", r->n->file, r->line, what);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Divides a line into words, at commas or at spaces and tabs. Returns their number, at most WORDS + 1. */
static int divide(char *line, char *words[WORDS + 1])
{
    const bool commas = strchr(line, ',') != NULL;
    int count = 0;
    for (char *at = line; count <= WORDS;) {
        while (is_space(*at)) at++;
        if (!*at && (!commas || count == 0)) break;
        words[count++] = at;
        while (*at && *at != ',' && (commas || !is_space(*at))) at++;
        char *end = at;
        const bool more = *at != '\0';
        if (more) at++;
        while (end > words[count - 1] && is_space(end[-1])) end--;
        *end = '\0';
        if (!more) break;
    }
    return count;
}

/* Adds the column of a word of the header. */
static mass_status add_column(reading *r, const char *name, int word)
{
    if (strlen(name) >= MASS_EDGE_NAME || !*name) return bad(r, "'%s' is no name of a column", name);
    if (r->list->column_count == MASS_EDGE_COLUMNS)
        return bad(r, "it names more than %d columns besides source and target", MASS_EDGE_COLUMNS);
    for (uint32_t i = 0; i < r->list->column_count; i++)
        if (strcmp(r->list->columns[i].name, name) == 0) return bad(r, "column '%s' is there twice", name);
    r->column[word] = (int)r->list->column_count;
    snprintf(r->list->columns[r->list->column_count++].name, MASS_EDGE_NAME, "%s", name);
    return MASS_OK;
}

/* Keeps the lines of edges, for messages. No edge was read yet. */
static mass_status keep_lines(reading *r)
{
    if (!r->list->line) r->list->line = calloc(1, sizeof *r->list->line);
    return r->list->line ? MASS_OK : mass_error_memory(r->error, sizeof *r->list->line, "a network");
}

/* Takes the header. */
static mass_status take_header(reading *r, char *const *words, int count)
{
    mass_status status = MASS_OK;
    r->source = r->target = NONE;
    for (int i = 0; status == MASS_OK && i < count; i++) {
        r->column[i] = NONE;
        int *const end = strcmp(words[i], "source") == 0 ? &r->source : strcmp(words[i], "target") == 0 ? &r->target
                                                                                                       : NULL;
        if (end && *end != NONE) status = bad(r, "column '%s' is there twice", words[i]);
        else if (end) *end = i;
        else status = add_column(r, words[i], i);
    }
    if (status == MASS_OK && (r->source == NONE || r->target == NONE))
        status = bad(r, "its header has no column '%s'", r->source == NONE ? "source" : "target");
    r->words = count;
    return status == MASS_OK && r->list->column_count ? keep_lines(r) : status;
}

/* Reads the number of a node. */
static mass_status read_node(const reading *r, const char *word, uint32_t *out)
{
    const mass_gidx end = r->nodes ? r->nodes : MASS_NODES_MOST;
    uint64_t number = 0;
    const char *at = word;
    for (; *at >= '0' && *at <= '9' && number < MASS_NODES_MOST; at++) number = 10 * number + (uint64_t)(*at - '0');
    if (at == word || (*at && (*at < '0' || *at > '9')))
        return bad(r, "'%s' is no number of a node: nodes are numbered from 0", word);
    if (*at || number >= (uint64_t)end)
        return r->nodes ? bad(r, "there is no node %s: network '%s' has nodes 0 to %" PRId64, word, r->n->name, end - 1)
                        : bad(r, "node %s is beyond what can be numbered, 0 to %" PRId64, word, end - 1);
    *out = (uint32_t)number;
    return MASS_OK;
}

/* Reads a value of a column. */
static mass_status read_value(const reading *r, const char *word, int column, double *out)
{
    char *end;
    *out = strtod(word, &end);
    if (end != word && !*end && isfinite(*out)) return MASS_OK;
    return bad(r, "'%s' in column '%s' is no finite number", word, r->list->columns[column].name);
}

/* Adds the edge of a line. */
static mass_status take_edge(reading *r, char *const *words, int count)
{
    mass_edge_list *const list = r->list;
    if (count != r->words)
        return count < 2 ? bad(r, "an edge has two ends, and there is one number")
                         : bad(r, "it has %d columns, and not %d", count, r->words);
    mass_status status = mass_edge_list_grow(list, r->error);
    uint32_t ends[2] = {0, 0};
    if (status == MASS_OK) status = read_node(r, words[r->source], &ends[0]);
    if (status == MASS_OK) status = read_node(r, words[r->target], &ends[1]);
    for (int i = 0; status == MASS_OK && i < count; i++)
        if (r->column[i] != NONE)
            status = read_value(r, words[i], r->column[i], &list->columns[r->column[i]].values[list->count]);
    if (status == MASS_OK && r->n->simple && ends[0] == ends[1])
        status = bad(r, "it joins node %" PRIu32 " to itself, which network '%s' does not allow", ends[0], r->n->name);
    if (status != MASS_OK) return status;
    list->from[list->count] = ends[0], list->to[list->count] = ends[1];
    if (list->line) list->line[list->count] = r->line;
    list->count++;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= list->nodes) list->nodes = (mass_gidx)ends[i] + 1;
    return MASS_OK;
}

/* Takes a line: the first one may be the header. */
static mass_status take_line(reading *r, char *line, size_t length)
{
    char *words[WORDS + 1];
    if (strlen(line) != length) return bad(r, "it has a zero byte, so the file is no text");
    if (line[0] == '#') return MASS_OK;
    const int count = divide(line, words);
    if (count == 0) return MASS_OK;
    if (count > WORDS) return bad(r, "it has more than %d columns", WORDS);
    if (r->words) return take_edge(r, words, count);
    const char first = words[0][0];
    if (!((first >= '0' && first <= '9') || first == '-' || first == '+')) return take_header(r, words, count);
    if (count != 2)
        return bad(r, "it has %d columns, and no header names them: begin with a line like source,target,weight",
                   count);
    r->source = 0, r->target = 1, r->words = 2;
    r->column[0] = r->column[1] = NONE;
    return take_edge(r, words, count);
}

mass_status mass_edge_list_parse(FILE *file, const mass_network *n, mass_gidx nodes, mass_edge_list *out,
                                 mass_error *error)
{
    *out = (mass_edge_list){0};
    reading r = {.n = n, .nodes = nodes, .list = out, .error = error};
    char *line = NULL;
    size_t room = 0;
    mass_status status = n->simple ? keep_lines(&r) : MASS_OK;
    errno = 0;
    for (ssize_t length; status == MASS_OK && (length = getline(&line, &room, file)) >= 0; errno = 0) {
        r.line++;
        status = take_line(&r, line, (size_t)length);
    }
    if (status == MASS_OK && (ferror(file) || !feof(file))) {
        const int cause = errno;
        status = cause == ENOMEM ? mass_error_memory(error, room, "a line of a network's file")
                                 : mass_error_unread(error, MASS_BAD_INPUT, n->file, cause);
    }
    free(line);
    return status;
}

mass_status mass_edge_list_read(const mass_network *n, mass_gidx nodes, mass_edge_list *out, mass_error *error)
{
    *out = (mass_edge_list){0};
    FILE *const file = fopen(n->file, "re");
    if (!file) return mass_error_unread(error, MASS_BAD_INPUT, n->file, errno);
    const mass_status status = mass_edge_list_parse(file, n, nodes, out, error);
    fclose(file);
    return status;
}
