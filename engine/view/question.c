/* SPDX-License-Identifier: Apache-2.0 */
#include "view/question.h"

#include <stddef.h>
#include <string.h>

const char *const mass_view_rules[MASS_VIEW_RULES] = {"mean", "most", "largest"};
const char *const mass_view_phases[MASS_VIEW_PHASES] = {"waiting", "running", "paused", "ended"};

static const char prefix[] = "/run/";

bool mass_view_is_of_run(const char *target) { return strncmp(target, prefix, sizeof prefix - 1) == 0; }

/* ---- values ---- */

/* A part of the target. */
typedef struct words {
    const char *text;
    size_t length;
} words;

/* Returns true if a part of the question is this word. */
static bool is_word(words w, const char *word)
{
    return strlen(word) == w.length && memcmp(w.text, word, w.length) == 0;
}

/* Reads digits, after a sign if `least` is negative. Returns false for other text, and for a number below `least` or
 * above `most`. */
static bool read_number(words w, int64_t least, int64_t most, int64_t *out)
{
    const bool minus = w.length > 0 && w.text[0] == '-' && least < 0;
    int64_t value = 0;
    if (w.length == (size_t)minus) return false;
    for (size_t i = minus; i < w.length; i++) {
        const int digit = w.text[i] - '0';
        if (digit < 0 || digit > 9 || value > (INT64_MAX - digit) / 10) return false;
        value = 10 * value + digit;
    }
    if (minus) value = -value;
    if (value < least || value > most) return false;
    *out = value;
    return true;
}

/* ---- parameters ---- */

enum { FRAME = 1 << MASS_VIEW_FRAME, PLACE = 1 << MASS_VIEW_PLACE, NUMBERS = 1 << MASS_VIEW_NUMBERS,
       AGENT = 1 << MASS_VIEW_AGENT, ARROWS = 1 << MASS_VIEW_ARROWS, EDGES = 1 << MASS_VIEW_EDGES };
enum { INDEX_MOST = 1 << 20 };
#define COORDINATE_MOST ((int64_t)1 << 53) /* the largest integer that JavaScript counts to exactly */

typedef enum member { AFTER, RUN, AGENTS, PICTURE, SPACE, WORLD, AT_X, AT_Y, AT_Z, WIDTH, HEIGHT, PIXELS_X, PIXELS_Y,
                      SLICE, LOG, COUNT, RULE, PHASE, POPULATION, ATTRIBUTE, NETWORK, ID, MOST } member;

static const struct parameter {
    const char *name;
    int kinds; /* of questions that accept it */
    member member;
    int64_t least, most;
} parameters[] = {
    {"after", FRAME | NUMBERS, AFTER, 0, INT64_MAX},
    {"run", FRAME | NUMBERS, RUN, 0, UINT32_MAX},
    {"agents", FRAME, AGENTS, 0, 1},
    {"picture", FRAME, PICTURE, 0, INDEX_MOST},
    {"space", PLACE, SPACE, 0, INDEX_MOST},
    {"population", AGENT, POPULATION, 0, INDEX_MOST},
    {"attribute", ARROWS, ATTRIBUTE, 0, INDEX_MOST},
    {"network", EDGES, NETWORK, 0, INDEX_MOST},
    {"most", ARROWS, MOST, 1, MASS_VIEW_ARROWS_MOST},
    {"id", AGENT, ID, 0, INT64_MAX},
    {"world", FRAME | PLACE | AGENT | ARROWS | EDGES | NUMBERS, WORLD, 0, INT32_MAX},
    {"count", FRAME, COUNT, 1, MASS_VIEW_WORLDS_MOST},
    {"x", FRAME | PLACE | ARROWS, AT_X, -COORDINATE_MOST, COORDINATE_MOST},
    {"y", FRAME | PLACE | ARROWS, AT_Y, -COORDINATE_MOST, COORDINATE_MOST},
    {"z", PLACE, AT_Z, 0, COORDINATE_MOST},
    {"w", FRAME | ARROWS, WIDTH, 1, COORDINATE_MOST},
    {"h", FRAME | ARROWS, HEIGHT, 1, COORDINATE_MOST},
    {"pw", FRAME, PIXELS_X, 1, MASS_VIEW_PIXELS_MOST},
    {"ph", FRAME, PIXELS_Y, 1, MASS_VIEW_PIXELS_MOST},
    {"slice", FRAME | ARROWS, SLICE, 0, COORDINATE_MOST},
    {"log", NUMBERS, LOG, 0, INT64_MAX},
    {"reduce", FRAME, RULE, 0, 0},
    {"state", NUMBERS, PHASE, 0, 0}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

/* Returns the index of a word in a list, or -1. */
static int find_word(words value, const char *const list[], int count)
{
    for (int i = 0; i < count; i++)
        if (is_word(value, list[i])) return i;
    return -1;
}

/* Reads a rule or phase by its name. Returns false if it is unknown. */
static bool read_word(member m, words value, mass_view_question *q)
{
    const int found = m == RULE ? find_word(value, mass_view_rules, MASS_VIEW_RULES)
                                : find_word(value, mass_view_phases, MASS_VIEW_PHASES);
    if (found < 0) return false;
    if (m == PHASE) q->phase = found;
    else q->rule = (mass_view_rule)found, q->has_rule = true;
    return true;
}

/* Stores a number in its member of the question, and notes that optional ones are given. */
static void put(mass_view_question *q, member m, int64_t value)
{
    switch (m) {
    case AFTER: q->after = (uint64_t)value, q->has_after = true; break;
    case RUN: q->run = (uint32_t)value, q->has_run = true; break;
    case AGENTS: q->agents = value != 0; break;
    case PICTURE: q->picture = (uint32_t)value; break;
    case SPACE: q->space = (uint32_t)value; break;
    case POPULATION: q->population = (uint32_t)value; break;
    case ATTRIBUTE: q->attribute = (uint32_t)value; break;
    case NETWORK: q->network = (uint32_t)value; break;
    case MOST: q->most = (int32_t)value; break;
    case ID: q->id = (uint64_t)value; break;
    case WORLD: q->world = (int32_t)value; break;
    case AT_X: q->at[0] = value; break;
    case AT_Y: q->at[1] = value; break;
    case AT_Z: q->at[2] = value; break;
    case WIDTH: q->extent[0] = value; break;
    case HEIGHT: q->extent[1] = value; break;
    case PIXELS_X: q->pixels[0] = (int32_t)value; break;
    case PIXELS_Y: q->pixels[1] = (int32_t)value; break;
    case SLICE: q->slice = value; break;
    case COUNT: q->worlds = (int32_t)value; break;
    case LOG: q->log = (uint64_t)value; break;
    case RULE:
    case PHASE: break; /* not numbers */
    }
}

/* Reads "name=value". Each name may be given once: *seen has a bit for each that was. Returns false if the question
 * does not take it, or the value is wrong. */
static bool read_parameter(words name, words value, uint32_t *seen, mass_view_question *q)
{
    for (uint32_t i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &parameters[i];
        int64_t number = 0;
        if (!is_word(name, p->name)) continue;
        if (!(p->kinds >> q->kind & 1) || (*seen >> i & 1)) return false;
        *seen |= 1u << i;
        if (p->member == RULE || p->member == PHASE) return read_word(p->member, value, q);
        if (!read_number(value, p->least, p->most, &number)) return false;
        put(q, p->member, number);
        return true;
    }
    return false;
}

/* Reads all parameters after '?'. Returns false if one is unknown, wrong, or given twice. */
static bool read_query(const char *at, mass_view_question *q)
{
    uint32_t seen = 0;
    while (*at) {
        const size_t length = strcspn(at, "&"), name = strcspn(at, "=&");
        if (name >= length) return false;
        if (!read_parameter((words){at, name}, (words){at + name + 1, length - name - 1}, &seen, q)) return false;
        at += length;
        if (*at == '&' && !*++at) return false;
    }
    return true;
}

/* ---- targets ---- */

static const struct place {
    const char *name, *method;
    mass_view_kind kind;
} places[] = {{"model", "GET", MASS_VIEW_MODEL},
              {"frame", "GET", MASS_VIEW_FRAME},
              {"place", "GET", MASS_VIEW_PLACE},
              {"agent", "GET", MASS_VIEW_AGENT},
              {"arrows", "GET", MASS_VIEW_ARROWS},
              {"edges", "GET", MASS_VIEW_EDGES},
              {"numbers", "GET", MASS_VIEW_NUMBERS},
              {"control", "POST", MASS_VIEW_CONTROL}};
enum { PLACES = sizeof places / sizeof *places };

/* Returns a question with defaults. By default a frame is of the whole space. */
static mass_view_question begin(mass_view_kind kind)
{
    return (mass_view_question){.kind = kind, .worlds = 1, .slice = -1, .phase = -1, .most = MASS_VIEW_ARROWS_MOST,
                                .extent = {COORDINATE_MOST, COORDINATE_MOST},
                                .pixels = {MASS_VIEW_PIXELS_MOST / 4, MASS_VIEW_PIXELS_MOST / 4}};
}

int mass_view_question_read(const char *method, const char *target, mass_view_question *out)
{
    if (!mass_view_is_of_run(target)) return 404;
    const char *name = target + sizeof prefix - 1, *mark = strchr(name, '?');
    const words word = {name, mark ? (size_t)(mark - name) : strlen(name)};
    for (int i = 0; i < PLACES; i++) {
        if (!is_word(word, places[i].name)) continue;
        if (strcmp(method, places[i].method) != 0) return 405;
        mass_view_question q = begin(places[i].kind);
        if (mark && !read_query(mark + 1, &q)) return 400;
        *out = q;
        return 200;
    }
    return 404;
}
