/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints with right hashes in which some numbers were replaced by arbitrary ones. The engine itself writes them.
 * The command refuses such a file in one line that names it, or resumes from it. A resumed run ends with the same bits
 * on any number of partitions. */
#include "command.h"
#include "../extended.h"
#include "snapshot/snapshot.h"

#include "io/checkpoint/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(lies, SCRATCH, .timeout = 7000);

enum { STEPS = 4, SAMPLE = 6, ALL = 300 };

/* ---- a state with a lie in it ---- */

static char lies_told[400]; /* in the newest state */

static void tell(const char *what, size_t element)
{
    const size_t used = strlen(lies_told);
    snprintf(lies_told + used, sizeof lies_told - used, " %s[%zu]", what, element);
}

static double any_real(uint64_t *random)
{
    static const double ends[] = {0, -0.0, 1, -1, 1e-310, 1e30, -1e30, 1e300, -1e300, 0x1p31, 0x1p63, NAN, INFINITY,
                                  -INFINITY};
    return ends[next_random(random) % (sizeof ends / sizeof *ends)];
}

static uint64_t any_integer(uint64_t *random)
{
    const uint64_t choice = next_random(random), shift = next_random(random) % 64;
    switch (choice % 6) {
    case 0: return (uint64_t)1 << shift;
    case 1: return ((uint64_t)1 << shift) - 1;
    case 2: return 0 - ((uint64_t)1 << shift);
    case 3: return 0;
    case 4: return next_random(random) % 300;
    default: return next_random(random);
    }
}

/* One element of an attribute. */
static void lie_in_attribute(mass_snapshot *s, uint32_t attribute, uint64_t *random)
{
    const mass_attribute_def *a = &s->model->attributes[attribute];
    const size_t size = mass_snapshot_size(s, attribute), one = a->component_size;
    if (size == 0) return;
    const size_t element = next_random(random) % (size / one);
    uint8_t *at = (uint8_t *)s->attributes[attribute] + element * one;
    tell(a->name, element);
    const uint64_t bits = any_integer(random);
    const double real = any_real(random);
    const float single = (float)real;
    if (a->type == MASS_F32) memcpy(at, &single, sizeof single);
    else if (a->type == MASS_F64) memcpy(at, &real, sizeof real);
    else for (size_t i = 0; i < one; i++) at[i] = (uint8_t)(bits >> 8 * (i % 8));
}

static void lie_in_tallies(mass_snapshot *s, uint64_t *random)
{
    const size_t words = s->model->tally_words * (size_t)s->worlds;
    const size_t word = words > 0 ? next_random(random) % words : 0;
    if (words > 0) s->tallies[word] = (int64_t)any_integer(random);
    tell("tallies", word);
}

static void lie_somewhere(mass_snapshot *s, uint64_t *random)
{
    const uint32_t choice = (uint32_t)(next_random(random) % (s->model->attribute_count + 1));
    if (choice < s->model->attribute_count) lie_in_attribute(s, choice, random);
    else lie_in_tallies(s, random);
}

/* ---- its file ---- */

typedef void teller(mass_snapshot *s, uint64_t *random);

static void lie_up_to_three_times(mass_snapshot *s, uint64_t *random)
{
    for (uint64_t n = 1 + next_random(random) % 3; n > 0; n--) lie_somewhere(s, random);
}

static const char *write_lie(const char *whole, int number, teller *tell_it, uint64_t *random)
{
    static char path[PATH_MAX];
    mass_error error = {0};
    mass_checkpoint *c;
    mass_snapshot s;
    const char *folder = scratch(path_of("lie-%d", number));
    cr_assert_eq(mass_checkpoint_open(whole, &c, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(mass_snapshot_allocate(&s, &c->model, c->worlds, c->agents, &error), MASS_OK);
    cr_assert_eq(mass_checkpoint_read(c, &s, &error), MASS_OK, "%s", error.text);
    lies_told[0] = '\0';
    tell_it(&s, random);
    const mass_checkpoint_settings settings = {.folder = folder_make(folder), .last_step = c->last_step};
    cr_assert_eq(mass_checkpoint_write(&settings, &s, path, &error), MASS_OK, "%s", error.text);
    mass_snapshot_free(&s);
    mass_checkpoint_close(c);
    return path;
}

/* Returns whether it was resumed. */
static bool resume(const char *plugin, const char *lie)
{
    const char *const arguments[] = {"--resume", lie, "--plugin", shipped(plugin), "--steps", path_of("%d", 2 * STEPS),
                                     "--json", "--quiet", NULL};
    const outcome one = command_run(NULL, arguments);
    cr_expect(!one.hung && one.signal == 0 && (one.status == MASS_OK || one.status == MASS_BAD_INPUT),
              "%s,%s: status %d, signal %d: %s", lie, lies_told, one.status, one.signal, one.err);
    if (one.status != MASS_OK) {
        cr_expect(line_count(one.err) == 1 && strncmp(one.err, "mass-engine: ", 13) == 0, "%s: %s", lie, one.err);
        return false;
    }
    const outcome two = RUN("--resume", lie, "--plugin", shipped(plugin), "--steps", path_of("%d", 2 * STEPS), "--json",
                            "--quiet", "--partitions", "2");
    cr_expect(two.status == 0 && strcmp(outcome_hash(&one, 0), outcome_hash(&two, 0)) == 0,
              "%s,%s: another state with 2 partitions: %s", lie, lies_told, two.err);
    return true;
}

static void try_lies(const char *plugin, const char *size, uint64_t seed, const char *const more[])
{
    const char *arguments[40] = {"--plugin", shipped(plugin), "--size", size, "--seed", "5", "--steps",
                                 path_of("%d", STEPS), "--quiet", "--checkpoint", scratch("whole")};
    for (size_t i = 11; more && *more; i++) arguments[i] = *more++;
    setenv("MASS_IDENTITY", "0123456789abcdef0123456789abcdef", 1); /* all that follows is one run */
    DONE(command_run(NULL, arguments));
    int resumed = 0;
    const int count = extended(SAMPLE, ALL);
    for (int i = 0; i < count; i++) {
        const char *lie = write_lie(path_of("%s/ckpt-%012d.h5", scratch("whole"), STEPS), i, lie_up_to_three_times,
                                    &seed);
        const bool good = resume(plugin, lie);
        resumed += good;
        if (good) remove(lie);
    }
    printf("lies-%s: %d of %d states were resumed\n", plugin, resumed, count);
}

Test(lies, life) { try_lies("life", "20x14", 1, NULL); }
Test(lies, heat) { try_lies("heat", "9x8x7", 2, NULL); }
Test(lies, sugarscape) { try_lies("sugarscape", "20x20", 3, NULL); }
Test(lies, sugarscape_of_worlds) { try_lies("sugarscape", "16x16", 4, ARGUMENTS("--worlds", "3")); }
Test(lies, minesweeper) { try_lies("minesweeper", "16x16", 5, NULL); }
Test(lies, boids) { try_lies("boids", "8x7", 6, NULL); }

/* ---- positions of agents ---- */

/* Takes the agent with number 3 to another place, or to no point at all. */
static void lie_about_a_position(mass_snapshot *s, uint64_t *random)
{
    for (uint32_t i = 0; i < s->model->attribute_count; i++) {
        const mass_attribute_def *a = &s->model->attributes[i];
        if (strcmp(a->name, "position")) continue;
        float *const x = (float *)((char *)s->attributes[i] + 3 * mass_element_size(a));
        *x = *random == 0 ? *x < 10 ? 12.5f : 2.5f : *random == 1 ? NAN : -1;
    }
}

Test(lies, an_agent_whose_position_is_not_in_its_place_is_refused)
{
    DONE(RUN("--plugin", shipped("boids"), "--size", "8x7", "--steps", "4", "--quiet", "--checkpoint",
             scratch("whole")));
    for (uint64_t which = 0; which < 3; which++) {
        const char *lie = write_lie(path_of("%s/ckpt-%012d.h5", scratch("whole"), STEPS), (int)which,
                                    lie_about_a_position, &which);
        const outcome o = RUN("--resume", lie, "--plugin", shipped("boids"), "--steps", "9", "--quiet");
        cr_expect(o.status == MASS_BAD_INPUT && line_count(o.err) == 1 && strstr(o.err, ": agent ") &&
                  strstr(o.err, " of population birds in world 0 has the position (") &&
                  strstr(o.err, "which is not in its place"), "%d: %s", (int)which, o.err);
    }
}
