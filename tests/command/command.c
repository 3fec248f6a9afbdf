/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- memory ---- */

/* What is found here is no leak. */
static struct {
    void **at;
    size_t count;
} everything;

void *kept(void *memory)
{
    void **at = realloc(everything.at, (everything.count + 1) * sizeof *at);
    cr_assert(at && memory, "no memory");
    everything.at = at;
    everything.at[everything.count++] = memory;
    return memory;
}

/* ---- the test's own folder ---- */

static char scratch_folder[] = "/tmp/mass-command-XXXXXX";

void scratch_make(void)
{
    cr_assert_not_null(mkdtemp(scratch_folder), "%s: %m", scratch_folder);
    chmod(scratch_folder, 0755);
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

void scratch_remove(void) { nftw(scratch_folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); }

const char *path_of(const char *format, ...)
{
    char *path;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&path, format, arguments);
    va_end(arguments);
    cr_assert_geq(length, 0);
    return kept(path);
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    cr_assert_not_null(value, "%s is not set: run this test through ctest", name);
    return value;
}

const char *scratch(const char *name) { return path_of("%s/%s", scratch_folder, name); }
const char *data_file(const char *name) { return path_of("%s/%s", environment("MASS_DATA"), name); }
const char *shipped(const char *name) { return path_of("%s/%s.so", environment("MASS_PLUGINS"), name); }
const char *bad_plugin(const char *name) { return path_of("%s/%s.so", MASS_BAD_PLUGINS, name); }

/* ---- files ---- */

static content read_all(int file)
{
    content c = {NULL, 0};
    for (size_t room = 1 << 12;;) {
        if (room - c.size < 1 << 11) room *= 2;
        c.bytes = realloc(c.bytes, room + 1);
        cr_assert_not_null(c.bytes);
        const ssize_t got = pread(file, c.bytes + c.size, room - c.size, (off_t)c.size);
        cr_assert_geq(got, 0, "%m");
        if (got == 0) break;
        c.size += (size_t)got;
    }
    c.bytes[c.size] = 0;
    c.bytes = realloc(c.bytes, c.size + 1);
    kept(c.bytes);
    return c;
}

content file_read(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    cr_assert_geq(file, 0, "%s: %m", path);
    const content c = read_all(file);
    close(file);
    return c;
}

void file_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wbe");
    cr_assert_not_null(file, "%s: %m", path);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

void file_write_text(const char *path, const char *text) { file_write(path, text, strlen(text)); }

void file_copy(const char *from, const char *to)
{
    const content c = file_read(from);
    file_write(to, c.bytes, c.size);
}

bool file_exists(const char *path) { return access(path, F_OK) == 0; }

const char *folder_make(const char *path)
{
    cr_assert_eq(mkdir(path, 0755), 0, "%s: %m", path);
    return path;
}

int folder_count(const char *path)
{
    DIR *entries = opendir(path);
    if (!entries) return 0;
    int count = 0;
    for (const struct dirent *e; (e = readdir(entries));)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(entries);
    return count;
}

/* ---- running it ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

static void become(const char *program, const setting *s, const char *const arguments[], int out, int err)
{
    char *list[128] = {"mass-engine"};
    for (size_t i = 0; arguments[i] && i + 2 < sizeof list / sizeof *list; i++)
        list[i + 1] = (char *)(uintptr_t)arguments[i];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int n = 1; n < NSIG; n++) signal(n, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (s && s->folder && chdir(s->folder) != 0) _exit(126);
    if (s && s->prepare) s->prepare();
    execv(program, list);
    _exit(127);
}

process command_start(const setting *s, const char *const arguments[])
{
    const char *program = environment("MASS_ENGINE");
    process p = {.out = memfd_create("out", MFD_CLOEXEC), .err = memfd_create("err", MFD_CLOEXEC),
                 .deadline = now() + (s && s->seconds > 0 ? s->seconds : 60)};
    cr_assert(p.out >= 0 && p.err >= 0);
    p.id = fork();
    if (p.id == 0) become(program, s, arguments, p.out, p.err);
    cr_assert_gt(p.id, 0);
    return p;
}

/* Leaves a process that ended to be reaped. */
static bool has_ended(const process *p)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)p->id, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == p->id;
}

outcome command_finish(process *p)
{
    outcome o = {.status = -1};
    while (!has_ended(p) && now() < p->deadline) rest();
    o.hung = !has_ended(p);
    if (o.hung) kill(p->id, SIGKILL);
    int how = 0;
    while (waitpid(p->id, &how, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(how)) o.status = WEXITSTATUS(how);
    else o.signal = WTERMSIG(how);
    o.out = (char *)read_all(p->out).bytes;
    o.err = (char *)read_all(p->err).bytes;
    close(p->out);
    close(p->err);
    return o;
}

outcome command_run(const setting *s, const char *const arguments[])
{
    process p = command_start(s, arguments);
    return command_finish(&p);
}

char *command_errors(const process *p) { return (char *)read_all(p->err).bytes; }

void command_await(const process *p, const char *text)
{
    for (;;) {
        const bool last = has_ended(p) || now() >= p->deadline;
        char *errors = command_errors(p);
        const bool found = strstr(errors, text) != NULL;
        if (!found) cr_assert_not(last, "'%s' was not said, but: %s", text, errors);
        if (found) return;
        rest();
    }
}

void command_await_file(const process *p, const char *path)
{
    while (!file_exists(path)) {
        cr_assert(!has_ended(p) && now() < p->deadline, "%s did not appear: %s", path, command_errors(p));
        rest();
    }
}

/* In /proc as `SigCgt: ` and 16 digits. */
static bool takes_signals(const process *p)
{
    char path[64], line[128];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)p->id);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) sscanf(line, "SigCgt: %llx", &caught);
    if (f) fclose(f);
    return caught >> (SIGTERM - 1) & 1;
}

void command_await_signals(const process *p)
{
    while (!takes_signals(p)) {
        cr_assert(!has_ended(p) && now() < p->deadline, "it takes no signals: %s", command_errors(p));
        rest();
    }
}

bool ranks_can_run(void)
{
    const outcome o = RUN("--plugin", "life", "--device", "cpu", "--size", "8x8", "--steps", "1", "--quiet", "--ranks",
                          "2");
    return o.status != MASS_NO_DEVICE;
}

/* ---- what came of it ---- */

int line_count(const char *text)
{
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

void assert_done(const outcome *o, int status)
{
    cr_assert(!o->hung && o->status == status, "expected status %d, found %s %d (status) %d (signal): %s", status,
              o->hung ? "a hang," : "", o->status, o->signal, o->err);
}

void assert_refused(const outcome *o, int status, const char *const pieces[])
{
    assert_done(o, status);
    cr_assert_str_empty(o->out, "it printed: %s", o->out);
    cr_assert_eq(line_count(o->err), 1, "not one line: '%s'", o->err);
    cr_assert_eq(o->err[strlen(o->err) - 1], '\n', "more than a line: '%s'", o->err);
    cr_assert_eq(strncmp(o->err, "mass-engine: ", 13), 0, "not said by the engine: '%s'", o->err);
    for (size_t i = 0; pieces[i]; i++)
        cr_assert_not_null(strstr(o->err, pieces[i]), "no '%s' in '%s'", pieces[i], o->err);
}

json_t *outcome_json(const outcome *o)
{
    json_error_t error;
    json_t *value = json_loads(o->out, JSON_REJECT_DUPLICATES, &error);
    cr_assert_not_null(value, "%s: '%s'; %s", error.text, o->out, o->err);
    return kept(value);
}

const char *outcome_hash(const outcome *o, int status)
{
    assert_done(o, status);
    json_t *result = outcome_json(o);
    const char *hash = json_string_value(json_object_get(result, "state_hash"));
    cr_assert_not_null(hash, "no state_hash in %s", o->out);
    return hash;
}

void file_write_damaged(const char *path, const content *whole, int trial, uint64_t *random)
{
    uint8_t *copy = kept(malloc(whole->size));
    memcpy(copy, whole->bytes, whole->size);
    for (int k = 0; k < 3; k++) copy[next_random(random) % whole->size] = (uint8_t)next_random(random);
    file_write(path, copy, trial % 4 ? whole->size : next_random(random) % whole->size);
}

uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u); /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
