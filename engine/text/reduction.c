/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's functions return false, with the error set, once they refuse the text. */
#include "text/reduction.h"
#include "text/decimal.h"
#include "text/suggest.h"

#include <stdio.h>
#include <string.h>

typedef struct parser {
    const char *text, *at; /* at: the next byte to read */
    mass_reduction_text *out;
    mass_error *error;
} parser;

/* Each function below that returns false has set the error. */

/* Sets the error of --tally, with a mark at `place` in the text. Always returns false. */
static bool refuse(parser *p, const char *place, const char *why)
{
    mass_error_set(p->error, MASS_BAD_USAGE, "--tally: %s: %.*s^%s", why, (int)(place - p->text), p->text, place);
    return false;
}

/* Moves the parser past spaces and tabs. */
static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t') p->at++;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Skips blanks and takes a symbol. False, with the error unset, if another follows. */
static bool take(parser *p, char symbol)
{
    skip_blanks(p);
    if (*p->at != symbol) return false;
    p->at++;
    return true;
}

/* Takes a symbol, or refuses the text. */
static bool expect(parser *p, char symbol)
{
    char why[] = "'?' is expected";
    why[1] = symbol;
    return take(p, symbol) || refuse(p, p->at, why);
}

/* Reads a name of letters, digits and '_', which does not start with a digit. Refuses with `expected` if there is
 * none. */
static bool read_name(parser *p, const char *expected, char name[MASS_NAME_SIZE])
{
    skip_blanks(p);
    const char *start = p->at;
    while (is_letter(*p->at) || (p->at > start && is_digit(*p->at))) p->at++;
    const size_t length = (size_t)(p->at - start);
    if (length == 0) return refuse(p, start, expected);
    if (length >= MASS_NAME_SIZE) return refuse(p, start, "a name has at most 63 characters");
    memcpy(name, start, length);
    name[length] = '\0';
    return true;
}

/* Reads a whole number from least to most. Refuses anything else with `expected`. */
static bool read_count(parser *p, uint32_t least, uint32_t most, const char *expected, uint32_t *out)
{
    skip_blanks(p);
    const char *start = p->at;
    uint64_t count = 0;
    while (is_digit(*p->at) && count <= most) count = 10 * count + (uint64_t)(*p->at++ - '0');
    if (p->at == start || is_digit(*p->at) || is_letter(*p->at) || *p->at == '.' || count < least || count > most)
        return refuse(p, start, expected);
    *out = (uint32_t)count;
    return true;
}

/* Reads a finite decimal number, which no letter may follow. */
static bool read_number(parser *p, double *out)
{
    char digits[64];
    skip_blanks(p);
    const char *start = p->at;
    const size_t length = strspn(start, "+-.eE0123456789");
    if (length >= sizeof digits) return refuse(p, start, "a number of more than 63 characters");
    memcpy(digits, start, length);
    digits[length] = '\0';
    if (!mass_read_f64(digits, out) || is_letter(start[length])) return refuse(p, start, "a number is expected");
    p->at += length;
    return true;
}

/* Reads the operation's word and stores its number in the parser's output, where it is 0 before. */
static bool read_operation(parser *p)
{
    static const struct {
        const char *name;
        uint32_t operation;
    } known[] = {{"sum", MASS_SUM}, {"mean", MASS_MEAN}, {"min", MASS_MIN}, {"max", MASS_MAX},
                 {"hist", MASS_HISTOGRAM}};
    static const char *const expected = "sum, mean, min, max or hist is expected";
    char name[MASS_NAME_SIZE];
    skip_blanks(p);
    const char *start = p->at;
    if (!read_name(p, expected, name)) return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) p->out->operation = known[i].operation;
    return p->out->operation != 0 || refuse(p, start, expected);
}

/* Reads the component's letter, x, y or z, and sets the component. Refuses others. */
static bool read_axis(parser *p)
{
    static const char axes[] = "xyz", expected[] = "a component x, y or z is expected";
    char name[MASS_NAME_SIZE];
    const char *start = p->at;
    if (!read_name(p, expected, name)) return false;
    const char *axis = name[1] == '\0' ? strchr(axes, name[0]) : NULL;
    if (!axis || !*axis) return refuse(p, start, expected);
    p->out->indexed = true;
    p->out->component = (uint32_t)(axis - axes);
    return true;
}

/* Reads [OWNER.]ATTRIBUTE[COMPONENT] into the parser's output, or OWNER.ATTRIBUTE.x: y and z are the next components.
 * Does not look it up in a model. */
static bool read_target(parser *p)
{
    mass_reduction_text *w = p->out;
    if (!read_name(p, "an attribute is expected", w->attribute)) return false;
    if (take(p, '.')) {
        memcpy(w->owner, w->attribute, sizeof w->owner);
        if (!read_name(p, "an attribute is expected", w->attribute)) return false;
        if (take(p, '.')) return read_axis(p);
    }
    if (!take(p, '[')) return true;
    w->indexed = true;
    return read_count(p, 0, MASS_LENGTH_MAX - 1, "the number of a component is expected", &w->component) &&
           expect(p, ']');
}

/* Reads ", BINS, LOW, HIGH" of a histogram. Refuses unless LOW is less than HIGH. */
static bool read_bins(parser *p)
{
    mass_reduction_text *w = p->out;
    static const char *const expected = "a number of bins from 1 to 1000000000 is expected";
    _Static_assert(MASS_BINS_MAX == 1000000000, "the text says so, too");
    if (!expect(p, ',') || !read_count(p, 1, MASS_BINS_MAX, expected, &w->bins) || !expect(p, ',') ||
        !read_number(p, &w->low) || !expect(p, ','))
        return false;
    skip_blanks(p);
    const char *high = p->at;
    if (!read_number(p, &w->high)) return false;
    return w->low < w->high || refuse(p, high, "bins end above where they begin");
}

/* Parses the whole text NAME=OPERATION(...) into the parser's output. Refuses anything after it. */
static bool read_reduction(parser *p)
{
    if (!read_name(p, "a name is expected, as in NAME=sum(ATTRIBUTE)", p->out->name) || !expect(p, '=') ||
        !read_operation(p) || !expect(p, '(') || !read_target(p) ||
        (p->out->operation == MASS_HISTOGRAM && !read_bins(p)) || !expect(p, ')'))
        return false;
    skip_blanks(p);
    return *p->at == '\0' || refuse(p, p->at, "text follows its end");
}

mass_status mass_reduction_parse(const char *text, mass_reduction_text *out, mass_error *error)
{
    *out = (mass_reduction_text){0};
    parser p = {.text = text, .at = text, .out = out, .error = error};
    if (strlen(text) > MASS_REDUCTION_LENGTH)
        return mass_error_set(error, MASS_BAD_USAGE, "--tally: %zu characters, and %d are the most", strlen(text),
                              MASS_REDUCTION_LENGTH);
    return read_reduction(&p) ? MASS_OK : error->status;
}

/* ---- declaration ---- */

/* Writes "; did you mean 'ants.wealth'?" to out, or that --tally cannot take that, or "" if no name is similar. Returns
 * out. */
static const char *ask(const mass_model *m, const mass_reduction_text *w, char out[MASS_SUGGESTION_SIZE + 32])
{
    char name[MASS_SUGGESTION_SIZE], meant[MASS_SUGGESTION_SIZE];
    snprintf(name, sizeof name, "%s%s%s", w->owner, w->owner[0] ? "." : "", w->attribute);
    out[0] = '\0';
    if (!mass_suggest_attribute(m, name, true, meant)[0]) return out;
    if (mass_attribute_is_reducible(mass_suggestion_attribute(m, meant)))
        snprintf(out, MASS_SUGGESTION_SIZE + 32, "; did you mean '%s'?", meant);
    else
        snprintf(out, MASS_SUGGESTION_SIZE + 32, "; --tally cannot take '%s'", meant);
    return out;
}

/* Sets the reduction's population or space by name. Without a name, it is the first space. *r borrows the name from *w.
 * Refuses an unknown one. */
static mass_status find_owner(const mass_model *m, const mass_reduction_text *w, mass_reduction *r, mass_error *error)
{
    char names[300] = "", asked[MASS_SUGGESTION_SIZE + 32];
    r->population = mass_model_find_population(m, w->owner) >= 0 ? w->owner : NULL;
    r->space = !r->population && w->owner[0] ? w->owner : NULL;
    if (r->population || mass_model_find_space(m, r->space) >= 0) return MASS_OK;
    for (uint32_t i = 0; i < m->space_count + m->population_count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                 i < m->space_count ? m->spaces[i].name : m->populations[i - m->space_count].name);
    }
    return mass_error_set(error, MASS_BAD_USAGE, "there is no space or population '%s'%s%s %s has %s", w->owner,
                          ask(m, w, asked), asked[0] ? "" : ";", m->plugin, names);
}

/* Sets the error for an attribute that its space or population lacks, with a suggestion or a pointer to --info. */
static mass_status refuse_attribute(const mass_model *m, const mass_reduction_text *w, mass_error *error)
{
    char asked[MASS_SUGGESTION_SIZE + 32];
    return mass_error_set(error, MASS_BAD_USAGE, "%s '%s' has no attribute '%s'%s",
                          mass_model_find_population(m, w->owner) >= 0 ? "population" : "space",
                          w->owner[0] ? w->owner : m->spaces[0].name, w->attribute,
                          ask(m, w, asked)[0] ? asked : "; --info lists them");
}

/* Refuses an attribute that the owner lacks, or one with several components unless a component is named. */
static mass_status check_target(const mass_model *m, const mass_reduction_text *w, const mass_reduction *r,
                                mass_error *error)
{
    const int a = r->population
        ? mass_model_named_agent_attribute(m, (uint32_t)mass_model_find_population(m, r->population), w->attribute)
        : mass_model_find_attribute(m, (uint32_t)mass_model_find_space(m, r->space), w->attribute);
    if (a < 0) return refuse_attribute(m, w, error);
    if (w->indexed || m->attributes[a].length == 1) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "attribute '%s' has components [0] to [%u]: name one, as in %s[0]",
                          w->attribute, m->attributes[a].length - 1, w->attribute);
}

/* Adds the reduction to the model as a tally and resolves the model's reductions again. */
static mass_status add(mass_model *m, const mass_reduction_text *w, mass_error *error)
{
    mass_reduction r = {.struct_size = sizeof r, .operation = w->operation, .name = w->name, .attribute = w->attribute,
                        .component = w->component, .bins = w->bins, .low = w->low, .high = w->high};
    mass_status status = find_owner(m, w, &r, error);
    if (status == MASS_OK) status = check_target(m, w, &r, error);
    if (status == MASS_OK) status = mass_model_add_reduction(m, &r, error);
    return status == MASS_OK ? mass_model_resolve_reductions(m, error) : status;
}

mass_status mass_model_add_reduction_text(mass_model *m, const char *text, mass_error *error)
{
    mass_reduction_text w;
    mass_error why = {0};
    mass_status status = mass_reduction_parse(text, &w, error);
    if (status != MASS_OK) return status;
    status = add(m, &w, &why);
    if (status == MASS_OK) return MASS_OK;
    return mass_error_set(error, status == MASS_BAD_PLUGIN ? MASS_BAD_USAGE : status, "--tally %s: %s", text, why.text);
}
