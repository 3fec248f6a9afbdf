/* SPDX-License-Identifier: Apache-2.0 */
/* What a request's line asks for, and what refuses it. */
#include "view/question.h"

#include <criterion/criterion.h>

static int status_of(const char *method, const char *target)
{
    mass_view_question q;
    return mass_view_question_read(method, target, &q);
}

static mass_view_question asked(const char *target)
{
    mass_view_question q = {0};
    cr_assert_eq(mass_view_question_read("GET", target, &q), 200, "%s", target);
    return q;
}

Test(question, frames_have_all_that_is_given)
{
    const mass_view_question q = asked("/run/frame?picture=3&world=2&x=-7&y=9&w=100&h=50&pw=640&ph=480&slice=4&agents=1"
                                       "&after=18446744073&run=2&reduce=largest");
    cr_assert_eq(q.kind, MASS_VIEW_FRAME);
    cr_assert_eq(q.picture, 3);
    cr_assert_eq(q.world, 2);
    cr_assert(q.at[0] == -7 && q.at[1] == 9 && q.extent[0] == 100 && q.extent[1] == 50);
    cr_assert(q.pixels[0] == 640 && q.pixels[1] == 480 && q.slice == 4 && q.agents);
    cr_assert(q.has_after && q.after == 18446744073ull && q.has_run && q.run == 2);
    cr_assert(q.has_rule && q.rule == MASS_VIEW_LARGEST);
}

Test(question, a_frame_without_a_box_is_of_all)
{
    const mass_view_question q = asked("/run/frame");
    cr_assert(q.at[0] == 0 && q.extent[0] > 1 << 30 && q.extent[1] > 1 << 30 && q.slice == -1 && !q.has_after);
}

Test(question, an_agent_has_an_id_and_arrows_a_box)
{
    const mass_view_question q = asked("/run/agent?population=1&id=9007199254740993&world=2");
    cr_assert(q.kind == MASS_VIEW_AGENT && q.population == 1 && q.id == 9007199254740993u && q.world == 2);
    const mass_view_question a = asked("/run/arrows?attribute=3&x=4&y=5&w=6&h=7&slice=1&most=20");
    cr_assert(a.kind == MASS_VIEW_ARROWS && a.attribute == 3 && a.at[0] == 4 && a.extent[1] == 7 && a.slice == 1 &&
              a.most == 20);
    cr_assert_eq(asked("/run/arrows").most, MASS_VIEW_ARROWS_MOST);
    cr_assert_eq(status_of("GET", "/run/agent?id=-1"), 400);
    cr_assert_eq(status_of("GET", "/run/arrows?most=0"), 400);
}

Test(question, edges_are_of_a_network_in_a_world)
{
    const mass_view_question q = asked("/run/edges?network=2&world=3");
    cr_assert(q.kind == MASS_VIEW_EDGES && q.network == 2 && q.world == 3);
    cr_assert_eq(status_of("GET", "/run/edges?picture=0"), 400);
    cr_assert_eq(status_of("GET", "/run/frame?network=0"), 400);
}

Test(question, numbers_know_the_step_the_state_and_the_log)
{
    const mass_view_question q = asked("/run/numbers?after=5&state=paused&log=12");
    cr_assert(q.kind == MASS_VIEW_NUMBERS && q.after == 5 && q.phase == MASS_VIEW_PAUSED && q.log == 12);
    cr_assert_eq(asked("/run/numbers").phase, -1);
}

Test(question, only_what_there_is_by_its_own_method)
{
    cr_assert_eq(status_of("GET", "/run/model"), 200);
    cr_assert_eq(status_of("POST", "/run/control"), 200);
    static const char *const none[] = {"/run/", "/run/nothing", "/run/model/", "/run/models", "/", "/run", "run/model"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) cr_assert_eq(status_of("GET", none[i]), 404, "%s", none[i]);
    static const char *const methods[] = {"POST", "PUT", "HEAD", "get", "OPTIONS", ""};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        cr_assert_eq(status_of(methods[i], "/run/model"), 405, "%s", methods[i]);
    cr_assert_eq(status_of("GET", "/run/control"), 405);
}

Test(question, what_is_malformed_is_refused)
{
    static const char *const bad[] = {
        "/run/frame?&", "/run/frame?picture", "/run/frame?picture=", "/run/frame?picture=x",
        "/run/frame?picture=-1", "/run/frame?picture=1&", "/run/frame?picture=1&picture=1", "/run/frame?picture=+1",
        "/run/frame?picture=1.5", "/run/frame?picture=99999999999999999999", "/run/frame?z=1", "/run/frame?w=0",
        "/run/frame?pw=4097", "/run/frame?ph=0", "/run/frame?agents=2", "/run/frame?reduce=sum", "/run/frame?x=--1",
        "/run/frame?x=-", "/run/frame?nothing=1", "/run/model?picture=1", "/run/numbers?state=", "/run/numbers?x=1",
        "/run/place?agents=1", "/run/frame?x=9223372036854775808", "/run/frame?picture=%31"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) cr_assert_eq(status_of("GET", bad[i]), 400, "%s", bad[i]);
}
