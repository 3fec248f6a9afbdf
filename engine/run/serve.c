/* SPDX-License-Identifier: Apache-2.0 */
#include "run/serve.h"
#include "population/gather.h"
#include "process/standard.h"
#include "ranks/rpc.h"
#include "run/ignored.h"
#include "run/replace_until.h"
#include "run/repartition.h"
#include "run/subnormals.h"
#include "snapshot/hash.h"
#include "snapshot/chunks.h"
#include "state/box.h"
#include "state/key_counts.h"
#include "state/stop_condition.h"
#include "state/tally.h"

typedef union arguments {
    uint8_t bytes[MASS_RPC_BYTES];
    uint32_t index;
    uint64_t text_bytes;
    mass_rpc_box box;
    mass_rpc_tally tally;
    mass_rpc_chunk chunk;
    mass_rpc_advance advance;
} arguments;

/* Serves calls on populations. Ignores calls that no function of this file knows. */
static mass_status call_populations(mass_domain *d, mass_rpc call, uint32_t index, mass_error *error)
{
    switch (call) {
    case MASS_RPC_COUNT: return mass_population_count(d, index, NULL, error);
    case MASS_RPC_COUNT_WORLDS: return mass_population_count_worlds(d, index, NULL, error);
    case MASS_RPC_READ_AGENTS: return mass_population_read(d, index, NULL, error);
    case MASS_RPC_TABLE: return mass_population_use_table(d, index, NULL, error);
    default: return MASS_OK;
    }
}

/* Runs, on a rank other than 0, its part of a function that moves attributes in chunks, which rank 0 has called. */
static mass_status call_pieces(mass_domain *d, mass_rpc call, const arguments *a, mass_error *error)
{
    const mass_rpc_chunk *p = &a->chunk;
    switch (call) {
    case MASS_RPC_BEGIN_CHUNKS: return mass_chunks_begin(d, (mass_chunks_use)a->index, error);
    case MASS_RPC_END_CHUNKS: return mass_chunks_end(d, error);
    case MASS_RPC_READ_CHUNK: return mass_chunks_read(d, p->attribute, p->first, p->count, NULL, error);
    case MASS_RPC_WRITE_CHUNK: return mass_chunks_write(d, p->attribute, p->first, p->count, NULL, error);
    case MASS_RPC_WRITE_PARTS: return mass_chunks_write_parts(d, NULL, NULL, error);
    case MASS_RPC_BEGIN_AGENTS: return mass_chunks_begin_agents(d, a->index, error);
    case MASS_RPC_END_AGENTS: return mass_chunks_end_agents(d, a->index, error);
    default: return call_populations(d, call, a->index, error);
    }
}

/* Runs, on a rank other than 0, the part of a function of the domain that rank 0 has called. Results are for rank 0. */
static mass_status call_domain(mass_domain *d, mass_rpc call, const arguments *a, mass_error *error)
{
    const mass_rpc_tally *t = &a->tally;
    uint8_t hash[16];
    switch (call) {
    case MASS_RPC_MOVE: return mass_domain_move(d, &a->box, NULL, error);
    case MASS_RPC_TALLIES: return mass_domain_read_tallies(d, NULL, error);
    case MASS_RPC_TALLY: return mass_domain_read_tally(d, t->tally, t->world, t->first, t->count, NULL, error);
    case MASS_RPC_WRITE_TALLIES: return mass_domain_write_tallies(d, NULL, error);
    case MASS_RPC_KEYS: return mass_domain_read_keys_of(d, t->tally, t->world, (int32_t)t->count, NULL, error);
    case MASS_RPC_WRITE_KEYS: return mass_domain_write_keys_of(d, a->index, NULL, error);
    case MASS_RPC_HASH: return mass_domain_hash_attribute(d, a->index, hash, error);
    case MASS_RPC_OUTSIDE: return mass_domain_count_outside(d, a->index, NULL, error);
    case MASS_RPC_RESTORE_UNTIL: return mass_until_restore(d, NULL, error);
    case MASS_RPC_IGNORED: return mass_ignored_report(d, NULL, error);
    case MASS_RPC_SUBNORMALS: return mass_subnormals_look(d, NULL, error);
    default: return call_pieces(d, call, a, error);
    }
}

/* Serves calls on the stepper, and all others. */
static mass_status call_stepper(mass_stepper *r, mass_rpc call, const arguments *a, mass_error *error)
{
    switch (call) {
    case MASS_RPC_START: return mass_stepper_start(r, error);
    case MASS_RPC_RESUME: return mass_stepper_resume(r, error);
    case MASS_RPC_PROFILE: return mass_stepper_profile(r, error);
    case MASS_RPC_ADVANCE: return mass_stepper_advance_chunk(r, &a->advance, error);
    case MASS_RPC_REPARTITION: return mass_repartition_slabs(r, error);
    case MASS_RPC_REPLACE_UNTIL: return mass_stepper_replace_until_here(r, a->text_bytes, error);
    default: return call_domain(r->domain, call, a, error);
    }
}

mass_status mass_serve(mass_domain *d, mass_stepper *r, mass_error *error)
{
    for (;;) {
        arguments a;
        mass_error of_call = {0};
        mass_rpc call;
        const mass_status status = mass_rpc_hear(d->share.comm, &call, a.bytes, error);
        if (status != MASS_OK || call == MASS_RPC_END) return status;
        call_stepper(r, call, &a, &of_call);
        mass_standard_hold();
    }
}

mass_status mass_serve_end(mass_comm *comm, mass_error *error)
{
    return mass_rpc_tell(comm, MASS_RPC_END, NULL, 0, error);
}
