/* SPDX-License-Identifier: Apache-2.0 */
/* Copies structs that a plugin filled in, and whose size it states, into the engine's own structs. Plugin and engine
 * may each know members that the other does not; mass/plugin.h has the rule. */
#ifndef MASS_ENGINE_SIZED_H
#define MASS_ENGINE_SIZED_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the bytes of a struct of TYPE up to the end of MEMBER. */
#define MASS_THROUGH(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))

/* Describes a struct of the engine: its name for messages, its size, and the least bytes that a plugin's must have. */
typedef struct mass_sized {
    const char *what;
    size_t size, least;
} mass_sized;

/* Returns whether `size` may be the size of such a struct: from s->least to 4096, and a multiple of 8, as sizes of
 * structs with pointers are. */
bool mass_sized_fits(const mass_sized *s, uint32_t size);

/* Copies a struct of `size` bytes into `own`, which has s->size bytes. Members that the plugin does not have become
 * zero. Bytes that the engine does not know must be zero. Returns MASS_BAD_PLUGIN on failure, also if `theirs` is NULL;
 * then `own` is undefined. Any thread. */
mass_status mass_sized_take(const mass_sized *s, void *own, const void *theirs, uint32_t size, mass_error *error);

/* Copies an array of `count` structs of `size` bytes each into the caller's `own`, an array of structs of s->size
 * bytes. Fails at the first one that mass_sized_take refuses. */
mass_status mass_sized_take_all(const mass_sized *s, void *own, const void *theirs, uint32_t size, uint32_t count,
                                mass_error *error);

#endif
