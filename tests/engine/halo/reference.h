/* SPDX-License-Identifier: Apache-2.0 */
/* A random split of a random model, and a plain list of all copies of its halos. From the list follow the values that
 * refresh and combine must produce. */
#ifndef MASS_TESTS_HALO_REFERENCE_H
#define MASS_TESTS_HALO_REFERENCE_H

#include "halo/bands.h"
#include "halo/lists.h"

enum { RADIUS_MOST = 4, PARTITIONS_MOST = 7, RANKS_MOST = 8, ARRAYS = 2 };

/* One random case. */
typedef struct scene {
    mass_comm *comm;
    uint64_t number;
    mass_model model;
    mass_callback stencil;
    mass_domain *domain;
    int32_t worlds, radius, depth; /* depth: of bands */
    bool agents;
    /* Agents of all ranks in canonical order. */
    int64_t agent_count, own_count, own_first; /* own_first: number of this rank's first agent in world 0 */
    int64_t *agent_world, *agent_place, *agent_own; /* agent_own: number among this rank's agents, or -1 */
    mass_band *band;
    /* Elements of a list. */
    int64_t first[RANKS_MOST * PARTITIONS_MOST + 1];
    mass_list_copies listed[RANKS_MOST][PARTITIONS_MOST];
    mass_list_halo *list;
    mass_buffer owned[ARRAYS][PARTITIONS_MOST], copied[ARRAYS][PARTITIONS_MOST];
} scene;

/* Prints the error on standard error, and ends all ranks. */
_Noreturn void scene_fail(const scene *s, const char *what, int64_t at);
void scene_check(const scene *s, mass_status status, const mass_error *e);

/* Returns a number from 0 to below - 1, the same on all ranks. */
uint32_t scene_draw(const scene *s, uint64_t entity, uint32_t which, uint32_t below);

/* ---- all copies of a kind ---- */

/* A copy and its element, by numbers. Copies of other ranks have no memory here. */
typedef struct copy {
    int64_t element;
    int32_t part; /* the one with the copy */
    void *at;     /* of the copy, or NULL */
    bool refreshed_only; /* no contributions go there */
} copy;

typedef struct kind {
    const char *name;
    int64_t elements;
    copy *list;
    int64_t count;
    void **own;  /* [elements] or NULL */
    size_t size; /* 4 or 8; the values are signed */
} kind;

/* Adds a copy. refreshed_only: see copy. */
void kind_add(kind *k, int64_t element, int32_t part, void *at, bool refreshed_only);
void kind_free(kind *k);

/* Sets this rank's elements to random values of a round. */
void kind_begin(const scene *s, const kind *k, uint32_t round);

/* After a refresh: returns true if a copy has the value of a round; expects this of all copies of this rank. */
bool kind_is_copied(const scene *s, const kind *k, const copy *c, uint32_t round);
void kind_expect_copies(const scene *s, const kind *k, uint32_t round);

/* Returns [elements]: the copy that writes each element, at random, or -1; for MASS_COMBINATION_REPLACE. The caller
 * frees it. */
int64_t *kind_find_writers(const scene *s, const kind *k);

/* Put random contributions into this rank's copies; and, after the combination, expect elements of round 50 to have
 * them, with those of all ranks. */
void kind_contribute(const scene *s, const kind *k, mass_combination_kind how, const int64_t *writer);
void kind_expect_combined(const scene *s, const kind *k, mass_combination_kind how, const int64_t *writer);

/* ---- the kinds: all ranks call these ---- */

/* Check halos of boxes, of lists and of bands against the copies that a plain search finds. They end all ranks if
 * one is wrong. */
void check_boxes(scene *s);

void draw_lists(scene *s, uint32_t most);
void check_lists(scene *s);
/* A rank lists an element that does not exist: all ranks get the error. */
void check_no_such_element(scene *s);

void check_bands(scene *s);

#endif
