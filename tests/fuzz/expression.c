/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an expression. The reader refuses them in one line with a caret, or gives a program. That program,
 * written out with all its parentheses, is read as the same program. It has one value in every world. */
#include "harness.h"
#include "text/expression.h"

#include <string.h>

enum { WORLDS = 3, FIRST_WORLD = 2, TALLIES = 5 /* and the hidden one of the population's ids */ };

static mass_model make_model(void)
{
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {4, 3}},
                         NULL, 0, &e);
    mass_model_add_tally(&m, &(mass_tally){.name = "a", .access = MASS_SUM}, &e);
    mass_model_add_tally(&m, &(mass_tally){.name = "b", .access = MASS_MIN}, &e);
    mass_model_add_tally(&m, &(mass_tally){.name = "c", .access = MASS_SUM, .kind = MASS_TALLY_FIXED,
                             .fraction_bits = 8}, &e);
    mass_model_add_tally(&m, &(mass_tally){.name = "d", .access = MASS_MAX, .kind = MASS_TALLY_REAL}, &e);
    mass_model_add_population(&m, &(mass_population){.name = "ants", .alive = "a"}, &e);
    ALWAYS(e.status == MASS_OK && m.tally_count == TALLIES);
    return m;
}

static mass_status compile(const mass_model *m, const char *text, mass_expression *out, mass_error *error)
{
    return mass_expression_compile("--until", text, &(mass_expression_scope){m, WORLDS, FIRST_WORLD, false}, out,
                                   error);
}

static void check_refusal(const char *text, const mass_error *error)
{
    ALWAYS(error->status == MASS_BAD_USAGE && strncmp(error->text, "--until: ", 9) == 0);
    ALWAYS(strlen(text) > MASS_EXPRESSION_LENGTH || strchr(error->text, '^'));
    for (const unsigned char *c = (const unsigned char *)error->text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
}

/* The operands of an instruction written out; the caller frees them. */
static char *written(const mass_model *m, const mass_instruction *i, char **stack, uint32_t *top)
{
    static const char *const symbols[] = {[MASS_OP_ADD] = "+", [MASS_OP_SUBTRACT] = "-", [MASS_OP_MULTIPLY] = "*",
        [MASS_OP_DIVIDE] = "/", [MASS_OP_LESS] = "<", [MASS_OP_AT_MOST] = "<=", [MASS_OP_GREATER] = ">",
        [MASS_OP_AT_LEAST] = ">=", [MASS_OP_EQUAL] = "==", [MASS_OP_UNEQUAL] = "!=", [MASS_OP_AND] = "&&",
        [MASS_OP_OR] = "||"};
    const uint32_t takes = i->operation > MASS_OP_NOT ? 2 : i->operation >= MASS_OP_STEADY ? 1 : 0;
    char *out = NULL, *a = takes ? stack[*top - takes] : NULL, *b = takes == 2 ? stack[*top - 1] : NULL;
    int length;
    if (i->operation == MASS_OP_NUMBER) length = asprintf(&out, "%.17g", i->number);
    else if (i->operation == MASS_OP_STEP) length = asprintf(&out, "step");
    else if (i->operation == MASS_OP_TALLY && i->world < 0) length = asprintf(&out, "%s", m->tallies[i->index].name);
    else if (i->operation == MASS_OP_TALLY)
        length = asprintf(&out, "%s[%d]", m->tallies[i->index].name, i->world + FIRST_WORLD);
    else if (i->operation == MASS_OP_STEADY) length = asprintf(&out, "steady(%s,%.0f)", a, i->number);
    else if (takes == 1) length = asprintf(&out, "%s(%s)", i->operation == MASS_OP_NOT ? "!" : "-", a);
    else length = asprintf(&out, "(%s)%s(%s)", a, symbols[i->operation], b);
    ALWAYS(length >= 0);
    free(a);
    free(b);
    *top -= takes;
    return out;
}

static void check_reading(const mass_model *m, const mass_expression *e)
{
    char *stack[MASS_EXPRESSION_DEPTH];
    uint32_t top = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        char *text = written(m, &e->program[i], stack, &top);
        ALWAYS(top < MASS_EXPRESSION_DEPTH);
        stack[top++] = text;
    }
    ALWAYS(top == 1);
    mass_expression again;
    mass_error error = {0};
    if (compile(m, stack[0], &again, &error) == MASS_OK) {
        ALWAYS(again.count == e->count && again.steady_count == e->steady_count);
        for (uint32_t i = 0; i < e->count; i++) {
            const mass_instruction *x = &e->program[i], *y = &again.program[i];
            ALWAYS(x->operation == y->operation && x->index == y->index && x->world == y->world);
            ALWAYS(x->number == y->number && x->access == y->access && x->kind == y->kind);
        }
        mass_expression_free(&again);
    } else check_refusal(stack[0], &error); /* too long, or too deep */
    free(stack[0]);
}

static void check_value(const mass_expression *e)
{
    static const int64_t tallies[TALLIES * WORLDS] = {1, -2, INT64_MAX, INT64_MAX, 0, INT64_MIN, 5, 6, 7, INT64_MIN, 1,
                                                      -1};
    mass_steady *steady = malloc((e->steady_count * WORLDS + 1) * sizeof *steady);
    mass_steady_clear(steady, e->steady_count * WORLDS);
    for (uint64_t step = 1; step <= 3; step++)
        for (int32_t w = 0; w < WORLDS; w++) {
            const double value = mass_evaluate(e->program, e->count, tallies, WORLDS, w, step, steady);
            ALWAYS(value == value || mass_bits_f64(value) == 0x7ff8000000000000u);
        }
    free(steady);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_model m = make_model();
    mass_expression e;
    mass_error error = {0};
    char *text = malloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (compile(&m, text, &e, &error) == MASS_OK) {
        check_reading(&m, &e);
        check_value(&e);
        mass_expression_free(&e);
    } else {
        check_refusal(text, &error);
        ALWAYS(!e.program);
    }
    free(text);
    mass_model_free(&m);
    return 0;
}
