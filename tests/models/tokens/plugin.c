/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: tallies that count by key. */
#include "tokens.h"
#include "tokens_kernels.h"

#include <stdio.h>
#include <stdlib.h>

static void declare_keys(mass_host *host, const char *name, uint32_t keys, uint32_t cumulative)
{
    MASS_DECLARE(host, tally, .name = name, .access = MASS_SUM, .keys = keys, .cumulative = cumulative,
                 .help = "for a test");
}

static mass_status tokens_open(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "kind", .type = MASS_INTEGER, .integer = TOKENS_FEW, .help = "of numbers");
    MASS_DECLARE(host, parameter, .name = "alike", .type = MASS_INTEGER, .help = "whether all rows are the first one");
    MASS_DECLARE(host, parameter, .name = "beyond", .type = MASS_INTEGER, .help = "bytes that rows are read too far");
    MASS_DECLARE(host, space, .name = "page", .dimensions_min = 2, .dimensions_max = 2, .size = {311, 43});
    MASS_DECLARE(host, attribute, .name = "byte", .type = MASS_U8, .help = "of the text");
    declare_keys(host, "words", MASS_KEYS_TEXTS, 1);
    declare_keys(host, "rows", MASS_KEYS_TEXTS, 0);
    declare_keys(host, "numbers", MASS_KEYS_NUMBERS, 0);
    declare_keys(host, "ever", MASS_KEYS_NUMBERS, 1);
    declare_keys(host, "ids", MASS_KEYS_NUMBERS, 0);
    declare_keys(host, "crowds", MASS_KEYS_NUMBERS, 0);
    MASS_DECLARE_AGENTS(host, population, .name = "walker", .count = WALKERS, .constant = 1);
    MASS_DECLARE(host, attribute, .population = "walker", .name = "steps", .type = MASS_I32, .help = "none");
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &tokens_words);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &tokens_rows);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &tokens_numbers);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &tokens_ever);
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "walker", .callback = &tokens_crowds);
    MASS_DECLARE_AGENTS(host, phase, .schedule = MASS_STEP, .population = "walker", .callback = &tokens_walk);
    return MASS_DECLARE_AGENTS(host, manage, .schedule = MASS_STEP, .population = "walker");
}

static mass_status tokens_load(mass_host *host)
{
    mass_gidx size[3];
    mass_values(host)->size(host, "page", size, &(uint32_t){0});
    const int alike = mass_values(host)->integer(host, "alike") != 0;
    uint8_t *row = malloc((size_t)size[0]);
    if (!row) return host->fail(host, MASS_FAILED, "no memory for a row");
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < mass_run(host)->worlds(host); w++)
        for (mass_gidx y = 0; status == MASS_OK && y < size[1]; y++) {
            for (mass_gidx x = 0; x < size[0]; x++) row[x] = byte_of(x, (alike ? 0 : y) + w);
            status = mass_run(host)->write(host, "page", "byte", w, (const mass_gidx[]){0, y, 0},
                                           (const mass_gidx[]){size[0], 1, 1}, row);
        }
    free(row);
    return status;
}

/* What the service says has to be what the report says: the test compares. */
static mass_status tokens_finish(mass_host *host)
{
    uint64_t distinct, numbers[3], lengths[3], count = 3;
    int64_t total, counts[3];
    const unsigned char *texts[3];
    char line[200];
    mass_status status = mass_keys_service(host)->distinct(host, "numbers", 0, &distinct, &total);
    if (status == MASS_OK)
        status = mass_keys_service(host)->top(host, "numbers", 0, &count, numbers, NULL, NULL, counts);
    if (status != MASS_OK) return status;
    snprintf(line, sizeof line, "%llu numbers of %lld, most of %llu: %lld", (unsigned long long)distinct,
             (long long)total, (unsigned long long)numbers[0], (long long)counts[0]);
    mass_run(host)->say(host, line);
    count = 3;
    status = mass_keys_service(host)->top(host, "words", 0, &count, NULL, texts, lengths, counts);
    if (status != MASS_OK) return status;
    snprintf(line, sizeof line, "%llu words, the first %d of %llu bytes, %lld", (unsigned long long)count,
             lengths[0] ? texts[0][0] : 0, (unsigned long long)lengths[0], (long long)counts[0]);
    mass_run(host)->say(host, line);
    return MASS_OK;
}

MASS_PLUGIN(.name = "tokens", .version = "1.0.0", .help = "tallies that count by key",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, MASS_AGENTS_ID,
                                              MASS_KEYS_ID, NULL},
            .open = tokens_open, .load = tokens_load, .finish = tokens_finish);
