/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an RLE: refused in one line, or a pattern that survives being written again. */
#include "harness.h"
#include "pattern.h"
#include "pattern_refusal.h"

#include <string.h>

enum { SPACE_WIDTH = 200, SPACE_HEIGHT = 100 };

static int same_cells(const life_pattern *a, const life_pattern *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->cells, b->cells, (size_t)(a->width * a->height)) == 0;
}

static int same_rule(const life_pattern *a, const life_pattern *b)
{
    return a->has_rule == b->has_rule &&
           (!a->has_rule || memcmp(&a->rule, &b->rule, sizeof a->rule) == 0);
}

static void check_reread(const char *text, size_t size, const life_pattern *pattern)
{
    life_pattern again;
    life_pattern_error error;
    ALWAYS(life_pattern_parse_rle((const uint8_t *)text, size, SPACE_WIDTH, SPACE_HEIGHT, &again,
                                  &error) == MASS_OK);
    ALWAYS(same_cells(&again, pattern) && same_rule(&again, pattern));
    life_pattern_free(&again);
}

/* Cell by cell, without counts. */
static void check_written_rle(const life_pattern *p)
{
    char *text = (char *)malloc((size_t)(p->width * p->height + p->height + 100)), rule[24];
    int length = sprintf(text, "x=%lld,y=%lld", (long long)p->width, (long long)p->height);
    if (p->has_rule) {
        life_rule_format(p->rule, rule);
        length += sprintf(text + length, ",rule=%s", rule);
    }
    char *end = text + length;
    *end++ = '\n';
    for (int64_t i = 0; i < p->width * p->height; i++) {
        *end++ = p->cells[i] ? 'o' : 'b';
        if ((i + 1) % p->width == 0) *end++ = '$';
    }
    *end++ = '!';
    check_reread(text, (size_t)(end - text), p);
    free(text);
}

/* The other format agrees. */
static void check_written_cells(const life_pattern *p)
{
    char *text = (char *)malloc((size_t)(p->width * p->height + p->height)), *end = text;
    for (int64_t i = 0; i < p->width * p->height; i++) {
        *end++ = p->cells[i] ? 'O' : '.';
        if ((i + 1) % p->width == 0) *end++ = '\n';
    }
    life_pattern again;
    life_pattern_error error;
    ALWAYS(life_pattern_parse_cells((const uint8_t *)text, (size_t)(end - text), p->width,
                                    p->height, &again, &error) == MASS_OK);
    ALWAYS(same_cells(&again, p));
    life_pattern_free(&again);
    free(text);
}

static void check_junk_after_end(const uint8_t *bytes, size_t size, const life_pattern *p)
{
    char *text = (char *)malloc(size + 3);
    memcpy(text, bytes, size);
    memcpy(text + size, "\n9z", 3);
    check_reread(text, size + 3, p);
    free(text);
}

/* With CRLF or CR for every LF. */
static void check_line_ends(const uint8_t *bytes, size_t size, const life_pattern *p, int keeps_lf)
{
    char *text = (char *)malloc(2 * size), *end = text;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') *end++ = '\r';
        if (bytes[i] != '\n' || keeps_lf) *end++ = (char)bytes[i];
    }
    check_reread(text, (size_t)(end - text), p);
    free(text);
}

/* A position in the file, and a grid that a space can be, have numbers. */
static void check_facts(const uint8_t *bytes, size_t size)
{
    life_pattern found;
    life_pattern_error error;
    if (life_pattern_facts(bytes, size, LIFE_PATTERN_RLE, &found, &error) != MASS_OK) return;
    ALWAYS(!found.grid.surface || (found.grid.text[0] == ':' && strlen(found.grid.text) + 1 <= sizeof found.grid.text));
    ALWAYS(!life_grid_runs(&found.grid) || (found.grid.width > 0 && found.grid.height > 0));
}

static void check_tight_space(const uint8_t *bytes, size_t size, const life_pattern *p)
{
    life_pattern exact, before;
    life_pattern_error error;
    ALWAYS(life_pattern_parse_rle(bytes, size, p->width, p->height, &exact, &error) == MASS_OK);
    life_pattern_free(&exact);
    if (p->width == 0 || p->height == 0) return;
    memset(&exact, 0x5a, sizeof exact);
    before = exact;
    mass_status narrow =
        life_pattern_parse_rle(bytes, size, p->width - 1, p->height, &exact, &error);
    check_refusal(bytes, size, narrow, &error);
    ALWAYS(memcmp(&exact, &before, sizeof exact) == 0);
    mass_status low = life_pattern_parse_rle(bytes, size, p->width, p->height - 1, &exact, &error);
    check_refusal(bytes, size, low, &error);
    ALWAYS(memcmp(&exact, &before, sizeof exact) == 0);
}

static void check_pattern(const uint8_t *bytes, size_t size, const life_pattern *p)
{
    ALWAYS(p->width >= 0 && p->width <= SPACE_WIDTH);
    ALWAYS(p->height >= 0 && p->height <= SPACE_HEIGHT);
    for (int64_t i = 0; i < p->width * p->height; i++) ALWAYS(p->cells[i] <= 1);
    ALWAYS(!p->has_rule || ((p->rule.birth | p->rule.survive) & ~0x1ff) == 0);
    check_tight_space(bytes, size, p);
    check_written_rle(p);
    if (p->width > 0 && p->height > 0) check_written_cells(p);
    check_junk_after_end(bytes, size, p);
    check_line_ends(bytes, size, p, 1);
    check_line_ends(bytes, size, p, 0);
    check_facts(bytes, size);
}

static void check_header_rule(const uint8_t *bytes, size_t size, const life_pattern *p,
                              mass_status parsed)
{
    life_pattern header = {0};
    life_pattern_error error;
    mass_status status = life_pattern_rule(bytes, size, LIFE_PATTERN_RLE, &header.has_rule,
                                           &header.rule, &error);
    if (status != MASS_OK && strstr(error.text, "which is not read here")) return; /* a line of another format */
    ALWAYS(parsed != MASS_OK || (status == MASS_OK && same_rule(&header, p)));
}

static void check_rule_text(const uint8_t *bytes, size_t size)
{
    life_rule rule = {0, 0}, again = {0, 0};
    char text[24], message[200] = "";
    mass_status status =
        life_rule_parse((const char *)bytes, size, &rule, message, sizeof message);
    ALWAYS(status == MASS_OK || (status == MASS_BAD_USAGE && message[0] && !rule.birth &&
                                 !rule.survive && strlen(message) + 1 < sizeof message));
    for (const char *c = message; *c; c++) ALWAYS(*c >= 0x20 && *c < 0x7f);
    if (status != MASS_OK) return;
    life_rule_format(rule, text);
    ALWAYS(life_rule_parse(text, strlen(text), &again, message, sizeof message) == MASS_OK);
    ALWAYS(again.birth == rule.birth && again.survive == rule.survive);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    life_pattern pattern, before;
    life_pattern_error error;
    memset(&pattern, 0x5a, sizeof pattern);
    memcpy(&before, &pattern, sizeof before);
    mass_status status =
        life_pattern_parse_rle(bytes, size, SPACE_WIDTH, SPACE_HEIGHT, &pattern, &error);
    check_header_rule(bytes, size, &pattern, status);
    check_rule_text(bytes, size);
    if (status != MASS_OK) {
        check_refusal(bytes, size, status, &error);
        ALWAYS(memcmp(&pattern, &before, sizeof pattern) == 0);
        return 0;
    }
    check_pattern(bytes, size, &pattern);
    life_pattern_free(&pattern);
    return 0;
}
