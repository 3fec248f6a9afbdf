/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures of a model. The first is the one that its plugin declares, as with --image. Then comes every place
 * attribute, component by component, in colours that do not require telling red from green. Main thread. */
#ifndef MASS_ENGINE_VIEW_PICTURES_H
#define MASS_ENGINE_VIEW_PICTURES_H

#include "model/model.h"
#include "io/picture/raster.h"

enum { MASS_VIEW_PICTURES_MOST = 256, MASS_VIEW_LABEL_SIZE = 2 * MASS_NAME_SIZE + 16 };

typedef struct mass_view_picture {
    bool declared;    /* the model's own picture */
    uint32_t attribute, component, space;
    char label[MASS_VIEW_LABEL_SIZE]; /* "grid.velocity[1]" */
    mass_palette palette; /* its low and high are the range of colours */
    bool ranged;          /* the range is known beforehand; else it is that of all values shown so far */
    bool seen;            /* a value has been shown */
} mass_view_picture;

typedef struct mass_view_pictures {
    mass_view_picture *list; /* [count]; owned */
    uint32_t count;
} mass_view_pictures;

/* Makes the pictures, MASS_VIEW_PICTURES_MOST at most. On failure *out is unchanged. */
mass_status mass_view_pictures_create(const mass_model *m, mass_view_pictures *out, mass_error *error);
void mass_view_pictures_free(mass_view_pictures *);

#endif
