/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for world attributes that are no numbers when a run ends. Pure. */
#ifndef MASS_ENGINE_COMMAND_WORLD_VALUES_H
#define MASS_ENGINE_COMMAND_WORLD_VALUES_H

#include "snapshot/snapshot.h"

enum { MASS_WORLD_VALUES_TEXT = 400 };

/* Writes a sentence about the first value of a world attribute that is infinite, or a NaN other than the canonical one,
 * which means that there is no value. The sentence names the callbacks that write the attribute. Returns false, with
 * nothing written, if there is none. The snapshot needs its tallies only. */
bool mass_world_values_check(const mass_snapshot *s, char text[MASS_WORLD_VALUES_TEXT]);

#endif
