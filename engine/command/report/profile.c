/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/profile.h"
#include "text/json.h"
#include "base/memory_stream.h"
#include "plan/describe.h"
#include "process/progress.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns the text of what an operation works on; the caller frees it. NULL: memory is short. */
static char *subject_of(const mass_profile *p, const mass_plan_operation *op)
{
    char *text = NULL;
    size_t size;
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return NULL;
    mass_plan_put_subject(p->domain->model, op, to);
    fclose(to);
    return text;
}

/* Returns an operation's bytes per second, 0 if it took no time. */
static double rate_of(const mass_profile_entry *e) { return e->seconds > 0 ? e->bytes / e->seconds : 0; }

/* Returns the mean number of rounds of a launch in turn. */
static double rounds_of(const mass_profile_entry *e) { return (double)e->rounds / (double)e->times; }

/* Returns operation number `index` as an object, with its times, seconds and bytes, its share of `all` seconds, and its
 * rate as a part of copy_rate. Of one in turn it also has the mean and the most rounds, if a GPU did it. */
static json_t *entry_json(const mass_profile *p, uint32_t index, double all, double copy_rate)
{
    const mass_plan_operation *op = &p->step->list[index];
    const mass_profile_entry *e = &p->entries[index];
    char *subject = subject_of(p, op);
    json_t *json = json_pack("{s:s, s:o, s:s, s:I, s:f, s:f, s:f, s:f, s:f}", "operation",
        mass_plan_operation_name(p->domain->model, op), "of", mass_text_json(subject ? subject : ""), "when",
        mass_plan_when_name(op->when), "times", (json_int_t)e->times, "seconds", e->seconds, "share",
        all > 0 ? e->seconds / all : 0.0, "bytes", e->bytes, "bytes_per_s", rate_of(e), "of_copy",
        copy_rate > 0 ? rate_of(e) / copy_rate : 0.0);
    free(subject);
    if (e->rounds) {
        json_object_set_new(json, "rounds_mean", json_real(rounds_of(e)));
        json_object_set_new(json, "rounds_most", json_integer((json_int_t)e->most_rounds));
    }
    return json;
}

json_t *mass_profile_json(const mass_profile *p, double copy_rate)
{
    const double all = mass_profile_seconds(p);
    json_t *list = json_array();
    for (uint32_t i = 0; i < p->step->count; i++)
        if (p->entries[i].times) json_array_append_new(list, entry_json(p, i, all, copy_rate));
    return json_pack("{s:f, s:f, s:o}", "seconds", all, "copy_bytes_per_s", copy_rate, "operations", list);
}

/* Returns those that act in a phase: its agents in the last step, or its places. */
static double actors_of(const mass_profile *p, const mass_plan_operation *op)
{
    const mass_phase_def *phase = &p->domain->model->phases[op->phase];
    if (phase->population >= 0) return p->agents[phase->population];
    return (double)mass_space_places(&p->domain->model->spaces[phase->space]) * p->domain->worlds;
}

/* Says in how many rounds a GPU did a phase in turn; nothing if there were none. */
static void say_rounds(const mass_profile *p, const mass_plan_operation *op, const mass_profile_entry *e)
{
    if (e->rounds == 0) return;
    const double actors = actors_of(p, op);
    mass_progress_say("  %-9s %.1f rounds a time, at most %" PRIu64 ": those that may matter to each other act in "
                      "different rounds%s", "", rounds_of(e), e->most_rounds,
                      actors >= 64 && rounds_of(e) > actors / 4 ? "; here, almost one after the other" : "");
}

void mass_profile_say(const mass_profile *p, double copy_rate)
{
    const double all = mass_profile_seconds(p);
    const int32_t ranks = p->domain->share.comm->size;
    char whose[40] = "";
    if (ranks > 1) snprintf(whose, sizeof whose, " of rank 0 of %d", ranks);
    mass_progress_say("  profile%s: %.3g s in the operations of steps, which were not recorded; a copy of memory moves "
                      "%.1f GB/s", whose, all, 1e-9 * copy_rate);
    mass_progress_say("  %-9s %-24s %10s %9s %7s %10s %8s %8s", "operation", "", "times", "seconds", "share", "bytes",
                      "GB/s", "of copy");
    for (uint32_t i = 0; i < p->step->count; i++) {
        const mass_plan_operation *op = &p->step->list[i];
        const mass_profile_entry *e = &p->entries[i];
        char *subject = subject_of(p, op), bytes[32];
        if (e->times)
            mass_progress_say("  %-9s %-24.24s %10" PRIu64 " %9.3g %5.1f %% %10s %8.1f %6.1f %%",
                              mass_plan_operation_name(p->domain->model, op), subject ? subject : "", e->times,
                              e->seconds, all > 0 ? 100 * e->seconds / all : 0, mass_format_bytes(bytes, e->bytes),
                              1e-9 * rate_of(e), copy_rate > 0 ? 100 * rate_of(e) / copy_rate : 0);
        say_rounds(p, op, e);
        free(subject);
    }
}
