/* What opening and reading a checkpoint share: the file at hand, and how it is refused. */
#ifndef MASS_ENGINE_CHECKPOINT_READER_H
#define MASS_ENGINE_CHECKPOINT_READER_H

#include "io/checkpoint_format.h"

enum { MASS_READER_BOX_BYTES = 1 << 20 }; /* that data is read in, at most */

typedef struct mass_reader {
    mass_checkpoint *c;
    mass_error *error;
} mass_reader;

/* Refusals; all return false. What is damaged, in a few words; what HDF5 could not read, with its own
 * reason; memory that could not be had. */
bool mass_reader_damaged(mass_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mass_reader_unreadable(mass_reader *r, const char *what);
bool mass_reader_no_memory(mass_reader *r, size_t bytes);

/* ---- agents: where they stand, their order and their ids ---- */

/* The checks of one population, fed in order and in pieces of any size. */
typedef struct mass_agents_check {
    mass_reader *reader;
    uint32_t population;     /* of the checkpoint's model */
    const int64_t *next_ids; /* [worlds], borrowed */
    uint64_t agent;          /* how many were fed */
    int32_t world;           /* of the last one */
    int64_t place;
    uint64_t id, residents;  /* residents: of its place so far */
} mass_agents_check;

/* False, with the refusal said, if one of `count` agents breaks a rule. */
bool mass_agents_check_feed(mass_agents_check *k, size_t count, const uint64_t *id, const uint8_t *lost,
                            const int32_t *world, const int64_t *place);

/* Of a population in the file, in little memory. */
bool mass_agents_check_file(mass_reader *r, uint32_t population, const int64_t *next_ids);

#endif
