/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: tallies that count by key, over places, agents and residents. */
#include <mass/model.h>

#include "tokens.h"

MASS_PARAMETER(int64_t, kind, TOKENS_FEW, 0, 0, "of numbers")
MASS_PARAMETER(int64_t, alike, 0, 0, 0, "whether all rows are the first one")
MASS_PARAMETER(int64_t, beyond, 0, 0, 0, "bytes that rows are read too far")

MASS_SPACE(page, 2, .size = {311, 43})
MASS_ATTRIBUTE(page, uint8_t, byte, .help = "of the text")
MASS_TALLY(SUM, int64_t, words, "for a test", .keys = MASS_KEYS_TEXTS, .cumulative = 1)
MASS_TALLY(SUM, int64_t, rows, "for a test", .keys = MASS_KEYS_TEXTS)
MASS_TALLY(SUM, int64_t, numbers, "for a test", .keys = MASS_KEYS_NUMBERS)
MASS_TALLY(SUM, int64_t, ever, "for a test", .keys = MASS_KEYS_NUMBERS, .cumulative = 1)
MASS_TALLY(SUM, int64_t, ids, "for a test", .keys = MASS_KEYS_NUMBERS)
MASS_TALLY(SUM, int64_t, crowds, "for a test", .keys = MASS_KEYS_NUMBERS)
MASS_POPULATION(walker, page, .count = WALKERS, .constant = 1)
MASS_AGENT_ATTRIBUTE(walker, int32_t, steps, .help = "none")

#define TEXT ITEMS(AS(text, byte))

/* Words between blanks, and the empty text for a blank behind a blank. */
MASS_MAP(tokens_words, TEXT, KEYS(words))
{
    const int behind_blank = ITEMS_BEFORE == 0 || ITEM(text, -1) == ' ';
    int64_t length = 0;
    if (!behind_blank) return;
    while (length < ITEMS_LEFT && ITEM(text, length) != ' ') length++;
    COUNT_TEXT(words, ITEMS_AT(text), length);
}

/* Whole rows, which may be long. */
MASS_MAP(tokens_rows, TEXT, GIVEN(beyond), KEYS(rows))
{
    if (ITEMS_BEFORE == 0) COUNT_TEXT(rows, ITEMS_AT(text), ITEMS_LEFT + PARAM(beyond));
}

MASS_MAP(tokens_numbers, GIVEN(kind), KEYS(numbers))
{
    COUNT_KEY(numbers, number_of(PARAM(kind), AT_Y * SIZE_X + AT_X, (int64_t)STEP));
}

MASS_MAP(tokens_ever, GIVEN(kind), KEYS(ever))
{
    COUNT_KEY(ever, number_of(PARAM(kind), AT_Y * SIZE_X + AT_X, (int64_t)STEP));
}

MASS_RESIDENTS(tokens_crowds, walker, 2, 0, KEYS(crowds)) { COUNT_KEY(crowds, RESIDENT_COUNT); }

MASS_AGENT(tokens_walk, walker, 2, READS(steps), KEYS(ids))
{
    COUNT_KEY(ids, AGENT_ID % 37 + (uint64_t)IN(steps));
    MIGRATE(1, 0);
}

MASS_SCHEDULE(STEPS(tokens_words), STEPS(tokens_rows), STEPS(tokens_numbers), STEPS(tokens_ever), STEPS(tokens_crowds),
              STEPS(tokens_walk), MANAGES(walker))

#if MASS_HOST
#include <stdio.h>
#include <stdlib.h>

static mass_status tokens_load(mass_host *host)
{
    mass_gidx size[3];
    mass_values_of(host)->size(host, "page", size, &(uint32_t){0});
    const int alike = VALUE(alike) != 0;
    uint8_t *row = malloc((size_t)size[0]);
    if (!row) return host->fail(host, MASS_FAILED, "no memory for a row");
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < mass_run_of(host)->worlds(host); w++)
        for (mass_gidx y = 0; status == MASS_OK && y < size[1]; y++) {
            for (mass_gidx x = 0; x < size[0]; x++) row[x] = byte_of(x, (alike ? 0 : y) + w);
            status = mass_run_of(host)->write(host, "page", "byte", w, (const mass_gidx[]){0, y, 0},
                                              (const mass_gidx[]){size[0], 1, 1}, row);
        }
    free(row);
    return status;
}

/* What the engine's table says has to be what the report says: the test compares. */
static mass_status tokens_finish(mass_host *host)
{
    uint64_t distinct, numbers[3] = {0}, lengths[3] = {0}, count = 3;
    int64_t total, counts[3] = {0};
    const unsigned char *texts[3];
    char line[200];
    mass_status status = mass_keys_of(host)->distinct(host, "numbers", 0, &distinct, &total);
    if (status == MASS_OK)
        status = mass_keys_of(host)->top(host, "numbers", 0, &count, numbers, NULL, NULL, counts);
    if (status != MASS_OK) return status;
    snprintf(line, sizeof line, "%llu numbers of %lld, most of %llu: %lld", (unsigned long long)distinct,
             (long long)total, (unsigned long long)numbers[0], (long long)counts[0]);
    mass_run_of(host)->say(host, line);
    count = 3;
    status = mass_keys_of(host)->top(host, "words", 0, &count, NULL, texts, lengths, counts);
    if (status != MASS_OK) return status;
    snprintf(line, sizeof line, "%llu words, the first %d of %llu bytes, %lld", (unsigned long long)count,
             lengths[0] ? texts[0][0] : 0, (unsigned long long)lengths[0], (long long)counts[0]);
    mass_run_of(host)->say(host, line);
    return MASS_OK;
}

#endif

MASS_PLUGIN(.name = "tokens", .version = "1.0.0", .help = "tallies that count by key", .load = tokens_load,
            .finish = tokens_finish);
