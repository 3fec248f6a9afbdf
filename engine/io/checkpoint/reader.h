/* SPDX-License-Identifier: Apache-2.0 */
/* What opening and reading a checkpoint share: the file at hand, how it is refused, and reading what it may not
 * be trusted with. Everything here that returns false has said why. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_READER_H
#define MASS_ENGINE_IO_CHECKPOINT_READER_H

#include "io/checkpoint/layout.h"
#include "io/hdf5/open.h"
#include "snapshot/snapshot.h"

#include <hdf5.h>

enum {
    MASS_READER_BOX_BYTES = 1 << 20, /* that data is read in, at most */
    MASS_READER_OBJECTS_MAX = 2 * MASS_CHECKPOINT_OBJECTS_MAX, /* in a group */
    MASS_READER_MEMBERS_MAX = 1024   /* of a struct, or choices of a parameter */
};

typedef struct mass_reader {
    mass_checkpoint *c;
    mass_error *error;
    uint32_t tally; /* that is being opened */
    bool keeps;     /* what there is of every world, which else is only checked */
} mass_reader;

/* A checkpoint without anything but the source, which becomes its, on failure too: NULL, and there is no memory. */
mass_checkpoint *mass_reader_begin(mass_hdf5_source *source, mass_error *error);

/* mass_checkpoint_open and mass_checkpoint_verify of a source, which becomes the checkpoint's, on failure too. keeps:
 * see mass_reader; one that does not is for verifying. */
mass_status mass_reader_open(mass_hdf5_source *source, bool keeps, mass_checkpoint **out, mass_error *error);
mass_status mass_reader_verify(mass_hdf5_source *source, mass_error *error);
extern const char mass_checkpoint_remedy[]; /* for what is none */

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
/* Keep the hash of an object, and where it is in the file, as entry `index` of a list that gets `count` entries. */
bool mass_reader_keep_hash(mass_reader *r, hid_t at, uint8_t (**list)[16], size_t count, uint32_t index);
bool mass_reader_keep_place(mass_reader *r, hid_t at, mass_hdf5_place **list, size_t count, uint32_t index);
/* Whether there is a link, or an HDF5 attribute, of a name. False, with the refusal said, if that cannot be found
 * out. */
bool mass_reader_has_link(mass_reader *r, hid_t at, const char *name, bool *out);
bool mass_reader_has_value(mass_reader *r, hid_t at, const char *name, bool *out);
/* The place of a word in a list; false, without a refusal, if it is not there. */
bool mass_reader_find_word(const char *word, const char *const *list, uint32_t count, uint32_t *out);

/* ---- names: every link of a group in `at`, or every HDF5 attribute of a group, in the order of their names ---- */

/* A group or a data set, by hard links; negative, with the refusal said. */
hid_t mass_reader_group(mass_reader *r, hid_t at, const char *path);
hid_t mass_reader_set(mass_reader *r, hid_t at, const char *path);

typedef bool mass_reader_visit(mass_reader *r, hid_t group, const char *name);
bool mass_reader_walk(mass_reader *r, hid_t at, const char *name, mass_reader_visit *each);
bool mass_reader_walk_attributes(mass_reader *r, hid_t group, mass_reader_visit *each);

/* ---- data sets: their type, their extents, and that all of their chunks are in the file ---- */

bool mass_reader_check_type(mass_reader *r, hid_t set, hid_t type, const char *name);
bool mass_reader_check_extents(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, const char *name);
bool mass_reader_check_layout(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, size_t component_size,
                              const char *name);

/* ---- values of a data set of one or two axes, in order ---- */

typedef struct mass_column {
    mass_reader *reader;
    hid_t set, type;
    int attribute;        /* whose values are in parts, or -1 */
    char name[2 * MASS_NAME_SIZE + 32];
    int rank;
    size_t size;          /* bytes of a value */
    uint64_t count, each; /* values in all, and in a row of the second axis */
    uint8_t *buffer;      /* owned: values from `first` on, `held` of them */
    uint64_t first, held;
} mass_column;

/* Opens one. The caller ends it, also on failure. */
bool mass_column_begin(mass_reader *r, hid_t at, const char *path, hid_t type, mass_column *out);
void mass_column_end(mass_column *c); /* all zero is fine */
/* Few at once come from a buffer, so that reading one after another is quick. */
bool mass_column_read(mass_column *c, uint64_t first, uint64_t count, void *out);

/* ---- parameters: into the checkpoint's model ---- */

bool mass_reader_parameters(mass_reader *r);

/* ---- the stop condition: into the checkpoint's until ---- */

bool mass_reader_until(mass_reader *r);

/* ---- tallies: into the checkpoint's model, after its populations ---- */

bool mass_reader_open_tallies(mass_reader *r);

/* ---- counts by key: of a tally of the checkpoint's model, whose group was opened ---- */

bool mass_reader_check_keys(mass_reader *r, hid_t group, const char *part);
bool mass_reader_keys_whole(hid_t group, const mass_tally_def *t);
/* The lists of all worlds, which are checked; the caller's to be freed, also on failure. NULL: checks them in little
 * memory. */
bool mass_reader_read_keys(mass_reader *r, const mass_tally_def *t, mass_key_list *lists);
/* Their hash, as state_hash.h has it, in little memory. */
bool mass_reader_hash_keys(mass_reader *r, const mass_tally_def *t, uint8_t hash[16]);

/* ---- the files it was started with: into the checkpoint's inputs ---- */

bool mass_reader_inputs(mass_reader *r);

/* ---- what somebody drew: into the checkpoint's events ---- */

bool mass_reader_events(mass_reader *r);

/* ---- values of an attribute of the checkpoint's model ---- */

/* Reads all of them in order, some at once, and holds them against their hash. seen, if not NULL, gets `components`
 * after each other, and returns false if it has refused. */
typedef bool mass_reader_values_seen(void *context, const void *values, uint64_t components);
bool mass_reader_stream(mass_reader *r, uint32_t attribute, mass_reader_values_seen *seen, void *context);

/* ---- into a snapshot: parts of mass_checkpoint_read and _restore ---- */

mass_status mass_reader_check_snapshot(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error);
bool mass_reader_tallies(mass_reader *r, mass_snapshot *s);
/* After all else: its state_hash, and what is no attribute or tally. */
bool mass_reader_end_snapshot(mass_reader *r, mass_snapshot *s);

/* ---- values, of a checkpoint that was read: whether they are the model's ---- */

mass_status mass_checkpoint_check_ranges(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error);

/* A value outside of the range that the model declares: component number `index` of an attribute of the model, of an
 * agent with that world and id. */
typedef struct mass_stray_value {
    uint32_t attribute;
    uint64_t index;
    const void *at;
    int32_t world;
    uint64_t id;
} mass_stray_value;

mass_status mass_checkpoint_refuse_value(const mass_checkpoint *c, const mass_model *m, const mass_stray_value *v,
                                         mass_error *error);

/* ---- agents: where they stand, their order and their ids ---- */

/* Ids of one world's agents: in memory, or in a column from `first` on. */
typedef struct mass_ids {
    const uint64_t *memory; /* [count], or NULL */
    mass_column *column;
    uint64_t first, count, bound; /* bound: that all are below */
} mass_ids;

/* Whether two are the same, and which. False, with the refusal said, if that cannot be found out. */
bool mass_ids_find_twin(mass_reader *r, const mass_ids *ids, bool *found, uint64_t *twin);

/* The columns of a population that are in memory, and its next ids by world; all NULL: they are read from the file, in
 * little memory. */
typedef struct mass_agents_columns {
    const uint64_t *id;
    const uint8_t *lost;
    const int32_t *world;
    const int64_t *place;
    const int64_t *next_id;
} mass_agents_columns;

/* False, with the refusal said, if an agent breaks a rule. */
bool mass_reader_check_agents(mass_reader *r, uint32_t population, const mass_agents_columns *columns);

#endif
