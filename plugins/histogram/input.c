/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

mass_status input_open(input *in, mass_host *host, const char *path, size_t item)
{
    struct stat about;
    *in = (input){.path = path, .file = -1};
    in->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* so that a pipe is refused at once */
    if (in->file < 0 || fstat(in->file, &about) != 0)
        return host->fail(host, MASS_BAD_INPUT, "input %s: %s", path, strerror(errno));
    in->size = (uint64_t)about.st_size;
    if (S_ISDIR(about.st_mode)) return host->fail(host, MASS_BAD_INPUT, "input %s is a folder", path);
    if (!S_ISREG(about.st_mode))
        return host->fail(host, MASS_BAD_INPUT, "input %s is not a regular file: every step reads it again", path);
    if (in->size % item != 0)
        return host->fail(host, MASS_BAD_INPUT, "input %s has %llu bytes, which is not a multiple of the %zu of an "
                          "item",
                          path, (unsigned long long)in->size, item);
    return MASS_OK;
}

mass_status input_read(const input *in, mass_host *host, uint64_t at, void *data, uint64_t bytes, uint64_t *got)
{
    *got = 0;
    while (*got < bytes) {
        const ssize_t n = pread(in->file, (char *)data + *got, bytes - *got, (off_t)(at + *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return host->fail(host, MASS_BAD_INPUT, "input %s: %s", in->path, strerror(errno));
        if (n == 0) break;
        *got += (uint64_t)n;
    }
    return MASS_OK;
}

void input_close(input *in)
{
    if (in->file >= 0) close(in->file);
    in->file = -1;
}
