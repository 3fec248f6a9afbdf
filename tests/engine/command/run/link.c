/* SPDX-License-Identifier: Apache-2.0 */
/* What a user hears of a link that cannot be made. How ranks agree on one is tested in comm/link.c. */
#include "../../comm/threads.h"

#include "command/run/link.h"
#include "device/device.h"
#include "process/progress.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = 3, CANNOT = 1 };

static void describe(mass_device *device, mass_link_card *out)
{
    snprintf(out->device, sizeof out->device, "fake");
    memcpy(out->id, &device, sizeof device);
}

static mass_status make_key(mass_device *device, mass_link_key *out, mass_error *error)
{
    (void)device, (void)error;
    memset(out, 0, sizeof *out);
    return MASS_OK;
}

static void close_link(mass_link *link) { (void)link; }

extern const mass_link_table links;
static mass_link made[RANKS];

static mass_status join(mass_device *device, const mass_comm *comm, const mass_link_key *key, double limit,
                        mass_link **out, mass_error *error)
{
    (void)device, (void)key, (void)limit;
    if (comm->rank == CANNOT) return mass_error_set(error, MASS_FAILED, "it cannot be reached");
    made[comm->rank] = (mass_link){.table = &links};
    *out = &made[comm->rank];
    return MASS_OK;
}

const mass_link_table links = {.struct_size = sizeof links, .name = "fake", .describe = describe,
                               .make_key = make_key, .join = join, .close = close_link};

/* How it is asked for, and what came of it. */
typedef struct scene {
    const char *by;
    bool quiet, linkless;
    mass_status status[RANKS];
    char text[RANKS][1000];
    int lines;
    char said[1000];
} scene;

static void hear(void *context, const char *line)
{
    scene *s = context;
    s->lines++;
    snprintf(s->said, sizeof s->said, "%s", line);
}

static void link_rank(mass_comm *comm, void *context)
{
    scene *s = context;
    const mass_device_table table = {.links = s->linkless ? NULL : &links};
    mass_device device = {&table};
    mass_model model = {0};
    mass_domain domain = {.model = &model, .device = &device, .share = {.comm = comm}};
    mass_link *link = NULL;
    mass_error error = {0};
    s->status[comm->rank] = mass_link_domain(&domain, s->by, 3, s->quiet, &link, &error);
    snprintf(s->text[comm->rank], sizeof *s->text, "%s", error.text);
    if (link || domain.share.link) comm->table->abort(comm, 1);
}

static scene play(scene s)
{
    mass_progress_listen(hear, &s);
    mass_run_as_ranks(RANKS, link_rank, &s);
    mass_progress_listen(NULL, NULL);
    return s;
}

Test(link, that_fails_on_one_rank_is_said_once)
{
    const scene s = play((scene){.by = "auto"});
    for (int r = 0; r < RANKS; r++) cr_expect_eq(s.status[r], MASS_OK, "%s", s.text[r]);
    cr_expect_eq(s.lines, 1);
    cr_expect(strstr(s.said, "the ranks' GPUs cannot be linked: rank 1 on "), "%s", s.said);
    cr_expect(strstr(s.said, ": it cannot be reached; "), "%s", s.said);
}

Test(link, that_is_not_wanted_or_cannot_be_is_not_spoken_of)
{
    cr_expect_eq(play((scene){.by = NULL, .quiet = true}).lines, 0);
    cr_expect_eq(play((scene){.by = "mpi"}).lines, 0);
    cr_expect_eq(play((scene){.by = "auto", .linkless = true}).lines, 0);
}

Test(link, that_is_insisted_on_fails)
{
    const scene s = play((scene){.by = "nccl"});
    cr_expect_eq(s.lines, 0);
    for (int r = 0; r < RANKS; r++) {
        cr_expect_eq(s.status[r], MASS_NO_DEVICE);
        cr_expect(strstr(s.text[r], "--comm nccl: ") && strstr(s.text[r], "rank 1 on "), "%s", s.text[r]);
    }
}
