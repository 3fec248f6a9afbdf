/* SPDX-License-Identifier: Apache-2.0 */
/* NCCL's library. It is loaded when a link is requested, so that everything else works on a machine without it. */
#ifndef MASS_ENGINE_NCCL_LIBRARY_H
#define MASS_ENGINE_NCCL_LIBRARY_H

#include "base/error.h"

#include <nccl.h>

/* The functions that are called, by their names without `nccl`. */
#define MASS_NCCL_FUNCTIONS(FUNCTION) \
    FUNCTION(GetVersion)              \
    FUNCTION(GetUniqueId)             \
    FUNCTION(GetErrorString)          \
    FUNCTION(CommInitRank)            \
    FUNCTION(CommGetAsyncError)       \
    FUNCTION(CommAbort)               \
    FUNCTION(CommDestroy)             \
    FUNCTION(GroupStart)              \
    FUNCTION(GroupEnd)                \
    FUNCTION(Send)                    \
    FUNCTION(Recv)                    \
    FUNCTION(AllReduce)

typedef struct mass_nccl_library {
#define MASS_NCCL_MEMBER(name) __typeof__(&nccl##name) name;
    MASS_NCCL_FUNCTIONS(MASS_NCCL_MEMBER)
#undef MASS_NCCL_MEMBER
    const char *(*GetLastError)(ncclComm_t); /* NULL in older versions */
    int version;                             /* as NCCL encodes it: 22809 is 2.28.9 */
} mass_nccl_library;

/* Loads the library once; it is never closed. Returns MASS_NO_DEVICE, with *out unchanged, if there is none or if it is
 * too old to be recorded. */
mass_status mass_nccl_open_library(const mass_nccl_library **out, mass_error *error);

#endif
