/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that are accepted, from bytes and from files. */
#include "elf_image.h"

#include <criterion/criterion.h>
#include <mass/types.h>
#include <string.h>

TestSuite(elf, .init = load_plugin);

Test(elf, a_real_plugin_is_accepted) { expect_accepted(); }

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
    const uint32_t words[] = {4, 3, 1, GNU, 0x11223344, 8, 8, 1, MASS, 0, MASS_ABI_MAJOR, MASS_ABI_MINOR};
    replace_notes(words, sizeof words, 4);
    expect_accepted();
}

Test(elf, notes_aligned_to_8_bytes_are_understood)
{
    const uint32_t words[] = {4, 4, 1, GNU, 0x11223344, 0, 8, 8, 1, MASS, 0, 0, MASS_ABI_MAJOR, MASS_ABI_MINOR};
    replace_notes(words, sizeof words, 8);
    expect_accepted();
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

Test(elf, a_missing_file_is_refused) { expect_file_refused(built("nothing.so"), "No such file or directory"); }

Test(elf, a_folder_is_refused) { expect_file_refused(built("."), "folder"); }

Test(elf, a_file_of_another_kind_is_refused) { expect_file_refused(built("source.c"), "not a shared object"); }
