/* SPDX-License-Identifier: Apache-2.0 */
/* Verifying a checkpoint takes the same little memory whatever its size: tallies of many bins, counts by key,
 * agents. */
#include "folder.h"
#include "models.h"
#include "../../crowd.h"
#include "io/hdf5/probe.h"
#include "process/sanitized.h"
#include "process/subprocess.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

TestSuite(checkpoint_large, .init = make_folder, .fini = remove_folder);

enum { LIMIT = 24 << 20, KEYS_EACH = 2, TEXT = 8 };

static mass_model large_model(uint32_t bins)
{
    mass_model m = small_keys_model();
    mass_error e = {0};
    mass_model_add_tally(&m, &(mass_tally){.name = "wealth", .access = MASS_SUM, .bins = bins}, &e);
    mass_model_add_population(&m, &(mass_population){.name = "ants", .space = "grid"}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

/* Keys in order, texts of eight digits. */
static void fill_list(mass_key_list *l, bool texts, uint64_t count)
{
    mass_key_list_free(l);
    *l = (mass_key_list){.texts = texts, .count = count, .keys = malloc(count * 8), .counts = malloc(count * 8),
                         .bytes = texts ? malloc(count * TEXT) : NULL};
    for (uint64_t i = 0; i < count; i++) {
        l->keys[i] = texts ? (i + 1) * TEXT : i * 3;
        l->counts[i] = (int64_t)i + 1;
        for (int digit = 0; texts && digit < TEXT; digit++)
            l->bytes[i * TEXT + (uint64_t)digit] = "0123456789abcdef"[i >> (28 - 4 * digit) & 15];
    }
}

static mass_snapshot large_snapshot(const mass_model *m, uint64_t size)
{
    mass_snapshot s;
    mass_error e = {0};
    cr_assert_eq(mass_snapshot_allocate(&s, m, 1, &size, &e), MASS_OK);
    for (uint64_t i = 0; i < m->tally_words; i++) s.tallies[i] = (int64_t)i;
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (m->tallies[i].keys) fill_list(&s.keys[i], m->tallies[i].keys == MASS_KEYS_TEXTS, size * KEYS_EACH);
    crowd_stand(&s, 0);
    s.tallies[m->tallies[m->populations[0].next_id].first] = (int64_t)size * 61;
    s.step = 10;
    return s;
}

static size_t memory_in_use(void)
{
    unsigned long pages = 0;
    FILE *from = fopen("/proc/self/statm", "r");
    if (!from || fscanf(from, "%lu", &pages) != 1) abort();
    fclose(from);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* In a fresh process, which has no more than LIMIT beyond what it begins with. */
__attribute__((constructor)) static void be_verifier(int count, char **arguments)
{
    if (count != 3 || strcmp(arguments[1], "--verify-in-little") != 0) return;
    mass_error e = {0};
    const rlim_t most = memory_in_use() + LIMIT;
    if (!MASS_SANITIZED) setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    const mass_status status = mass_checkpoint_verify(arguments[2], &e);
    mass_subprocess_report(status, e.text);
    _exit(0);
}

static void assert_verified_in_little(const char *path)
{
    const char *const arguments[] = {"--verify-in-little", path, NULL};
    mass_subprocess_result r;
    mass_subprocess_run(arguments, &(mass_subprocess_limits){.seconds = 60}, &r);
    cr_assert_eq(r.outcome, MASS_SUBPROCESS_FINISHED);
    cr_assert_eq(r.status, MASS_OK, "%s", r.text);
}

static void assert_any_size(uint64_t size)
{
    mass_model m = large_model((uint32_t)size * 4);
    mass_snapshot s = large_snapshot(&m, size);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX], was[33], is[33];
    write_one(&s, path);
    mass_snapshot_hash(&s, was);
    mass_snapshot back;
    cr_assert_eq(mass_checkpoint_open_probed(path, &c, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_snapshot_allocate(&back, &m, 1, s.agents, &e), MASS_OK);
    cr_assert_eq(mass_checkpoint_read(c, &back, &e), MASS_OK, "%s", e.text);
    mass_snapshot_hash(&back, is);
    cr_assert_str_eq(is, was);
    cr_assert_eq(memcmp(back.tallies, s.tallies, m.tally_words * 8), 0);
    for (uint32_t i = 0; i < m.tally_count; i++)
        if (m.tallies[i].keys) {
            cr_assert_eq(memcmp(back.keys[i].keys, s.keys[i].keys, s.keys[i].count * 8), 0);
            cr_assert_eq(memcmp(back.keys[i].counts, s.keys[i].counts, s.keys[i].count * 8), 0);
        }
    mass_snapshot_free(&back);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s);
    mass_model_free(&m);
    assert_verified_in_little(path);
}

Test(checkpoint_large, small_one_is_verified_in_little_memory) { assert_any_size(1000); }
Test(checkpoint_large, large_one_is_verified_in_little_memory) { assert_any_size(1000000); }

/* ---- texts of any length: longer than what is compared at once ---- */

static mass_status verify_texts(const char *first, uint64_t a, const char *second, uint64_t b)
{
    mass_model m = small_keys_model();
    mass_snapshot s = filled(&m, 1, 20);
    mass_error e = {0};
    char path[PATH_MAX];
    mass_key_list *l = &s.keys[(uint32_t)mass_model_find_tally(&m, "words")];
    mass_key_list_free(l);
    *l = (mass_key_list){.texts = true, .count = 2, .keys = malloc(16), .counts = malloc(16), .bytes = malloc(a + b)};
    l->keys[0] = a, l->keys[1] = a + b;
    l->counts[0] = l->counts[1] = 1;
    memset(l->bytes, 'x', a + b);
    l->bytes[a - 1] = (uint8_t)*first;
    l->bytes[a + b - 1] = (uint8_t)*second;
    write_one(&s, path);
    mass_checkpoint_verify(path, &e);
    mass_snapshot_free(&s);
    mass_model_free(&m);
    return e.status;
}

Test(checkpoint_large, long_texts_are_in_order)
{
    const uint64_t length = 3 << 20;
    cr_expect_eq(verify_texts("a", length, "b", length), MASS_OK);
    cr_expect_eq(verify_texts("b", length, "a", length), MASS_BAD_INPUT);
    cr_expect_eq(verify_texts("b", length, "b", length), MASS_BAD_INPUT);
    cr_expect_eq(verify_texts("x", length, "x", length + 1), MASS_OK);
    cr_expect_eq(verify_texts("x", length + 1, "x", length), MASS_BAD_INPUT);
}

/* ---- ids that two have, anywhere in a world ---- */

static void with_ids(uint64_t count, int64_t next_id, uint64_t a, uint64_t b, bool twins)
{
    mass_model m = small_crowd_model();
    mass_snapshot s;
    mass_error e = {0}, read = {0};
    mass_checkpoint *c;
    char path[PATH_MAX];
    const uint64_t agents[MASS_POPULATIONS_MAX] = {0, count};
    cr_assert_eq(mass_snapshot_allocate(&s, &m, 2, agents, &e), MASS_OK);
    crowd_stand(&s, 1);
    uint64_t *id = crowd_column(&s, 1, MASS_AGENT_ID);
    int32_t *world = crowd_column(&s, 1, MASS_AGENT_WORLD);
    int64_t *place = crowd_column(&s, 1, MASS_AGENT_PLACE);
    for (uint64_t i = 0; i < count; i++) { /* one of world 0, and all others of world 1 */
        world[i] = i > 0;
        place[i] = (int64_t)(i * 60 / count);
        id[i] = i * ((uint64_t)next_id / count);
    }
    if (twins) { /* the last on the one place, and the first on the next */
        cr_assert(a > 0 && b == count - 1);
        place[b] = 59;
        for (uint64_t i = b - 1; i > 0 && place[i] == 59; i--) place[i] = 58; /* it is alone there */
        id[b] = id[a];
    }
    int64_t *next = s.tallies + mass_tally_at(&m.tallies[m.populations[1].next_id], 2, 0);
    next[0] = next[1] = next_id;
    s.step = 30;
    write_one(&s, path);
    mass_checkpoint_verify(path, &e);
    cr_expect_eq(e.status, twins ? MASS_BAD_INPUT : MASS_OK, "%s", e.text);
    cr_assert_eq(mass_checkpoint_open(path, &c, &read), MASS_OK);
    mass_snapshot back;
    cr_assert_eq(mass_snapshot_allocate(&back, &m, 2, agents, &read), MASS_OK);
    mass_checkpoint_read(c, &back, &read);
    cr_expect_str_eq(read.text, e.text);
    char said[100];
    snprintf(said, sizeof said, "two agents of population 'bees' in a world have the id %llu",
             (unsigned long long)id[a]);
    cr_expect(!twins || strstr(e.text, said), "%s", e.text);
    mass_snapshot_free(&back);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint_large, ids_of_two_agents_are_found)
{
    with_ids(1000, 1000, 1, 999, false);
    with_ids(1000, 1000, 1, 999, true);
    with_ids(1000, (int64_t)1 << 60, 1, 999, false);
    with_ids(1000, (int64_t)1 << 60, 1, 999, true);
    with_ids(200000, 200000, 100, 199999, true);
    with_ids(200000, (int64_t)1 << 60, 100, 199999, false);
    with_ids(200000, (int64_t)1 << 60, 100, 199999, true);
}

/* The library looks for each name among all of its group: the time that a check gets grows as that does. */
Test(checkpoint_large, time_for_many_attributes_and_tallies)
{
    enum { MANY = 800, TALLIES = 400, MOST = 5000 };
    mass_model m = empty_model();
    mass_error e = {0};
    char name[32], path[PATH_MAX];
    struct stat facts;
    add_space(&m, "grid", 2, 12, 5, 0);
    for (int i = 0; i < MANY; i++) snprintf(name, sizeof name, "a%d", i), add_attribute(&m, "grid", name, MASS_U8, 1);
    for (int i = 0; i < TALLIES; i++)
        snprintf(name, sizeof name, "t%d", i), add_tally(&m, name, MASS_SUM, MASS_TALLY_INTEGER, 0);
    mass_snapshot s = filled(&m, 1, 10);
    write_one(&s, path);
    cr_assert_eq(stat(path, &facts), 0);
    const clock_t began = clock();
    cr_assert_eq(mass_checkpoint_verify(path, &e), MASS_OK, "%s", e.text);
    const double took = (double)(clock() - began) / CLOCKS_PER_SEC;
    const double objects = MANY + TALLIES, bytes_each = (double)facts.st_size / objects;
    for (int n = MANY + TALLIES; n <= MOST; n += MOST - MANY - TALLIES) { /* with room for a slow machine */
        const double needed = took * (n / objects) * (n / objects);
        const unsigned given = mass_hdf5_processor_patience((uint64_t)(n * bytes_each));
        cr_assert_gt(given, (MASS_SANITIZED ? 1 : 2) * needed, "%d objects take %.1f s and get %u", n, needed, given);
    }
    cr_assert_gt(mass_hdf5_processor_patience((uint64_t)(MOST * bytes_each)), 20);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
