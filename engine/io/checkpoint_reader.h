/* What opening and reading a checkpoint share: the file at hand, how it is refused, and reading what it may not
 * be trusted with. Everything here that returns false has said why. */
#ifndef MASS_ENGINE_CHECKPOINT_READER_H
#define MASS_ENGINE_CHECKPOINT_READER_H

#include "io/checkpoint_format.h"

#include <hdf5.h>

enum {
    MASS_READER_BOX_BYTES = 1 << 20, /* that data is read in, at most */
    MASS_READER_OBJECTS_MAX = 4096,  /* in a group */
    MASS_READER_MEMBERS_MAX = 1024   /* of a struct, or choices of a parameter */
};

typedef struct mass_reader {
    mass_checkpoint *c;
    mass_error *error;
    uint32_t tally; /* that is being opened */
} mass_reader;

/* Refusals; all return false. What is damaged, in a few words; what HDF5 could not read, with its own
 * reason; memory that could not be had. */
bool mass_reader_damaged(mass_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mass_reader_unreadable(mass_reader *r, const char *what);
bool mass_reader_no_memory(mass_reader *r, size_t bytes);
/* A declaration that the model's own checks refuse. */
bool mass_reader_refused(mass_reader *r, const mass_error *why);

/* ---- HDF5 attributes ---- */

/* One value (extent 0) or a row of them, stored in exactly this type. */
bool mass_reader_values(mass_reader *r, hid_t at, const char *name, hid_t type, hsize_t extent, void *out);
bool mass_reader_u64(mass_reader *r, hid_t at, const char *name, uint64_t most, uint64_t *out);
/* A text of a fixed length of at most room - 1 bytes. */
bool mass_reader_text(mass_reader *r, hid_t at, const char *name, char *out, size_t room);
bool mass_reader_hash(mass_reader *r, hid_t at, const char *name, char hex[33]);
/* The place of a word in a list; false, without a refusal, if it is not there. */
bool mass_reader_find_word(const char *word, const char *const *list, uint32_t count, uint32_t *out);

/* ---- names: every link of a group in `at`, or every HDF5 attribute of a group, in the order of their names ---- */

typedef bool mass_reader_visit(mass_reader *r, hid_t group, const char *name);
bool mass_reader_walk(mass_reader *r, hid_t at, const char *name, mass_reader_visit *each);
bool mass_reader_walk_attributes(mass_reader *r, hid_t group, mass_reader_visit *each);

/* ---- data sets: their type, their extents, and that all of their chunks are in the file ---- */

bool mass_reader_check_type(mass_reader *r, hid_t set, hid_t type, const char *name);
bool mass_reader_check_extents(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, const char *name);
bool mass_reader_check_layout(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, size_t component_size,
                              const char *name);

/* ---- parameters: into the checkpoint's model ---- */

bool mass_reader_parameters(mass_reader *r);

/* ---- the stop condition: into the checkpoint's until ---- */

bool mass_reader_until(mass_reader *r);

/* ---- counts by key: of a tally of the checkpoint's model, whose group was opened ---- */

bool mass_reader_check_keys(mass_reader *r, hid_t group, const char *part);
bool mass_reader_keys_whole(hid_t group, const mass_tally_def *t);
/* The lists of all worlds, which are checked; the caller's to be freed, also on failure. */
bool mass_reader_read_keys(mass_reader *r, const mass_tally_def *t, mass_key_list *lists);

/* ---- the files it was started with: into the checkpoint's inputs ---- */

bool mass_reader_inputs(mass_reader *r);

/* ---- values, of a checkpoint that was read: whether they are the model's ---- */

mass_status mass_checkpoint_check_ranges(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error);

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
