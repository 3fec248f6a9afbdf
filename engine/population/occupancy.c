/* SPDX-License-Identifier: Apache-2.0 */
/* The occupancy of places. For each cell, `start` is the number of agents in all cells before it. If a place holds
 * one agent at most, a bitmap with counts replaces it: a bit a cell, and a count each 32 cells. */
#include "population/occupancy.h"

#include <stdlib.h>

/* Returns the number of places of this rank over all its worlds. */
static uint32_t cells_of(const mass_domain *d, uint32_t population)
{
    return (uint32_t)(d->populations[population].places * d->worlds);
}

/* Returns the number of bitmap words for so many cells (launch.h). */
static size_t seats_of_cells(uint64_t cells) { return (size_t)(cells / 32 + 1); }

/* Returns true if the population has a bitmap: a place holds one agent at most, and the device supports it. */
static bool has_seats(const mass_domain *d, uint32_t population)
{
    return d->device->table->agents->knows_seats && d->model->populations[population].capacity == 1;
}

mass_status mass_population_allocate_occupancy(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_population_state *s = &d->populations[population];
    const size_t cells = cells_of(d, population), size = sizeof(uint32_t);
    const mass_status status = mass_buffer_allocate(d->device, (cells + 1) * size, &s->start, error);
    if (status != MASS_OK || !has_seats(d, population)) return status;
    return mass_buffer_allocate(d->device, seats_of_cells(cells) * sizeof(mass_seats), &s->occupancy, error);
}

/* Uploads `start`, the index of each cell's first agent, for all cells and the end. `cell`: the agents' cells,
 * ascending. */
static mass_status upload_start(mass_domain *d, uint32_t population, const uint32_t *cell, uint32_t count,
                                mass_error *error)
{
    static const size_t most = (size_t)1 << 24; /* elements in one upload: there may be many more cells than agents */
    const size_t cells = (size_t)cells_of(d, population) + 1, room = cells < most ? cells : most;
    const mass_population_state *s = &d->populations[population];
    uint32_t *start = malloc(room * sizeof *start), i = 0;
    if (!start) return mass_error_memory(error, room * sizeof *start, "a population");
    mass_status status = MASS_OK;
    for (size_t first = 0; status == MASS_OK && first < cells; first += room) {
        const size_t some = cells - first < room ? cells - first : room;
        for (size_t c = 0; c < some; c++) {
            while (i < count && cell[i] < first + c) i++;
            start[c] = i;
        }
        status = mass_buffer_upload(mass_buffer_from(s->start, first * sizeof *start), start, some * sizeof *start,
                                    error);
    }
    free(start);
    return status;
}

/* Uploads the occupancy bitmap, with the agents before each word, and `start` only for the first cell of each world and
 * the end. */
static mass_status upload_seats(mass_domain *d, uint32_t population, const uint32_t *cell, uint32_t count,
                                mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    const size_t words = seats_of_cells(cells_of(d, population));
    mass_seats *occupancy = calloc(words, sizeof *occupancy);
    if (!occupancy) return mass_error_memory(error, words * sizeof *occupancy, "a population");
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) occupancy[cell[i] / 32].held |= 1u << cell[i] % 32;
    for (size_t w = 0; w < words; w++) {
        occupancy[w].before = before;
        before += (uint32_t)__builtin_popcount(occupancy[w].held);
    }
    mass_status status = mass_buffer_upload(s->occupancy, occupancy, words * sizeof *occupancy, error);
    free(occupancy);
    for (int32_t w = 0; status == MASS_OK && w <= d->worlds; w++) {
        const uint64_t first = (uint64_t)w * (uint64_t)s->places;
        uint32_t start = 0;
        for (uint32_t last = count; start < last;) {
            const uint32_t middle = start + (last - start) / 2;
            if (cell[middle] < first) start = middle + 1;
            else last = middle;
        }
        status = mass_buffer_upload(mass_buffer_from(s->start, first * sizeof start), &start, sizeof start, error);
    }
    return status;
}

mass_status mass_population_upload_occupancy(mass_domain *d, uint32_t population, const uint32_t *cell, uint32_t count,
                                         mass_error *error)
{
    return (d->populations[population].occupancy.device ? upload_seats : upload_start)(d, population, cell, count,
                                                                                       error);
}
