/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of GPUs of one host that all of them write to, by CUDA's handles for other processes (link.h, share). Not
 * every host and container lets processes do that: it is tried, with a byte of each rank in the memory of
 * each other. */
#ifndef MASS_ENGINE_NCCL_PEERS_H
#define MASS_ENGINE_NCCL_PEERS_H

#include "device/cuda/cuda.h"

/* All zeros in the beginning. */
typedef struct mass_peers {
    char *own;   /* this rank's piece, and its length, which all ranks' have; NULL: there is none */
    size_t bytes;
    char **at;   /* [ranks] */
    uint32_t *ended; /* in the host's memory, for the GPU, too */
    bool refused;    /* it was tried, and cannot be */
} mass_peers;

/* As share in link.h: where it cannot be, *out is all zeros. */
mass_status mass_peers_share(mass_peers *, mass_cuda *, mass_comm *, size_t bytes, mass_shared *out, mass_error *error);
/* Nothing comes any more: what waits on the GPU goes on. */
void mass_peers_end(mass_peers *);
/* comm: that of all ranks, which call it, too; NULL: others may be gone, and what they may write to stays. */
void mass_peers_close(mass_peers *, mass_comm *comm);

#endif
