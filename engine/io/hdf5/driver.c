/* SPDX-License-Identifier: Apache-2.0 */
/* A driver for HDF5 that reads an open descriptor. The library calls these functions; herr_t is negative on failure. */
#include "io/hdf5/driver.h"

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct opened {
    H5FD_t driver; /* the library's part */
    int file;
    haddr_t used, size; /* the end of the file according to the library, and its actual size */
} opened;

static const haddr_t address_most = (haddr_t)INT64_MAX;

static _Thread_local int read_error;

int mass_hdf5_take_read_error(void)
{
    const int error = read_error;
    read_error = 0;
    return error;
}

/* Records an error for mass_hdf5_reason, which reports the innermost reason. number: an errno, or 0. Returns -1. */
static herr_t fail(const char *what, int number)
{
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR, "%s, errno = %d", what,
             number);
    return -1;
}

/* Opens the driver on the list's descriptor, for reading only; ignores the name. Leaves the descriptor open on
 * close. */
static H5FD_t *open_descriptor(const char *name, unsigned flags, hid_t list, haddr_t most)
{
    (void)name, (void)most;
    const int *file = H5Pget_driver_info(list);
    struct stat facts;
    if (!file || (flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_CREAT))) return NULL;
    if (fstat(*file, &facts) != 0) return fail("the file has no size", errno), NULL;
    opened *o = calloc(1, sizeof *o);
    if (!o) {
        H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE, "no memory");
        return NULL;
    }
    o->file = *file;
    o->size = (haddr_t)facts.st_size;
    return &o->driver;
}

/* Frees the driver; its owner closes the descriptor. */
static herr_t close_descriptor(H5FD_t *driver)
{
    free(driver);
    return 0;
}

/* Compares descriptors: two for the same file count as different, since one may be closed before the other. */
static int compare(const H5FD_t *a, const H5FD_t *b)
{
    const int x = ((const opened *)a)->file, y = ((const opened *)b)->file;
    return (x > y) - (x < y);
}

/* Tells the library which of its optional features this driver allows. */
static herr_t query(const H5FD_t *driver, unsigned long *flags)
{
    (void)driver;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA_READ | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

/* Returns the end of the addresses in use, as the library last set it. */
static haddr_t get_used(const H5FD_t *driver, H5FD_mem_t type)
{
    (void)type;
    return ((const opened *)driver)->used;
}

/* Stores the end of the addresses in use; the file stays as it is. */
static herr_t set_used(H5FD_t *driver, H5FD_mem_t type, haddr_t used)
{
    (void)type;
    ((opened *)driver)->used = used;
    return 0;
}

/* Returns the file's size in bytes when it was opened. */
static haddr_t get_size(const H5FD_t *driver, H5FD_mem_t type)
{
    (void)type;
    return ((const opened *)driver)->size;
}

/* Returns a pointer to the descriptor, which the driver still holds. */
static herr_t get_handle(H5FD_t *driver, hid_t list, void **handle)
{
    (void)list;
    *handle = &((opened *)driver)->file;
    return 0;
}

/* Reads bytes. Refuses to read beyond the end that the library has set. Before that, as with HDF5's own driver,
 * bytes after the end of the file are zeros. */
static herr_t read_bytes(H5FD_t *driver, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, void *out)
{
    (void)type, (void)list;
    const opened *o = (const opened *)driver;
    uint8_t *next = out;
    if (at > address_most || size > address_most - at || at + size > o->used) return fail("it ends too early", 0);
    while (size > 0) {
        const ssize_t got = pread(o->file, next, size, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            read_error = errno;
            return fail("file read failed", errno);
        }
        if (got == 0) return memset(next, 0, size), 0;
        next += got;
        at += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

/* Fails with EBADF: the driver only reads. */
static herr_t write_nothing(H5FD_t *driver, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, const void *bytes)
{
    (void)driver, (void)type, (void)list, (void)at, (void)size, (void)bytes;
    return fail("the file is open for reading only", EBADF);
}

static const H5FD_class_t descriptor_driver = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)700, /* above the values that the HDF Group has registered */
#endif
    .name = "descriptor",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(int),
    .open = open_descriptor,
    .close = close_descriptor,
    .cmp = compare,
    .query = query,
    .get_eoa = get_used,
    .set_eoa = set_used,
    .get_eof = get_size,
    .get_handle = get_handle,
    .read = read_bytes,
    .write = write_nothing,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

int64_t mass_hdf5_descriptor_access(int file)
{
    static hid_t driver = -1;
    if (driver < 0 || H5Iis_valid(driver) <= 0) driver = H5FDregister(&descriptor_driver);
    const hid_t list = driver < 0 ? -1 : H5Pcreate(H5P_FILE_ACCESS);
    if (list < 0) return -1;
    if (H5Pset_driver(list, driver, &file) >= 0 && H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0) return list;
    H5Pclose(list);
    return -1;
}
