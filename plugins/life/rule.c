/* SPDX-License-Identifier: Apache-2.0 */
#include "rule.h"

#include <stdio.h>

typedef struct reader {
    const char *start, *next, *end;
} reader;

/* Returns 1 if a digit is next. */
static int is_digit(const reader *r)
{
    return r->next < r->end && *r->next >= '0' && *r->next <= '9';
}

/* Skips an upper-case character, or its lower case. Returns 1 if it was there. */
static int accept(reader *r, char upper)
{
    if (r->next == r->end) return 0;
    if (*r->next != upper && !(upper >= 'A' && *r->next == upper + 32)) return 0;
    r->next++;
    return 1;
}

/* Takes digits from 0 to 8, and returns them as bits. */
static uint16_t neighbour_counts(reader *r)
{
    unsigned counts = 0;
    while (is_digit(r) && *r->next != '9') counts |= 1u << (*r->next++ - '0');
    return (uint16_t)counts;
}

/* Returns 1 if a letter of a rule is next, in either case. */
static int is_letter(const reader *r, char upper)
{
    return r->next < r->end && (*r->next == upper || *r->next == upper + 32);
}

/* Reads both halves of a rule: two letters, with a slash between them or none; or a slash without letters. Returns
 * NULL, or the text that is expected where it stopped. */
static const char *read_halves(reader *r, life_rule *rule)
{
    const int born_first = accept(r, 'B'), letters = born_first || accept(r, 'S');
    const char other = born_first ? 'S' : 'B';
    const uint16_t first = neighbour_counts(r);
    if (!accept(r, '/') && !(letters && is_letter(r, other))) return "a digit from 0 to 8 or '/'";
    if (letters && !accept(r, other)) return born_first ? "S" : "B";
    const uint16_t second = neighbour_counts(r);
    rule->birth = born_first ? first : second;
    rule->survive = born_first ? second : first;
    return NULL;
}

/* Reads a whole rule, with its grid if it has one. Returns NULL, or what is missing, for a message. */
static const char *read_rule(reader *r, life_rule *rule, life_grid *grid)
{
    if (r->end > r->next && r->end[-1] == ',') r->end--;
    const char *missing = read_halves(r, rule);
    if (missing) return missing;
    *grid = (life_grid){0};
    if (accept(r, ':')) return life_grid_parse(r->next, r->end, &r->next, grid);
    return r->next < r->end ? "a digit from 0 to 8" : NULL;
}

/* Returns 1 if a character is printable ASCII. */
static int printable(char c)
{
    return c >= 0x20 && c < 0x7f;
}

/* Writes the start of text, safe for a terminal. */
static void quote(char quoted[44], const reader *r)
{
    int shown = 0;
    for (const char *c = r->start; c < r->end && shown < 40; c++)
        quoted[shown++] = printable(*c) ? *c : '?';
    snprintf(quoted + shown, (size_t)(44 - shown), "%s", r->end - r->start > shown ? "..." : "");
}

/* Writes a message: where the rule is wrong, and what belongs there. */
static void explain(const reader *r, const char *missing, char *message, size_t message_size)
{
    char quoted[44];
    quote(quoted, r);
    const char *advice = "rules are written B3/S23 or 23/3";
    if (r->next == r->end)
        snprintf(message, message_size, "rule '%s' ends where %s belongs: %s", quoted, missing,
                 advice);
    else
        snprintf(message, message_size, "rule '%s' has '%c' where %s belongs: %s", quoted,
                 printable(*r->next) ? *r->next : '?', missing, advice);
}

mass_status life_rule_parse_grid(const char *text, size_t length, life_rule *out, life_grid *grid, char *message,
                                 size_t message_size)
{
    reader r = {text, text, text + length};
    life_rule rule;
    life_grid found;
    const char *missing = read_rule(&r, &rule, &found);
    if (missing) {
        explain(&r, missing, message, message_size);
        return MASS_BAD_USAGE;
    }
    *out = rule;
    *grid = found;
    return MASS_OK;
}

mass_status life_rule_parse(const char *text, size_t length, life_rule *out, char *message,
                            size_t message_size)
{
    life_grid grid;
    return life_rule_parse_grid(text, length, out, &grid, message, message_size);
}

/* Writes the counts as digits, without a final 0, and returns where they end. */
static char *write_counts(char *out, uint16_t counts)
{
    for (int n = 0; n <= 8; n++)
        if (counts >> n & 1) *out++ = (char)('0' + n);
    return out;
}

void life_rule_format(life_rule rule, char out[24])
{
    *out++ = 'B';
    out = write_counts(out, rule.birth);
    *out++ = '/';
    *out++ = 'S';
    out = write_counts(out, rule.survive);
    *out = '\0';
}
