/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/drawing.h"
#include "base/plural.h"
#include "command/run/rerun_command.h"
#include "command/run/session.h"
#include "base/file.h"
#include "io/checkpoint/layout.h"
#include "io/folder/publish.h"
#include "io/folder/temporary.h"
#include "view/address.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS_FILE "events.csv"

/* Returns the facts of the run by which events are checked. */
static mass_events_of run_of(const mass_session *s)
{
    return (mass_events_of){&s->model, mass_session_worlds(s),
                            s->checkpoint ? s->checkpoint->first_world : s->options->first_world};
}

/* ---- events that are known at the start ---- */

/* Reads and checks a file of events. */
static mass_status read_file(const mass_session *s, const char *path, mass_events *out, mass_error *error)
{
    const mass_events_of of = run_of(s);
    mass_file file = {0};
    mass_status status = mass_file_read(path, MASS_EVENTS_BYTES_MOST, MASS_BAD_INPUT, &file, error);
    if (status == MASS_OK) status = mass_events_parse(&of, path, (const char *)file.bytes, file.size, out, error);
    mass_file_free(&file);
    return status;
}

/* Returns whether a file is by its head a table of events that a run wrote, not another file of that name. */
static bool is_table(const char *path)
{
    static const char head[] = "step,world,attribute,x,y,z,value";
    char bytes[sizeof head - 1];
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const ssize_t got = file < 0 ? -1 : read(file, bytes, sizeof bytes);
    if (file >= 0) close(file);
    return got == (ssize_t)sizeof bytes && memcmp(bytes, head, sizeof bytes) == 0;
}

/* Returns whether a file exists, or cannot be looked for. */
static bool is_there(const char *path) { return access(path, F_OK) == 0 || errno != ENOENT; }

/* Returns whether the run may record to a file that does not exist yet: it has a --view with control, and no
 * --checkpoint. */
static bool may_record(const mass_options *o)
{
    mass_view_address address;
    return o->view && !o->checkpoint && mass_view_address_read(o->view, &address, &(mass_error){0}) == MASS_OK &&
           address.control;
}

/* Adds the events of --events, by a hash of their text, to the inputs of the run. */
static mass_status add_input(mass_session *s, mass_error *error)
{
    const mass_events_of of = run_of(s);
    size_t size;
    char hex[33], *text = mass_events_text(&of, &s->drawing.events, &size);
    if (!text) return mass_error_memory(error, s->drawing.events.count * sizeof(mass_event), "events");
    mass_checkpoint_hash_bytes(text, size, hex);
    free(text);
    return mass_inputs_add(&s->inputs, "events", s->options->events, hex, error);
}

/* Makes the file of --events the one to record in, unless there is a --checkpoint. Reads it as an input of the run. It
 * may be missing only if the run may record to a new file. */
static mass_status read_option(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    if (!o->events) return MASS_OK;
    if (!o->checkpoint) snprintf(s->drawing.file, sizeof s->drawing.file, "%s", o->events);
    s->drawing.ours = is_there(o->events);
    if (!s->drawing.ours && may_record(o)) return MASS_OK;
    const mass_status status = read_file(s, o->events, &s->drawing.events, error);
    return status == MASS_OK && s->drawing.events.count > 0 ? add_input(s, error) : status;
}

/* Returns whether two events write the same value at the same step, world and place. */
static bool is_same(const mass_event *a, const mass_event *b)
{
    return a->step == b->step && a->attribute == b->attribute && a->component == b->component &&
           a->world == b->world && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           memcmp(a->value, b->value, sizeof a->value) == 0;
}

/* Reads the file next to the checkpoint, and replaces the checkpoint's events by its own. Refuses a file that does not
 * begin with the applied events. */
static mass_status take_file(mass_session *s, const char *path, mass_error *error)
{
    mass_drawing *d = &s->drawing;
    mass_events all = {0};
    mass_status status = read_file(s, path, &all, error);
    bool begins = all.count >= d->applied;
    for (size_t i = 0; begins && i < d->applied; i++) begins = is_same(&all.list[i], &d->events.list[i]);
    if (status == MASS_OK && !begins)
        status = mass_error_set(error, MASS_BAD_INPUT, "%s does not begin with the %zu event%s that %s has: put the "
                                "events.csv of its run back, or move this one away", path, d->applied,
                                mass_plural(d->applied),
                                s->checkpoint_path);
    if (status != MASS_OK) {
        mass_events_free(&all);
        return status;
    }
    mass_events_free(&d->events);
    d->events = all;
    return MASS_OK;
}

/* Reads the events of a checkpoint, and later ones from events.csv next to it, if that is a table. Refuses a
 * checkpoint with fewer events than have happened, and a later event of a step before the checkpoint's. */
static mass_status read_checkpoint(mass_session *s, mass_error *error)
{
    const mass_checkpoint *c = s->checkpoint;
    const mass_events_of of = run_of(s);
    mass_drawing *d = &s->drawing;
    char folder[PATH_MAX], path[PATH_MAX];
    mass_status status = MASS_OK;
    if (c->events.text)
        status = mass_events_parse(&of, s->checkpoint_path, c->events.text, c->events.size, &d->events, error);
    d->applied = c->events.applied;
    if (status == MASS_OK && d->applied > d->events.count)
        return mass_error_set(error, MASS_BAD_INPUT, "%s is damaged: it has fewer events than have happened: "
                              MASS_CHECKPOINT_REMEDY, s->checkpoint_path);
    mass_folder_of(s->checkpoint_path, folder);
    if (status == MASS_OK && mass_folder_path(folder, EVENTS_FILE, path) && is_table(path))
        status = take_file(s, path, error);
    if (status != MASS_OK || d->applied == d->events.count || d->events.list[d->applied].step >= c->step)
        return status;
    return mass_error_set(error, MASS_BAD_INPUT, "%s has an event of step %" PRIu64 " that checkpoint %s, of step %"
                          PRIu64 ", does not have: resume from an older one, or take the event out", path,
                          d->events.list[d->applied].step, s->checkpoint_path, c->step);
}

mass_status mass_drawing_read(mass_session *s, mass_error *error)
{
    return s->checkpoint ? read_checkpoint(s, error) : read_option(s, error);
}

/* ---- the folder ---- */

/* Sets *same to whether the events of a file are this run's. A file that cannot be read as this model's is no error: it
 * differs. *error is set then all the same. */
static mass_status compare(const mass_session *s, const char *path, bool *same, mass_error *error)
{
    mass_events there = {0};
    const mass_events *own = &s->drawing.events;
    mass_status status = read_file(s, path, &there, error);
    *same = status == MASS_OK && there.count == own->count;
    for (size_t i = 0; *same && i < there.count; i++) *same = is_same(&there.list[i], &own->list[i]);
    mass_events_free(&there);
    return status == MASS_BAD_INPUT ? MASS_OK : status; /* the file is of another model */
}

/* Refuses a folder of a run with other events. That run may have no checkpoint to resume from, if it was killed
 * early. */
static mass_status refuse_folder(const mass_session *s, mass_error *error)
{
    const char *file = s->drawing.file;
    mass_checkpoint_names names = {0};
    const bool resumes = mass_checkpoint_list(s->folder, &names, &(mass_error){0}) == MASS_OK && names.count > 0;
    mass_checkpoint_names_free(&names);
    return mass_error_set(error, MASS_BAD_USAGE, "%s is of a run in which other places were drawn: %s %s, give another "
                          "--checkpoint folder, or --force to replace what is there", file,
                          resumes ? "go on with that run by --resume" : "repeat that run by --events",
                          resumes ? s->folder : file);
}

mass_status mass_drawing_check_folder(mass_session *s, mass_error *error)
{
    mass_drawing *d = &s->drawing;
    mass_error ignored = {0};
    bool same = true;
    if (!s->folder[0] || !mass_folder_path(s->folder, EVENTS_FILE, d->file)) return MASS_OK;
    d->ours = is_table(d->file);
    const mass_status status = d->ours ? compare(s, d->file, &same, &ignored) : MASS_OK;
    if (status != MASS_OK) return mass_error_set(error, status, "%s", ignored.text);
    d->stale = !same && s->options->force;
    return same || d->stale ? MASS_OK : refuse_folder(s, error);
}

/* Gives the table to the writer of checkpoints, which owns the text from then on. Returns MASS_OK. */
static mass_status tell_output(mass_session *s, char *text, size_t size)
{
    mass_output_know_events(s->output, text, size, s->drawing.applied);
    return MASS_OK;
}

mass_status mass_drawing_begin(mass_session *s, mass_error *error)
{
    mass_drawing *d = &s->drawing;
    const mass_events_of of = run_of(s);
    size_t size = 0;
    if (d->stale) unlink(d->file);
    if (d->stale) d->ours = d->stale = false;
    if (d->events.count == 0) return MASS_OK;
    char *text = mass_events_text(&of, &d->events, &size);
    if (!text) return mass_error_memory(error, d->events.count * sizeof(mass_event), "events");
    return tell_output(s, text, size);
}

/* ---- during the run ---- */

uint64_t mass_drawing_next(const mass_session *s, uint64_t last)
{
    const mass_drawing *d = &s->drawing;
    if (d->applied == d->events.count) return last;
    const uint64_t step = d->events.list[d->applied].step;
    return step < last ? step : last;
}

/* Applies the next `count` events. Then it computes again what depends on places, such as reductions and the stop
 * condition. */
static mass_status apply(mass_session *s, size_t count, mass_error *error)
{
    mass_drawing *d = &s->drawing;
    mass_status status = mass_events_apply(d->events.list + d->applied, count, s->domain, error);
    if (status != MASS_OK) return status;
    d->applied += count;
    mass_output_count_events(s->output, d->applied);
    return mass_stepper_resume(s->run, error);
}

mass_status mass_drawing_apply(mass_session *s, mass_error *error)
{
    const mass_drawing *d = &s->drawing;
    size_t count = 0;
    if (d->failure.status != MASS_OK) return mass_error_set(error, d->failure.status, "%s", d->failure.text);
    while (d->applied + count < d->events.count && d->events.list[d->applied + count].step <= s->run->step) count++;
    return count > 0 ? apply(s, count, error) : MASS_OK;
}

/* ---- recording ---- */

/* Creates the first free file in the current folder, of "life-events.csv", "life-events-2.csv"..., which is then ours.
 * Tries a thousand. */
static mass_status choose_file(mass_session *s, mass_error *error)
{
    enum { NAMES_MOST = 1000 };
    char *path = s->drawing.file;
    for (int i = 1; i <= NAMES_MOST; i++) {
        char number[16] = "";
        if (i > 1) snprintf(number, sizeof number, "-%d", i);
        snprintf(path, PATH_MAX, "%s-events%s.csv", s->model.plugin, number);
        const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            close(file);
            s->drawing.ours = true;
            return MASS_OK;
        }
        if (errno != EEXIST) break;
    }
    const int cause = errno;
    path[0] = '\0';
    return mass_error_set(error, MASS_FAILED, "what is drawn cannot be recorded in this folder: %s; start the run with "
                          "--events FILE", strerror(cause));
}

/* Returns whether the file is this run's own. */
static bool may_replace(const void *context, const char *path)
{
    (void)path;
    return ((const mass_drawing *)context)->ours;
}

/* Writes all bytes and flushes them to the disk. Returns false and sets errno on failure. */
static bool write_all(int file, const char *text, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t put = write(file, text + done, size - done);
        if (put < 0 && errno != EINTR) return false;
        if (put > 0) done += (size_t)put;
    }
    return fsync(file) == 0;
}

/* Writes the whole table, and notes that the file is ours. Does not replace a file that is not. A killed run leaves
 * either the old table or the new one. */
static mass_status record(mass_drawing *d, const char *text, size_t size, mass_error *error)
{
    mass_temporary t;
    bool good = mass_temporary_make(d->file, &t);
    if (good) {
        good = write_all(t.file, text, size) && mass_publish(t.path, d->file, may_replace, d);
        const int cause = errno;
        mass_temporary_end(&t);
        errno = cause;
    }
    if (good) d->ours = true;
    return good ? MASS_OK : mass_error_set(error, MASS_FAILED, "what is drawn cannot be recorded in %s: %s", d->file,
                                           strerror(errno));
}

/* Removes `count` events from position `at` on from the list. */
static void take_out(mass_events *e, size_t at, size_t count)
{
    memmove(e->list + at, e->list + at + count, (e->count - at - count) * sizeof *e->list);
    e->count -= count;
}

/* Adds events to the list and the file, at the run's step; on failure to neither. Checkpoints record them from then on.
 * */
static mass_status remember(mass_session *s, const mass_event *list, size_t count, mass_error *error)
{
    mass_drawing *d = &s->drawing;
    const mass_events_of of = run_of(s);
    size_t size = 0;
    mass_status status = d->file[0] ? MASS_OK : choose_file(s, error);
    if (status == MASS_OK) status = mass_events_insert(&d->events, d->applied, list, count, error);
    if (status != MASS_OK) return status;
    for (size_t i = 0; i < count; i++) d->events.list[d->applied + i].step = s->run->step;
    char *text = mass_events_text(&of, &d->events, &size);
    status = text ? record(d, text, size, error)
                  : mass_error_memory(error, d->events.count * sizeof(mass_event), "events");
    if (status == MASS_OK) return tell_output(s, text, size);
    take_out(&d->events, d->applied, count);
    free(text);
    return status;
}

/* Reports the file of drawn places at the first of them, unless --quiet. */
static void say_recorded(const mass_session *s)
{
    if (s->drawing.drawn == 0 && !s->options->quiet)
        mass_progress_say("mass-engine: step %" PRIu64 ": places are drawn, and recorded in %s: --events gives this "
                          "run again", s->run->step, s->drawing.file);
}

mass_status mass_drawing_add(void *context, const mass_event *list, size_t count, const char **command,
                             mass_error *error)
{
    mass_session *s = context;
    mass_drawing *d = &s->drawing;
    mass_status status = remember(s, list, count, error);
    if (status != MASS_OK) return status;
    say_recorded(s);
    d->drawn += count;
    status = apply(s, count, error);
    if (status != MASS_OK) d->failure = *error;
    char *again = mass_again(s->options, s->opening.seed, s->model.seedless, s->prolonged, d->file);
    if (again) {
        free(s->command);
        s->command = again;
    }
    *command = s->command ? s->command : "";
    return status;
}

void mass_drawing_free(mass_drawing *d)
{
    mass_events_free(&d->events);
    *d = (mass_drawing){0};
}
