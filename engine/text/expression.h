/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions over tallies, as --until and --log take them. Pure.
 *
 *   or        and { "||" and }
 *   and       equality { "&&" equality }
 *   equality  relation [ ("==" | "!=") relation ]
 *   relation  sum [ ("<" | "<=" | ">" | ">=") sum ]
 *   sum       product { ("+" | "-") product }
 *   product   unary { ("*" | "/") unary }
 *   unary     { "!" | "-" | "+" } primary
 *   primary   NUMBER | "step" | TALLY [ "[" BIN "]" ] [ "[" WORLD "]" ] | "steady" "(" or "," STEPS ")" | "(" or ")"
 *
 * A TALLY is one of the model, or POPULATION.alive, .born, .died or .unborn, where the population counts it (.refused
 * is the old name of .unborn). A BIN is given where the tally has bins, and only there; a WORLD is numbered as
 * --first-world does. A name alone is the tally of the world that is looked at; a tally that is called step hides the
 * number of the step. Everything is computed in double: tallies of integers are exact to 2^53, and rounded to the
 * nearest double beyond. */
#ifndef MASS_ENGINE_TEXT_EXPRESSION_H
#define MASS_ENGINE_TEXT_EXPRESSION_H

#include "model/model.h"
#include "evaluate.h"

enum { MASS_EXPRESSION_LENGTH = 400 /* bytes of text, at most */ };

typedef struct mass_expression {
    mass_instruction *program; /* owned */
    uint32_t count, steady_count;
} mass_expression;

#define MASS_ALL_BINS UINT32_MAX

/* What an expression may name. */
typedef struct mass_expression_scope {
    const mass_model *model;
    int32_t worlds, first_world;
    bool stored; /* the text is of a file */
} mass_expression_scope;

/* MASS_BAD_USAGE, or of a text that is stored MASS_BAD_INPUT, unless it lacks a tally, which the user has to give; in
 * one line that begins with `what` and shows the text with a caret before the place that is wrong. On failure *out
 * holds nothing. */
mass_status mass_expression_compile(const char *what, const char *text, const mass_expression_scope *scope,
                                    mass_expression *out, mass_error *error);
void mass_expression_free(mass_expression *);

/* As above for a series: without steady(), which has to see every step; and a tally of bins alone, without a
 * BIN, which is all of them (MASS_ALL_BINS). */
mass_status mass_expression_compile_series(const char *what, const char *text, const mass_expression_scope *scope,
                                           mass_expression *out, mass_error *error);

/* The tally that an expression is the plain name of, in every world its own; or -1. */
int mass_expression_tally(const mass_expression *e);

/* Memory of the steady()s of an expression before its first step: count * worlds of them. */
void mass_steady_clear(mass_steady *steady, size_t count);

#endif
