/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/nccl/mailboxes.h"
#include "cuda/post.h"

enum { ALIGNMENT = 16 };

/* Returns the bytes of the addresses, one for each rank. */
static size_t bytes_of_pieces(const mass_mailboxes *m) { return (size_t)m->ranks * sizeof *m->at; }

/* Returns the bytes of the counters of exchanges: one for each rank and block (kernels/cuda/post.h). */
static size_t bytes_of_numbers(const mass_mailboxes *m)
{
    return (size_t)m->ranks * MASS_POST_BLOCKS * sizeof(uint32_t);
}

mass_status mass_mailboxes_open(mass_mailboxes *m, mass_cuda *cuda, mass_comm *comm, mass_error *error)
{
    mass_shared shared;
    if (comm->size > MASS_POST_RANKS_MOST) return MASS_OK;
    m->ranks = comm->size, m->rank = comm->rank;
    mass_status status = mass_peers_share(&m->peers, cuda, comm, mass_cuda_post_bytes(comm->size), &shared, error);
    if (status != MASS_OK || !shared.at) return status;
    TRY(cudaMalloc((void **)&m->at, bytes_of_pieces(m) + bytes_of_numbers(m)), "a link of GPUs");
    TRY(cudaMemcpyAsync(m->at, shared.at, bytes_of_pieces(m), cudaMemcpyHostToDevice, cuda->stream), "a link of GPUs");
    TRY(cudaMemsetAsync(m->at + m->ranks, 0, bytes_of_numbers(m), cuda->stream), "a link of GPUs");
    m->ended = shared.ended;
    return mass_cuda_wait(cuda, NULL, error);
}

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Returns the bits of this rank and of the ranks whose messages are too long. Adds to *all the bits of all ranks with
 * messages. */
static uint32_t find_long(const mass_mailboxes *m, const mass_message *messages, uint32_t count, uint32_t *all)
{
    size_t bytes[MASS_POST_RANKS_MOST] = {0};
    uint32_t found = 1u << m->rank;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t r = messages[i].rank;
        bytes[r] += aligned(messages[i].bytes);
        if (messages[i].bytes) *all |= 1u << r;
        if (messages[i].bytes > MASS_POST_LETTER_MOST || bytes[r] > MASS_POST_BOX) found |= 1u << r;
    }
    return found;
}

uint32_t mass_mailboxes_ranks(const mass_mailboxes *m, const mass_message *sends, uint32_t send_count,
                         const mass_message *receives, uint32_t receive_count)
{
    uint32_t all = 0;
    if (!m->at) return 0;
    const uint32_t too_long = find_long(m, sends, send_count, &all) | find_long(m, receives, receive_count, &all);
    return all & ~too_long;
}

/* A list of messages, of which each launch takes as many as it has space for, from `next` on. */
typedef struct pile {
    const mass_message *messages;
    uint32_t count, next, ranks;
    size_t used[MASS_POST_RANKS_MOST];
} pile;

/* Takes the next messages of a list for the short path, as many as one launch carries, and assigns their space. Moves
 * p->next past them. Returns how many. */
static uint32_t take(pile *p, mass_post_letter short_messages[MASS_POST_LETTERS_MOST])
{
    uint32_t count = 0;
    for (; p->next < p->count && count < MASS_POST_LETTERS_MOST; p->next++) {
        const mass_message *const m = &p->messages[p->next];
        if (m->bytes == 0 || !(p->ranks >> m->rank & 1)) continue;
        short_messages[count++] = (mass_post_letter){m->data, (uint32_t)m->bytes, (uint32_t)p->used[m->rank], m->rank};
        p->used[m->rank] += aligned(m->bytes);
    }
    return count;
}

mass_status mass_mailboxes_exchange(const mass_mailboxes *m, mass_cuda *cuda, uint32_t ranks, const mass_message *sends,
                               uint32_t send_count, const mass_message *receives, uint32_t receive_count,
                               mass_error *error)
{
    pile out = {.messages = sends, .count = send_count, .ranks = ranks};
    pile in = {.messages = receives, .count = receive_count, .ranks = ranks};
    mass_post p = {.ranks = m->ranks, .rank = m->rank, .at = m->at, .numbers = (uint32_t *)(m->at + m->ranks),
                   .ended = m->ended, .ahead = 1};
    for (bool told = false; !told || in.next < in.count;) {
        p.sends = take(&out, p.send);
        p.with = !told && out.next == out.count ? ranks : 0;
        p.ahead = !told;
        told |= p.with != 0;
        p.receives = told ? take(&in, p.receive) : 0;
        TRY(mass_cuda_post(cuda->stream, &p, cuda->overlaps && !cuda->follows_others), "a message cannot be sent");
        cuda->follows_others = false;
    }
    return MASS_OK;
}

void mass_mailboxes_close(mass_mailboxes *m, mass_comm *comm)
{
    mass_peers_close(&m->peers, comm);
    if (comm) cudaFree(m->at);
}
