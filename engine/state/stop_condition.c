/* SPDX-License-Identifier: Apache-2.0 */
#include "state/stop_condition.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"
#include "state/tally.h"

#include <stdlib.h>
#include <string.h>

/* Returns the bytes of the states of all steady() in all worlds of the run. */
static size_t steady_bytes(const mass_domain *d)
{
    return (size_t)d->until->steady_count * (size_t)d->share.worlds * sizeof(mass_steady);
}

/* Makes the condition's own gates those of the domain, which close when it holds, and opens them. Does nothing if the
 * domain has such gates already, because births may stop replays. */
static mass_status open_gates(mass_domain *d, mass_error *error)
{
    static const uint32_t open = 0;
    if (d->closed.device) return MASS_OK;
    d->closed = d->until->closed;
    return mass_buffer_fill(d->closed, &open, sizeof open, (size_t)d->worlds, error);
}

/* Copies when the condition held, and all states of steady(), to the device. */
static mass_status upload_state(mass_domain *d, const mass_until_state *state, mass_error *error)
{
    const mass_status status = mass_buffer_upload(d->until->held, &state->held, sizeof state->held, error);
    return status == MASS_OK ? mass_buffer_upload(d->until->steady, state->steady, steady_bytes(d), error) : status;
}

/* Allocates the condition's memory on the device, and fills it: gates, program and initial state. */
static mass_status upload_all(mass_domain *d, const mass_expression *e, mass_error *error)
{
    mass_until *u = d->until;
    const size_t program = e->count * sizeof(mass_instruction), steady = steady_bytes(d), held = sizeof(uint64_t);
    const size_t gates = (size_t)d->worlds * sizeof(uint32_t);
    mass_status status = mass_buffer_allocate(d->device, steady + program + held + gates, &u->memory, error);
    if (status != MASS_OK) return status;
    u->steady = mass_buffer_part(u->memory, 0, steady);
    u->program = mass_buffer_part(u->memory, steady, program);
    u->held = mass_buffer_part(u->memory, steady + program, held);
    u->closed = mass_buffer_part(u->memory, steady + program + held, gates);
    status = open_gates(d, error);
    if (status == MASS_OK) status = mass_buffer_upload(u->program, e->program, program, error);
    if (status != MASS_OK) return status;
    mass_until_state none = {.held = MASS_NOT_HELD, .steady = malloc(steady + 1)};
    if (!none.steady) return mass_error_memory(error, steady, "the stop condition");
    mass_steady_clear(none.steady, steady / sizeof *none.steady);
    status = upload_state(d, &none, error);
    mass_until_state_free(&none);
    return status;
}

/* Lists each tally that the stop condition reads, once, in d->until. Fails without memory. */
static mass_status list_tallies(mass_domain *d, const mass_expression *e, mass_error *error)
{
    mass_until *u = d->until;
    u->tallies = calloc(d->model->tally_count + 1u, sizeof *u->tallies);
    if (!u->tallies) return mass_error_memory(error, d->model->tally_count, "the stop condition");
    for (uint32_t i = 0; i < d->model->tally_count; i++) {
        bool named = false;
        for (uint32_t k = 0; k < e->count; k++)
            named |= e->program[k].operation == MASS_OP_TALLY && e->program[k].index == i;
        if (named) u->tallies[u->tally_count++] = i;
    }
    return MASS_OK;
}

mass_status mass_until_create(mass_domain *d, const char *text, const mass_expression *e, mass_error *error)
{
    d->until = calloc(1, sizeof *d->until);
    if (!d->until) return mass_error_memory(error, sizeof *d->until, "the stop condition");
    *d->until = (mass_until){.text = strdup(text), .count = e->count, .steady_count = e->steady_count};
    if (!d->until->text) return mass_error_memory(error, strlen(text), "the stop condition");
    const mass_status status = list_tallies(d, e, error);
    return status == MASS_OK ? upload_all(d, e, error) : status;
}

void mass_until_free(mass_domain *d)
{
    if (!d->until) return;
    if (d->closed.address == d->until->closed.address) d->closed = (mass_buffer){0};
    mass_buffer_release(&d->until->memory);
    free(d->until->tallies);
    free(d->until->text);
    free(d->until);
    d->until = NULL;
}

mass_status mass_until_reduce(mass_domain *d, mass_error *error)
{
    return mass_domain_reduce_tallies(d, d->until->tallies, d->until->tally_count, error);
}

mass_status mass_until_look(mass_domain *d, uint64_t step, int32_t rows, int32_t later, bool relative,
                            mass_error *error)
{
    const mass_until *u = d->until;
    const bool ranks = d->share.comm->size > 1;
    const int64_t row = mass_domain_tally_row(d);
    const int64_t *const first = (int64_t *)d->tallies.address - (later + rows - 1) * row;
    const mass_until_work work = {.program = u->program.address, .count = u->count, .worlds = d->share.worlds,
                                  .tallies = ranks ? d->totals.address : first, .rows = rows, .row = row,
                                  .steady = u->steady.address, .step = step,
                                  .clock = relative ? d->clock.address : NULL, .held = u->held.address,
                                  .closed = d->closed.address};
    return d->device->table->conditions->look(d->device, &work, error);
}

mass_status mass_until_held(mass_domain *d, uint64_t *step, mass_error *error)
{
    return mass_buffer_download(d->until->held, step, sizeof *step, error);
}

mass_status mass_until_save(mass_domain *d, mass_until_state *out, mass_error *error)
{
    const mass_until *u = d->until;
    *out = (mass_until_state){.held = MASS_NOT_HELD};
    if (!u) return MASS_OK;
    const size_t bytes = steady_bytes(d);
    *out = (mass_until_state){.text = strdup(u->text), .steady_count = u->steady_count, .steady = malloc(bytes + 1)};
    mass_status status = out->text && out->steady ? MASS_OK : mass_error_memory(error, bytes, "the stop condition");
    if (status == MASS_OK) status = mass_until_held(d, &out->held, error);
    if (status == MASS_OK) status = mass_buffer_download(u->steady, out->steady, bytes, error);
    if (status != MASS_OK) mass_until_state_free(out);
    return status;
}

mass_status mass_until_restore(mass_domain *d, const mass_until_state *state, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t bytes = steady_bytes(d);
    mass_status status = mass_rpc_tell(comm, MASS_RPC_RESTORE_UNTIL, NULL, 0, error);
    if (status != MASS_OK || comm->size == 1) return status == MASS_OK ? upload_state(d, state, error) : status;
    mass_until_state all = {.steady = malloc(bytes + 1)};
    if (!all.steady) status = mass_error_memory(error, bytes, "the stop condition");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && state) {
        all.held = state->held;
        if (bytes) memcpy(all.steady, state->steady, bytes);
    }
    if (status == MASS_OK) status = mass_transfer_to_all(comm, &all.held, sizeof all.held, error);
    if (status == MASS_OK) status = mass_transfer_to_all(comm, all.steady, bytes, error);
    if (status == MASS_OK) status = mass_rpc_agree(comm, upload_state(d, &all, error), error);
    mass_until_state_free(&all);
    return status;
}

/* Frees the members of *s, and clears it. */
void mass_until_state_free(mass_until_state *s)
{
    free(s->text);
    free(s->steady);
    *s = (mass_until_state){0};
}
