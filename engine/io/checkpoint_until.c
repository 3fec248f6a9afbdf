/* What a stop condition had seen, as a checkpoint keeps it. */
#include "io/checkpoint_reader.h"

#include <stdlib.h>
#include <string.h>

enum { STEADY_MAX = MASS_EXPRESSION_LENGTH };

static bool check_link(mass_reader *r, hid_t group, const char *name)
{
    (void)group;
    const bool known = strcmp(name, "last") == 0 || strcmp(name, "unchanged") == 0;
    return (known && r->c->until.steady_count > 0) || mass_reader_damaged(r, "it holds '/until/%s'", name);
}

/* One number of every steady() and world. */
static bool read_steady(mass_reader *r, hid_t group, const char *name, hid_t type, void *out)
{
    const mass_checkpoint_shape shape = mass_checkpoint_steady_shape(r->c->until.steady_count, r->c->worlds);
    const hid_t set = mass_reader_set(r, group, name);
    if (set < 0) return false;
    bool good = mass_reader_check_type(r, set, type, name) && mass_reader_check_extents(r, set, &shape, name) &&
                mass_reader_check_layout(r, set, &shape, sizeof(int64_t), name);
    if (good && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) good = mass_reader_unreadable(r, name);
    H5Dclose(set);
    return good;
}

static bool read_all_steady(mass_reader *r, hid_t group)
{
    mass_until_state *u = &r->c->until;
    const size_t count = (size_t)u->steady_count * (size_t)r->c->worlds;
    if (count == 0) return true;
    double *last = malloc(count * sizeof *last);
    int64_t *unchanged = malloc(count * sizeof *unchanged);
    u->steady = malloc(count * sizeof *u->steady);
    bool good = (last && unchanged && u->steady) || mass_reader_no_memory(r, count * sizeof *u->steady);
    good = good && read_steady(r, group, "last", H5T_IEEE_F64LE, last) &&
           read_steady(r, group, "unchanged", H5T_STD_I64LE, unchanged);
    for (size_t i = 0; good && i < count; i++) {
        u->steady[i] = (mass_steady){last[i], unchanged[i]};
        if (unchanged[i] < -1 || (unchanged[i] >= 0 && (uint64_t)unchanged[i] >= r->c->step))
            good = mass_reader_damaged(r, "a value of its stop condition was unchanged before it was there");
    }
    free(last);
    free(unchanged);
    return good;
}

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

bool mass_reader_until(mass_reader *r)
{
    r->c->until.held = MASS_NOT_HELD;
    if (H5Lexists(r->c->file, "until", H5P_DEFAULT) <= 0) return true;
    const hid_t group = mass_reader_group(r, r->c->file, "until");
    if (group < 0) return false;
    const bool good = read_group(r, group);
    H5Gclose(group);
    return good && mass_reader_walk(r, r->c->file, "until", check_link);
}
