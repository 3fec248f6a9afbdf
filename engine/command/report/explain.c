/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/explain.h"
#include "base/plural.h"
#include "command/report/explain_network.h"
#include "base/memory_stream.h"
#include "plan/bind.h"
#include "plan/describe.h"
#include "plan/fuse.h"
#include "plan/traffic.h"
#include "population/requests.h"
#include "process/standard.h"
#include "run/operation.h"
#include "run/block_program.h"
#include "text/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_SHOWN = 4 };

static const mass_domain *domain_of(const mass_explanation *e) { return e->run->domain; }

/* Returns the layers that an exchange sends, when a pass has the run's number of steps. It is sent in one of *every
 * passes. */
static int32_t layers_of(const mass_explanation *e, const mass_plan_operation *op, int32_t *every)
{
    const mass_plan_step step = {.number = 1, .steps = e->run->fuse};
    return mass_plan_layers(e->run->domain, e->run->prepared, op, &step, every);
}

/* Returns what an operation's bytes depend on: the agents of this rank, and the layers of ghosts. */
static mass_traffic traffic_of(const mass_explanation *e, const mass_plan_operation *op)
{
    int32_t every;
    return (mass_traffic){e->own, layers_of(e, op, &every)};
}

/* Returns the bytes that an operation reads and writes. */
static double bytes_of(const mass_explanation *e, const mass_plan_operation *op)
{
    const mass_traffic t = traffic_of(e, op);
    return mass_plan_bytes_read(domain_of(e), op, &t) + mass_plan_bytes_written(domain_of(e), op, &t);
}

/* Returns whether a launch always counts its tallies, or is only executed to count. */
static bool counts(const mass_plan_operation *op) { return op->counts == MASS_ALWAYS || op->when == MASS_OBSERVED; }

/* Returns why a launch over bits follows no rule; NULL: it does, or there are no bits. */
static const char *why_no_rule(const mass_explanation *e, const mass_plan_operation *op)
{
    const mass_world_rules *rules = e->run->rules[op->phase];
    bool tallies = true;
    for (uint32_t i = 0; rules && i < rules->count; i++) tallies &= rules->list[i]->tallies;
    if (rules && !e->run->no_rule[op->phase] && counts(op) && !tallies)
        return "it adds to tallies that are not sums of int64_t";
    return e->run->no_rule[op->phase];
}

/* Returns the rules of a launch, if worlds have different ones; else NULL. */
static const mass_world_rules *rules_by_world(const mass_explanation *e, const mass_plan_operation *op)
{
    const mass_world_rules *rules = e->run->rules[op->phase];
    return rules && rules->count > 1 && !why_no_rule(e, op) ? rules : NULL;
}

/* Returns the form of a launch, in text[], over the first partition as an example. For a launch that counts only in
 * some steps it is the form without counting. */
static const char *form_of(const mass_explanation *e, const mass_plan_operation *op, char text[MASS_FORM_TEXT])
{
    const mass_domain *d = domain_of(e);
    void *fields[256];
    mass_field_memory memory[256];
    const mass_partition *p = &d->partitions[d->model->phases[op->phase].space][0];
    mass_launch_bind(d, op, p, fields, memory);
    const mass_launch record = mass_launch_record(d, op->phase, p, 1, false);
    const mass_work work = {e->run->prepared[op->phase], &record, fields, memory, counts(op), 1, 1, 0};
    d->device->table->launch->form(d->device, &work, text);
    return text;
}

/* Returns the text that `put` writes; the caller frees it. NULL: memory is short. */
static char *text_of(const mass_explanation *e, const mass_plan_operation *op,
                     void (*put)(const mass_model *, const mass_plan_operation *, FILE *))
{
    char *text = NULL;
    size_t size;
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return NULL;
    put(domain_of(e)->model, op, to);
    fclose(to);
    return text;
}

/* ---- JSON ---- */

/* Returns an operand as an object: data, of, next, bytes, and radius if it has a reach. NULL if memory is short. */
static json_t *operand_json(const mass_explanation *e, const mass_plan_operation *op, const mass_operand *o)
{
    char *name = NULL;
    size_t size;
    FILE *to = mass_memory_stream(&name, &size);
    if (!to) return NULL;
    mass_plan_put_operand(domain_of(e)->model, o, to);
    fclose(to);
    const mass_traffic t = traffic_of(e, op);
    json_t *json = json_pack("{s:s, s:o, s:b, s:I}", "data", mass_plan_data_name(o->data), "of",
                             mass_text_json(name ? name : ""), "next", o->next, "bytes",
                             (json_int_t)mass_plan_operand_bytes(domain_of(e), op, o, &t));
    if (o->reach) json_object_set_new(json, "radius", json_integer(o->reach));
    free(name);
    return json;
}

/* Returns the operands that the operation uses so: MASS_READS or MASS_WRITES. */
static json_t *operands_json(const mass_explanation *e, const mass_plan_operation *op, uint32_t use)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < op->operand_count; i++)
        if (op->operands[i].use & use) json_array_append_new(list, operand_json(e, op, &op->operands[i]));
    return list;
}

/* Returns a new list of rules: each one's text as `rule`, with the numbers of its `worlds`. */
static json_t *rules_json(const mass_explanation *e, const mass_world_rules *rules)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < rules->count; i++) {
        char text[MASS_RULE_TEXT];
        json_t *worlds = json_array();
        for (int32_t w = 0; w < domain_of(e)->worlds; w++)
            if (rules->of[w] == i) json_array_append_new(worlds, json_integer(domain_of(e)->first_world + w));
        mass_rule_text(rules->list[i], text, sizeof text);
        json_array_append_new(list, json_pack("{s:s, s:o}", "rule", text, "worlds", worlds));
    }
    return list;
}

/* Returns a new object of all facts of an operation of the plan: when it runs, what it reads and writes, its bytes and
 * its form. */
static json_t *operation_json(const mass_explanation *e, const mass_plan_operation *op)
{
    const mass_model *m = domain_of(e)->model;
    char *subject = text_of(e, op, mass_plan_put_subject), form[MASS_FORM_TEXT];
    json_t *json = json_pack("{s:s, s:o, s:s, s:o, s:o, s:I}",
        "operation", mass_plan_operation_name(m, op), "of", mass_text_json(subject ? subject : ""),
        "when", mass_plan_when_name(op->when), "reads", operands_json(e, op, MASS_READS), "writes",
        operands_json(e, op, MASS_WRITES), "bytes", (json_int_t)bytes_of(e, op));
    if (op->kind == MASS_PLAN_LAUNCH) {
        json_object_set_new(json, "tallies", json_string(mass_plan_when_name(op->counts)));
        json_object_set_new(json, "form", json_string(form_of(e, op, form)));
        if (rules_by_world(e, op)) json_object_set_new(json, "rules", rules_json(e, rules_by_world(e, op)));
        if (why_no_rule(e, op)) json_object_set_new(json, "rule_not", json_string(why_no_rule(e, op)));
    }
    if (op->kind == MASS_PLAN_EXCHANGE && op->axes) {
        int32_t every;
        json_object_set_new(json, "layers", json_integer(layers_of(e, op, &every)));
        json_object_set_new(json, "every", json_integer(every * e->run->fuse));
    }
    if (op->phase != MASS_NO_PHASE) json_object_set_new(json, "phase", json_integer(op->phase));
    free(subject);
    return json;
}

/* Returns whether an operation is shown. Operations for a stop condition are left out if the run has none, and so are
 * swaps of buffers that happen only if manage has moved agents. */
static bool is_planned(const mass_explanation *e, const mass_plan_operation *op)
{
    if (op->kind == MASS_PLAN_SWAP && op->order.leaves == MASS_ORDER_ANY) return false;
    return op->when != MASS_UNTIL || domain_of(e)->until;
}

/* Returns the operations of a list that this run executes. */
static json_t *list_json(const mass_explanation *e, const mass_plan_list *list)
{
    json_t *json = json_array();
    for (uint32_t i = 0; i < list->count; i++)
        if (is_planned(e, &list->list[i])) json_array_append_new(json, operation_json(e, &list->list[i]));
    return json;
}

/* Returns the number of agents of each population, by name. */
static json_t *agents_json(const mass_explanation *e)
{
    const mass_model *m = domain_of(e)->model;
    json_t *json = json_object();
    for (uint32_t p = 0; p < m->population_count; p++)
        json_object_set_new(json, m->populations[p].name, json_integer((json_int_t)e->agents[p]));
    return json;
}

/* Returns why the run cannot execute several steps in one pass; NULL: it can. */
static const char *why_not_fused(const mass_explanation *e)
{
    const char *why = mass_fuse_why_not(domain_of(e)->model);
    if (why) return why;
    const mass_model *m = domain_of(e)->model;
    const uint32_t phase = mass_fuse_phase(m);
    const bool several = mass_fuse_most(domain_of(e), e->run->prepared[phase], false) > 1;
    return several ? NULL : mass_fuse_why_one(domain_of(e), e->run->rules[phase] != NULL, e->run->no_rule[phase],
                                             e->run->no_bits);
}

/* Returns why worlds do not run each in a block of a GPU; NULL: they may. */
static const char *why_no_block_worlds(const mass_explanation *e)
{
    return e->run->no_block ? "--no-block says so" : mass_block_program_why_not(domain_of(e), e->run->plan);
}

/* Prints the plan to the results and closes them. Fails if it or the output is incomplete. */
static mass_status print_json(const mass_explanation *e, mass_error *error)
{
    const mass_domain *d = domain_of(e);
    const char *why = why_no_block_worlds(e);
    mass_json_begin();
    json_t *size = json_array();
    for (uint32_t a = 0; a < d->model->spaces[0].dimensions; a++)
        json_array_append_new(size, json_integer(d->model->spaces[0].size[a]));
    json_t *json = json_pack("{s:s, s:s, s:o, s:i, s:i, s:o, s:b, s:o, s:o}", "plugin", d->model->plugin, "device",
        d->device->table->name(d->device), "size", size, "worlds", (int)d->share.worlds, "partitions",
        (int)d->partition_count, "agents", agents_json(e), "small_worlds", why == NULL, "start",
        list_json(e, &e->run->plan->start), "step", list_json(e, &e->run->plan->step));
    if (why) json_object_set_new(json, "small_worlds_not", json_string(why));
    json_object_set_new(json, "fuse", json_integer(e->run->fuse));
    if (why_not_fused(e)) json_object_set_new(json, "fuse_not", json_string(why_not_fused(e)));
    if (d->share.comm->size > 1) json_object_set_new(json, "ranks", json_integer(d->share.comm->size));
    if (d->model->networks) json_object_set_new(json, "networks", mass_explain_networks_json(&d->share, d->model));
    FILE *to = mass_standard_results();
    const bool whole = json && mass_json_is_whole() && json_dumpf(json, to, JSON_INDENT(2)) == 0;
    fputc('\n', to);
    json_decref(json);
    const mass_status status = mass_standard_results_end(error);
    return status == MASS_OK && !whole ? mass_error_memory(error, 1 << 16, "the plan") : status;
}

/* ---- text ---- */

/* Puts how deep an exchange is, and in how many steps it happens once. */
static void put_layers(const mass_explanation *e, const mass_plan_operation *op, FILE *to)
{
    int32_t every;
    fprintf(to, ", %d deep", layers_of(e, op, &every));
    if (every > 1) fprintf(to, ", once in %d steps", every * e->run->fuse);
}

/* Prints a line for each of the first few rules, with its first world and the number of others, and how many more
 * rules there are. */
static void put_rules(const mass_explanation *e, const mass_world_rules *rules, FILE *to)
{
    for (uint32_t i = 0; i < rules->count && i < RULES_SHOWN; i++) {
        char text[MASS_RULE_TEXT];
        int32_t first = -1, others = -1;
        for (int32_t w = 0; w < domain_of(e)->worlds; w++) {
            if (rules->of[w] != i) continue;
            if (first < 0) first = w;
            others++;
        }
        mass_rule_text(rules->list[i], text, sizeof text);
        fprintf(to, "      world %d", domain_of(e)->first_world + first);
        if (others > 0) fprintf(to, " and %d other%s", others, mass_plural(others));
        fprintf(to, ": %s\n", text);
    }
    if (rules->count > RULES_SHOWN)
        fprintf(to, "      and %u more rule%s\n", rules->count - RULES_SHOWN,
                mass_plural(rules->count - RULES_SHOWN));
}

/* Puts an operation's line, and a line for each rule that worlds have of their own. */
static void put_operation(const mass_explanation *e, const mass_plan_operation *op, FILE *to)
{
    char *subject = text_of(e, op, mass_plan_put_subject), *detail = text_of(e, op, mass_plan_put_detail);
    char form[MASS_FORM_TEXT], size[32];
    const double bytes = bytes_of(e, op);
    fprintf(to, "  %c %-9s %-24s %10s", op->when == MASS_ALWAYS ? ' ' : *mass_plan_when_name(op->when),
            mass_plan_operation_name(domain_of(e)->model, op), subject ? subject : "",
            bytes > 0 ? mass_format_bytes(size, bytes) : "-");
    if (detail && detail[0]) fprintf(to, "  %s", detail);
    if (op->kind == MASS_PLAN_EXCHANGE && op->axes) put_layers(e, op, to);
    if (op->kind == MASS_PLAN_LAUNCH) {
        const char *why = why_no_rule(e, op);
        fprintf(to, " [%s%s%s]", form_of(e, op, form), why ? ", no rule of bits: " : "", why ? why : "");
    }
    fputc('\n', to);
    if (op->kind == MASS_PLAN_LAUNCH && rules_by_world(e, op)) put_rules(e, rules_by_world(e, op), to);
    free(subject);
    free(detail);
}

/* Returns the bytes that a step moves: of operations in every step, and exchanges by how often they happen. */
static double bytes_of_step(const mass_explanation *e)
{
    const mass_plan_list *step = &e->run->plan->step;
    double bytes = 0;
    for (uint32_t i = 0; i < step->count; i++) {
        int32_t every;
        layers_of(e, &step->list[i], &every);
        if (step->list[i].when == MASS_ALWAYS) bytes += bytes_of(e, &step->list[i]) / every;
    }
    return bytes;
}

/* Puts a heading, unless the list is empty, and the operations of it that this run executes. */
static void put_list(const mass_explanation *e, const char *heading, const mass_plan_list *list, FILE *to)
{
    if (list->count) fprintf(to, "\n%s\n", heading);
    for (uint32_t i = 0; i < list->count; i++)
        if (is_planned(e, &list->list[i])) put_operation(e, &list->list[i], to);
}

/* Puts the line of plugin, device, sizes, agents, worlds, partitions and ranks. */
static void put_head(const mass_explanation *e, FILE *to)
{
    const mass_domain *d = domain_of(e);
    fprintf(to, "%s on %s", d->model->plugin, d->device->table->name(d->device));
    for (uint32_t i = 0; i < d->model->space_count; i++) {
        const mass_space_def *s = &d->model->spaces[i];
        fprintf(to, ", %s ", s->name);
        for (uint32_t a = 0; a < s->dimensions; a++) fprintf(to, "%s%" PRId64, a ? "x" : "", s->size[a]);
    }
    for (uint32_t p = 0; p < d->model->population_count; p++)
        fprintf(to, ", %.0f %s", e->agents[p], d->model->populations[p].name);
    fprintf(to, ", %d world%s, %d partition%s", d->share.worlds, mass_plural(d->share.worlds), d->partition_count,
            mass_plural(d->partition_count));
    if (d->share.comm->size > 1) fprintf(to, ": rank 0 of %d", d->share.comm->size);
    fputc('\n', to);
}

/* Prints how many steps the run executes in one pass, and why if it is one. */
static void put_fuse(const mass_explanation *e, FILE *to)
{
    const char *why = why_not_fused(e);
    if (e->run->fuse > 1) fprintf(to, "%d steps in one pass, if no output is due in between\n", e->run->fuse);
    else if (why) fprintf(to, "one step after the other: %s\n", why);
    else if (e->run->trial.most)
        fprintf(to, "up to %d steps in one pass, as many as turn out to be fastest\n", e->run->trial.most);
    else fprintf(to, "one step after the other; several can be done in one pass, with --fuse\n");
}

/* Puts the plan as text, with the bytes that a step moves. */
static void put_text(const mass_explanation *e, FILE *to)
{
    char size[32];
    const char *why = why_no_block_worlds(e);
    put_head(e, to);
    put_list(e, "at the start", &e->run->plan->start, to);
    put_list(e, "in each step (o: only if tallies are observed; r: in steps that are recorded; u: for --until)",
             &e->run->plan->step, to);
    fprintf(to, "\na step moves %s: each element that is read or written, once\n",
            mass_format_bytes(size, bytes_of_step(e)));
    mass_explain_put_networks(&domain_of(e)->share, domain_of(e)->model, to);
    put_fuse(e, to);
    if (why) fprintf(to, "not as steps of small worlds: %s\n", why);
    else fprintf(to, "as steps of small worlds, if a block has memory for one\n");
}

/* Returns the fraction of a space's places, over all worlds, that this rank has. */
static double part_of(const mass_domain *d, uint32_t space)
{
    const mass_space_def *s = &d->model->spaces[space];
    double own = 0;
    for (int32_t k = 0; k < d->partition_count; k++) {
        double places = (double)d->worlds;
        for (uint32_t a = 0; a < s->dimensions; a++) places *= (double)d->partitions[space][k].layout.extent[a];
        own += places;
    }
    return own / ((double)mass_space_places(s) * (double)d->share.worlds);
}

mass_status mass_explain(mass_explanation *e, mass_error *error)
{
    const mass_domain *d = domain_of(e);
    for (uint32_t p = 0; p < d->model->population_count; p++)
        e->own[p] = e->agents[p] * part_of(d, d->model->populations[p].space);
    if (e->json) return print_json(e, error);
    put_text(e, mass_standard_results());
    return mass_standard_results_end(error);
}
