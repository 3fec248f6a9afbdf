/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of GPUs of one host that all of them write to, shared by CUDA's IPC handles (link.h, share). Not every host or
 * container permits that, so it is tried: each rank writes a byte to the memory of every other. */
#ifndef MASS_ENGINE_NCCL_PEERS_H
#define MASS_ENGINE_NCCL_PEERS_H

#include "device/cuda/cuda.h"

/* All zeros initially. */
typedef struct mass_peers {
    char *own;   /* this rank's buffer, of the same length on all ranks; NULL: none */
    size_t bytes;
    char **at;   /* [ranks] */
    uint32_t *ended; /* mapped host memory, which the GPU reads */
    bool refused;    /* it was tried, and failed */
} mass_peers;

/* Implements share of link.h. If memory cannot be shared, *out is all zeros, and later calls do not try again. */
mass_status mass_peers_share(mass_peers *, mass_cuda *, mass_comm *, size_t bytes, mass_shared *out, mass_error *error);
/* Tells waiting kernels that nothing more will come, so that they end. */
void mass_peers_end(mass_peers *);
/* Closes the mapping and frees the memory. comm: the communicator, whose ranks all call this; NULL: other ranks may be
 * gone, and the memory that they may still write to is kept. */
void mass_peers_close(mass_peers *, mass_comm *comm);

#endif
