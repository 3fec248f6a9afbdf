/* SPDX-License-Identifier: Apache-2.0 */
/* Writes fields for ParaView and VisIt. */
#include "io/writers.h"

#include "snapshot/save.h"

/* Prepares the export of fields, if any; writes no fields yet. */
static mass_status create(mass_output *o, mass_error *error)
{
    const mass_output_plan *p = o->plan;
    const mass_export_plan plan = {p->fields, p->owner, p->place, p->resumed != NULL, p->first_step};
    return p->fields ? mass_export_create(&plan, o->model, &o->export, error) : MASS_OK;
}

/* Writes the fields of all ranks, unless this step has them, after waiting for a checkpoint in progress. */
static mass_status add_fields(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_snapshot snapshot;
    if (mass_export_has(o->export, step)) return MASS_OK;
    mass_output_finish_writing(o);
    mass_status status = mass_domain_save(d, &snapshot, error);
    if (status != MASS_OK) return status;
    snapshot.step = step;
    status = mass_export_add(o->export, &snapshot, error);
    mass_snapshot_free(&snapshot);
    return status;
}

/* Writes the step's fields. A failure is only reported, and the run goes on without them. */
static void try_fields(mass_output *o, mass_domain *d, uint64_t step)
{
    mass_error problem = {0};
    if (add_fields(o, d, step, &problem) == MASS_OK) o->lost_fields = 0;
    else
        mass_output_say_lost(&o->lost_fields, mass_export_has(o->export, step) ? "fields" : "no fields", step,
                             &problem);
}

/* Begins the export and writes the first step's fields. Does nothing in a run without fields. */
static mass_status begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    if (!o->export) return MASS_OK;
    const mass_status status = mass_export_begin(o->export, o->made ? o->made : o->plan->place, error);
    return status == MASS_OK ? add_fields(o, d, step, error) : status;
}

/* Returns the interval of exports; 0 if there are none. */
static uint64_t every(const mass_output *o) { return o->export ? o->plan->fields_every : 0; }

/* Writes the fields if their step is due. A failure is only reported, and the run goes on. */
static mass_status write_due(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    (void)wanted;
    (void)error;
    const uint64_t each = every(o);
    if (each && step % each == 0) try_fields(o, d, step);
    return MASS_OK;
}

/* Writes the last step's fields, unless they are written. A failure is added to the run's. */
static void end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    (void)d;
    if (o->export && !mass_export_has(o->export, final->step)) mass_export_add(o->export, final, failure);
}

static void release(mass_output *o) { mass_export_free(o->export); }

const mass_output_writer mass_output_fields = {
    .create = create, .begin = begin, .every = every, .write = write_due, .end = end, .release = release};
