/* SPDX-License-Identifier: Apache-2.0 */
/* Data sets of bits, as checkpoints have them: eight places along x in a byte. */
#ifndef MASS_ENGINE_IO_INPUT_NUMBERS_PACKED_H
#define MASS_ENGINE_IO_INPUT_NUMBERS_PACKED_H

#include "io/input/numbers.h"

#include <hdf5.h>

/* Where the attributes of a set say that it is packed, makes a number of 0 or 1 of each place: the extent of x becomes
 * that of places, and n->memory, which the caller frees, is another one. Without `keep` the numbers are not there, and
 * the attributes are only checked. MASS_BAD_INPUT if they do not fit the set, whose extents n has. */
mass_status mass_numbers_unpack(const char *source, hid_t set, bool keep, mass_numbers *n, mass_error *error);

#endif
