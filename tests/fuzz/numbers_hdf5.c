/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as "FILE.h5:PATH" of --load: PATH, a new line, and the file. Refused in one line, or numbers that are as
 * many as their extents say, and the same when read again. HDF5 itself may crash on them. The engine therefore probes
 * such files in a child process, which this harness replaces. With -fork=1 -ignore_crashes=1 fuzzing goes on after
 * crashes. */
#include "harness.h"
#include "hdf5_probe.h"
#include "io/input/numbers.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const mass_attribute_def real = {.type = MASS_F64};

static void check_numbers(const char *source, const mass_numbers *n)
{
    mass_numbers again = {0};
    mass_error error = {0};
    uint64_t count = 1;
    ALWAYS(n->rank >= 1 && n->rank <= MASS_NUMBERS_AXES && mass_type_size(n->type) > 0 && !n->decimal);
    for (uint32_t i = 0; i < n->rank; i++) count *= n->extent[i];
    ALWAYS(count == n->count);
    ALWAYS(mass_numbers_read(source, &real, &again, &error) == MASS_OK && again.count == n->count);
    ALWAYS(strlen(n->hash) == 32 && strcmp(again.hash, n->hash) == 0);
    ALWAYS(memcmp(again.values, n->values, n->count * mass_type_size(n->type)) == 0);
    mass_numbers_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, '\n', size < 2000 ? size : 2000);
    char path[64], source[2100]; /* HDF5 refuses files without a path, such as those of memfd_create */
    mass_numbers n = {.rank = 77};
    mass_error error = {0};
    if (!end || memchr(bytes, '\0', (size_t)(end - bytes))) return 0;
    snprintf(path, sizeof path, "/dev/shm/mass-fuzz-numbers-%ld.h5", (long)getpid());
    snprintf(source, sizeof source, "%s:%.*s", path, (int)(end - bytes), (const char *)bytes);
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    const ssize_t length = (ssize_t)(bytes + size - end - 1);
    ALWAYS(file >= 0 && write(file, end + 1, (size_t)length) == length);
    close(file);
    const mass_status status = mass_numbers_read(source, &real, &n, &error);
    ALWAYS(status == error.status);
    if (status == MASS_OK) {
        check_numbers(source, &n);
        mass_numbers_free(&n);
    } else {
        ALWAYS((status == MASS_BAD_INPUT || status == MASS_NO_DEVICE) && n.rank == 77);
        ALWAYS(status != MASS_BAD_INPUT || strstr(error.text, path));
        ALWAYS_ONE_LINE(error.text);
    }
    unlink(path);
    return 0;
}
