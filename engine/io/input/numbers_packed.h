/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks data sets of bits, as checkpoints have them: eight places along x in a byte. */
#ifndef MASS_ENGINE_IO_INPUT_NUMBERS_PACKED_H
#define MASS_ENGINE_IO_INPUT_NUMBERS_PACKED_H

#include "io/input/numbers.h"

#include <hdf5.h>

/* If a set's attributes say that it is packed, makes a number of 0 or 1 for each place. The extent of x then counts
 * places, and n->memory is new; the caller frees it. Without `keep` there are no numbers, and only the attributes are
 * checked. MASS_BAD_INPUT if they do not fit the set, whose extents n has. */
mass_status mass_numbers_unpack(const char *source, hid_t set, bool keep, mass_numbers *n, mass_error *error);

#endif
