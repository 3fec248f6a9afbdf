/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the head of Matrix Market files: R. F. Boisvert, R. Pozo and K. A. Remington, "The Matrix Market Exchange
 * Formats" (1996). An entry of row i and column j is an edge from node i to node j, and its value is its weight. */
#include "network/reading.h"
#include "base/plural.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const char mark[] = "%%MatrixMarket";

bool mass_matrix_market_is(const char *line)
{
    return strncasecmp(line, mark, sizeof mark - 1) == 0 && strchr(" \t\r", line[sizeof mark - 1]);
}

bool mass_matrix_market_is_named(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".mtx") == 0;
}

/* Returns whether a word is the expected one, in upper or lower case. */
static bool is(const char *word, const char *expected) { return strcasecmp(word, expected) == 0; }

mass_status mass_matrix_market_begin(mass_edge_reading *r, char *const *words, int count)
{
    if (count != 5 || !is(words[1], "matrix"))
        return mass_edge_reading_bad(r, "it is not of the form %%%%MatrixMarket matrix coordinate FIELD SYMMETRY");
    if (!is(words[2], "coordinate"))
        return mass_edge_reading_bad(r, "its format is '%s', and a network takes coordinate", words[2]);
    const bool pattern = is(words[3], "pattern");
    if (!pattern && !is(words[3], "real") && !is(words[3], "integer"))
        return mass_edge_reading_bad(r, "its values are '%s', and a network takes real, integer and pattern",
                                     words[3]);
    r->symmetric = is(words[4], "symmetric");
    if (!r->symmetric && !is(words[4], "general"))
        return mass_edge_reading_bad(r, "its symmetry is '%s', and a network takes general and symmetric", words[4]);
    r->matrix = true;
    r->naming = MASS_NODES_NUMBERED;
    r->base = 1;
    r->source = 0, r->target = 1, r->words = pattern ? 2 : 3;
    r->column[0] = r->column[1] = MASS_EDGE_NO_COLUMN;
    if (pattern) return MASS_OK;
    r->whole = is(words[3], "integer");
    r->column[2] = 0;
    r->list->column_count = 1;
    memcpy(r->list->columns[0].name, "weight", sizeof "weight");
    return mass_edge_reading_keep_lines(r);
}

/* Sets *out to a number of at most 18 digits. Returns false for other words. */
static bool read_count(const char *word, uint64_t *out)
{
    *out = 0;
    const size_t digits = strspn(word, "0123456789");
    for (size_t i = 0; i < digits && digits <= 18; i++) *out = 10 * *out + (uint64_t)(word[i] - '0');
    return digits > 0 && digits <= 18 && !word[digits];
}

mass_status mass_matrix_market_size(mass_edge_reading *r, char *const *words, int count)
{
    uint64_t rows, columns;
    if (count != 3 || !read_count(words[0], &rows) || !read_count(words[1], &columns) ||
        !read_count(words[2], &r->entries))
        return mass_edge_reading_bad(r, "it has to be the numbers of rows, columns and entries");
    if (rows != columns)
        return mass_edge_reading_bad(r, "it has %" PRIu64 " row%s and %" PRIu64 " column%s, and a network is square",
                                     rows, mass_plural(rows), columns, mass_plural(columns));
    if (rows > MASS_NODES_MOST)
        return mass_edge_reading_bad(r, "there are %" PRIu64 " nodes, and a network has at most %d", rows,
                                     MASS_NODES_MOST);
    if (r->nodes && (mass_gidx)rows > r->nodes)
        return mass_edge_reading_bad(r, "there are %" PRIu64 " nodes, and network '%s' has %" PRId64, rows, r->n->name,
                                     r->nodes);
    r->list->nodes = (mass_gidx)rows;
    r->sized = true;
    return MASS_OK;
}

mass_status mass_matrix_market_end(const mass_edge_reading *r)
{
    if (!r->matrix || (r->sized && r->taken == r->entries)) return MASS_OK;
    if (!r->sized) return mass_edge_reading_bad(r, "the file ends before the numbers of rows, columns and entries");
    return mass_edge_reading_bad(r, "the file ends after %" PRIu64 " of %" PRIu64 " entr%s", r->taken, r->entries,
                                 r->entries == 1 ? "y" : "ies");
}
