/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of populations, and of phases on them. */
#include "model/model.h"
#include "model/network.h"
#include "model/callback.h"
#include "model/shared_turns.h"
#include "model/turns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a name for messages: "" for NULL. */
static const char *shown(const char *name) { return name ? name : ""; }

int mass_model_find_population(const mass_model *m, const char *name)
{
    for (uint32_t i = 0; name && i < m->population_count; i++)
        if (strcmp(m->populations[i].name, name) == 0) return (int)i;
    return -1;
}

/* Finds an integer SUM tally of one value by name, no reduction; *out is -1 for no name. Returns false if there is no
 * such tally. */
static bool find_counter(const mass_model *m, const char *name, int *out)
{
    *out = name ? mass_model_find_tally(m, name) : -1;
    return !name || (*out >= 0 && m->tallies[*out].access == MASS_SUM && m->tallies[*out].kind == MASS_TALLY_INTEGER &&
                      m->tallies[*out].bins == 0 && m->tallies[*out].keys == 0 && !m->tallies[*out].reduced);
}

/* Checks that a population's name is new, and its space, rules, count and table are possible. Fails with
 * MASS_BAD_PLUGIN, or MASS_BAD_USAGE for its count. */
static mass_status check_population(const mass_model *m, const mass_population *p, mass_error *error)
{
    if (!mass_name_valid(p->name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' is not named by letters, digits and '_' (at "
                              "most 63)", shown(p->name));
    if (mass_model_find_population(m, p->name) >= 0 || mass_model_find_space(m, p->name) >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "there are two populations or spaces named '%s'", p->name);
    if (m->population_count == MASS_POPULATIONS_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "more than %d populations are declared", MASS_POPULATIONS_MAX);
    if (mass_model_find_space(m, p->space) < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' lives on space '%s', which is not declared "
                              "before it", p->name, shown(p->space));
    if (p->conflict > MASS_LOTTERY)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s': its .conflict is %u: give it MASS_LOWEST_ID, "
                              "MASS_HIGHEST_PRIORITY or MASS_LOTTERY", p->name, p->conflict);
    if (p->initial > MASS_BY_LOAD)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s': its .initial is %u: give it "
                              "MASS_RANDOM_PLACES or another rule that mass/agents.h lists", p->name, p->initial);
    if (p->children > 255)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' has %u .children, and an agent may ask for "
                              "at most 255 at once", p->name, p->children);
    if (p->constant && p->children)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' is declared constant, and with children",
                              p->name);
    if (p->sprouts > 255 || (p->constant && p->sprouts))
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' %s", p->name, p->sprouts > 255
                              ? "has more than 255 .sprouts" : "is declared constant, and with .sprouts");
    if (p->at_edge > MASS_REFLECTS)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s': its .at_edge is %u: give it MASS_REFUSES, "
                              "MASS_STOPS or MASS_REFLECTS", p->name, p->at_edge);
    if (p->count < 0)
        return mass_error_set(error, MASS_BAD_USAGE, "population '%s' cannot have %" PRId64 " agents", p->name,
                              p->count);
    const mass_parameter_slot *table = p->table ? mass_parameters_find(&m->parameters, p->table) : NULL;
    if (p->table ? !table || table->type != MASS_TEXT : p->initial == MASS_FROM_TABLE)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s': its .table '%s' is not a text parameter "
                              "declared before it", p->name, p->table ? p->table : "");
    return MASS_OK;
}

/* Adds the attributes that every population has, in the order of MASS_AGENT_ID .... World and place are derived. */
static mass_status add_columns(mass_model *m, const char *population, mass_error *error)
{
    static const mass_attribute columns[MASS_AGENT_COLUMNS] = {
        [MASS_AGENT_ID] = {.type = MASS_U64, .name = "id", .help = "given at birth, per world, never used twice"},
        [MASS_AGENT_LOST] = {.type = MASS_U8, .name = "lost", .help = "1: its last request to move was refused"},
        [MASS_AGENT_WORLD] = {.type = MASS_I32, .name = "world", .help = "number of its world"},
        [MASS_AGENT_PLACE] = {.type = MASS_I64, .name = "place", .help = "row-major number of its place"}};
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < MASS_AGENT_COLUMNS; i++) {
        mass_attribute column = columns[i];
        column.population = population;
        status = mass_model_add_attribute(m, &column, error);
        if (status == MASS_OK)
            m->attributes[m->attribute_count - 1].derived = i == MASS_AGENT_WORLD || i == MASS_AGENT_PLACE;
    }
    return status;
}

/* Adds the hidden tally of a population's next ids, named `next`, and the attributes that every population has. On
 * failure the caller takes back some. */
static mass_status add_what_all_have(mass_model *m, const char *population, const char *next, mass_error *error)
{
    const mass_tally tally = {.name = next, .access = MASS_SUM, .cumulative = 1};
    const mass_status status = mass_model_add_tally(m, &tally, error);
    if (status != MASS_OK) return status;
    m->tallies[m->tally_count - 1].hidden = true;
    return add_columns(m, population, error);
}

/* Takes the colours of a population that is not yet in m->populations; none if d is NULL. Refuses too many, and what
 * is no colour. */
static mass_status copy_drawn(const mass_model *m, const mass_drawn *d, mass_population_def *def, mass_error *error)
{
    uint32_t before = 0;
    if (!d) return MASS_OK;
    for (uint32_t i = 0; i < m->population_count; i++) before += m->populations[i].colours;
    if (d->colours < 1 || d->colours > MASS_DRAWN_COLOURS || !d->palette ||
        before + d->colours > MASS_DRAWN_COLOURS_ALL)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' is drawn in %u colours, not 1 to %d, and at "
                              "most %d with all other populations", def->name, d->colours, MASS_DRAWN_COLOURS,
                              MASS_DRAWN_COLOURS_ALL);
    for (uint32_t i = 0; i < d->colours; i++)
        if (d->palette[i] > 0xffffff)
            return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' is drawn in colour 0x%x, which is not "
                                  "0xRRGGBB", def->name, d->palette[i]);
    snprintf(def->drawn_name, sizeof def->drawn_name, "%s", shown(d->attribute));
    snprintf(def->heading_name, sizeof def->heading_name, "%s", shown(d->heading));
    def->colours = d->colours;
    memcpy(def->palette, d->palette, d->colours * sizeof *d->palette);
    return MASS_OK;
}

mass_status mass_model_add_population(mass_model *m, const mass_population *p, mass_error *error)
{
    mass_status status = check_population(m, p, error);
    if (status != MASS_OK) return status;
    mass_population_def *def = &m->populations[m->population_count];
    *def = (mass_population_def){.capacity = p->capacity, .space = (uint32_t)mass_model_find_space(m, p->space),
        .conflict = p->conflict, .children = p->children, .initial = p->initial, .constant = p->constant,
        .sprouts = p->sprouts,
        .count = p->count, .priority = -1, .where = -1, .table = -1, .drawn = -1, .heading = -1,
        .position = -1, .at_edge = p->at_edge, .first_attribute = m->attribute_count,
        .next_id = m->tally_count};
    snprintf(def->name, sizeof def->name, "%s", p->name);
    snprintf(def->priority_name, sizeof def->priority_name, "%s", shown(p->priority));
    snprintf(def->where_name, sizeof def->where_name, "%s", shown(p->where));
    status = copy_drawn(m, p->drawn, def, error);
    if (status != MASS_OK) return status;
    if (p->table)
        def->table = (int)(mass_parameters_find(&m->parameters, p->table) - m->parameters.slots);
    const struct { const char *member, *tally; int *found; } counters[] = {
        {"born", p->born, &def->born}, {"died", p->died, &def->died}, {"unborn", p->unborn, &def->unborn},
        {"alive", p->alive, &def->alive}};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (!find_counter(m, counters[i].tally, counters[i].found))
            return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s': its .%s '%s' is not a tally declared "
                                  "before it as an integer sum", p->name, counters[i].member, counters[i].tally);
    char next[MASS_NAME_SIZE];
    if ((size_t)snprintf(next, sizeof next, "%s_next_id", p->name) >= sizeof next)
        return mass_error_set(error, MASS_BAD_PLUGIN, "the name of population '%s' is too long", p->name);
    def->help = strdup(shown(p->help));
    if (!def->help) return mass_error_memory(error, 1, "a declaration");
    m->population_count++;
    status = add_what_all_have(m, p->name, next, error);
    if (status == MASS_OK) return MASS_OK;
    mass_model_take_back(m, def->first_attribute, def->next_id);
    m->population_count--;
    free(def->help);
    return status;
}

bool mass_model_sprouts(const mass_model *m)
{
    for (uint32_t i = 0; i < m->population_count; i++)
        if (m->populations[i].sprouts) return true;
    return false;
}

/* ---- phases ---- */

bool mass_phase_may_sprout(const mass_model *m, const mass_phase_def *p, uint32_t population)
{
    const uint32_t over = p->callback ? p->callback->over : MASS_OVER_AGENTS;
    const bool links = over == MASS_OVER_PLACES && mass_callback_is_of_nodes(p->callback);
    if (!links && (over < MASS_OVER_RESIDENTS || mass_over_is_in_turn(over))) return false;
    if (!m->populations[population].sprouts) return false;
    for (uint32_t i = 0; i < p->population_count; i++)
        if (p->populations[i] == population) return true;
    return false;
}

/* Checks a phase's condition and copies it. Leaves the phase if there is none. */
static mass_status copy_condition(const mass_model *m, const mass_condition *c, mass_phase_def *out, mass_error *error)
{
    if (!c) return MASS_OK;
    int tally;
    if (!c->tally || mass_model_find_tally(m, c->tally) < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "a condition looks at tally '%s', which is not declared before "
                              "it", shown(c->tally));
    tally = mass_model_find_tally(m, c->tally);
    const mass_tally_def *t = &m->tallies[tally];
    const bool kept = mass_tally_is_kept(t) && t->kind == MASS_TALLY_INTEGER && t->bins == 0;
    if (!kept && (!find_counter(m, c->tally, &tally) || t->cumulative))
        return mass_error_set(error, MASS_BAD_PLUGIN, "a condition looks at tally '%s', which is not an integer sum "
                              "that restarts each step, or a world attribute of one int64_t", shown(c->tally));
    const mass_parameter_slot *parameter = c->parameter ? mass_parameters_find(&m->parameters, c->parameter) : NULL;
    const int population = mass_model_find_population(m, c->population);
    if ((c->parameter && (!parameter || parameter->type == MASS_TEXT)) || (c->population && population < 0) ||
        c->relation < MASS_AT_MOST || c->relation > MASS_GREATER)
        return mass_error_set(error, MASS_BAD_PLUGIN, "the condition on tally '%s' names an unknown parameter, "
                              "population or relation", c->tally);
    out->conditional = true;
    out->condition = (mass_condition_def){(uint32_t)tally, c->relation, c->value,
        parameter ? (int)(parameter - m->parameters.slots) : -1, population};
    return MASS_OK;
}

/* Appends a copy of a checked phase to the model. Refuses an unknown schedule and too many phases. */
static mass_status append_phase(mass_model *m, const mass_phase_def *phase, mass_error *error)
{
    if (phase->schedule > MASS_STEP)
        return mass_error_set(error, MASS_BAD_PLUGIN, "phase %u is in unknown schedule %u", m->phase_count,
                              phase->schedule);
    if (m->phase_count == MASS_PHASES_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "more than %d phases are declared", MASS_PHASES_MAX);
    mass_phase_def *larger = realloc(m->phases, (m->phase_count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, "a declaration");
    m->phases = larger;
    m->phases[m->phase_count++] = *phase;
    return MASS_OK;
}

/* Returns whether a callback runs over places or nodes, and not over agents. They may act at once or in turn. */
static bool runs_over_places(const mass_callback *c)
{
    return c->over == MASS_OVER_PLACES || c->over == MASS_OVER_NODES_IN_TURN ||
           (c->over == MASS_OVER_TURNS && c->population_count == 0);
}

/* Copies the order of a phase in turn. Refuses an order of another phase. */
static mass_status copy_turn_order(const mass_agent_phase *p, mass_phase_def *phase, mass_error *error)
{
    const char *const by = p->order ? p->order : "";
    if (!mass_over_is_in_turn(phase->callback->over) && (by[0] || p->reversed))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s does not act in turn, and its phase has %s: "
                              "leave it out, or make it MASS_IN_TURN or MASS_IN_TURN_PLACES", phase->callback->name,
                              by[0] ? ".order" : ".reversed");
    if (strlen(by) >= sizeof phase->turn_by)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the .order of its phase, '%s', is too long",
                              phase->callback->name, by);
    phase->turn_order = !by[0] ? MASS_TURN_SHUFFLED : strcmp(by, "id") == 0 ? MASS_TURN_BY_ID : MASS_TURN_BY_VALUE;
    snprintf(phase->turn_by, sizeof phase->turn_by, "%s", by);
    phase->turn_reversed = p->reversed != 0;
    return MASS_OK;
}

/* Refuses a callback over a population that there is not. If there is a space or a network of that name, says what runs
 * over it. */
static mass_status refuse_population(const mass_model *m, const mass_callback *c, const char *name, mass_error *error)
{
    const int space = mass_model_find_space(m, name);
    const bool turns = c->over == MASS_OVER_TURNS;
    if (space >= 0 && mass_model_network_of(m, (uint32_t)space))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over population '%s', which is a network: "
                              "let it run over its nodes by %s", c->name, name,
                              turns ? "MASS_IN_TURN_NODES" : "MASS_NODES");
    if (space >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over population '%s', which is a space: let it "
                              "run over its places by %s", c->name, name,
                              turns ? "MASS_IN_TURN_PLACES" : "MASS_MAP or MASS_STENCIL");
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over population '%s', which is not declared "
                          "before it", c->name, name);
}

/* Checks that a callback's population and space are declared, and its dimensions, radius and reach. */
static mass_status check_callback(const mass_model *m, const mass_agent_phase *p, const mass_callback *c,
                                  int population, int space, mass_error *error)
{
    if (!runs_over_places(c) && c->over != MASS_OVER_WORLDS && population < 0)
        return refuse_population(m, c, shown(p->population), error);
    if (space < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over space '%s', which is not declared "
                              "before it", c->name, shown(p->space));
    if (c->dimensions != 0 && (uint32_t)c->dimensions != m->spaces[space].dimensions)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is for %d dimensions and space '%s' has %u",
                              c->name, c->dimensions, m->spaces[space].name, m->spaces[space].dimensions);
    if (c->radius < 0 || c->radius > 1024 || p->reach < 0 || p->reach > 1024)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has a %s of %d, not 0 to 1024", c->name,
                              p->reach < 0 || p->reach > 1024 ? ".reach" : "radius",
                              p->reach < 0 || p->reach > 1024 ? p->reach : c->radius);
    if (mass_over_is_in_turn(c->over) && runs_over_places(c) && p->population)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is over places in turn, and its phase names "
                              "population '%s'", c->name, p->population);
    if (c->over == MASS_OVER_NODES_IN_TURN && c->population_count)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is over nodes in turn, which see no populations, "
                              "and lists %u", c->name, c->population_count);
    if (c->over == MASS_OVER_TURNS && p->reach > c->radius)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s acts in turn within a radius of %d, and its phase "
                              "has a .reach of %d: give it a smaller one, or none", c->name, c->radius, p->reach);
    return MASS_OK;
}

/* Refuses a population that a callback sees on another space than its own. */
static mass_status check_seen(const mass_model *m, const mass_callback *c, const mass_phase_def *phase, int seen,
                              mass_error *error)
{
    const uint32_t space = m->populations[seen].space;
    const char *name = m->populations[seen].name;
    if (space == phase->space) return MASS_OK;
    if (phase->population >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over population '%s' and sees '%s', which "
                              "is on another space", c->name, m->populations[phase->population].name, name);
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over space '%s' and sees population '%s', which is "
                          "on space '%s': give its phase .space = \"%s\"", c->name, m->spaces[phase->space].name, name,
                          m->spaces[space].name, m->spaces[space].name);
}

/* Returns whether a name is such as LINKS makes of a network's: "town_edges". */
static bool is_of_edges(const char *population)
{
    const size_t length = strlen(shown(population)), end = strlen("_edges");
    return length > end && strcmp(population + length - end, "_edges") == 0;
}

mass_status mass_model_find_seen(const mass_model *m, const mass_callback *c, mass_phase_def *phase, mass_error *error)
{
    const int own = phase->population;
    if (c->population_count > MASS_POPULATIONS_SEEN || (c->population_count && !c->populations))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s sees %u populations: it may see %d", c->name,
                              c->population_count, MASS_POPULATIONS_SEEN);
    if (own >= 0) {
        phase->populations[0] = (uint32_t)own;
        phase->population_count = 1;
        if (c->population_count > 1 && mass_model_find_population(m, c->populations[0]) != own)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs over population '%s', and lists '%s' as "
                                  "its own", c->name, m->populations[own].name, shown(c->populations[0]));
    }
    for (uint32_t i = phase->population_count; i < c->population_count; i++) {
        const int other = mass_model_find_population(m, c->populations[i]);
        if (other < 0 && mass_model_would_be_edges(m, c->populations[i]))
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s asks for edges (LINKS), and those of its "
                                  "network do not change: give the network .links", c->name);
        if (other < 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s sees population '%s', which is not declared "
                                  "before it%s", c->name, shown(c->populations[i]),
                                  is_of_edges(c->populations[i]) ? ": LINKS names a network that is declared before "
                                  "it, with .links" : "");
        const mass_status status = check_seen(m, c, phase, other, error);
        if (status != MASS_OK) return status;
        for (uint32_t k = 0; k < i; k++)
            if (phase->populations[k] == (uint32_t)other)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s lists population '%s' twice", c->name,
                                      m->populations[other].name);
        phase->populations[phase->population_count++] = (uint32_t)other;
    }
    if (c->over != MASS_OVER_AGENTS && c->asks >> phase->population_count)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s asks agents of more populations than the %u that it "
                              "sees", c->name, phase->population_count);
    return MASS_OK;
}

bool mass_phase_applies(const mass_phase_def *p, uint32_t population)
{
    bool sees = false;
    if (!p->callback) return p->population == (int32_t)population;
    for (uint32_t k = 0; mass_phase_is_in_turn(p) && k < p->population_count; k++)
        sees |= p->populations[k] == population;
    return sees;
}

bool mass_phase_asks(const mass_phase_def *phase, uint32_t population)
{
    if (!phase->callback || phase->population < 0) return false;
    if (phase->callback->over == MASS_OVER_AGENTS) return phase->population == (int32_t)population;
    for (uint32_t k = 0; k < phase->population_count; k++)
        if (phase->populations[k] == population && phase->callback->asks >> k & 1) return true;
    return false;
}

/* Checks a phase over agents, places, nodes or worlds, and appends it. On success the model owns the callback. */
static mass_status append_agent_phase(mass_model *m, const mass_agent_phase *p, mass_callback *c, mass_error *error)
{
    const int population = mass_model_find_population(m, p->population);
    const int space = population >= 0 ? (int)m->populations[population].space
                                      : mass_model_space_of(m, c, p->space);
    mass_status status = check_callback(m, p, c, population, space, error);
    if (status != MASS_OK) return status;
    mass_phase_def phase = {.schedule = p->schedule, .space = (uint32_t)space, .callback = c, .taken = c,
        .declared = p->callback,
        .population = runs_over_places(c) || c->over == MASS_OVER_WORLDS ? -1 : population,
        .reach = c->over == MASS_OVER_AGENTS || (c->over == MASS_OVER_TURNS && p->reach) ? p->reach : c->radius};
    if (c->over != MASS_OVER_WORLDS) status = mass_model_find_seen(m, c, &phase, error);
    if (status == MASS_OK) status = copy_condition(m, p->condition, &phase, error);
    if (status == MASS_OK) status = copy_turn_order(p, &phase, error);
    if (status == MASS_OK) status = mass_turn_take_scope(p, &phase, error);
    if (status == MASS_OK) status = mass_turn_take_name(p, &phase, error);
    return status == MASS_OK ? append_phase(m, &phase, error) : status;
}

mass_status mass_model_add_agent_phase(mass_model *m, const mass_agent_phase *p, mass_error *error)
{
    mass_callback *taken = mass_callback_take(p->callback, error);
    if (!taken || taken->over < MASS_OVER_PLACES || taken->over > MASS_OVER_NODES_IN_TURN) {
        free(taken);
        return mass_error_set(error, MASS_BAD_PLUGIN, "phase %u has no callback that was made by MASS_AGENT, "
                              "MASS_RESIDENTS, MASS_OCCUPIED, MASS_IN_TURN, MASS_IN_TURN_PLACES, "
                              "MASS_IN_TURN_NODES, MASS_MAP, MASS_STENCIL or MASS_ONCE of this ABI", m->phase_count);
    }
    const mass_status status = append_agent_phase(m, p, taken, error);
    if (status != MASS_OK) free(taken);
    return status;
}

mass_status mass_model_add_manage(mass_model *m, const mass_manage *p, mass_error *error)
{
    const int population = mass_model_find_population(m, p->population);
    if (population < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s', which is managed, is not declared before it",
                              shown(p->population));
    if (p->order > MASS_KILL_MIGRATE_SPAWN)
        return mass_error_set(error, MASS_BAD_PLUGIN, "population '%s' is managed in unknown order %u", p->population,
                              p->order);
    mass_phase_def phase = {.schedule = p->schedule, .space = m->populations[population].space,
        .population = population, .order = p->order};
    const mass_status status = copy_condition(m, p->condition, &phase, error);
    return status == MASS_OK ? append_phase(m, &phase, error) : status;
}
