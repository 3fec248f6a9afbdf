/* SPDX-License-Identifier: Apache-2.0 */
#include "manage_part.h"

int queued_parts(void) { return -1; }

void open_parts(void) {}

mass_status manage_part(part *p, const mass_holders *holders, int *enlarged, mass_error *error)
{
    mass_decision *decision = NULL;
    uint64_t after;
    const mass_status status = mass_manage_decide(&p->w, holders, &decision, &after, error);
    if (status == MASS_OK) {
        *enlarged = after > p->w.room;
        if (*enlarged) enlarge_part(p, (uint32_t)after);
        mass_manage_commit(decision, &p->w);
    }
    mass_decision_free(decision);
    return status;
}
