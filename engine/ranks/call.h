/* SPDX-License-Identifier: Apache-2.0 */
/* ranks/ has calls and transfers between the ranks of a run.
 *
 * Remote calls, which ranks use to do together what concerns the whole run. Rank 0 executes the run. If a function of
 * its domain, populations or stepper needs the other ranks, it first sends them a call: a number and arguments. They
 * wait for it in mass_serve (run/serve.h), call the same function and do their part. At its end all ranks agree on
 * whether it failed anywhere. With one rank these functions do nothing. Main thread. */
#ifndef MASS_ENGINE_CALL_H
#define MASS_ENGINE_CALL_H

#include "comm/comm.h"
#include "model/model.h"

typedef enum mass_call {
    MASS_CALL_END,           /* no call follows; no arguments */
    MASS_CALL_MOVE,          /* mass_domain_move: mass_call_box */
    MASS_CALL_TALLIES,       /* mass_domain_read_tallies */
    MASS_CALL_TALLY,         /* mass_domain_read_tally: mass_call_tally */
    MASS_CALL_WRITE_TALLIES, /* mass_domain_write_tallies */
    MASS_CALL_KEYS,          /* mass_domain_read_keys_of: mass_call_tally, for `count` worlds */
    MASS_CALL_WRITE_KEYS,    /* mass_domain_write_keys_of: uint32_t, the tally */
    MASS_CALL_HASH,          /* mass_domain_hash_attribute: uint32_t */
    MASS_CALL_OUTSIDE,       /* mass_domain_count_outside: uint32_t */
    MASS_CALL_COUNT,         /* mass_population_count: uint32_t, the population */
    MASS_CALL_COUNT_WORLDS,  /* mass_population_count_worlds: uint32_t */
    MASS_CALL_READ_AGENTS,   /* mass_population_read: uint32_t, the attribute */
    MASS_CALL_BEGIN_PIECES,  /* mass_pieces_begin: uint32_t, the use */
    MASS_CALL_END_PIECES,    /* mass_pieces_end */
    MASS_CALL_READ_PIECE,    /* mass_pieces_read: mass_call_piece */
    MASS_CALL_WRITE_PIECE,   /* mass_pieces_write: mass_call_piece */
    MASS_CALL_WRITE_PARTS,   /* mass_pieces_write_parts */
    MASS_CALL_BEGIN_AGENTS,  /* mass_pieces_begin_agents: uint32_t, the population */
    MASS_CALL_END_AGENTS,    /* mass_pieces_end_agents: uint32_t */
    MASS_CALL_TABLE,         /* mass_population_use_table: uint32_t */
    MASS_CALL_RESTORE_UNTIL, /* mass_until_restore */
    MASS_CALL_IGNORED,       /* mass_ignored_report */
    MASS_CALL_SUBNORMALS,    /* mass_subnormals_look */
    MASS_CALL_START,         /* mass_stepper_start */
    MASS_CALL_RESUME,        /* mass_stepper_resume */
    MASS_CALL_PROFILE,       /* mass_stepper_profile */
    MASS_CALL_ADVANCE,       /* part of mass_stepper_advance: mass_call_advance */
    MASS_CALL_REPARTITION    /* part of mass_stepper_advance too: mass_repartition_slabs */
} mass_call;

/* A box of a place attribute in some worlds. packed: bits as they are stored (bit_box.h), so that extents along x are
 * bytes. */
typedef struct mass_call_box {
    uint32_t attribute;
    int32_t world, worlds;
    uint16_t write, packed;
    mass_gidx origin[3], extent[3];
} mass_call_box;

/* A range of elements of an attribute, in the canonical order of the run. */
typedef struct mass_call_piece {
    uint32_t attribute;
    uint64_t first, count;
} mass_call_piece;

/* A range of words of a tally in a world. */
typedef struct mass_call_tally {
    uint32_t tally;
    int32_t world;
    uint32_t first, count;
} mass_call_tally;

/* Steps up to `to`, of a run that ends at step `last`. */
typedef struct mass_call_advance {
    uint64_t to, last;
    uint32_t every; /* 1: tallies count in every step */
    uint32_t timed; /* 1: ranks measure their own work apart from their waiting */
} mass_call_advance;

enum { MASS_CALL_BYTES = 64 }; /* most bytes of arguments */

/* On rank 0: sends a call to all other ranks. On the others, which execute a call, and with one rank: does nothing. */
mass_status mass_call_tell(mass_comm *, mass_call call, const void *arguments, size_t bytes, mass_error *error);
/* On the other ranks: waits for the next call and stores its number and its arguments [MASS_CALL_BYTES]. */
mass_status mass_call_hear(mass_comm *, mass_call *call, void *arguments, mass_error *error);

/* Makes a failure of any rank the failure of all. All ranks call it. Returns the status of the failed rank with the
 * lowest number. All other ranks get its error, which begins with its rank and host: "rank 3 on node7: ...". All ranks
 * go on. */
mass_status mass_call_agree(mass_comm *, mass_status status, mass_error *error);

/* Ends all ranks with `status`, after a failure while the others wait in something other than mass_call_agree. Reports
 * the error on standard error first. With one rank, or MASS_OK, it only returns the status. */
mass_status mass_call_abandon(mass_comm *, mass_status status, const mass_error *error);

#endif
