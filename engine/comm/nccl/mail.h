/* SPDX-License-Identifier: Apache-2.0 */
/* Short messages of an exchange between GPUs of one host, which write them into each other's memory (cuda/post.h): that
 * takes fewer steps than NCCL needs. Two ranks whose messages to each other are short exchange them so, and others by
 * NCCL; both see the same messages, and so come to the same. */
#ifndef MASS_ENGINE_NCCL_MAIL_H
#define MASS_ENGINE_NCCL_MAIL_H

#include "comm/nccl/peers.h"

/* All zeros in the beginning. */
typedef struct mass_mail {
    mass_peers peers;
    const uint32_t *ended;
    int32_t ranks, rank;
    char **at;         /* on the device: [ranks], and then numbers (mass_post); NULL: nobody reaches anybody */
} mass_mail;

/* All ranks call it, and all have it or none. Waits. */
mass_status mass_mail_open(mass_mail *, mass_cuda *, mass_comm *, mass_error *error);
/* Bits of the ranks whose messages go so; 0 where there is none. */
uint32_t mass_mail_ranks(const mass_mail *, const mass_message *sends, uint32_t send_count,
                         const mass_message *receives, uint32_t receive_count);
/* Queues the messages from and to these. */
mass_status mass_mail_exchange(const mass_mail *, mass_cuda *, uint32_t ranks, const mass_message *sends,
                               uint32_t send_count, const mass_message *receives, uint32_t receive_count,
                               mass_error *error);
/* comm: as for mass_peers_close. */
void mass_mail_close(mass_mail *, mass_comm *comm);

#endif
