/* SPDX-License-Identifier: Apache-2.0 */
/* The released layout of ABI 0.1 on x86-64: a struct that changes fails to compile here. Once the
 * major number is 1, lines are only ever added. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr, memmem */
#endif
#include <mass/agents.h>
#include <mass/plugin.h>
#include <mass/reductions.h>
#include <mass/seed.h>
#include <mass/series.h>

#include <criterion/criterion.h>
#include <link.h>
#include <string.h>

#define SIZE(STRUCT, BYTES) _Static_assert(sizeof(STRUCT) == BYTES, "size of " #STRUCT)
#define AT(STRUCT, FIELD, OFFSET)                                                                  \
    _Static_assert(offsetof(STRUCT, FIELD) == OFFSET, "offset of " #STRUCT "." #FIELD)
#define NUMBER(NAME, VALUE) _Static_assert((NAME) == VALUE, "number of " #NAME)

#if defined(__x86_64__) && defined(__LP64__)
SIZE(mass_plugin, 72);
AT(mass_plugin, struct_size, 0);
AT(mass_plugin, abi_major, 4);
AT(mass_plugin, abi_minor, 6);
AT(mass_plugin, name, 8);
AT(mass_plugin, version, 16);
AT(mass_plugin, help, 24);
AT(mass_plugin, services, 32);
AT(mass_plugin, device_code, 40);
AT(mass_plugin, open, 48);
AT(mass_plugin, load, 56);
AT(mass_plugin, finish, 64);

SIZE(mass_host, 24);
AT(mass_host, struct_size, 0);
AT(mass_host, service, 8);
AT(mass_host, fail, 16);

SIZE(mass_parameter, 104);
AT(mass_parameter, struct_size, 0);
AT(mass_parameter, type, 4);
AT(mass_parameter, name, 8);
AT(mass_parameter, help, 16);
AT(mass_parameter, unit, 24);
AT(mass_parameter, integer, 32);
AT(mass_parameter, integer_min, 40);
AT(mass_parameter, integer_max, 48);
AT(mass_parameter, real, 56);
AT(mass_parameter, real_min, 64);
AT(mass_parameter, real_max, 72);
AT(mass_parameter, text, 80);
AT(mass_parameter, choices, 88);
AT(mass_parameter, by_default, 96);

SIZE(mass_constant, 32);
AT(mass_constant, struct_size, 0);
AT(mass_constant, type, 4);
AT(mass_constant, name, 8);
AT(mass_constant, integer, 16);
AT(mass_constant, real, 24);

SIZE(mass_space, 48);
AT(mass_space, struct_size, 0);
AT(mass_space, dimensions_min, 4);
AT(mass_space, dimensions_max, 8);
AT(mass_space, torus, 12);
AT(mass_space, name, 16);
AT(mass_space, size, 24);

SIZE(mass_member, 16);
AT(mass_member, name, 0);
AT(mass_member, type, 8);
AT(mass_member, offset, 12);

SIZE(mass_attribute, 96);
AT(mass_attribute, struct_size, 0);
AT(mass_attribute, type, 4);
AT(mass_attribute, space, 8);
AT(mass_attribute, name, 16);
AT(mass_attribute, help, 24);
AT(mass_attribute, unit, 32);
AT(mass_attribute, length, 40);
AT(mass_attribute, layout, 44);
AT(mass_attribute, initial, 48);
AT(mass_attribute, element_size, 56);
AT(mass_attribute, member_count, 60);
AT(mass_attribute, members, 64);
AT(mass_attribute, population, 72);
AT(mass_attribute, least, 80);
AT(mass_attribute, most, 88);

SIZE(mass_tally, 80);
AT(mass_tally, struct_size, 0);
AT(mass_tally, access, 4);
AT(mass_tally, kind, 8);
AT(mass_tally, fraction_bits, 12);
AT(mass_tally, cumulative, 16);
AT(mass_tally, name, 24);
AT(mass_tally, help, 32);
AT(mass_tally, unit, 40);
AT(mass_tally, bins, 48);
AT(mass_tally, method, 52);
AT(mass_tally, low, 56);
AT(mass_tally, high, 64);
AT(mass_tally, keys, 72);

SIZE(mass_phase, 24);
AT(mass_phase, struct_size, 0);
AT(mass_phase, schedule, 4);
AT(mass_phase, space, 8);
AT(mass_phase, callback, 16);

SIZE(mass_picture, 56);
AT(mass_picture, struct_size, 0);
AT(mass_picture, component, 4);
AT(mass_picture, space, 8);
AT(mass_picture, attribute, 16);
AT(mass_picture, low, 24);
AT(mass_picture, high, 32);
AT(mass_picture, colours, 40);
AT(mass_picture, palette, 48);

SIZE(mass_declare_table, 64);
AT(mass_declare_table, parameter, 0);
AT(mass_declare_table, constant, 8);
AT(mass_declare_table, space, 16);
AT(mass_declare_table, attribute, 24);
AT(mass_declare_table, tally, 32);
AT(mass_declare_table, phase, 40);
AT(mass_declare_table, picture, 48);
AT(mass_declare_table, steps, 56);

SIZE(mass_values_table, 56);
AT(mass_values_table, integer, 0);
AT(mass_values_table, real, 8);
AT(mass_values_table, text, 16);
AT(mass_values_table, given, 24);
AT(mass_values_table, set_text, 32);
AT(mass_values_table, size, 40);
AT(mass_values_table, resumed, 48);

SIZE(mass_run_table, 56);
AT(mass_run_table, worlds, 0);
AT(mass_run_table, seed, 8);
AT(mass_run_table, step, 16);
AT(mass_run_table, read, 24);
AT(mass_run_table, write, 32);
AT(mass_run_table, tally, 40);
AT(mass_run_table, say, 48);

SIZE(mass_abi_note, 28);
AT(mass_abi_note, name_size, 0);
AT(mass_abi_note, value_size, 4);
AT(mass_abi_note, type, 8);
AT(mass_abi_note, name, 12);
AT(mass_abi_note, major, 20);
AT(mass_abi_note, minor, 24);

SIZE(mass_launch, 384);
AT(mass_launch, struct_size, 0);
AT(mass_launch, phase, 4);
AT(mass_launch, step, 8);
AT(mass_launch, clock, 16);
AT(mass_launch, keys, 24);
AT(mass_launch, gates, 32);
AT(mass_launch, world_stride, 40);
AT(mass_launch, plane, 48);
AT(mass_launch, pitch, 56);
AT(mass_launch, origin, 64);
AT(mass_launch, size, 88);
AT(mass_launch, extent, 112);
AT(mass_launch, ghost, 124);
AT(mass_launch, first_world, 136);
AT(mass_launch, worlds, 140);
AT(mass_launch, torus, 144);
AT(mass_launch, push, 148);
AT(mass_launch, inner_first, 152);
AT(mass_launch, inner_last, 164);
AT(mass_launch, agents, 176);
AT(mass_launch, bins, 256);
AT(mass_launch, stray, 352);
AT(mass_launch, reach, 360);
AT(mass_launch, count_number, 368);
AT(mass_launch, count_text, 376);

SIZE(mass_stray, 72);
AT(mass_stray, seen, 0);
AT(mass_stray, world, 4);
AT(mass_stray, from, 8);
AT(mass_stray, offset, 32);
AT(mass_stray, vain, 56);

SIZE(mass_bins, 24);
AT(mass_bins, length, 0);
AT(mass_bins, first, 4);
AT(mass_bins, count, 8);
AT(mass_bins, copies_log2, 12);
AT(mass_bins, local, 16);
AT(mass_bins, shared, 20);

SIZE(mass_range, 24);
AT(mass_range, first_row, 0);
AT(mass_range, last_row, 8);
AT(mass_range, first_x, 16);
AT(mass_range, last_x, 20);

SIZE(mass_site, 48);
AT(mass_site, launch, 0);
AT(mass_site, x, 8);
AT(mass_site, y, 16);
AT(mass_site, z, 24);
AT(mass_site, world, 32);
AT(mass_site, id, 40);

SIZE(mass_field, 32);
AT(mass_field, name, 0);
AT(mass_field, target, 8);
AT(mass_field, access, 16);
AT(mass_field, type, 20);
AT(mass_field, size, 24);

SIZE(mass_form, 48);
AT(mass_form, struct_size, 0);
AT(mass_form, id, 4);
AT(mass_form, isa, 8);
AT(mass_form, flags, 12);
AT(mass_form, loop, 16);
AT(mass_form, kernel, 24);
AT(mass_form, steps, 32);
AT(mass_form, places_x, 36);
AT(mass_form, places_y, 40);
AT(mass_form, element_bits, 44);

SIZE(mass_callback, 56);
AT(mass_callback, struct_size, 0);
AT(mass_callback, over, 4);
AT(mass_callback, name, 8);
AT(mass_callback, dimensions, 16);
AT(mass_callback, radius, 20);
AT(mass_callback, field_count, 24);
AT(mass_callback, field_size, 28);
AT(mass_callback, fields, 32);
AT(mass_callback, form_count, 40);
AT(mass_callback, form_size, 44);
AT(mass_callback, forms, 48);

SIZE(mass_log, 32);
AT(mass_log, struct_size, 0);
AT(mass_log, name, 8);
AT(mass_log, expression, 16);
AT(mass_log, unit, 24);
SIZE(mass_keys_table, 16);
AT(mass_keys_table, distinct, 0);
AT(mass_keys_table, top, 8);

SIZE(mass_series_table, 8);
AT(mass_series_table, log, 0);

SIZE(mass_reduction, 80);
AT(mass_reduction, struct_size, 0);
AT(mass_reduction, operation, 4);
AT(mass_reduction, name, 8);
AT(mass_reduction, help, 16);
AT(mass_reduction, unit, 24);
AT(mass_reduction, population, 32);
AT(mass_reduction, space, 40);
AT(mass_reduction, attribute, 48);
AT(mass_reduction, component, 56);
AT(mass_reduction, bins, 60);
AT(mass_reduction, low, 64);
AT(mass_reduction, high, 72);
SIZE(mass_reductions_table, 8);
AT(mass_reductions_table, reduction, 0);
SIZE(mass_seed_table, 8);
AT(mass_seed_table, unused, 0);
NUMBER(MASS_HISTOGRAM, 65);

SIZE(mass_agents, 80);
AT(mass_agents, id, 0);
AT(mass_agents, cell, 8);
AT(mass_agents, lost, 16);
AT(mass_agents, start, 24);
AT(mass_agents, move, 32);
AT(mass_agents, asked, 40);
AT(mass_agents, child_cell, 48);
AT(mass_agents, room, 56);
AT(mass_agents, children, 60);
AT(mass_agents, places, 64);
AT(mass_agents, reach, 72);
AT(mass_agents, mortal, 76);

SIZE(mass_drawn, 24);
AT(mass_drawn, attribute, 0);
AT(mass_drawn, colours, 8);
AT(mass_drawn, palette, 16);
SIZE(mass_population, 128);
AT(mass_population, struct_size, 0);
AT(mass_population, capacity, 4);
AT(mass_population, name, 8);
AT(mass_population, space, 16);
AT(mass_population, help, 24);
AT(mass_population, conflict, 32);
AT(mass_population, children, 36);
AT(mass_population, priority, 40);
AT(mass_population, initial, 48);
AT(mass_population, count, 56);
AT(mass_population, where, 64);
AT(mass_population, table, 72);
AT(mass_population, born, 80);
AT(mass_population, died, 88);
AT(mass_population, refused, 96);
AT(mass_population, alive, 104);
AT(mass_population, drawn, 112);
AT(mass_population, constant, 120);

SIZE(mass_manage, 32);
AT(mass_manage, struct_size, 0);
AT(mass_manage, schedule, 4);
AT(mass_manage, population, 8);
AT(mass_manage, order, 16);
AT(mass_manage, condition, 24);

SIZE(mass_condition, 40);
AT(mass_condition, tally, 0);
AT(mass_condition, relation, 8);
AT(mass_condition, value, 16);
AT(mass_condition, parameter, 24);
AT(mass_condition, population, 32);

SIZE(mass_agent_phase, 48);
AT(mass_agent_phase, struct_size, 0);
AT(mass_agent_phase, schedule, 4);
AT(mass_agent_phase, population, 8);
AT(mass_agent_phase, space, 16);
AT(mass_agent_phase, callback, 24);
AT(mass_agent_phase, reach, 32);
AT(mass_agent_phase, condition, 40);

SIZE(mass_agents_table, 40);
AT(mass_agents_table, population, 0);
AT(mass_agents_table, phase, 8);
AT(mass_agents_table, manage, 16);
AT(mass_agents_table, count, 24);
AT(mass_agents_table, read, 32);
#endif

NUMBER(MASS_OK, 0);
NUMBER(MASS_FAILED, 1);
NUMBER(MASS_BAD_USAGE, 2);
NUMBER(MASS_BAD_PLUGIN, 3);
NUMBER(MASS_BAD_INPUT, 4);
NUMBER(MASS_NO_DEVICE, 5);
NUMBER(MASS_INTERRUPTED, 130);

NUMBER(MASS_TYPE_NONE, 0);
NUMBER(MASS_I8, 1);
NUMBER(MASS_U8, 2);
NUMBER(MASS_I16, 3);
NUMBER(MASS_U16, 4);
NUMBER(MASS_I32, 5);
NUMBER(MASS_U32, 6);
NUMBER(MASS_I64, 7);
NUMBER(MASS_U64, 8);
NUMBER(MASS_F32, 9);
NUMBER(MASS_F64, 10);
NUMBER(MASS_BIT, 11);
NUMBER(MASS_STRUCT, 12);

NUMBER(MASS_AXIS_X, 1);
NUMBER(MASS_AXIS_Y, 2);
NUMBER(MASS_AXIS_Z, 4);
NUMBER(MASS_READ, 1);
NUMBER(MASS_WRITE, 2);
NUMBER(MASS_UPDATE, 3);
NUMBER(MASS_PARAM, 4);
NUMBER(MASS_SUM, 5);
NUMBER(MASS_MIN, 6);
NUMBER(MASS_MAX, 7);
NUMBER(MASS_PLACE, 8);
NUMBER(MASS_CHILD, 9);
NUMBER(MASS_RESIDENT, 10);
NUMBER(MASS_RESIDENT_UPDATE, 11);
NUMBER(MASS_RACE, 12);
NUMBER(MASS_BINS, 13);
NUMBER(MASS_KEYS, 14);
NUMBER(MASS_ITEMS, 16);
NUMBER(MASS_KEYS_NUMBERS, 1);
NUMBER(MASS_KEYS_TEXTS, 2);
NUMBER(MASS_SCATTER_ADD, 15);
NUMBER(MASS_MEAN, 64);
NUMBER(MASS_FORM_LOOP, 1);
NUMBER(MASS_FORM_KERNEL, 2);
NUMBER(MASS_ISA_BASE, 0);
NUMBER(MASS_ISA_AVX2, 1);
NUMBER(MASS_ISA_AVX512, 2);
NUMBER(MASS_FORM_TALLIES, 1);
NUMBER(MASS_FORM_PUSHES, 2);
NUMBER(MASS_OVER_PLACES, 1);
NUMBER(MASS_OVER_AGENTS, 2);
NUMBER(MASS_OVER_RESIDENTS, 3);
NUMBER(MASS_OVER_OCCUPIED, 4);
NUMBER(MASS_INTEGER, 1);
NUMBER(MASS_REAL, 2);
NUMBER(MASS_TEXT, 3);
NUMBER(MASS_CHOICE, 4);
NUMBER(MASS_PLANES, 0);
NUMBER(MASS_INTERLEAVED, 1);
NUMBER(MASS_TALLY_INTEGER, 0);
NUMBER(MASS_TALLY_REAL, 1);
NUMBER(MASS_TALLY_FIXED, 2);
NUMBER(MASS_START, 0);
NUMBER(MASS_STEP, 1);

MASS_PLUGIN(.name = "specimen", .version = "1.2.3");

Test(abi, is_0_1)
{
    cr_assert_eq(MASS_ABI_MAJOR, 0);
    cr_assert_eq(MASS_ABI_MINOR, 1);
}

Test(abi, the_entry_says_its_size_and_abi)
{
    cr_assert_eq(mass_plugin_entry.struct_size, sizeof(mass_plugin));
    cr_assert_eq(mass_plugin_entry.abi_major, 0);
    cr_assert_eq(mass_plugin_entry.abi_minor, 1);
}

Test(abi, the_entry_has_what_the_author_gave_and_nothing_else)
{
    cr_assert_str_eq(mass_plugin_entry.name, "specimen");
    cr_assert_str_eq(mass_plugin_entry.version, "1.2.3");
    cr_assert_null(mass_plugin_entry.device_code);
    cr_assert(!mass_plugin_entry.open && !mass_plugin_entry.load && !mass_plugin_entry.finish);
}

/* Little-endian: sizes of name and value, type, the name, major, minor. */
static const unsigned char note[28] = {8, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 'm', 'a', 's', 's',
                                       0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};

Test(abi, the_note_s_bytes_are_the_documented_ones)
{
    cr_assert_eq(sizeof mass_plugin_note, sizeof note);
    cr_assert_eq(memcmp(&mass_plugin_note, note, sizeof note), 0);
}

/* Whether the first loaded object, which is this program, holds the note in a note segment. */
static int find_note(struct dl_phdr_info *object, size_t size, void *found)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const segment = &object->dlpi_phdr[i];
        const unsigned char *const bytes =
            (const unsigned char *)(object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_NOTE && memmem(bytes, segment->p_memsz, note, sizeof note))
            *(int *)found = 1;
    }
    return 1;
}

Test(abi, the_linker_keeps_the_note_where_it_is_found_without_running_anything)
{
    int found = 0;
    dl_iterate_phdr(find_note, &found);
    cr_assert(found);
}
