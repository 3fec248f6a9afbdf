/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/positional.h"
#include "text/spelling.h"
#include "plugin/search.h"

#include <string.h>

const char *mass_command_like(const char *word)
{
    static const char *const commands[] = {"plot", "--info", "--list", "--resume", "--version", "--help"};
    const char *meant = NULL;
    mass_spelling nearest = mass_spelling_to(word);
    nearest.distance = 2; /* two letters turn short words into others: "life" is not meant as "list" */
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *name = commands[i] + strspn(commands[i], "-");
        mass_spelling_try(&nearest, name);
        if (nearest.best == name) meant = commands[i];
    }
    return meant;
}

mass_status mass_word_plugin(const char *word, char path[PATH_MAX], mass_error *error)
{
    mass_error why = {0};
    const mass_status status = mass_plugin_find(word, path, &why);
    if (status == MASS_BAD_PLUGIN && strcmp(word, "run") == 0)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no command run; name a model alone, as in "
                              "mass-engine life");
    const char *meant = status == MASS_BAD_PLUGIN ? mass_command_like(word) : NULL;
    if (meant)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no plugin and no command %s; did you mean mass-engine "
                              "%s?", word, meant);
    return status == MASS_OK ? MASS_OK : mass_error_set(error, status, "%s", why.text);
}
