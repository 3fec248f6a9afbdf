/* SPDX-License-Identifier: Apache-2.0 */
/* How ranks agree on a link: all have one or none, and all with the same sentence. The links are made up; what one does
 * is tested on GPUs (cuda/link.c). */
#include "comm/link.h"
#include "threads.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 5, NOBODY = -1 };

/* What is wrong with whom, and what came of it. */
typedef struct scene {
    int32_t lacks, alone, old, shares, mute, fails; /* ranks, or NOBODY */
    bool without; /* all lack the library */
    mass_status status[RANKS];
    bool odd[RANKS];
    char text[RANKS][1000];
    atomic_int joined, closed;
} scene;

static const scene all_well = {.lacks = NOBODY, .alone = NOBODY, .old = NOBODY, .shares = NOBODY, .mute = NOBODY,
                               .fails = NOBODY};

/* A rank's device is its place in this array. */
typedef struct fake {
    scene *scene;
    int32_t rank;
} fake;

static void describe(mass_device *device, mass_link_card *out)
{
    const fake *f = (const fake *)device;
    const int32_t number = f->rank == f->scene->shares ? 1 : f->rank;
    if (f->rank == f->scene->lacks || f->scene->without) snprintf(out->lacks, sizeof out->lacks, "there is no library");
    snprintf(out->device, sizeof out->device, "fake:%d", number);
    memset(out->id, number + 1, sizeof out->id);
    out->version = f->rank == f->scene->old ? 6 : 7;
}

static mass_status make_key(mass_device *device, mass_link_key *out, mass_error *error)
{
    const fake *f = (const fake *)device;
    if (f->rank != 0) return mass_error_set(error, MASS_FAILED, "asked for a key");
    if (f->scene->mute == 0) return mass_error_set(error, MASS_NO_DEVICE, "there is no key");
    memset(out, 77, sizeof *out);
    return MASS_OK;
}

typedef struct fake_link {
    mass_link link;
    scene *scene;
    bool must_fail;
} fake_link;

extern const mass_link_table fake_links;

static mass_status join(mass_device *device, const mass_comm *comm, const mass_link_key *key, double limit,
                        mass_link **out, mass_error *error)
{
    const fake *f = (const fake *)device;
    if (comm->rank != f->rank || limit != 3 || key->bytes[0] != 77 || key->bytes[127] != 77)
        return mass_error_set(error, MASS_FAILED, "joined with other arguments");
    if (f->rank == f->scene->fails) return mass_error_set(error, MASS_FAILED, "it cannot be reached");
    fake_link *link = calloc(1, sizeof *link);
    if (!link) return mass_error_memory(error, sizeof *link, "a link");
    *link = (fake_link){{.table = &fake_links}, f->scene, f->scene->fails != NOBODY};
    atomic_fetch_add(&f->scene->joined, 1);
    *out = &link->link;
    return MASS_OK;
}

static void close_link(mass_link *link)
{
    fake_link *f = (fake_link *)link;
    if (link->failed == f->must_fail) atomic_fetch_add(&f->scene->closed, 1);
    free(f);
}

const mass_link_table fake_links = {
    .struct_size = sizeof fake_links,
    .name = "fake",
    .describe = describe,
    .make_key = make_key,
    .join = join,
    .close = close_link,
};

static void open_link(mass_comm *comm, void *context)
{
    scene *s = context;
    fake device = {s, comm->rank};
    mass_link *const untouched = (mass_link *)s;
    mass_link *link = untouched;
    mass_error error = {0};
    const mass_link_table *table = comm->rank == s->alone ? NULL : &fake_links;
    s->status[comm->rank] = mass_link_open((mass_device *)&device, table, comm, 3, &link, &s->odd[comm->rank],
                                           &error);
    snprintf(s->text[comm->rank], sizeof *s->text, "%s", error.text);
    if (s->status[comm->rank] == MASS_OK) link->table->close(link);
    else if (link != untouched) comm->table->abort(comm, 1);
}

/* Whether those who do not insist on a link hear why there is none. */
static void expect_odd(scene s, bool odd)
{
    mass_run_as_ranks(RANKS, open_link, &s);
    for (int32_t i = 0; i < RANKS; i++) cr_expect(s.status[i] == MASS_NO_DEVICE && s.odd[i] == odd, "rank %d", i);
}

/* All fail with that sentence, where "HOST" stands for the host's name; NULL: none fails. */
static void expect(scene s, const char *sentence)
{
    mass_run_as_ranks(RANKS, open_link, &s);
    for (int32_t i = 0; i < RANKS; i++) {
        cr_assert(s.status[i] == (sentence ? MASS_NO_DEVICE : MASS_OK), "rank %d: %s", i, s.text[i]);
        cr_assert_str_eq(s.text[i], s.text[0]);
        if (sentence) cr_assert(strstr(s.text[i], sentence), "%s", s.text[i]);
    }
    cr_assert(s.joined == s.closed);
}

Test(link, all_ranks_have_it)
{
    scene s = all_well;
    mass_run_as_ranks(RANKS, open_link, &s);
    cr_assert(s.joined == RANKS && s.closed == RANKS);
    expect(all_well, NULL);
}

Test(link, one_rank_without_a_library_is_named_on_all)
{
    scene s = all_well;
    s.lacks = 3;
    expect(s, "there is no library");
    expect(s, "the ranks' GPUs cannot be linked: rank 3 on ");
}

Test(link, a_device_without_links_is_named)
{
    scene s = all_well;
    s.alone = 2;
    expect(s, ": its device has no link to others");
}

Test(link, ranks_that_share_a_device_are_named)
{
    scene s = all_well;
    s.shares = 4;
    expect(s, "ranks 1 and 4 share fake:1 on ");
}

Test(link, libraries_of_other_versions_are_named)
{
    scene s = all_well;
    s.old = 1;
    expect(s, "has version 7 of the library for it, and rank 1 on ");
}

Test(link, what_rank_0_fails_in_is_said_on_all)
{
    scene s = all_well;
    s.mute = 0;
    expect(s, ": there is no key");
}

Test(link, where_one_cannot_join_the_others_close)
{
    scene s = all_well;
    s.fails = 2;
    expect(s, "rank 2 on ");
    expect(s, ": it cannot be reached");
}

Test(link, what_is_odd_is_told_from_what_has_to_be)
{
    scene s = all_well;
    s.alone = 2;
    expect_odd(s, false);
    s = all_well;
    s.shares = 4;
    expect_odd(s, false);
    s = all_well;
    s.without = true;
    expect_odd(s, false);
    s = all_well;
    s.lacks = 3;
    expect_odd(s, true);
    s = all_well;
    s.old = 1;
    expect_odd(s, true);
    s = all_well;
    s.mute = 0;
    expect_odd(s, true);
    s = all_well;
    s.fails = 2;
    expect_odd(s, true);
}
