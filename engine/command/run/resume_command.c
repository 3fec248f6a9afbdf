/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/resume_command.h"
#include "command/options/shell_word.h"
#include "base/memory_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Puts an option and its value, quoted for the shell; nothing if the value is NULL. */
static void put_option(FILE *to, const char *option, const char *value)
{
    if (!value) return;
    fprintf(to, " %s ", option);
    mass_put_shell_word(to, value);
}

char *mass_resume_command(const mass_options *o, const char *folder)
{
    char *text = NULL;
    size_t size;
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return NULL;
    mass_put_shell_word(to, program_invocation_name);
    put_option(to, "--resume", folder);
    put_option(to, "--plugin", o->plugin && strchr(o->plugin, '/') ? o->plugin : NULL);
    for (uint32_t i = 0; i < o->tally_count; i++) put_option(to, "--tally", o->tallies[i]);
    put_option(to, "--series", o->series);
    put_option(to, "--means", o->means);
    put_option(to, "--fields", o->fields);
    if (o->fields_every) fprintf(to, " --fields-every %" PRIu64, o->fields_every);
    if (o->parts) fputs(" --checkpoint-parts", to);
    if (o->ranks > 1) fprintf(to, " --ranks %" PRId32, o->ranks);
    for (uint32_t i = 0; i < o->share_count; i++) fprintf(to, "%s%" PRId32, i ? "," : " --shares ", o->shares[i]);
    if (o->measured_shares) fputs(" --shares auto", to);
    if (o->edge_shares) fputs(" --shares edges", to);
    if (o->rebalance) fprintf(to, " --rebalance %" PRIu64, o->rebalance);
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}
