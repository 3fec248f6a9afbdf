/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/writer.h"
#include "io/hdf5/library.h"

#include <stdio.h>

/* Has the object to be created keep all attributes in its header, whose parts all have checksums, and store no
 * times. */
static void keep_in_header(mass_checkpoint_writer *w, hid_t list)
{
    mass_hdf5_check(&w->out, H5Pset_attr_phase_change(list, 65535, 0));
    mass_hdf5_check(&w->out, H5Pset_obj_track_times(list, 0));
}

void mass_checkpoint_create(mass_checkpoint_writer *w, const char *path)
{
    const hid_t access = mass_hdf5_check(&w->out, mass_hdf5_file_access());
    const hid_t list = mass_hdf5_check(&w->out, H5Pcreate(H5P_FILE_CREATE));
    keep_in_header(w, list);
    w->group_list = mass_hdf5_check(&w->out, H5Pcreate(H5P_GROUP_CREATE));
    keep_in_header(w, w->group_list);
    mass_hdf5_check(&w->out, H5Pset_link_phase_change(w->group_list, 65535, 0));
    w->out.file = w->out.failed ? -1 : mass_hdf5_check(&w->out, H5Fcreate(path, H5F_ACC_EXCL, list, access));
    mass_hdf5_done(&w->out, list, H5Pclose);
    mass_hdf5_done(&w->out, access, H5Pclose);
}

hid_t mass_checkpoint_make_group(mass_checkpoint_writer *w, hid_t at, const char *name)
{
    mass_hdf5_check(&w->out, H5Pset_est_link_info(w->group_list, 4, 8)); /* HDF5's default */
    return mass_hdf5_check(&w->out, H5Gcreate2(at, name, H5P_DEFAULT, w->group_list, H5P_DEFAULT));
}

hid_t mass_checkpoint_make_large_group(mass_checkpoint_writer *w, hid_t at, const char *name, uint32_t count)
{
    mass_hdf5_check(&w->out, H5Pset_est_link_info(w->group_list, count < 4 ? 4 : count < 16000 ? count : 16000, 32));
    return mass_hdf5_check(&w->out, H5Gcreate2(at, name, H5P_DEFAULT, w->group_list, H5P_DEFAULT));
}

hid_t mass_checkpoint_make_data(mass_checkpoint_writer *w, hid_t at, const char *name, hid_t type,
                                const mass_checkpoint_shape *s)
{
    hsize_t extent[5], box[5];
    for (int i = 0; i < s->rank; i++) extent[i] = s->extent[i], box[i] = s->box[i];
    const hid_t list = mass_hdf5_check(&w->out, H5Pcreate(H5P_DATASET_CREATE));
    keep_in_header(w, list);
    mass_hdf5_check(&w->out, H5Pset_chunk(list, s->rank, box));
    mass_hdf5_check(&w->out, H5Pset_fletcher32(list));
    mass_hdf5_check(&w->out, H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
    const hid_t space = mass_hdf5_check(&w->out, H5Screate_simple(s->rank, extent, NULL));
    const hid_t set = mass_hdf5_check(&w->out, H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    mass_hdf5_done(&w->out, space, H5Sclose);
    mass_hdf5_done(&w->out, list, H5Pclose);
    return set;
}

hid_t mass_checkpoint_put_data(mass_checkpoint_writer *w, hid_t at, const char *name, hid_t type,
                               const mass_checkpoint_shape *s, const void *data)
{
    const hid_t set = mass_checkpoint_make_data(w, at, name, type, s);
    if (!w->out.failed) mass_hdf5_check(&w->out, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    mass_hdf5_put_text(&w->out, set, "dimension_labels", s->labels);
    return set;
}

void mass_checkpoint_put_note(mass_checkpoint_writer *w, hid_t at, const char *name, const char *text)
{
    char note[1000];
    snprintf(note, sizeof note, "%s", text ? text : "");
    mass_hdf5_put_text(&w->out, at, name, note);
}
