/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/watch.h"
#include "base/escape.h"
#include "base/memory_stream.h"
#include "io/picture/half_blocks.h"
#include "io/picture/picture.h"
#include "process/crash.h"
#include "process/standard.h"
#include "process/terminal.h"
#include "state/tally.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double INTERVAL = 0.25; /* least seconds between frames */
static const double REST = 100;      /* least time between frames, in multiples of a frame's own time */

enum { VALUE_WIDTH = 18, GAP = 3 };

/* A frame to draw, and the terminal's size. */
typedef struct frame {
    int columns, rows;  /* of the terminal */
    mass_raster raster; /* without pixels: there is no picture */
    char *text;         /* the lines below the picture */
    int lines;          /* number of these lines */
} frame;

struct mass_watch {
    const mass_model *model;
    mass_gidx slice;
    mass_palette palette;
    mass_ink ink;
    int64_t *tallies; /* [tallies][worlds][words]; NULL: out of memory */
    double due, seconds;
    bool looked;
    uint64_t step; /* step of the last frame */
    bool painting; /* the painter thread uses the members below */
    pthread_t painter;
    frame frame;
    int height, columns, rows; /* lines of the frame on the terminal; the terminal's size then */
};

mass_status mass_watch_check(mass_error *error)
{
    const char *kind = getenv("TERM");
    if (!mass_standard_take_terminal())
        return mass_error_set(error, MASS_BAD_USAGE, "--watch: standard error is not a terminal");
    if (kind && strcmp(kind, "dumb") == 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--watch: the terminal can move no cursor (TERM=dumb)");
    return MASS_OK;
}

/* ---- the painter ---- */

/* Writes all bytes to standard error, whatever plugins did to descriptor 2; gives up silently on an error. */
static void write_all(const char *text, size_t size)
{
    ssize_t put;
    for (size_t done = 0; done < size; done += (size_t)(put > 0 ? put : 0)) {
        put = write(mass_standard_people(), text + done, size - done);
        if (put < 0 && errno != EINTR) return;
    }
}

/* Moves the cursor to the start of the last frame. If there is none, the next frame starts here. If the terminal's size
 * has changed, clears the screen, since the last frame may be anywhere. */
static void put_start(mass_watch *w, FILE *to)
{
    if (mass_terminal_take()) w->height = 0;
    if (w->height > 0 && (w->columns != w->frame.columns || w->rows != w->frame.rows)) fputs("\033[H\033[2J", to);
    else if (w->height > 0) fprintf(to, "\r\033[%dA", w->height);
    w->columns = w->frame.columns;
    w->rows = w->frame.rows;
}

/* Returns the colour of a pixel; MASS_NO_PIXEL below the picture. */
static uint32_t colour_at(const mass_watch *w, int32_t x, int32_t y)
{
    const mass_raster *r = &w->frame.raster;
    return y < r->height ? w->palette.rgb[r->index[(size_t)y * (size_t)r->width + (size_t)x]] : MASS_NO_PIXEL;
}

/* Prints the frame, two rows of pixels a line. */
static void put_picture(const mass_watch *w, FILE *to)
{
    mass_pen pen = mass_pen_begin(to, w->ink);
    for (int32_t y = 0; y < w->frame.raster.height; y += 2) {
        for (int32_t x = 0; x < w->frame.raster.width; x++)
            mass_pen_put(&pen, colour_at(w, x, y), colour_at(w, x, y + 1));
        mass_pen_end(&pen);
        fputs("\033[K\n", to);
    }
}

/* Draws the frame on the terminal. A thread of its own runs it, so that a slow terminal does not delay the run. */
static void *paint(void *context)
{
    mass_watch *w = context;
    char *text = NULL;
    size_t size = 0;
    mass_crash_engine_thread();
    mass_standard_locale();
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return NULL;
    put_start(w, to);
    put_picture(w, to);
    fprintf(to, "%s\033[J", w->frame.text);
    if (fclose(to) == 0) {
        write_all(text, size);
        w->height = (w->frame.raster.height + 1) / 2 + w->frame.lines;
    }
    free(text);
    return NULL;
}

/* Frees the frame and marks the painter as ended, which it has to be. */
static void drop_frame(mass_watch *w)
{
    w->painting = false;
    mass_raster_free(&w->frame.raster);
    free(w->frame.text);
    w->frame.text = NULL;
}

/* Waits for the painting thread, if it runs, and drops its frame. */
static void finish_painting(mass_watch *w)
{
    if (w->painting) pthread_join(w->painter, NULL);
    drop_frame(w);
}

/* Returns true if the painter is still at work; else frees its frame. */
static bool is_painting(mass_watch *w)
{
    if (w->painting && pthread_tryjoin_np(w->painter, NULL) == 0) drop_frame(w);
    return w->painting;
}

/* Waits for the painter, and removes the frame before another line is printed. That line takes its place, and the
 * next frame comes below. */
static void make_room(void *context)
{
    mass_watch *w = context;
    char text[32];
    finish_painting(w);
    if (w->height > 0 && mass_terminal_taken())
        write_all(text, (size_t)snprintf(text, sizeof text, "\r\033[%dA\033[J", w->height));
    w->height = 0;
}

/* ---- contents of a frame ---- */

/* Counts the characters of a text up to `most`. *bytes: the bytes of these characters. */
static int characters(const char *text, int most, size_t *bytes)
{
    int count = 0;
    size_t at = 0;
    for (; text[at]; at++)
        if ((text[at] & 0xc0) != 0x80 && count++ == most) break;
    *bytes = at;
    return count < most ? count : most;
}

/* Prints a text, escaped, in exactly `width` characters: cut, or filled with blanks. */
static void put_width(FILE *to, const char *text, int width)
{
    size_t bytes;
    char shown[4 * MASS_PROGRESS_TEXT];
    mass_escape(text, strlen(text), shown, sizeof shown);
    const int count = characters(shown, width, &bytes);
    fprintf(to, "%.*s%*s", (int)bytes, shown, width - count, "");
}

/* Formats a tally with its value; for bins, with their sum. Of a world attribute that is an array, the first value. */
static void describe_tally(const mass_tally_def *t, const int64_t *accumulators, uint64_t step,
                           char text[3 * MASS_NAME_SIZE])
{
    char value[32] = "none";
    uint64_t sum = 0;
    const bool counts = t->bins && !mass_tally_is_kept(t);
    for (uint32_t i = 0; counts && i < t->bins; i++) sum += (uint64_t)accumulators[i];
    const int64_t *shown = counts ? &(const int64_t){(int64_t)sum} : accumulators;
    if (!mass_tally_is_unknown(t, step) && !mass_tally_is_empty(t, shown))
        snprintf(value, sizeof value, "%.12g", mass_tally_value(t, shown));
    snprintf(text, 3 * MASS_NAME_SIZE, "%s %s%s%s", t->name, value, t->unit[0] ? " " : "", t->unit);
}

/* Returns the width of a column of tallies. It does not depend on their values, so that columns keep their position. */
static int tally_width(const mass_model *m)
{
    int width = 0;
    for (uint32_t i = 0; i < m->tally_count; i++) {
        size_t bytes;
        const int own = (int)strlen(m->tallies[i].name) + characters(m->tallies[i].unit, MASS_NAME_SIZE, &bytes);
        if (!m->tallies[i].hidden && own > width) width = own;
    }
    return width + VALUE_WIDTH + GAP;
}

/* Prints at most `most` lines of tallies, as many side by side as fit, and returns how many lines. Leaves out
 * tallies that count by key. */
static int put_tallies(const mass_watch *w, const mass_domain *d, uint64_t step, int columns, int most, FILE *to)
{
    const int width = tally_width(w->model), across = columns / width > 0 ? columns / width : 1;
    int count = 0;
    for (uint32_t i = 0; i < w->model->tally_count && count < across * most; i++) {
        char text[3 * MASS_NAME_SIZE];
        const mass_tally_def *t = &w->model->tallies[i];
        if (t->hidden || t->keys) continue;
        describe_tally(t, w->tallies + mass_tally_at(t, d->share.worlds, 0), step, text);
        if (count > 0 && count % across == 0) fputs("\033[K\n", to);
        put_width(to, text, across > 1 ? width : columns);
        count++;
    }
    if (count > 0) fputs("\033[K\n", to);
    return (count + across - 1) / across;
}

/* Makes the lines below the picture. They get at most a third of the terminal if there is a picture. */
static bool make_text(mass_watch *w, const mass_domain *d, const mass_progress *progress, uint64_t step)
{
    frame *f = &w->frame;
    char now[MASS_PROGRESS_TEXT], line[MASS_PROGRESS_TEXT + MASS_NAME_SIZE + 64], world[40] = "";
    size_t size = 0;
    FILE *to = mass_memory_stream(&f->text, &size);
    if (!to) return false;
    if (d->share.worlds > 1) snprintf(world, sizeof world, ", world %d of %d", d->first_world, d->share.worlds);
    mass_progress_text(progress, step, now);
    snprintf(line, sizeof line, "%s%s: %s", w->model->plugin, world, now);
    put_width(to, line, f->columns - 1);
    fputs("\033[K\n", to);
    const int most = w->model->picture.declared ? f->rows / 3 : f->rows - 2;
    f->lines = 1 + put_tallies(w, d, step, f->columns - 1, most, to);
    return fclose(to) == 0;
}

/* Draws the picture. It leaves the last column free, since some terminals wrap there, and the last line for the
 * cursor. */
static void make_picture(mass_watch *w, mass_domain *d)
{
    frame *f = &w->frame;
    mass_error ignored = {0};
    const int rows = 2 * (f->rows - 1 - f->lines);
    if (w->model->picture.declared && rows > 0 && f->columns > 1)
        mass_picture_glance(d, w->slice, f->columns - 1, rows, &w->palette, &f->raster, &ignored);
}

/* ---- the run's calls ---- */

mass_status mass_watch_create(const mass_model *model, mass_gidx slice, mass_watch **out, mass_error *error)
{
    mass_watch *w = calloc(1, sizeof *w);
    if (!w) return mass_error_memory(error, sizeof *w, "a look at the run");
    const char *colours = getenv("COLORTERM");
    w->model = model;
    w->slice = slice;
    w->ink = colours && (strstr(colours, "truecolor") || strstr(colours, "24bit")) ? MASS_INK_FULL : MASS_INK_256;
    mass_status status = MASS_OK;
    if (model->picture.declared || slice >= 0) status = mass_picture_check(model, slice, error);
    if (status == MASS_OK && model->picture.declared) status = mass_picture_palette(model, &w->palette, error);
    if (status != MASS_OK) {
        free(w);
        return status;
    }
    mass_terminal_guard();
    mass_progress_make_room(make_room, w);
    *out = w;
    return MASS_OK;
}

bool mass_watch_is_due(mass_watch *w) { return w && mass_seconds() >= w->due && !is_painting(w); }

void mass_watch_look(mass_watch *w, mass_domain *d, const mass_progress *progress, uint64_t step)
{
    if (!w || (w->looked && w->step == step)) return;
    const double began = mass_seconds();
    mass_error ignored = {0};
    finish_painting(w);
    mass_terminal_size(mass_standard_people(), &w->frame.columns, &w->frame.rows);
    if (!w->tallies) w->tallies = calloc((w->model->tally_words + 1) * (size_t)d->share.worlds, sizeof *w->tallies);
    if (mass_terminal_in_front() && w->tallies && mass_domain_read_tallies(d, w->tallies, &ignored) == MASS_OK &&
        make_text(w, d, progress, step)) {
        make_picture(w, d);
        w->painting = pthread_create(&w->painter, NULL, paint, w) == 0;
        w->looked = true;
        w->step = step;
    }
    if (!w->painting) drop_frame(w);
    const double now = mass_seconds(), took = now - began;
    w->seconds += took;
    w->due = now + (took * REST > INTERVAL ? took * REST : INTERVAL);
}

void mass_watch_end(mass_watch *w)
{
    if (!w) return;
    finish_painting(w);
    mass_terminal_give_back();
    mass_progress_make_room(NULL, NULL);
}

double mass_watch_seconds(const mass_watch *w) { return w ? w->seconds : 0; }

void mass_watch_free(mass_watch *w)
{
    if (!w) return;
    mass_watch_end(w);
    free(w->tallies);
    free(w);
}
