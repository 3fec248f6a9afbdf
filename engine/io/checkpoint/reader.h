/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by opening and reading a checkpoint: its file, refusals, and reading data that may be hostile. Each function
 * here that returns false has set the error, unless its comment says otherwise. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_READER_H
#define MASS_ENGINE_IO_CHECKPOINT_READER_H

#include "io/checkpoint/layout.h"
#include "io/hdf5/open.h"
#include "snapshot/snapshot.h"

#include <hdf5.h>

enum {
    MASS_READER_BOX_BYTES = 1 << 20, /* most bytes of data read at once */
    MASS_READER_OBJECTS_MAX = 2 * MASS_CHECKPOINT_OBJECTS_MAX, /* most objects in a group */
    MASS_READER_MEMBERS_MAX = 1024   /* most members of a struct, and most choices of a parameter */
};

typedef struct mass_reader {
    mass_checkpoint *c;
    mass_error *error;
    uint32_t tally; /* the tally that is being opened */
    bool keeps;     /* keeps every world's values, which are else only checked */
} mass_reader;

/* Makes a checkpoint with nothing but the source, which it takes over, also on failure. NULL: out of memory. */
mass_checkpoint *mass_reader_begin(mass_hdf5_source *source, mass_error *error);

/* Open and verify a checkpoint, as mass_checkpoint_open and mass_checkpoint_verify do. The checkpoint then owns the
 * source, also on failure. keeps: see mass_reader; false only for verifying. */
mass_status mass_reader_open(mass_hdf5_source *source, bool keeps, mass_checkpoint **out, mass_error *error);
mass_status mass_reader_verify(mass_hdf5_source *source, mass_error *error);
extern const char mass_checkpoint_remedy[]; /* advice for a file that is not a checkpoint */

/* Refuse the checkpoint; all return false. The reasons are: damage, in a few words; HDF5 could not read `what`, with
 * its reason; memory is short (MASS_NO_DEVICE). */
bool mass_reader_damaged(mass_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mass_reader_unreadable(mass_reader *r, const char *what);
bool mass_reader_no_memory(mass_reader *r, size_t bytes);

/* Refuses the checkpoint since the model's own checks refuse a declaration. */
bool mass_reader_refused(mass_reader *r, const mass_error *why);

/* ---- HDF5 attributes ---- */

/* Reads one value (extent 0) or a row of them, which has to be stored in exactly this type. */
bool mass_reader_values(mass_reader *r, hid_t at, const char *name, hid_t type, hsize_t extent, void *out);

/* Reads one number. Refuses one greater than `most`. */
bool mass_reader_u64(mass_reader *r, hid_t at, const char *name, uint64_t most, uint64_t *out);

/* Reads a text of a fixed length of at most room - 1 bytes. */
bool mass_reader_text(mass_reader *r, hid_t at, const char *name, char *out, size_t room);

/* Reads a text of 32 hexadecimal digits. */
bool mass_reader_hash(mass_reader *r, hid_t at, const char *name, char hex[33]);

/* Keep an object's hash, and its place in the file, as entry `index` of a list. The list gets space for `count`
 * entries. */
bool mass_reader_keep_hash(mass_reader *r, hid_t at, uint8_t (**list)[16], size_t count, uint32_t index);
bool mass_reader_keep_place(mass_reader *r, hid_t at, mass_hdf5_place **list, size_t count, uint32_t index);
/* Set *out to true if there is a link, or an HDF5 attribute, of that name. Return false if that is unknown. */
bool mass_reader_has_link(mass_reader *r, hid_t at, const char *name, bool *out);
bool mass_reader_has_value(mass_reader *r, hid_t at, const char *name, bool *out);
/* Finds the index of a word in a list; false, without an error, if it is not in the list. */
bool mass_reader_find_word(const char *word, const char *const *list, uint32_t count, uint32_t *out);

/* ---- names: walk over the links of the group `name` in `at`, or over a group's HDF5 attributes, by name ---- */

/* Open a group or a data set by hard links only; negative, with the error set, on failure. The caller closes it. */
hid_t mass_reader_group(mass_reader *r, hid_t at, const char *path);
hid_t mass_reader_set(mass_reader *r, hid_t at, const char *path);

typedef bool mass_reader_visit(mass_reader *r, hid_t group, const char *name);
bool mass_reader_walk(mass_reader *r, hid_t at, const char *name, mass_reader_visit *each);
bool mass_reader_walk_attributes(mass_reader *r, hid_t group, mass_reader_visit *each);

/* ---- data sets: check their type, their extents, and that the file has all of their chunks ---- */

bool mass_reader_check_type(mass_reader *r, hid_t set, hid_t type, const char *name);
bool mass_reader_check_extents(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, const char *name);
bool mass_reader_check_layout(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, size_t component_size,
                              const char *name);

/* ---- read values of a data set of one or two axes in order ---- */

typedef struct mass_column {
    mass_reader *reader;
    hid_t set, type;
    int attribute;        /* the attribute, if its values are in parts; else -1 */
    char name[2 * MASS_NAME_SIZE + 32];
    int rank;
    size_t size;          /* bytes of a value */
    uint64_t count, each; /* all values, and values in a row of the second axis */
    uint8_t *buffer;      /* owned: `held` values from `first` on */
    uint64_t first, held;
} mass_column;

/* Opens a data set as a column. type: of its values in memory; borrowed until the end. The set's own type is not
 * compared with it. The caller ends the column with mass_column_end, also on failure. */
bool mass_column_begin(mass_reader *r, hid_t at, const char *path, hid_t type, mass_column *out);
void mass_column_end(mass_column *c); /* all zero is allowed */
/* Reads `count` values from number `first` on; refuses those beyond the end. Short reads come from a buffer, so that
 * reading one value after another is quick. */
bool mass_column_read(mass_column *c, uint64_t first, uint64_t count, void *out);

/* ---- parameters: read into the checkpoint's model ---- */

bool mass_reader_parameters(mass_reader *r);

/* ---- the stop condition: read into the checkpoint's `until` ---- */

bool mass_reader_until(mass_reader *r);

/* ---- tallies: read into the checkpoint's model, after its populations ---- */

bool mass_reader_open_tallies(mass_reader *r);

/* ---- counts by key: of a tally of the checkpoint's model, whose group was opened ---- */

/* Checks the form of the data set `part` of r->tally. Refuses a part that such a tally does not have. */
bool mass_reader_check_keys(mass_reader *r, hid_t group, const char *part);
/* Returns true if the tally's group has all data sets of counts by key. Sets no error. */
bool mass_reader_keys_whole(hid_t group, const mass_tally_def *t);
/* Reads and checks the lists of all worlds, which the caller frees, also on failure; they start as all zero. NULL: only
 * checks them, in little memory. Their hash is not compared. */
bool mass_reader_read_keys(mass_reader *r, const mass_tally_def *t, mass_key_list *lists);
/* Computes the lists' hash, as state_hash.h defines it, in little memory. */
bool mass_reader_hash_keys(mass_reader *r, const mass_tally_def *t, uint8_t hash[16]);

/* ---- the files that the run was started with: read into the checkpoint's inputs ---- */

bool mass_reader_inputs(mass_reader *r);

/* ---- what users drew: read into the checkpoint's events ---- */

bool mass_reader_events(mass_reader *r);

/* ---- the names of networks' nodes, which are checked and not kept; after the spaces ---- */

bool mass_reader_networks(mass_reader *r);

/* ---- values of an attribute of the checkpoint's model ---- */

/* Reads all values in order, in chunks, and compares their hash at the end. seen, if not NULL, gets each chunk of
 * `components`; it returns false to refuse, with the error set. */
typedef bool mass_reader_values_seen(void *context, const void *values, uint64_t components);
bool mass_reader_stream(mass_reader *r, uint32_t attribute, mass_reader_values_seen *seen, void *context);

/* ---- into a snapshot: parts of mass_checkpoint_read and mass_checkpoint_restore ---- */

/* MASS_BAD_INPUT if the model, the worlds or the numbers of agents of a snapshot do not fit the checkpoint. */
mass_status mass_reader_check_snapshot(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error);
/* Reads and checks all tallies, into s->tallies and s->keys. */
bool mass_reader_tallies(mass_reader *r, mass_snapshot *s);
/* Comes last: checks the state hash, and sets s->step, s->seed and s->first_world. */
bool mass_reader_end_snapshot(mass_reader *r, mass_snapshot *s);

/* ---- values of a checkpoint that was read: checks against the model ---- */

/* MASS_BAD_INPUT, with the first value out of range, if a value is outside its range. */
mass_status mass_checkpoint_check_ranges(const mass_checkpoint *c, const mass_snapshot *s, mass_error *error);

/* A value, at `at`, outside the range that the model declares: component number `index` of an attribute of the model.
 * For an agent, also its world and id. */
typedef struct mass_stray_value {
    uint32_t attribute;
    uint64_t index;
    const void *at;
    int32_t world;
    uint64_t id;
} mass_stray_value;

/* Sets the error about such a value: MASS_BAD_INPUT. */
mass_status mass_checkpoint_refuse_value(const mass_checkpoint *c, const mass_model *m, const mass_stray_value *v,
                                         mass_error *error);

/* ---- agents: checks of their places, their order and their ids ---- */

/* Ids of one world's agents: in memory, or in a column from `first` on. */
typedef struct mass_ids {
    const uint64_t *memory; /* [count], or NULL */
    mass_column *column;
    uint64_t first, count, bound; /* bound: all ids are below it */
} mass_ids;

/* Finds an id that occurs twice. *twin is valid only if *found. Returns false if that is unknown. */
bool mass_ids_find_twin(mass_reader *r, const mass_ids *ids, bool *found, uint64_t *twin);

/* The columns of a population that are in memory, and its next ids by world. All NULL: they are read from the file, in
 * little memory. */
typedef struct mass_agents_columns {
    const uint64_t *id;
    const uint8_t *lost;
    const int32_t *world;
    const int64_t *place;
    const int64_t *next_id;
} mass_agents_columns;

/* Returns false if an agent of this population of the checkpoint's model breaks a rule, or cannot be read. */
bool mass_reader_check_agents(mass_reader *r, uint32_t population, const mass_agents_columns *columns);

#endif
