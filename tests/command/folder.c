/* SPDX-License-Identifier: Apache-2.0 */
/* A folder belongs to one run: who may write there, whose files are which, and what happens to those of others. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(folder, SCRATCH);

#define LIFE "--plugin", "life", "--size", "40x30", "--quiet", "--steps", "30"
#define EVERY "--checkpoint-every", "10", "--keep", "0"
#define OUT "--checkpoint", scratch("out")

static const char *at(int step) { return scratch(path_of("out/ckpt-%012d.h5", step)); }

static bool same(const char *a, const char *b)
{
    const content x = file_read(a), y = file_read(b);
    return x.size == y.size && memcmp(x.bytes, y.bytes, x.size) == 0;
}

/* A text attribute of the root; "": there is none. */
static const char *root_text(const char *path, const char *name)
{
    char *text = kept(calloc(1, 100));
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    cr_assert_geq(file, 0, "%s", path);
    if (H5Aexists(file, name) > 0) {
        const hid_t a = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(a);
        cr_assert(H5Tget_size(type) < 100 && H5Aread(a, type, text) >= 0);
        H5Tclose(type);
        H5Aclose(a);
    }
    H5Fclose(file);
    return text;
}

static const char *identity(const char *path) { return root_text(path, "identity"); }

/* As a version before identities wrote it. */
static void make_old(const char *path, bool checkpoint)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    cr_assert_geq(file, 0);
    cr_assert(H5Adelete(file, "identity") >= 0 && H5Adelete(file, "plugin_hash") >= 0);
    if (checkpoint) cr_assert_geq(H5Adelete(file, "run"), 0);
    H5Fclose(file);
}

/* ---- identities ---- */

Test(folder, all_files_of_a_run_have_its_identity)
{
    DONE(RUN(LIFE, OUT, EVERY, "--seed", "1", "--log", "births", "--fields", scratch("fields")));
    const char *id = identity(at(10));
    cr_assert(strlen(id) == 32 && strspn(id, "0123456789abcdef") == 32, "%s", id);
    const char *const files[] = {at(20), at(30), scratch("out/series.h5"), scratch("fields/fields-000000000000.h5"),
        scratch("fields/fields-000000000030.h5")};
    for (int i = 0; i < 5; i++) cr_assert_str_eq(identity(files[i]), id, "%s", files[i]);
    cr_assert_not_null(strstr((char *)file_read(scratch("fields/fields.xmf")).bytes, id));
    DONE(RUN(LIFE, "--checkpoint", scratch("other"), "--seed", "1"));
    cr_assert_str_neq(identity(scratch("other/ckpt-000000000030.h5")), id);
    cr_assert_eq(folder_count(scratch("out")), 4, "a lock was left");
}

Test(folder, a_resumed_run_keeps_its_identity)
{
    DONE(RUN(LIFE, OUT, "--seed", "1", "--log", "births"));
    const char *id = identity(at(30));
    DONE(RUN("--resume", scratch("out"), "--steps", "40", "--quiet"));
    DONE(RUN("--resume", at(30), "--steps", "50", "--quiet", "--checkpoint", scratch("new"), "--fields",
             scratch("new")));
    cr_assert_str_eq(identity(at(40)), id);
    cr_assert_str_eq(identity(scratch("out/series.h5")), id);
    cr_assert_str_eq(identity(scratch("new/ckpt-000000000050.h5")), id);
    cr_assert_str_eq(identity(scratch("new/series.h5")), id);
    cr_assert_str_eq(identity(scratch("new/fields-000000000050.h5")), id);
}

/* It is part of no result, and fixed, two runs write the same files. */
Test(folder, fixed_it_makes_the_same_files)
{
    const outcome plain = RUN(LIFE, "--seed", "1", "--json");
    setenv("MASS_IDENTITY", "0123456789abcdef0123456789abcdef", 1);
    const outcome one = RUN(LIFE, OUT, EVERY, "--seed", "1", "--json");
    DONE(RUN(LIFE, "--checkpoint", scratch("other"), EVERY, "--seed", "1"));
    cr_assert(same(at(20), scratch("other/ckpt-000000000020.h5")));
    cr_assert_str_eq(identity(at(20)), "0123456789abcdef0123456789abcdef");
    cr_assert_str_eq(outcome_hash(&plain, 0), outcome_hash(&one, 0));
    cr_assert_null(strstr(one.out, "0123456789abcdef0123456789abcdef"));
    setenv("MASS_IDENTITY", "none", 1);
    REFUSED(RUN(LIFE, "--checkpoint", scratch("third"), "--seed", "1"), MASS_BAD_USAGE, "MASS_IDENTITY");
}

/* ---- one run ---- */

Test(folder, the_same_run_begins_anew)
{
    DONE(RUN(LIFE, OUT, EVERY, "--seed", "1", "--log", "births"));
    const char *id = identity(at(10));
    for (int i = 10; i <= 30; i += 10) rename(at(i), scratch(path_of("%d", i)));
    file_copy(scratch("30"), at(30));
    DONE(RUN(LIFE, OUT, EVERY, "--seed", "1", "--log", "births"));
    for (int i = 10; i <= 30; i += 10) cr_assert(same(at(i), scratch(path_of("%d", i))), "step %d", i);
    DONE(RUN(LIFE, OUT, "--seed", "1", "--steps", "35", "--log", "deaths"));
    cr_assert_str_eq(identity(at(35)), id);
}

Test(folder, of_another_run_is_left_alone)
{
    DONE(RUN(LIFE, OUT, EVERY, "--seed", "1"));
    file_copy(at(30), scratch("before"));
    static const struct {
        const char *option, *value, *said;
    } others[] = {{"--seed", "2", "with seed 1, and this has 2"}, {"--worlds", "2", "with 1 world, and this has 2"},
        {"--set", "density=0.3", "with density=0.25, and this has density=0.3:"},
        {"--size", "30x40", "with size 40x30, and this has 30x40"},
        {"--first-world", "1", "with first world 0, and this has 1"},
        {"--set", "edge=dead", "with edge=torus, and this has edge=dead"}, /* which makes it another model, too */
        {"--set", "rule=B36/S23", "with rule=B3/S23, and this has rule=B36/S23"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        REFUSED(RUN(LIFE, OUT, "--seed", "1", others[i].option, others[i].value), MASS_BAD_USAGE, scratch("out"),
                "belongs to another run", others[i].said, "--checkpoint folder", "--force");
    REFUSED(RUN("--plugin", "heat", OUT, "--seed", "1"), MASS_BAD_USAGE, "of plugin life, and this is of heat");
    REFUSED(RUN(LIFE, OUT), MASS_BAD_USAGE, "with seed 1, and this has");
    cr_assert_eq(folder_count(scratch("out")), 3);
    cr_assert(same(at(30), scratch("before")));
    DONE(RUN("--resume", scratch("out"), "--steps", "31", "--quiet"));
}

Test(folder, of_another_build_of_the_plugin)
{
    content life = file_read(shipped("life"));
    DONE(RUN(LIFE, OUT, "--seed", "1"));
    folder_make(scratch("lib"));
    file_write(scratch("lib/life.so"), life.bytes, life.size + 1); /* as its end does not matter */
    REFUSED(RUN("--plugin", scratch("lib/life.so"), "--size", "40x30", OUT, "--seed", "1"), MASS_BAD_USAGE,
            "another build", "the plugin's file differs", "--force");
    const outcome same_build = RUN("--resume", scratch("out"), "--steps", "35");
    cr_assert(same_build.status == 0 && !strstr(same_build.err, "another build"), "%s", same_build.err);
    const outcome other = RUN("--resume", scratch("out"), "--plugin", scratch("lib/life.so"), "--steps", "40",
                              "--quiet");
    DONE(other);
    cr_assert(line_count(other.err) == 1 && strstr(other.err, "the checkpoint is of another build of life 2.0.0") &&
              strstr(other.err, "lib/life.so"), "%s", other.err);
    cr_assert_str_eq(identity(at(40)), identity(at(30)));
}

Test(folder, is_taken_by_force)
{
    DONE(RUN(LIFE, OUT, EVERY, "--seed", "1", "--log", "births"));
    file_write_text(scratch("out/notes.txt"), "mine");
    file_write_text(at(7), "mine");
    const outcome o = RUN(LIFE, OUT, "--seed", "2", "--steps", "20", "--force");
    DONE(o);
    cr_assert_eq(line_count(o.err), 1, "%s", o.err);
    cr_assert_not_null(strstr(o.err, "--force: what another run has in"), "%s", o.err);
    cr_assert(file_exists(at(20)) && !file_exists(at(10)) && !file_exists(at(30)));
    cr_assert(!file_exists(scratch("out/series.h5")), "the other's series stayed");
    cr_assert(file_exists(scratch("out/notes.txt")) && file_exists(at(7)), "a file of no run was touched");
    unlink(at(7));
    const outcome rest = RUN("--resume", scratch("out"), "--steps", "30", "--quiet", "--json");
    const outcome whole = RUN(LIFE, "--seed", "2", "--json");
    cr_assert_str_eq(outcome_hash(&rest, 0), outcome_hash(&whole, 0));
}

/* Until the first checkpoint is safe, those of the other run are. */
Test(folder, taken_by_force_and_killed_before_a_checkpoint)
{
    DONE(RUN("--plugin", bad_plugin("shape"), "--seed", "1", "--steps", "20", OUT, EVERY, "--quiet"));
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--seed", "2", "--set", "nap=10000",
                                              "--steps", "1000", OUT, "--force", "--fields", scratch("fields")));
    command_await_file(&p, scratch("fields/fields.xmf"));
    kill(p.id, SIGKILL);
    command_finish(&p);
    cr_assert(file_exists(at(10)) && file_exists(at(20)));
    DONE(RUN("--resume", scratch("out"), "--plugin", bad_plugin("shape"), "--steps", "30", "--quiet"));
}

/* ---- resuming where several are ---- */

Test(folder, of_several_runs_is_not_resumed_without_a_name)
{
    DONE(RUN(LIFE, OUT, "--seed", "1"));
    DONE(RUN(LIFE, "--checkpoint", scratch("other"), "--seed", "2", "--steps", "20"));
    file_copy(scratch("other/ckpt-000000000020.h5"), at(20));
    REFUSED(RUN("--resume", scratch("out"), "--steps", "40"), MASS_BAD_USAGE, "several runs", "ckpt-000000000030.h5",
            "ckpt-000000000020.h5", "--resume FILE", "--checkpoint folder");
    REFUSED(RUN("--resume", at(20), "--steps", "40"), MASS_BAD_USAGE, "belongs to another run", "--force");
    DONE(RUN("--resume", at(20), "--steps", "40", "--quiet", "--checkpoint", scratch("new")));
    REFUSED(RUN("--resume", at(20), "--steps", "50", OUT), MASS_BAD_USAGE, "belongs to another run");
    REFUSED(RUN("--resume", at(30), "--steps", "50", "--checkpoint", scratch("new")), MASS_BAD_USAGE,
            "belongs to another run");
    DONE(RUN("--resume", at(20), "--steps", "40", "--quiet", "--force"));
    cr_assert(file_exists(at(40)) && file_exists(at(20)) && !file_exists(at(30)));
    DONE(RUN("--resume", scratch("out"), "--steps", "41", "--quiet"));
}

Test(folder, an_older_checkpoint_of_the_same_run)
{
    DONE(RUN(LIFE, OUT, EVERY, "--seed", "1"));
    DONE(RUN("--resume", at(10), "--steps", "20", "--quiet"));
    DONE(RUN("--resume", scratch("out"), "--steps", "40", "--quiet"));
    cr_assert(file_exists(at(40)));
}

/* ---- files of before ---- */

static const char accepted[] = "is of a version that gave runs no identity; it is taken as this run's\n";

Test(folder, of_a_version_without_identities)
{
    DONE(RUN(LIFE, OUT, EVERY, "--seed", "1", "--log", "births"));
    for (int i = 10; i <= 30; i += 10) make_old(at(i), true);
    make_old(scratch("out/series.h5"), false);
    REFUSED(RUN(LIFE, OUT, "--seed", "2"), MASS_BAD_USAGE, "belongs to another run, with seed 1, and this has 2");
    const outcome resumed = RUN("--resume", scratch("out"), "--steps", "40", "--quiet");
    DONE(resumed);
    cr_assert_not_null(strstr(resumed.err, accepted), "%s", resumed.err);
    cr_assert_eq(strlen(identity(at(40))), 32);
    cr_assert_str_eq(identity(scratch("out/series.h5")), identity(at(40)));
    const outcome again = RUN("--resume", scratch("out"), "--steps", "50", "--quiet");
    DONE(again);
    cr_assert_str_eq(identity(at(50)), identity(at(40)));
    const outcome anew = RUN(LIFE, OUT, "--seed", "1");
    DONE(anew);
}

Test(folder, of_a_version_without_identities_begun_anew)
{
    DONE(RUN(LIFE, OUT, "--seed", "1"));
    make_old(at(30), true);
    const outcome o = RUN(LIFE, OUT, "--seed", "1");
    DONE(o);
    cr_assert_not_null(strstr(o.err, accepted), "%s", o.err);
    cr_assert_eq(strlen(identity(at(30))), 32);
}

/* ---- files of nobody ---- */

Test(folder, foreign_files_are_left_alone)
{
    folder_make(scratch("out"));
    file_write_text(at(30), "mine");
    REFUSED(RUN(LIFE, OUT, "--seed", "1"), MASS_BAD_USAGE, at(30), "was not written by this program", "--force");
    cr_assert_str_eq((char *)file_read(at(30)).bytes, "mine");
    rename(at(30), scratch("mine"));
    cr_assert_eq(symlink(scratch("mine"), at(30)), 0);
    REFUSED(RUN(LIFE, OUT, "--seed", "1"), MASS_BAD_USAGE, at(30), "was not written by this program");
    DONE(RUN(LIFE, OUT, "--seed", "1", "--force"));
    cr_assert_str_eq((char *)file_read(scratch("mine")).bytes, "mine", "a link was followed");
    H5Fclose(H5Fcreate(at(20), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    REFUSED(RUN(LIFE, OUT, "--seed", "1"), MASS_BAD_USAGE, at(20), "was not written by this program");
    file_write_text(scratch("out/series.h5"), "mine");
    unlink(at(20));
    DONE(RUN(LIFE, OUT, "--seed", "1")); /* which logs nothing */
    cr_assert_str_eq((char *)file_read(scratch("out/series.h5")).bytes, "mine");
    REFUSED(RUN(LIFE, OUT, "--seed", "1", "--log", "births"), MASS_BAD_INPUT, "series.h5 is not an HDF5 file");
    DONE(RUN(LIFE, OUT, "--seed", "1", "--log", "births", "--force"));
    cr_assert_eq(strlen(identity(scratch("out/series.h5"))), 32);
}

/* One that comes while the run goes on is not replaced, and the run says so. */
Test(folder, a_foreign_file_that_comes_later)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--seed", "1", "--set", "nap=20",
                                              "--steps", "30", OUT, EVERY));
    command_await_file(&p, at(10));
    file_write_text(at(20), "mine");
    const outcome o = command_finish(&p);
    DONE(o);
    cr_assert_not_null(strstr(o.err, "no checkpoint of step 20"), "%s", o.err);
    cr_assert_not_null(strstr(o.err, "is not this run's, and stays: move it away, or --force to replace it"), "%s",
                       o.err);
    cr_assert_str_eq((char *)file_read(at(20)).bytes, "mine");
    cr_assert(file_exists(at(30)));
    DONE(RUN("--resume", at(10), "--plugin", bad_plugin("shape"), "--steps", "15", "--quiet", "--keep", "1"));
    cr_assert_str_eq((char *)file_read(at(20)).bytes, "mine");
}

/* ---- at the same time ---- */

static process start_napping(void)
{
    process p = command_start(NULL, ARGUMENTS("--plugin", bad_plugin("shape"), "--seed", "1", "--set", "nap=50",
                                              "--steps", "1000", OUT, EVERY, "--quiet"));
    command_await_file(&p, at(10));
    return p;
}

static void end(process *p)
{
    kill(p->id, SIGTERM);
    const outcome o = command_finish(p);
    assert_done(&o, MASS_INTERRUPTED);
}

Test(folder, the_same_job_twice)
{
    char host[65] = "";
    gethostname(host, 64);
    process p = start_napping();
    const outcome second = RUN("--plugin", bad_plugin("shape"), "--seed", "1", "--set", "nap=50", "--steps", "1000",
                               OUT, EVERY);
    REFUSED(second, MASS_BAD_USAGE, scratch("out"), "in use by a run on", host,
            path_of("process %ld, since 20", (long)p.id), "--checkpoint FOLDER");
    REFUSED(RUN("--resume", scratch("out"), "--plugin", bad_plugin("shape")), MASS_BAD_USAGE, "in use by a run on");
    REFUSED(RUN("--resume", at(10), "--plugin", bad_plugin("shape")), MASS_BAD_USAGE, "in use by a run on");
    REFUSED(RUN(LIFE, "--seed", "1", "--fields", scratch("out")), MASS_BAD_USAGE, "the fields folder", "in use");
    REFUSED(RUN(LIFE, "--seed", "1", OUT, "--force"), MASS_BAD_USAGE, "in use");
    DONE(RUN("--resume", at(10), "--plugin", bad_plugin("shape"), "--steps", "12", "--quiet", "--checkpoint",
             scratch("new")));
    end(&p);
    DONE(RUN("--resume", at(10), "--plugin", bad_plugin("shape"), "--quiet", "--steps", "12"));
}

Test(folder, of_a_killed_run_resumes_at_once)
{
    process p = start_napping();
    kill(p.id, SIGKILL);
    command_finish(&p);
    cr_assert(file_exists(scratch("out/.mass-engine.lock")));
    DONE(RUN("--resume", at(10), "--plugin", bad_plugin("shape"), "--steps", "12", "--quiet"));
    cr_assert(!file_exists(scratch("out/.mass-engine.lock")));
}

/* ---- PID namespaces ---- */

/* Process 1 of a namespace of its own, which ends with it, and with the /proc that belongs to it. */
static void become_first(void)
{
    const int user = geteuid() == 0 ? 0 : CLONE_NEWUSER;
    if (unshare(user | CLONE_NEWPID | CLONE_NEWNS) != 0) _exit(125);
    const pid_t id = fork();
    if (id < 0) _exit(125);
    if (id == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount("proc", "/proc", "proc", 0, NULL) != 0)
            _exit(125);
        return;
    }
    int how = 0;
    waitpid(id, &how, 0);
    _exit(WIFEXITED(how) ? WEXITSTATUS(how) : 124);
}

/* A temporary file as the one who holds the folder, or somebody of this name, writes it. */
static const char *plant_temporary(const char *writer)
{
    char holder[17] = "";
    FILE *from = writer ? NULL : fopen(scratch("out/.mass-engine.lock"), "r");
    if (from) cr_assert_eq(fscanf(from, "mass-engine lock writer %16[0-9a-f]", holder), 1);
    if (from) fclose(from);
    const char *path = scratch(path_of("out/.ckpt-000000000999.0123456789abcdef0123456789abcdef-%s.tmp",
                                       writer ? writer : holder));
    file_write_text(path, "half of a checkpoint");
    return path;
}

Test(folder, in_two_namespaces_of_processes)
{
    const setting first = {.prepare = become_first};
    if (RUN_WITH(IN(.prepare = become_first), "--version").status == 125)
        cr_skip_test("no namespace of processes can be made here");
    process p = command_start(&first, ARGUMENTS("--plugin", bad_plugin("shape"), "--seed", "1", "--set", "nap=50",
                                                "--steps", "1000", OUT, EVERY, "--quiet"));
    command_await_file(&p, at(10));
    const char *temporary = plant_temporary(NULL);
    REFUSED(RUN_WITH(IN(.prepare = become_first), "--plugin", bad_plugin("shape"), "--seed", "1", "--steps", "1000",
                     OUT), MASS_BAD_USAGE, "in use by a run on", "process 1, since 20");
    cr_assert(file_exists(temporary), "it was swept from under the first");
    kill(p.id, SIGKILL);
    command_finish(&p);
    for (int i = 0; i < 200; i++) { /* until the namespace is gone, too */
        const outcome o = RUN_WITH(IN(.prepare = become_first), "--resume", at(10), "--plugin", bad_plugin("shape"),
                                   "--steps", "11", "--quiet");
        if (o.status == 0) break;
        REFUSED(o, MASS_BAD_USAGE, "in use");
        usleep(10000);
    }
    cr_assert(!file_exists(temporary), "what a dead one left is there");
    cr_assert(file_exists(at(11)));
}

/* ---- where there are no locks ---- */

#define DENY(CAUSE) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (CAUSE))
#define LOAD(FIELD) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, FIELD))

/* As on a file system whose server keeps none. */
static void without_locks(void)
{
    struct sock_filter code[] = {LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 3), LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_OFD_SETLK, 0, 1), DENY(ENOLCK),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(125);
}

Test(folder, without_locks_is_said_and_written)
{
    const setting lockless = {.prepare = without_locks};
    outcome o = command_run(&lockless, ARGUMENTS(LIFE, OUT, EVERY, "--seed", "1", "--fields", scratch("fields"),
                                                 "--image", scratch("a.png")));
    if (o.status == 125) cr_skip_test("system calls cannot be filtered here");
    DONE(o);
    cr_assert_eq(line_count(o.err), 2, "%s", o.err);
    cr_assert_not_null(strstr(o.err, path_of("the file system of %s has no locks (No locks", scratch("out"))), "%s",
                       o.err);
    const char *temporary = plant_temporary("00112233445566ff");
    o = command_run(&lockless, ARGUMENTS(LIFE, OUT, "--seed", "2"));
    assert_done(&o, MASS_BAD_USAGE);
    cr_assert_not_null(strstr(o.err, "belongs to another run"), "%s", o.err);
    DONE(command_run(&lockless, ARGUMENTS("--resume", scratch("out"), "--steps", "40", "--quiet")));
    cr_assert(file_exists(temporary), "it may be of a run that goes on");
}

static int times(const char *text, const char *words)
{
    int count = 0;
    for (const char *found = text; (found = strstr(found, words)); found++) count++;
    return count;
}

/* Only the files that they write keep the two runs apart. Each step's file belongs to the run that wrote it first, and
 * the other run reports that. It reports the last file twice. Of many files in a row it reports the first, the second
 * and the fourth. */
Test(folder, without_locks_two_runs_replace_nothing)
{
    static const char stays[] = "the file there is not this run's, and stays";
    const setting lockless = {.prepare = without_locks};
#define NAPPING "--plugin", bad_plugin("shape"), "--set", "nap=20", "--steps", "60", OUT, EVERY, "--quiet"
    folder_make(scratch("out"));
    process one = command_start(&lockless, ARGUMENTS(NAPPING, "--seed", "1"));
    process two = command_start(&lockless, ARGUMENTS(NAPPING, "--seed", "2"));
    const outcome first = command_finish(&one), second = command_finish(&two);
    if (first.status == 125) cr_skip_test("system calls cannot be filtered here");
    cr_assert_eq(first.status + second.status, MASS_FAILED, "%s%s", first.err, second.err);
    const int said = times(first.err, stays) + times(second.err, stays);
    cr_assert(said >= 4 && said <= 7, "%s%s", first.err, second.err);
    cr_assert_eq(folder_count(scratch("out")), 7, "six checkpoints, and the lock that nobody has");
    if (times(first.err, stays) > 0 && times(second.err, stays) > 0)
        REFUSED(RUN("--resume", scratch("out"), "--plugin", bad_plugin("shape")), MASS_BAD_USAGE, "several runs");
}
