/* SPDX-License-Identifier: Apache-2.0 */
#include "io/folder/made.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 180 /* most bytes of a value in a message */ };

typedef struct span {
    const char *at;
    size_t size;
} span;

typedef struct item {
    span kind, name, value;
} item;

#define SHOW(S) (int)((S).size < SHOWN ? (S).size : SHOWN), (S).at

static bool same(span a, span b) { return a.size == b.size && memcmp(a.at, b.at, a.size) == 0; }

static bool is(span s, const char *text) { return s.size == strlen(text) && memcmp(s.at, text, s.size) == 0; }

/* Returns the bytes before the first `end`; *rest becomes the bytes after it. */
static span take_until(span *rest, char end)
{
    const char *found = rest->size ? memchr(rest->at, end, rest->size) : NULL;
    const span taken = {rest->at, found ? (size_t)(found - rest->at) : rest->size};
    const size_t gone = taken.size + (found ? 1 : 0);
    *rest = (span){rest->at + gone, rest->size - gone};
    return taken;
}

/* Takes the next line and divides it into kind, name and value; false at the end. */
static bool take_item(span *rest, item *out)
{
    if (rest->size == 0) return false;
    span line = take_until(rest, '\n');
    out->kind = take_until(&line, ' ');
    out->name = take_until(&line, ' ');
    out->value = line;
    return true;
}

/* Finds the first item of this kind and name. Returns false if there is none. Overwrites *out in any case. */
static bool find(span text, span kind, span name, item *out)
{
    while (take_item(&text, out))
        if (same(out->kind, kind) && same(out->name, name)) return true;
    return false;
}

/* Returns true if the text has an item of this kind. */
static bool has_kind(span text, const char *kind)
{
    item i;
    while (take_item(&text, &i))
        if (is(i.kind, kind)) return true;
    return false;
}

/* Writes why two runs differ by an input's hash. */
static void say_input(const item *was, const item *is_now, char *why)
{
    span then = was->value, now = is_now->value;
    const span hash = take_until(&then, ' '), new_hash = take_until(&now, ' ');
    snprintf(why, MASS_WHY_ANOTHER, "with other numbers of %.*s: %.*s had the hash %.*s when it was loaded, and %.*s "
             "has %.*s now", SHOW(was->name), SHOW(then), SHOW(hash), SHOW(now), SHOW(new_hash));
}

/* Returns true if two items differ. Inputs are compared by their hash, and not by their file's name. */
static bool differs(const item *was, const item *is_now)
{
    span then = was->value, now = is_now->value;
    if (!is(was->kind, MASS_MADE_INPUT)) return !same(then, now);
    return !same(take_until(&then, ' '), take_until(&now, ' '));
}

/* Writes why two runs differ by an item; leaves `why` as it is for other kinds. */
static void say_changed(const item *was, const item *is_now, char *why)
{
    static const struct {
        const char *kind, *with, *has;
    } words[] = {{MASS_MADE_PLUGIN, "of plugin ", "is of "}, {MASS_MADE_SEED, "with seed ", "has "},
                 {MASS_MADE_SIZE, "with size ", "has "}, {MASS_MADE_FIRST_WORLD, "with first world ", "has "}};
    if (is(was->kind, MASS_MADE_INPUT)) say_input(was, is_now, why);
    else if (is(was->kind, MASS_MADE_PARAMETER))
        snprintf(why, MASS_WHY_ANOTHER, "with %.*s=%.*s, and this has %.*s=%.*s", SHOW(was->name), SHOW(was->value),
                 SHOW(is_now->name), SHOW(is_now->value));
    else if (is(was->kind, MASS_MADE_WORLDS))
        snprintf(why, MASS_WHY_ANOTHER, "with %.*s world%s, and this has %.*s", SHOW(was->value),
                 is(was->value, "1") ? "" : "s", SHOW(is_now->value));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(was->kind, words[i].kind))
            snprintf(why, MASS_WHY_ANOTHER, "%s%.*s, and this %s%.*s", words[i].with, SHOW(was->value), words[i].has,
                     SHOW(is_now->value));
}

/* Describes an item that only one run has: the other one if `was`, else this one. Returns false for kinds without a
 * description. */
static bool say_missing(const item *i, bool was, char *why)
{
    span file = i->value;
    take_until(&file, ' ');
    if (is(i->kind, MASS_MADE_PARAMETER) && was)
        snprintf(why, MASS_WHY_ANOTHER, "with a parameter %.*s, which this does not have", SHOW(i->name));
    else if (is(i->kind, MASS_MADE_PARAMETER))
        snprintf(why, MASS_WHY_ANOTHER, "without a parameter %.*s, which this has", SHOW(i->name));
    else if (is(i->kind, MASS_MADE_INPUT) && was)
        snprintf(why, MASS_WHY_ANOTHER, "with %.*s loaded from %.*s, and this loads none", SHOW(i->name), SHOW(file));
    else if (is(i->kind, MASS_MADE_INPUT))
        snprintf(why, MASS_WHY_ANOTHER, "without %.*s loaded, and this loads it from %.*s", SHOW(i->name), SHOW(file));
    else return false;
    return true;
}

/* Writes to `why` the first difference in items of one kind; false if there is none. `whole`: neither text was cut,
 * so missing items count too. */
static bool tell_kind(span then, span now, const char *kind, bool whole, char *why)
{
    item i, other;
    for (span rest = then; take_item(&rest, &i);) {
        if (!is(i.kind, kind)) continue;
        const bool found = find(now, i.kind, i.name, &other);
        if (found && differs(&i, &other)) return say_changed(&i, &other, why), true;
        if (!found && whole && say_missing(&i, true, why)) return true;
    }
    for (span rest = now; whole && take_item(&rest, &i);)
        if (is(i.kind, kind) && !find(then, i.kind, i.name, &other) && say_missing(&i, false, why)) return true;
    return false;
}

mass_made_result mass_made_tell_apart(const char *then, size_t size, const char *now, char why[MASS_WHY_ANOTHER])
{
    static const char *const kinds[] = {MASS_MADE_PLUGIN, MASS_MADE_SEED, MASS_MADE_PARAMETER, MASS_MADE_SIZE,
                                        MASS_MADE_WORLDS, MASS_MADE_FIRST_WORLD, MASS_MADE_INPUT};
    const span was = {then, size}, is_now = {now, strlen(now)};
    const bool whole = !has_kind(was, MASS_MADE_CUT) && !has_kind(is_now, MASS_MADE_CUT);
    if (!has_kind(was, MASS_MADE_PLUGIN)) return MASS_MADE_UNKNOWN;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tell_kind(was, is_now, kinds[i], whole, why)) return MASS_MADE_DIFFERS;
    return MASS_MADE_SAME;
}
