/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key, over places, agents and residents. */
#include "tokens.h"

#include <mass/mass.h>

/* Words between blanks, and the empty text for a blank behind a blank. */
#define WORDS(FIELD)                       \
    FIELD(text,  uint8_t, ITEMS, byte)     \
    FIELD(words, int64_t, KEYS,  words)

MASS_MAP(tokens_words, WORDS)
{
    const int behind_blank = ITEMS_BEFORE == 0 || ITEM(text, -1) == ' ';
    int64_t length = 0;
    if (!behind_blank) return;
    while (length < ITEMS_LEFT && ITEM(text, length) != ' ') length++;
    COUNT_TEXT(words, ITEMS_AT(text), length);
}

/* Whole rows, which may be long. */
#define ROWS(FIELD)                         \
    FIELD(text,   uint8_t, ITEMS, byte)     \
    FIELD(beyond, int64_t, PARAM, beyond)   \
    FIELD(rows,   int64_t, KEYS,  rows)

MASS_MAP(tokens_rows, ROWS)
{
    if (ITEMS_BEFORE == 0) COUNT_TEXT(rows, ITEMS_AT(text), ITEMS_LEFT + PARAM(beyond));
}

#define NUMBERS(FIELD)                     \
    FIELD(kind,    int64_t, PARAM, kind)   \
    FIELD(numbers, int64_t, KEYS,  numbers)

MASS_MAP(tokens_numbers, NUMBERS)
{
    COUNT_KEY(numbers, number_of(PARAM(kind), AT_Y * SIZE_X + AT_X, (int64_t)STEP));
}

#define EVER(FIELD)                        \
    FIELD(kind, int64_t, PARAM, kind)      \
    FIELD(ever, int64_t, KEYS,  ever)

MASS_MAP(tokens_ever, EVER)
{
    COUNT_KEY(ever, number_of(PARAM(kind), AT_Y * SIZE_X + AT_X, (int64_t)STEP));
}

#define WALK(FIELD)                        \
    FIELD(steps, int32_t, READ, steps)     \
    FIELD(ids,   int64_t, KEYS, ids)

MASS_AGENT(tokens_walk, WALK, 2)
{
    COUNT_KEY(ids, AGENT_ID % 37 + (uint64_t)IN(steps));
    MIGRATE(1, 0);
}

#define CROWDS(FIELD)                      \
    FIELD(crowds, int64_t, KEYS, crowds)

MASS_RESIDENTS(tokens_crowds, CROWDS, 2, 0)
{
    COUNT_KEY(crowds, RESIDENT_COUNT);
}
