/* The one NaN that a result may hold: processors make NaNs of different bits. */
#ifndef MASS_ENGINE_CANONICAL_H
#define MASS_ENGINE_CANONICAL_H

#include "core/model.h"

#include <mass/callback.h>

/* Whether all floats of an element are numbers or the canonical NaN (arithmetic.h). `attribute` says where in
 * the element they are; NULL: only a field that is a single float has any. */
bool mass_is_canonical(const mass_field *field, const mass_attribute_def *attribute, const void *element);

#endif
