/* SPDX-License-Identifier: Apache-2.0 */
/* Parses reductions as --tally takes them. Pure.
 *
 *   reduction  NAME "=" ( VALUE "(" target ")" | "hist" "(" target "," BINS "," LOW "," HIGH ")" )
 *   VALUE      "sum" | "mean" | "min" | "max"
 *   target     [ OWNER "." ] ATTRIBUTE [ "[" COMPONENT "]" ] | OWNER "." ATTRIBUTE "." ( "x" | "y" | "z" )
 *
 * OWNER is a population or a space; without it, the first declared space. COMPONENT is required if the attribute has
 * several components. */
#ifndef MASS_ENGINE_TEXT_REDUCTION_H
#define MASS_ENGINE_TEXT_REDUCTION_H

#include "model/model.h"

enum { MASS_REDUCTION_LENGTH = 400 /* bytes of text, at most */ };

typedef struct mass_reduction_text {
    char name[MASS_NAME_SIZE], owner[MASS_NAME_SIZE], attribute[MASS_NAME_SIZE]; /* owner "": not given */
    uint32_t operation; /* an operation of mass_reduction */
    bool indexed;       /* a component is given */
    uint32_t component, bins;
    double low, high;
} mass_reduction_text;

/* Parses `text`. An error is MASS_BAD_USAGE, in one line that begins with --tally and shows the text with a caret
 * before the error. */
mass_status mass_reduction_parse(const char *text, mass_reduction_text *out, mass_error *error);

/* Adds the reduction of a --tally option to a resolved model. MASS_BAD_USAGE if the model lacks what it names. */
mass_status mass_model_add_reduction_text(mass_model *m, const char *text, mass_error *error);

#endif
