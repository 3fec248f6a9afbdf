/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the CUDA driver, which the runtime in the engine's module looks up by name. Its dlsym finds cuGetProcAddress
 * here. That returns functions of this file for the calls that are counted. This file and shim.c are a library of their
 * own. */
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* The arguments of a driver's function are numbers and pointers, at most as many as cuLaunchKernel has. Those that one
 * does not have are handed on as what happens to be there, and never looked at. */
typedef uintptr_t word;
typedef int function(word, word, word, word, word, word, word, word, word, word, word);

/* ---- functions that stand before the driver's ---- */

enum { PLACES = 64 }; /* a name has one for each version of it that is asked for */
static struct {
    function *true_one;
    kind kind;
} places[PLACES];
static _Atomic int place_count;

#define STANDING_AT(N)                                                                                                 \
    static int standing_##N(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k)    \
    {                                                                                                                  \
        if (judge(places[N].kind) == FAIL) return errno;                                                               \
        return places[N].true_one(a, b, c, d, e, f, g, h, i, j, k);                                                    \
    }
#define EIGHT(X, T) X(T##0) X(T##1) X(T##2) X(T##3) X(T##4) X(T##5) X(T##6) X(T##7)
#define ALL(X) EIGHT(X, 0) EIGHT(X, 01) EIGHT(X, 02) EIGHT(X, 03) EIGHT(X, 04) EIGHT(X, 05) EIGHT(X, 06) EIGHT(X, 07)
ALL(STANDING_AT) /* numbers are octal */
#define ITS_NAME(N) standing_##N,
static function *const standing[] = {ALL(ITS_NAME)};

static bool is_counted(const char *name, kind *k)
{
    for (int i = KIND_first_of_cuda; i < KIND_COUNT; i++)
        if (strcmp(name, name_of_kind((kind)i)) == 0) {
            *k = (kind)i;
            return true;
        }
    return false;
}

/* The function to give out for the driver's own. */
static void *stand_before(const char *name, void *true_one)
{
    kind k;
    if (!true_one || !is_counted(name, &k)) return true_one;
    for (int i = 0; i < place_count; i++)
        if (places[i].true_one == (function *)true_one && places[i].kind == k) return (void *)standing[i];
    const int i = place_count < PLACES ? place_count++ : -1;
    if (i < 0) return true_one;
    places[i].kind = k;
    places[i].true_one = (function *)true_one;
    return (void *)standing[i];
}

/* ---- how the runtime finds them ---- */

typedef int get_first(const char *, void **, int, uint64_t);
typedef int get_second(const char *, void **, int, uint64_t, void *);
static get_first *true_first;
static get_second *true_second;

static get_first first_get;
static get_second second_get;

/* cuGetProcAddress can be asked for itself. */
static void exchange(const char *name, int version, void **found)
{
    if (strcmp(name, "cuGetProcAddress") != 0) {
        *found = stand_before(name, *found);
    } else if (version >= 12000) {
        true_second = (get_second *)*found;
        *found = (void *)second_get;
    } else {
        true_first = (get_first *)*found;
        *found = (void *)first_get;
    }
}

static int first_get(const char *name, void **found, int version, uint64_t flags)
{
    const int result = true_first(name, found, version, flags);
    if (result == 0 && *found) exchange(name, version, found);
    return result;
}

static int second_get(const char *name, void **found, int version, uint64_t flags, void *status)
{
    const int result = true_second(name, found, version, flags, status);
    if (result == 0 && *found) exchange(name, version, found);
    return result;
}

EXPORT void *dlsym(void *library, const char *name)
{
    static void *(*next)(void *, const char *);
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (int i = 0; i < 3 && !next; i++)
        next = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    void *found = next(library, name);
    if (found && strcmp(name, "cuGetProcAddress") == 0) {
        true_first = (get_first *)found;
        return (void *)first_get;
    }
    if (found && strcmp(name, "cuGetProcAddress_v2") == 0) {
        true_second = (get_second *)found;
        return (void *)second_get;
    }
    return found;
}
