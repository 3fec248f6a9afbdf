/* SPDX-License-Identifier: Apache-2.0 */
/* NCCL's library, which is opened when a link is asked for, so that a machine without it runs all the rest. */
#ifndef MASS_ENGINE_NCCL_LIBRARY_H
#define MASS_ENGINE_NCCL_LIBRARY_H

#include "base/error.h"

#include <nccl.h>

/* The functions that are called, under their own names less `nccl`. */
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
    const char *(*GetLastError)(ncclComm_t); /* NULL: an older version has none */
    int version;                             /* as NCCL counts: 22809 is 2.28.9 */
} mass_nccl_library;

/* Opened once and never closed. MASS_NO_DEVICE, with *out untouched, where there is none, or one whose messages cannot
 * be kept in a recording. */
mass_status mass_nccl_open_library(const mass_nccl_library **out, mass_error *error);

#endif
