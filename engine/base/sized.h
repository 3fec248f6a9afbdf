/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that say their size, as a plugin filled them in: taken in the engine's own size, so that either side may know
 * members that the other does not (mass/plugin.h has the rule). */
#ifndef MASS_ENGINE_SIZED_H
#define MASS_ENGINE_SIZED_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a struct of TYPE up to the end of a member. */
#define MASS_THROUGH(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))

/* What the engine knows of a struct: its name for messages; its size; and how many of its bytes cannot
 * be left out. */
typedef struct mass_sized {
    const char *what;
    size_t size, least;
} mass_sized;

/* Whether a struct of so many bytes may be one of these: sizes of structs with pointers are multiples of 8. */
bool mass_sized_fits(const mass_sized *s, uint32_t size);

/* Copies one of `size` bytes into `own`, which has s->size. What it does not have is zero in `own`; what it has beyond
 * that has to be zero. On failure `own` is undefined. Any thread. */
mass_status mass_sized_take(const mass_sized *s, void *own, const void *theirs, uint32_t size, mass_error *error);

/* Copies `count` structs that lie `size` bytes apart into the caller's `own`, which lie s->size apart. */
mass_status mass_sized_take_all(const mass_sized *s, void *own, const void *theirs, uint32_t size, uint32_t count,
                                mass_error *error);

#endif
