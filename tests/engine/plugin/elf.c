#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugin/elf.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <elf.h>
#include <mass/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- files of the real compiler, made once a run ---- */

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
    const int here = (int)(strrchr(__FILE__, '/') + 1 - __FILE__); /* the SDK is seen from here */
    snprintf(path, sizeof path, "%s/source.c", folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(source, file) < 0 || fclose(file) != 0) abort();
    snprintf(command, sizeof command,
             "${CC:-cc} -I '%.*s../../../sdk/include' %s -o '%s/%s' '%s'", here, __FILE__, options,
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
    static const char *const names[] = {"plugin.so", "plugin.o", "library.so", "program",
                                        "source.c"};
    char path[200];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", getenv(FOLDER_VARIABLE), names[i]);
        unlink(path);
    }
    rmdir(getenv(FOLDER_VARIABLE));
}

static const char *built(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", getenv(FOLDER_VARIABLE), name);
    return path;
}

/* ---- bytes whose end is the end of the memory that may be read ---- */

typedef struct guarded {
    uint8_t *end;
    size_t capacity;
} guarded;

static guarded guarded_create(size_t capacity)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (capacity / page + 1) * page;
    uint8_t *start = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                          -1, 0);
    cr_assert(start != MAP_FAILED);
    cr_assert_eq(mprotect(start + room, page, PROT_NONE), 0);
    return (guarded){start + room, room};
}

static mass_status check_guarded(const guarded *g, const uint8_t *bytes, size_t size,
                                 mass_elf_facts *facts, mass_error *error)
{
    memcpy(g->end - size, bytes, size);
    *error = (mass_error){0};
    return mass_elf_check(g->end - size, size, "tiny.so", facts, error);
}

typedef struct image {
    uint8_t bytes[1 << 17];
    size_t size;
} image;

static image plugin; /* as built; each test changes its own process's copy */

static void load(const char *name)
{
    FILE *file = fopen(built(name), "rb");
    cr_assert(file);
    plugin.size = fread(plugin.bytes, 1, sizeof plugin.bytes, file);
    cr_assert(plugin.size > sizeof(Elf64_Ehdr) && plugin.size < sizeof plugin.bytes);
    fclose(file);
}

static void load_plugin(void)
{
    load("plugin.so");
}

static Elf64_Ehdr *header(void)
{
    return (void *)plugin.bytes;
}

static Elf64_Phdr *segments(void)
{
    return (void *)(plugin.bytes + header()->e_phoff);
}

static Elf64_Shdr *sections(void)
{
    return (void *)(plugin.bytes + header()->e_shoff);
}

/* The note's bytes, found without the help of any table. */
static uint8_t *note(void)
{
    static const uint8_t start[] = {8, 0, 0, 0, 8,   0,   0,   0,   1, 0,
                                    0, 0, 'm', 'a', 's', 's', 0, 0, 0, 0};
    uint8_t *found = memmem(plugin.bytes, plugin.size, start, sizeof start);
    cr_assert(found);
    return found;
}

enum { MASS = 0x7373616d, GNU = 0x00554e47 }; /* names of notes, as little-endian words */

/* Leaves the plugin with these notes alone, at its very end. */
static void replace_notes(const uint32_t *words, size_t size, size_t alignment)
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

static void expect_accepted(void)
{
    mass_elf_facts facts = {{99, 99}};
    mass_error error;
    const guarded g = guarded_create(plugin.size);
    cr_assert_eq(check_guarded(&g, plugin.bytes, plugin.size, &facts, &error), MASS_OK, "%s",
                 error.text);
    cr_assert(error.status == MASS_OK && error.text[0] == '\0');
    cr_assert(facts.abi.major == MASS_ABI_MAJOR && facts.abi.minor == MASS_ABI_MINOR);
}

/* Expects one line with the path and both words, and no facts. */
static void expect_refused(const char *word, const char *other)
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

TestSuite(elf, .init = load_plugin);

/* ---- what is accepted ---- */

Test(elf, a_real_plugin_is_accepted)
{
    expect_accepted();
}

Test(elf, a_plugin_without_section_headers_is_accepted)
{
    header()->e_shoff = header()->e_shnum = header()->e_shstrndx = 0;
    expect_accepted();
}

Test(elf, a_note_in_its_section_alone_is_found)
{
    for (size_t i = 0; i < header()->e_phnum; i++)
        if (segments()[i].p_type == PT_NOTE) segments()[i].p_type = PT_NULL;
    expect_accepted();
}

Test(elf, a_longer_note_of_a_later_sdk_is_accepted)
{
    const uint32_t words[] = {8, 12, 1, MASS, 0, MASS_ABI_MAJOR, MASS_ABI_MINOR, 7};
    replace_notes(words, sizeof words, 4);
    expect_accepted();
}

Test(elf, a_note_after_others_is_found)
{
    const uint32_t words[] = {4, 3, 1, GNU, 0x11223344, 8, 8, 1, MASS, 0, MASS_ABI_MAJOR,
                              MASS_ABI_MINOR};
    replace_notes(words, sizeof words, 4);
    expect_accepted();
}

Test(elf, notes_aligned_to_8_bytes_are_understood)
{
    const uint32_t words[] = {4, 4, 1, GNU, 0x11223344, 0, 8, 8, 1, MASS, 0, 0, MASS_ABI_MAJOR,
                              MASS_ABI_MINOR};
    replace_notes(words, sizeof words, 8);
    expect_accepted();
}

/* ---- what is refused ---- */

Test(elf, an_empty_file_is_refused)
{
    plugin.size = 0;
    expect_refused("empty", "");
}

Test(elf, a_text_file_is_refused)
{
    memcpy(plugin.bytes, "#!/bin/sh", 9);
    expect_refused("not a shared object", "");
}

Test(elf, another_machine_is_refused_by_name)
{
    header()->e_machine = header()->e_machine == EM_X86_64 ? EM_AARCH64 : EM_X86_64;
    expect_refused("x86-64 (64-bit, little endian)", "aarch64 (64-bit, little endian)");
}

Test(elf, an_unknown_machine_is_refused_by_number)
{
    header()->e_machine = 0xfeed;
    expect_refused("built for machine number 65261", "this machine is");
}

Test(elf, a_32_bit_file_is_refused)
{
    header()->e_ident[EI_CLASS] = ELFCLASS32;
    header()->e_machine = EM_ARM;
    expect_refused("arm (32-bit, little endian)", "this machine is");
}

Test(elf, a_big_endian_file_is_refused)
{
    header()->e_ident[EI_DATA] = ELFDATA2MSB;
    header()->e_machine = __builtin_bswap16(EM_S390);
    expect_refused("s390 (64-bit, big endian)", "this machine is");
}

Test(elf, an_unknown_word_size_is_refused)
{
    header()->e_ident[EI_CLASS] = 3;
    expect_refused("damaged", "build it again");
}

Test(elf, an_object_file_is_refused)
{
    load("plugin.o");
    expect_refused("an object file", "-shared");
}

Test(elf, a_program_is_refused)
{
    load("program");
    expect_refused("a program", "-shared");
}

Test(elf, a_library_that_is_no_plugin_is_refused)
{
    load("library.so");
    expect_refused("is no mass-engine plugin: it has no ABI note", "MASS_PLUGIN");
}

Test(elf, a_note_of_another_name_is_not_taken)
{
    note()[12] = 'M';
    expect_refused("no ABI note", "");
}

Test(elf, a_note_of_another_type_is_not_taken)
{
    note()[8] = 2;
    expect_refused("no ABI note", "");
}

Test(elf, a_note_without_room_for_the_numbers_is_not_taken)
{
    const uint32_t words[] = {8, 4, 1, MASS, 0, MASS_ABI_MAJOR};
    replace_notes(words, sizeof words, 4);
    expect_refused("no ABI note", "");
}

Test(elf, a_last_note_without_padding_is_survived)
{
    const uint32_t words[] = {4, 1, 1, GNU, 0x11};
    replace_notes(words, 17, 4);
    expect_refused("no ABI note", "");
}

Test(elf, names_of_sections_that_are_not_in_the_file_are_not_read)
{
    Elf64_Shdr *names = &sections()[header()->e_shstrndx];
    names->sh_type = SHT_NOBITS;
    names->sh_offset = UINT64_MAX / 2;
    expect_accepted();
}

Test(elf, another_minor_number_is_refused_with_the_rule)
{
    note()[24] = MASS_ABI_MINOR + 1;
    char theirs[40], ours[40];
    snprintf(theirs, sizeof theirs, "ABI %d.%d", MASS_ABI_MAJOR, MASS_ABI_MINOR + 1);
    snprintf(ours, sizeof ours, "this engine has %d.%d", MASS_ABI_MAJOR, MASS_ABI_MINOR);
    expect_refused(theirs, ours);
    expect_refused("while the major number is 0 both numbers must be equal", "from 1.0 on");
}

Test(elf, another_major_number_is_refused)
{
    note()[20] = MASS_ABI_MAJOR + 1;
    expect_refused("was built for ABI", "this engine has");
}

Test(elf, a_segment_beyond_the_end_is_refused_with_both_sizes)
{
    char needs[40], has[40];
    for (size_t i = 0; i < header()->e_phnum; i++) {
        if (segments()[i].p_type != PT_LOAD) continue;
        load_plugin();
        segments()[i].p_filesz = plugin.size + 1 - segments()[i].p_offset;
        snprintf(needs, sizeof needs, "needs %zu bytes", plugin.size + 1);
        snprintf(has, sizeof has, "has %zu", plugin.size);
        expect_refused(needs, has);
    }
}

Test(elf, a_segment_whose_end_overflows_is_refused)
{
    for (size_t i = 0; i < header()->e_phnum; i++) {
        load_plugin();
        segments()[i].p_offset = 16;
        segments()[i].p_filesz = UINT64_MAX - 8;
        expect_refused("damaged", "build it again");
    }
}

Test(elf, a_section_whose_end_overflows_is_refused)
{
    for (size_t i = 1; i < header()->e_shnum; i++) {
        load_plugin();
        if (sections()[i].sh_type == SHT_NOBITS) continue;
        sections()[i].sh_offset = UINT64_MAX;
        sections()[i].sh_size = 2;
        expect_refused("damaged", "build it again");
    }
}

Test(elf, tables_beyond_the_end_are_refused)
{
    header()->e_phoff = plugin.size - 1;
    expect_refused("truncated", "");
    load_plugin();
    header()->e_shoff = plugin.size;
    expect_refused("truncated", "");
    load_plugin();
    header()->e_phoff = UINT64_MAX - 7;
    expect_refused("damaged", "");
    load_plugin();
    header()->e_shoff = UINT64_MAX - 7;
    expect_refused("damaged", "");
}

Test(elf, headers_of_another_size_are_refused)
{
    header()->e_phentsize = 32;
    expect_refused("program headers", "damaged");
    load_plugin();
    header()->e_shentsize = 40;
    expect_refused("section headers", "damaged");
}

Test(elf, every_truncation_is_refused)
{
    const guarded g = guarded_create(plugin.size);
    for (size_t size = 0; size < plugin.size; size++) {
        mass_elf_facts facts;
        mass_error error;
        cr_assert_eq(check_guarded(&g, plugin.bytes, size, &facts, &error), MASS_BAD_PLUGIN,
                     "%zu of %zu bytes", size, plugin.size);
        const char *why = size == 0 ? "empty" : size < SELFMAG ? "not a shared" : "truncated";
        cr_assert(strstr(error.text, why), "%zu bytes: %s", size, error.text);
    }
}

/* ---- random damage ---- */

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* A byte of the headers or of the note. */
static uint8_t *random_target(const image *original, uint64_t *state)
{
    const Elf64_Ehdr *h = (const void *)original->bytes;
    const size_t tables[][2] = {{0, sizeof *h},
                                {h->e_phoff, h->e_phnum * sizeof(Elf64_Phdr)},
                                {h->e_shoff, h->e_shnum * sizeof(Elf64_Shdr)},
                                {(size_t)(note() - plugin.bytes), 28}};
    const size_t *table = tables[next_random(state) % 4];
    return plugin.bytes + table[0] + next_random(state) % table[1];
}

static bool segments_lie_inside(const uint8_t *bytes, size_t size)
{
    Elf64_Ehdr h;
    memcpy(&h, bytes, sizeof h);
    for (size_t i = 0; i < h.e_phnum; i++) {
        Elf64_Phdr s;
        memcpy(&s, bytes + h.e_phoff + i * sizeof s, sizeof s);
        if (s.p_type != PT_LOAD) continue;
        if (s.p_filesz > size || s.p_offset > size - s.p_filesz) return false;
    }
    return true;
}

Test(elf, random_damage_is_refused_or_harmless)
{
    static image original;
    original = plugin;
    const guarded g = guarded_create(plugin.size);
    uint64_t state = 20240607;
    int accepted = 0, refused = 0;
    for (int trial = 0; trial < 20000; trial++) {
        uint8_t *targets[6];
        const size_t count = 1 + next_random(&state) % 6;
        for (size_t i = 0; i < count; i++) targets[i] = random_target(&original, &state);
        for (size_t i = 0; i < count; i++) {
            const uint64_t r = next_random(&state);
            *targets[i] = r & 256 ? (uint8_t)r : r & 512 ? 0xff : 0;
        }
        mass_elf_facts facts;
        mass_error error;
        const mass_status status = check_guarded(&g, plugin.bytes, plugin.size, &facts, &error);
        cr_assert(status == MASS_OK || (status == MASS_BAD_PLUGIN && error.text[0]), "%d", trial);
        cr_assert(status != MASS_OK || segments_lie_inside(plugin.bytes, plugin.size), "%d", trial);
        accepted += status == MASS_OK;
        refused += status != MASS_OK;
        plugin = original;
    }
    cr_assert(accepted > 1000 && refused > 1000, "%d accepted, %d refused", accepted, refused);
}

/* ---- files ---- */

Test(elf, a_plugin_is_checked_from_its_file)
{
    mass_elf_facts facts = {{99, 99}};
    mass_error error = {0};
    const mass_status status = mass_elf_check_file(built("plugin.so"), &facts, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    cr_assert(facts.abi.major == MASS_ABI_MAJOR && facts.abi.minor == MASS_ABI_MINOR);
}

static void expect_file_refused(const char *path, const char *why)
{
    mass_elf_facts facts = {{99, 99}};
    mass_error error = {0};
    cr_assert_eq(mass_elf_check_file(path, &facts, &error), MASS_BAD_PLUGIN);
    cr_assert(strstr(error.text, path) && strstr(error.text, why), "%s", error.text);
    cr_assert_eq(facts.abi.major, 99);
}

Test(elf, a_missing_file_is_refused)
{
    expect_file_refused(built("nothing.so"), "No such file or directory");
}

Test(elf, a_folder_is_refused)
{
    expect_file_refused(built("."), "folder");
}

Test(elf, a_file_of_another_kind_is_refused)
{
    expect_file_refused(built("source.c"), "not a shared object");
}

/* ---- versions ---- */

static bool accepts(uint32_t engine_major, uint32_t engine_minor, uint32_t major, uint32_t minor)
{
    return mass_abi_accepts((mass_abi){engine_major, engine_minor}, (mass_abi){major, minor});
}

Test(abi, while_major_is_0_both_numbers_must_be_equal)
{
    cr_assert(accepts(0, 1, 0, 1));
    cr_assert_not(accepts(0, 2, 0, 1));
    cr_assert_not(accepts(0, 1, 0, 2));
    cr_assert(accepts(0, 0, 0, 0));
}

Test(abi, from_1_0_on_an_older_minor_number_is_accepted)
{
    cr_assert(accepts(1, 0, 1, 0));
    cr_assert(accepts(1, 3, 1, 0));
    cr_assert(accepts(7, 3, 7, 3));
    cr_assert_not(accepts(1, 3, 1, 4));
    cr_assert_not(accepts(1, 3, 1, UINT32_MAX));
}

Test(abi, another_major_number_is_never_accepted)
{
    cr_assert_not(accepts(1, 0, 0, 0));
    cr_assert_not(accepts(0, 1, 1, 1));
    cr_assert_not(accepts(2, 5, 1, 1));
    cr_assert_not(accepts(1, 5, 2, 1));
}
