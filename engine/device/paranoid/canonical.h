/* SPDX-License-Identifier: Apache-2.0 */
/* Tests whether a result is allowed. Its only NaN is the canonical one, since processors make NaNs with different bits.
 * Numbers are in the range that their attribute declares. */
#ifndef MASS_ENGINE_CANONICAL_H
#define MASS_ENGINE_CANONICAL_H

#include "model/model.h"

#include <mass/callback.h>

/* Returns whether all floats of an element are numbers or the canonical NaN (arithmetic.h). `attribute` tells where
 * they are. NULL: the element has a float only if the field is a single float. */
bool mass_is_canonical(const mass_field *field, const mass_attribute_def *attribute, const void *element);

enum { MASS_DECLARED_TEXT = 200 };

/* Returns whether an element is in the attribute's range, also if that is NULL or has none. If not, writes a
 * description to text: "7, and health has 0 to 1". */
bool mass_is_declared(const mass_attribute_def *attribute, const void *element, char text[MASS_DECLARED_TEXT]);

#endif
