/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that are no plugins, that break their contract, and where plugins are found. */
#include "../extended.h"
#include "command.h"

#include <elf.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(plugin, SCRATCH);

static outcome run_plugin(const char *path)
{
    return RUN("--plugin", path, "--steps", "10", "--checkpoint", scratch("out"), "--checkpoint-every", "1", "--image",
               scratch("out.png"));
}

/* Refused by a run and by --info, and nothing is left behind. */
static void refuse(const char *path, const char *const pieces[])
{
    const outcome run = run_plugin(path);
    assert_refused(&run, MASS_BAD_PLUGIN, pieces);
    const outcome info = RUN("--info", "--plugin", path);
    assert_refused(&info, MASS_BAD_PLUGIN, pieces);
    cr_assert_not(file_exists(scratch("out")), "%s left a folder", path);
    cr_assert_not(file_exists(scratch("out.png")), "%s left a picture", path);
}
#define REFUSE(PATH, ...) refuse(PATH, ARGUMENTS(__VA_ARGS__))

/* ---- files that are no plugins ---- */

Test(plugin, missing)
{
    REFUSE(scratch("none.so"), "none.so", "No such file");
    REFUSE("nosuchmodel", "nosuchmodel", "MASS_PLUGIN_PATH");
    REFUSE(scratch(""), "folder");
}

Test(plugin, empty)
{
    file_write_text(scratch("empty.so"), "");
    REFUSE(scratch("empty.so"), "empty.so is empty");
}

Test(plugin, text)
{
    file_write_text(scratch("text.so"), "#!/bin/sh\necho no plugin\n");
    REFUSE(scratch("text.so"), "text.so is not a shared object");
}

Test(plugin, truncated)
{
    const content life = file_read(shipped("life"));
    uint64_t state = 1;
    for (int i = 0; i < 24; i++) {
        const size_t fixed[] = {1, 4, 16, 63, 64, 120, life.size / 2, life.size - 1};
        const size_t size = i < 8 ? fixed[i] : next_random(&state) % (life.size - 1) + 1;
        file_write(scratch("cut.so"), life.bytes, size);
        REFUSED(RUN("--plugin", scratch("cut.so"), "--steps", "1"), MASS_BAD_PLUGIN, "cut.so");
    }
}

Test(plugin, wrong_architecture)
{
    static const struct {
        uint16_t machine;
        const char *name;
    } others[] = {{EM_AARCH64, "aarch64"}, {EM_386, "i386"}, {EM_RISCV, "riscv"}, {EM_PPC64, "ppc64"},
                  {0x7777, "machine number"}};
    content life = file_read(shipped("life"));
    Elf64_Ehdr *header = (Elf64_Ehdr *)life.bytes;
    const uint16_t ours = header->e_machine;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].machine == ours) continue;
        header->e_machine = others[i].machine;
        file_write(scratch("foreign.so"), life.bytes, life.size);
        REFUSE(scratch("foreign.so"), "foreign.so was built for", others[i].name, "build it for this machine");
    }
}

Test(plugin, programs_and_pipes)
{
    REFUSE(getenv("MASS_ENGINE"), "mass-engine plugin");
    cr_assert_eq(mkfifo(scratch("pipe.so"), 0600), 0);
    REFUSE(scratch("pipe.so"), "not a regular file");
}

/* ---- entries ---- */

Test(plugin, without_the_symbol) { REFUSE(bad_plugin("no-symbol"), "mass_plugin_entry", "MASS_PLUGIN"); }
Test(plugin, without_the_note) { REFUSE(bad_plugin("no-note"), "no-note.so is not a mass-engine plugin", "ABI note"); }

Test(plugin, another_abi)
{
    REFUSE(bad_plugin("other-major"), "ABI 1.4", "this engine has 0.4", "both numbers must be equal", "SDK");
    REFUSE(bad_plugin("other-minor"), "ABI 0.99", "this engine has 0.4", "both numbers must be equal", "SDK");
    REFUSE(bad_plugin("other-note"), "ABI 0.99");
    REFUSE(bad_plugin("other-entry"), "ABI 0.99", "MASS_PLUGIN");
}

Test(plugin, of_an_abi_before)
{
    REFUSE(bad_plugin("abi-0-3"), "was built for ABI 0.3 and this engine has 0.4", "rebuild it with this engine's SDK");
    REFUSE(bad_plugin("abi-0-2"), "was built for ABI 0.2 and this engine has 0.4", "rebuild it with this engine's SDK");
    REFUSE(bad_plugin("abi-0-1"), "was built for ABI 0.1 and this engine has 0.4", "rebuild it with this engine's SDK");
}

Test(plugin, wrong_struct_sizes)
{
    REFUSE(bad_plugin("no-launch-size"), "mass_plugin_entry", "launch record of 0 bytes", "MASS_PLUGIN");
    REFUSE(bad_plugin("newer-launch"), "newer-launch.so knows a launch record", "rebuild it with this engine's SDK");
    REFUSE(bad_plugin("sized-more"), "sized: a parameter is declared with more than this engine knows", "newer engine");
    REFUSE(bad_plugin("size-zero"), "mass_plugin_entry", "size of 0 bytes", "MASS_PLUGIN");
    REFUSE(bad_plugin("size-huge"), "mass_plugin_entry", "size of 4294967295 bytes", "MASS_PLUGIN");
}

/* With other sizes of all structs that a plugin fills in, it is the same model. */
Test(plugin, of_an_older_or_newer_sdk)
{
    static const char *const names[] = {"sized", "sized-cut", "sized-grown"};
    char hashes[3][40];
    for (int i = 0; i < 3; i++) {
        const outcome o = RUN("--plugin", bad_plugin(names[i]), "--seed", "3", "--steps", "10", "--device", "paranoid",
                              "--json", "--quiet");
        snprintf(hashes[i], sizeof hashes[i], "%s", outcome_hash(&o, MASS_OK));
        cr_assert_str_eq(hashes[i], hashes[0], "%s", names[i]);
    }
}

Test(plugin, wrong_entries)
{
    REFUSE(bad_plugin("unnamed"), "unnamed.so", "name");
    REFUSE(bad_plugin("misnamed"), "misnamed.so", "name", "a-z");
    REFUSE(bad_plugin("no-open"), "entry: it has no open function");
    REFUSE(bad_plugin("unknown-service"), "entry: it needs service 'mass.magic/7'");
}

/* ---- crashes, hangs and exits ---- */

Test(plugin, that_crashes_when_it_is_tried)
{
    REFUSE(bad_plugin("crash-in-constructor"), "crash-in-constructor.so crashes", "Segmentation fault", "loading");
    REFUSE(bad_plugin("crash-in-open"), "crash-in-open.so crashes", "Segmentation fault", "in open");
    REFUSE(bad_plugin("crash-in-load"), "crash-in-load.so crashes", "Segmentation fault", "in load");
    REFUSE(bad_plugin("crash-in-step"), "crash-in-step.so crashes", "Segmentation fault", "in grow, step 1");
}

Test(plugin, that_exits_when_it_is_tried)
{
    REFUSE(bad_plugin("leave-in-constructor"), "leave-in-constructor.so ends the program", "status 0", "loading");
    REFUSE(bad_plugin("leave-in-open"), "leave-in-open.so ends the program", "status 0", "in open");
    REFUSE(bad_plugin("leave-in-step"), "leave-in-step.so ends the program", "status 0", "in grow, step 1");
}

Test(plugin, that_hangs_when_it_is_tried)
{
    static const char *const places[] = {"constructor", "open", "step"};
    static const char *const where[] = {"in loading", "in open", "in grow, step 1"};
    process runs[3];
    for (int i = 0; i < 3; i++)
        runs[i] = command_start(NULL, ARGUMENTS("--plugin", bad_plugin(path_of("hang-in-%s", places[i])),
                                                "--checkpoint", scratch("out")));
    for (int i = 0; i < 3; i++)
        REFUSED(command_finish(&runs[i]), MASS_BAD_PLUGIN, "hangs when it is tried", "5 s", where[i]);
    cr_assert_not(file_exists(scratch("out")));
}

#define SEED "--seed", "1" /* which else is said first */

/* What the probe cannot see: one line with the plugin, the callback and the step, and death by the
 * same signal. */
static void assert_died(const outcome *o, int signal_number, const char *const pieces[])
{
    cr_assert_eq(o->signal, signal_number, "signal %d, status %d: %s", o->signal, o->status, o->err);
    cr_assert_str_empty(o->out);
    char *line = strstr(o->err, "mass-engine: ");
    cr_assert_not_null(line, "%s", o->err);
    cr_assert_eq(line_count(o->err), 1, "%s", o->err);
    for (size_t i = 0; pieces[i]; i++) cr_assert_not_null(strstr(line, pieces[i]), "no '%s' in %s", pieces[i], line);
}

Test(plugin, that_crashes_later)
{
    outcome o = RUN("--plugin", bad_plugin("crash-later"), SEED, "--steps", "10", "--json");
    assert_died(&o, SIGSEGV, ARGUMENTS("mass-engine: fault crashed", "SIGSEGV", "in grow, step 7"));
    o = RUN("--plugin", bad_plugin("abort-later"), SEED, "--steps", "10", "--json");
    assert_died(&o, SIGABRT, ARGUMENTS("mass-engine: fault crashed", "SIGABRT", "in grow, step 7"));
    DONE(RUN("--plugin", bad_plugin("crash-later"), "--steps", "6"));
}

Test(plugin, that_overflows_the_stack_of_another_thread)
{
    const outcome o = RUN("--plugin", bad_plugin("overflow-later"), SEED, "--threads", "2");
    assert_died(&o, SIGSEGV, ARGUMENTS("mass-engine: fault crashed", "in grow, step 7"));
}

Test(plugin, that_crashes_under_a_long_path)
{
    const char *path = scratch("");
    for (int i = 0; i < 9; i++) path = folder_make(path_of("%s/%0200d", path, i));
    path = path_of("%s/crash.so", path);
    file_copy(bad_plugin("crash-unseen"), path);
    const outcome o = RUN("--plugin", path);
    assert_died(&o, SIGSEGV, ARGUMENTS("8/crash.so crashed", "SIGSEGV", "in loading", "last checkpoint\n"));
}

Test(plugin, that_crashes_with_larger_spaces)
{
    const outcome o = RUN("--plugin", bad_plugin("crash-large"), SEED, "--size", "9x9");
    assert_died(&o, SIGSEGV, ARGUMENTS("mass-engine: fault crashed", "in grow, step 1"));
    DONE(RUN("--plugin", bad_plugin("crash-large"), "--size", "8x8"));
}

Test(plugin, that_crashes_on_many_threads)
{
    for (int i = 0; i < unsanitized(6, 20); i++) { /* which of them speaks is a matter of luck */
        const outcome o = RUN("--plugin", bad_plugin("crash-later"), SEED, "--size", "512x512", "--threads", "4");
        assert_died(&o, SIGSEGV, ARGUMENTS("mass-engine: fault crashed", "SIGSEGV", "in grow, step 7"));
    }
}

Test(plugin, that_crashes_in_finish)
{
    const outcome o = RUN("--plugin", bad_plugin("crash-in-finish"), SEED);
    assert_died(&o, SIGSEGV, ARGUMENTS("mass-engine: fault crashed", "in finish, step 10"));
}

Test(plugin, that_exits_later)
{
    REFUSED(RUN("--plugin", bad_plugin("leave-later"), SEED, "--json"), MASS_BAD_PLUGIN, "fault ended the program",
            "in grow, step 7");
}

Test(plugin, that_exits_from_many_threads)
{
    for (int i = 0; i < unsanitized(6, 20); i++)
        REFUSED(RUN("--plugin", bad_plugin("leave-later"), SEED, "--threads", "16", "--json"), MASS_BAD_PLUGIN,
                "fault ended the program", "in grow, step 7");
}

Test(plugin, crash_leaves_whole_checkpoints)
{
    const outcome o = RUN("--plugin", bad_plugin("crash-later"), "--checkpoint", scratch("out"), "--checkpoint-every",
                          "2");
    cr_assert_eq(o.signal, SIGSEGV);
    DONE(RUN("--resume", scratch("out"), "--plugin", bad_plugin("crash-later"), "--steps", "6"));
}

/* ---- calls ---- */

Test(plugin, that_sets_a_text_in_load)
{
    REFUSED(RUN("--plugin", bad_plugin("set-text-in-load")), MASS_BAD_PLUGIN,
            "calls: it sets parameter 'note' after open");
}

Test(plugin, that_fails_in_finish_leaves_the_final_state)
{
    REFUSED(RUN("--plugin", bad_plugin("refuse-in-finish"), "--seed", "1", "--json", "--checkpoint", scratch("out")),
            MASS_FAILED, "calls: the report cannot be made");
    cr_assert_eq(folder_count(scratch("out")), 1);
    const outcome o = RUN("--resume", scratch("out/ckpt-000000000010.h5"), "--plugin", bad_plugin("linger-in-load"),
                          "--json");
    DONE(o);
    cr_assert_eq(json_integer_value(json_object_get(outcome_json(&o), "steps")), 10);
}

/* ---- declarations ---- */

Test(plugin, wrong_declarations)
{
    REFUSE(bad_plugin("two-attributes"), "declare: attribute 'value' of space 'grid' is declared twice");
    REFUSE(bad_plugin("unknown-target"), "declare: callback grow, field value", "'grid' has no attribute 'vlaue'");
    REFUSE(bad_plugin("wrong-type"), "declare: callback grow, field value", "attribute 'value', u8");
    REFUSE(bad_plugin("unknown-tally"), "declare: callback grow, field count", "no tally 'cuont'");
    REFUSE(bad_plugin("read-and-write"), "declare: callback grow", "old", "new", "UPDATE");
    REFUSE(bad_plugin("no-space"), "declare: it declares no space");
    REFUSE(bad_plugin("no-fields"), "declare: callback empty has no fields or no forms");
    REFUSE(bad_plugin("old-struct"), "declare: a tally is declared with a struct_size of 8");
    REFUSE(bad_plugin("unknown-space"), "declare: attribute 'other' belongs to space 'gird'");
    REFUSE(bad_plugin("default-outside"), "declare: parameter 'share' has the default ");
    REFUSE(bad_plugin("undeclared-value"), "declare: it asks for integer parameter 'colour'");
    REFUSE(bad_plugin("padded-struct"), "declare: attribute 'pair'", "padding");
}

Test(plugin, fails_and_says_nothing)
{
    REFUSE(bad_plugin("silent"), "declare: its open failed with status 1 and said nothing");
}

/* ---- where plugins are found ---- */

static const char *chosen_path, *chosen_home;
static void choose(void)
{
    if (chosen_path) setenv("MASS_PLUGIN_PATH", chosen_path, 1);
    else unsetenv("MASS_PLUGIN_PATH");
    if (chosen_home) setenv("HOME", chosen_home, 1);
}

static outcome run_found(const char *path, const char *folder, const char *plugin)
{
    chosen_path = path;
    return RUN_WITH(IN(.folder = folder, .prepare = choose), "--plugin", plugin, "--size", "8x8", "--steps", "1");
}

Test(plugin, names_are_found_beside_the_program)
{
    DONE(run_found(NULL, "/", "life"));
    DONE(run_found(NULL, "/", "life.so"));
}

Test(plugin, names_are_found_in_MASS_PLUGIN_PATH)
{
    folder_make(scratch("mine"));
    file_copy(shipped("life"), scratch("mine/mylife.so"));
    REFUSED(run_found(NULL, "/", "mylife"), MASS_BAD_PLUGIN, "no plugin mylife was found");
    DONE(run_found(scratch("mine"), "/", "mylife"));
    DONE(run_found(path_of("/nowhere:%s", scratch("mine")), "/", "mylife.so"));
}

Test(plugin, MASS_PLUGIN_PATH_goes_before_what_ships)
{
    folder_make(scratch("mine"));
    file_copy(bad_plugin("silent"), scratch("mine/life.so"));
    REFUSED(run_found(scratch("mine"), "/", "life"), MASS_BAD_PLUGIN, "declare: its open failed");
}

Test(plugin, relative_folders_are_passed_over)
{
    folder_make(scratch("mine"));
    file_copy(shipped("life"), scratch("mine/mylife.so"));
    static const char *const paths[] = {"mine", ".", "./mine", "", ":"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        REFUSED(run_found(paths[i], scratch(""), "mylife"), MASS_BAD_PLUGIN, "no plugin mylife was found");
    REFUSED(run_found(scratch("mine/../mine"), "/", "mylife"), MASS_BAD_PLUGIN, "no plugin mylife was found");
}

Test(plugin, names_are_found_in_the_users_folder)
{
    folder_make(scratch(".local"));
    folder_make(scratch(".local/lib"));
    folder_make(scratch(".local/lib/mass"));
    folder_make(scratch(".local/lib/mass/plugins"));
    file_copy(shipped("life"), scratch(".local/lib/mass/plugins/homely.so"));
    chosen_home = scratch("");
    DONE(run_found(NULL, "/", "homely"));
}

Test(plugin, the_working_folder_is_hinted_at_and_not_searched)
{
    file_copy(shipped("life"), scratch("here.so"));
    REFUSED(run_found(NULL, scratch(""), "here.so"), MASS_BAD_PLUGIN, "write ./here.so");
    REFUSED(run_found(NULL, scratch(""), "here"), MASS_BAD_PLUGIN, "write ./here.so");
    DONE(run_found(NULL, scratch(""), "./here.so"));
}

Test(plugin, a_folder_that_everybody_writes_to_is_said)
{
    folder_make(scratch("open"));
    file_copy(shipped("life"), scratch("open/shared.so"));
    cr_assert_eq(chmod(scratch("open"), 0777), 0);
    const outcome o = run_found(scratch("open"), "/", "shared");
    DONE(o);
    cr_assert(strstr(o.err, path_of("everybody on this machine can write to %s", scratch("open"))), "%s", o.err);
    const outcome list = RUN_WITH(IN(.prepare = choose), "--list");
    cr_assert(strstr(list.out, "  shared         everybody can write to") &&
              strstr(list.out, path_of(" %s: chmod o-w\n", scratch("open"))), "%s", list.out);
}
