/* SPDX-License-Identifier: Apache-2.0 */
/* A callback that a plugin declared, in the engine's own sizes. */
#ifndef MASS_ENGINE_CALLBACK_H
#define MASS_ENGINE_CALLBACK_H

#include "base/error.h"

#include <mass/callback.h>

/* A copy with its fields and forms, in one piece of memory that the caller frees with free(); what their names, loops
 * and kernels point at stays the plugin's. Where the plugin gives no fields or forms, or too many, there are none.
 * Returns NULL, with `error` set, if there is no memory or it says more than the engine knows; and with `error` unset
 * if no macro of the SDK made it. */
mass_callback *mass_callback_take(const mass_callback *theirs, mass_error *error);

#endif
