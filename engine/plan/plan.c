/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"
#include "population/requests.h"

#include <stdlib.h>

void mass_plan_free(mass_plan *plan)
{
    if (!plan) return;
    free(plan->start.list);
    free(plan->step.list);
    free(plan->observe.list);
    free(plan->operands);
    free(plan);
}

uint32_t mass_plan_find_phase(const mass_plan_list *o, uint32_t phase)
{
    uint32_t i = 0;
    while (i < o->count && o->list[i].phase != phase) i++;
    return i;
}

void mass_plan_swap_one(mass_domain *d, const mass_plan_operation *swap, bool recorded)
{
    const mass_operand *o = swap->operands;
    if (o->data != MASS_DATA_ORDER) d->current[o->index] ^= 1;
    else if (mass_population_order(d, o->index, swap->order, recorded).leaves == MASS_ORDER_SORTED)
        d->populations[o->index].current ^= 1; /* an unsorted manage keeps agents in place */
}

void mass_plan_swap(mass_domain *d, const mass_plan_list *o, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        if (o->list[i].kind == MASS_PLAN_SWAP) mass_plan_swap_one(d, &o->list[i], true);
}
