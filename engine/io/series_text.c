#include "io/series_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct mass_series_text {
    const mass_series_set *set;
    const char *path;
    bool json, resumed, regular, alone; /* alone: no file may be there */
    int file;
    off_t end;             /* of the last whole row in the file */
    bool has_rows;
    uint64_t last;         /* step of the last row */
    char *waiting;         /* rows that are yet to be written */
    size_t waiting_size;
};

/* ---- rows as text ---- */

/* As few digits as give the same number again. */
static void put_number(FILE *to, double value, const char *none)
{
    char digits[32];
    if (!isfinite(value)) {
        fputs(none, to);
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    fputs(digits, to);
}

static void put_csv_header(const mass_series_set *s, FILE *to)
{
    fputs(s->worlds > 1 ? "step,world" : "step", to);
    for (uint32_t c = 0; c < s->count; c++) {
        const uint32_t length = mass_series_length(&s->columns[c]);
        if (length == 1) fprintf(to, ",%s", s->columns[c].name);
        for (uint32_t i = 0; length > 1 && i < length; i++) fprintf(to, ",%s[%u]", s->columns[c].name, i);
    }
    fputc('\n', to);
}

static void put_csv(const mass_series_set *s, FILE *to, uint64_t step, const double *values)
{
    for (int32_t w = 0; w < s->worlds; w++) {
        fprintf(to, "%" PRIu64, step);
        if (s->worlds > 1) fprintf(to, ",%d", s->first_world + w);
        const double *own = values;
        for (uint32_t c = 0; c < s->count; c++) {
            const size_t length = mass_series_length(&s->columns[c]);
            for (size_t i = 0; i < length; i++) {
                fputc(',', to);
                put_number(to, own[(size_t)w * length + i], "");
            }
            own += length * (size_t)s->worlds;
        }
        fputc('\n', to);
    }
}

/* Those of one world: a number, or a list of them. */
static void put_json_values(FILE *to, const double *values, uint32_t length)
{
    if (length > 1) fputc('[', to);
    for (uint32_t i = 0; i < length; i++) {
        if (i > 0) fputs(", ", to);
        put_number(to, values[i], "null");
    }
    if (length > 1) fputc(']', to);
}

static void put_json(const mass_series_set *s, FILE *to, uint64_t step, const double *values)
{
    fprintf(to, "{\"step\": %" PRIu64, step);
    for (uint32_t c = 0; c < s->count; c++) {
        const uint32_t length = mass_series_length(&s->columns[c]);
        fprintf(to, ", \"%s\": %s", s->columns[c].name, s->worlds > 1 ? "[" : "");
        for (int32_t w = 0; w < s->worlds; w++, values += length) {
            if (w > 0) fputs(", ", to);
            put_json_values(to, values, length);
        }
        if (s->worlds > 1) fputc(']', to);
    }
    fputs("}\n", to);
}

/* ---- a file that is there, of a run that goes on ---- */

static bool read_step(const mass_series_text *t, const char *line, uint64_t *step)
{
    static const char object[] = "{\"step\": ";
    if (t->json && strncmp(line, object, sizeof object - 1) != 0) return false;
    const char *digits = t->json ? line + sizeof object - 1 : line;
    char *rest;
    errno = 0;
    *step = strtoull(digits, &rest, 10);
    return *digits >= '0' && *digits <= '9' && errno == 0 && *rest == ',';
}

static mass_status refuse_columns(const mass_series_text *t, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_INPUT, "%s has other columns: give another --series", t->path);
}

/* Whether an object has the step and these columns, in their order, and no others. */
static bool has_columns(const mass_series_set *s, const char *line)
{
    const char *at = line;
    uint32_t keys = 0;
    for (const char *k = line; (k = strstr(k, "\": ")); k++) keys++;
    for (uint32_t c = 0; at && c < s->count; c++) {
        char key[sizeof s->columns[c].name + 8];
        snprintf(key, sizeof key, ", \"%s\": ", s->columns[c].name);
        at = strstr(at, key);
    }
    return at && keys == s->count + 1;
}

static mass_status check_header(const mass_series_text *t, const char *line, mass_error *error)
{
    char *wanted = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&wanted, &size);
    if (to) put_csv_header(t->set, to);
    if (!to || fclose(to) != 0) return mass_error_memory(error, 1, "a series");
    const bool same = strcmp(wanted, line) == 0;
    free(wanted);
    return same ? MASS_OK : refuse_columns(t, error);
}

/* Where the last row ends that the run keeps. Rows of several worlds are as many lines in a .csv. */
static mass_status find_end(mass_series_text *t, FILE *from, uint64_t step, mass_error *error)
{
    const int lines_of_row = t->json ? 1 : t->set->worlds;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    off_t at = 0;
    uint64_t row = 0;
    int lines = 0;
    mass_status status = MASS_OK;
    for (bool header = !t->json; status == MASS_OK && (length = getline(&line, &room, from)) > 0; header = false) {
        uint64_t of = 0;
        if (line[length - 1] != '\n') break;
        at += length;
        if (header) {
            status = check_header(t, line, error);
            t->end = at;
            continue;
        }
        if (!read_step(t, line, &of))
            status = mass_error_set(error, MASS_BAD_INPUT, "%s is no series of this kind: give another --series",
                                    t->path);
        else if (t->json && !has_columns(t->set, line)) status = refuse_columns(t, error);
        if (status != MASS_OK || of > step) break;
        lines = lines > 0 && lines < lines_of_row && of == row ? lines + 1 : 1;
        row = of;
        if (lines < lines_of_row) continue;
        t->last = of;
        t->has_rows = true;
        t->end = at;
    }
    free(line);
    return status;
}

static mass_status check_resumed(mass_series_text *t, uint64_t step, mass_error *error)
{
    FILE *from = fopen(t->path, "re");
    if (!from && errno == ENOENT) return MASS_OK;
    if (!from) return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %s", t->path, strerror(errno));
    const mass_status status = find_end(t, from, step, error);
    fclose(from);
    if (status != MASS_OK || !t->has_rows || t->last + t->set->every > step) return status;
    return mass_error_set(error, MASS_BAD_INPUT, "%s ends at step %" PRIu64 ", and the run goes on from step %" PRIu64
                          ": give another --series", t->path, t->last, step);
}

/* ---- the file ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

mass_status mass_series_text_create(const mass_series_set *set, const char *path, bool resumed, bool force,
                                    uint64_t step, mass_series_text **out, mass_error *error)
{
    struct stat facts;
    if (!ends_with(path, ".csv") && !ends_with(path, ".jsonl"))
        return mass_error_set(error, MASS_BAD_USAGE, "--series %s ends neither in .csv nor in .jsonl", path);
    const bool there = stat(path, &facts) == 0;
    if (there && S_ISDIR(facts.st_mode))
        return mass_error_set(error, MASS_BAD_USAGE, "--series %s is a folder", path);
    if (there && S_ISREG(facts.st_mode) && !resumed && !force)
        return mass_error_set(error, MASS_BAD_USAGE, "--series %s is there: remove it, give another name, or --force "
                              "to replace it", path);
    mass_series_text *t = calloc(1, sizeof *t);
    if (!t) return mass_error_memory(error, sizeof *t, "a series");
    *t = (mass_series_text){.set = set, .path = path, .json = ends_with(path, ".jsonl"), .resumed = resumed, .file = -1,
                            .regular = !there || S_ISREG(facts.st_mode), .alone = !there && !resumed && !force};
    if (resumed && t->regular && check_resumed(t, step, error) != MASS_OK) {
        free(t);
        return error->status;
    }
    *out = t;
    return MASS_OK;
}

void mass_series_text_free(mass_series_text *t)
{
    if (!t) return;
    if (t->file >= 0) close(t->file);
    free(t->waiting);
    free(t);
}

static mass_status refuse(const mass_series_text *t, mass_status status, mass_error *error)
{
    return mass_error_set(error, status, "cannot write %s: %s", t->path, strerror(errno));
}

static mass_status wait_with(mass_series_text *t, const char *text, size_t size, mass_error *error)
{
    char *larger = realloc(t->waiting, t->waiting_size + size);
    if (!larger) return mass_error_memory(error, t->waiting_size + size, "a series");
    memcpy(larger + t->waiting_size, text, size);
    t->waiting = larger;
    t->waiting_size += size;
    return MASS_OK;
}

mass_status mass_series_text_begin(mass_series_text *t, mass_error *error)
{
    t->file = open(t->path, O_WRONLY | O_CREAT | O_CLOEXEC | (t->alone ? O_EXCL : 0), 0666);
    if (t->file < 0) return refuse(t, errno == ENOSPC || errno == EDQUOT ? MASS_FAILED : MASS_BAD_USAGE, error);
    if (t->regular && (ftruncate(t->file, t->end) != 0 || lseek(t->file, t->end, SEEK_SET) != t->end))
        return refuse(t, MASS_FAILED, error);
    if (t->json || t->end > 0) return MASS_OK;
    char *header = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&header, &size);
    if (to) put_csv_header(t->set, to);
    mass_status status = to && fclose(to) == 0 ? wait_with(t, header, size, error)
        : mass_error_memory(error, 1, "a series");
    free(header);
    return status == MASS_OK ? mass_series_text_flush(t, error) : status;
}

bool mass_series_text_has(const mass_series_text *t, uint64_t step) { return t->has_rows && step <= t->last; }

/* Of the first `size` bytes that wait, those of whole rows, or of the header alone. */
static size_t whole_rows(const mass_series_text *t, size_t size)
{
    const size_t lines_of_row = t->json ? 1 : (size_t)t->set->worlds, header = !t->json && t->end == 0;
    size_t lines = 0, whole = 0;
    for (size_t i = 0; i < size; i++)
        if (t->waiting[i] == '\n' && ++lines >= header && (lines - header) % lines_of_row == 0) whole = i + 1;
    return whole;
}

/* Of what was written, whole rows stay; the rest is taken back, where that is possible. */
mass_status mass_series_text_flush(mass_series_text *t, mass_error *error)
{
    size_t done = 0;
    ssize_t put = 0;
    if (t->waiting_size == 0) return MASS_OK;
    while (done < t->waiting_size && (put = write(t->file, t->waiting + done, t->waiting_size - done)) >= 0)
        done += (size_t)put;
    const int reason = errno;
    const bool whole = done == t->waiting_size;
    if (!whole && t->regular) done = whole_rows(t, done);
    t->end += (off_t)done;
    t->waiting_size -= done;
    memmove(t->waiting, t->waiting + done, t->waiting_size);
    if (whole) return MASS_OK;
    if (t->regular && (ftruncate(t->file, t->end) != 0 || lseek(t->file, t->end, SEEK_SET) < 0))
        return refuse(t, MASS_FAILED, error);
    errno = reason;
    return refuse(t, MASS_FAILED, error);
}

mass_status mass_series_text_add(mass_series_text *t, uint64_t step, const double *values, mass_error *error)
{
    char *row = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&row, &size);
    if (to) (t->json ? put_json : put_csv)(t->set, to, step, values);
    const bool made = to && fclose(to) == 0;
    const mass_status status = made ? wait_with(t, row, size, error) : mass_error_memory(error, 1, "a series");
    free(row);
    if (status != MASS_OK) return status;
    t->last = step;
    t->has_rows = true;
    return mass_series_text_flush(t, error);
}
