/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((off_t)1 << 30)


/* Writes why reading failed, from an errno, and returns MASS_BAD_INPUT. */
static mass_status read_error(char *message, size_t message_size, int cause)
{
    snprintf(message, message_size, "cannot be read: %s", strerror(cause));
    return MASS_BAD_INPUT;
}

/* Checks that an open file is a regular one of at most 1 GiB, and sets *size. On failure writes a message. */
static mass_status check_file(int file, off_t *size, char *message, size_t message_size)
{
    struct stat about;
    if (fstat(file, &about) != 0) return read_error(message, message_size, errno);
    *size = about.st_size;
    const char *wrong = S_ISDIR(about.st_mode)    ? "is a folder, not a file"
                        : !S_ISREG(about.st_mode) ? "is not a regular file"
                        : *size > FILE_MAX        ? "is larger than 1 GiB"
                                                  : NULL;
    if (!wrong) return MASS_OK;
    snprintf(message, message_size, "%s", wrong);
    return MASS_BAD_INPUT;
}

/* Reads up to size bytes, fewer if the file becomes shorter meanwhile. Returns 0 or an errno. */
static int read_bytes(int file, uint8_t *bytes, size_t size, size_t *taken)
{
    for (*taken = 0; *taken < size;) {
        ssize_t more = read(file, bytes + *taken, size - *taken);
        if (more == 0) break;
        if (more > 0) *taken += (size_t)more;
        else if (errno != EINTR) return errno;
    }
    return 0;
}

/* Reads all bytes of an open file. The caller frees *bytes. On failure writes a message, and sets nothing else. */
static mass_status read_open_file(int file, uint8_t **bytes, size_t *size, char *message,
                                  size_t message_size)
{
    off_t expected = 0;
    mass_status status = check_file(file, &expected, message, message_size);
    if (status != MASS_OK) return status;
    uint8_t *read_in = (uint8_t *)malloc(expected > 0 ? (size_t)expected : 1);
    if (!read_in) {
        snprintf(message, message_size, "does not fit in memory");
        return MASS_NO_DEVICE;
    }
    size_t taken;
    int cause = read_bytes(file, read_in, (size_t)expected, &taken);
    if (cause != 0) {
        free(read_in);
        return read_error(message, message_size, cause);
    }
    *bytes = read_in;
    *size = taken;
    return MASS_OK;
}

mass_status life_pattern_read_file(const char *path, uint8_t **bytes, size_t *size, char *message,
                                   size_t message_size)
{
    /* O_NONBLOCK: open must not wait at a named pipe, which is refused. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return read_error(message, message_size, errno);
    mass_status status = read_open_file(file, bytes, size, message, message_size);
    close(file);
    return status;
}
