/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints in parts: each rank writes its own places and agents to its own file, a part. A master file next to the
 * parts has all the rest. Other programs open the master as a whole, since its attributes are virtual data sets. This
 * program follows no links and reads parts as bytes:
 *
 *   ckpt-STEP.h5                 as in checkpoint.h, and
 *     /                          parts, a token; ranks; groups
 *     /places/SPACE/ATTRIBUTE, /agents/POPULATION/ATTRIBUTE
 *                                virtual data sets with two more attributes: offsets [ranks], where the values begin in
 *                                each part; part_hashes [ranks][2], the hash of each part's values, as of an attribute
 *     /parts/places.SPACE, /parts/agents.POPULATION
 *                                [groups * ranks]: numbers of elements that ranks hold, in canonical order. A group
 *                                is a world, or all worlds if each rank holds whole worlds
 *   ckpt-STEP.TOKEN-RANK.h5      the part of a rank: format "mass-engine part", parts, identity, and the rank's values
 *                                of each attribute as a contiguous data set [elements][length]
 *
 * Other programs may repack a master. It then is still virtual, or it has all values itself. They may also repack
 * parts. HDF5 then reads the values (parts_repacked.h).
 *
 * Parts are on disk under their names before the master gets its own. Each set of parts has a unique token, so that a
 * master never refers to a mixture of sets. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_PARTS_H
#define MASS_ENGINE_IO_CHECKPOINT_PARTS_H

#include "io/checkpoint/parts_write.h"
#include "io/checkpoint/reader.h"
#include "io/hdf5/writer.h"
#include "snapshot/snapshot.h"

enum { MASS_PARTS_MAX = 4000 }; /* most ranks: the data about all of them has to fit an object's header */

/* ---- writing ---- */

/* The data about parts on disk that the master stores. */
typedef struct mass_parts_written {
    const mass_domain *domain; /* its mass_chunks_counts give each rank's elements */
    const char *token;
    uint64_t step;
    const uint64_t *tables;        /* [ranks][attribute_count][MASS_PART_WORDS] */
    const uint8_t (*hashes)[16];   /* [attribute_count], of all ranks' values */
} mass_parts_written;

/* Write to the master: an attribute's virtual data set, which the caller closes; facts of the root; and the counts. */
hid_t mass_parts_put_set(mass_hdf5_writer *w, hid_t group, const mass_parts_written *p, const mass_snapshot *s,
                         uint32_t attribute);
void mass_parts_put_facts(mass_hdf5_writer *w, const mass_parts_written *p);
void mass_parts_put_counts(mass_hdf5_writer *w, const mass_parts_written *p, const mass_model *m);

/* Returns the prefix of an attribute's counts, as in "/parts/places.grid". */
static inline const char *mass_parts_kind(const mass_attribute_def *a)
{
    return a->population >= 0 ? "agents" : a->type == MASS_BIT ? "bits" : "places";
}

/* ---- reading ---- */

/* Read the master. mass_parts_open reads the facts of the root, and sets c->parts if it is a master. Then
 * mass_parts_open_set reads what an attribute's set says of the parts. mass_parts_open_counts comes last: it reads the
 * counts in /parts, and refuses an attribute without a set. mass_parts_close frees c->parts, if there are some. */
bool mass_parts_open(mass_reader *r);
bool mass_parts_open_counts(mass_reader *r);
bool mass_parts_open_set(mass_reader *r, hid_t set, uint32_t attribute);
void mass_parts_close(mass_checkpoint *c);
/* Call this if the first data set is not virtual. Returns true if another program has repacked the master with all
 * values. From then on it is read as a checkpoint without parts. False may come without an error. */
bool mass_parts_leave(mass_reader *r);

/* Returns the attribute of a path such as "/agents/ants/id"; -1 for others, and without parts. */
int mass_parts_find(const mass_reader *r, const char *path);
/* Reads `count` components of an attribute in canonical order, from number `first` on. */
bool mass_parts_read(mass_reader *r, uint32_t attribute, uint64_t first, uint64_t count, void *out);
/* Finds the part whose values are not those written, and refuses it. Returns false, without an error if there is
 * none. */
bool mass_parts_blame(mass_reader *r, uint32_t attribute);
/* Verifies the values of all attributes in the parts, and the agents' places, order and ids. Sets c->repacked if
 * another program has repacked parts. */
bool mass_parts_verify(mass_reader *r);

#endif
