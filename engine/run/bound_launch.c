/* SPDX-License-Identifier: Apache-2.0 */
#include "run/bound_launch.h"
#include "model/shared_turns.h"
#include "plan/bind.h"
#include "population/in_turn.h"
#include "state/tally.h"

#include <stdlib.h>

void mass_bind_launch(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                      const mass_partition *p, const mass_plan_step *step, mass_bound_launch *b)
{
    mass_launch_bind(d, op, p, b->fields, b->memory);
    for (uint32_t i = 0; step->later && i < d->model->phases[op->phase].callback->field_count; i++)
        if (op->operands[i].data == MASS_DATA_TALLY)
            b->fields[i] = (int64_t *)b->fields[i] - step->later * mass_domain_tally_row(d);
    b->record = mass_launch_record(d, op->phase, p, step->number, step->relative);
    if (step->steps > 1) b->record.push = 0;
    mass_turn_show(d, op->phase, &b->record, b->fields, b->memory);
    b->work = (mass_work){prepared, &b->record, b->fields, b->memory, mass_plan_is_due(d, op->counts, step),
                          step->number, step->steps, mass_domain_tally_row(d)};
}

mass_status mass_launch_turn(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                             const mass_plan_step *step, mass_error *error)
{
    const mass_model *m = d->model;
    const mass_partition *p = d->partitions[m->phases[op->phase].space];
    const uint32_t count = mass_turn_end(m, op->phase) - op->phase;
    mass_bound_launch *const bound = malloc(count * sizeof *bound);
    mass_work works[MASS_TURN_PHASES_MAX] = {{0}};
    if (!bound) return mass_error_memory(error, count * sizeof *bound, "a phase in turn");
    for (uint32_t i = 0; i < count; i++) {
        mass_bind_launch(d, prepared[op[i].phase], &op[i], p, step, &bound[i]);
        works[i] = bound[i].work;
    }
    const mass_status status = d->device->table->launch->together(d->device, works, count, error);
    free(bound);
    return status;
}
