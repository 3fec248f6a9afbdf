/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's functions emit instructions as they read, and return false, with the error set, once they refuse the
 * text. */
#include "text/expression.h"
#include "model/network.h"
#include "text/suggest.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING = 40 };

typedef struct parser {
    const char *what, *text, *at; /* at: the next byte to read; what: the start of messages */
    const mass_expression_scope *scope;
    mass_expression *out;
    uint32_t room, depth, nesting; /* depth: values on the stack */
    bool lacks_tally;
    const char *whole; /* position of a tally with bins that is named without a bin; NULL: none */
    mass_error *error;
} parser;

/* Returns the status for an expression that cannot be compiled: the fault is the file's or the user's. */
static mass_status refusal(const mass_expression_scope *scope)
{
    return scope->stored ? MASS_BAD_INPUT : MASS_BAD_USAGE;
}

/* Each function below that returns false has set the error. */

static bool refuse(parser *p, const char *place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Sets the error, with a mark at `place` in the text: the fault is the user's, or that of the file that stores the
 * text. Always returns false. */
static bool refuse(parser *p, const char *place, const char *format, ...)
{
    char why[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    mass_error_set(p->error, p->lacks_tally ? MASS_BAD_USAGE : refusal(p->scope), "%s: %s: %.*s^%s", p->what, why,
                   (int)(place - p->text), p->text, place);
    return false;
}

/* Appends an instruction, and refuses an expression whose stack would be too deep. */
static bool emit(parser *p, mass_instruction i)
{
    static const int8_t growth[] = {[MASS_OP_NUMBER] = 1, [MASS_OP_TALLY] = 1, [MASS_OP_STEP] = 1,
                                    [MASS_OP_STEADY] = 0, [MASS_OP_NEGATE] = 0, [MASS_OP_NOT] = 0};
    p->depth += i.operation > MASS_OP_NOT ? UINT32_MAX : (uint32_t)growth[i.operation];
    if (p->depth > MASS_EXPRESSION_DEPTH) return refuse(p, p->at, "too many operands wait here: use fewer parentheses");
    if (p->out->count == p->room) {
        const uint32_t room = p->room ? 2 * p->room : 16;
        mass_instruction *larger = realloc(p->out->program, room * sizeof *larger);
        if (!larger) return mass_error_memory(p->error, room * sizeof *larger, "an expression"), false;
        p->out->program = larger;
        p->room = room;
    }
    p->out->program[p->out->count++] = i;
    return true;
}

/* ---- tokens ---- */

/* Moves the parser past spaces and tabs. */
static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t') p->at++;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Skips blanks and consumes `symbol` if it comes next. Returns false, without an error, if another text follows. */
static bool take(parser *p, const char *symbol)
{
    skip_blanks(p);
    const size_t length = strlen(symbol);
    if (strncmp(p->at, symbol, length) != 0) return false;
    p->at += length;
    return true;
}

/* Takes a symbol, or refuses the text. */
static bool expect(parser *p, const char *symbol)
{
    return take(p, symbol) || refuse(p, p->at, "'%s' is expected", symbol);
}

/* Reads a whole number of at most 15 digits, after blanks. Refuses one that a letter, a dot or a further digit
 * follows. `what` names it in the error. */
static bool read_count(parser *p, const char *what, int64_t *out)
{
    skip_blanks(p);
    const char *start = p->at;
    *out = 0;
    while (is_digit(*p->at) && p->at - start < 15) *out = *out * 10 + (*p->at++ - '0');
    if (p->at == start || is_digit(*p->at) || *p->at == '.' || is_letter(*p->at))
        return refuse(p, start, "%s is expected", what);
    return true;
}

/* ---- primaries ---- */

/* Reads a decimal number, with or without a point and an exponent. Hexadecimals and "inf" are refused. */
static bool read_number(parser *p)
{
    const char *start = p->at, *at = start;
    while (is_digit(*at) || *at == '.') at++;
    if ((*at == 'e' || *at == 'E') && (is_digit(at[1]) || ((at[1] == '-' || at[1] == '+') && is_digit(at[2]))))
        for (at += 2; is_digit(*at);) at++;
    char digits[64], *end;
    const size_t length = (size_t)(at - start);
    if (length >= sizeof digits) return refuse(p, start, "a number of more than %zu characters", sizeof digits - 1);
    memcpy(digits, start, length);
    digits[length] = '\0';
    const double number = strtod(digits, &end);
    if (*end || end == digits || is_letter(*at)) return refuse(p, start, "this is not a number");
    if (!isfinite(number)) return refuse(p, start, "this number is too large");
    p->at = at;
    return emit(p, (mass_instruction){.operation = MASS_OP_NUMBER, .number = number});
}

/* Returns the population of a count such as POPULATION.alive, even if the model does not make that count; -1 for
 * another name. */
static int population_of_count(const mass_model *m, const char *name)
{
    static const char *const counts[] = {".alive", ".born", ".died", ".unborn", ".refused"}; /* the last: an old name */
    const char *dot = strchr(name, '.');
    char population[MASS_NAME_SIZE];
    bool is_count = false;
    for (size_t i = 0; dot && i < sizeof counts / sizeof *counts; i++) is_count |= strcmp(dot, counts[i]) == 0;
    if (!is_count || (size_t)(dot - name) >= sizeof population) return -1;
    memcpy(population, name, (size_t)(dot - name));
    population[dot - name] = '\0';
    return mass_model_find_population(m, population);
}

/* Returns the tally of a count; -1 for another name, or if the model does not make the count. */
static int find_count(const mass_model *m, const char *name)
{
    const int at = population_of_count(m, name);
    if (at < 0) return -1;
    const char *dot = strchr(name, '.');
    const mass_population_def *p = &m->populations[at];
    if (strcmp(dot, ".alive") == 0) return p->alive;
    if (strcmp(dot, ".born") == 0) return p->born;
    if (strcmp(dot, ".died") == 0) return p->died;
    return p->unborn;
}

/* Returns a tally's or, failing that, a count's index by name; -1 if there is none or it is hidden. */
static int find_tally(const mass_model *m, const char *name)
{
    const int found = mass_model_find_tally(m, name);
    if (found < 0) return find_count(m, name);
    return m->tallies[found].hidden ? -1 : found;
}

/* Returns true if `name` is the attribute's name, with its owner ("ants.wealth") or without ("wealth"). */
static bool is_called(const char *attribute, const char *name)
{
    const char *dot = strchr(attribute, '.');
    return strcmp(attribute, name) == 0 || (dot && strcmp(dot + 1, name) == 0);
}

/* Refuses `name`, which is an attribute: the user has to define a tally over it first. attribute: as
 * mass_suggest_attribute writes it. */
static bool refuse_attribute(parser *p, const char *place, const char *name, const char *attribute)
{
    const mass_attribute_def *a = mass_suggestion_attribute(p->scope->model, attribute);
    if (!mass_attribute_is_reducible(a))
        return refuse(p, place, "there is no tally '%s', which is an attribute that --tally cannot take: only a body "
                      "can add its values up in tallies", name);
    return refuse(p, place, "there is no tally '%s', which is an attribute: give --tally NAME=mean(%s%s), or sum, min "
                  "or max, and write NAME here", name, attribute, a->length > 1 ? "[0]" : "");
}

/* Refuses the name of a population: its size is the count POPULATION.alive, if the model has it. */
static bool refuse_population(parser *p, const char *place, const char *name, const mass_population_def *population)
{
    if (population->alive < 0)
        return refuse(p, place, "there is no tally '%s', which is a population: its model counts it only if it "
                      "declares a tally as its .alive", name);
    return refuse(p, place, "there is no tally '%s', which is a population: write %s.alive", name, name);
}

/* Refuses a count of a population, such as ants.born, that its model does not make. */
static bool refuse_count(parser *p, const char *place, const char *name, uint32_t population)
{
    if (mass_model_is_of_edges(p->scope->model, population))
        return refuse(p, place, "there is no tally '%s': edges are not counted so. A body over nodes can add up DEGREE",
                      name);
    return refuse(p, place, "there is no tally '%s': the model counts it only if it declares a tally as its %s", name,
                  strchr(name, '.'));
}

/* Refuses the name of a series: an expression is over tallies. */
static bool refuse_series(parser *p, const char *place, const mass_series_def *series)
{
    return refuse(p, place, "there is no tally '%s', which is a series that every log has: elsewhere write (%s)",
                  series->name, series->expression);
}

/* Refuses an unknown name, with a suggestion and the model's tallies, and marks that a tally is lacking. Returns
 * false. */
static bool refuse_name(parser *p, const char *place, const char *name)
{
    const mass_model *m = p->scope->model;
    char names[200] = "", meant[MASS_SUGGESTION_SIZE], attribute[MASS_SUGGESTION_SIZE];
    p->lacks_tally = true;
    for (uint32_t i = 0; i < m->tally_count; i++) {
        const size_t used = strlen(names);
        if (!m->tallies[i].hidden)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", m->tallies[i].name);
    }
    const int population = mass_model_find_population(m, name);
    if (population >= 0) return refuse_population(p, place, name, &m->populations[population]);
    const int counted = population_of_count(m, name);
    if (counted >= 0) return refuse_count(p, place, name, (uint32_t)counted);
    for (uint32_t i = 0; i < m->series_count; i++)
        if (strcmp(m->series[i].name, name) == 0) return refuse_series(p, place, &m->series[i]);
    const bool near = mass_suggest_tally(m, name, meant)[0];
    mass_suggest_attribute(m, name, true, attribute);
    if (attribute[0] && is_called(attribute, name)) return refuse_attribute(p, place, name, attribute);
    return refuse(p, place, "there is no tally '%s'; %s%s%s%s has %s", name, near ? "did you mean '" : "", meant,
                  near ? "'? " : "", m->plugin, names[0] ? names : "none");
}

/* Reads "[i]" after a tally's name. *world: the index in the run; -1: no world is given. Refuses a world that the run
 * does not have. */
static bool read_world(parser *p, int32_t *world)
{
    *world = -1;
    if (!take(p, "[")) return true;
    skip_blanks(p);
    const char *place = p->at;
    int64_t number;
    if (!read_count(p, "the number of a world", &number)) return false;
    const int64_t first = p->scope->first_world, last = first + p->scope->worlds - 1;
    if (number < first || number > last)
        return refuse(p, place, "there is no world %" PRId64 ": the run has %" PRId64 " to %" PRId64, number, first,
                      last);
    *world = (int32_t)(number - first);
    return expect(p, "]");
}

/* Reads "[i]" after the name of a tally with bins. Without "[i]", *bin is MASS_ALL_BINS, and p->whole notes the name.
 * For a tally without bins it reads nothing, and *bin is 0. */
static bool read_bin(parser *p, const mass_tally_def *t, const char *name, uint32_t *bin)
{
    int64_t number;
    *bin = 0;
    if (t->bins == 0) return true;
    skip_blanks(p);
    if (!take(p, "[")) {
        *bin = MASS_ALL_BINS;
        p->whole = name;
        return true;
    }
    skip_blanks(p);
    const char *place = p->at;
    if (!read_count(p, "the number of a bin", &number)) return false;
    if (number >= t->bins)
        return refuse(p, place, "%s has %s 0 to %u", t->name, mass_tally_is_kept(t) ? "values" : "bins", t->bins - 1);
    *bin = (uint32_t)number;
    return expect(p, "]");
}

static bool parse_or(parser *p);

/* Reads the "(EXPRESSION, STEPS)" of steady and emits its instruction, with the next steady index. */
static bool read_steady(parser *p)
{
    int64_t steps;
    if (!expect(p, "(") || !parse_or(p) || !expect(p, ",") || !read_count(p, "a number of steps", &steps) ||
        !expect(p, ")"))
        return false;
    return emit(p, (mass_instruction){.operation = MASS_OP_STEADY, .index = p->out->steady_count++,
                                      .number = (double)steps});
}

/* Reads a tally with its bin and world, `step` or `steady(...)`, and emits its instruction. Refuses keyed tallies. */
static bool read_name(parser *p)
{
    const char *start = p->at;
    char name[2 * MASS_NAME_SIZE];
    while (is_letter(*p->at) || is_digit(*p->at) || (*p->at == '.' && is_letter(p->at[1]))) p->at++;
    const size_t length = (size_t)(p->at - start);
    if (length >= sizeof name) return refuse(p, start, "a name of more than %zu characters", sizeof name - 1);
    memcpy(name, start, length);
    name[length] = '\0';
    const int tally = find_tally(p->scope->model, name);
    if (tally < 0 && strcmp(name, "step") == 0) return emit(p, (mass_instruction){.operation = MASS_OP_STEP});
    if (tally < 0 && strcmp(name, "steady") == 0) return read_steady(p);
    if (tally < 0) return refuse_name(p, start, name);
    const mass_tally_def *t = &p->scope->model->tallies[tally];
    if (t->keys)
        return refuse(p, start, "tally '%s' counts by key, and is not a number: the report and checkpoints have it",
                      t->name);
    mass_instruction i = {.operation = MASS_OP_TALLY, .index = (uint32_t)tally, .access = t->access, .kind = t->kind,
                          .fraction_bits = t->fraction_bits, .words = t->words, .first = t->first,
                          .late = t->late};
    return read_bin(p, t, start, &i.bin) && read_world(p, &i.world) && emit(p, i);
}

/* Parses a number, a name or an expression in parentheses. */
static bool parse_primary(parser *p)
{
    skip_blanks(p);
    if (*p->at == '(') {
        p->at++;
        return parse_or(p) && expect(p, ")");
    }
    if (is_digit(*p->at) || *p->at == '.') return read_number(p);
    if (is_letter(*p->at)) return read_name(p);
    return refuse(p, p->at, *p->at ? "a number, a tally or '(' is expected" : "it ends too early");
}

/* ---- operators ---- */

/* Parses any signs and '!' before a primary. A plus emits nothing. */
static bool parse_unary(parser *p)
{
    skip_blanks(p);
    const char sign = *p->at;
    if (sign != '-' && sign != '+' && sign != '!') return parse_primary(p);
    if (++p->nesting > NESTING) return refuse(p, p->at, "it is nested too deeply");
    p->at++;
    const bool good = parse_unary(p);
    p->nesting--;
    if (!good || sign == '+') return good;
    return emit(p, (mass_instruction){.operation = sign == '!' ? MASS_OP_NOT : MASS_OP_NEGATE});
}

typedef struct operator {
    const char *symbol;
    mass_operation operation;
} operator;

/* Operators by level, loosest level first. If two symbols begin alike, the longer one comes first. */
enum { LEVELS = 6, WIDTH = 5, EQUALITY = 2, RELATION = 3 };
static const operator levels[LEVELS][WIDTH] = {
    {{"||", MASS_OP_OR}},
    {{"&&", MASS_OP_AND}},
    {{"==", MASS_OP_EQUAL}, {"!=", MASS_OP_UNEQUAL}},
    {{"<=", MASS_OP_AT_MOST}, {">=", MASS_OP_AT_LEAST}, {"<", MASS_OP_LESS}, {">", MASS_OP_GREATER}},
    {{"+", MASS_OP_ADD}, {"-", MASS_OP_SUBTRACT}},
    {{"*", MASS_OP_MULTIPLY}, {"/", MASS_OP_DIVIDE}}};

/* Takes an operator of this level and returns it; NULL, with only blanks skipped, if none follows. */
static const operator *take_operator(parser *p, int level)
{
    for (const operator *o = levels[level]; o < levels[level] + WIDTH && o->symbol; o++)
        if (take(p, o->symbol)) return o;
    return NULL;
}

/* Parses operators of one level and all that bind tighter, and emits them left to right. Refuses chains of
 * comparisons. */
static bool parse_level(parser *p, int level)
{
    if (level == LEVELS) return parse_unary(p);
    if (!parse_level(p, level + 1)) return false;
    const operator *o;
    for (int count = 0; (o = take_operator(p, level)); count++) {
        if (count > 0 && (level == EQUALITY || level == RELATION))
            return refuse(p, p->at - strlen(o->symbol), "comparisons do not go in chains: use && or parentheses");
        if (!parse_level(p, level + 1) || !emit(p, (mass_instruction){.operation = o->operation})) return false;
    }
    return true;
}

/* Parses a whole expression, one level of nesting deeper. Refuses it if that is too deep. */
static bool parse_or(parser *p)
{
    if (++p->nesting > NESTING) return refuse(p, p->at, "it is nested too deeply");
    const bool good = parse_level(p, 0);
    p->nesting--;
    return good;
}

/* Parses one expression that has to fill the whole text; else refuses, with a hint for '=', '&' and '|'. */
static bool parse_all(parser *p)
{
    if (!parse_or(p)) return false;
    skip_blanks(p);
    if (*p->at == '\0') return true;
    if (*p->at == '=') return refuse(p, p->at, "'=' is not an operator: '==' compares");
    if (*p->at == '&') return refuse(p, p->at, "'&' is not an operator: '&&' is");
    if (*p->at == '|') return refuse(p, p->at, "'|' is not an operator: '||' is");
    if (*p->at == ',') return refuse(p, p->at, "this is one expression: give the option once for each");
    return refuse(p, p->at, "an operator is expected");
}

/* Returns true, with an error, if a tally with bins is named without a bin where one is required. `logged`: it is not
 * if the tally is the whole expression. */
static bool names_whole(parser *p, bool logged)
{
    if (!p->whole || (logged && p->out->count == 1)) return false;
    refuse(p, p->whole, "this tally has bins: name one, as in counts[0]");
    return true;
}

/* Compiles `text` into *out, which is empty on failure. `logged`: a tally with bins, without a bin, may be the whole
 * expression. */
static mass_status compile(const char *what, const char *text, const mass_expression_scope *scope, bool logged,
                           mass_expression *out, mass_error *error)
{
    *out = (mass_expression){0};
    parser p = {.what = what, .text = text, .at = text, .scope = scope, .out = out, .error = error};
    if (strlen(text) > MASS_EXPRESSION_LENGTH)
        return mass_error_set(error, refusal(scope), "%s: an expression of %zu characters, and %d are the most", what,
                              strlen(text), MASS_EXPRESSION_LENGTH);
    if (parse_all(&p) && !names_whole(&p, logged)) return MASS_OK;
    mass_expression_free(out);
    return error->status;
}

mass_status mass_expression_compile(const char *what, const char *text, const mass_expression_scope *scope,
                                    mass_expression *out, mass_error *error)
{
    return compile(what, text, scope, false, out, error);
}

mass_status mass_expression_compile_series(const char *what, const char *text, const mass_expression_scope *scope,
                                           mass_expression *out, mass_error *error)
{
    const mass_status status = compile(what, text, scope, true, out, error);
    if (status != MASS_OK || out->steady_count == 0) return status;
    mass_expression_free(out);
    return mass_error_set(error, refusal(scope), "%s %s: steady() sees every step, and a log need not: it is for "
                          "--until", what, text);
}

void mass_expression_free(mass_expression *e)
{
    free(e->program);
    *e = (mass_expression){0};
}

int mass_expression_tally(const mass_expression *e)
{
    const mass_instruction *i = e->program;
    return e->count == 1 && i->operation == MASS_OP_TALLY && i->world < 0 ? (int)i->index : -1;
}

void mass_steady_clear(mass_steady *steady, size_t count)
{
    for (size_t i = 0; i < count; i++) steady[i] = (mass_steady){0, -1};
}
