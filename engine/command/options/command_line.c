/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/command_line.h"
#include "text/spelling.h"
#include "text/decimal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *mass_option_spelling(const mass_option *option, char buffer[64])
{
    snprintf(buffer, 64, "%s%s", option->name[1] ? "--" : "-", option->name);
    return buffer;
}

const mass_option *mass_option_next(const mass_command *c, const mass_option *before)
{
    const mass_option *next = before ? before + 1 : c->options;
    while (next->name && next->hidden) next++;
    return next->name ? next : NULL;
}

/* ---- finding an option ---- */

/* Returns whether a word is the option's letter or its whole spelling. */
static bool is_spelt(const mass_option *o, const char *word, size_t length)
{
    char spelling[64];
    if (length == 2 && word[0] == '-' && o->letter && word[1] == o->letter) return true;
    return strlen(mass_option_spelling(o, spelling)) == length && memcmp(spelling, word, length) == 0;
}

/* Returns whether a word is the beginning of an option, with more than its dashes. */
static bool abbreviates(const mass_option *o, const char *word, size_t length)
{
    char spelling[64];
    return length > 2 && strncmp(mass_option_spelling(o, spelling), word, length) == 0;
}

const mass_option *mass_option_find(const mass_command *c, const char *word, size_t length)
{
    const mass_option *found = NULL;
    for (const mass_option *o = c->options; o->name; o++)
        if (is_spelt(o, word, length)) return o;
    for (const mass_option *o = NULL; (o = mass_option_next(c, o));) {
        if (!abbreviates(o, word, length)) continue;
        if (found) return NULL;
        found = o;
    }
    return found;
}

/* Writes how the command sets a value of that name, such as "--set rate=VALUE", or "" if the word is no name. */
static void write_setting(const mass_command *c, const char *word, size_t length, char text[100])
{
    text[0] = '\0';
    if (!c->setter || length < 4 || length > 64 || strncmp(word, "--", 2) != 0) return;
    for (size_t i = 2; i < length; i++)
        if (!isalpha((unsigned char)word[i]) && word[i] != '_' && (i == 2 || !isdigit((unsigned char)word[i]))) return;
    snprintf(text, 100, "%s %.*s=VALUE", c->setter, (int)length - 2, word + 2);
}

/* Reports that no option has that name, or that several begin with it. Names the nearest one and, unless only one
 * letter differs, how to set a value of that name. */
static mass_status refuse_name(const mass_command *c, const char *word, size_t length, mass_error *error)
{
    char several[400] = "", spelling[64], name[64], setting[100];
    size_t used = 0;
    write_setting(c, word, length, setting);
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    mass_spelling nearest = mass_spelling_to(name + strspn(name, "-"));
    for (const mass_option *o = NULL; (o = mass_option_next(c, o));) {
        mass_spelling_try(&nearest, o->name);
        if (abbreviates(o, word, length) && used < sizeof several)
            used += (size_t)snprintf(several + used, sizeof several - used, "%s%s", used ? ", " : "",
                                     mass_option_spelling(o, spelling));
    }
    if (used) return mass_error_set(error, MASS_BAD_USAGE, "%.*s is short for several: %s", (int)length, word, several);
    if (nearest.best && nearest.best[1] && length > 2) {
        const bool also = setting[0] && nearest.distance > 1;
        return mass_error_set(error, MASS_BAD_USAGE, "there is no option %.*s; did you mean --%s%s%s?", (int)length,
                              word, nearest.best, also ? ", or " : "", also ? setting : "");
    }
    return mass_error_set(error, MASS_BAD_USAGE, "there is no option %.*s; %s%s%s%s", (int)length, word, c->asks,
                          setting[0] ? ", and " : "", setting, setting[0] ? " sets a parameter of the model" : "");
}

/* ---- taking a value ---- */

/* Reads an integer in the option's range. Refuses another text, and names the range. */
static mass_status take_number(const mass_option *o, const char *value, int64_t *out, mass_error *error)
{
    char spelling[64], most[32];
    if (mass_read_whole(value, out) && *out >= o->least && *out <= o->most) return MASS_OK;
    snprintf(most, sizeof most, "%lld", (long long)o->most);
    return mass_error_set(error, MASS_BAD_USAGE, "%s %s is not an integer from %lld to %s",
                          mass_option_spelling(o, spelling), value, (long long)o->least,
                          o->most == INT64_MAX ? "2^63 - 1" : most);
}

/* Stores the value of an option in its member of `into`, and notes that it was given. Fails if the value is not one
 * that the option takes. Texts are borrowed. */
static mass_status take(const mass_option *o, const char *value, void *into, mass_error *error)
{
    char spelling[64];
    int64_t number = 0;
    void *at = (char *)into + o->at;
    mass_status status = MASS_OK;
    if (o->given) *(bool *)((char *)into + o->given) = true;
    switch (o->kind) {
    case MASS_OPTION_FLAG: *(bool *)at = true; break;
    case MASS_OPTION_MODE: *(int *)at = (int)o->least; break;
    case MASS_OPTION_TEXT:
        *(const char **)at = value;
        if (!value[0] && !o->bare)
            status = mass_error_set(error, MASS_BAD_USAGE, "%s needs a value", mass_option_spelling(o, spelling));
        break;
    case MASS_OPTION_INT32:
        status = take_number(o, value, &number, error);
        if (status == MASS_OK) *(int32_t *)at = (int32_t)number;
        break;
    case MASS_OPTION_INT64:
        status = take_number(o, value, &number, error);
        if (status == MASS_OK) *(int64_t *)at = number;
        break;
    case MASS_OPTION_OTHER: status = o->take(into, o, value, error); break;
    }
    return status;
}

mass_status mass_command_read(const mass_command *c, int count, char *const arguments[], void *into,
                              mass_error *error)
{
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < count; i++) {
        char spelling[64];
        const char *word = arguments[i], *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
        const size_t length = equals ? (size_t)(equals - word) : strlen(word);
        const mass_option *o = mass_option_find(c, word, length);
        if (!o) status = word[0] == '-' ? refuse_name(c, word, length, error) : c->word(into, word, error);
        else if (!o->value && equals)
            status = mass_error_set(error, MASS_BAD_USAGE, "%s takes no value", mass_option_spelling(o, spelling));
        else if (o->value && !o->bare && !equals && i + 1 == count)
            status = mass_error_set(error, MASS_BAD_USAGE, "%s needs a value", mass_option_spelling(o, spelling));
        else status = take(o, equals ? equals + 1 : o->value && !o->bare ? arguments[++i] : "", into, error);
    }
    return status;
}
