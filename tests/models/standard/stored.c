/* SPDX-License-Identifier: Apache-2.0 */
#include "standard/stored.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY = 4 };

static void *stored(const char *path, const char *name, size_t each, size_t *count)
{
    const dataset d = dataset_read(path, name);
    cr_assert_eq(d.size % each, 0, "%s", name);
    *count = d.size / each;
    return d.bytes;
}

void *stored_agents(const char *path, const char *population, const char *attribute, size_t each, size_t *count)
{
    return stored(path, text("/agents/%s/%s", population, attribute), each, count);
}

void *stored_places(const char *path, const char *space, const char *attribute, size_t each, size_t *count)
{
    return stored(path, text("/places/%s/%s", space, attribute), each, count);
}

static void expect(const char *path, const char *name, const void *expected, size_t each, size_t count,
                   const char *what)
{
    const dataset d = dataset_read(path, name);
    const char *values = expected;
    cr_assert_eq(d.size, each * count, "%s has %zu bytes for %zu values: %s", name, d.size, count, what);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(memcmp(d.bytes + i * each, values + i * each, each), 0, "value %zu of %s: %s", i, name, what);
    free(d.bytes);
}

void expect_agents(const char *path, const char *population, const char *attribute, const void *expected, size_t each,
                   size_t count, const char *what)
{
    expect(path, text("/agents/%s/%s", population, attribute), expected, each, count, what);
}

void expect_places(const char *path, const char *space, const char *attribute, const void *expected, size_t each,
                   size_t count, const char *what)
{
    expect(path, text("/places/%s/%s", space, attribute), expected, each, count, what);
}

void each_step(const standard_run *r, const char *where, void *loop, void (*begin)(void *loop, const char *path),
               void (*advance)(void *loop, const char *path, const char *what),
               void (*end)(void *loop, const outcome *o, const char *what))
{
    const char *folder = folder_make();
    const char *what = text("--plugin '%s/%s.so' --seed %d %s %s", getenv("MASS_PLUGINS"), r->plugin, r->seed,
                            r->options, where);
    engine_write(text("%s --steps 0 --checkpoint '%s'", what, folder));
    outcome o = engine_run(text("%s --steps %d --checkpoint '%s' --checkpoint-every %d --keep 0", what, r->steps,
                                folder, EVERY));
    begin(loop, checkpoint_path(folder, 0));
    for (int step = 1; step <= r->steps; step++)
        advance(loop, step % EVERY ? NULL : checkpoint_path(folder, (uint64_t)step), text("step %d of %s", step, what));
    end(loop, &o, what);
    outcome_free(&o);
    folder_empty(folder);
}
