/* SPDX-License-Identifier: Apache-2.0 */
#include "elf_image.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <mass/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FOLDER_VARIABLE "MASS_TEST_ELF_FOLDER" /* tests are processes: they inherit it */

static const char plugin_source[] =
    "#include <mass/plugin.h>\n"
    "static int state[3] = {1, 2, 3};\n"
    "static mass_status tiny_open(mass_host *host) { (void)host; return (mass_status)state[0]; }\n"
    "MASS_PLUGIN(.name = \"tiny\", .version = \"1.0.0\", .open = tiny_open);\n";
static const char library_source[] = "int answer(void) { return 42; }\n";
static const char program_source[] = "int main(void) { return 0; }\n";

static void build(const char *folder, const char *name, const char *source, const char *options)
{
    char path[200], command[2000];
    snprintf(path, sizeof path, "%s/source.c", folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(source, file) < 0 || fclose(file) != 0) abort();
    snprintf(command, sizeof command, "${CC:-cc} -I '" MASS_DATA_DIR "/../sdk/include' %s -o '%s/%s' '%s'", options,
             folder, name, path);
    if (system(command) != 0) abort();
}

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    (void)tests;
    char folder[] = "/tmp/mass-elf-XXXXXX";
    if (!mkdtemp(folder) || setenv(FOLDER_VARIABLE, folder, 1) != 0) abort();
    build(folder, "plugin.so", plugin_source, "-shared -fPIC -O1");
    build(folder, "plugin.o", plugin_source, "-c -fPIC");
    build(folder, "library.so", library_source, "-shared -fPIC");
    build(folder, "program", program_source, "-no-pie");
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    (void)stats;
    static const char *const names[] = {"plugin.so", "plugin.o", "library.so", "program", "source.c"};
    char path[200];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", getenv(FOLDER_VARIABLE), names[i]);
        unlink(path);
    }
    rmdir(getenv(FOLDER_VARIABLE));
}

const char *built(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", getenv(FOLDER_VARIABLE), name);
    return path;
}

guarded guarded_create(size_t capacity)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (capacity / page + 1) * page;
    uint8_t *start = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(start != MAP_FAILED);
    cr_assert_eq(mprotect(start + room, page, PROT_NONE), 0);
    return (guarded){start + room, room};
}

mass_status check_guarded(const guarded *g, const uint8_t *bytes, size_t size, mass_elf_facts *facts,
                          mass_error *error)
{
    memcpy(g->end - size, bytes, size);
    *error = (mass_error){0};
    return mass_elf_check(g->end - size, size, "tiny.so", facts, error);
}

image plugin;

void load(const char *name)
{
    FILE *file = fopen(built(name), "rb");
    cr_assert(file);
    plugin.size = fread(plugin.bytes, 1, sizeof plugin.bytes, file);
    cr_assert(plugin.size > sizeof(Elf64_Ehdr) && plugin.size < sizeof plugin.bytes);
    fclose(file);
}

void load_plugin(void) { load("plugin.so"); }

Elf64_Ehdr *header(void) { return (void *)plugin.bytes; }

Elf64_Phdr *segments(void) { return (void *)(plugin.bytes + header()->e_phoff); }

Elf64_Shdr *sections(void) { return (void *)(plugin.bytes + header()->e_shoff); }

uint8_t *note(void)
{
    static const uint8_t start[] = {8, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 'm', 'a', 's', 's', 0, 0, 0, 0};
    uint8_t *found = memmem(plugin.bytes, plugin.size, start, sizeof start);
    cr_assert(found);
    return found;
}

void replace_notes(const uint32_t *words, size_t size, size_t alignment)
{
    plugin.size = (plugin.size + 7) / 8 * 8;
    for (size_t i = 0; i < header()->e_phnum; i++) {
        if (segments()[i].p_type != PT_NOTE) continue;
        segments()[i].p_offset = plugin.size;
        segments()[i].p_filesz = size;
        segments()[i].p_align = alignment;
    }
    header()->e_shnum = 0;
    memcpy(plugin.bytes + plugin.size, words, size);
    plugin.size += size;
}

void expect_accepted(void)
{
    mass_elf_facts facts = {{99, 99}};
    mass_error error;
    const guarded g = guarded_create(plugin.size);
    cr_assert_eq(check_guarded(&g, plugin.bytes, plugin.size, &facts, &error), MASS_OK, "%s", error.text);
    cr_assert(error.status == MASS_OK && error.text[0] == '\0');
    cr_assert(facts.abi.major == MASS_ABI_MAJOR && facts.abi.minor == MASS_ABI_MINOR);
}

void expect_refused(const char *word, const char *other)
{
    mass_elf_facts facts = {{99, 99}};
    mass_error error;
    const guarded g = guarded_create(plugin.size);
    cr_assert_eq(check_guarded(&g, plugin.bytes, plugin.size, &facts, &error), MASS_BAD_PLUGIN);
    cr_assert_eq(error.status, MASS_BAD_PLUGIN);
    cr_assert(strstr(error.text, "tiny.so") == error.text, "%s", error.text);
    cr_assert(strstr(error.text, word) && strstr(error.text, other), "%s", error.text);
    cr_assert(facts.abi.major == 99 && facts.abi.minor == 99);
}
