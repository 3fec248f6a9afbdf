/* SPDX-License-Identifier: Apache-2.0 */
/* ranks/ has calls and transfers between the ranks of a run.
 *
 * Remote calls, which ranks use to do together what concerns the whole run. Rank 0 executes the run. If a function of
 * its domain, populations or stepper needs the other ranks, it first sends them a call: a number and arguments. They
 * wait for it in mass_serve (run/serve.h), call the same function and do their part. At its end all ranks agree on
 * whether it failed anywhere. With one rank these functions do nothing. Main thread. */
#ifndef MASS_ENGINE_RPC_H
#define MASS_ENGINE_RPC_H

#include "comm/comm.h"
#include "model/model.h"

typedef enum mass_rpc {
    MASS_RPC_END,           /* no call follows; no arguments */
    MASS_RPC_MOVE,          /* mass_domain_move: mass_rpc_box */
    MASS_RPC_TALLIES,       /* mass_domain_read_tallies */
    MASS_RPC_TALLY,         /* mass_domain_read_tally: mass_rpc_tally */
    MASS_RPC_WRITE_TALLIES, /* mass_domain_write_tallies */
    MASS_RPC_KEYS,          /* mass_domain_read_keys_of: mass_rpc_tally, for `count` worlds */
    MASS_RPC_WRITE_KEYS,    /* mass_domain_write_keys_of: uint32_t, the tally */
    MASS_RPC_HASH,          /* mass_domain_hash_attribute: uint32_t */
    MASS_RPC_OUTSIDE,       /* mass_domain_count_outside: uint32_t */
    MASS_RPC_COUNT,         /* mass_population_count: uint32_t, the population */
    MASS_RPC_COUNT_WORLDS,  /* mass_population_count_worlds: uint32_t */
    MASS_RPC_READ_AGENTS,   /* mass_population_read: uint32_t, the attribute */
    MASS_RPC_BEGIN_CHUNKS,  /* mass_chunks_begin: uint32_t, the use */
    MASS_RPC_END_CHUNKS,    /* mass_chunks_end */
    MASS_RPC_READ_CHUNK,    /* mass_chunks_read: mass_rpc_chunk */
    MASS_RPC_WRITE_CHUNK,   /* mass_chunks_write: mass_rpc_chunk */
    MASS_RPC_WRITE_PARTS,   /* mass_chunks_write_parts */
    MASS_RPC_BEGIN_AGENTS,  /* mass_chunks_begin_agents: uint32_t, the population */
    MASS_RPC_END_AGENTS,    /* mass_chunks_end_agents: uint32_t */
    MASS_RPC_TABLE,         /* mass_population_use_table: uint32_t */
    MASS_RPC_RESTORE_UNTIL, /* mass_until_restore */
    MASS_RPC_REPLACE_UNTIL, /* mass_stepper_replace_until: uint64_t, the bytes of the text */
    MASS_RPC_IGNORED,       /* mass_ignored_report */
    MASS_RPC_SUBNORMALS,    /* mass_subnormals_look */
    MASS_RPC_START,         /* mass_stepper_start */
    MASS_RPC_RESUME,        /* mass_stepper_resume */
    MASS_RPC_PROFILE,       /* mass_stepper_profile */
    MASS_RPC_ADVANCE,       /* part of mass_stepper_advance: mass_rpc_advance */
    MASS_RPC_REPARTITION    /* part of mass_stepper_advance too: mass_repartition_slabs */
} mass_rpc;

/* A box of a place attribute in some worlds. packed: bits as they are stored (bit_box.h), so that extents along x are
 * bytes. */
typedef struct mass_rpc_box {
    uint32_t attribute;
    int32_t world, worlds;
    uint16_t write, packed;
    mass_gidx origin[3], extent[3];
} mass_rpc_box;

/* A range of elements of an attribute, in the canonical order of the run. */
typedef struct mass_rpc_chunk {
    uint32_t attribute;
    uint64_t first, count;
} mass_rpc_chunk;

/* A range of words of a tally in a world. */
typedef struct mass_rpc_tally {
    uint32_t tally;
    int32_t world;
    uint32_t first, count;
} mass_rpc_tally;

/* Steps up to `to`, of a run that ends at step `last`. */
typedef struct mass_rpc_advance {
    uint64_t to, last;
    uint32_t every; /* 1: tallies count in every step */
    uint32_t timed; /* 1: ranks measure their own work apart from their waiting */
} mass_rpc_advance;

enum { MASS_RPC_BYTES = 64 }; /* most bytes of arguments */

/* On rank 0: sends a call, with at most MASS_RPC_BYTES of arguments, to all other ranks. On the others, which execute a
 * call, and with one rank: does nothing. */
mass_status mass_rpc_tell(mass_comm *, mass_rpc call, const void *arguments, size_t bytes, mass_error *error);
/* On the other ranks: waits for the next call and stores its number and its arguments [MASS_RPC_BYTES]. */
mass_status mass_rpc_hear(mass_comm *, mass_rpc *call, void *arguments, mass_error *error);

/* Makes a failure of any rank the failure of all. All ranks call it. Returns the status of the failed rank with the
 * lowest number. All other ranks get its error, which begins with its rank and host: "rank 3 on node7: ...". All ranks
 * go on. */
mass_status mass_rpc_agree(mass_comm *, mass_status status, mass_error *error);

/* Ends all ranks with `status`, after a failure while the others wait in something other than mass_rpc_agree. Reports
 * the error on standard error first. With one rank, or MASS_OK, it only returns the status. */
mass_status mass_rpc_abandon(mass_comm *, mass_status status, const mass_error *error);

#endif
