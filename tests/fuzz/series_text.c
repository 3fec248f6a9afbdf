/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .csv or .jsonl that a resumed run goes on with. Refused, they stay as they are. Accepted, the file
 * keeps all whole rows up to the step. It loses only bytes behind them that a run of this program could have written.
 * It then gets every later row once, in values that are read back. No owner of the bytes is recorded, so that --force
 * takes them. From then on they are the run's own. The first bytes choose the series. */
#include "input.h"
#include "io/folder/ownership.h"
#include "io/series/text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <unistd.h>

enum { COLUMNS = 3, ROWS_ADDED = 3, VALUES_MOST = 3 * COLUMNS * 3 };

typedef struct scene {
    bool json;
    char path[64], header[200];
    mass_series_column columns[COLUMNS];
    mass_series_set set;
    mass_ownership owner;
    uint64_t step; /* that the run resumes at */
    double values[ROWS_ADDED + 1][VALUES_MOST];
} scene;

typedef struct content {
    char bytes[1 << 16]; /* and a zero */
    size_t size;
} content;

static void choose_scene(scene *s, input *in)
{
    static const char *const names[COLUMNS] = {"a", "bins", "c.d"};
    const uint8_t first = take_u8(in), second = take_u8(in);
    s->json = first & 1;
    s->set = (mass_series_set){.plugin = "some", .every = 1 + second % 5, .worlds = 1 + (first >> 1) % 3,
                               .first_world = first >> 3 & 1 ? 7 : 0, .count = 1 + (first >> 4) % COLUMNS,
                               .columns = s->columns};
    s->step = second / 5;
    s->owner = (mass_ownership){.facts = {.identity = "00112233445566778899aabbccddeeff", .plugin = "some",
                                          .run = "ffeeddccbbaa99887766554433221100", .known = true},
                                .resumed = true, .force = true};
    s->set.owner = &s->owner;
    size_t used = (size_t)snprintf(s->header, sizeof s->header, s->set.worlds > 1 ? "step,world" : "step");
    for (uint32_t c = 0; c < s->set.count; c++) {
        const uint32_t length = c == 1 ? 3 : 1;
        s->columns[c] = (mass_series_column){.length = length};
        snprintf(s->columns[c].name, sizeof s->columns[c].name, "%s", names[c]);
        for (uint32_t i = 0; i < length; i++)
            used += (size_t)snprintf(s->header + used, sizeof s->header - used, length > 1 ? ",%s[%u]" : ",%s",
                                     names[c], i);
    }
    snprintf(s->header + used, sizeof s->header - used, "\n");
    snprintf(s->path, sizeof s->path, "/dev/shm/mass-fuzz-text-%ld.%s", (long)getpid(), s->json ? "jsonl" : "csv");
    take_bytes(in, s->values, (size_t)(take_u8(in) % 4) * sizeof s->values[0]);
}

static size_t lines_of_row(const scene *s) { return s->json ? 1 : (size_t)s->set.worlds; }

/* ---- the file ---- */

static void write_content(const scene *s, const content *c)
{
    const int file = open(s->path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    ALWAYS(file >= 0 && write(file, c->bytes, c->size) == (ssize_t)c->size);
    close(file);
}

static void read_content(const scene *s, content *c)
{
    const int file = open(s->path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, c->bytes, sizeof c->bytes - 1);
    ALWAYS(size >= 0 && (size_t)size < sizeof c->bytes - 1);
    c->size = (size_t)size;
    c->bytes[c->size] = '\0';
    close(file);
}

static bool equals(const content *c, const void *bytes, size_t size)
{
    return c->size == size && memcmp(c->bytes, bytes, size) == 0;
}

/* ---- rows ---- */

/* The step of a line, whole or not: false if it is none. */
static bool read_step(const scene *s, const char *line, uint64_t *step)
{
    return sscanf(line, s->json ? "{\"step\": %" SCNu64 "," : "%" SCNu64 ",", step) == 1;
}

/* Where the last whole row of a step up to the scene's ends. */
static size_t kept_end(const scene *s, const content *c)
{
    size_t at = 0, kept = 0, lines = 0;
    uint64_t step, row = 0;
    for (const char *end; (end = memchr(c->bytes + at, '\n', c->size - at)); at = (size_t)(end + 1 - c->bytes)) {
        const size_t next = (size_t)(end + 1 - c->bytes);
        if (at == 0 && !s->json) {
            kept = next;
            continue;
        }
        if (memchr(c->bytes + at, '\0', next - at)) break;
        if (!read_step(s, c->bytes + at, &step) || step > s->step) break;
        lines = lines % lines_of_row(s) > 0 && step == row ? lines + 1 : 1;
        row = step;
        if (lines == lines_of_row(s)) kept = next;
    }
    return kept;
}

/* Whether a run of this program may have left these bytes behind the kept rows. They may be a row. Behind rows they may
 * also be a row that was cut short or that a loss of power filled with zeros. If there are no rows, they may be the
 * beginning of the header or of a row. */
static bool is_ours(const scene *s, const content *c, size_t kept)
{
    static const char letters[] = "0123456789.,+-einfa", object[] = "{\"step\": ";
    const char *rest = c->bytes + kept, *end = memchr(rest, '\n', c->size - kept);
    const size_t size = c->size - kept, header = s->json ? 0 : strlen(s->header);
    uint64_t step;
    if (size == 0) return true;
    if (end) return read_step(s, rest, &step) || memchr(rest, '\0', (size_t)(end - rest));
    if (kept > header) return true;
    if (kept < header) return size < header && memcmp(rest, s->header, size) == 0;
    if (s->json) return strncmp(rest, object, size < strlen(object) ? size : strlen(object)) == 0;
    for (size_t i = 0; i < size; i++)
        if (!rest[i] || !strchr(letters, rest[i])) return false;
    return true;
}

/* ---- what was added ---- */

static void check_number(const char *text, double value)
{
    const bool none = *text == ',' || *text == '\n';
    ALWAYS(isfinite(value) ? !none && strtod(text, NULL) == value : none);
}

static void check_csv_row(const scene *s, const char **at, uint64_t step, const double *values)
{
    for (int32_t w = 0; w < s->set.worlds; w++) {
        char expected[64];
        int used = snprintf(expected, sizeof expected, "%" PRIu64, step);
        if (s->set.worlds > 1) snprintf(expected + used, sizeof expected - (size_t)used, ",%d", s->set.first_world + w);
        ALWAYS(strncmp(*at, expected, strlen(expected)) == 0);
        *at += strlen(expected);
        const double *own = values;
        for (uint32_t c = 0; c < s->set.count; c++) {
            const size_t length = s->columns[c].length;
            for (size_t i = 0; i < length; i++) {
                ALWAYS(**at == ',');
                check_number(++*at, own[(size_t)w * length + i]);
                *at += strcspn(*at, ",\n");
            }
            own += length * (size_t)s->set.worlds;
        }
        ALWAYS(*(*at)++ == '\n');
    }
}

static void check_json_value(const json_t *found, double value)
{
    if (isfinite(value)) ALWAYS(json_is_number(found) && json_number_value(found) == value);
    else ALWAYS(json_is_null(found));
}

static void check_json_row(const scene *s, const char **at, uint64_t step, const double *values)
{
    const char *end = strchr(*at, '\n');
    json_error_t why;
    ALWAYS(end);
    json_t *row = json_loadb(*at, (size_t)(end - *at), JSON_REJECT_DUPLICATES, &why);
    ALWAYS(row && json_object_size(row) == s->set.count + 1);
    ALWAYS((uint64_t)json_integer_value(json_object_get(row, "step")) == step);
    for (uint32_t c = 0; c < s->set.count; c++) {
        const json_t *column = json_object_get(row, s->columns[c].name);
        const size_t length = s->columns[c].length;
        for (int32_t w = 0; w < s->set.worlds; w++) {
            const json_t *own = s->set.worlds > 1 ? json_array_get(column, (size_t)w) : column;
            for (size_t i = 0; i < length; i++)
                check_json_value(length > 1 ? json_array_get(own, i) : own, *values++);
        }
    }
    json_decref(row);
    *at = end + 1;
}

/* Adds the rows of the next steps, and returns the last one's step. */
static uint64_t go_on(const scene *s, mass_series_text *t, const content *begun)
{
    static content after;
    mass_error error = {0};
    uint64_t steps[ROWS_ADDED + 1];
    size_t count = 0;
    for (uint64_t step = s->step; count < ROWS_ADDED; step++)
        if (step % s->set.every == 0 && !mass_series_text_has(t, step)) {
            ALWAYS(mass_series_text_add(t, step, s->values[count], &error) == MASS_OK);
            steps[count++] = step;
            ALWAYS(mass_series_text_has(t, step));
        }
    ALWAYS(mass_series_text_sync(t, &error) == MASS_OK);
    read_content(s, &after);
    ALWAYS(after.size > begun->size && memcmp(after.bytes, begun->bytes, begun->size) == 0);
    const char *at = after.bytes + begun->size;
    for (size_t i = 0; i < count; i++)
        (s->json ? check_json_row : check_csv_row)(s, &at, steps[i], s->values[i]);
    ALWAYS(at == after.bytes + after.size);
    return steps[count - 1];
}

static void remove_file(const scene *s)
{
    char beside[80];
    snprintf(beside, sizeof beside, "%s.run", s->path);
    unlink(beside);
    unlink(s->path);
}

/* Behind its own last row a file is gone on with as it is. */
static void check_again(scene *s, uint64_t step)
{
    static content before, after;
    mass_series_text *t = NULL;
    mass_error error = {0};
    read_content(s, &before);
    s->owner.force = false;
    const mass_series_text_start start = {.resumed = true, .step = step, .kept = true};
    ALWAYS(mass_series_text_create(&s->set, s->path, &start, &t, &error) == MASS_OK);
    ALWAYS(mass_series_text_begin(t, &error) == MASS_OK && mass_series_text_has(t, step));
    mass_series_text_free(t);
    read_content(s, &after);
    ALWAYS(equals(&after, before.bytes, before.size));
}

static void check_accepted(scene *s, mass_series_text *t, const content *given)
{
    static content begun;
    mass_error error = {0};
    read_content(s, &begun);
    ALWAYS(equals(&begun, given->bytes, given->size));
    const mass_status status = mass_series_text_begin(t, &error);
    read_content(s, &begun);
    if (status != MASS_OK) {
        ALWAYS(equals(&begun, given->bytes, given->size) && strstr(error.text, s->path));
        return;
    }
    const size_t kept = kept_end(s, given);
    const bool header = !s->json && kept == 0;
    if (header) ALWAYS(equals(&begun, s->header, strlen(s->header)));
    else ALWAYS(equals(&begun, given->bytes, kept));
    ALWAYS(is_ours(s, given, kept));
    check_again(s, go_on(s, t, &begun));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static scene s;
    static content given, left;
    input in = {bytes, bytes + size};
    mass_series_text *t = NULL;
    mass_error error = {0};
    memset(&s, 0, sizeof s);
    choose_scene(&s, &in);
    given.size = take_bytes(&in, given.bytes, sizeof given.bytes / 2);
    given.bytes[given.size] = '\0';
    write_content(&s, &given);
    const mass_series_text_start start = {.resumed = true, .step = s.step, .kept = true};
    const mass_status status = mass_series_text_create(&s.set, s.path, &start, &t, &error);
    ALWAYS(status == error.status);
    if (status == MASS_OK) check_accepted(&s, t, &given);
    else {
        ALWAYS(status == MASS_BAD_INPUT && strncmp(error.text, s.path, strlen(s.path)) == 0 && !t);
        ALWAYS_ONE_LINE(error.text);
        read_content(&s, &left);
        ALWAYS(equals(&left, given.bytes, given.size));
    }
    mass_series_text_free(t);
    remove_file(&s);
    return 0;
}
