/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the scales of a file of series, and the parameters of a sweep. */
#include "io/checkpoint/layout.h"
#include "io/hdf5/open.h"
#include "io/hdf5/scales.h"
#include "io/series/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Closes a set; a failure marks the writer. */
static void done(mass_hdf5_writer *w, hid_t set) { mass_hdf5_done(w, set, H5Dclose); }

/* Opens one of this program's sets; a failure marks the writer. The caller closes it. */
static hid_t open_set(mass_hdf5_writer *w, hid_t group, const char *name)
{
    return mass_hdf5_check(w, mass_hdf5_set(group, name, MASS_HDF5_OURS));
}

/* Writes the worlds' numbers as the scale "world"; returns it open. */
static hid_t put_world(mass_hdf5_writer *w, hid_t group, const mass_series_set *set)
{
    int64_t *worlds = malloc((size_t)set->worlds * sizeof *worlds);
    if (!worlds) return mass_hdf5_failed(w), -1;
    for (int32_t i = 0; i < set->worlds; i++) worlds[i] = set->first_world + (int64_t)i;
    const hid_t scale = mass_hdf5_put_list(w, group, "world", H5T_STD_I64LE, sizeof *worlds, (uint64_t)set->worlds,
                                           worlds);
    mass_hdf5_make_scale(w, scale, "world");
    free(worlds);
    return scale;
}

/* Writes where a column's bins are as its scale, with the unit if it is known. Returns it open, or a negative
 * number. */
static hid_t put_bins(mass_hdf5_writer *w, hid_t group, const mass_series_column *c)
{
    const uint32_t count = mass_series_length(c);
    char name[MASS_SERIES_FULL_NAME];
    double *bins = malloc(count * sizeof *bins);
    if (!bins) return mass_hdf5_failed(w), -1;
    for (uint32_t i = 0; i < count; i++) bins[i] = mass_series_bin(c, i);
    snprintf(name, sizeof name, "%s" MASS_SERIES_BIN, c->name);
    const hid_t scale = mass_hdf5_put_list(w, group, name, H5T_IEEE_F64LE, sizeof *bins, count, bins);
    if (c->lo < c->hi) mass_hdf5_put_text(w, scale, "unit", c->unit);
    mass_hdf5_make_scale(w, scale, name);
    free(bins);
    return scale;
}

/* Attaches scales to the axes of a series, which mass_series_shape_of defines. Writes the scale of its bins. */
static void attach(mass_hdf5_writer *w, hid_t group, const mass_series_set *set, const mass_series_column *c,
                   hid_t step, hid_t world)
{
    const bool bins = mass_series_length(c) > 1, worlds = !bins || set->worlds > 1;
    const hid_t to = open_set(w, group, c->name), bin = bins ? put_bins(w, group, c) : -1;
    mass_hdf5_attach_scale(w, to, step, 0);
    if (worlds) mass_hdf5_attach_scale(w, to, world, 1);
    if (bins) mass_hdf5_attach_scale(w, to, bin, worlds ? 2 : 1);
    done(w, bin);
    done(w, to);
}

/* ---- parameters ---- */

/* Returns the bytes of one value; for choices, of the longest with its end. */
static size_t value_size(const mass_parameter_slot *p, int32_t worlds)
{
    size_t size = p->type == MASS_CHOICE ? 1 : sizeof *p->swept;
    for (int32_t w = 0; p->type == MASS_CHOICE && w < worlds; w++) {
        const size_t length = strlen(p->choices[p->swept[w]]) + 1;
        size = length > size ? length : size;
    }
    return size;
}

/* Writes a swept parameter's values in all worlds, attached to the scale of worlds. */
static void put_parameter(mass_hdf5_writer *w, hid_t group, const mass_series_set *set, const mass_parameter_slot *p,
                          hid_t world)
{
    const size_t size = value_size(p, set->worlds), count = (size_t)set->worlds;
    char name[MASS_SERIES_FULL_NAME], unit[MASS_SERIES_UNIT_SIZE], *values = calloc(count, size);
    if (!values) {
        mass_hdf5_failed(w);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (p->type == MASS_CHOICE) strcpy(values + i * size, p->choices[p->swept[i]]);
        else memcpy(values + i * size, &p->swept[i], size);
    }
    mass_series_parameter_name(set, p, name);
    const hid_t type = mass_hdf5_check(w, mass_checkpoint_swept_type(p->type, size));
    const hid_t to = mass_hdf5_put_list(w, group, name, type, size, count, values);
    snprintf(unit, sizeof unit, "%s", p->unit);
    mass_hdf5_put_text(w, to, "unit", unit);
    mass_hdf5_attach_scale(w, to, world, 0);
    done(w, to);
    mass_hdf5_done(w, type, H5Tclose);
    free(values);
}

/* Lists the parameters in the group's "coordinates", for xarray; those that exceed 32 KiB are left out. */
static void name_coordinates(mass_hdf5_writer *w, hid_t group, const mass_series_set *set)
{
    char names[1 << 15] = "", name[MASS_SERIES_FULL_NAME];
    for (uint32_t i = 0; i < set->parameters.count; i++) {
        const size_t used = strlen(names);
        mass_series_parameter_name(set, &set->parameters.slots[i], name);
        if (used + strlen(name) + 2 < sizeof names) sprintf(names + used, "%s%s", used ? " " : "", name);
    }
    if (names[0]) mass_hdf5_put_text(w, group, "coordinates", names);
}

void mass_series_put_scales(mass_hdf5_writer *w, int64_t group, const mass_series_set *set)
{
    const hid_t step = open_set(w, group, "step"), world = put_world(w, group, set);
    mass_hdf5_make_scale(w, step, "step");
    for (uint32_t i = 0; !w->failed && i < set->count; i++) attach(w, group, set, &set->columns[i], step, world);
    for (uint32_t i = 0; !w->failed && i < set->parameters.count; i++)
        put_parameter(w, group, set, &set->parameters.slots[i], world);
    name_coordinates(w, group, set);
    done(w, world);
    done(w, step);
}
