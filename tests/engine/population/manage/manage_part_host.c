/* SPDX-License-Identifier: Apache-2.0 */
#include "manage_part.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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
    bool crowded = p->w.capacity != 1 || (p->w.places % 4 == 0 && !mass_manage_has_any(p->order));
    for (size_t c = 0; c < cells && !crowded; c++) crowded = p->w.start[c + 1] - p->w.start[c] > 1;
    if (crowded) return;
    p->w.occupancy = calloc(cells / 32 + 1, sizeof *p->w.occupancy);
    cr_assert(p->w.occupancy);
    seats_of_starts(&p->w, p->w.start, p->w.occupancy);
    for (size_t c = 0; c < cells; c++)
        if (c % (size_t)p->w.places) p->w.start[c] = UINT32_MAX;
}

static void take_starts(part *p)
{
    for (size_t c = 0; p->w.occupancy && c <= cells_of(p); c++) {
        const mass_seats s = p->w.occupancy[c / 32];
        p->w.start[c] = s.before + (uint32_t)__builtin_popcount(s.held & ((1u << c % 32) - 1));
    }
    free(p->w.occupancy);
    p->w.occupancy = NULL;
}

/* ---- in no order ---- */

static void arrange(void *array, size_t size, size_t rows, size_t room, const uint32_t *by, uint32_t n)
{
    char *const old = malloc(n * size + 1);
    cr_assert(old);
    for (size_t row = 0; row < rows; row++) {
        char *const at = (char *)array + row * room * size;
        memcpy(old, at, n * size);
        for (uint32_t i = 0; i < n; i++) memcpy(at + i * size, old + by[i] * size, size);
    }
    free(old);
}

/* Agent i becomes what by[i] was. */
static void arrange_agents(part *p, const uint32_t *by)
{
    const mass_manage_work *const w = &p->w;
    const uint32_t n = p->count;
    arrange((void *)w->id, 8, 1, w->room, by, n);
    arrange((void *)w->cell, 4, 1, w->room, by, n);
    arrange((void *)w->lost, 1, 1, w->room, by, n);
    arrange(w->move, 4, 1, w->room, by, n);
    arrange(w->asked, 4, 1, w->room, by, n);
    arrange(w->remote_move, 8, 1, w->room, by, n);
    arrange(w->child_cell, 4, w->children, w->room, by, n);
    arrange(w->remote_child, 8, w->children, w->room, by, n);
    for (int i = 0; i < ARRAYS; i++) {
        arrange((void *)p->arrays[i].from, p->arrays[i].size, 1, w->room, by, n);
        if (p->arrays[i].child) arrange((void *)p->arrays[i].child, p->arrays[i].size, w->children, w->room, by, n);
    }
}

static void shuffle(part *p)
{
    uint64_t random = (uint64_t)p->first + 1;
    uint32_t *const by = malloc((p->count + 1) * sizeof *by);
    cr_assert(by);
    for (uint32_t i = 0; i < p->count; i++) by[i] = i;
    for (uint32_t i = p->count; i > 1; i--) {
        const uint32_t k = below(&random, i), other = by[k];
        by[k] = by[i - 1];
        by[i - 1] = other;
    }
    arrange_agents(p, by);
    free(by);
}

/* What a manage that keeps the order leaves, as one that makes it would. */
static void take_kept(part *p)
{
    uint32_t *const by = malloc((p->count + 1) * sizeof *by);
    cr_assert(by);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t at = 0;
        for (uint32_t k = 0; k < p->count; k++) at += p->w.cell[k] < p->w.cell[i];
        by[at] = i;
    }
    arrange_agents(p, by);
    memcpy(p->w.id_to, p->w.id, p->count * sizeof *p->w.id);
    memcpy(p->w.cell_to, p->w.cell, p->count * sizeof *p->w.cell);
    memcpy(p->w.lost_to, p->w.lost, p->count);
    for (int i = 0; i < ARRAYS; i++) memcpy(p->arrays[i].to, p->arrays[i].from, p->count * p->arrays[i].size);
    free(by);
}

/* As the engine calls it: where it leaves any order, with the arrays that agents are in. */
static mass_manage_work work_of(const part *p, mass_manage_order order)
{
    mass_manage_work w = p->w;
    w.order = order;
    if (mass_manage_has_any(p->order)) w.priority = p->arrays[array_of_priorities(&p->w)].from;
    if (order.leaves == MASS_ORDER_SORTED) return w;
    w.cell_to = (uint32_t *)(uintptr_t)w.cell;
    w.lost_to = (uint8_t *)(uintptr_t)w.lost;
    return w;
}

mass_status manage_part(part *p, const mass_weights *holders, int *enlarged, mass_error *error)
{
    mass_decision *decision = NULL;
    uint64_t after;
    mass_manage_order order = p->order;
    give_seats(p);
    if (order.finds == MASS_ORDER_ANY) shuffle(p);
    mass_manage_work w = work_of(p, order);
    mass_status status = mass_manage_decide(&w, holders, &decision, &after, error);
    if (status == MASS_OK && order.leaves == MASS_ORDER_ANY && after == MASS_MANAGE_CHANGES) {
        order = (mass_manage_order){MASS_ORDER_SORTED, MASS_ORDER_SORTED};
        w = work_of(p, order);
        status = mass_manage_decide(&w, holders, &decision, &after, error);
    }
    if (status == MASS_OK) {
        *enlarged = after > p->w.room;
        cr_assert(!*enlarged || !mass_decision_fits(decision));
        if (*enlarged) enlarge_part(p, (uint32_t)after);
        w = work_of(p, order);
        mass_manage_commit(decision, &w);
        if (order.leaves == MASS_ORDER_ANY) take_kept(p);
    }
    mass_decision_free(decision);
    take_starts(p);
    return status;
}
