/* SPDX-License-Identifier: Apache-2.0 */
#include "view/history.h"
#include "process/progress.h"

#include <stdlib.h>
#include <string.h>

static const double PATIENCE = 3; /* seconds after the last request until a viewer is taken to be gone */

/* Frees all histories, and clears *h. */
void mass_histories_free(mass_histories *h)
{
    for (int i = 0; i < MASS_HISTORIES; i++) free(h->list[i].index);
    *h = (mass_histories){0};
}

/* Returns whether the history exists and was requested less than PATIENCE ago. */
static bool is_looked_at(const mass_history *h) { return h->index && mass_seconds() - h->asked < PATIENCE; }

bool mass_histories_grow(const mass_histories *h)
{
    for (int i = 0; i < MASS_HISTORIES; i++)
        if (is_looked_at(&h->list[i])) return true;
    return false;
}

/* Returns the row of a step, which later steps overwrite in turn. */
static uint8_t *row_of(const mass_history *h, uint64_t step)
{
    return h->index + step % MASS_HISTORY_ROWS * (size_t)h->columns;
}

/* Finds the diagram of a picture and world. A new one replaces the one that was requested least recently. It has no
 * rows yet. */
static mass_status find(mass_histories *all, const mass_domain *d, const mass_view_pictures *pictures,
                        const mass_view_question *q, mass_history **out, mass_error *error)
{
    mass_history *oldest = &all->list[0];
    for (int i = 0; i < MASS_HISTORIES; i++) {
        mass_history *h = &all->list[i];
        if (h->index && h->picture == q->picture && h->world == q->world) {
            *out = h;
            return MASS_OK;
        }
        if (h->asked < oldest->asked) oldest = h;
    }
    const mass_gidx size = d->model->spaces[pictures->list[q->picture].space].size[0];
    const mass_gidx factor = (size - 1) / MASS_HISTORY_COLUMNS + 1;
    free(oldest->index);
    *oldest = (mass_history){.picture = q->picture, .world = q->world, .factor = factor,
                             .columns = (size - 1) / factor + 1};
    oldest->index = malloc(MASS_HISTORY_ROWS * (size_t)oldest->columns);
    if (!oldest->index) return mass_error_memory(error, MASS_HISTORY_ROWS * (size_t)oldest->columns, "a diagram");
    *out = oldest;
    return MASS_OK;
}

/* Adds the current step to a diagram, unless it has it. Without the step before it, all older rows go; of a full
 * diagram, the oldest. */
static mass_status add_row(mass_history *h, mass_domain *d, mass_view_pictures *pictures, uint64_t step,
                           mass_error *error)
{
    const mass_gidx size = d->model->spaces[pictures->list[h->picture].space].size[0];
    const mass_view_question all = {.picture = h->picture, .world = h->world, .worlds = 1,
                                    .extent = {size, 1}};
    if (h->count && step < h->first + h->count) return MASS_OK;
    if (!h->count || step > h->first + h->count) h->first = step, h->count = 0;
    const mass_status status = mass_frame_places(d, &pictures->list[h->picture], &all, h->factor, row_of(h, step),
                                                 error);
    if (status != MASS_OK) return status;
    h->count++;
    if (h->count > MASS_HISTORY_ROWS) h->first++, h->count--;
    return MASS_OK;
}

mass_status mass_histories_add(mass_histories *all, mass_domain *d, mass_view_pictures *pictures, uint64_t step,
                               mass_error *error)
{
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < MASS_HISTORIES; i++)
        if (is_looked_at(&all->list[i])) status = add_row(&all->list[i], d, pictures, step, error);
    return status;
}

/* Copies `width` of a row's columns, every `every`-th from `from` on. */
static void put_row(const uint8_t *row, mass_gidx from, mass_gidx every, uint32_t width, uint8_t *to)
{
    if (every == 1) memcpy(to, row + from, width);
    else
        for (uint32_t x = 0; x < width; x++) to[x] = row[from + x * every];
}

mass_status mass_histories_draw(mass_histories *all, mass_domain *d, mass_view_pictures *pictures,
                                const mass_view_question *q, uint32_t run, uint64_t step, mass_view_answer *answer,
                                mass_error *error)
{
    mass_history *h = NULL;
    mass_status status = find(all, d, pictures, q, &h, error);
    if (status == MASS_OK) status = add_row(h, d, pictures, step, error);
    if (status != MASS_OK) return status;
    h->asked = mass_seconds();
    const mass_gidx from = q->at[0] / h->factor, end = (q->at[0] + q->extent[0] - 1) / h->factor + 1;
    const mass_gidx every = (end - from - 1) / q->pixels[0] + 1;
    uint64_t rows = h->count < (uint64_t)q->extent[1] ? h->count : (uint64_t)q->extent[1];
    if (rows > (uint64_t)q->pixels[1]) rows = (uint64_t)q->pixels[1];
    const mass_frame_head head = {.run = run, .step = step, .width = (uint32_t)((end - from - 1) / every + 1),
                                  .height = (uint32_t)rows, .box = {(uint32_t)q->at[0], 0, (uint32_t)q->extent[0],
                                  (uint32_t)rows}};
    uint8_t *pixels;
    status = mass_frame_begin(&head, 1, &pictures->list[h->picture], &pixels, answer, error);
    for (uint64_t i = 0; status == MASS_OK && i < rows; i++)
        put_row(row_of(h, step + 1 - rows + i), from, every, head.width, pixels + i * head.width);
    return status;
}
