/* SPDX-License-Identifier: Apache-2.0 */
#include "device/paranoid/reach.h"
#include "device/cpu/cpu.h"
#include "model/network.h"

#include <inttypes.h>
#include <mass/impl/reach.h>
#include <stdio.h>

enum { NO_CELL = INT32_MAX }; /* MASS_BETWEEN_NONE of mass/point_fields.h */

const char *mass_describe_numbers(const mass_launch *l, const mass_gidx at[3], char text[NUMBERS_TEXT])
{
    const int axes = l->size[2] > 1 || at[2] ? 3 : l->size[1] > 1 || at[1] ? 2 : 1;
    int used = 0;
    for (int a = 0; a < axes; a++)
        used += snprintf(text + used, NUMBERS_TEXT - (size_t)used, "%s%" PRId64, a ? ", " : "(", at[a]);
    snprintf(text + used, NUMBERS_TEXT - (size_t)used, ")");
    return text;
}

/* Descriptions of a body's access; an offset or a number follows. */
static const char *const deeds[] = {
    [MASS_OUT_OF_REACH_SCATTER] = "adds to the place", [MASS_OUT_OF_REACH_SEE] = "sees the place",
    [MASS_OUT_OF_REACH_NEAR] = "reads the place", [MASS_OUT_OF_REACH_COUNT] = "counts the agents on the place",
    [MASS_OUT_OF_REACH_CHILD] = "names child", [MASS_OUT_OF_REACH_RESIDENT] = "names resident",
    [MASS_OUT_OF_REACH_WALK] = "walks the agents", [MASS_OUT_OF_REACH_NOBODY] = "names nobody,",
    [MASS_OUT_OF_REACH_OTHER] = "names an agent", [MASS_OUT_OF_REACH_SPROUT] = "names sprout",
    [MASS_OUT_OF_REACH_LIST] = "reads value", [MASS_OUT_OF_REACH_WORLD] = "names value",
    [MASS_OUT_OF_REACH_PRIORITY] = "claims", [MASS_OUT_OF_REACH_CLAIM] = "decides a claim on an agent",
    [MASS_OUT_OF_REACH_ALTER] = "reads or changes the place", [MASS_OUT_OF_REACH_MOVE] = "moves to the place",
    [MASS_OUT_OF_REACH_BEAR] = "bears a child on the place", [MASS_OUT_OF_REACH_CHANGE] = "changes an agent",
    [MASS_OUT_OF_REACH_WALK_AT] = "walks the agents on the place", [MASS_OUT_OF_REACH_EDGE] = "follows edge",
    [MASS_OUT_OF_REACH_LINK] = "asks for an edge from node"};

/* Returns whether an access of that kind changes something. */
static bool changes(uint32_t kind)
{
    return kind == MASS_OUT_OF_REACH_ALTER || kind == MASS_OUT_OF_REACH_MOVE || kind == MASS_OUT_OF_REACH_BEAR ||
           kind == MASS_OUT_OF_REACH_CHANGE;
}

/* Returns whether an access of that kind counts or walks agents. */
static bool meets(uint32_t kind)
{
    return kind == MASS_OUT_OF_REACH_COUNT || kind == MASS_OUT_OF_REACH_WALK || kind == MASS_OUT_OF_REACH_WALK_AT;
}

/* Returns how far a body may make an access of some kind. */
static int32_t most_of(const mass_launch *l, uint32_t kind)
{
    if (l->turn && changes(kind)) return l->turn->scope.changes;
    return l->turn && meets(kind) ? l->turn->scope.meets : l->reach;
}

/* Returns in words what limits an access of some kind. */
static const char *reach_of(const mass_work *work, uint32_t kind)
{
    const mass_callback *c = work->prepared->callback;
    const mass_launch *l = work->launch;
    const bool smaller = c->over == MASS_OVER_TURNS && l->reach < c->radius;
    if (most_of(l, kind) < l->reach)
        return changes(kind) && l->turn->scope.changes < l->turn->scope.meets ? "the .changes of its phase"
               : "the .meets of its phase";
    return c->over == MASS_OVER_AGENTS || smaller ? "the .reach of its phase" : "its radius";
}

/* Returns whether an offset is near enough, and only its direction is wrong. */
static bool is_off_axis(const mass_launch *l, const mass_diagnostics *found)
{
    const mass_gidx *const by = found->offset;
    return l->turn && l->turn->scope.axes == MASS_AXES &&
           mass_longest(by[0], by[1], by[2]) <= (uint64_t)most_of(l, found->seen);
}

/* Returns whether an offset is along an axis that the callback does not have. */
static bool is_on_other_axis(const mass_callback *c, const mass_diagnostics *found)
{
    bool other = false;
    for (int a = c->dimensions; c->dimensions > 0 && a < 3; a++) other |= found->offset[a] != 0;
    return other;
}

/* Returns the first axis along which a point has no cell, as SEE_AT and SCATTER_AT find; -1: there is none. */
static int axis_without_cell(const mass_diagnostics *found)
{
    for (int a = 0; a < 3; a++)
        if ((found->seen == MASS_OUT_OF_REACH_SEE || found->seen == MASS_OUT_OF_REACH_SCATTER) &&
            found->offset[a] == NO_CELL)
            return a;
    return -1;
}

mass_status mass_check_reach(const mass_work *work, const mass_diagnostics *found, mass_error *error)
{
    const mass_launch *l = work->launch;
    char from[NUMBERS_TEXT], offset[NUMBERS_TEXT], what[2 * NUMBERS_TEXT];
    mass_describe_numbers(l, found->from, from);
    if (!found->seen) return MASS_OK;
    const bool known = found->seen < sizeof deeds / sizeof *deeds && deeds[found->seen];
    const uint32_t kind = known ? found->seen : MASS_OUT_OF_REACH_SCATTER;
    const char *deed = deeds[kind];
    const int nowhere = axis_without_cell(found);
    if (kind == MASS_OUT_OF_REACH_CHILD)
        snprintf(what, sizeof what, "%" PRId64 ", and an agent has at most %u", found->offset[0],
                 l->populations[(uint64_t)found->offset[1] < MASS_POPULATIONS_SEEN ? found->offset[1] : 0].children);
    else if (kind == MASS_OUT_OF_REACH_SPROUT && mass_callback_is_of_nodes(work->prepared->callback)) {
        deed = "names new edge";
        snprintf(what, sizeof what, "%" PRId64 ", for which it has not asked: take its number from LINK",
                 found->offset[0]);
    } else if (kind == MASS_OUT_OF_REACH_SPROUT)
        snprintf(what, sizeof what, "%" PRId64 ", which it did not get: ask by SPROUT first, for at most "
                 ".sprouts", found->offset[0]);
    else if (kind == MASS_OUT_OF_REACH_RESIDENT)
        snprintf(what, sizeof what, "%" PRId64 ", which is not a resident of that population: take its numbers from "
                 "EACH_RESIDENT, or EACH_RESIDENT_OF and words that end in _OF", found->offset[0]);
    else if (kind == MASS_OUT_OF_REACH_NOBODY)
        snprintf(what, sizeof what, "where no agent was found: ask IS_ANYBODY first");
    else if (kind == MASS_OUT_OF_REACH_OTHER)
        snprintf(what, sizeof what, "%s away that no walk of that population has given",
                 mass_describe_numbers(l, found->offset, offset));
    else if (kind == MASS_OUT_OF_REACH_WALK)
        snprintf(what, sizeof what, "within %" PRId64 ", which is farther than %d, %s", found->offset[0],
                 most_of(l, kind), reach_of(work, kind));
    else if (kind == MASS_OUT_OF_REACH_WORLD)
        snprintf(what, sizeof what, "%" PRId64 " of a world attribute that has %" PRId64 ", numbered from 0",
                 found->offset[0], found->offset[1]);
    else if (kind == MASS_OUT_OF_REACH_LIST)
        snprintf(what, sizeof what, "%" PRId64 " of a list that has %" PRId64 ", numbered from 0", found->offset[0],
                 found->offset[1]);
    else if (kind == MASS_OUT_OF_REACH_EDGE && (uint64_t)found->offset[0] == UINT64_MAX)
        snprintf(what, sizeof what, "none, as ONE_EDGE gave none: ask IS_EDGE first");
    else if (kind == MASS_OUT_OF_REACH_EDGE)
        snprintf(what, sizeof what, "%" PRId64 ", which does not come into that node: take it from EACH_EDGE or "
                 "ONE_EDGE", found->offset[0]);
    else if (kind == MASS_OUT_OF_REACH_LINK)
        snprintf(what, sizeof what, "%" PRId64 ", which there is not: the network has nodes 0 to %" PRId64,
                 found->offset[0], l->size[0] - 1);
    else if (kind == MASS_OUT_OF_REACH_PRIORITY)
        snprintf(what, sizeof what, "by agent %" PRIu64 " with a priority that is NaN, not a number: give it one or "
                 "do not claim", (uint64_t)found->offset[0]);
    else if (kind == MASS_OUT_OF_REACH_CLAIM)
        snprintf(what, sizeof what, "%s away, which is farther than %d, the radius of its MASS_CLAIMS",
                 mass_describe_numbers(l, found->offset, offset), l->reach);
    else if (nowhere >= 0) {
        deed = kind == MASS_OUT_OF_REACH_SEE ? "sees a point" : "adds to a point";
        snprintf(what, sizeof what, "whose %c is infinite, no number or too large for a cell: look for a division by 0",
                 "xyz"[nowhere]);
    } else if (is_on_other_axis(work->prepared->callback, found))
        snprintf(what, sizeof what, "%s away, along an axis that it does not have: it has %d of them",
                 mass_describe_numbers(l, found->offset, offset), work->prepared->callback->dimensions);
    else if (is_off_axis(l, found))
        snprintf(what, sizeof what, "%s away, which is not along an axis: the .shape of its phase is MASS_AXES",
                 mass_describe_numbers(l, found->offset, offset));
    else
        snprintf(what, sizeof what, "%s away, which is farther than %d, %s",
                 mass_describe_numbers(l, found->offset, offset), most_of(l, kind), reach_of(work, kind));
    if (work->prepared->callback->over == MASS_OVER_WORLDS)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": in world %" PRId32 " it %s %s",
                              work->prepared->callback->name, work->step, l->first_world + found->world, deed,
                              what);
    if (work->prepared->callback->over == MASS_OVER_TURNS && l->populations[0].id)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": agent %" PRIu64 " of place %s of "
                              "world %" PRId32 " %s %s", work->prepared->callback->name, work->step, found->agent, from,
                              l->first_world + found->world, deed, what);
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": at place %s of world %" PRId32 " it "
                          "%s %s", work->prepared->callback->name, work->step, from, l->first_world + found->world,
                          deed, what);
}

void mass_pass_on_ignored(const mass_work *work, const mass_diagnostics *found)
{
    mass_diagnostics *of_run = work->launch->diagnostics;
    for (int k = 0; of_run && k < MASS_IGNORED_KINDS; k++)
        if (!of_run->ignored[k]) of_run->ignored[k] = found->ignored[k];
    if (of_run && !of_run->no_number) of_run->no_number = found->no_number;
    if (of_run && !of_run->no_point) of_run->no_point = found->no_point;
}
