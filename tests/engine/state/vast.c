/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces of more than 2^32 places with agents. The engine refuses a space if one rank would hold too many places. Else
 * agents find every place from every rank. No memory is touched: the ranks' arrays have addresses only. */
#include "plan/bind.h"
#include "population/manage/decision.h"
#include "population/population.h"
#include "snapshot/create.h"

#include "../comm/threads.h"
#include "device/cpu/cpu.h"

#include <mass/kernel.h>
#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WIDTH = 1 << 17, HEIGHT = 1 << 16, ASKED = 20000 };

MASS_AGENT(vast_go, folk, 2, UPDATES(TYPED(mark, int64_t)))
{
    OUT(mark)++;
    MIGRATE_TO(3, 5);
}

static mass_status allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    (void)device;
    void *at = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return mass_error_memory(error, bytes, "addresses");
    *out = at;
    return MASS_OK;
}

static void release(mass_device *device, void *memory) { (void)device, (void)memory; }

static mass_status available(mass_device *device, size_t *bytes, mass_error *error)
{
    (void)device, (void)error;
    *bytes = (size_t)1 << 60;
    return MASS_OK;
}

typedef struct request {
    int32_t worlds;
    const int32_t *shares;
    void (*work)(mass_domain *d); /* on every rank */
    mass_error error;             /* rank 0's */
} request;

static void make_model(mass_model *m, mass_error *e)
{
    mass_model_add_space(m, &(mass_space){.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = 3,
                                          .size = {WIDTH, HEIGHT}}, NULL, 0, e);
    mass_model_add_population(m, &(mass_population){.name = "folk", .space = "s", .count = 10, .capacity = 2,
                                                    .initial = MASS_RANDOM_PLACES}, e);
    mass_model_add_attribute(m, &(mass_attribute){.population = "folk", .name = "mark", .type = MASS_I64}, e);
    mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "folk",
                                                      .callback = &vast_go, .reach = 1}, e);
    mass_model_resolve(m, e);
}

static void live(mass_comm *comm, void *context)
{
    request *r = context;
    mass_memory_operations memory = *mass_cpu_table.memory;
    mass_device_table table = mass_cpu_table;
    mass_error own = {0}, *e = comm->rank == 0 ? &r->error : &own;
    mass_model m = {0};
    mass_device *device = NULL;
    mass_domain *d = NULL;
    memory.allocate = allocate;
    memory.release = release;
    memory.available = available;
    table.memory = &memory;
    make_model(&m, e);
    mass_cpu_open(&table, 1, &device, e);
    mass_domain_create(&m, device, &(mass_domain_options){.partitions = 1, .worlds = r->worlds, .seed = 1, .comm = comm,
                                                          .shares = r->shares}, &d, e);
    if (d) r->work(d);
    mass_domain_free(d);
    mass_device_close(device);
    mass_model_free(&m);
}

static void ask_nothing(mass_domain *d) { (void)d; }

/* ---- what is refused ---- */

Test(vast, a_space_is_refused_on_a_rank_that_would_hold_too_many_places)
{
    static const char text[] = "population folk: %s places over all worlds are more than the 2^32 - 4 that agents "
                               "%scan be on";
    static const int32_t uneven[] = {1, 3, 1};
    char expected[200];
    request alone = {.worlds = 1, .work = ask_nothing}, two = alone, three = alone;
    mass_run_as_ranks(1, live, &alone);
    snprintf(expected, sizeof expected, text, "8589934592", "");
    cr_expect_eq(alone.error.status, MASS_BAD_USAGE);
    cr_expect_str_eq(alone.error.text, expected);
    mass_run_as_ranks(2, live, &two);
    snprintf(expected, sizeof expected, text, "4294967296", "of one rank ");
    cr_expect_str_eq(two.error.text, expected);
    three.shares = uneven;
    mass_run_as_ranks(3, live, &three);
    cr_expect_eq(three.error.status, MASS_BAD_USAGE);
    cr_expect_not_null(strstr(three.error.text, "rank 1 on host0: population folk: 5153"), "%s", three.error.text);
}

/* ---- what is found ---- */

static void check(bool good, const char *what, int64_t place)
{
    if (good) return;
    fprintf(stderr, "place %lld: %s\n", (long long)place, what);
    abort();
}

/* Where an agent of this rank that asks for a place is to stand, by whoever holds the place. */
static void check_seat(const mass_domain *d, mass_launch *l, int64_t x, int64_t y, uint32_t cell, const int64_t *remote)
{
    const mass_population_state *s = &d->populations[0];
    const mass_weights weights = {.comm = d->share.comm, .first_place = s->first_place};
    const mass_decision decision = {.weights = &weights, .w = &(mass_manage_work){.places = s->places}};
    const int64_t place = y * WIDTH + x;
    const mass_seat seat = mass_decision_seat(&decision, 0, cell, remote);
    check(cell != MASS_CELL_NOWHERE, "is nowhere", place);
    check((cell == MASS_CELL_REMOTE) == (seat.rank != d->share.comm->rank), "is far where it is near", place);
    check(s->first_place[seat.rank] <= place && place < s->first_place[seat.rank + 1], "has another holder", place);
    check(s->first_place[seat.rank] + seat.cell == place, "is another cell", place);
    check(mass_share_owner(&d->share, d->model->spaces, y) == seat.rank, "is in another slab", place);
    if (cell == MASS_CELL_REMOTE) return;
    mass_site back = {0};
    l->populations[0].cell = &cell;
    mass_stand(&back, l, 0, 0);
    l->populations[0].cell = NULL;
    check(back.x == x && back.y == y && back.z == 0, "is not where an agent on its cell stands", place);
}

static void ask_for_places(mass_domain *d)
{
    int64_t remote = -1, first = mass_population_first_place(d, 0) / WIDTH;
    mass_launch l = mass_launch_record(d, 0, d->partitions[0], 1, false);
    l.populations[0].remote_move = &remote;
    for (uint64_t n = 0; n < ASKED; n++) {
        const mass_random4 r = mass_random_block(3, n, 0, 0, (uint32_t)d->share.comm->rank);
        const int64_t x = r.v[0] % WIDTH, y = r.v[1] % HEIGHT;
        mass_site s = {.launch = &l, .x = x, .y = first};
        check_seat(d, &l, x, y, mass_move_to(&s, 0, x, y, 0), &remote);
        const int64_t over = (first - 1 - r.v[2] % 3 + HEIGHT) % HEIGHT; /* over the cut, and around */
        const int64_t beside = (x + r.v[3]) % WIDTH;
        check_seat(d, &l, beside, over, mass_move(&s, 0, r.v[3], -1 - (int64_t)(r.v[2] % 3), 0), &remote);
    }
}

Test(vast, every_place_is_found_from_every_rank)
{
    static const int32_t uneven[] = {9, 4, 8, 1, 10, 9, 9};
    for (int32_t ranks = 3; ranks <= 7; ranks++) {
        request r = {.worlds = 1, .work = ask_for_places};
        mass_run_as_ranks(ranks, live, &r);
        cr_assert_eq(r.error.status, MASS_OK, "%s", r.error.text);
    }
    request r = {.worlds = 1, .shares = uneven, .work = ask_for_places};
    mass_run_as_ranks(7, live, &r);
    cr_assert_eq(r.error.status, MASS_OK, "%s", r.error.text);
}

/* ---- where agents begin ---- */

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Agents of MASS_RANDOM_PLACES take elements of a permutation of all seats. */
Test(vast, seats_are_dealt_out_all_over_and_none_twice)
{
    enum { AGENTS = 200000, PARTS = 16 };
    static const uint64_t occupancy[] = {(uint64_t)WIDTH * HEIGHT, (uint64_t)WIDTH * HEIGHT * 3 + 5, UINT64_MAX};
    uint64_t *found = malloc(AGENTS * sizeof *found);
    for (size_t i = 0; i < sizeof occupancy / sizeof *occupancy; i++) {
        int parts[PARTS] = {0};
        for (uint64_t k = 0; k < AGENTS; k++) {
            found[k] = mass_permuted_u64(17, 0, 0, 0, k, occupancy[i]);
            cr_assert_lt(found[k], occupancy[i]);
            parts[found[k] / (occupancy[i] / PARTS + 1)]++;
        }
        qsort(found, AGENTS, sizeof *found, ascending);
        for (int k = 1; k < AGENTS; k++) cr_assert_neq(found[k], found[k - 1]);
        for (int k = 0; k < PARTS; k++)
            cr_assert(parts[k] > AGENTS / PARTS * 9 / 10 && parts[k] < AGENTS / PARTS * 11 / 10, "%d", parts[k]);
    }
    free(found);
}
