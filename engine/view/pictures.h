/* SPDX-License-Identifier: Apache-2.0 */
/* What of a model can be looked at as a picture: first what its plugin declares, as --image has it, and then every
 * attribute of places, component by component, in colours that are told apart without telling red from green. Main
 * thread. */
#ifndef MASS_ENGINE_VIEW_PICTURES_H
#define MASS_ENGINE_VIEW_PICTURES_H

#include "model/model.h"
#include "io/picture/raster.h"

enum { MASS_VIEW_PICTURES_MOST = 256, MASS_VIEW_LABEL_SIZE = 2 * MASS_NAME_SIZE + 16 };

typedef struct mass_view_picture {
    bool declared;    /* it is the model's own */
    uint32_t attribute, component, space;
    char label[MASS_VIEW_LABEL_SIZE]; /* "grid.velocity[1]" */
    mass_palette palette; /* its low and high are those of the colours, */
    bool ranged;          /* known before; else they are those of all values that were shown so far, */
    bool seen;            /* if there were any */
} mass_view_picture;

typedef struct mass_view_pictures {
    mass_view_picture *list; /* [count]; owned */
    uint32_t count;
} mass_view_pictures;

/* On failure *out is untouched. */
mass_status mass_view_pictures_create(const mass_model *m, mass_view_pictures *out, mass_error *error);
void mass_view_pictures_free(mass_view_pictures *);

#endif
