/* SPDX-License-Identifier: Apache-2.0 */
/* The short-message path between GPUs of one host, which write messages directly into each other's memory
 * (cuda/post.h). It needs fewer steps than NCCL. Two ranks use it if all their messages to each other are short, and
 * NCCL otherwise. Both see the same messages, so they decide alike. */
#ifndef MASS_ENGINE_NCCL_MAILBOXES_H
#define MASS_ENGINE_NCCL_MAILBOXES_H

#include "comm/nccl/peers.h"

/* All zeros initially. */
typedef struct mass_mailboxes {
    mass_peers peers;
    const uint32_t *ended;
    int32_t ranks, rank;
    char **at;         /* device memory: [ranks] addresses, then sequence numbers (mass_post); NULL: the path is not
                          available */
} mass_mailboxes;

/* Opens the path. All ranks call it, and all have it or none. Without it, `at` stays NULL and the status is MASS_OK.
 * Waits. */
mass_status mass_mailboxes_open(mass_mailboxes *, mass_cuda *, mass_comm *, mass_error *error);
/* Returns the bits of the ranks whose messages take this path, never this rank's own; 0 if it is not available. */
uint32_t mass_mailboxes_ranks(const mass_mailboxes *, const mass_message *sends, uint32_t send_count,
                         const mass_message *receives, uint32_t receive_count);
/* Queues the messages to and from `ranks`, bits as mass_mailboxes_ranks returns them. */
mass_status mass_mailboxes_exchange(const mass_mailboxes *, mass_cuda *, uint32_t ranks, const mass_message *sends,
                               uint32_t send_count, const mass_message *receives, uint32_t receive_count,
                               mass_error *error);
/* Closes the path. comm: as for mass_peers_close. */
void mass_mailboxes_close(mass_mailboxes *, mass_comm *comm);

#endif
