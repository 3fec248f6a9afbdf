/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a checkpoint: accepted, or refused in one line; HDF5 itself may crash on them, which
 * is why checkpoints are probed in a child process. -fork=1 -ignore_crashes=1 goes on after those.
 */
#include "harness.h"
#include "hdf5_leaks.h"
#include "io/checkpoint/checkpoint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64]; /* HDF5 refuses files without a path, such as those of memfd_create */
    mass_error error = {0};
    snprintf(path, sizeof path, "/dev/shm/mass-fuzz-checkpoint-%ld", (long)getpid());
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    ALWAYS(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
    const mass_status status = mass_checkpoint_verify(path, &error);
    ALWAYS(status == error.status);
    if (status == MASS_OK)
        ALWAYS(error.text[0] == '\0');
    else
        ALWAYS((status == MASS_BAD_INPUT || status == MASS_NO_DEVICE) && strstr(error.text, path) &&
               !strchr(error.text, '\n'));
    unlink(path);
    return 0;
}
