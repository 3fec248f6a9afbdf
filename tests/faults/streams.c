/* SPDX-License-Identifier: Apache-2.0 */
/* Streams on files below the folder: the C library's own would read and write past the calls that are counted. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 64 };
static struct {
    FILE *stream;
    int file;
} open_streams[STREAMS];

static int file_of(void *cookie) { return (int)(intptr_t)cookie; }

static ssize_t read_stream(void *cookie, char *bytes, size_t size) { return read(file_of(cookie), bytes, size); }

/* As the C library's: until all is written or a write fails. */
static ssize_t write_stream(void *cookie, const char *bytes, size_t size)
{
    size_t done = 0;
    for (ssize_t now; done < size && (now = write(file_of(cookie), bytes + done, size - done)) >= 0;)
        done += (size_t)now;
    return (ssize_t)done;
}

static int seek_stream(void *cookie, off64_t *offset, int whence)
{
    *offset = lseek(file_of(cookie), *offset, whence);
    return *offset < 0 ? -1 : 0;
}

static int close_stream(void *cookie)
{
    for (int i = 0; i < STREAMS; i++)
        if (open_streams[i].stream && open_streams[i].file == file_of(cookie)) open_streams[i].stream = NULL;
    return close(file_of(cookie));
}

static FILE *make_stream(int file, const char *mode)
{
    const cookie_io_functions_t functions = {read_stream, write_stream, seek_stream, close_stream};
    int i = 0;
    while (i < STREAMS && open_streams[i].stream) i++;
    FILE *stream = i < STREAMS ? fopencookie((void *)(intptr_t)file, mode, functions) : NULL;
    if (stream) {
        open_streams[i].stream = stream;
        open_streams[i].file = file;
    }
    return stream;
}

EXPORT FILE *fdopen(int file, const char *mode)
{
    FILE *(*next)(int, const char *) = (FILE *(*)(int, const char *))dlsym(RTLD_NEXT, "fdopen");
    return is_ours(file) ? make_stream(file, mode) : next(file, mode);
}

static int flags_of(const char *mode)
{
    int flags = mode[0] == 'r' ? 0 : mode[0] == 'w' ? O_CREAT | O_TRUNC : O_CREAT | O_APPEND;
    flags |= strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    return flags | (strchr(mode, 'x') ? O_EXCL : 0) | (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *) = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");
    if (!is_our_path(AT_FDCWD, path)) return next(path, mode);
    const int file = open(path, flags_of(mode), 0666);
    if (file < 0) return NULL;
    FILE *stream = make_stream(file, mode);
    if (!stream) close(file);
    return stream;
}
EXPORT FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

EXPORT int fileno(FILE *stream)
{
    int (*next)(FILE *) = (int (*)(FILE *))dlsym(RTLD_NEXT, "fileno");
    for (int i = 0; i < STREAMS; i++)
        if (open_streams[i].stream == stream) return open_streams[i].file;
    return next(stream);
}
