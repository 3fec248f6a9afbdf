/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, threads, processes and random numbers. */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- memory: by the names under which the C library has its own, or the address sanitizer ---- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
#define OF_SANITIZER(NAME) extern __typeof__(NAME) __interceptor_##NAME __attribute__((weak)) /* NULL: there is none */
OF_SANITIZER(malloc);
OF_SANITIZER(calloc);
OF_SANITIZER(realloc);
OF_SANITIZER(aligned_alloc);
OF_SANITIZER(posix_memalign);

#define CALLER __builtin_return_address(0)
static bool lacks(const void *caller) { return judge(is_program(caller) ? KIND_malloc : KIND_library_malloc) == FAIL; }

EXPORT void *malloc(size_t size)
{
    if (lacks(CALLER)) return NULL;
    return __interceptor_malloc ? __interceptor_malloc(size) : __libc_malloc(size);
}
EXPORT void *calloc(size_t count, size_t size)
{
    if (lacks(CALLER)) return NULL;
    return __interceptor_calloc ? __interceptor_calloc(count, size) : __libc_calloc(count, size);
}
EXPORT void *realloc(void *memory, size_t size)
{
    if (lacks(CALLER)) return NULL;
    return __interceptor_realloc ? __interceptor_realloc(memory, size) : __libc_realloc(memory, size);
}
EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    if (lacks(CALLER)) return NULL;
    return __interceptor_aligned_alloc ? __interceptor_aligned_alloc(alignment, size)
                                       : __libc_memalign(alignment, size);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (lacks(CALLER)) return ENOMEM;
    if (__interceptor_posix_memalign) return __interceptor_posix_memalign(out, alignment, size);
    void *memory = __libc_memalign(alignment, size);
    if (memory) *out = memory;
    return memory ? 0 : ENOMEM;
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    if (is_program(CALLER) && judge(KIND_mmap) == FAIL) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
EXPORT __typeof__(mmap) mmap64 __attribute__((alias("mmap")));

/* ---- threads, processes, random numbers ---- */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*f)(void *), void *argument)
{
    create_function *next = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
    return judge(KIND_pthread_create) == FAIL ? errno : next(thread, attributes, f, argument);
}

EXPORT pid_t fork(void)
{
    pid_t (*next)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    if (judge(KIND_fork) == FAIL) return -1;
    const pid_t id = next();
    if (id == 0) stop_judging();
    return id;
}

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                           char *const[], char *const[]);
EXPORT int posix_spawnp(pid_t *id, const char *path, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    spawn_function *next = (spawn_function *)dlsym(RTLD_NEXT, "posix_spawnp");
    return judge(KIND_fork) == FAIL ? errno : next(id, path, actions, attributes, arguments, environment);
}

EXPORT ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    return judge(KIND_getrandom) == FAIL ? -1 : syscall(SYS_getrandom, bytes, size, flags);
}
