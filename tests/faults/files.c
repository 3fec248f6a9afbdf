/* SPDX-License-Identifier: Apache-2.0 */
/* The calls on files. What they do is done by the kernel directly, so that nothing depends on who else is loaded. */
#include "record.h"
#include "shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same function under the name that programs with large files use. */
#define ALSO(NAME, OTHER) EXPORT __typeof__(NAME) OTHER __attribute__((alias(#NAME)))

/* ---- opening and closing ---- */

static bool exists(int folder, const char *path)
{
    struct stat facts;
    return fstatat(folder, path, &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

static int open_recorded(int folder, const char *path, int flags, mode_t mode)
{
    const bool recorded = (flags & O_ACCMODE) != O_RDONLY && recording_begin();
    const bool there = recorded && exists(folder, path);
    const int file = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (recorded && file >= 0 && !there) record_create(file, folder, path);
    if (recorded && file >= 0 && there && (flags & O_TRUNC)) record_size(file);
    if (recorded) recording_end();
    return file;
}

static int open_judged(int folder, const char *path, int flags, mode_t mode)
{
    const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
    const bool ours = is_our_path(folder, path);
    if (ours && judge(writes ? KIND_open_to_write : KIND_open_to_read) == FAIL) return -1;
    const int file = ours ? open_recorded(folder, path, flags, mode)
                          : (int)syscall(SYS_openat, folder, path, flags, mode);
    forget(file);
    return file;
}

static mode_t mode_of(int flags, va_list more) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; }

EXPORT int openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_judged(folder, path, flags, mode);
}
ALSO(openat, openat64);

EXPORT int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_judged(AT_FDCWD, path, flags, mode);
}
ALSO(open, open64);

/* What calls without a mode are compiled to where the C library checks them. */
EXPORT int __open_2(const char *path, int flags);
EXPORT int __open_2(const char *path, int flags) { return open_judged(AT_FDCWD, path, flags, 0); }
ALSO(__open_2, __open64_2);
EXPORT int __openat_2(int folder, const char *path, int flags);
EXPORT int __openat_2(int folder, const char *path, int flags) { return open_judged(folder, path, flags, 0); }
ALSO(__openat_2, __openat64_2);

EXPORT int creat(const char *path, mode_t mode)
{
    return open_judged(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
ALSO(creat, creat64);

EXPORT DIR *opendir(const char *path)
{
    DIR *(*next)(const char *) = (DIR *(*)(const char *))dlsym(RTLD_NEXT, "opendir");
    return is_our_path(AT_FDCWD, path) && judge(KIND_open_to_read) == FAIL ? NULL : next(path);
}

/* A descriptor is gone also when closing fails. */
EXPORT int close(int file)
{
    const verdict v = is_ours(file) ? judge(KIND_close) : GO_ON;
    const int error = errno;
    forget(file);
    const int result = (int)syscall(SYS_close, file);
    if (v != FAIL) return result;
    errno = error;
    return -1;
}

EXPORT int dup2(int from, int to)
{
    forget(to);
    return (int)syscall(SYS_dup3, from, to, 0);
}

/* ---- reading and writing ---- */

static size_t half_if(verdict v, size_t size) { return v == SHORTEN && size > 1 ? size / 2 : size; }

EXPORT ssize_t read(int file, void *bytes, size_t size)
{
    const verdict v = is_ours(file) ? judge(KIND_read) : GO_ON;
    return v == FAIL ? -1 : syscall(SYS_read, file, bytes, half_if(v, size));
}

EXPORT ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    const verdict v = is_ours(file) ? judge(KIND_pread) : GO_ON;
    const ssize_t got = v == FAIL ? -1 : syscall(SYS_pread64, file, bytes, half_if(v, size), offset);
    if (v == SPOIL && got > 0) ((char *)bytes)[got / 2] ^= 1;
    return got;
}
ALSO(pread, pread64);

static off_t position(int file) { return syscall(SYS_lseek, file, 0, SEEK_CUR); }

EXPORT ssize_t write(int file, const void *bytes, size_t size)
{
    if (!is_ours(file)) return syscall(SYS_write, file, bytes, size);
    const verdict v = judge(KIND_write);
    if (v == FAIL) return -1;
    const bool recorded = recording_begin();
    const ssize_t done = syscall(SYS_write, file, bytes, half_if(v, size));
    if (recorded && done > 0) record_write(file, position(file) - done, done, bytes);
    if (recorded) recording_end();
    return done;
}

EXPORT ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    if (!is_ours(file)) return syscall(SYS_pwrite64, file, bytes, size, offset);
    const verdict v = judge(KIND_pwrite);
    if (v == FAIL) return -1;
    const bool recorded = recording_begin();
    const ssize_t done = syscall(SYS_pwrite64, file, bytes, half_if(v, size), offset);
    if (recorded && done > 0) record_write(file, offset, done, bytes);
    if (recorded) recording_end();
    return done;
}
ALSO(pwrite, pwrite64);

EXPORT ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags)
{
    if (!is_ours(to)) return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, size, flags);
    const verdict v = judge(KIND_copy_file_range);
    if (v == FAIL) return -1;
    const bool recorded = recording_begin();
    const ssize_t done = syscall(SYS_copy_file_range, from, from_offset, to, to_offset, half_if(v, size), flags);
    if (recorded && done > 0) record_content(to, (to_offset ? *to_offset : position(to)) - done, done);
    if (recorded) recording_end();
    return done;
}

static int resize(int file, long number, int mode, off_t offset, off_t size)
{
    const bool recorded = is_ours(file) && recording_begin();
    const int result = (int)(number == SYS_ftruncate ? syscall(number, file, size)
                                                     : syscall(number, file, mode, offset, size));
    if (recorded && result == 0) record_size(file);
    if (recorded) recording_end();
    return result;
}

EXPORT int ftruncate(int file, off_t size)
{
    if (is_ours(file) && judge(KIND_ftruncate) == FAIL) return -1;
    return resize(file, SYS_ftruncate, 0, 0, size);
}
ALSO(ftruncate, ftruncate64);

EXPORT int fallocate(int file, int mode, off_t offset, off_t size)
{
    if (is_ours(file) && judge(KIND_fallocate) == FAIL) return -1;
    return resize(file, SYS_fallocate, mode, offset, size);
}
ALSO(fallocate, fallocate64);

static int sync_file(int file, long number)
{
    if (!is_ours(file)) return (int)syscall(number, file);
    if (judge(KIND_fsync) == FAIL) return -1;
    const bool recorded = recording_begin();
    const int result = (int)syscall(number, file);
    if (recorded && result == 0) record_sync(file);
    if (recorded) recording_end();
    return result;
}
EXPORT int fsync(int file) { return sync_file(file, SYS_fsync); }
EXPORT int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

/* ---- names ---- */

EXPORT int renameat2(int from, const char *path, int to, const char *to_path, unsigned flags)
{
    const bool ours = is_our_path(to, to_path);
    if (ours && judge(KIND_rename) == FAIL) return -1;
    const bool recorded = ours && recording_begin();
    const int result = (int)syscall(SYS_renameat2, from, path, to, to_path, flags);
    if (recorded && result == 0) record_path("rename", from, path, to, to_path);
    if (recorded) recording_end();
    return result;
}
EXPORT int renameat(int from, const char *path, int to, const char *to_path)
{
    return renameat2(from, path, to, to_path, 0);
}
EXPORT int rename(const char *path, const char *to_path) { return renameat2(AT_FDCWD, path, AT_FDCWD, to_path, 0); }

EXPORT int linkat(int from, const char *path, int to, const char *to_path, int flags)
{
    const bool ours = is_our_path(to, to_path);
    if (ours && judge(KIND_link) == FAIL) return -1;
    const bool recorded = ours && recording_begin();
    const int result = (int)syscall(SYS_linkat, from, path, to, to_path, flags);
    if (recorded && result == 0) record_path("link", from, path, to, to_path);
    if (recorded) recording_end();
    return result;
}
EXPORT int link(const char *path, const char *to_path) { return linkat(AT_FDCWD, path, AT_FDCWD, to_path, 0); }

EXPORT int unlinkat(int folder, const char *path, int flags)
{
    const bool ours = is_our_path(folder, path);
    if (ours && judge(KIND_unlink) == FAIL) return -1;
    const bool recorded = ours && recording_begin();
    const int result = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (recorded && result == 0) record_path("unlink", folder, path, 0, NULL);
    if (recorded) recording_end();
    return result;
}
EXPORT int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

EXPORT int mkdirat(int folder, const char *path, mode_t mode)
{
    const bool ours = is_our_path(folder, path);
    if (ours && judge(KIND_mkdir) == FAIL) return -1;
    const bool recorded = ours && recording_begin();
    const int result = (int)syscall(SYS_mkdirat, folder, path, mode);
    if (recorded && result == 0) record_path("mkdir", folder, path, 0, NULL);
    if (recorded) recording_end();
    return result;
}
EXPORT int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

/* ---- locks ---- */

EXPORT int flock(int file, int operation)
{
    if (is_ours(file) && !(operation & LOCK_UN) && judge(KIND_lock) == FAIL) return -1;
    return (int)syscall(SYS_flock, file, operation);
}

EXPORT int fcntl(int file, int command, ...)
{
    va_list more;
    va_start(more, command);
    const uintptr_t argument = va_arg(more, uintptr_t);
    va_end(more);
    const bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    const struct flock *wanted = (const struct flock *)argument;
    if (locks && is_ours(file) && wanted->l_type != F_UNLCK && judge(KIND_lock) == FAIL) return -1;
    return (int)syscall(SYS_fcntl, file, command, argument);
}
ALSO(fcntl, fcntl64);
