/* SPDX-License-Identifier: Apache-2.0 */
#include "io/series/text_found.h"
#include "base/memory_stream.h"
#include "io/series/text_parameters.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reading {
    const mass_series_set *set;
    const char *path, *header; /* header: NULL: the file is a .jsonl */
    uint64_t step;             /* at which the run resumes */
    int file, problem; /* problem: errno of a failed read; 0: none */
    size_t got, used;  /* bytes in block, and bytes of them that were used */
    char *line; /* with its newline, if it has one, and a zero byte */
    char *lists; /* the expected parameters in a row of a .jsonl */
    size_t length, most;
    mass_series_text_found found;
    off_t at;           /* offset after the line */
    uint64_t row, number; /* row: step of the last row read; number: of the line, from 1 */
    int32_t lines;      /* lines read of that row; a .csv has one for each world */
    bool any;           /* a row was read */
    char block[1 << 14];
} reading;

/* ---- a line ---- */

/* Returns a length that exceeds every line of this set, without the choices in a .csv. lists: the parameters in a row
 * of a .jsonl. */
static size_t longest_line(const mass_series_set *s, const char *lists)
{
    size_t most = 256 + strlen(lists) + s->parameters.count * (size_t)MASS_SERIES_FULL_NAME;
    for (uint32_t c = 0; c < s->count; c++)
        most += (size_t)mass_series_length(&s->columns[c]) * (MASS_SERIES_NAME_SIZE + 32 * (size_t)s->worlds + 16) + 16;
    return most;
}

/* Returns the most bytes that choices can take in a world's line, with quotes. */
static size_t choices_length(const mass_series_set *s)
{
    size_t all = 0;
    for (uint32_t i = 0; i < s->parameters.count; i++)
        for (char *const *c = s->parameters.slots[i].choices; c && *c; c++) all += 2 * strlen(*c) + 4;
    return all;
}

/* Reads the next block; false at the end, or with r->problem set to the error. */
static bool read_block(reading *r)
{
    ssize_t got;
    while ((got = read(r->file, r->block, sizeof r->block)) < 0 && errno == EINTR) {}
    if (got < 0) r->problem = errno;
    r->got = got > 0 ? (size_t)got : 0;
    r->used = 0;
    return got > 0;
}

/* Reads a line up to its newline, the end of the file, or the most bytes of a line. Returns false at the end or
 * after a read error. */
static bool read_line(reading *r)
{
    char c = 0;
    r->length = 0;
    while (r->length < r->most && c != '\n' && (r->used < r->got || read_block(r)))
        r->line[r->length++] = c = r->block[r->used++];
    r->line[r->length] = '\0';
    r->at += (off_t)r->length;
    r->number++;
    return r->length > 0;
}

/* Moves *at past the text; false if another follows. */
static bool match(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0) return false;
    *at += length;
    return true;
}

/* Moves *at past a decimal number of at most 64 bits. Returns false if there is none, or if it is larger. */
static bool match_unsigned(const char **at, uint64_t *out)
{
    char *end;
    if (**at < '0' || **at > '9') return false;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}

/* Matches a number, or `none` followed by one of `ends`, and moves *at past it. Returns false, and does not move, if
 * another text follows. */
static bool match_number(const char **at, const char *none, const char *ends)
{
    const char *start = *at;
    char *end;
    if (match(at, none) && strchr(ends, **at)) return true;
    *at = start;
    const size_t length = strspn(start, "0123456789+-.e");
    if (length == 0 || !isfinite(strtod(start, &end)) || end != start + length) return false;
    *at = end;
    return true;
}

/* Matches the parameters of a world, and moves *at past them: prints them, and compares. Returns false if they
 * differ. */
static bool match_parameters(const char **at, const mass_series_set *s, int32_t world)
{
    char *values = NULL;
    size_t size;
    if (s->parameters.count == 0) return true;
    FILE *to = mass_memory_stream(&values, &size);
    if (to) mass_series_text_put_values(to, s, world);
    const bool good = to && fclose(to) == 0 && match(at, values);
    free(values);
    return good;
}

/* Returns true if the line is a row of this series, for the world that is due. Sets *step. */
static bool match_csv(const reading *r, const char *at, uint64_t *step)
{
    const mass_series_set *s = r->set;
    uint64_t world;
    if (!match_unsigned(&at, step)) return false;
    const int32_t next = r->any && *step == r->row && r->lines < s->worlds ? r->lines : 0;
    if (s->worlds > 1 && !(match(&at, ",") && match_unsigned(&at, &world)
                           && world == (uint64_t)(s->first_world + next)))
        return false;
    if (!match_parameters(&at, s, next)) return false;
    for (size_t i = mass_series_row_values(s) / (size_t)s->worlds; i > 0; i--)
        if (!match(&at, ",") || !match_number(&at, "", ",\n")) return false;
    return strcmp(at, "\n") == 0;
}

/* Moves *at past a value, or a list of as many values. Returns false if another text follows. */
static bool match_json_values(const char **at, uint32_t length)
{
    bool good = length == 1 || match(at, "[");
    for (uint32_t i = 0; good && i < length; i++)
        good = (i == 0 || match(at, ", ")) && match_number(at, "null", ",]}");
    return good && (length == 1 || match(at, "]"));
}

/* Returns true if all columns of this series follow, with values for all worlds, up to the line's end. */
static bool match_json_columns(const mass_series_set *s, const char *at)
{
    for (uint32_t c = 0; c < s->count; c++) {
        const uint32_t length = mass_series_length(&s->columns[c]);
        bool good = match(&at, ", \"") && match(&at, s->columns[c].name) && match(&at, "\": ") &&
                    (s->worlds == 1 || match(&at, "["));
        for (int32_t w = 0; good && w < s->worlds; w++)
            good = (w == 0 || match(&at, ", ")) && match_json_values(&at, length);
        if (!good || (s->worlds > 1 && !match(&at, "]"))) return false;
    }
    return strcmp(at, "}\n") == 0;
}

/* ---- the file ---- */

/* Refuses the file as the --series of this run. why: the end of the message. */
static mass_status refuse(const reading *r, const char *why, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_INPUT, "%s %s: give another --series", r->path, why);
}

/* Sets *step from the line, and refuses a line that is no row of this series. */
static mass_status match_row(const reading *r, uint64_t *step, mass_error *error)
{
    const char *at = r->line;
    const bool whole = strlen(r->line) == r->length;
    if (whole && r->header && match_csv(r, at, step)) return MASS_OK;
    if (r->header || !whole || !match(&at, "{\"step\": ") || !match_unsigned(&at, step))
        return refuse(r, "is not a series of this kind", error);
    return match(&at, r->lists) && match_json_columns(r->set, at) ? MASS_OK : refuse(r, "has other columns", error);
}

/* Returns true if the rows read so far reach the step at which the run resumes. */
static bool has_enough(const reading *r)
{
    return r->found.has_rows && r->found.last + r->set->every > r->step;
}

/* Takes a line: the next one of the current row, or the first one of the next row. Refuses a row out of order. A row
 * that is complete and not after r->step extends r->found. */
static mass_status take_row(reading *r, mass_error *error)
{
    uint64_t step = 0;
    const int32_t lines_of_row = r->header ? r->set->worlds : 1;
    mass_status status = match_row(r, &step, error);
    if (status != MASS_OK) return status;
    const bool begun = r->any && r->lines < lines_of_row;
    if (begun ? step != r->row : r->any ? step != r->row + r->set->every : step % r->set->every != 0)
        return mass_error_set(error, MASS_BAD_INPUT, "%s, line %" PRIu64 ": its row of step %" PRIu64 " is out of "
                              "order: give another --series", r->path, r->number, step);
    r->lines = begun ? r->lines + 1 : 1;
    r->row = step;
    r->any = true;
    if (r->lines == lines_of_row && step <= r->step)
        r->found = (mass_series_text_found){.end = r->at, .has_rows = true, .last = step};
    return MASS_OK;
}

/* Checks the first line, unless the file is empty, and keeps where it ends. */
static mass_status take_header(reading *r, mass_error *error)
{
    if (!read_line(r) || r->problem) return MASS_OK;
    if (strcmp(r->line, r->header) != 0) return refuse(r, "has other columns", error);
    r->found.end = r->at;
    return MASS_OK;
}

/* Returns true if a line without a newline may be the beginning of a row. */
static bool is_begun(const reading *r)
{
    static const char object[] = "{\"step\": ";
    const size_t known = r->length < sizeof object - 1 ? r->length : sizeof object - 1;
    return r->header ? strspn(r->line, "0123456789+-.e,") == r->length : strncmp(r->line, object, known) == 0;
}

/* Takes all whole rows. Stops without an error at a last row that was only begun. */
static mass_status take_rows(reading *r, mass_error *error)
{
    mass_status status = MASS_OK;
    while (status == MASS_OK && read_line(r) && !r->problem) {
        const bool ends = r->line[r->length - 1] == '\n', zeros = strlen(r->line) < r->length;
        if (has_enough(r) && (zeros || (!ends && r->length < r->most && is_begun(r)))) break;
        if (!ends && (!r->any || r->length == r->most || !is_begun(r)))
            status = refuse(r, "is not a series of this kind", error);
        else if (ends) status = take_row(r, error);
    }
    return status;
}

/* Refuses a file that could not be read, or that ends before the step at which the run resumes. Accepts an empty
 * file. */
static mass_status judge(const reading *r, mass_error *error)
{
    if (r->problem) return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %s", r->path, strerror(r->problem));
    if (r->at == 0 || has_enough(r) || (!r->found.has_rows && r->step == 0)) return MASS_OK;
    if (!r->found.has_rows)
        return mass_error_set(error, MASS_BAD_INPUT, "%s has no rows, and the run goes on from step %" PRIu64 ": give "
                              "another --series", r->path, r->step);
    return mass_error_set(error, MASS_BAD_INPUT, "%s ends at step %" PRIu64 ", and the run goes on from step %" PRIu64
                          ": give another --series", r->path, r->found.last, r->step);
}

mass_status mass_series_text_find(const mass_series_set *set, const char *path, int file, const char *header,
                                  uint64_t step, mass_series_text_found *out, mass_error *error)
{
    reading *r = malloc(sizeof *r);
    char *lists = NULL;
    size_t size;
    FILE *to = r ? mass_memory_stream(&lists, &size) : NULL;
    if (to && !header) mass_series_text_put_lists(to, set);
    if (!to || fclose(to) != 0) {
        free(r);
        return mass_error_memory(error, sizeof *r, "a series");
    }
    *r = (reading){.set = set, .path = path, .header = header, .step = step, .file = file, .lists = lists};
    r->most = longest_line(set, lists) + choices_length(set);
    r->line = malloc(r->most + 1);
    mass_status status = r->line ? MASS_OK : mass_error_memory(error, r->most, "a series");
    if (status == MASS_OK && header) status = take_header(r, error);
    if (status == MASS_OK) status = take_rows(r, error);
    if (status == MASS_OK) status = judge(r, error);
    if (status == MASS_OK) *out = r->found;
    free(r->lists);
    free(r->line);
    free(r);
    return status;
}
