/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the state of a stop condition from a checkpoint. A function that returns bool, and says no more, returns false
 * at the first fault, with the reader's error set. */
#include "io/checkpoint/reader.h"
#include "state/stop_state.h"
#include "text/expression.h"

#include <stdlib.h>
#include <string.h>

enum { STEADY_MAX = MASS_EXPRESSION_LENGTH };

/* Refuses any object of /until but the values of `steady`, and those, too, if it has none. */
static bool check_link(mass_reader *r, hid_t group, const char *name)
{
    (void)group;
    const bool known = strcmp(name, "last") == 0 || strcmp(name, "unchanged") == 0;
    return (known && r->c->until.steady_count > 0) || mass_reader_damaged(r, "it holds '/until/%s'", name);
}

/* Opens a data set with one number for every steady() and world. */
static bool open_steady(mass_reader *r, hid_t group, const char *name, hid_t type, mass_column *out)
{
    const mass_checkpoint_shape shape = mass_checkpoint_steady_shape(r->c->until.steady_count, r->c->worlds);
    return mass_column_begin(r, group, name, type, out) && mass_reader_check_type(r, out->set, type, name) &&
           mass_reader_check_extents(r, out->set, &shape, name) &&
           mass_reader_check_layout(r, out->set, &shape, sizeof(int64_t), name);
}

/* Checks for how many steps a value was unchanged: less than the run has made; -1: it has no value yet. */
static bool check_unchanged(mass_reader *r, int64_t unchanged)
{
    return (unchanged >= -1 && (unchanged < 0 || (uint64_t)unchanged < r->c->step)) ||
           mass_reader_damaged(r, "a value of its stop condition was unchanged before it was there");
}

/* Checks the values of `steady` of all worlds; keeps them if the reader keeps values. */
static bool read_all_steady(mass_reader *r, hid_t group)
{
    mass_until_state *u = &r->c->until;
    const size_t count = (size_t)u->steady_count * (size_t)r->c->worlds;
    mass_column last = {0}, unchanged = {0};
    mass_steady one;
    if (count == 0) return true;
    bool good = open_steady(r, group, "last", H5T_IEEE_F64LE, &last) &&
                open_steady(r, group, "unchanged", H5T_STD_I64LE, &unchanged);
    if (good && r->keeps) u->steady = malloc(count * sizeof *u->steady);
    if (good && r->keeps && !u->steady) good = mass_reader_no_memory(r, count * sizeof *u->steady);
    for (size_t i = 0; good && i < count; i++) {
        good = mass_column_read(&last, i, 1, &one.last) && mass_column_read(&unchanged, i, 1, &one.unchanged) &&
               check_unchanged(r, one.unchanged);
        if (good && r->keeps) u->steady[i] = one;
    }
    mass_column_end(&last);
    mass_column_end(&unchanged);
    return good;
}

/* Reads the stop condition's text, the step in which it held, and its state. The text is always kept. */
static bool read_group(mass_reader *r, hid_t group)
{
    char text[MASS_EXPRESSION_LENGTH + 1];
    mass_until_state *u = &r->c->until;
    uint64_t count;
    if (!mass_reader_text(r, group, "expression", text, sizeof text) ||
        !mass_reader_u64(r, group, "held", UINT64_MAX, &u->held) ||
        !mass_reader_u64(r, group, "steady", STEADY_MAX, &count))
        return false;
    if (u->held != MASS_NOT_HELD && u->held > r->c->step)
        return mass_reader_damaged(r, "its stop condition held in a step to come");
    u->steady_count = (uint32_t)count;
    u->text = strdup(text);
    return (u->text || mass_reader_no_memory(r, sizeof text)) && read_all_steady(r, group);
}

/* Reads /until, if there is one; without it, the condition counts as not held. */
bool mass_reader_until(mass_reader *r)
{
    bool has;
    r->c->until.held = MASS_NOT_HELD;
    if (!mass_reader_has_link(r, r->c->file, "until", &has)) return false;
    if (!has) return true;
    const hid_t group = mass_reader_group(r, r->c->file, "until");
    if (group < 0) return false;
    const bool good = read_group(r, group);
    H5Gclose(group);
    return good && mass_reader_walk(r, r->c->file, "until", check_link);
}
