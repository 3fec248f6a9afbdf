/* SPDX-License-Identifier: Apache-2.0 */
/* The window of a rank in a phase in turn: the part of the space on which it runs the phase, if ranks share the space.
 * Pure arithmetic.
 *
 * A rank needs the new state of its slab. It gets the agents and the places of a window: its slab, and some layers on
 * each side. All actors that began in the window act there, in their order, and no message is sent meanwhile. So both
 * ranks at a cut run the actors near it. The slab's new state is right if these conditions hold:
 *
 * - An actor reads and changes only what is within the radius of where it began. So two actors affect each other only
 *   if they began within twice the radius of each other, along each axis. That is the distance here. An actor is needed
 *   if it began within the distance of the slab, since no other one affects the slab's actors and places.
 * - If an actor is needed, the actors within the distance of it that act before it are needed, too.
 * - The window suffices if no needed actor began within the distance of a cut edge of the window, beyond which the
 *   space continues. Then the window has all actors that affect a needed one, and those of them that act before it are
 *   needed. By induction over the order, each needed actor sees what it would see in the whole space. An actor that is
 *   not needed acts after all needed ones within the distance, or is farther away. It may act otherwise than in the
 *   whole space, but that changes nothing of the slab.
 *
 * An actor that began within the radius of a cut edge does not act, because it would reach beyond the edge. The whole
 * space always suffices. */
#ifndef MASS_ENGINE_POPULATION_TURN_WINDOW_H
#define MASS_ENGINE_POPULATION_TURN_WINDOW_H

#include "base/error.h"
#include "split/share.h"

#include <mass/impl/launch.h>

/* Layers on each side that a rank takes at first, as a multiple of the radius. Most windows suffice then, if the order
 * is shuffled. */
enum { MASS_TURN_MORE = 8 };

/* Returns the layers on each side that a rank takes at first, enough for all phases in turn of a space. 0: there is no
 * such phase, or none reaches beyond its own place. */
mass_gidx mass_turn_window_more(const mass_model *m, uint32_t space);

/* Layers are counted along the axis that ranks cut, from 0 in the space. Those of the window may wrap. */
typedef struct mass_turn_window {
    mass_gidx size;         /* layers of the space */
    mass_gidx more;         /* those that were asked for on each side of the slab */
    mass_gidx first, count; /* those of the window */
    mass_gidx own_first, own; /* those of the rank's slab */
    mass_gidx across[2];    /* extents of a layer along the other axes, x first; 1 along those that it does not have */
    bool wraps[2];          /* whether these axes wrap */
    bool cut[2];            /* whether the space continues before the first layer, and after the last one */
} mass_turn_window;

/* A range of layers of the space, which does not wrap. */
typedef struct mass_turn_layers {
    mass_gidx first, end;
} mass_turn_layers;

/* Returns the window of a rank: its slab with up to `more` layers on each side. */
mass_turn_window mass_turn_window_of(const mass_share *share, const mass_space_def *space, int32_t rank,
                                     mass_gidx more);
/* Returns the window around layers own_first to own_end - 1 of a space. */
mass_turn_window mass_turn_window_make(const mass_space_def *space, mass_gidx own_first, mass_gidx own_end,
                                       mass_gidx more);

/* Returns whether the window is the whole space. */
static inline bool mass_turn_window_is_whole(const mass_turn_window *w) { return w->count == w->size; }
/* Returns the places of a layer. */
static inline mass_gidx mass_turn_window_row(const mass_turn_window *w) { return w->across[0] * w->across[1]; }

/* Returns the window as launches know it. */
mass_turn_part mass_turn_window_part(const mass_turn_window *w, mass_gidx radius);

/* Returns the number that a layer of the window has in the part. */
mass_gidx mass_turn_window_in_part(const mass_turn_window *w, mass_gidx layer);

/* Lists the layers that are in the window and from `first` to before `end`, ascending: up to two ranges. Returns how
 * many. */
uint32_t mass_turn_window_meet(const mass_turn_window *w, mass_gidx first, mass_gidx end, mass_turn_layers out[2]);

/* Returns the number of a layer, counted from the first one of the window; of others, `count` or more. */
static inline mass_gidx mass_turn_window_at(const mass_turn_window *w, mass_gidx layer)
{
    return layer < w->first ? layer - w->first + w->size : layer - w->first;
}
/* Returns whether a layer of the window is in the rank's slab. */
static inline bool mass_turn_window_owns(const mass_turn_window *w, mass_gidx layer)
{
    return layer >= w->own_first && layer - w->own_first < w->own;
}

/* Finds out if a window that is not the whole space suffices. place: [count] the places of the space where the
 * actors of one world began, in the order in which they act. The actors of the slab are left out. */
mass_status mass_turn_window_suffices(const mass_turn_window *w, mass_gidx distance, const mass_gidx *place,
                                      size_t count, bool *suffices, mass_error *error);

#endif
