/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sized.h"

#include <string.h>

enum { SIZE_MOST = 4096 }; /* a larger size is a mistake */

bool mass_sized_fits(const mass_sized *s, uint32_t size)
{
    return size >= s->least && size <= SIZE_MOST && size % sizeof(void *) == 0;
}

/* Returns true if all bytes are 0. */
static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i]) return false;
    return true;
}

mass_status mass_sized_take(const mass_sized *s, void *own, const void *theirs, uint32_t size, mass_error *error)
{
    if (!theirs || !mass_sized_fits(s, size))
        return mass_error_set(error, MASS_BAD_PLUGIN, "a %s is declared with a struct_size of %u instead of %zu",
                              s->what, theirs ? size : 0, s->size);
    const size_t known = size < s->size ? size : s->size;
    if (!is_zero((const unsigned char *)theirs + known, size - known))
        return mass_error_set(error, MASS_BAD_PLUGIN, "a %s is declared with more than this engine knows: build the "
                              "plugin with this engine's SDK, or use a newer engine", s->what);
    memset((char *)own + known, 0, s->size - known);
    memcpy(own, theirs, known);
    return MASS_OK;
}

mass_status mass_sized_take_all(const mass_sized *s, void *own, const void *theirs, uint32_t size, uint32_t count,
                                mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < count; i++)
        status = mass_sized_take(s, (char *)own + i * s->size, (const char *)theirs + (size_t)i * size, size, error);
    return status;
}
