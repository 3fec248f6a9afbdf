/* SPDX-License-Identifier: Apache-2.0 */
/* Everything a plugin includes: `#include <mass/mass.h>`. The plugin guide tells the story; each
 * header gives the contracts. */
#ifndef MASS_MASS_H
#define MASS_MASS_H

#ifndef MASS_MODEL_H
#define MASS_FIELD_LISTS /* until the last of them is said by entries */
#endif

#include <mass/types.h>
#include <mass/launch.h>
#include <mass/callback.h>
#include <mass/arithmetic.h>
#include <mass/random.h>
#include <mass/math.h>
#include <mass/exact.h>
#include <mass/kernel.h>
#ifndef __CUDACC__
#include <mass/plugin.h>
#include <mass/agents.h>
#include <mass/reductions.h>
#include <mass/seed.h>
#include <mass/series.h>
#include <mass/streams.h>
#include <mass/tallies.h>
#endif

#endif
