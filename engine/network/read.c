/* SPDX-License-Identifier: Apache-2.0 */
/* Reads edge lists in text. A line has the two nodes of an edge, and a value for each further column; a header names
 * the columns. Most lines are plain: they have numbers of few digits and separators. take_plain reads those quickly.
 * All other lines are divided into words first. */
#include "base/escape.h"
#include "network/reading.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = MASS_EDGE_WORDS, NONE = MASS_EDGE_NO_COLUMN, BLOCK = 1 << 20, LONGEST = 1 << 25, UNCLOSED = -1,
       LOOK_MS = 100 };

static struct {
    mass_edge_watch *see; /* reads call it; NULL: none */
    void *context;
} watch;

void mass_edge_list_watch(mass_edge_watch *see, void *context)
{
    watch.see = see;
    watch.context = context;
}

/* Calls the watch with how much of the file has been read. */
static mass_status show(const mass_edge_reading *r, uint64_t bytes, uint64_t of)
{
    return watch.see ? watch.see(watch.context, r->n->file, bytes, of, r->list->count, r->error) : MASS_OK;
}

mass_status mass_edge_reading_bad(const mass_edge_reading *r, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return mass_error_set(r->error, MASS_BAD_INPUT, "%s, line %" PRIu64 ": %s", r->n->file, r->line, what);
}
#define bad mass_edge_reading_bad

mass_status mass_edge_reading_keep_lines(mass_edge_reading *r)
{
    if (!r->list->line) r->list->line = calloc(1, sizeof *r->list->line);
    return r->list->line ? MASS_OK : mass_error_memory(r->error, sizeof *r->list->line, "a network");
}

/* ---- words ---- */

/* Returns whether a character is a space, a tab, or of the end of a line. */
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Takes a word in quotes, in which two quotes are one. *word: the word without quotes, in the same memory. Returns what
 * is behind it, or NULL if it has no end. */
static char *take_quoted(char *at, char **word)
{
    char *to = *word = at + 1;
    for (at++; *at; at++) {
        if (*at == '"' && at[1] != '"') break;
        if (*at == '"') at++;
        *to++ = *at;
    }
    if (!*at) return NULL;
    *to = '\0';
    return at + 1;
}

/* Returns whether tabs separate the words of a line without commas: there is one between other characters. */
static bool has_tabs(const char *line)
{
    while (is_space(*line)) line++;
    const char *const tab = strchr(line, '\t');
    return tab && tab[strspn(tab, " \t\r\n")];
}

/* Divides a line into words, which stay in the line and are ended there, at commas; without commas at tabs, and without
 * tabs at spaces. Returns their number, at most WORDS + 1, or UNCLOSED. */
static int divide(char *line, char *words[WORDS + 1])
{
    const bool commas = strchr(line, ',') != NULL, tabs = !commas && has_tabs(line);
    int count = 0;
    for (char *at = line; count <= WORDS;) {
        while (is_space(*at)) at++;
        if (!*at && (!commas || count == 0)) break;
        const bool quoted = *at == '"';
        words[count++] = at;
        if (quoted && !(at = take_quoted(at, &words[count - 1]))) return UNCLOSED;
        while (quoted && commas && is_space(*at)) at++;
        if (quoted && *at && *at != ',' && (commas || !is_space(*at))) return UNCLOSED;
        while (*at && *at != ',' && (commas || !is_space(*at) || (tabs && *at == ' '))) at++;
        char *end = at;
        const bool more = *at != '\0';
        if (more) at++;
        while (!quoted && end > words[count - 1] && is_space(end[-1])) end--;
        *end = '\0';
        if (!more) break;
    }
    return count;
}

/* ---- the header ---- */

/* Takes the values from a column, because of a word in this line. Notes the line and the word in the column. */
static void leave_out(const mass_edge_reading *r, mass_edge_column *column, const char *word)
{
    free(column->values);
    column->values = NULL;
    column->other_line = r->line;
    snprintf(column->other, sizeof column->other, "%s", word);
}

/* Adds the column of a word of the header. One whose name is too long for an attribute is left out. */
static mass_status add_column(mass_edge_reading *r, const char *name, int word)
{
    if (!*name) return bad(r, "'%s' is no name of a column", name);
    if (r->list->column_count == MASS_EDGE_COLUMNS)
        return bad(r, "it names more than %d columns besides source and target", MASS_EDGE_COLUMNS);
    for (uint32_t i = 0; i < r->list->column_count; i++)
        if (strcmp(r->list->columns[i].name, name) == 0) return bad(r, "column '%s' is there twice", name);
    mass_edge_column *const column = &r->list->columns[r->list->column_count];
    r->column[word] = (int)r->list->column_count++;
    const size_t length = strlen(name);
    memcpy(column->name, name, length < MASS_EDGE_NAME ? length : MASS_EDGE_NAME - 1);
    if (length < MASS_EDGE_NAME) return MASS_OK;
    memcpy(column->name + MASS_EDGE_NAME - 4, "...", 3);
    leave_out(r, column, name);
    return MASS_OK;
}

/* Returns the member of *r for the number of a column with nodes, sources or targets; NULL: it is another column. Notes
 * if the column has names of nodes. */
static int *end_of(mass_edge_reading *r, const char *word)
{
    const bool named = strcmp(word, "source_name") == 0 || strcmp(word, "target_name") == 0;
    if (named) r->naming = MASS_NODES_NAMED;
    if (strcmp(word, "source") == 0 || strcmp(word, "source_name") == 0) return &r->source;
    return strcmp(word, "target") == 0 || named ? &r->target : NULL;
}

/* Takes the words of the header: finds which columns are the nodes, and adds the others as columns of the list. Sets
 * r->words. If there are such columns, the list gets the lines of its edges. */
static mass_status take_header(mass_edge_reading *r, char *const *words, int count)
{
    mass_status status = MASS_OK;
    r->source = r->target = NONE;
    for (int i = 0; status == MASS_OK && i < count; i++) {
        r->column[i] = NONE;
        int *const end = end_of(r, words[i]);
        if (end && *end != NONE)
            status = strcmp(words[*end], words[i]) == 0 ? bad(r, "column '%s' is there twice", words[i])
                                                        : bad(r, "it has both '%s' and '%s'", words[*end], words[i]);
        else if (end) *end = i;
        else status = add_column(r, words[i], i);
    }
    if (status == MASS_OK && (r->source == NONE || r->target == NONE))
        status = bad(r, "its header has no column '%s': it names the columns, as source,target",
                     r->source == NONE ? "source" : "target");
    r->words = count;
    return status == MASS_OK && r->list->column_count ? mass_edge_reading_keep_lines(r) : status;
}

/* ---- edges ---- */

/* Returns how many nodes there may be. */
static mass_gidx nodes_most(const mass_edge_reading *r)
{
    return r->matrix ? r->list->nodes : r->nodes ? r->nodes : MASS_NODES_MOST;
}

/* Sets *out to a decimal number. Returns false for other words, such as 0x10 and nan. */
static bool read_decimal(const char *word, double *out)
{
    char *end;
    if (word[strspn(word, "0123456789.+-eE")]) return false;
    *out = strtod(word, &end);
    return end != word && !*end;
}

/* Reads the number of a node, which may be written as 5.0 or 5e0. *out counts from 0. Refuses a node that the
 * network does not have. */
static mass_status read_number(const mass_edge_reading *r, const char *word, uint32_t *out)
{
    const mass_gidx end = nodes_most(r) + r->base;
    double number;
    if (!read_decimal(word, &number) || number < 0 || trunc(number) < number)
        return bad(r, "'%.100s' is no number of a node: nodes are numbered from %" PRIu32 "%s", word, r->base,
                   r->matrix ? "" : ", or columns source_name and target_name have their names");
    if (number >= (double)end || number < (double)r->base)
        return r->nodes || r->matrix
            ? bad(r, "there is no node %.100s: %s '%s' has nodes %" PRIu32 " to %" PRId64, word,
                  r->matrix ? "the matrix of network" : "network", r->n->name, r->base, end - 1)
            : bad(r, "node %.100s is beyond what can be numbered, 0 to %" PRId64, word, end - 1);
    *out = (uint32_t)number - r->base;
    return MASS_OK;
}

/* Returns whether a name can be shown: 1 to MASS_NODE_NAME_MOST bytes of UTF-8 without control characters. */
static bool can_be_shown(const char *name)
{
    const size_t length = strlen(name);
    size_t at = 0, step = length && length <= MASS_NODE_NAME_MOST;
    while (at < length && step > 0) {
        step = mass_shown_bytes(name + at, length - at);
        at += step;
    }
    return step > 0;
}

/* Sets *out to the node with a name. If names are known already, refuses another one; else gives a new name the next
 * number, unless the network has no more nodes. */
static mass_status read_name(const mass_edge_reading *r, const char *word, uint32_t *out)
{
    const mass_gidx most = nodes_most(r);
    if (!can_be_shown(word))
        return bad(r, "'%.100s' is no name of a node: it has 1 to %d bytes of text in UTF-8", word,
                   MASS_NODE_NAME_MOST);
    const int64_t found = r->known ? mass_node_names_find(r->known, word) : -1;
    if (r->known && found < 0)
        return bad(r, "no node has the name '%.100s', among those of network '%s'", word, r->n->name);
    *out = (uint32_t)found;
    if (r->known) return MASS_OK;
    const mass_status status = mass_node_names_add(&r->list->names, word, (uint32_t)most, out, r->error);
    if (status != MASS_BAD_USAGE) return status;
    *r->error = (mass_error){0};
    return bad(r, "'%.100s' is the name of one node more than the %" PRId64 " of network '%s'", word, most, r->n->name);
}

/* Reads a value of a column, for the edge that is added next, for which the list has room. If there is no finite
 * number, the column is left out; that of a matrix is refused. Does nothing if the column is left out already. */
static mass_status read_value(const mass_edge_reading *r, const char *word, int number)
{
    mass_edge_column *const column = &r->list->columns[number];
    double value;
    if (column->other_line) return MASS_OK;
    if (read_decimal(word, &value) && isfinite(value)) column->values[r->list->count] = value;
    else if (r->matrix) return bad(r, "'%.100s' in column '%s' is no finite number", word, column->name);
    else leave_out(r, column, word);
    return MASS_OK;
}

/* Adds an edge, whose values are in the columns already. The list must have room. */
static void add_edge(mass_edge_reading *r, uint32_t from, uint32_t to)
{
    mass_edge_list *const list = r->list;
    list->from[list->count] = from, list->to[list->count] = to;
    if (list->line) list->line[list->count] = r->line;
    list->count++;
    const uint32_t larger = from > to ? from : to;
    if (larger >= list->nodes) list->nodes = (mass_gidx)larger + 1;
}

/* Counts an entry of a matrix, whose edge was added last. Fails if it is one too many, or is not of the kind that the
 * file says. If the matrix is symmetric and the network is directed, adds the edge of the other direction, but not of a
 * node to itself. */
static mass_status add_other_direction(mass_edge_reading *r)
{
    mass_edge_list *const list = r->list;
    const uint64_t i = list->count - 1;
    r->taken++;
    if (r->taken > r->entries) return bad(r, "it is an entry more than the %" PRIu64 " of the file", r->entries);
    const double value = r->whole ? list->columns[0].values[i] : 0;
    if (trunc(value) < value || trunc(value) > value)
        return bad(r, "%.15g in column '%s' is no integer, and the first line says that the values are integers", value,
                   list->columns[0].name);
    if (!r->symmetric || !r->n->directed || list->from[i] == list->to[i]) return MASS_OK;
    const mass_status status = mass_edge_list_grow(list, r->error);
    for (uint32_t c = 0; status == MASS_OK && c < list->column_count; c++)
        list->columns[c].values[list->count] = list->columns[c].values[i];
    if (status == MASS_OK) add_edge(r, list->to[i], list->from[i]);
    return status;
}

/* Returns whether a word begins like a name, and not like a number. */
static bool is_named(const char *word)
{
    const unsigned char c = (unsigned char)word[0];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

/* Adds the edge of a line that is divided into words; of a symmetric matrix, the other direction too. The first edge
 * decides whether nodes have names. Refuses another number of columns, and loops of a simple network. */
static mass_status take_words(mass_edge_reading *r, char *const *words, int count)
{
    mass_edge_list *const list = r->list;
    if (count != r->words)
        return count < 2 ? bad(r, "an edge has two ends, and there is one %s",
                               r->naming == MASS_NODES_NAMED ? "name" : "number")
                         : bad(r, "it has %d columns, and not %d", count, r->words);
    const char *const from = words[r->source], *const to = words[r->target];
    if (r->naming == MASS_NODES_UNSEEN)
        r->naming = is_named(from) && is_named(to) ? MASS_NODES_NAMED : MASS_NODES_NUMBERED;
    const bool named = r->naming == MASS_NODES_NAMED;
    mass_status status = mass_edge_list_grow(list, r->error);
    uint32_t ends[2] = {0, 0};
    for (int i = 0; status == MASS_OK && i < 2; i++)
        status = named ? read_name(r, i ? to : from, &ends[i]) : read_number(r, i ? to : from, &ends[i]);
    for (int i = 0; status == MASS_OK && i < count; i++)
        if (r->column[i] != NONE)
            status = read_value(r, words[i], r->column[i]);
    if (status == MASS_OK && r->n->simple && ends[0] == ends[1])
        status = bad(r, "it joins node %.100s to itself, which network '%s' does not allow", from, r->n->name);
    if (status != MASS_OK) return status;
    add_edge(r, ends[0], ends[1]);
    return r->matrix ? add_other_direction(r) : MASS_OK;
}

/* Takes a line that is no plain edge: a header, a comment, an edge, or the head of a Matrix Market file. The first
 * one may be the header. Ends it with a zero byte. */
static mass_status take_line(mass_edge_reading *r, char *line, size_t length)
{
    char *words[WORDS + 1];
    line[length] = '\0';
    if (strlen(line) != length) return bad(r, "it has a zero byte, so the file is no text");
    if (r->line == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0) line += 3; /* a byte order mark */
    const bool begins = r->line == 1 && mass_matrix_market_is(line);
    if (r->line == 1 && !begins && mass_matrix_market_is_named(r->n->file))
        return bad(r, "it does not begin with %%%%MatrixMarket, as that of a .mtx file does");
    if (line[0] == (r->matrix ? '%' : '#')) return MASS_OK;
    r->commas = strchr(line, ',') != NULL;
    const int count = divide(line, words);
    if (count == UNCLOSED) return bad(r, "a quote does not end, or more text follows it");
    if (count == 0) return MASS_OK;
    if (begins) return mass_matrix_market_begin(r, words, count);
    if (count > WORDS) return bad(r, "it has more than %d columns", WORDS);
    if (r->matrix && !r->sized) return mass_matrix_market_size(r, words, count);
    if (r->words) return take_words(r, words, count);
    const char first = words[0][0];
    if (!((first >= '0' && first <= '9') || first == '-' || first == '+')) return take_header(r, words, count);
    if (count != 2)
        return bad(r, "it has %d columns, and no header names them: begin with a line like source,target,weight",
                   count);
    r->naming = MASS_NODES_NUMBERED;
    r->source = 0, r->target = 1, r->words = 2;
    r->column[0] = r->column[1] = NONE;
    return take_words(r, words, count);
}

/* ---- plain lines ---- */

/* Sets *out to a number of at most 10 digits. Returns what is behind it, or NULL. */
static const char *plain_number(const char *at, uint64_t *out)
{
    const char *const first = at;
    uint64_t number = 0;
    for (; (unsigned char)(*at - '0') < 10; at++) number = 10 * number + (unsigned char)(*at - '0');
    *out = number;
    return at > first && at - first <= 10 ? at : NULL;
}

/* Sets *out to a decimal of at most 15 digits without an exponent, whose nearest double one division gives: W. D.
 * Clinger, "How to read floating point numbers accurately" (1990). Returns what is behind it, or NULL. */
static const char *plain_value(const char *at, double *out)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = *at == '-';
    uint64_t number = 0;
    at += negative;
    const char *const first = at;
    for (; (unsigned char)(*at - '0') < 10; at++) number = 10 * number + (unsigned char)(*at - '0');
    int64_t digits = at - first, behind = 0;
    if (*at == '.') {
        const char *const point = ++at;
        for (; (unsigned char)(*at - '0') < 10; at++) number = 10 * number + (unsigned char)(*at - '0');
        behind = at - point;
        digits += behind;
    }
    if (digits < 1 || digits > 15) return NULL;
    const double value = (double)number / powers[behind];
    *out = negative ? -value : value;
    return at;
}

/* Skips a word of a column without values. commas: they divide the line. Returns what is behind it, or NULL if the line
 * may not be plain. */
static const char *skip_plain(const char *at, bool commas)
{
    const char *const first = at;
    if (*at == '#') return NULL;
    while (*at != '\n' && *at != '"' && *at && *at != ',' && (commas || !is_space(*at))) at++;
    return *at == '"' || !*at || (!commas && (*at == ',' || at == first)) ? NULL : at;
}

/* Adds the edge of a line, and counts the line, if it is plain and ends with a newline. The list must have room, and
 * the header must have been taken. Returns what is behind the line. Returns NULL, and adds nothing, if it is not
 * plain. */
static const char *take_plain(mass_edge_reading *r, const char *at)
{
    mass_edge_list *const list = r->list;
    const uint64_t end = (uint64_t)nodes_most(r);
    uint64_t from = 0, to = 0;
    bool commas = false;
    for (int i = 0; i < r->words; i++) {
        while (*at == ' ' || *at == '\t') at++;
        if (i == r->source) at = plain_number(at, &from);
        else if (i == r->target) at = plain_number(at, &to);
        else if (list->columns[r->column[i]].other_line) at = skip_plain(at, commas || (i == 0 && r->commas));
        else at = plain_value(at, &list->columns[r->column[i]].values[list->count]);
        if (!at) return NULL;
        const char *const behind = at;
        while (*at == ' ' || *at == '\t' || *at == '\r') at++;
        if (i == r->words - 1) break;
        if (*at == ',' && (commas || i == 0)) commas = true, at++;
        else if (commas || at == behind || *at == ',') return NULL;
    }
    if (*at != '\n' || from < r->base || to < r->base) return NULL;
    from -= r->base, to -= r->base;
    if (from >= end || to >= end || (r->n->simple && from == to)) return NULL;
    r->line++;
    add_edge(r, (uint32_t)from, (uint32_t)to);
    return at + 1;
}

/* Takes whole lines, up to `end`. Each of them ends with a newline, in place of which a line that is not plain gets
 * a zero byte. */
static mass_status take_lines(mass_edge_reading *r, char *at, char *end)
{
    mass_status status = MASS_OK;
    while (status == MASS_OK && at < end) {
        if (r->words && r->naming == MASS_NODES_NUMBERED && (!r->matrix || r->sized)) {
            status = mass_edge_list_grow(r->list, r->error);
            char *const next = status == MASS_OK ? (char *)(uintptr_t)take_plain(r, at) : NULL;
            if (next) {
                if (r->matrix) status = add_other_direction(r);
                at = next;
                continue;
            }
        }
        char *const line_end = memchr(at, '\n', (size_t)(end - at));
        r->line++;
        if (status == MASS_OK) status = take_line(r, at, (size_t)(line_end - at));
        at = line_end + 1;
    }
    return status;
}

/* Makes each CR a newline. */
static void end_lines(char *at, size_t length)
{
    for (char *const end = at + length; (at = memchr(at, '\r', (size_t)(end - at))); at++) *at = '\n';
}

/* Reads `room` bytes, or as many as there are up to the end. While nothing comes from a pipe, it shows the `bytes` of
 * before every LOOK_MS milliseconds, so that the watch can end the read. */
static mass_status fill(mass_edge_reading *r, FILE *file, char *to, size_t room, uint64_t bytes, size_t *got)
{
    struct pollfd from = {.fd = fileno(file), .events = POLLIN};
    *got = from.fd < 0 ? fread(to, 1, room, file) : 0;
    while (from.fd >= 0 && *got < room) {
        const int ready = poll(&from, 1, LOOK_MS);
        const ssize_t more = ready > 0 ? read(from.fd, to + *got, room - *got) : -1;
        if (more == 0) break;
        if (more > 0) *got += (size_t)more;
        else if (ready > 0 && errno != EINTR && errno != EAGAIN)
            return mass_error_unread(r->error, MASS_BAD_INPUT, r->n->file, errno);
        const mass_status status = more > 0 ? MASS_OK : show(r, bytes, 0);
        if (status != MASS_OK) return status;
    }
    return MASS_OK;
}

/* Reads the file in blocks, and takes the whole lines of each. The rest goes to the front of the next one. Lines end
 * with CR if the first block has no newline. */
static mass_status take_file(mass_edge_reading *r, FILE *file)
{
    size_t room = BLOCK, held = 0;
    uint64_t bytes = 0;
    bool returns = true;
    struct stat facts;
    const uint64_t of = fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode) ? (uint64_t)facts.st_size : 0;
    char *block = malloc(room + 1);
    mass_status status = block ? show(r, 0, of) : mass_error_memory(r->error, room, "a network's file");
    for (bool more = true; status == MASS_OK && more;) {
        size_t got;
        status = fill(r, file, block + held, room - held, bytes, &got);
        more = got == room - held;
        returns = returns && !memchr(block + held, '\n', got);
        if (returns) end_lines(block + held, got);
        held += got;
        if (!more && held > 0 && block[held - 1] != '\n') block[held++] = '\n';
        char *const last = held ? memrchr(block, '\n', held) : NULL;
        if (status == MASS_OK && last) status = take_lines(r, block, last + 1);
        bytes += got;
        if (status == MASS_OK) status = show(r, bytes, more ? of : bytes);
        const size_t taken = last ? (size_t)(last + 1 - block) : 0;
        memmove(block, block + taken, held -= taken);
        if (status != MASS_OK || !more || held < room / 2) continue;
        if (held >= LONGEST) {
            r->line++;
            status = bad(r, "it is longer than %d MiB, which no line of an edge list is", LONGEST >> 20);
            break;
        }
        char *const larger = realloc(block, 2 * room + 1);
        if (larger) block = larger, room *= 2;
        else status = mass_error_memory(r->error, 2 * room, "a line of a network's file");
    }
    free(block);
    return status;
}

mass_status mass_edge_list_parse(FILE *file, const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                                 mass_edge_list *out, mass_error *error)
{
    *out = (mass_edge_list){0};
    mass_edge_reading r = {.n = n, .nodes = nodes, .known = known, .list = out, .error = error};
    mass_status status = n->simple ? mass_edge_reading_keep_lines(&r) : MASS_OK;
    if (status == MASS_OK) status = take_file(&r, file);
    return status == MASS_OK ? mass_matrix_market_end(&r) : status;
}

mass_status mass_edge_list_read(const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                                mass_edge_list *out, mass_error *error)
{
    *out = (mass_edge_list){0};
    /* Without O_NONBLOCK, open() of a named pipe waits for a writer, and no watch could end that. */
    const int descriptor = open(n->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    FILE *const file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (!file) {
        const int cause = errno;
        if (descriptor >= 0) close(descriptor);
        return mass_error_unread(error, MASS_BAD_INPUT, n->file, cause);
    }
    const mass_status status = mass_edge_list_parse(file, n, nodes, known, out, error);
    fclose(file);
    return status;
}
