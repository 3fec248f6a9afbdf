/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/rerun_command.h"
#include "command/options/arguments.h"
#include "command/options/shell_word.h"
#include "base/memory_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *mass_again(const mass_options *o, uint64_t seed, bool seedless, uint64_t steps, const char *events)
{
    char *text = NULL;
    size_t ignored;
    mass_arguments a;
    FILE *to = mass_arguments_read(&a) ? mass_memory_stream(&text, &ignored) : NULL;
    for (int i = 0, taken; to && i < a.count; i += taken) {
        const char *value;
        const mass_option *option = mass_arguments_option(&a, i, &taken, &value);
        if (option && strncmp(option->name, "view", 4) == 0) continue;
        if (option && events && strcmp(option->name, "events") == 0) continue;
        if (option && steps && strcmp(option->name, "steps") == 0) continue;
        for (int k = i; k < i + taken; k++) {
            if (k > 0) fputc(' ', to);
            mass_put_shell_word(to, a.words[k]);
        }
    }
    if (to && !o->seed_given && !seedless && !o->resume) fprintf(to, " --seed %" PRIu64, seed);
    if (to && steps) fprintf(to, " --steps %" PRIu64, steps);
    if (to && events) {
        fputs(" --events ", to);
        mass_put_shell_word(to, events);
    }
    mass_arguments_free(&a);
    return to && fclose(to) == 0 ? text : NULL;
}
