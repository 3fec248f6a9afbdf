/* SPDX-License-Identifier: Apache-2.0 */
/* What --info and the report say of populations, from a model and a state made by hand. */
#include "../expect.h"
#include "../crowd.h"
#include "command/report/report.h"
#include "command/run/info.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a model of everything that is shown ---- */

static void idle_loop(const void *fields, const mass_launch *launch, const mass_range *range)
{
    (void)fields, (void)launch, (void)range;
}

static const mass_form forms[] = {
    {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, idle_loop, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, idle_loop, NULL, 1, 1, 1, 0}};
static const mass_field graze_fields[] = {{"store", "store", MASS_UPDATE, MASS_F32, 4, 0},
                                          {"sugar", "sugar", MASS_PLACE, MASS_F32, 4, 0},
                                          {"start", "store", MASS_CHILD, MASS_F32, 4, 0}};
static const mass_field eat_fields[] = {{"sugar", "sugar", MASS_UPDATE, MASS_F32, 4, 0},
                                        {"id", "id", MASS_RESIDENT, MASS_U64, 8, 0},
                                        {"store", "store", MASS_RESIDENT_UPDATE, MASS_F32, 4, 0}};

static mass_callback callback(const char *name, uint32_t over, const mass_field fields[3])
{
    return (mass_callback){.struct_size = sizeof(mass_callback), .over = over, .name = name, .field_count = 3,
        .field_size = sizeof(mass_field), .fields = fields, .form_count = 2, .form_size = sizeof(mass_form),
        .forms = forms};
}

static mass_callback graze, eat;

static void add_populations(mass_model *m)
{
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "ants", .help = "that eat sugar", .capacity = 1,
        .conflict = MASS_HIGHEST_PRIORITY, .children = 2, .priority = "store", .count = 400, .born = "births",
        .table = "who"}, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "bees", .help = "that do not",
        .initial = MASS_BY_ATTRIBUTE, .where = "hives", .unborn = "births"}, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = "ants", .name = "store", .type = MASS_F32,
        .help = "sugar that it has", .unit = "kg"}, e));
}

static void add_phases(mass_model *m)
{
    static const mass_condition scarce = {.tally = "births", .relation = MASS_AT_MOST, .value = 0.5,
                                          .parameter = "limit", .population = "bees"};
    graze = callback("graze", MASS_OVER_AGENTS, graze_fields);
    eat = callback("eat", MASS_OVER_RESIDENTS, eat_fields);
    EXPECT_OK(mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "ants",
        .callback = &graze, .reach = 3}, e));
    EXPECT_OK(mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "ants",
        .callback = &eat}, e));
    EXPECT_OK(mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, .population = "bees"}, e));
    EXPECT_OK(mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, .population = "ants",
        .order = MASS_KILL_MIGRATE_SPAWN, .condition = &scarce}, e));
}

static mass_model crowd_model(void)
{
    mass_model m = {.plugin = "ants", .version = "1.0.0", .help = strdup("ants and sugar")};
    EXPECT_OK(mass_parameters_add(&m.parameters, &(mass_parameter){.name = "limit", .type = MASS_INTEGER}, e));
    EXPECT_OK(mass_parameters_add(&m.parameters, &(mass_parameter){.name = "who", .type = MASS_TEXT}, e));
    EXPECT_OK(mass_model_add_space(&m, &(mass_space){.name = "hill", .dimensions_min = 2, .dimensions_max = 2,
        .size = {8, 8}}, NULL, 0, e));
    EXPECT_OK(mass_model_add_attribute(&m, &(mass_attribute){.name = "sugar", .type = MASS_F32}, e));
    EXPECT_OK(mass_model_add_attribute(&m, &(mass_attribute){.name = "hives", .type = MASS_U8}, e));
    EXPECT_OK(mass_model_add_tally(&m, &(mass_tally){.name = "births", .access = MASS_SUM}, e));
    add_populations(&m);
    add_phases(&m);
    EXPECT_OK(mass_model_resolve(&m, e));
    return m;
}

/* ---- what is printed ---- */

static char printed[16384];

/* Keeps what a stream is given until kept() restores it. */
typedef struct kept_stream {
    FILE *stream, *file;
    int saved;
} kept_stream;

static kept_stream keep(FILE *stream)
{
    kept_stream k = {stream, tmpfile(), dup(fileno(stream))};
    cr_assert(k.file && k.saved >= 0);
    fflush(stream);
    dup2(fileno(k.file), fileno(stream));
    return k;
}

static void kept(kept_stream k)
{
    fflush(k.stream);
    dup2(k.saved, fileno(k.stream));
    close(k.saved);
    rewind(k.file);
    printed[fread(printed, 1, sizeof printed - 1, k.file)] = '\0';
    fclose(k.file);
}

static void print_info(const mass_model *m, bool json)
{
    const mass_plugin entry = {.abi_major = MASS_ABI_MAJOR, .abi_minor = MASS_ABI_MINOR};
    const mass_info info = {.model = m, .entry = &entry, .path = "/ants.so", .called = "ants", .partitions = 1,
                            .worlds = 1, .json = json, .verbose = true};
    mass_error e = {0};
    const kept_stream k = keep(stdout);
    const mass_status status = mass_info_print(&info, &e);
    kept(k);
    cr_assert_eq(status, MASS_OK);
}

/* Lines that were folded are whole again. */
static void unfold(void)
{
    static const char goes_on[] = "\n                   ";
    for (char *at; (at = strstr(printed, goes_on));) {
        *at = ' ';
        memmove(at + 1, at + strlen(goes_on), strlen(at + strlen(goes_on)) + 1);
    }
}

static void assert_mentions(const char *const chunks[])
{
    for (size_t i = 0; chunks[i]; i++)
        cr_assert_not_null(strstr(printed, chunks[i]), "no '%s' in %s", chunks[i], printed);
}

static json_t *parse(void)
{
    json_error_t problem;
    json_t *object = json_loads(printed, 0, &problem);
    cr_assert_not_null(object, "%s in %s", problem.text, printed);
    return object;
}

/* Whether a member of an object, as compact JSON, is so. */
static void assert_json(const json_t *object, const char *key, const char *expected)
{
    char *text = json_dumps(json_object_get(object, key), JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    cr_assert(text && strcmp(text, expected) == 0, "%s is %s, not %s", key, text, expected);
    free(text);
}

Test(populations, info_text_has_them)
{
    mass_model m = crowd_model();
    print_info(&m, false);
    unfold();
    assert_mentions((const char *const[]){"populations\n  ants             that eat sugar "
        "on hill, at most 1 on a place; at the start 400 on random places, or those of the table that parameter who "
        "names; a place that several want goes to the highest priority (store); each has up to 2 children at once; "
        "counted: births (born)\n",
        "  bees             that do not on hill; at the start as many on each place as 'hives' says; "
        "counted: births (unborn, for lack of a place)\n",
        "ants.id ", "ants.lost ", "ants.world ", "ants.place ", "ants.store       sugar that it has (f32, kg)",
        "  graze            each step, over ants, radius 3: UPDATES store, SEES sugar, CHILDREN store\n",
        "  eat              each step, over places and ants on them: UPDATES sugar, MEETS id, "
        "CHANGES store\n",
        "  manage           each step, ants: kill, migrate, spawn, where births is at most 0.5 * limit * agents "
        "of bees\n",
        NULL});
    cr_assert_null(strstr(printed, "next_id"));
    mass_model_free(&m);
}

Test(populations, info_json_has_them)
{
    mass_model m = crowd_model();
    print_info(&m, true);
    cr_assert_null(strstr(printed, "next_id"));
    json_t *info = parse();
    const json_t *ants = json_array_get(json_object_get(info, "populations"), 0);
    assert_json(ants, "name", "\"ants\"");
    assert_json(ants, "space", "\"hill\"");
    assert_json(ants, "capacity", "1");
    assert_json(ants, "conflict", "\"highest priority\"");
    assert_json(ants, "priority", "\"store\"");
    assert_json(ants, "initial", "\"random places\"");
    assert_json(ants, "count", "400");
    assert_json(ants, "table", "\"who\"");
    assert_json(ants, "children", "2");
    assert_json(ants, "born", "\"births\"");
    assert_json(ants, "attributes", "[\"id\",\"lost\",\"world\",\"place\",\"store\"]");
    assert_json(json_array_get(json_object_get(info, "populations"), 1), "where", "\"hives\"");
    assert_json(json_array_get(json_object_get(info, "populations"), 1), "unborn", "\"births\"");
    const json_t *phases = json_object_get(info, "callbacks"), *manage = json_array_get(phases, 3);
    assert_json(json_array_get(phases, 0), "over", "\"agents\"");
    assert_json(json_array_get(phases, 0), "radius", "3");
    assert_json(json_array_get(phases, 1), "over", "\"residents\"");
    assert_json(json_array_get(phases, 1), "population", "\"ants\"");
    assert_json(manage, "name", "\"manage\"");
    assert_json(manage, "order", "[\"kill\",\"migrate\",\"spawn\"]");
    assert_json(manage, "condition", "{\"parameter\":\"limit\",\"population\":\"bees\",\"relation\":\"at most\","
                "\"tally\":\"births\",\"value\":0.5}");
    json_decref(info);
    mass_model_free(&m);
}

/* ---- the report ---- */

static void report(int32_t worlds, bool json)
{
    mass_model m = crowd_model();
    mass_snapshot s;
    mass_error problem = {0};
    EXPECT_OK(mass_snapshot_allocate(&s, &m, worlds, (const uint64_t[]){30, 0}, e));
    crowd_stand_all(&s);
    uint64_t agents[2][8];
    for (uint32_t p = 0; p < 2; p++) mass_snapshot_count_agents(&s, p, agents[0] + p * (uint32_t)worlds);
    const mass_result result = {.model = &m, .device = "cpu", .worlds = worlds, .tallies = s.tallies, .keys = s.keys,
                                .agents = agents[0]};
    const kept_stream k = keep(json ? stdout : stderr);
    mass_status status = MASS_OK;
    if (json) status = mass_report_json(&result, &problem);
    else mass_report_text(&result);
    kept(k);
    cr_assert_eq(status, MASS_OK);
    cr_assert_null(strstr(printed, "next_id"));
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(populations, report_counts_agents)
{
    report(1, true);
    json_t *object = parse();
    assert_json(object, "agents", "{\"ants\":30,\"bees\":0}");
    assert_json(object, "tallies", "{\"births\":null}"); /* steps count it */
    json_decref(object);
    report(1, false);
    assert_mentions((const char *const[]){"  ants 30 agents\n", "  bees 0 agents\n", NULL});
}

Test(populations, report_counts_agents_by_world)
{
    report(4, true);
    json_t *object = parse();
    assert_json(object, "agents", "{\"ants\":[8,8,8,6],\"bees\":[0,0,0,0]}");
    json_decref(object);
    report(4, false);
    assert_mentions((const char *const[]){"  ants 30 agents in 4 worlds\n", NULL});
}
