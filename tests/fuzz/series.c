/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of series: refused in one line, or read. HDF5 itself may crash on them, which is why such files
 * are probed in a child process. -fork=1 -ignore_crashes=1 goes on after those. */
#include "harness.h"
#include "hdf5_leaks.h"
#include "io/series/series.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void check_columns(const mass_series_contents *c)
{
    ALWAYS(c->set.worlds > 0 && c->set.every > 0 && c->set.count <= MASS_SERIES_COLUMNS_MAX);
    for (uint32_t i = 0; i < c->set.count; i++) {
        mass_error error = {0};
        const mass_series_column *column = &c->set.columns[i];
        const uint64_t own = (uint64_t)c->set.worlds * mass_series_length(column);
        ALWAYS(strlen(column->name) > 0 && column->length > 0 && column->length <= MASS_SERIES_LENGTH_MAX);
        ALWAYS(column->lo <= column->hi && (column->length > 1 || column->lo == column->hi));
        if (c->rows > (1u << 20) / own) continue;
        double *values = malloc((c->rows * own + 1) * sizeof *values);
        mass_series_read(c, i, 0, c->rows, values, &error);
        ALWAYS(error.status == MASS_OK || error.status == MASS_BAD_INPUT || error.status == MASS_NO_DEVICE);
        free(values);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64]; /* HDF5 refuses files without a path, such as those of memfd_create */
    mass_error error = {0};
    mass_series_contents contents;
    snprintf(path, sizeof path, "/dev/shm/mass-fuzz-series-%ld", (long)getpid());
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    ALWAYS(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
    if (mass_series_describe(path, &contents, &error) == MASS_OK) {
        ALWAYS(error.text[0] == '\0');
        check_columns(&contents);
        mass_series_contents_free(&contents);
    } else {
        ALWAYS((error.status == MASS_BAD_INPUT || error.status == MASS_NO_DEVICE) && strstr(error.text, path) &&
               !strchr(error.text, '\n'));
        ALWAYS(!contents.set.columns && !contents.path && contents.source.file == 0);
    }
    unlink(path);
    return 0;
}
