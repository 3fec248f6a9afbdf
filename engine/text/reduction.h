/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions as --tally takes them. Pure.
 *
 *   reduction  NAME "=" ( VALUE "(" target ")" | "hist" "(" target "," BINS "," LOW "," HIGH ")" )
 *   VALUE      "sum" | "mean" | "min" | "max"
 *   target     [ OWNER "." ] ATTRIBUTE [ "[" COMPONENT "]" ]
 *
 * OWNER is a population or a space, without it the space declared first. COMPONENT is given where the attribute has
 * several. */
#ifndef MASS_ENGINE_TEXT_REDUCTION_H
#define MASS_ENGINE_TEXT_REDUCTION_H

#include "model/model.h"

enum { MASS_REDUCTION_LENGTH = 400 /* bytes of text, at most */ };

typedef struct mass_reduction_text {
    char name[MASS_NAME_SIZE], owner[MASS_NAME_SIZE], attribute[MASS_NAME_SIZE]; /* owner "": none is given */
    uint32_t operation; /* of mass_reduction */
    bool indexed;       /* a component is given */
    uint32_t component, bins;
    double low, high;
} mass_reduction_text;

/* MASS_BAD_USAGE, in one line that begins with --tally and shows the text with a caret before the place that is
 * wrong. */
mass_status mass_reduction_parse(const char *text, mass_reduction_text *out, mass_error *error);

/* Adds to a resolved model what --tally says. What the model does not have is MASS_BAD_USAGE. */
mass_status mass_model_add_reduction_text(mass_model *m, const char *text, mass_error *error);

#endif
