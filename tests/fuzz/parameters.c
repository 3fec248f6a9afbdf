/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what a user may write: a parameter's value, a size, a whole command line. Refused in one
 * line with nothing changed, or a value that is of its type, in its range, and survives being written
 * again. The first byte chooses which. */
#include "command/options/options.h"
#include "model/parameter.h"
#include "harness.h"
#include "text/parameter.h"

#include <math.h>
#include <string.h>

static void check_verdict(mass_status status, const mass_error *error)
{
    ALWAYS(status == error->status);
    ALWAYS(status == MASS_OK || status == MASS_BAD_USAGE);
    ALWAYS((status == MASS_OK) == (error->text[0] == '\0'));
    for (const unsigned char *c = (const unsigned char *)error->text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
}

/* ---- a parameter's value ---- */

static mass_parameters every_kind(void)
{
    static const char *const colours[] = {"red", "green", "0", NULL};
    static const mass_parameter declared[] = {
        {.name = "any_integer", .type = MASS_INTEGER},
        {.name = "integer", .type = MASS_INTEGER, .integer_min = -1000, .integer_max = 1000},
        {.name = "any_real", .type = MASS_REAL},
        {.name = "real", .type = MASS_REAL, .real_min = -1, .real_max = 2.5},
        {.name = "text", .type = MASS_TEXT, .text = "as it was"},
        {.name = "choice", .type = MASS_CHOICE, .choices = colours}};
    mass_parameters list = {0};
    mass_error error = {0};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        ALWAYS(mass_parameters_add(&list, &declared[i], &error) == MASS_OK);
    return list;
}

static void check_range(const mass_parameter_slot *slot, const char *text)
{
    if (slot->type == MASS_INTEGER) ALWAYS(slot->integer >= slot->integer_min && slot->integer <= slot->integer_max);
    if (slot->type == MASS_REAL)
        ALWAYS(isfinite(slot->real) && slot->real >= slot->real_min && slot->real <= slot->real_max);
    if (slot->type >= MASS_TEXT) ALWAYS(strcmp(slot->text, text) == 0);
    if (slot->type == MASS_CHOICE) ALWAYS(mass_parameter_bits(slot) < 3);
}

static void check_written_again(mass_parameter_slot *slot)
{
    char buffer[64];
    mass_error error = {0};
    const uint64_t bits = mass_parameter_bits(slot);
    char *text = strdup(mass_parameter_format(slot, buffer));
    ALWAYS(text && mass_parameter_set(slot, text, &error) == MASS_OK);
    ALWAYS(mass_parameter_bits(slot) == bits && strcmp(mass_parameter_format(slot, buffer), text) == 0);
    free(text);
}

static void try_values(const char *text)
{
    mass_parameters list = every_kind();
    for (uint32_t i = 0; i < list.count; i++) {
        mass_parameter_slot *slot = &list.slots[i];
        char before[64], after[64];
        mass_error error = {0};
        snprintf(before, sizeof before, "%s", mass_parameter_format(slot, after));
        const mass_status status = mass_parameter_set(slot, text, &error);
        check_verdict(status, &error);
        ALWAYS(slot->given == (status == MASS_OK));
        ALWAYS(slot->type != MASS_TEXT || status == MASS_OK);
        if (status == MASS_OK) {
            check_range(slot, text);
            check_written_again(slot);
        } else {
            ALWAYS(strcmp(mass_parameter_format(slot, after), before) == 0);
        }
    }
    mass_parameters_free(&list);
}

/* ---- a size ---- */

static void try_size(const char *text)
{
    mass_gidx size[3] = {-1, -2, -3}, again[3];
    uint32_t dimensions = 77, dimensions_again;
    if (!mass_options_size(text, size, &dimensions)) {
        ALWAYS(size[0] == -1 && size[1] == -2 && size[2] == -3 && dimensions == 77);
        return;
    }
    ALWAYS(dimensions >= 1 && dimensions <= 3);
    char written[80];
    int length = 0;
    for (uint32_t a = 0; a < 3; a++) {
        ALWAYS(size[a] >= 1 && (a < dimensions || size[a] == 1));
        if (a < dimensions)
            length += snprintf(written + length, sizeof written - (size_t)length, "%s%lld", a ? "x" : "",
                               (long long)size[a]);
    }
    ALWAYS(mass_options_size(written, again, &dimensions_again));
    ALWAYS(dimensions_again == dimensions && memcmp(size, again, sizeof size) == 0);
}

/* ---- a command line: words that end in zero bytes or newlines ---- */

enum { WORDS_MAX = 40 };

static int split(char *text, size_t size, char *words[WORDS_MAX])
{
    int count = 0;
    for (size_t at = 0; at < size && count < WORDS_MAX;) {
        words[count++] = text + at;
        at += strcspn(text + at, "\n");
        text[at++] = '\0';
    }
    return count;
}

static void check_options(const mass_options *o)
{
    ALWAYS(o->worlds >= 1 && o->partitions >= 1 && o->threads >= 0 && o->first_world >= 0 && o->keep >= 0);
    ALWAYS(o->first_world <= INT32_MAX - o->worlds);
    ALWAYS(o->dimensions <= 3 && o->slice >= -1 && o->movie_every >= 1 && o->steps < (uint64_t)1 << 40);
    ALWAYS(o->every_given == (o->checkpoint_every != 0));
    for (uint32_t a = 0; a < o->dimensions; a++) ALWAYS(o->size[a] >= 1);
    const char *const texts[] = {o->device, o->checkpoint, o->image, o->movie};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) ALWAYS(!texts[i] || texts[i][0]);
    ALWAYS(o->mode != MASS_MODE_RUN || o->plugin || o->resume);
    ALWAYS(o->mode != MASS_MODE_INFO || o->plugin);
    for (uint32_t i = 0; i < o->setting_count; i++)
        ALWAYS(o->settings[i].name[0] && !strchr(o->settings[i].name, '=') && o->settings[i].value);
}

/* "--name value" means what "--name=value" means. */
static void check_joined(int count, char *const words[], const mass_options *o)
{
    char *joined[WORDS_MAX] = {0};
    int used = 0;
    for (int i = 0; i < count; i++) {
        mass_options flag;
        mass_error ignored = {0};
        (void)mass_options_parse(1, &words[i], &flag, &ignored);
        mass_options_free(&flag);
        /* A word that takes a value complains that there is none. */
        const bool takes_value = strstr(ignored.text, "needs a value") && i + 1 < count && !strchr(words[i], '=');
        const size_t length = strlen(words[i]) + (takes_value ? strlen(words[i + 1]) : 0) + 2;
        joined[used] = malloc(length);
        ALWAYS(joined[used]);
        snprintf(joined[used++], length, takes_value ? "%s=%s" : "%s", words[i], words[i + takes_value]);
        i += takes_value;
    }
    mass_options again;
    mass_error error = {0};
    ALWAYS(mass_options_parse(used, joined, &again, &error) == MASS_OK);
    ALWAYS(again.mode == o->mode && again.steps == o->steps && again.seed == o->seed && again.worlds == o->worlds);
    ALWAYS(again.setting_count == o->setting_count && again.dimensions == o->dimensions && again.slice == o->slice);
    ALWAYS(!o->plugin || strcmp(again.plugin, o->plugin) == 0);
    for (uint32_t i = 0; i < o->setting_count; i++)
        ALWAYS(strcmp(again.settings[i].name, o->settings[i].name) == 0 &&
               strcmp(again.settings[i].value, o->settings[i].value) == 0);
    mass_options_free(&again);
    for (int i = 0; i < used; i++) free(joined[i]);
}

static void try_command_line(char *text, size_t size)
{
    char *words[WORDS_MAX];
    const int count = split(text, size, words);
    char **exact = malloc((size_t)count * sizeof *exact + 1); /* reading past the last word is seen */
    ALWAYS(exact);
    memcpy(exact, words, (size_t)count * sizeof *exact);
    mass_options o;
    mass_error error = {0};
    const mass_status status = mass_options_parse(count, exact, &o, &error);
    check_verdict(status, &error);
    if (status == MASS_OK) {
        check_options(&o);
        check_joined(count, exact, &o);
    }
    mass_options_free(&o);
    ALWAYS(!o.settings && o.setting_count == 0);
    free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) return 0;
    char *text = malloc(size);
    ALWAYS(text);
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = '\0';
    switch (bytes[0] % 3) {
    case 0: try_values(text); break;
    case 1: try_size(text); break;
    default: try_command_line(text, size - 1);
    }
    free(text);
    return 0;
}
