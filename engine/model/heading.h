/* SPDX-License-Identifier: Apache-2.0 */
/* Headings: attributes that are directions, which pictures and the page of --view show by arrows. */
#ifndef MASS_ENGINE_MODEL_HEADING_H
#define MASS_ENGINE_MODEL_HEADING_H

#include "model/model.h"

/* Returns whether an attribute is stored and has numbers, which arrows can show. */
bool mass_heading_has_numbers(const mass_attribute_def *a);
/* Return whether an attribute is one number with a unit of angles; and whether a unit is of degrees, whatever has
 * it. */
bool mass_heading_is_angle(const mass_attribute_def *a);
bool mass_heading_is_in_degrees(const mass_attribute_def *a);

/* Sets .heading of a population: to the declared one, or its first angle, or -1. Refuses a declared one that is no
 * direction. After all attributes are declared. */
mass_status mass_heading_resolve(mass_model *m, uint32_t population, mass_error *error);

#endif
