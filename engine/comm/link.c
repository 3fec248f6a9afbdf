/* SPDX-License-Identifier: Apache-2.0 */
/* How ranks agree on a link: each describes what it has, all decide alike, and in the end all have the link or none. */
#include "comm/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rank 0's key, or why there is none, for all ranks. */
typedef struct offer {
    mass_link_key key;
    char lacks[240];
} offer;

/* Reports what a rank lacks, with the same text on all ranks. */
static mass_status refuse(const mass_link_card *cards, int32_t rank, const char *lacks, mass_error *error)
{
    return mass_error_set(error, MASS_NO_DEVICE, "the ranks' GPUs cannot be linked: rank %d on %s: %s", (int)rank,
                          cards[rank].host, lacks);
}

/* Reports that two ranks have different versions of the library, or share a device. */
static mass_status refuse_pair(const mass_link_card *cards, int32_t a, int32_t b, mass_error *error)
{
    if (cards[a].version != cards[b].version)
        return mass_error_set(error, MASS_NO_DEVICE, "the ranks' GPUs cannot be linked: rank %d on %s has version %d "
                              "of the library for it, and rank %d on %s version %d", (int)a, cards[a].host,
                              (int)cards[a].version, (int)b, cards[b].host, (int)cards[b].version);
    return mass_error_set(error, MASS_NO_DEVICE, "the ranks' GPUs cannot be linked: ranks %d and %d share %s on %s",
                          (int)a, (int)b, cards[b].device, cards[b].host);
}

/* Returns whether two ranks use the same device. */
static bool share_device(const mass_link_card *a, const mass_link_card *b)
{
    return memcmp(a->id, b->id, sizeof a->id) == 0;
}

/* Checks that all ranks can take part: each has its own device and the same version of the library. */
static mass_status check(const mass_link_card *cards, int32_t size, mass_error *error)
{
    for (int32_t i = 0; i < size; i++)
        if (cards[i].lacks[0]) return refuse(cards, i, cards[i].lacks, error);
    for (int32_t i = 0; i < size; i++) {
        if (cards[i].version != cards[0].version) return refuse_pair(cards, 0, i, error);
        for (int32_t k = 0; k < i; k++)
            if (share_device(&cards[k], &cards[i])) return refuse_pair(cards, k, i, error);
    }
    return MASS_OK;
}

/* Returns whether ranks should be linked, as far as their cards tell: not if a device has none or is shared, or all
 * lack something. */
static bool expect_link(const mass_link_card *cards, int32_t size)
{
    int32_t lacking = 0;
    for (int32_t i = 0; i < size; i++) {
        if (cards[i].linkless) return false;
        lacking += cards[i].lacks[0] != '\0';
        for (int32_t k = 0; k < i; k++)
            if (!cards[k].lacks[0] && !cards[i].lacks[0] && share_device(&cards[k], &cards[i])) return false;
    }
    return lacking < size;
}

/* Makes a key on rank 0 and sends it to all ranks, or the reason why there is none. All ranks then fail. */
static mass_status share_key(mass_device *device, const mass_link_table *table, mass_comm *comm,
                             const mass_link_card *cards, mass_link_key *out, mass_error *error)
{
    offer o = {0};
    mass_error own = {0};
    if (comm->rank == 0 && table->make_key(device, &o.key, &own) != MASS_OK)
        snprintf(o.lacks, sizeof o.lacks, "%.*s", (int)sizeof o.lacks - 1, own.text);
    const mass_status status = comm->table->broadcast(comm, &o, sizeof o, error);
    if (status != MASS_OK) return status;
    if (o.lacks[0]) return refuse(cards, 0, o.lacks, error);
    *out = o.key;
    return MASS_OK;
}

/* Makes a failure of one rank the failure of all, with the same text. Replaces all cards by what the ranks send. own,
 * why: this rank's status and error. */
static mass_status agree(mass_comm *comm, mass_status own, const mass_error *why, mass_link_card *cards,
                         mass_error *error)
{
    mass_link_card mine = cards[comm->rank];
    if (own != MASS_OK) snprintf(mine.lacks, sizeof mine.lacks, "%.*s", (int)sizeof mine.lacks - 1, why->text);
    const mass_status status = comm->table->all_gather(comm, &mine, sizeof mine, cards, error);
    return status == MASS_OK ? check(cards, comm->size, error) : status;
}

/* Makes the link on all ranks, or on none: closes this rank's, as failed, if any rank fails. */
static mass_status join(mass_device *device, const mass_link_table *table, mass_comm *comm, const mass_link_key *key,
                        double limit, mass_link_card *cards, mass_link **out, mass_error *error)
{
    mass_error own = {0};
    mass_link *link = NULL;
    mass_status status = agree(comm, table->join(device, comm, key, limit, &link, &own), &own, cards, error);
    if (status == MASS_OK && table->ready) status = agree(comm, table->ready(link, comm, &own), &own, cards, error);
    if (status == MASS_OK) *out = link;
    if (status == MASS_OK || !link) return status;
    link->failed = true;
    table->close(link);
    return status;
}

mass_status mass_link_open(mass_device *device, const mass_link_table *table, mass_comm *comm, double limit,
                           mass_link **out, bool *odd, mass_error *error)
{
    const size_t bytes = (size_t)comm->size * sizeof(mass_link_card);
    mass_link_card mine = {.lacks = "its device has no link to others", .linkless = !table};
    mass_link_key key;
    mass_link_card *cards = calloc(1, bytes);
    if (!cards) return mass_error_memory(error, bytes, "a link of ranks");
    if (table) {
        mine.lacks[0] = '\0';
        table->describe(device, &mine);
    }
    snprintf(mine.host, sizeof mine.host, "%s", comm->host);
    mass_status status = comm->table->all_gather(comm, &mine, sizeof mine, cards, error);
    if (odd) *odd = status == MASS_OK && expect_link(cards, comm->size);
    if (status == MASS_OK) status = check(cards, comm->size, error);
    if (status == MASS_OK) status = share_key(device, table, comm, cards, &key, error);
    if (status == MASS_OK) status = join(device, table, comm, &key, limit, cards, out, error);
    free(cards);
    return status;
}
