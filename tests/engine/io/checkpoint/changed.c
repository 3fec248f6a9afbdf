/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that the HDF5 library itself has changed are refused, whatever they ask for. */
#include "folder.h"
#include "models.h"
#include "refused.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>

static mass_model model;
static mass_snapshot snapshot;

static void make(void)
{
    make_folder();
    model = small_model();
    snapshot = filled(&model, 1, 100);
}

static void unmake(void)
{
    mass_snapshot_free(&snapshot);
    mass_model_free(&model);
    remove_folder();
}

TestSuite(checkpoint, .init = make, .fini = unmake);

static void assert_refused(void (*change)(hid_t), const char *words)
{
    assert_change_refused(&snapshot, change, words);
}

/* ---- facts and values ---- */

static void set_size(hid_t file, int64_t y, int64_t x)
{
    set_attribute(file, "/places/grid", "size", (int64_t[]){y, x});
}

static void huge_size(hid_t file) { set_size(file, 1 << 20, 1 << 20); }
static void endless_size(hid_t file) { set_size(file, INT64_MAX, INT64_MAX); }
static void negative_size(hid_t file) { set_size(file, -1, -60); }
static void many_worlds(hid_t file) { set_number(file, "/", "worlds", MASS_WORLDS_MAX); }
static void no_worlds(hid_t file) { set_number(file, "/", "worlds", 0); }
static void four_dimensions(hid_t file) { set_number(file, "/places/grid", "dimensions", 4); }
static void many_components(hid_t file) { set_number(file, "/places/grid/health", "length", 1000); }
static void wide_fraction(hid_t file) { set_number(file, "/tallies/population", "fraction_bits", 64); }

Test(checkpoint, of_absurd_extents_is_refused)
{
    assert_refused(huge_size, "other extents");
    assert_refused(endless_size, "beyond");
    assert_refused(negative_size, "not at least 1");
    assert_refused(many_worlds, "other extents");
    assert_refused(no_worlds, "no worlds");
    assert_refused(four_dimensions, "beyond 3");
    assert_refused(many_components, "other extents");
    assert_refused(wide_fraction, "beyond 62");
}

static void next_format(hid_t file) { set_number(file, "/", "format_version", 3); }
static void other_step(hid_t file) { set_number(file, "/", "step", 101); }
static void path_as_plugin(hid_t file) { set_attribute(file, "/", "plugin", "../x"); }

static void other_hash(hid_t file) { set_number(file, "/", "state_hash_version", 3); }
static void first_format(hid_t file) { set_number(file, "/", "format_version", 1); }

Test(checkpoint, with_hashes_of_another_version_is_refused)
{
    assert_refused(other_hash, "state_hash is of version 3");
    assert_refused(first_format, "the values of 'health' are not those written");
}

Test(checkpoint, of_a_later_format_is_refused) { assert_refused(next_format, "reads formats 1 to 2"); }
Test(checkpoint, of_changed_facts_is_refused) { assert_refused(other_step, "state_hash"); }
Test(checkpoint, naming_a_path_as_its_plugin_is_refused) { assert_refused(path_as_plugin, "plugin's name"); }

static void changed_values(hid_t file)
{
    set_values(file, "/places/grid/health", H5T_STD_U8LE, (uint8_t[60]){1, 1, 1});
}
static void changed_tally(hid_t file)
{
    set_values(file, "/tallies/population/accumulator", H5T_STD_I64LE, (int64_t[]){77});
}

Test(checkpoint, of_changed_values_is_refused)
{
    assert_refused(changed_values, "the values of 'health' are not those written");
    assert_refused(changed_tally, "the values of tally 'population' are not those written");
}

/* ---- links ---- */

static void soft_link(hid_t file)
{
    H5Lcreate_soft("/places/grid/health", file, "/places/grid/other", H5P_DEFAULT, H5P_DEFAULT);
}
static void external_link(hid_t file)
{
    H5Lcreate_external("/etc/passwd", "/", file, "/places/other", H5P_DEFAULT, H5P_DEFAULT);
}
static void cyclic_link(hid_t file)
{
    H5Lcreate_hard(file, "/places", file, "/places/grid/again", H5P_DEFAULT, H5P_DEFAULT);
}
static void extra_group(hid_t file)
{
    H5Gclose(H5Gcreate2(file, "/agents", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void no_tallies(hid_t file) { H5Ldelete(file, "/tallies", H5P_DEFAULT); }
static void no_value(hid_t file) { H5Ldelete(file, "/tallies/population/value", H5P_DEFAULT); }

Test(checkpoint, with_other_links_is_refused)
{
    assert_refused(soft_link, "a soft link, which this program does not write");
    assert_refused(external_link, "a link to another file");
    assert_refused(cyclic_link, "");
    assert_refused(extra_group, "'/agents'");
    assert_refused(no_tallies, "tallies cannot be read (there is no such object)");
    assert_refused(no_value, "not whole");
}

/* ---- storage and types ---- */

static const hsize_t extent[2] = {5, 12};

static void replace_health(hid_t file, hid_t type, hid_t list, bool stored)
{
    replace_values(file, "/places/grid/health", type, "u8", list, 2, extent, stored);
}

static hid_t plain_list(void) { return H5Pcreate(H5P_DATASET_CREATE); }

static hid_t chunks(void)
{
    const hid_t list = plain_list();
    H5Pset_chunk(list, 2, extent);
    return list;
}

static hid_t chunks_stored_late(void)
{
    const hid_t list = chunks_with_checksums(2, extent);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR);
    return list;
}

static void contiguous(hid_t file) { replace_health(file, H5T_STD_U8LE, plain_list(), true); }
static void no_checksum(hid_t file) { replace_health(file, H5T_STD_U8LE, chunks(), true); }
static void compressed(hid_t file)
{
    const hid_t list = chunks();
    H5Pset_deflate(list, 6);
    H5Pset_fletcher32(list);
    replace_health(file, H5T_STD_U8LE, list, true);
}
static void unallocated(hid_t file) { replace_health(file, H5T_STD_U8LE, chunks_stored_late(), false); }
static void huge_and_unallocated(hid_t file)
{
    huge_size(file);
    replace_values(file, "/places/grid/health", H5T_STD_U8LE, "u8", chunks_stored_late(), 2,
                   (hsize_t[]){1 << 20, 1 << 20}, false);
}
static void external_storage(hid_t file)
{
    const hid_t list = plain_list();
    H5Pset_external(list, "/etc/passwd", 0, 60);
    replace_health(file, H5T_STD_U8LE, list, false);
}
static void virtual_layout(hid_t file)
{
    const hid_t list = plain_list(), space = H5Screate_simple(2, extent, NULL);
    H5Pset_virtual(list, space, "/etc/passwd", "x", space);
    H5Sclose(space);
    replace_health(file, H5T_STD_U8LE, list, false);
}

Test(checkpoint, of_other_storage_is_refused)
{
    assert_refused(contiguous, "not stored in chunks with checksums");
    assert_refused(no_checksum, "not stored in chunks with checksums");
    assert_refused(compressed, "not stored in chunks with checksums");
    assert_refused(unallocated, "not stored whole");
    assert_refused(huge_and_unallocated, "not stored whole");
    assert_refused(external_storage, "kept in another file");
    assert_refused(virtual_layout, "kept in another file");
}

static void variable_length(hid_t file)
{
    const hid_t type = H5Tvlen_create(H5T_STD_U8LE);
    replace_health(file, type, chunks(), false);
    H5Tclose(type);
}
static void wider_type(hid_t file) { replace_health(file, H5T_STD_U16LE, chunks_with_checksums(2, extent), true); }
static void other_order(hid_t file) { replace_health(file, H5T_STD_U16BE, chunks_with_checksums(2, extent), true); }

Test(checkpoint, of_other_types_is_refused)
{
    assert_refused(variable_length, "not stored in chunks with checksums"); /* which have none of them */
    assert_refused(wider_type, "not of type u8");
    assert_refused(other_order, "unknown type");
}
