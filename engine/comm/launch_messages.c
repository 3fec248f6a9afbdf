/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/launch_messages.h"
#include "comm/options.h"
#include "process/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { KEPT_MOST = 1 << 16 /* bytes of lines */, LINE_MOST = 4096 };

struct mass_launch_words {
    int from, to; /* a pipe; the launcher writes to it */
    int over;     /* an eventfd: the launcher has ended */
    pthread_t thread;
    bool running;
    pthread_mutex_t lock; /* protects the members below */
    bool released, said;
    bool within, drops; /* after the release: the last line has no end yet; the rest of it is discarded */
    char line[LINE_MOST]; /* the beginning of a line without an end yet */
    size_t length;
    char kept[KEPT_MOST];
    size_t kept_length;
};

/* ---- lines ---- */

/* Returns true if a line of `length` bytes begins with a text. */
static bool begins(const char *line, size_t length, const char *text)
{
    return length >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

/* Returns whether the line reports that MPI's library ended a rank during the start. Such a line is kept, not
 * printed. */
static bool is_of_library(const char *line, size_t length)
{
    return memmem(line, length, MASS_COMM_WHILE_STARTED, strlen(MASS_COMM_WHILE_STARTED)) != NULL;
}

/* Adds the line to the kept lines, or drops it if there is no space. */
static void keep(mass_launch_words *w)
{
    if (w->kept_length + w->length > KEPT_MOST) return;
    memcpy(w->kept + w->kept_length, w->line, w->length);
    w->kept_length += w->length;
}

/* Prints the line if it is mass-engine's, and notes that a rank has reported; otherwise keeps it. Begins a new line. */
static void end_line(mass_launch_words *w)
{
    const bool ours = begins(w->line, w->length, "mass-engine: ") && !is_of_library(w->line, w->length);
    if (ours) mass_standard_tell(w->line, w->length);
    else keep(w);
    w->said |= ours;
    w->length = 0;
}

/* Prints text as it comes. Discards warnings of Open MPI's event library about files of ended ranks, which come after
 * the engine's last line. */
static void pass_on(mass_launch_words *w, const char *text, size_t size)
{
    for (size_t length; size > 0; text += length, size -= length) {
        const char *end = memchr(text, '\n', size);
        length = end ? (size_t)(end - text) + 1 : size;
        if (!w->within) w->drops = begins(text, length, "[warn] Epoll ");
        if (!w->drops) mass_standard_tell(text, length);
        w->within = !end;
    }
}

/* Handles text that the launcher or a rank has written: once released passes it on, before splits it into lines. */
static void take(mass_launch_words *w, const char *text, size_t size)
{
    pthread_mutex_lock(&w->lock);
    if (w->released) pass_on(w, text, size);
    for (size_t i = 0; !w->released && i < size; i++) {
        w->line[w->length++] = text[i];
        if (text[i] == '\n' || w->length == LINE_MOST) end_line(w);
    }
    pthread_mutex_unlock(&w->lock);
}

/* ---- the thread ---- */

/* Reads once, without waiting, and handles what came. Returns false if nothing is there, or nothing more can come. */
static bool read_some(mass_launch_words *w)
{
    char text[LINE_MOST];
    const ssize_t got = read(w->from, text, sizeof text);
    if (got > 0) take(w, text, (size_t)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

/* The thread: reads until mass_launch_words_end is called, then what remains. */
static void *listen_to_launcher(void *context)
{
    mass_launch_words *w = context;
    struct pollfd files[2] = {{.fd = w->from, .events = POLLIN}, {.fd = w->over, .events = POLLIN}};
    while (files[1].revents == 0) {
        if (poll(files, 2, -1) < 0 && errno != EINTR) break;
        if (files[0].revents && !read_some(w) && errno != EAGAIN) files[0].fd = -1; /* all writers have closed it */
    }
    while (read_some(w)) continue;
    return NULL;
}

mass_launch_words *mass_launch_words_begin(void)
{
    int ends[2];
    mass_launch_words *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->from = w->to = -1;
    w->over = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&w->lock, NULL);
    if (pipe2(ends, O_CLOEXEC) == 0) {
        w->from = ends[0];
        w->to = ends[1];
    }
    const bool ready = w->over >= 0 && w->from >= 0 && fcntl(w->from, F_SETFL, O_NONBLOCK) == 0;
    w->running = ready && pthread_create(&w->thread, NULL, listen_to_launcher, w) == 0;
    if (w->running) return w;
    mass_launch_words_free(w);
    return NULL;
}

void mass_launch_words_take(mass_launch_words *w)
{
    if (w) dup2(w->to, STDERR_FILENO);
}

void mass_launch_words_started(mass_launch_words *w)
{
    if (w) close(w->to);
    if (w) w->to = -1;
}

void mass_launch_words_release(mass_launch_words *w)
{
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    if (!w->released && w->kept_length) mass_standard_tell(w->kept, w->kept_length);
    if (!w->released && w->length) mass_standard_tell(w->line, w->length);
    w->kept_length = w->length = 0;
    w->released = true;
    pthread_mutex_unlock(&w->lock);
}

void mass_launch_words_end(mass_launch_words *w)
{
    const uint64_t one = 1;
    if (!w || !w->running) return;
    if (write(w->over, &one, sizeof one) != sizeof one) return; /* an eventfd always accepts it */
    pthread_join(w->thread, NULL);
    w->running = false;
    if (w->length) end_line(w);
}

bool mass_launch_words_said(mass_launch_words *w)
{
    if (!w) return false;
    pthread_mutex_lock(&w->lock);
    const bool said = w->said;
    pthread_mutex_unlock(&w->lock);
    return said;
}

/* ---- a file of the lines ---- */

/* Writes the kept lines to a new file in the folder and returns its path. Returns false, without a file, if nothing
 * could be written. */
static bool write_file(const mass_launch_words *w, const char *folder, char path[PATH_MAX])
{
    if (!folder || !folder[0]) return false;
    const int length = snprintf(path, PATH_MAX, "%s/mass-engine-mpirun-XXXXXX", folder);
    const int file = length < PATH_MAX ? mkostemp(path, O_CLOEXEC) : -1;
    if (file < 0) return false;
    const bool some = write(file, w->kept, w->kept_length) > 0; /* a limit or a full disk may truncate it */
    if (!some) unlink(path);
    close(file);
    return some;
}

bool mass_launch_words_keep(mass_launch_words *w, char path[PATH_MAX])
{
    if (!w || w->kept_length == 0) return false;
    return write_file(w, getenv("TMPDIR"), path) || write_file(w, "/tmp", path) || write_file(w, ".", path);
}

/* Ends the thread, which reads the rest of the output, and closes the files. */
void mass_launch_words_free(mass_launch_words *w)
{
    if (!w) return;
    mass_launch_words_end(w);
    if (w->from >= 0) close(w->from);
    if (w->to >= 0) close(w->to);
    if (w->over >= 0) close(w->over);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
