/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles expressions over tallies, as --until and --log take them. Pure.
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
 * A TALLY is a tally of the model, or POPULATION.alive, .born, .died or .unborn if the population counts it (.refused
 * is the old name of .unborn). A tally with bins needs a BIN; no other tally takes one. WORLD is numbered as in
 * --first-world. A name without WORLD means the tally of the world that is evaluated. A tally called step hides the
 * number of the step. All arithmetic is in double: integer tallies are exact up to 2^53, and rounded to the nearest
 * double above that. */
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

/* The names that an expression may use. */
typedef struct mass_expression_scope {
    const mass_model *model;
    int32_t worlds, first_world;
    bool stored; /* the text comes from a file: errors are MASS_BAD_INPUT */
} mass_expression_scope;

/* Compiles `text`. The caller frees *out with mass_expression_free; on failure *out is empty. An error is
 * MASS_BAD_USAGE, or MASS_BAD_INPUT if scope->stored. A missing tally is always MASS_BAD_USAGE, since the user has to
 * define it. The message is one line: it begins with `what` and shows the text with a caret before the error. */
mass_status mass_expression_compile(const char *what, const char *text, const mass_expression_scope *scope,
                                    mass_expression *out, mass_error *error);
void mass_expression_free(mass_expression *); /* and empties it */

/* Compiles a series as mass_expression_compile does, with two differences. steady() is refused, since it has to see
 * every step. A tally with bins that is the whole expression needs no BIN and means all bins (MASS_ALL_BINS). */
mass_status mass_expression_compile_series(const char *what, const char *text, const mass_expression_scope *scope,
                                           mass_expression *out, mass_error *error);

/* Returns the index of the tally if the expression is only a tally, with or without a BIN, and without WORLD; else
 * -1. */
int mass_expression_tally(const mass_expression *e);

/* Resets the state of an expression's steady() calls before its first step. count: calls times worlds. */
void mass_steady_clear(mass_steady *steady, size_t count);

#endif
