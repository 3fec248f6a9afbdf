/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the compiler of plans: what compile.c, compile_callback.c and compile_population.c have in common. Each
 * function adds operations to the present list of the compiler. If memory runs out, `failed` becomes true, and the
 * functions do nothing more. Main thread. */
#ifndef MASS_ENGINE_COMPILE_H
#define MASS_ENGINE_COMPILE_H

#include "plan/plan.h"

/* A list under construction. All operands share one array, which moves as it grows. While the array grows, an
 * operation has only the number of its operands. It gets their address at the end. */
typedef struct mass_compiler {
    const mass_domain *d;
    const mass_model *m;
    mass_plan *plan;
    mass_plan_list *to;
    uint32_t operand_count;
    mass_manage_order *orders; /* by phase */
    bool *counted; /* by tally: its value has changed since it was settled */
    mass_when when;     /* when the added operations run */
    mass_when observed; /* when operations that serve only tallies run: ALWAYS in lists that end with a report of
                           tallies */
    bool failed;    /* memory ran out */
} mass_compiler;

/* Appends an operation to the list, which runs when c->when says and counts never. The result is valid until the next
 * operation is added. After a failure, returns a scratch operation that nobody reads. */
mass_plan_operation *mass_compile_operation(mass_compiler *c, mass_plan_kind kind, uint32_t phase, uint32_t index);

/* Add an operand to the last operation. */
void mass_compile_operand(mass_compiler *c, mass_operand operand);
void mass_compile_use(mass_compiler *c, mass_data data, uint32_t index, uint32_t use);

/* ---- callbacks ---- */

/* Adds all operations of a phase with a callback. Of phases that share a turn, the first adds those of all, and the
 * others add nothing. */
void mass_compile_callback(mass_compiler *c, uint32_t index);
/* Adds the GATE of a phase with a condition. Adds nothing for a phase without one. */
void mass_compile_gate(mass_compiler *c, uint32_t index);
/* Adds the operands of an all-reduce of a tally. */
void mass_compile_total(mass_compiler *c, uint32_t tally);
/* Notes which tallies a phase counts. */
void mass_compile_counts(mass_compiler *c, const mass_phase_def *phase);
/* Adds the SETTLE of every tally that a body reads. before: the start has counted nothing yet. If it has, only tallies
 * that neither it nor a reduction counts are marked so (mass_plan_operation.before). */
void mass_compile_settle_all(mass_compiler *c, bool before);

/* ---- populations ---- */

/* Adds all operations of a manage, from its gate to a census that is needed in every step. Notes the tallies that it
 * counts. */
void mass_compile_manage(mass_compiler *c, uint32_t index);
/* Adds the POPULATE of a population, once a list. population -1: adds nothing. */
void mass_compile_populate(mass_compiler *c, int population);
/* Add what comes before the launch of a phase in turn, and what comes after it. They add nothing for other phases. */
void mass_compile_line_up(mass_compiler *c, uint32_t index);
void mass_compile_restore(mass_compiler *c, uint32_t index);
/* Adds a DISCARD if requests can remain at the end of the schedule. */
void mass_compile_drop(mass_compiler *c, uint32_t population, uint32_t schedule);
/* Adds the count of a population's agents, if the model has a tally for it. `when` is then ALWAYS. */
void mass_compile_census(mass_compiler *c, uint32_t population);

#endif
