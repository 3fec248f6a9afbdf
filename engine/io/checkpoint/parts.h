/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints in parts: each rank writes what it holds of places and agents to a file of its own, and a master beside
 * these parts has all the rest. Other programs open the master as a whole: its attributes are virtual data sets. This
 * one follows no links, and reads parts as bytes:
 *
 *   ckpt-STEP.h5                 as ever (checkpoint.h), and
 *     /                          parts, a token; ranks; groups
 *     /places/SPACE/ATTRIBUTE, /agents/POPULATION/ATTRIBUTE
 *                                virtual: beside what it has otherwise, offsets [ranks], where its values begin in each
 *                                part, and part_hashes [ranks][2], XXH3-128 of each part's as of an attribute's
 *     /parts/places.SPACE, /parts/agents.POPULATION
 *                                [groups * ranks]: how many elements ranks hold, one behind the other in canonical
 *                                order. A group is a world, or all worlds where ranks hold whole ones
 *   ckpt-STEP.TOKEN-RANK.h5      the part of a rank: format "mass-engine part", parts, identity, and each attribute's
 *                                values that it holds as a contiguous data set [elements][length]
 *
 * Other programs may repack a master, and then it is still virtual or has all values, and parts. Of these, values are
 * then read by HDF5 (parts_repacked.h).
 *
 * Parts are on disk under their names before the master has its own. A set of parts has a token that no other has, so
 * that a master is never replaced piecewise. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_PARTS_H
#define MASS_ENGINE_IO_CHECKPOINT_PARTS_H

#include "io/checkpoint/parts_write.h"
#include "io/checkpoint/reader.h"
#include "io/hdf5/writer.h"
#include "snapshot/snapshot.h"

enum { MASS_PARTS_MAX = 4000 }; /* ranks: what is said of each has to fit the header of an object */

/* ---- writing ---- */

/* What the master says of parts that are on disk. */
typedef struct mass_parts_written {
    const mass_domain *domain; /* of which pieces tell who holds what */
    const char *token;
    uint64_t step;
    const uint64_t *tables;        /* [ranks][attribute_count][MASS_PART_WORDS] */
    const uint8_t (*hashes)[16];   /* [attribute_count] of all values */
} mass_parts_written;

/* Parts of the master that is being written: an attribute, which the caller closes; facts; and who holds what. */
hid_t mass_parts_put_set(mass_hdf5_writer *w, hid_t group, const mass_parts_written *p, const mass_snapshot *s,
                         uint32_t attribute);
void mass_parts_put_facts(mass_hdf5_writer *w, const mass_parts_written *p);
void mass_parts_put_counts(mass_hdf5_writer *w, const mass_parts_written *p, const mass_model *m);

/* What the counts of an attribute's owner are called in "/parts/places.grid". */
static inline const char *mass_parts_kind(const mass_attribute_def *a)
{
    return a->population >= 0 ? "agents" : a->type == MASS_BIT ? "bits" : "places";
}

/* ---- reading ---- */

/* Facts of the root, if it is a master; later the counts of the /parts group; and what an attribute's set says. */
bool mass_parts_open(mass_reader *r);
bool mass_parts_open_counts(mass_reader *r);
bool mass_parts_open_set(mass_reader *r, hid_t set, uint32_t attribute);
void mass_parts_close(mass_checkpoint *c);
/* After the first set has turned out not to be virtual: whether another program has repacked the master so that it has
 * all values itself. Then the checkpoint is in parts no more. */
bool mass_parts_leave(mass_reader *r);

/* The attribute of a path like "/agents/ants/id", or -1. */
int mass_parts_find(const mass_reader *r, const char *path);
/* `count` components of an attribute, from number `first` on, in canonical order. */
bool mass_parts_read(mass_reader *r, uint32_t attribute, uint64_t first, uint64_t count, void *out);
/* After values turned out not to be those written: which part it is. False. */
bool mass_parts_blame(mass_reader *r, uint32_t attribute);
/* All that verifying has to look at in the parts. */
bool mass_parts_verify(mass_reader *r);

#endif
