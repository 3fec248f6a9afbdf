/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is being read, and how to report its failures. */
typedef struct reading {
    int descriptor;
    const char *path;
    mass_status on_failure;
    mass_error *error;
} reading;

/* Sets the error "cannot read PATH: why" with the status that the caller chose for failures. */
static mass_status refuse(const reading *r, const char *why)
{
    return mass_error_set(r->error, r->on_failure, "cannot read %s: %s", r->path, why);
}

/* Finds the file's size. Refuses folders, other special files, and files above the limit. */
static mass_status measure(const reading *r, size_t limit, size_t *size)
{
    struct stat facts;
    if (fstat(r->descriptor, &facts) != 0) return refuse(r, strerror(errno));
    if (S_ISDIR(facts.st_mode)) return refuse(r, "it is a folder");
    if (!S_ISREG(facts.st_mode)) return refuse(r, "it is not a regular file; copy it into one");
    if ((uintmax_t)facts.st_size > limit)
        return mass_error_set(r->error, r->on_failure,
                              "cannot read %s: it has %jd bytes, and at most %zu are allowed",
                              r->path, (intmax_t)facts.st_size, limit);
    *size = (size_t)facts.st_size;
    return MASS_OK;
}

/* Reads exactly `size` bytes, and fails if the file has become shorter. */
static mass_status fill(const reading *r, uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t got = read(r->descriptor, bytes + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refuse(r, strerror(errno));
        if (got == 0) return refuse(r, "it became shorter while it was being read; try again");
        done += (size_t)got;
    }
    return MASS_OK;
}

/* Reads the file into new memory and appends a zero byte. Refuses more than `limit` bytes. Leaves *out on failure. */
static mass_status read_all(const reading *r, size_t limit, mass_file *out)
{
    size_t size = 0;
    mass_status status = measure(r, limit, &size);
    if (status != MASS_OK) return status;
    uint8_t *bytes = size < SIZE_MAX ? malloc(size + 1) : NULL;
    if (!bytes)
        return mass_error_set(r->error, MASS_NO_DEVICE,
                              "cannot read %s: its %zu bytes are more than the machine has free",
                              r->path, size);
    bytes[size] = 0;
    status = fill(r, bytes, size);
    if (status == MASS_OK) *out = (mass_file){bytes, size};
    else free(bytes);
    return status;
}

mass_status mass_file_read(const char *path, size_t limit, mass_status on_failure, mass_file *out,
                           mass_error *error)
{
    /* Without O_NONBLOCK, open() of a named pipe waits for a writer. */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const reading r = {descriptor, path, on_failure, error};
    if (descriptor < 0) return refuse(&r, strerror(errno));
    const mass_status status = read_all(&r, limit, out);
    close(descriptor);
    return status;
}

void mass_file_free(mass_file *file)
{
    free(file->bytes);
    *file = (mass_file){0};
}
