/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says as JSON, with any bytes as texts, paths, words and numbers: always one object, in which each of them
 * is found again. The same of what --info says of a plugin with such texts. */
#include "input.h"
#include "command/report/report.h"
#include "command/run/info.h"
#include "plugin/host.h"
#include "process/standard.h"
#include "snapshot/snapshot.h"
#include "text/json.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KEYS_MOST = 40 };

/* ---- what is printed ---- */

static int output = -1;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    output = memfd_create("output", MFD_CLOEXEC);
    ALWAYS(output >= 0 && dup2(output, STDOUT_FILENO) == STDOUT_FILENO);
    mass_standard_open();
    return 0;
}

static void forget_output(void) { ALWAYS(ftruncate(output, 0) == 0 && lseek(output, 0, SEEK_SET) == 0); }

/* One object and a new line. */
static json_t *read_output(void)
{
    const off_t size = lseek(output, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);
    json_error_t why;
    ALWAYS(text && pread(output, text, (size_t)size, 0) == size);
    ALWAYS(size > 2 && text[size - 1] == '\n' && text[size - 2] == '}');
    json_t *object = json_loadb(text, (size_t)size, JSON_REJECT_DUPLICATES, &why);
    ALWAYS(json_is_object(object));
    free(text);
    return object;
}

/* ---- texts ---- */

/* The bytes that an escaped text stands for. */
static size_t unescape(const char *text, uint8_t *out)
{
    size_t count = 0;
    for (unsigned byte; *text; count++)
        if (text[0] == '\\') {
            ALWAYS(text[1] == 'x' && sscanf(text + 2, "%2x", &byte) == 1);
            out[count] = (uint8_t)byte;
            text += 4;
        } else out[count] = (uint8_t)*text++;
    return count;
}

static void check_escaped(const char *escaped, const void *text, size_t length)
{
    uint8_t *bytes = malloc(strlen(escaped) + 1);
    ALWAYS(bytes && unescape(escaped, bytes) == length && memcmp(bytes, text, length) == 0);
    free(bytes);
}

/* A text that is UTF-8 is as it was, any other is escaped. */
static void check_text(const json_t *found, const char *text)
{
    json_t *as_it_is = json_string(text);
    ALWAYS(json_is_string(found));
    if (as_it_is) ALWAYS(strcmp(json_string_value(found), text) == 0);
    else check_escaped(json_string_value(found), text, strlen(text));
    json_decref(as_it_is);
}

/* Of any bytes, zeros too: for programs and for terminals. */
static void check_escapes(const uint8_t *bytes, size_t size)
{
    for (int terminal = 0; terminal < 2; terminal++) {
        char *escaped = mass_text_escape(bytes, size, terminal);
        json_t *json = json_string(escaped);
        ALWAYS(escaped && json);
        check_escaped(escaped, bytes, size);
        for (const unsigned char *c = (const unsigned char *)escaped; terminal && *c; c++)
            ALWAYS(*c >= 0x20 && *c != 0x7f && (*c != 0xc2 || c[1] >= 0xa0));
        json_decref(json);
        free(escaped);
    }
}

/* ---- keys ---- */

static mass_key_list take_keys(input *in, bool texts)
{
    mass_key_set set = {.texts = texts};
    mass_key_list list = {0};
    mass_error error = {0};
    for (int i = take_u8(in) % KEYS_MOST; i > 0; i--) {
        uint8_t text[40];
        const int64_t count = 1 + (int64_t)(take_u64(in) >> 1) % (INT64_MAX / KEYS_MOST);
        if (texts) mass_key_set_add_text(&set, text, take_bytes(in, text, take_u8(in) % sizeof text), count);
        else mass_key_set_add_number(&set, take_u64(in), count);
    }
    ALWAYS(!set.failed && mass_key_list_of(&set, &list, &error) == MASS_OK);
    ALWAYS(mass_key_list_is_sound(&list, mass_key_list_bytes(&list)));
    mass_key_set_free(&set);
    return list;
}

static void check_key(const mass_key_list *l, uint64_t i, const json_t *found)
{
    uint64_t length;
    char digits[24];
    if (l->texts) {
        const uint8_t *text = mass_key_list_text(l, i, &length);
        check_escaped(json_string_value(found), text, length);
    } else if (json_is_integer(found)) ALWAYS(json_integer_value(found) == (json_int_t)l->keys[i]);
    else {
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)l->keys[i]);
        ALWAYS(l->keys[i] > INT64_MAX && strcmp(json_string_value(found), digits) == 0);
    }
}

static void check_keys(const mass_key_list *l, const json_t *found)
{
    const json_t *top = json_object_get(found, "top");
    uint64_t order[KEYS_MOST];
    ALWAYS(json_integer_value(json_object_get(found, "distinct")) == (json_int_t)l->count);
    ALWAYS(json_integer_value(json_object_get(found, "total")) == mass_key_list_total(l));
    ALWAYS(json_array_size(top) == l->count && mass_key_list_top(l, KEYS_MOST, order) == l->count);
    for (size_t i = 0; i < l->count; i++) {
        check_key(l, order[i], json_array_get(json_array_get(top, i), 0));
        ALWAYS(json_integer_value(json_array_get(json_array_get(top, i), 1)) == l->counts[order[i]]);
    }
}

/* ---- a model with such texts ---- */

static const char *declared[4];

static mass_status open_model(mass_host *host)
{
    const char *const choices[] = {declared[0], "other", NULL};
    MASS_DECLARE(host, parameter, .name = "a", .type = MASS_TEXT, .text = declared[0], .help = declared[1]);
    MASS_DECLARE(host, parameter, .name = "b", .type = MASS_CHOICE, .choices = choices, .unit = declared[1]);
    MASS_DECLARE(host, parameter, .name = "c", .type = MASS_REAL, .real_min = 0, .real_max = 1);
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 1, .dimensions_max = 1, .size = {3});
    MASS_DECLARE(host, attribute, .name = "d", .type = MASS_F32, .help = declared[0], .unit = declared[1]);
    MASS_DECLARE(host, tally, .name = "integer", .access = MASS_SUM, .help = declared[1], .unit = declared[0]);
    MASS_DECLARE(host, tally, .name = "least", .access = MASS_MIN);
    MASS_DECLARE(host, tally, .name = "most", .access = MASS_MAX, .kind = MASS_TALLY_REAL);
    MASS_DECLARE(host, tally, .name = "sum", .access = MASS_SUM, .kind = MASS_TALLY_REAL);
    MASS_DECLARE(host, tally, .name = "mean", .access = MASS_MEAN, .kind = MASS_TALLY_REAL);
    MASS_DECLARE(host, tally, .name = "fixed", .access = MASS_SUM, .kind = MASS_TALLY_FIXED, .fraction_bits = 40);
    MASS_DECLARE(host, tally, .name = "bins", .access = MASS_SUM, .bins = 3, .low = -1, .high = 1);
    MASS_DECLARE(host, tally, .name = "numbers", .access = MASS_SUM, .keys = MASS_KEYS_NUMBERS);
    MASS_DECLARE(host, tally, .name = "texts", .access = MASS_SUM, .keys = MASS_KEYS_TEXTS);
    MASS_DECLARE_SERIES(host, .expression = "integer", .unit = declared[0]);
    return MASS_OK;
}

static const char *const services[] = {MASS_DECLARE_ID, MASS_SERIES_ID, NULL};

/* ---- a run ---- */

static double real_of(const json_t *o, const char *key)
{
    const json_t *found = json_object_get(o, key);
    return json_is_null(found) ? NAN : json_number_value(found);
}

/* Numbers are the very ones, and null where there is none. */
static void check_value(const mass_result *r, const char *name, int32_t world, const json_t *found)
{
    const mass_tally_def *t = &r->model->tallies[mass_model_find_tally(r->model, name)];
    const int64_t *at = r->tallies + mass_tally_at(t, r->worlds, world);
    const double value = mass_tally_value(t, at);
    if (mass_tally_is_unknown(t, r->steps) || mass_tally_is_empty(t, at) || !isfinite(value))
        ALWAYS(json_is_null(found));
    else if (t->kind == MASS_TALLY_INTEGER) ALWAYS(json_integer_value(found) == *at);
    else ALWAYS(json_is_real(found) && json_real_value(found) == value);
}

static const json_t *of_world(const json_t *tallies, const char *name, const mass_result *r, int32_t world)
{
    const json_t *found = json_object_get(tallies, name);
    return r->worlds > 1 ? json_array_get(found, (size_t)world) : found;
}

static void check_tallies(const mass_result *r, const json_t *tallies)
{
    static const char *const single[] = {"integer", "least", "most", "sum", "mean", "fixed"};
    for (int32_t w = 0; w < r->worlds; w++) {
        for (size_t i = 0; i < sizeof single / sizeof *single; i++)
            check_value(r, single[i], w, of_world(tallies, single[i], r, w));
        for (uint32_t i = 0; i < r->model->tally_count; i++) {
            const mass_tally_def *t = &r->model->tallies[i];
            const json_t *found = of_world(tallies, t->name, r, w);
            if (t->keys && mass_tally_is_unknown(t, r->steps)) ALWAYS(json_is_null(found));
            else if (t->keys) check_keys(&r->keys[i * (size_t)r->worlds + (size_t)w], found);
        }
    }
}

static void check_report(mass_result *r, input *in)
{
    mass_error error = {0};
    char *until = take_text(in), *checkpoint = take_text(in);
    r->until = until;
    r->checkpoint = checkpoint;
    forget_output();
    ALWAYS(mass_report_json(r, &error) == MASS_OK);
    json_t *o = read_output();
    check_text(json_object_get(o, "version"), r->model->version);
    check_text(json_object_get(o, "until"), until);
    check_text(json_object_get(o, "checkpoint"), checkpoint);
    ALWAYS((uint64_t)json_integer_value(json_object_get(o, "seed")) == r->seed);
    check_tallies(r, json_object_get(o, "tallies"));
    ALWAYS(!isnan(real_of(json_object_get(o, "seconds"), "total")));
    json_decref(o);
    free(until);
    free(checkpoint);
}

/* Exact sums are of as many numbers as there can be. */
static void take_tallies(const mass_model *m, int32_t worlds, int64_t *tallies, input *in)
{
    take_bytes(in, tallies, m->tally_words * (size_t)worlds * sizeof *tallies);
    for (uint32_t i = 0; i < m->tally_count; i++)
        for (size_t k = 0; mass_tally_is_exact(&m->tallies[i]) && k < (size_t)worlds * m->tallies[i].words; k++)
            tallies[mass_tally_at(&m->tallies[i], worlds, 0) + k] >>= 8;
}

static void check_run(const mass_model *m, input *in)
{
    mass_snapshot state;
    mass_error error = {0};
    mass_result r = {.model = m, .device = "cpu", .worlds = 1 + take_u8(in) % 3, .seed = take_u64(in) >> 1,
                     .steps = take_u64(in) >> 24 ^ 1, .partitions = 1, .state_hash = "0123"};
    ALWAYS(mass_snapshot_allocate(&state, m, r.worlds, NULL, &error) == MASS_OK);
    take_tallies(m, r.worlds, state.tallies, in);
    for (uint32_t i = 0; i < m->tally_count; i++)
        for (int32_t w = 0; w < r.worlds && m->tallies[i].keys; w++)
            state.keys[i * (size_t)r.worlds + (size_t)w] = take_keys(in, m->tallies[i].keys == MASS_KEYS_TEXTS);
    r.tallies = state.tallies;
    r.keys = state.keys;
    check_report(&r, in);
    mass_snapshot_free(&state);
}

static void check_info(const mass_model *m, const mass_plugin *plugin, const char *path)
{
    mass_error error = {0};
    forget_output();
    ALWAYS(mass_info_print(&(mass_info){m, plugin, path, path, 1, 1, .json = true}, &error) == MASS_OK);
    json_t *o = read_output();
    const json_t *parameters = json_object_get(o, "parameters");
    check_text(json_object_get(o, "path"), path);
    check_text(json_object_get(o, "help"), plugin->help);
    check_text(json_object_get(o, "version"), m->version);
    check_text(json_object_get(json_array_get(parameters, 0), "value"), declared[0]);
    check_text(json_object_get(json_array_get(parameters, 0), "help"), declared[1]);
    check_text(json_array_get(json_object_get(json_array_get(parameters, 1), "choices"), 0), declared[0]);
    json_decref(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, bytes + size};
    char *texts[4];
    for (int i = 0; i < 4; i++) declared[i] = texts[i] = take_text(&in);
    const mass_plugin plugin = {.struct_size = sizeof plugin, .name = "texts", .version = texts[2], .help = texts[3],
                                .services = services, .open = open_model};
    const mass_opening opening = {.seed = 1};
    mass_engine_host h;
    mass_model m;
    mass_error error = {0};
    check_escapes(bytes, size);
    if (mass_host_open(&h, &plugin, &opening, &m, &error) == MASS_OK) {
        check_info(&m, &plugin, texts[1]);
        check_run(&m, &in);
    }
    mass_model_free(&m);
    for (int i = 0; i < 4; i++) free(texts[i]);
    return 0;
}
