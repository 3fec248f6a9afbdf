/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a result is allowed. Its only NaN is the canonical one, since processors make NaNs of different bits; and
 * numbers lie in the range that their attribute declares. */
#ifndef MASS_ENGINE_CANONICAL_H
#define MASS_ENGINE_CANONICAL_H

#include "model/model.h"

#include <mass/callback.h>

/* Whether all floats of an element are numbers or the canonical NaN (arithmetic.h). `attribute` says where in
 * the element they are; NULL: only a field that is a single float has any. */
bool mass_is_canonical(const mass_field *field, const mass_attribute_def *attribute, const void *element);

/* Whether it lies in the attribute's range; else what it is, "7, and health has 0 to 1", in text. */
enum { MASS_DECLARED_TEXT = 200 };
bool mass_is_declared(const mass_attribute_def *attribute, const void *element, char text[MASS_DECLARED_TEXT]);

#endif
