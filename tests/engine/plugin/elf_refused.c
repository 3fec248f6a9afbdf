/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that are refused, damaged ones among them, and the words that each of them gets. */
#include "elf_image.h"

#include <criterion/criterion.h>
#include <mass/types.h>
#include <stdio.h>
#include <string.h>

TestSuite(elf, .init = load_plugin);

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
    expect_refused("is not a mass-engine plugin: it has no ABI note", "MASS_PLUGIN");
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
        cr_assert_eq(check_guarded(&g, plugin.bytes, size, &facts, &error), MASS_BAD_PLUGIN, "%zu of %zu bytes", size,
                     plugin.size);
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
