/* SPDX-License-Identifier: Apache-2.0 */
/* --crate: the description of a finished run as an RO-Crate, read as another program reads it. */
#include "command.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

TestSuite(crate, SCRATCH);

#define NAME "ro-crate-metadata.json"

/* The crate of a folder. It lives until the test's process ends. */
static json_t *crate_of(const char *folder)
{
    static json_t *all;
    const content c = file_read(path_of("%s/" NAME, folder));
    json_t *crate = json_loadb((const char *)c.bytes, c.size, 0, NULL);
    cr_assert(crate, "%s", (const char *)c.bytes);
    if (!all) all = json_array();
    json_array_append_new(all, crate);
    return crate;
}

/* The entity of an id, of which there is one. */
static json_t *entity(const json_t *crate, const char *id)
{
    json_t *one, *found = NULL;
    size_t i;
    json_array_foreach(json_object_get(crate, "@graph"), i, one) {
        if (strcmp(json_string_value(json_object_get(one, "@id")), id) != 0) continue;
        cr_expect_null(found, "two entities %s", id);
        found = one;
    }
    cr_assert(found, "no entity %s", id);
    return found;
}

static const char *text(const json_t *entity, const char *name)
{
    const json_t *value = json_object_get(entity, name);
    if (json_is_object(value)) value = json_object_get(value, "@id");
    cr_assert(json_is_string(value), "%s", name);
    return json_string_value(value);
}

static bool refers(const json_t *list, const char *id)
{
    const json_t *one;
    size_t i;
    bool found = false;
    json_array_foreach((json_t *)(uintptr_t)list, i, one) found |= strcmp(text(one, "@id"), id) == 0;
    return found;
}

/* Expects that all references lead to an entity, but for those to the web. */
static void expect_whole(const json_t *crate)
{
    json_t *one, *value, *item;
    const char *key;
    size_t i, k;
    json_array_foreach(json_object_get(crate, "@graph"), i, one) json_object_foreach(one, key, value) {
        json_t *list = json_is_array(value) ? json_incref(value) : json_pack("[O]", value);
        json_array_foreach(list, k, item) {
            if (!json_is_object(item)) continue;
            const char *id = text(item, "@id");
            if (strncmp(id, "http", 4) != 0) entity(crate, id);
        }
        json_decref(list);
    }
}

/* Expects the hash of a file. */
static void expect_hash(const json_t *crate, const char *id, const content c)
{
    const XXH128_hash_t h = XXH3_128bits(c.bytes, c.size);
    char hex[33];
    snprintf(hex, sizeof hex, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
    cr_expect_str_eq(text(entity(crate, text(entity(crate, id), "identifier")), "value"), hex, "%s", id);
}

/* Expects a file among the results, with its size and hash. */
static void expect_file(const json_t *crate, const char *id, const char *path, const char *type)
{
    const json_t *file = entity(crate, id);
    const content c = file_read(path);
    expect_hash(crate, id, c);
    cr_expect_str_eq(text(file, "@type"), "File");
    cr_expect_str_eq(text(file, "encodingFormat"), type);
    cr_expect_eq(json_integer_value(json_object_get(file, "contentSize")), (json_int_t)c.size, "%s", id);
    cr_expect(refers(json_object_get(entity(crate, "#run"), "result"), id), "%s", id);
}

static json_int_t number(const json_t *crate, const char *id)
{
    return json_integer_value(json_object_get(entity(crate, id), "value"));
}

Test(crate, has_the_run_and_its_files)
{
    const char *out = folder_make(scratch("my out")), *rows = scratch("rows.csv");
    const outcome o = RUN("sugarscape", "--size", "30x20", "--steps", "20", "--seed", "7", "--set", "vision_max=4",
                          "--checkpoint", out, "--log", "ants", "--image", path_of("%s/now 1.png", out), "--series",
                          rows, "--crate", out, "--quiet", "--json");
    const json_t *crate = crate_of(out), *run = entity(crate, "#run"), *root = entity(crate, "./");
    expect_whole(crate);
    cr_expect_str_eq(text(entity(crate, "#state"), "value"), outcome_hash(&o, 0));
    cr_expect_str_eq(text(entity(crate, NAME), "conformsTo"), "https://w3id.org/ro/crate/1.1");
    cr_expect_str_eq(text(entity(crate, NAME), "about"), "./");
    cr_expect_str_eq(text(root, "conformsTo"), "https://w3id.org/ro/wfrun/process/0.5");
    cr_expect_str_eq(text(root, "mentions"), "#run");
    cr_expect_str_eq(text(run, "@type"), "CreateAction");
    cr_expect_str_eq(text(entity(crate, text(run, "instrument")), "@type"), "SoftwareApplication");
    cr_expect_str_eq(text(entity(crate, "#model"), "name"), "sugarscape");
    expect_hash(crate, "#model", file_read(shipped("sugarscape")));
    cr_expect(strstr(text(run, "description"), "--set vision_max=4"));
    cr_expect_eq(strlen(text(run, "endTime")), strlen("2026-01-01T00:00:00Z"));
    cr_expect_leq(strcmp(text(run, "startTime"), text(run, "endTime")), 0);
    cr_expect_eq(number(crate, "#value-vision_max"), 4);
    cr_expect_eq(number(crate, "#value-run.seed"), 7);
    cr_expect(refers(json_object_get(run, "object"), "#value-vision_max"));
    expect_file(crate, "ckpt-000000000020.h5", path_of("%s/ckpt-000000000020.h5", out), "application/x-hdf5");
    expect_file(crate, "series.h5", path_of("%s/series.h5", out), "application/x-hdf5");
    expect_file(crate, "now%201.png", path_of("%s/now 1.png", out), "image/png");
    expect_file(crate, path_of("file://%s", rows), rows, "text/csv");
    cr_expect(refers(json_object_get(root, "hasPart"), "now%201.png"));
    cr_expect_not(refers(json_object_get(root, "hasPart"), path_of("file://%s", rows)));
}

Test(crate, has_what_the_run_began_with)
{
    const char *out = scratch("out"), *more = scratch("more");
    const char *params = scratch("density.yaml");
    file_write_text(params, "density: 0.5\n");
    DONE(RUN("life", "--size", "8", "--steps", "2", "--seed", "1", "--params", params, "--checkpoint", out, "--crate",
             out, "--quiet"));
    cr_expect(refers(json_object_get(entity(crate_of(out), "#run"), "object"), path_of("file://%s", params)));
    cr_expect_float_eq(json_real_value(json_object_get(entity(crate_of(out), "#value-density"), "value")), 0.5, 0);
    DONE(RUN("--resume", out, "--steps", "5", "--checkpoint", more, "--crate", more, "--quiet"));
    const json_t *crate = crate_of(more);
    expect_whole(crate);
    cr_expect(refers(json_object_get(entity(crate, "#run"), "object"),
                     path_of("file://%s/ckpt-000000000002.h5", out)));
    expect_file(crate, "ckpt-000000000005.h5", path_of("%s/ckpt-000000000005.h5", more), "application/x-hdf5");
}

Test(crate, replaces_its_own_and_no_other)
{
    const char *out = scratch("out");
    for (int i = 0; i < 2; i++)
        DONE(RUN("life", "--size", "8", "--steps", "2", "--seed", "1", "--crate", out, "--quiet"));
    file_write_text(path_of("%s/" NAME, out), "{\"@graph\": []}");
    REFUSED(RUN("life", "--size", "8", "--steps", "2", "--seed", "1", "--crate", out, "--quiet"), 2,
            "is not one that mass-engine wrote", "--force");
    cr_expect_str_eq((const char *)file_read(path_of("%s/" NAME, out)).bytes, "{\"@graph\": []}");
    DONE(RUN("life", "--size", "8", "--steps", "2", "--seed", "1", "--crate", out, "--quiet", "--force"));
    entity(crate_of(out), "#run");
}

Test(crate, is_refused_before_the_run_where_it_cannot_be)
{
    REFUSED(RUN("life", "--size", "8", "--steps", "2", "--seed", "1", "--crate", scratch("no/folder"), "--checkpoint",
                scratch("out"), "--quiet"), 2, "cannot write --crate", "No such file");
    file_write_text(scratch("file"), "");
    REFUSED(RUN("life", "--size", "8", "--steps", "2", "--seed", "1", "--crate", scratch("file"), "--quiet"), 2,
            "cannot write --crate", "Not a directory");
    file_write_text(scratch("sweep.csv"), "density\n0.1;0.2\n");
    REFUSED(RUN("life", "--size", "8", "--steps", "2", "--seed", "1", "--sweep", scratch("sweep.csv"), "--results",
                scratch("r.h5"), "--crate", scratch("out"), "--quiet"), 2, "--results", "leave out", "--crate");
    cr_expect_not(file_exists(scratch("out")));
}

Test(crate, is_of_each_run_of_a_sweep)
{
    file_write_text(scratch("sweep.csv"), "seed\n3;4\n");
    DONE(RUN("life", "--size", "8", "--steps", "2", "--sweep", scratch("sweep.csv"), "--crate", scratch("out"),
             "--quiet"));
    cr_expect_eq(number(crate_of(scratch("out/run-1")), "#value-run.seed"), 3);
    cr_expect_eq(number(crate_of(scratch("out/run-2")), "#value-run.seed"), 4);
}
