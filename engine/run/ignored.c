/* SPDX-License-Identifier: Apache-2.0 */
#include "run/ignored.h"
#include "ranks/rpc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { HAPPENED = 1, SAID = 2 }; /* values of mass_diagnostics.ignored: to be reported, reported */
enum { NO_NUMBER = MASS_IGNORED_KINDS, NO_POINT, KINDS }; /* the kinds of a record, with its members of these names */

/* Return and set what a record has of a kind (MASS_IGNORED_..., NO_NUMBER or NO_POINT): 0, HAPPENED or SAID. */
static uint32_t flag(const mass_diagnostics *r, int kind)
{
    return kind == NO_NUMBER ? r->no_number : kind == NO_POINT ? r->no_point : r->ignored[kind];
}
static void set_flag(mass_diagnostics *r, int kind, uint32_t value)
{
    *(kind == NO_NUMBER ? &r->no_number : kind == NO_POINT ? &r->no_point : &r->ignored[kind]) = value;
}

/* Gives a sentence to the listener. */
__attribute__((format(printf, 2, 3))) static void tell(const mass_ignored_listener *l, const char *format, ...)
{
    char text[600]; /* enough for two names and a sentence */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    l->say(l->context, text);
}

/* Returns true if another phase of the same callback has reported this kind, or an earlier one will do so. */
static bool is_said(const mass_model *m, const mass_diagnostics *list, uint32_t phase, int kind)
{
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (m->phases[i].declared == m->phases[phase].declared &&
            (flag(&list[i], kind) == SAID || (i < phase && flag(&list[i], kind) == HAPPENED)))
            return true;
    return false;
}

enum { NAMES_TEXT = 300 };

/* Lists the populations that a phase asks, "sheep or wolves": all, or those that are constant. A long
 * list is cut off at the end. Returns text. */
static const char *name_asked(const mass_model *m, const mass_phase_def *p, bool constant, char text[NAMES_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t k = 0; k < p->population_count; k++) {
        const mass_population_def *of = &m->populations[p->populations[k]];
        if (!mass_phase_asks(p, p->populations[k]) || (constant && !of->constant) || used >= NAMES_TEXT) continue;
        used += (size_t)snprintf(text + used, NAMES_TEXT - used, "%s%s", used ? " or " : "", of->name);
    }
    return text;
}

/* Tells of children that are not born. Of a body over residents, the populations that it asks are all that is known. */
static void say_of_children(const mass_ignored_listener *l, const mass_model *m, const mass_phase_def *p)
{
    char names[NAMES_TEXT];
    const char *const name = p->callback->name;
    const mass_population_def *of = &m->populations[p->population];
    const bool agents = p->callback->over == MASS_OVER_AGENTS, turn = mass_phase_is_in_turn(p);
    const char *const by = turn ? "BEAR" : "SPAWN";
    if (!agents && !turn)
        tell(l, "callback %s asks for more children by SPAWN_OF_RESIDENT than an agent of population %s has at most: "
             "raise its .children", name, name_asked(m, p, false, names));
    else if (of->children == 0)
        tell(l, "callback %s asks for children by %s, and none are born: population %s declares no .children", name, by,
             of->name);
    else
        tell(l, "callback %s asks for more children by %s than the %" PRIu32 " that an agent of population %s has "
             "at most: raise its .children", name, by, of->children, of->name);
}

/* Tells the user what a callback asked for in vain, by kind (MASS_IGNORED_...). */
static void say_of_callback(const mass_ignored_listener *l, const mass_model *m, const mass_phase_def *p, int kind)
{
    char names[NAMES_TEXT];
    const char *const callback = p->callback->name;
    const char *const population = p->population >= 0 ? m->populations[p->population].name : "";
    switch (kind) {
    case MASS_IGNORED_KILL:
        if (mass_phase_is_in_turn(p))
            tell(l, "callback %s kills by DIE or KILL_NEARBY, and nobody dies: the population is declared .constant",
                 callback);
        else if (p->callback->over == MASS_OVER_AGENTS)
            tell(l, "callback %s asks to die by KILL, and nobody dies: population %s is declared .constant", callback,
                 population);
        else
            tell(l, "callback %s asks agents to die by KILL_RESIDENT, and nobody dies: population %s is declared "
                 ".constant", callback, name_asked(m, p, true, names));
        break;
    case MASS_IGNORED_EDGE:
        if (p->population >= 0 && m->populations[p->population].position >= 0)
            tell(l, "callback %s asks by CHILD_AT for points over the edge of the space, where no child of population "
                 "%s is born: let it keep them inside", callback, population);
        else
            tell(l, "callback %s asks by CHILD_TO for places over the edge of the space, where no child of population "
                 "%s is born: let it ask EXISTS first", callback, population);
        break;
    case MASS_IGNORED_SPROUTS:
        if (p->callback->over == MASS_OVER_PLACES)
            tell(l, "callback %s asks by LINK for more edges of a node than the .links of its network allows at once: "
                 "raise it", callback);
        else
            tell(l, "callback %s asks by SPROUT for more agents on a place than its population's .sprouts allows at "
                 "once: raise it", callback);
        break;
    case MASS_IGNORED_DRAW:
        tell(l, "callback %s asks for a draw above 65535 (SHUFFLED: above 65528) and gets another draw's numbers",
             callback);
        break;
    case NO_NUMBER:
        tell(l, "callback %s asks to move by an infinity, or by what is no number, and the agent stays: look for a "
             "division by 0", callback);
        break;
    case NO_POINT:
        if (mass_phase_is_in_turn(p))
            tell(l, "callback %s asks by MOVE or BEAR for a place, which is ignored, as agents of population %s have "
                 "positions: let it use MOVE_BY, MOVE_TO or BEAR_AT", callback, population);
        else
            tell(l, "callback %s asks by MIGRATE or CHILD_TO for a place, which is ignored, as agents of population %s "
                 "have positions: let it use MOVE_BY, MOVE_TO or CHILD_AT", callback, population);
        break;
    default: break;
    }
}

/* Gives the listener one sentence for each kind of request that was ignored and not reported before. */
static void say(const mass_ignored_listener *l, const mass_model *m, const mass_diagnostics *list)
{
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        for (int k = 0; p->callback && k < KINDS; k++)
            if (flag(&list[i], k) != HAPPENED || is_said(m, list, i, k)) continue;
            else if (k == MASS_IGNORED_CHILDREN) say_of_children(l, m, p);
            else say_of_callback(l, m, p, k);
    }
    for (uint32_t i = 0; i < m->population_count; i++)
        if (list[m->phase_count + i].ignored[MASS_IGNORED_REQUEST] == HAPPENED)
            tell(l, "agents of population %s ask to move, to have children or to die%s, and no manage applies that: "
                 "declare one after the callbacks that ask", m->populations[i].name,
                 m->populations[i].sprouts ? ", or places bring forth some" : "");
}

/* Combines the flags of all ranks by their maximum: reported on any rank wins. All ranks call it. */
static mass_status share(mass_comm *comm, mass_diagnostics *list, size_t count, mass_error *error)
{
    const size_t kinds = count * KINDS;
    int64_t *all = malloc((kinds + 1) * sizeof *all);
    if (!all) return mass_rpc_abandon(comm, mass_error_memory(error, kinds * sizeof *all, "the run"), error);
    for (size_t i = 0; i < kinds; i++) all[i] = flag(&list[i / KINDS], (int)(i % KINDS));
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_MOST, all, kinds, error);
    for (size_t i = 0; status == MASS_OK && i < kinds; i++)
        set_flag(&list[i / KINDS], (int)(i % KINDS), (uint32_t)all[i]);
    free(all);
    return status;
}

/* Reports on rank 0. Every rank then marks its flags as reported, also on the device if some were new. */
static mass_status report(mass_domain *d, const mass_ignored_listener *l, mass_diagnostics *list, size_t count,
                          mass_error *error)
{
    bool news = false;
    if (d->share.comm->rank == 0) say(l, d->model, list);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < KINDS; k++) {
            news |= flag(&list[i], k) == HAPPENED;
            if (flag(&list[i], k)) set_flag(&list[i], k, SAID);
        }
    return news ? mass_buffer_upload(d->diagnostics, list, count * sizeof *list, error) : MASS_OK;
}

mass_status mass_ignored_report(mass_domain *d, const mass_ignored_listener *listener, mass_error *error)
{
    const size_t count = mass_domain_diagnostic_count(d), bytes = count * sizeof(mass_diagnostics);
    mass_comm *comm = d->share.comm;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_IGNORED, NULL, 0, error);
    if (status != MASS_OK) return status;
    mass_diagnostics *list = malloc(bytes + 1);
    status = list ? mass_buffer_download(d->diagnostics, list, bytes, error)
                  : mass_error_memory(error, bytes, "the run");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && comm->size > 1) status = share(comm, list, count, error);
    if (status == MASS_OK) status = report(d, listener, list, count, error);
    free(list);
    return mass_rpc_agree(comm, status, error);
}
