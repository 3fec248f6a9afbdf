/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/watch.h"
#include "comm/host_status.h"
#include "process/crash.h"
#include "process/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BOOT = 40 };

/* The file that a thread of a rank writes. */
typedef struct note {
    atomic_uint turn; /* odd during a change */
    char file[MASS_COMM_FILE_SIZE]; /* "": none */
} note;

typedef struct mark {
    atomic_bool done; /* the rank may end */
    note notes[2];    /* of its main thread, and of its other thread that writes files */
} mark;

/* Memory that the ranks of a host share. */
typedef struct page {
    atomic_int exit_status; /* of the first rank that reported why it ends; NOT_SAID: none has */
    mark of[];              /* [ranks of the run] */
} page;

enum { NOT_SAID = -1 };

/* A rank's description of itself for the others. */
typedef struct facts {
    char boot[BOOT]; /* the host since its last start, whatever its name is */
    uint64_t space;  /* the PID namespace: processes within one know each other's ids */
    int32_t process, page_file;
    cpu_set_t cores;
} facts;

static struct {
    mass_comm *comm;
    page *shared;
    int32_t starter;     /* the process that started the ranks and waits for them, or 0 */
    struct pollfd *ends; /* [count] other ranks of this host, then the launcher, then `stop` */
    int32_t *ranks;      /* [count - 2] */
    int32_t *processes;  /* [size] processes of the other ranks of this host; 0 for ranks of other hosts */
    nfds_t count;
    int stop[2];
    pthread_t thread;
    bool runs;
} watch;

static int32_t core_sharers = 1;

int32_t mass_comm_core_sharers(void) { return core_sharers; }

void mass_comm_watch_starter(int32_t process) { watch.starter = process; }

/* Tells the starter, if there is one, that a rank has reported why all end. */
static void tell_starter(void)
{
    if (watch.starter) sigqueue(watch.starter, MASS_COMM_NEWS, (union sigval){MASS_COMM_SAID});
}

bool mass_comm_watch_claim(int exit_status)
{
    int not_said = NOT_SAID;
    tell_starter();
    return !watch.shared || atomic_compare_exchange_strong(&watch.shared->exit_status, &not_said, exit_status);
}

/* ---- the end of a rank ---- */

/* Returns whether entry i of the watched descriptors is a rank's: the last two are not. */
static bool is_rank(int i) { return (nfds_t)i + 2 < watch.count; }

/* Returns the index in watch.ends of the first rank or launcher that has ended too early, or -1. Ranks that may end are
 * watched no longer. Waits for at most so many milliseconds; -1: for ever. */
static int who_ended(int milliseconds)
{
    if (poll(watch.ends, watch.count, milliseconds) <= 0) return -1;
    for (int i = 0; (nfds_t)i + 1 < watch.count; i++) {
        if (!watch.ends[i].revents) continue;
        if (!is_rank(i) || !watch.shared->of[watch.ranks[i]].done) return i;
        close(watch.ends[i].fd);
        watch.ends[i] = (struct pollfd){.fd = -1};
    }
    return -1;
}

/* Reports that a rank or the launcher, by its index in watch.ends, has ended, unless the cause was reported. Ends this
 * process. */
_Noreturn static void end_after(int who)
{
    int status = NOT_SAID;
    if (atomic_compare_exchange_strong(&watch.shared->exit_status, &status, MASS_FAILED)) {
        status = MASS_FAILED;
        tell_starter();
        if (!is_rank(who))
            mass_progress_say_last("mass-engine: the launcher of the ranks on %s has ended, which ends them, too; a "
                                   "run resumes from its last checkpoint", watch.comm->host);
        else
            mass_progress_say_last("mass-engine: rank %d on %s has ended without a message, as a killed process does; "
                                   "a run resumes from its last checkpoint", watch.ranks[who], watch.comm->host);
    }
    mass_crash_leave(status);
    _exit(status);
}

/* Handles a sudden end of this process: if another rank or the launcher has ended, reports that as the cause and ends.
 * Waits up to 0.3 s, as a launcher's files are closed before it is gone. */
static void end_if_others_have(void)
{
    const int who = watch.runs ? who_ended(300) : -1;
    if (who >= 0) end_after(who);
}

/* The thread: waits until a rank or the launcher ends too early, or the watch stops. */
static void *look_on(void *unused)
{
    mass_crash_engine_thread();
    for (;;) {
        const int who = who_ended(-1);
        if (watch.ends[watch.count - 1].revents) return unused;
        if (who >= 0) end_after(who);
    }
}

/* ---- the ranks of this host ---- */

/* Returns the bytes of the memory that the ranks of a host share. */
static off_t page_size(void) { return (off_t)(sizeof(page) + (size_t)watch.comm->size * sizeof(mark)); }

/* Describes this rank for the others. Needs watch.comm. Makes a file of memory to share, f->page_file, which the caller
 * closes; -1: it cannot be made. */
static void describe(facts *f)
{
    struct stat space;
    memset(f, 0, sizeof *f);
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, f->boot, BOOT - 1) <= 0) snprintf(f->boot, BOOT, "%.30s", watch.comm->host);
    if (file >= 0) close(file);
    if (stat("/proc/self/ns/pid", &space) == 0) f->space = space.st_ino;
    f->process = getpid();
    f->page_file = memfd_create("ranks", MFD_CLOEXEC);
    if (f->page_file >= 0 && ftruncate(f->page_file, page_size()) != 0) {
        close(f->page_file);
        f->page_file = -1;
    }
    if (sched_getaffinity(0, sizeof f->cores, &f->cores) != 0) CPU_ZERO(&f->cores);
}

/* Returns whether two ranks run on the same boot of the same machine. */
static bool of_one_host(const facts *a, const facts *b) { return strcmp(a->boot, b->boot) == 0; }
/* Returns whether two ranks are in one PID namespace of one host. */
static bool know_each_other(const facts *a, const facts *b) { return of_one_host(a, b) && a->space == b->space; }

/* Sets core_sharers: the ranks of this host that share cores with this one, itself included; 1 at least. */
static void count_sharers(const facts *all, const facts *own)
{
    core_sharers = 0;
    for (int32_t i = 0; i < watch.comm->size; i++) {
        cpu_set_t both;
        CPU_AND(&both, &all[i].cores, &own->cores);
        core_sharers += of_one_host(&all[i], own) && CPU_COUNT(&both) > 0;
    }
    if (core_sharers < 1) core_sharers = 1;
}

/* Maps the memory of the first rank here as watch.shared. If that fails, maps memory that is not shared: then several
 * ranks may report. Returns false if that fails, too. */
static bool map_page(const facts *all, const facts *own)
{
    int32_t first = 0;
    char path[64];
    while (!know_each_other(&all[first], own)) first++;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", all[first].process, all[first].page_file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    const bool alone = file < 0;
    if (alone) file = dup(own->page_file);
    page *p = mmap(NULL, (size_t)page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    if (p == MAP_FAILED) return false;
    if (first == watch.comm->rank || alone) atomic_store(&p->exit_status, NOT_SAID);
    watch.shared = p;
    return true;
}

/* Opens a file that becomes readable when the process ends. -1: the process cannot be watched. */
static int open_end(int32_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/* Opens the files that tell the ends of the other ranks here and of the launcher, and fills all lists of `watch`.
 * Returns false if that fails. */
static bool list_ends(const facts *all, const facts *own)
{
    watch.ends = calloc((size_t)watch.comm->size + 2, sizeof *watch.ends);
    watch.ranks = calloc((size_t)watch.comm->size, sizeof *watch.ranks);
    watch.processes = calloc((size_t)watch.comm->size, sizeof *watch.processes);
    if (!watch.ends || !watch.ranks || !watch.processes || pipe2(watch.stop, O_CLOEXEC) != 0) return false;
    for (int32_t i = 0; i < watch.comm->size; i++)
        if (i != watch.comm->rank && know_each_other(&all[i], own)) {
            watch.ranks[watch.count] = i;
            watch.processes[i] = all[i].process;
            watch.ends[watch.count++] = (struct pollfd){open_end(all[i].process), POLLIN, 0};
        }
    watch.ends[watch.count++] = (struct pollfd){open_end(getppid()), POLLIN, 0};
    watch.ends[watch.count++] = (struct pollfd){watch.stop[0], POLLIN, 0};
    return true;
}

/* Starts the thread with all signals blocked: the main thread handles them. Sets watch.runs. */
static void start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    watch.runs = pthread_create(&watch.thread, NULL, look_on, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

mass_status mass_comm_watch_begin(mass_comm *comm, mass_error *error)
{
    facts own, *all = calloc((size_t)comm->size, sizeof *all);
    watch.comm = comm;
    if (!all) return mass_error_memory(error, (size_t)comm->size * sizeof *all, "the ranks");
    describe(&own);
    mass_status status = comm->table->all_gather(comm, &own, sizeof own, all, error);
    if (status == MASS_OK) count_sharers(all, &own);
    const bool ready = status == MASS_OK && map_page(all, &own) && list_ends(all, &own);
    if (status == MASS_OK) status = comm->table->barrier(comm, error); /* then all ranks have opened the file */
    if (own.page_file >= 0) close(own.page_file);
    free(all);
    if (!ready) return status;
    start_thread();
    if (watch.runs) mass_crash_among(end_if_others_have, mass_comm_watch_claim);
    return status;
}

void mass_comm_watch_end(bool all)
{
    for (int32_t i = 0; watch.shared && i < watch.comm->size; i++)
        if (all || i == watch.comm->rank) atomic_store(&watch.shared->of[i].done, true);
    if (!watch.runs) return;
    if (write(watch.stop[1], "", 1) == 1) pthread_join(watch.thread, NULL);
    watch.runs = false;
    for (nfds_t i = 0; i < watch.count; i++)
        if (watch.ends[i].fd >= 0) close(watch.ends[i].fd);
    close(watch.stop[1]);
    free(watch.ends);
    free(watch.ranks);
    free(watch.processes);
    watch.processes = NULL;
}

/* Reads at most 511 bytes of a file in /proc of another rank of this host, such as "stat". The text is empty if that
 * fails. */
static void read_of_process(int32_t rank, const char *name, char text[512])
{
    char path[64];
    memset(text, 0, 512);
    if (!watch.processes || watch.processes[rank] == 0) return;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)watch.processes[rank], name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, text, 511) < 0) text[0] = '\0';
    close(file);
}

char mass_comm_watch_state(int32_t rank)
{
    char text[512];
    read_of_process(rank, "stat", text);
    const char *name_end = strrchr(text, ')'); /* "17 (mass-engine) T ..." */
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

uint64_t mass_comm_watch_written(int32_t rank)
{
    static const char key[] = "\nwrite_bytes: ";
    char text[512];
    read_of_process(rank, "io", text);
    const char *at = strstr(text, key);
    return at ? strtoull(at + sizeof key - 1, NULL, 10) : 0;
}

/* ---- files that are written ---- */

const char *mass_comm_watch_writes(const char *path)
{
    static _Thread_local const char *current;
    const char *before = current;
    current = path;
    if (!watch.shared) return before;
    note *n = &watch.shared->of[watch.comm->rank].notes[getpid() == (pid_t)syscall(SYS_gettid) ? 0 : 1];
    atomic_fetch_add(&n->turn, 1);
    snprintf(n->file, sizeof n->file, "%s", path ? path : "");
    atomic_fetch_add(&n->turn, 1);
    return before;
}

/* Reads a note without a lock. Returns false if it is empty or was changed meanwhile. */
static bool read_note(note *n, char file[MASS_COMM_FILE_SIZE])
{
    const unsigned turn = atomic_load(&n->turn);
    memcpy(file, n->file, MASS_COMM_FILE_SIZE);
    file[MASS_COMM_FILE_SIZE - 1] = '\0';
    return turn % 2 == 0 && atomic_load(&n->turn) == turn && file[0];
}

bool mass_comm_watch_file(int32_t rank, char file[MASS_COMM_FILE_SIZE])
{
    if (!watch.shared || !watch.processes || watch.processes[rank] == 0) return false;
    note *notes = watch.shared->of[rank].notes;
    return read_note(&notes[0], file) || read_note(&notes[1], file);
}
