/* SPDX-License-Identifier: Apache-2.0 */
/* A callback that a plugin declared, in the sizes of the engine's structs. */
#ifndef MASS_ENGINE_CALLBACK_H
#define MASS_ENGINE_CALLBACK_H

#include "base/error.h"

#include <mass/callback.h>

/* Copies a callback with its fields and forms. The copy is one block of memory, which the caller frees with free().
 * Names, loops and kernels stay the plugin's. If the plugin gives no fields or forms, or too many, the copy has none;
 * its field_count stays all the same.
 * Returns NULL with `error` set if there is no memory, or if the callback uses members that the engine does not know.
 * Returns NULL without `error` set if no macro of the SDK made it. */
mass_callback *mass_callback_take(const mass_callback *theirs, mass_error *error);

#endif
