/* SPDX-License-Identifier: Apache-2.0 */
#include "population/manage/manage_queued.h"

#include <stdlib.h>

/* What the exchanges of a queued manage need. */
typedef struct queue {
    mass_device *device;
    const mass_queued_operations *there;
    mass_link *link;
    int32_t ranks, rank;
    bool alone; /* the devices exchange without the link */
    mass_message *out, *in; /* [ranks] */
} queue;

enum { CLAIMS = -1, NEWS = -2 }; /* values of `round` for other exchanges than refusals */

/* Queues one exchange with all other ranks: a round of refusals, claims or status. Does nothing if the devices exchange
 * without the link. All ranks call it together. */
static mass_status exchange(const queue *q, int round, mass_error *error)
{
    uint32_t count = 0;
    if (q->alone) return MASS_OK;
    for (int32_t r = 0; r < q->ranks; r++) {
        if (r == q->rank) continue;
        mass_message *const out = &q->out[count], *const in = &q->in[count++];
        if (round == CLAIMS) q->there->claims(q->device, r, out, in);
        else if (round == NEWS) q->there->news(q->device, r, out, in);
        else q->there->refusals(q->device, r, (uint32_t)round, out, in);
    }
    return q->link->table->exchange(q->link, q->out, count, q->in, count, error);
}

/* Queues the claims, the decision on moves, and the rounds of refusals; without moves only the decision. A rank
 * alone takes one round. */
static mass_status move(const queue *q, mass_queued_shape shape, mass_error *error)
{
    mass_status status = shape.moves ? exchange(q, CLAIMS, error) : MASS_OK;
    if (status == MASS_OK) status = q->there->move(q->device, error);
    for (uint32_t k = 0; status == MASS_OK && shape.moves && k < (q->alone ? 1 : shape.rounds); k++) {
        status = exchange(q, (int)k, error);
        if (status == MASS_OK) status = q->there->refuse(q->device, k, error);
    }
    return status;
}

/* Queues all steps of a manage. */
static mass_status queue_all(const queue *q, const mass_manage_work *w, mass_queued_shape shape, bool *stopped,
                             mass_error *error)
{
    mass_status status = q->there->begin(q->device, w, shape.moves, shape.rounds, error);
    if (status == MASS_OK) status = move(q, shape, error);
    if (status == MASS_OK) status = q->there->conclude(q->device, error);
    if (status == MASS_OK) status = exchange(q, NEWS, error);
    return status == MASS_OK ? q->there->commit(q->device, stopped, error) : status;
}

/* Fills *q, with memory for messages from and to all ranks. The caller frees q->out, which includes q->in. */
static mass_status make(mass_device *device, mass_link *link, int32_t ranks, int32_t rank, queue *q, mass_error *error)
{
    mass_message *messages = malloc(2 * (size_t)ranks * sizeof *messages);
    if (!messages) return mass_error_memory(error, 2 * (size_t)ranks * sizeof *messages, "a manage");
    const mass_queued_operations *const there = device->table->agents->queued;
    *q = (queue){device, there, link, ranks, rank, there->alone && there->alone(device), messages, messages + ranks};
    return MASS_OK;
}

mass_status mass_manage_notify(mass_device *device, mass_comm *comm, mass_link *link, mass_error *error)
{
    const mass_queued_operations *const there = device->table->agents->queued;
    queue q = {0};
    bool alone = false;
    mass_status status = there->meet ? there->meet(device, comm, link, &alone, error) : MASS_OK;
    if (status != MASS_OK || alone) return status;
    status = make(device, link, comm->size, comm->rank, &q, error);
    if (status != MASS_OK) return status;
    status = exchange(&q, CLAIMS, error);
    free(q.out);
    return status;
}

mass_status mass_manage_queue(mass_device *device, mass_link *link, int32_t ranks, int32_t rank,
                              const mass_manage_work *w, mass_queued_shape shape, bool *stopped, mass_error *error)
{
    queue q = {0};
    mass_status status = make(device, link, ranks, rank, &q, error);
    if (status != MASS_OK) return status;
    status = queue_all(&q, w, shape, stopped, error);
    free(q.out);
    return status;
}
