/* SPDX-License-Identifier: Apache-2.0 */
#include "manage_part.h"

#include <criterion/criterion.h>
#include <stdlib.h>

int queued_parts(void) { return -1; }

bool takes_overfull(uint32_t capacity)
{
    (void)capacity;
    return true;
}

void open_parts(void) {}

static size_t cells_of(const part *p) { return (size_t)p->w.worlds * (size_t)p->w.places; }

/* Where no place holds more than one agent, some parts have seats, and starts of worlds alone. */
static void give_seats(part *p)
{
    const size_t cells = cells_of(p);
    bool crowded = p->w.capacity != 1 || p->w.places % 4 == 0;
    for (size_t c = 0; c < cells && !crowded; c++) crowded = p->w.start[c + 1] - p->w.start[c] > 1;
    if (crowded) return;
    p->w.seats = calloc(cells / 32 + 1, sizeof *p->w.seats);
    cr_assert(p->w.seats);
    seats_of_starts(&p->w, p->w.start, p->w.seats);
    for (size_t c = 0; c < cells; c++)
        if (c % (size_t)p->w.places) p->w.start[c] = UINT32_MAX;
}

static void take_starts(part *p)
{
    for (size_t c = 0; p->w.seats && c <= cells_of(p); c++) {
        const mass_seats s = p->w.seats[c / 32];
        p->w.start[c] = s.before + (uint32_t)__builtin_popcount(s.held & ((1u << c % 32) - 1));
    }
    free(p->w.seats);
    p->w.seats = NULL;
}

mass_status manage_part(part *p, const mass_holders *holders, int *enlarged, mass_error *error)
{
    mass_decision *decision = NULL;
    uint64_t after;
    give_seats(p);
    const mass_status status = mass_manage_decide(&p->w, holders, &decision, &after, error);
    if (status == MASS_OK) {
        *enlarged = after > p->w.room;
        if (*enlarged) enlarge_part(p, (uint32_t)after);
        mass_manage_commit(decision, &p->w);
    }
    mass_decision_free(decision);
    take_starts(p);
    return status;
}
