/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes in global coordinates: boxes that reach over partitions, and whole snapshots. */
#include "domain/domain.h"
#include "domain/population.h"
#include "domain/until.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct box {
    uint32_t attribute;
    int32_t world;
    mass_gidx origin[3], extent[3];
    char *data;
    bool write;
} box;

/* The part of a box that lies in one partition: false if none does. */
static bool intersect(const box *b, const mass_layout *l, mass_gidx first[3], mass_gidx extent[3])
{
    for (int a = 0; a < 3; a++) {
        const mass_gidx low = b->origin[a] > l->origin[a] ? b->origin[a] : l->origin[a];
        const mass_gidx box_end = b->origin[a] + b->extent[a], end = l->origin[a] + l->extent[a];
        const mass_gidx high = box_end < end ? box_end : end;
        if (low >= high) return false;
        first[a] = low;
        extent[a] = high - low;
    }
    return true;
}

/* Moves one array's part of a box. Components of planes lie apart in memory and together in data;
 * they go through a dense staging area, since a device copies whole runs best. */
static mass_status move_part(mass_domain *d, const box *b, mass_partition *p, uint32_t array, const mass_gidx first[3],
                             const mass_gidx extent[3], mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[b->attribute];
    const mass_layout *l = &p->layout;
    const size_t size = d->model->arrays[array].element_size, element = mass_element_size(a);
    const int64_t at = b->world * l->world_stride + (first[2] - l->origin[2]) * l->plane +
                       (first[1] - l->origin[1]) * l->pitch + (first[0] - l->origin[0]);
    const mass_buffer there = mass_buffer_from(mass_array_from(d, p, array, false), (size_t)at * size);
    char *data = b->data + (((first[2] - b->origin[2]) * b->extent[1] + (first[1] - b->origin[1])) * b->extent[0] +
                            (first[0] - b->origin[0])) * (int64_t)element +
                 d->model->arrays[array].component * size;
    const int64_t row = b->extent[0] * (int64_t)element, sheet = row * b->extent[1];
    const int64_t memory_row = l->pitch * (int64_t)size, memory_sheet = l->plane * (int64_t)size;

    mass_strided c = {.bytes = (size_t)extent[0] * size, .count = {extent[1], extent[2], 1}};
    if (size == element) {
        if (b->write) c.from = data;
        else c.to = data;
        for (int k = 0; k < 2; k++) {
            const int64_t host = k ? sheet : row, device = k ? memory_sheet : memory_row;
            c.to_stride[k] = b->write ? device : host;
            c.from_stride[k] = b->write ? host : device;
        }
        return b->write ? mass_buffer_upload_box(there, &c, error) : mass_buffer_download_box(there, &c, error);
    }
    const size_t stage_bytes = c.bytes * (size_t)(extent[1] * extent[2]);
    char *stage = malloc(stage_bytes);
    if (!stage) return mass_error_memory(error, stage_bytes, "a copy of an attribute");
    const int64_t stage_row = (int64_t)c.bytes, stage_sheet = stage_row * extent[1];
    mass_status status = MASS_OK;
    for (int pass = 0; status == MASS_OK && pass < 2; pass++) {
        if ((pass == 0) == b->write) { /* between stage and data, element by element */
            for (mass_gidx z = 0; z < extent[2]; z++)
                for (mass_gidx y = 0; y < extent[1]; y++)
                    for (mass_gidx x = 0; x < extent[0]; x++) {
                        char *s = stage + z * stage_sheet + y * stage_row + x * (int64_t)size;
                        char *u = data + z * sheet + y * row + x * (int64_t)element;
                        if (b->write) memcpy(s, u, size);
                        else memcpy(u, s, size);
                    }
        } else if (b->write) {
            c = (mass_strided){NULL, stage, c.bytes, {extent[1], extent[2], 1},
                               {memory_row, memory_sheet, 0}, {stage_row, stage_sheet, 0}};
            status = mass_buffer_upload_box(there, &c, error);
        } else {
            c = (mass_strided){stage, NULL, c.bytes, {extent[1], extent[2], 1},
                               {stage_row, stage_sheet, 0}, {memory_row, memory_sheet, 0}};
            status = mass_buffer_download_box(there, &c, error);
        }
    }
    free(stage);
    return status;
}

static mass_status move_box(mass_domain *d, const box *b, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[b->attribute];
    const mass_space_def *s = &d->model->spaces[a->space];
    const uint32_t arrays = a->layout == MASS_PLANES ? a->length : 1;
    for (int k = 0; k < 3; k++)
        if (b->origin[k] < 0 || b->extent[k] < 0 || b->extent[k] > s->size[k] ||
            b->origin[k] > s->size[k] - b->extent[k])
            return mass_error_set(error, MASS_BAD_PLUGIN, "a box of attribute %s reaches outside its space", a->name);
    if (b->world < 0 || b->world >= d->worlds)
        return mass_error_set(error, MASS_BAD_PLUGIN, "there is no world %d", b->world);
    mass_status status = MASS_OK;
    for (int32_t i = 0; status == MASS_OK && i < d->partition_count; i++) {
        mass_partition *p = &d->partitions[a->space][i];
        mass_gidx first[3], extent[3];
        if (!intersect(b, &p->layout, first, extent)) continue;
        for (uint32_t k = 0; status == MASS_OK && k < arrays; k++)
            status = move_part(d, b, p, a->first_array + k, first, extent, error);
    }
    for (int32_t i = 0; b->write && i < d->partition_count; i++)
        for (uint32_t k = 0; k < arrays; k++) d->partitions[a->space][i].arrays[a->first_array + k].fresh = 0;
    return status;
}

static box make_box(uint32_t attribute, int32_t world, const mass_gidx origin[3], const mass_gidx extent[3],
                    void *data, bool write)
{
    return (box){attribute, world, {origin[0], origin[1], origin[2]}, {extent[0], extent[1], extent[2]}, data, write};
}

mass_status mass_domain_read(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                             const mass_gidx extent[3], void *data, mass_error *error)
{
    const box b = make_box(attribute, world, origin, extent, data, false);
    return move_box(d, &b, error);
}

mass_status mass_domain_write(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                              const mass_gidx extent[3], const void *data, mass_error *error)
{
    const box b = make_box(attribute, world, origin, extent, (void *)(uintptr_t)data, true);
    return move_box(d, &b, error);
}

static mass_status move_snapshot(mass_domain *d, void *const *attributes, bool write, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++) {
        const mass_attribute_def *a = &d->model->attributes[i];
        const mass_space_def *s = &d->model->spaces[a->space];
        if (a->population >= 0 || a->streamed) continue;
        const size_t world_bytes = (size_t)mass_space_places(s) * mass_element_size(a);
        for (int32_t w = 0; status == MASS_OK && w < d->worlds; w++) {
            const box b = make_box(i, w, (const mass_gidx[3]){0, 0, 0}, s->size,
                                   (char *)attributes[i] + (size_t)w * world_bytes, write);
            status = move_box(d, &b, error);
        }
    }
    return status;
}

/* Normalises exact sums: until then their words depend on the order in which contributions came. */
static void settle_sums(const mass_tally_def *t, int32_t worlds, int64_t *accumulators)
{
    for (int32_t w = 0; mass_tally_is_exact(t) && w < worlds; w++)
        mass_exact_normalise(accumulators + mass_tally_at(t, worlds, w));
}

mass_status mass_domain_read_tallies(mass_domain *d, int64_t *accumulators, mass_error *error)
{
    const size_t bytes = (size_t)d->model->tally_words * (size_t)d->worlds * sizeof *accumulators;
    const mass_status status = mass_buffer_download(d->tallies, accumulators, bytes, error);
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++)
        settle_sums(&d->model->tallies[i], d->worlds, accumulators);
    return status;
}

static bool goes_on(const mass_tally_def *t) { return t->cumulative && mass_tally_is_exact(t); }

mass_status mass_domain_carry_sums(mass_domain *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < d->model->tally_count; i++)
        for (int32_t w = 0; status == MASS_OK && goes_on(&d->model->tallies[i]) && w < d->worlds; w++) {
            int64_t words[MASS_EXACT_WORDS];
            const mass_buffer at = mass_buffer_from(mass_domain_tally(d, i), (size_t)w * sizeof words);
            status = mass_buffer_download(at, words, sizeof words, error);
            mass_exact_normalise(words);
            if (status == MASS_OK) status = mass_buffer_upload(at, words, sizeof words, error);
        }
    return status;
}

uint64_t mass_domain_steps_to_carry(const mass_domain *d)
{
    const mass_model *m = d->model;
    /* 64: there may be several ADDs of a place or agent in a step, and a recording may go some steps too far. */
    const double fit = 0x1p35 / 64;
    double most = 1;
    bool any = false;
    for (uint32_t i = 0; i < m->tally_count; i++) any |= goes_on(&m->tallies[i]);
    for (uint32_t s = 0; s < m->space_count; s++)
        most = fmax(most, (double)mass_space_places(&m->spaces[s]));
    for (uint32_t p = 0; p < m->population_count; p++) most = fmax(most, d->populations[p].room);
    return !any ? 0 : fit / most < 1 ? 1 : (uint64_t)(fit / most);
}

static mass_status count_agents(mass_domain *d, uint64_t agents[MASS_POPULATIONS_MAX], mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t p = 0; status == MASS_OK && p < d->model->population_count; p++)
        status = mass_population_count(d, p, &agents[p], error);
    return status;
}

/* Fills in a snapshot that was allocated, but for its attributes and stop condition. */
static mass_status save_numbers(mass_domain *d, mass_snapshot *s, mass_error *error)
{
    s->seed = d->seed;
    s->first_world = d->first_world;
    const mass_status status = mass_domain_read_tallies(d, s->tallies, error);
    return status == MASS_OK ? mass_domain_read_keys(d, s->keys, error) : status;
}

mass_status mass_domain_save_numbers(mass_domain *d, mass_snapshot *s, mass_error *error)
{
    uint64_t agents[MASS_POPULATIONS_MAX] = {0};
    *s = (mass_snapshot){0};
    mass_status status = count_agents(d, agents, error);
    if (status == MASS_OK) status = mass_snapshot_allocate_numbers(s, d->model, d->worlds, agents, error);
    if (status != MASS_OK) return status;
    status = save_numbers(d, s, error);
    if (status != MASS_OK) mass_snapshot_free(s);
    return status;
}

mass_status mass_domain_save(mass_domain *d, mass_snapshot *s, mass_error *error)
{
    const mass_model *m = d->model;
    uint64_t agents[MASS_POPULATIONS_MAX] = {0};
    *s = (mass_snapshot){0};
    mass_status status = count_agents(d, agents, error);
    if (status == MASS_OK) status = mass_snapshot_allocate(s, m, d->worlds, agents, error);
    if (status != MASS_OK) return status;
    status = move_snapshot(d, s->attributes, false, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        if (m->attributes[i].population >= 0) status = mass_population_read(d, i, s->attributes[i], error);
    if (status == MASS_OK) status = save_numbers(d, s, error);
    if (status == MASS_OK) status = mass_until_save(d, &s->until, error);
    if (status != MASS_OK) mass_snapshot_free(s);
    return status;
}

/* Cells from worlds and places; all of a checkpoint was checked before. */
static mass_status restore_agents(mass_domain *d, const mass_snapshot *s, uint32_t population, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    const uint64_t count = s->agents[population], *id = s->attributes[p->first_attribute + MASS_AGENT_ID];
    const int32_t *world = s->attributes[p->first_attribute + MASS_AGENT_WORLD];
    const int64_t *place = s->attributes[p->first_attribute + MASS_AGENT_PLACE];
    const int64_t places = mass_space_places(&d->model->spaces[p->space]);
    uint32_t *cell = malloc((count + 1) * sizeof *cell);
    if (!cell) return mass_error_memory(error, count * sizeof *cell, "a population");
    for (uint64_t i = 0; i < count; i++) cell[i] = (uint32_t)(world[i] * places + place[i]);
    const mass_status status = mass_population_set(d, population, (uint32_t)count, id, cell, s->attributes, error);
    free(cell);
    return status;
}

mass_status mass_domain_restore(mass_domain *d, const mass_snapshot *s, mass_error *error)
{
    mass_status status = move_snapshot(d, s->attributes, true, error);
    for (uint32_t p = 0; status == MASS_OK && p < d->model->population_count; p++)
        status = restore_agents(d, s, p, error);
    if (status == MASS_OK) status = mass_domain_write_keys(d, s->keys, error);
    const size_t bytes = (size_t)d->model->tally_words * (size_t)d->worlds * sizeof *s->tallies;
    return status == MASS_OK ? mass_buffer_upload(d->tallies, s->tallies, bytes, error) : status;
}
