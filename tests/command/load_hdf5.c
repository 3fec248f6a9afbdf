/* SPDX-License-Identifier: Apache-2.0 */
/* --load of data sets of HDF5 in chunks: their values, how long they take, and which are refused. */
#include "command.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

TestSuite(load_hdf5, SCRATCH);

static const char *load(const char *name, const char *path) { return path_of("%s=%s", name, path); }

/* A data set of bytes, contiguous without a chunk; extents end with 0. */
static const char *bytes_of(const char *name, const hsize_t *extent, const hsize_t *chunk, int filter,
                            const void *bytes)
{
    int rank = 0;
    while (extent[rank]) rank++;
    const hid_t f = H5Fcreate(scratch(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(rank, extent, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk) H5Pset_chunk(list, rank, chunk);
    if (filter == H5Z_FILTER_DEFLATE) H5Pset_deflate(list, 1);
    if (filter == H5Z_FILTER_SCALEOFFSET) H5Pset_scaleoffset(list, H5Z_SO_INT, 2);
    if (filter == H5Z_FILTER_NBIT) H5Pset_nbit(list);
    const hid_t set = H5Dcreate2(f, "set", H5T_NATIVE_UINT8, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (bytes) cr_assert_geq(H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes), 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(f);
    return path_of("%s:/set", scratch(name));
}

#define SOUP "--plugin", "life", "--steps", "0", "--seed", "1", "--quiet", "--json"
#define EXTENTS(...) ((const hsize_t[]){__VA_ARGS__, 0})

Test(load_hdf5, chunks_of_any_shape)
{
    enum { WORLDS = 3, HEIGHT = 61, WIDTH = 130 };
    static const hsize_t chunks[][3] = {{1, 1, 1}, {1, 61, 130}, {1, 7, 33}, {2, 60, 1}, {3, 1, 130}, {3, 61, 130},
                                        {2, 60, 129}};
    uint8_t *bytes = kept(malloc(WORLDS * HEIGHT * WIDTH));
    uint64_t state = 3;
    for (int i = 0; i < WORLDS * HEIGHT * WIDTH; i++) bytes[i] = next_random(&state) >> 20 & 1;
    const char *source = bytes_of("a.h5", EXTENTS(WORLDS, HEIGHT, WIDTH), NULL, 0, bytes);
    const outcome whole = RUN(SOUP, "--size", "130x61", "--worlds", "3", "--load", load("health", source));
    char hash[100];
    snprintf(hash, sizeof hash, "%s", outcome_hash(&whole, 0));
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        source = bytes_of("b.h5", EXTENTS(WORLDS, HEIGHT, WIDTH), chunks[i], i % 2 ? H5Z_FILTER_DEFLATE : 0, bytes);
        const outcome o = RUN(SOUP, "--size", "130x61", "--worlds", "3", "--load", load("health", source));
        cr_assert_str_eq(outcome_hash(&o, 0), hash, "%zu", i);
    }
}

/* Seconds of a processor that loading takes, in all processes. */
static double seconds_to_load(const char *source)
{
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    DONE(RUN("--plugin", "life", "--steps", "0", "--seed", "1", "--quiet", "--size", "2048x2048", "--load",
             load("health", source)));
    getrusage(RUSAGE_CHILDREN, &after);
    const struct timeval *b[] = {&before.ru_utime, &before.ru_stime}, *a[] = {&after.ru_utime, &after.ru_stime};
    double seconds = 0;
    for (int i = 0; i < 2; i++)
        seconds += (double)(a[i]->tv_sec - b[i]->tv_sec) + 1e-6 * (double)(a[i]->tv_usec - b[i]->tv_usec);
    return seconds;
}

/* Each chunk is unpacked once, and copied in rows. */
Test(load_hdf5, chunks_take_about_as_long_as_none)
{
    uint8_t *bytes = kept(calloc(2048, 2048));
    const double whole = seconds_to_load(bytes_of("a.h5", EXTENTS(2048, 2048), NULL, 0, bytes));
    const double rows = seconds_to_load(bytes_of("b.h5", EXTENTS(2048, 2048), EXTENTS(128, 2048), 0, bytes));
    const double one = seconds_to_load(bytes_of("c.h5", EXTENTS(2048, 2048), EXTENTS(2048, 2048), H5Z_FILTER_DEFLATE,
                                                bytes));
    cr_expect(rows < 2 * whole + 0.1 && one < 2 * whole + 0.1, "%g, %g and %g s", whole, rows, one);
}

/* What nobody wrote takes no bytes of a file, and is the fill value. */
Test(load_hdf5, chunks_that_nobody_wrote)
{
    static const hsize_t extent[] = {2048, 2048, 0};
    const char *source = bytes_of("a.h5", extent, extent, H5Z_FILTER_DEFLATE, NULL);
    const outcome o = RUN(SOUP, "--load", load("health", source));
    cr_assert(o.status == 0 && strstr(o.out, "\"population\": 0"), "%s%s", o.out, o.err);
    source = bytes_of("a.h5", EXTENTS(1 << 20, 1 << 20), EXTENTS(1 << 10, 1 << 10), H5Z_FILTER_DEFLATE, NULL);
    REFUSED(RUN(SOUP, "--load", load("health", source)), MASS_BAD_INPUT, "a.h5:/set is larger than its file");
}

/* Said by the process that reads it first, which does not die of it. */
Test(load_hdf5, what_are_no_numbers)
{
    const hid_t f = H5Fcreate(scratch("a.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(2, EXTENTS(8, 8), NULL), type = H5Tcreate(H5T_OPAQUE, 4);
    H5Dclose(H5Dcreate2(f, "set", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(f);
    REFUSED(RUN(SOUP, "--load", load("health", path_of("%s:/set", scratch("a.h5")))), MASS_BAD_INPUT,
            "a.h5:/set does not hold numbers of at most 64 bits");
}

Test(load_hdf5, filters_that_are_not_read_are_named)
{
    static const uint8_t ones[64] = {1};
    static const struct { int filter; const char *name; } all[] = {
        {H5Z_FILTER_SCALEOFFSET, "the filter 6 (scaleoffset)"}, {H5Z_FILTER_NBIT, "the filter 5 (nbit)"}};
    for (size_t i = 0; i < 2; i++)
        REFUSED(RUN(SOUP, "--load", load("health", bytes_of("a.h5", EXTENTS(8, 8), EXTENTS(8, 8), all[i].filter,
                                                            ones))), MASS_BAD_INPUT,
                "a.h5:/set cannot be read (it is packed by ", all[i].name, "h5repack -f GZIP=4");
}
