/* SPDX-License-Identifier: Apache-2.0 */
#include "view/view.h"
#include "base/identity.h"
#include "process/crash.h"
#include "process/module.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"
#include "view/frame.h"
#include "view/state.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

static const double INTERVAL = 1.0 / 60; /* least seconds between answers */
static const double REST = 4;            /* the rest after answers is this many times their duration, */
static const double LONG_LOOK = 0.01;    /* or, if that is longer than this, */
static const double LONG_REST = 15;      /* this many times, */
static const double INTERVAL_MOST = 1;   /* but at most this many seconds */
static const double SLICE = 0.05;        /* seconds between looks for signals while the run waits */

/* ---- the module ---- */

/* Loads the view's module. Reports if it is missing or of another build. */
static mass_status find_module(const mass_view_module **out, mass_error *error)
{
    char path[PATH_MAX];
    const char *reason;
    if (!mass_module_is_there("view.so"))
        return mass_error_set(error, MASS_NO_DEVICE, "--view: there is no view in this build of mass-engine: install "
                              "mass-engine-view, or build it where libmicrohttpd-dev is installed");
    const mass_view_module *module = mass_module_open("view.so", MASS_VIEW_MODULE_NAME, &reason);
    if (!module && reason)
        return mass_error_set(error, MASS_NO_DEVICE, "--view: its module cannot be loaded: %s; install the library "
                              "that it was built with (libmicrohttpd12)", reason);
    if (!module || module->struct_size != sizeof *module)
        return mass_error_set(error, MASS_NO_DEVICE, "%s is of another build of mass-engine: install both again",
                              mass_module_path("view.so", path) ? path : "view.so");
    *out = module;
    return MASS_OK;
}

/* Starts the server, which then owns the listening socket. Keeps a copy of the socket for a run that follows. */
static mass_status open_server(mass_view *v, mass_error *error)
{
    const mass_view_opening opening = {
        .struct_size = sizeof opening, .listening = v->listening, .token = v->token, .desk = v->desk,
        .ask = mass_desk_ask, .take = mass_desk_take, .drop = mass_desk_drop, .expire = mass_desk_expire,
        .bell = mass_desk_bell, .hear_bell = mass_desk_hear_bell, .is_closed = mass_desk_is_closed,
        .set_viewers = mass_desk_set_viewers};
    v->kept = fcntl(v->listening, F_DUPFD_CLOEXEC, 0); /* for a run that follows */
    const mass_status status = v->module->open(&opening, &v->server, error);
    if (status == MASS_OK) v->listening = -1;
    return status;
}

/* Makes a random token. */
static mass_status make_token(char token[MASS_VIEW_TOKEN_SIZE], mass_error *error)
{
    unsigned char bytes[(MASS_VIEW_TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return mass_error_set(error, MASS_FAILED, "--view: the system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return MASS_OK;
}

/* Data that a run hands over to the run that its process becomes, together with the socket. */
typedef struct handed_down {
    char token[MASS_VIEW_TOKEN_SIZE];
    uint32_t run;
    bool went; /* it was running, not paused */
    mass_view_address address;
} handed_down;

/* Takes token, address and socket from the run before this one, and closes `handed`. Refuses a file that no run has
 * handed over. The socket is the next descriptor. */
static mass_status take_over(mass_view *v, int handed, mass_error *error)
{
    handed_down h;
    const bool whole = pread(handed, &h, sizeof h, 0) == (ssize_t)sizeof h;
    close(handed);
    if (!whole) return mass_error_set(error, MASS_BAD_USAGE, "there is no option --view-handed; --help lists them");
    memcpy(v->token, h.token, sizeof v->token);
    v->run = h.run + 1;
    v->goes = h.went;
    v->address = h.address;
    v->listening = handed + 1;
    fcntl(v->listening, F_SETFD, FD_CLOEXEC);
    return MASS_OK;
}

/* Returns the lower of two neighbouring descriptors that are free, among 1000 from `from` on; -1: none. */
static int find_pair(int from)
{
    for (int at = from; at < from + 1000; at++)
        if (fcntl(at, F_GETFD) < 0 && fcntl(at + 1, F_GETFD) < 0) return at;
    return -1;
}

int mass_view_hand_over(mass_view *v)
{
    enum { FIRST = 40 };
    handed_down h = {.run = v->run, .went = v->phase == MASS_VIEW_RUNNING, .address = v->address};
    memcpy(h.token, v->token, sizeof h.token);
    const int file = memfd_create("view", MFD_CLOEXEC), pair = find_pair(FIRST);
    const bool whole = file >= 0 && pair >= 0 && write(file, &h, sizeof h) == (ssize_t)sizeof h &&
                       dup2(file, pair) == pair && dup2(v->kept, pair + 1) == pair + 1;
    if (file >= 0) close(file);
    v->address.path[0] = '\0'; /* keeps the socket's path */
    mass_view_free(v);
    return whole ? pair : -1;
}

/* Takes over an earlier run's socket and token, if it has handed them; else makes a token and listens at the address of
 * the text. */
static mass_status begin_address(mass_view *v, const char *text, int handed, mass_error *error)
{
    if (handed) return take_over(v, handed, error);
    mass_status status = mass_view_address_read(text, &v->address, error);
    if (status == MASS_OK) status = make_token(v->token, error);
    return status == MASS_OK ? mass_view_listen(&v->address, &v->listening, error) : status;
}

mass_status mass_view_open(const char *text, int handed, mass_view **out, mass_error *error)
{
    mass_view *v = calloc(1, sizeof *v);
    if (!v) return mass_error_memory(error, sizeof *v, "--view");
    *v = (mass_view){.listening = -1, .kept = -1, .run = 1, .pause_at = UINT64_MAX};
    mass_status status = find_module(&v->module, error);
    if (status == MASS_OK) status = begin_address(v, text, handed, error);
    if (status == MASS_OK && !(v->desk = mass_desk_create())) status = mass_error_memory(error, 1, "--view");
    if (status == MASS_OK) *out = v;
    else mass_view_free(v);
    return status;
}

/* ---- the server's thread ---- */

/* Serves until the desk is closed. The body of the view's thread. */
static void *serve(void *context)
{
    mass_view *v = context;
    mass_crash_engine_thread();
    mass_standard_locale();
    v->module->serve(v->server);
    return NULL;
}

/* Starts the thread with all signals blocked: the main thread handles them. Sets v->serving. */
static mass_status start_thread(mass_view *v, mass_error *error)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int cause = pthread_create(&v->thread, NULL, serve, v);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    v->serving = cause == 0;
    return cause == 0 ? MASS_OK : mass_error_set(error, MASS_FAILED, "--view: no thread can be started: %s",
                                                 strerror(cause));
}

/* Reports the page's address with its token, or how to forward a port to the socket of a path. */
static void say_address(const mass_view *v)
{
    const mass_view_address *a = &v->address;
    if (a->path[0])
        mass_progress_say("mass-engine: to look at the run, forward a port to it, as by ssh -L 8080:%s HOST, and "
                          "open http://127.0.0.1:8080/#%s", a->path, v->token);
    else mass_progress_say("mass-engine: look at the run at http://%s:%d/#%s", a->six ? "[::1]" : "127.0.0.1", a->port,
                           v->token);
}

mass_status mass_view_begin(mass_view *v, const mass_view_plan *plan, mass_domain *d, mass_error *error)
{
    if (!v) return MASS_OK;
    v->plan = *plan;
    v->domain = d;
    v->step = plan->first_step;
    v->phase = v->address.control && !plan->go && !v->goes ? MASS_VIEW_PAUSED
             : plan->wait && !v->address.control           ? MASS_VIEW_WAITING
                                                           : MASS_VIEW_RUNNING;
    v->began = v->mark_time = mass_seconds();
    v->mark_step = v->step;
    mass_view_counting_begin(v);
    mass_status status = mass_view_pictures_create(plan->model, &v->pictures, error);
    if (status == MASS_OK) status = mass_view_rows_create(d, v->step, &v->rows, error);
    if (status == MASS_OK) status = open_server(v, error);
    if (status == MASS_OK) status = start_thread(v, error);
    if (status != MASS_OK) return status;
    if (v->run == 1) say_address(v);
    mass_view_log_begin(&v->log);
    return MASS_OK;
}

void mass_view_free(mass_view *v)
{
    if (!v) return;
    if (v->serving) {
        mass_view_log_end(&v->log);
        mass_desk_close(v->desk);
        pthread_join(v->thread, NULL);
    } else if (v->server) v->module->close(v->server);
    if (v->listening >= 0) close(v->listening);
    if (v->kept >= 0) close(v->kept);
    if (v->listening >= 0 || v->server) mass_view_address_end(&v->address);
    mass_view_pictures_free(&v->pictures);
    mass_histories_free(&v->histories);
    mass_view_rows_free(&v->rows);
    mass_desk_free(v->desk);
    free(v);
}

/* ---- answers ---- */

/* Returns whether a question can be answered now. Frames and numbers wait for another step or state. `redrawn`: frames
 * do not, as places of this step were drawn. */
static bool can_answer(const mass_view *v, const mass_view_slip *s, bool redrawn)
{
    const mass_view_question *q = &s->question;
    const bool waits = q->kind == MASS_VIEW_FRAME || q->kind == MASS_VIEW_NUMBERS;
    if (redrawn && q->kind == MASS_VIEW_FRAME) return true;
    if (!waits || !q->has_after || (q->has_run && q->run != v->run)) return true;
    return q->after != v->step || (q->kind == MASS_VIEW_NUMBERS && q->phase >= 0 && q->phase != (int)v->phase);
}

/* Draws a picture, of a line its diagram; answers 400 if there is none such, 503 if unsent answers take too much
 * memory. Clips the question. */
static mass_status answer_frame(mass_view *v, mass_view_slip *s, mass_error *error)
{
    uint32_t width, height;
    if (!mass_frame_clip(v->domain, &v->pictures, &s->question)) {
        s->answer = (mass_view_answer){.status = 400};
        return MASS_OK;
    }
    mass_frame_size(&s->question, &width, &height);
    if (!mass_desk_has_room(v->desk, 2 * (size_t)width * height * (size_t)s->question.worlds)) {
        s->answer = (mass_view_answer){.status = 503};
        return MASS_OK;
    }
    if (v->plan.model->spaces[v->pictures.list[s->question.picture].space].dimensions == 1)
        return mass_histories_draw(&v->histories, v->domain, &v->pictures, &s->question, v->run, v->step, &s->answer,
                                   error);
    return mass_frame_draw(v->domain, &v->pictures, &s->question, v->run, v->step, &s->answer, error);
}

/* Answers a question by its kind. On failure the caller answers 503, and with several ranks ends the run. */
static mass_status answer(mass_view *v, mass_view_slip *s, mass_error *error)
{
    switch (s->question.kind) {
    case MASS_VIEW_MODEL: return mass_view_answer_model(v, &s->answer, error);
    case MASS_VIEW_FRAME: return answer_frame(v, s, error);
    case MASS_VIEW_PLACE: return mass_view_answer_place(v, &s->question, &s->answer, error);
    case MASS_VIEW_AGENT: return mass_view_answer_agent(v, &s->question, &s->answer, error);
    case MASS_VIEW_ARROWS: return mass_view_answer_arrows(v, &s->question, &s->answer, error);
    case MASS_VIEW_EDGES: return mass_view_answer_edges(v, &s->question, &s->answer, error);
    case MASS_VIEW_NUMBERS: return mass_view_answer_numbers(v, &s->question, &s->answer, error);
    case MASS_VIEW_CONTROL: return mass_view_answer_control(v, s->body, s->body_size, &s->answer, error);
    }
    return MASS_OK;
}

/* Answers all questions that can be answered. Answers 503 to one that fails, as when memory is short, and the run goes
 * on. With several ranks a failure fails the run. */
mass_status mass_view_answer_all(mass_view *v, mass_error *error)
{
    mass_status status = MASS_OK;
    const double began = mass_seconds();
    const bool redrawn = v->redrawn;
    v->redrawn = false;
    for (mass_view_slip *s = mass_desk_pick_up(v->desk), *next; s; s = next) {
        next = s->next;
        if (status == MASS_OK && !can_answer(v, s, redrawn)) {
            mass_desk_lay_back(v->desk, s);
            continue;
        }
        if (v->phase == MASS_VIEW_WAITING && s->question.kind == MASS_VIEW_FRAME) v->phase = MASS_VIEW_RUNNING;
        v->end_seen |= v->phase == MASS_VIEW_ENDED && s->question.kind != MASS_VIEW_CONTROL;
        mass_error cause = {0};
        s->answer = (mass_view_answer){.status = 503};
        if (status == MASS_OK && answer(v, s, &cause) != MASS_OK) {
            s->answer = (mass_view_answer){.status = 503};
            if (v->domain->share.comm->size > 1) *error = cause, status = cause.status;
        }
        mass_desk_answer(v->desk, s);
    }
    const double now = mass_seconds(), took = now - began, rest = took * (took > LONG_LOOK ? LONG_REST : REST);
    v->seconds += took;
    v->due = now + (rest < INTERVAL_MOST ? rest : INTERVAL_MOST);
    if (v->due < began + INTERVAL) v->due = began + INTERVAL;
    return status;
}

bool mass_view_is_looked_at(const mass_view *v)
{
    return v && (mass_desk_is_asked(v->desk) || mass_seconds() - mass_desk_last_asked(v->desk) < 1);
}

/* Returns whether questions wait and the time for the next answers has come. */
static bool is_answer_due(const mass_view *v) { return mass_desk_is_asked(v->desk) && mass_seconds() >= v->due; }

bool mass_view_is_due(mass_view *v, uint64_t step)
{
    return v && (is_answer_due(v) || mass_view_is_point_due(v, step));
}

void mass_view_row(mass_view *v, uint64_t step, const int64_t *tallies)
{
    mass_view_rows_put(&v->rows, v->domain, step, tallies);
}

/* ---- the speed of the run ---- */

bool mass_view_is_paused(const mass_view *v)
{
    return v && (v->phase == MASS_VIEW_PAUSED || v->phase == MASS_VIEW_WAITING);
}

/* Returns the seconds until the next step may begin: 0 without a rate, or unless the run is running. */
static double time_to_step(mass_view *v)
{
    const double now = mass_seconds();
    if (v->rate == 0 || v->phase != MASS_VIEW_RUNNING) return 0;
    return v->next_step > now ? v->next_step - now : 0;
}

/* Sets when the next step may begin, by the rate. */
static void plan_next_step(mass_view *v)
{
    const double now = mass_seconds(), between = v->rate > 0 ? 1 / v->rate : 0;
    v->next_step = v->next_step + between > now ? v->next_step + between : now + between;
}

/* Waits while the run is paused or slowed, and excludes that time from the run's. Answers viewers meanwhile. Ends early
 * for a signal, a checkpoint or another run. */
static mass_status wait_for_step(mass_view *v, mass_error *error)
{
    mass_status status = MASS_OK;
    while (status == MASS_OK && (mass_view_is_paused(v) || time_to_step(v) > 0)) {
        if (mass_signals_pending() || v->checkpoint || v->restarts) return MASS_OK;
        if (mass_view_begins_alone(v)) v->phase = MASS_VIEW_RUNNING;
        const double began = mass_seconds();
        mass_desk_wait(v->desk, mass_view_is_paused(v) || time_to_step(v) > SLICE ? SLICE : time_to_step(v));
        v->seconds += mass_seconds() - began;
        status = mass_view_answer_all(v, error);
    }
    return status;
}

mass_status mass_view_attend(mass_view *v, uint64_t step, mass_error *error)
{
    mass_status status = MASS_OK;
    if (!v) return MASS_OK;
    v->step = step;
    if (step >= v->pause_at) {
        v->phase = MASS_VIEW_PAUSED;
        v->pause_at = UINT64_MAX;
    }
    if (mass_histories_grow(&v->histories))
        status = mass_histories_add(&v->histories, v->domain, &v->pictures, step, error);
    if (status == MASS_OK) status = mass_view_add_point(v, error);
    if (status == MASS_OK && is_answer_due(v)) status = mass_view_answer_all(v, error);
    status = status == MASS_OK ? wait_for_step(v, error) : status;
    if (!mass_view_is_paused(v)) plan_next_step(v);
    mass_view_go_on_counting(v);
    return status;
}

uint64_t mass_view_next(const mass_view *v, uint64_t step, uint64_t last)
{
    if (!v) return last;
    if (v->rate > 0 || mass_histories_grow(&v->histories)) return step + 1 < last ? step + 1 : last;
    if (v->pause_at > step && v->pause_at < last) last = v->pause_at;
    return mass_view_next_point(v, step, last);
}

bool mass_view_take_checkpoint(mass_view *v)
{
    const bool wanted = v && v->checkpoint;
    if (wanted) v->checkpoint = false;
    return wanted;
}

bool mass_view_restarts(const mass_view *v) { return v && v->restarts; }

double mass_view_seconds(const mass_view *v) { return v ? v->seconds : 0; }
