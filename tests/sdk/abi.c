/* SPDX-License-Identifier: Apache-2.0 */
/* The released layout of ABI 0.4 on x86-64: where the members of its structs begin, and, last, their sizes. What is
 * appended to a struct goes behind its size as it stands here. Once the major number is 1, lines only grow. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr, memmem */
#endif
#include <mass/engine.h>
#include <mass/impl/keys.h>
#include <mass/impl/launch.h>
#include <mass/impl/seed.h>
#include <mass/impl/world.h>
#include <mass/network.h>
#include <mass/plugin.h>
#include <mass/reductions.h>
#include <mass/series.h>
#include <mass/streams.h>
#include <mass/tallies.h>

#include <criterion/criterion.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* ACT(WITH, x), for each of up to 64 x. */
#define EACH(ACT, WITH, ...) EXPAND(EACH_STEP(ACT, WITH, __VA_ARGS__))
#define EACH_STEP(ACT, WITH, x, ...) ACT(WITH, x), __VA_OPT__(EACH_AGAIN PARENTHESES (ACT, WITH, __VA_ARGS__))
#define EACH_AGAIN() EACH_STEP
#define PARENTHESES ()
#define EXPAND(...) EXPAND_16(EXPAND_16(EXPAND_16(EXPAND_16(__VA_ARGS__))))
#define EXPAND_16(...) EXPAND_4(EXPAND_4(EXPAND_4(EXPAND_4(__VA_ARGS__))))
#define EXPAND_4(...) EXPAND_1(EXPAND_1(EXPAND_1(EXPAND_1(__VA_ARGS__))))
#define EXPAND_1(...) __VA_ARGS__

static void expect_numbers(const char *what, const char *expected, const int64_t *numbers, size_t count)
{
    char text[512] = "";
    for (size_t i = 0, used = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64, i ? " " : "", numbers[i]);
    cr_expect_str_eq(text, expected, "%s: %s", what, text);
}
#define OFFSET(STRUCT, MEMBER) (int64_t)offsetof(STRUCT, MEMBER)
#define LAYOUT(STRUCT, EXPECTED, ...)                                                                          \
    expect_numbers(#STRUCT, EXPECTED, (const int64_t[]){EACH(OFFSET, STRUCT, __VA_ARGS__) sizeof(STRUCT)}, \
                   sizeof((const int64_t[]){EACH(OFFSET, STRUCT, __VA_ARGS__) 0}) / sizeof(int64_t))
#define NUMBERS(EXPECTED, ...) \
    expect_numbers(#__VA_ARGS__, EXPECTED, (const int64_t[]){__VA_ARGS__}, \
                   sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

#if defined(__x86_64__) && defined(__LP64__)
Test(abi, structs_of_the_library_are_as_they_were_released)
{
    LAYOUT(mass_engine_option, "0 8 16", name, value);
    LAYOUT(mass_engine_now, "0 8 16 24 28 32 36 40 48", step, messages, rows, held, broken, rank, ranks, over);
    LAYOUT(mass_engine_progress, "0 8 16 24 32", step, taken, steps, seconds);
    LAYOUT(mass_engine_array, "0 4 8 12 16 56 64 72 80", struct_size, attribute, type, of_agents, extent, value_bytes,
           bytes, packed_bytes);
    LAYOUT(mass_engine_box, "0 4 8 32 56", world, worlds, origin, extent);
    LAYOUT(mass_engine_view, "0 8 48", values, stride);
    LAYOUT(mass_engine_device_view, "0 4 8 56", struct_size, gpu, view);
    LAYOUT(mass_engine_key_list, "0 8 16 24 32", count, counts, keys, texts);
    LAYOUT(mass_engine_column, "0 8 16 24 32", name, unit, first, length);
    LAYOUT(mass_engine_series, "0 8 16 24 32 40 48", columns, column_count, rows, row_values, steps, values);
}

Test(abi, structs_lie_as_they_were_released)
{
    LAYOUT(mass_agents, "0 8 16 24 32 40 48 56 64 68 72 80 84 88 96 104 112 120 128 136 144 152 160 168", id, cell,
           lost, start, occupancy,
           move, asked, child_cell, room, children, places, reach, kill_mask, first_place, places_all, remote_move,
           remote_child, place_counts, crowd_places, copy_start, copy_cell, copy_id, copy_places);
    LAYOUT(mass_diagnostics, "0 4 8 16 40 64 88 96 100 104", struct_size, seen, world, from, offset, ignored, agent,
           no_number, no_point);
    LAYOUT(mass_effects, "0 4 8 16 24 32", struct_size, asked, looks, looks_from, looks_period);
    LAYOUT(mass_bins, "0 4 8 12 16 20 24 28 32", length, first, count, copies_log2, local, shared, fixed, reserved);
    LAYOUT(mass_launch,
           "0 4 8 16 24 32 40 48 56 64 88 112 124 136 140 144 148 152 164 176 184 192 200 208 212 214 216 888 1016 "
           "1024 1032 1040 1104 1296 1304 1312 1316 1320 1328 1488 1552 1744",
           struct_size, phase, step, clock, random_keys, gates, world_stride, plane, pitch, origin, size, extent, ghost,
           first_world, worlds, torus, push, inner_first, inner_last, diagnostics, note, count_number, count_text,
           reach, steps, gathers, populations, bins, fixed_sums, flush_floats, flush_doubles,
           sprouts, everybody, full, turn, alone, reserved, cell, positions, edges, sets);
    LAYOUT(mass_positions, "0 8 16 24 28 32 36 40", at, to, child, size, type, at_edge, reserved);
    LAYOUT(mass_edges, "0 8 16 24 32 40 48 56 64", first, source, count, stride, none, each, cut, reserved);
    LAYOUT(mass_sprouts, "0 8 12 16", asked, most, reserved);
    LAYOUT(mass_everybody, "0 8 16 24 32 40 44 48", start, stride, id, moved, slots, last_slot, reserved);
    LAYOUT(mass_range, "0 8 16 20 24", first_row, last_row, first_x, last_x);
    LAYOUT(mass_site, "0 8 16 24 32 40 48", launch, x, y, z, world, id);
    LAYOUT(mass_field, "0 8 16 20 24 28 32", name, target, access, type, size, population);
    LAYOUT(mass_form, "0 4 8 12 16 24 32 36 40 44 48", struct_size, id, isa, flags, loop, kernel, steps, places_x,
           places_y, element_bits);
    LAYOUT(mass_callback, "0 4 8 16 20 24 28 32 40 44 48 56 64 72 80 88 96 100 104", struct_size, over, name,
           dimensions, radius, field_count, field_size, fields, form_count, form_size, forms, population_count,
           populations, asks, network, sets, set_count, reserved);
    LAYOUT(mass_plugin, "0 4 6 8 12 16 24 32 40 48 56 64 72 80 88", struct_size, abi_major, abi_minor, launch_size,
           diagnostics_size, effects_size, name, version, help, services, device_code, open, load, finish);
    LAYOUT(mass_host, "0 8 16 24", struct_size, service, fail);
    LAYOUT(mass_parameter, "0 4 8 16 24 32 40 48 56 64 72 80 88 96 104 112 116 120", struct_size, type, name, help,
           unit,
           integer, integer_min, integer_max, real, real_min, real_max, text, choices, by_default,
           length, by_step, reserved);
    LAYOUT(mass_constant, "0 4 8 16 24 32", struct_size, type, name, integer, real);
    LAYOUT(mass_space, "0 4 8 12 16 24 48 56", struct_size, dimensions_min, dimensions_max, torus, name, size, cell);
    LAYOUT(mass_member, "0 8 12 16", name, type, offset);
    LAYOUT(mass_attribute, "0 4 8 16 24 32 40 44 48 56 60 64 72 80 88 96 104 112 368 372 376", struct_size, type,
           space, name, help, unit, length, layout, initial, element_size, member_count, members, population,
           member_size, least, most, flush, names, claims, position);
    LAYOUT(mass_tally, "0 4 8 12 16 24 32 40 48 52 56 64 72 80 88 96 104", struct_size, access, kind, fraction_bits,
           cumulative, name, help, unit, bins, method, low, high, keys, initial, has_initial, length);
    LAYOUT(mass_phase, "0 4 8 16 24", struct_size, schedule, space, callback);
    LAYOUT(mass_picture, "0 4 8 16 24 32 40 48 56", struct_size, component, space, attribute, low, high, colours,
           palette);
    LAYOUT(mass_declare_table, "0 8 16 24 32 40 48 56 64 72", struct_size, parameter, constant, space, attribute,
           tally, phase, picture, steps);
    LAYOUT(mass_values_table, "0 8 16 24 32 40 48 56 64 72 80 88 96 104", struct_size, integer, real, text, given,
           set_text, size, resumed, integer_at, real_at, count, extent, cells);
    LAYOUT(mass_run_table, "0 8 16 24 32 40 48 56 64", struct_size, worlds, seed, step, read, write, tally, say);
    LAYOUT(mass_keys_table, "0 8 16 24", struct_size, distinct, top);
    LAYOUT(mass_abi_note, "0 4 8 12 20 24 28", name_size, value_size, type, name, major, minor);
    LAYOUT(mass_drawn, "0 8 16 24 32", attribute, colours, palette, heading);
    LAYOUT(mass_population, "0 4 8 16 24 32 36 40 48 56 64 72 80 88 96 104 112 120 124 128 132 136", struct_size,
           capacity, name, space, help, conflict, children, priority, initial, count, where, table, born, died, refused,
           alive, drawn, drawn_size, constant, sprouts, at_edge);
    LAYOUT(mass_manage, "0 4 8 16 20 24 32", struct_size, schedule, population, order, condition_size, condition);
    LAYOUT(mass_condition, "0 8 16 24 32 40", tally, relation, value, parameter, population);
    LAYOUT(mass_agent_phase, "0 4 8 16 24 32 36 40 48 56 60 64 68 72 80", struct_size, schedule, population, space,
           callback, reach, condition_size, condition, order, reversed, shape, meets, changes, turn);
    LAYOUT(mass_agents_table, "0 8 16 24 32 40 48", struct_size, population, phase, manage, count, read);
    LAYOUT(mass_agent_column, "0 8 16 20 24", attribute, values, type, size);
    LAYOUT(mass_placing, "0 4 8 16 24 32 40 48 56 64 72 76 80", struct_size, world, population, count, x, y, z, place,
           id, columns, column_size, reserved);
    LAYOUT(mass_placing_table, "0 8 16", struct_size, add);
    LAYOUT(mass_tallies_table, "0 8 16", struct_size, bins);
    LAYOUT(mass_stream, "0 8 16 24 32 40", struct_size, attribute, total, items, read);
    LAYOUT(mass_streams_table, "0 8 16", struct_size, stream);
    LAYOUT(mass_series, "0 8 16 24 32", struct_size, name, expression, unit);
    LAYOUT(mass_series_table, "0 8 16", struct_size, series);
    LAYOUT(mass_reduction, "0 4 8 16 24 32 40 48 56 60 64 72 80", struct_size, operation, name, help, unit,
           population, space, attribute, component, bins, low, high);
    LAYOUT(mass_reductions_table, "0 8 16", struct_size, reduction);
    LAYOUT(mass_network, "0 4 8 16 24 32 40 48 56 64 72 80 84 88 92 96 104 112 120 128 136 144", struct_size,
           generator, name, file, nodes, edges, inside, blocks, degree, rewired, seed, directed, simple, links, turned,
           of, dies, columns, radius, chance, torus);
    LAYOUT(mass_edge_attribute, "0 4 8 16 24 32 40", struct_size, type, network, name, help, initial);
    LAYOUT(mass_networks_table, "0 8 16 24", struct_size, network, attribute);
    LAYOUT(mass_seed_table, "0 8 16", struct_size, unused);
    LAYOUT(mass_key_table, "0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 140 144", slots, counts,
           capacity, seed, settled, settled_capacity, settled_seed, input, kept, input_bytes, long_texts, long_room,
           none, taken, fresh_bytes, kept_bytes, long_count, overflow, outside);
    LAYOUT(mass_world_space, "0 8 16 24 32 40 52 64", world_stride, plane, pitch, local_plane, local_pitch, extent,
           ghost);
    LAYOUT(mass_world_array, "0 8 12 16 20 24 28 32", global, kind, owner, size, local, elements, stored);
    LAYOUT(mass_world_value, "0 8 16 20 24 32", global, neutral, local, access, restarts);
    LAYOUT(mass_world_population, "0 8 16 44 48 52 56 60 64 68 72 76 80 84 88 92 96 100 104 112", start, places, wider,
           fours, fours_a_thread, columns, spare, bytes, drops, starts, id, cell, lost, move, asked, order,
               place_counts,
           stays, occupied);
    LAYOUT(mass_world_call, "0 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 80 92 104", size, torus, pitch, plane,
           none, places, rows, sheets, start, move, asked, agents, occupied, random_keys, push, inner_first, inner_last,
           ghost);
    LAYOUT(mass_world_phase, "0 1 2 3 4 5 6 7 8 12 16 20 24 28 32 36 40 44 116", kind, callback, conditional, waits,
           population, relation, tallies, field_count, tally, bound, phase, reach, id, cell, lost, columns, spare,
           fields);
    LAYOUT(mass_world_bound, "0 8 12 16 20 24", value, parameter, real, counted, local);
    LAYOUT(mass_block_program,
           "0 4 8 16 24 28 32 36 40 44 48 52 56 60 64 68 72 80 88 96 104 112 116 948 3736",
           struct_size, worlds, first_world, tables, table_bytes, arrays, array_count, values, value_count, bounds,
           bound_count, spaces, populations, population_count, counts, bytes, threads, beside, beside_bytes,
           diagnostics, of_populations, phase_count, calls, phases);
    cr_assert_leq(sizeof(mass_block_program), 4096 - 2 * sizeof(uint64_t), "what a kernel's arguments may take");
}
#endif

/* What stands in the launch record and is the device's alone has room to grow, at its end. */
Test(abi, bins_can_grow)
{
    cr_assert_eq(offsetof(mass_bins, reserved) + sizeof ((mass_bins *)0)->reserved, sizeof(mass_bins));
}

Test(abi, numbers_are_those_that_were_released)
{
    NUMBERS("0 1 2 3 4 5 130", MASS_OK, MASS_FAILED, MASS_BAD_USAGE, MASS_BAD_PLUGIN, MASS_BAD_INPUT,
            MASS_NO_DEVICE, MASS_INTERRUPTED);
    NUMBERS("0 1 2 3 4 5 6 7 8 9 10 11 12", MASS_TYPE_NONE, MASS_I8, MASS_U8, MASS_I16, MASS_U16, MASS_I32,
            MASS_U32, MASS_I64, MASS_U64, MASS_F32, MASS_F64, MASS_BIT, MASS_STRUCT);
    NUMBERS("1 2 4", MASS_AXIS_X, MASS_AXIS_Y, MASS_AXIS_Z);
    NUMBERS("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", MASS_READ, MASS_WRITE, MASS_UPDATE, MASS_PARAM, MASS_SUM,
            MASS_MIN, MASS_MAX, MASS_PLACE, MASS_CHILD, MASS_RESIDENT, MASS_RESIDENT_UPDATE, MASS_RACE, MASS_BINS,
            MASS_KEYS, MASS_SCATTER_ADD, MASS_ITEMS);
    NUMBERS("25 26 40 1 2 3 4 5 6", MASS_LINKED, MASS_EDGE, MASS_OUT_OF_REACH_EDGE, MASS_RING, MASS_SMALL_WORLD,
            MASS_RANDOM_EDGES, MASS_PREFERENTIAL, MASS_STOCHASTIC_BLOCKS, MASS_COMPLETE);
    NUMBERS("64 65 66 1 2", MASS_MEAN, MASS_HISTOGRAM, MASS_OF_WORLD, MASS_KEYS_NUMBERS, MASS_KEYS_TEXTS);
    NUMBERS("1 2 3 0 1 2", MASS_FORM_LOOP, MASS_FORM_KERNEL, MASS_FORM_CHECKED, MASS_ISA_BASE, MASS_ISA_AVX2,
            MASS_ISA_AVX512);
    NUMBERS("1 2 4", MASS_FORM_TALLIES, MASS_FORM_PUSHES, MASS_FORM_STRIDES);
    NUMBERS("1 2 3 4 5 6 7 2", MASS_OVER_PLACES, MASS_OVER_AGENTS, MASS_OVER_RESIDENTS, MASS_OVER_OCCUPIED,
            MASS_OVER_WORLDS, MASS_OVER_TURNS, MASS_OVER_NODES_IN_TURN, MASS_TURN_ALONG_EDGES);
    NUMBERS("1 2 3 4 0 1", MASS_INTEGER, MASS_REAL, MASS_TEXT, MASS_CHOICE, MASS_PLANES, MASS_INTERLEAVED);
    NUMBERS("0 1 2 0 1", MASS_TALLY_INTEGER, MASS_TALLY_REAL, MASS_TALLY_FIXED, MASS_START, MASS_STEP);
    NUMBERS("0 1 2 3 4 -1 0 1 2", MASS_RANDOM_PLACES, MASS_EVERY_PLACE, MASS_BY_ATTRIBUTE, MASS_FROM_TABLE,
            MASS_BY_LOAD, MASS_EVERY_WORLD, MASS_LOWEST_ID, MASS_HIGHEST_PRIORITY, MASS_LOTTERY);
    NUMBERS("0 1 2", MASS_SPAWN_KILL_MIGRATE, MASS_KILL_SPAWN_MIGRATE, MASS_KILL_MIGRATE_SPAWN);
    NUMBERS("1 2 3 4", MASS_AT_MOST, MASS_LESS, MASS_AT_LEAST, MASS_GREATER);
    NUMBERS("0 1 2 3 4", MASS_COUNT_AUTO, MASS_COUNT_SEQUENTIAL, MASS_COUNT_GLOBAL, MASS_COUNT_STRIDE,
            MASS_COUNT_SHARED);
    NUMBERS("1 2 4 8 16", MASS_NOTED_POSITION, MASS_NOTED_SIZE, MASS_NOTED_STEP, MASS_NOTED_RANDOM,
            MASS_NOTED_EXISTS);
    NUMBERS("4294967295 4294967294 4294967293 2147483648", MASS_CELL_STAY, MASS_CELL_NOWHERE, MASS_CELL_REMOTE,
            MASS_ASKED_KILL);
}

MASS_PLUGIN(.name = "specimen", .version = "1.2.3");

Test(abi, is_0_3)
{
    cr_assert_eq(MASS_ABI_MAJOR, 0);
    cr_assert_eq(MASS_ABI_MINOR, 4);
}

Test(abi, the_entry_says_its_size_and_abi)
{
    cr_assert_eq(mass_plugin_entry.struct_size, sizeof(mass_plugin));
    cr_assert_eq(mass_plugin_entry.abi_major, 0);
    cr_assert_eq(mass_plugin_entry.abi_minor, 4);
    cr_assert_eq(mass_plugin_entry.launch_size, sizeof(mass_launch));
    cr_assert_eq(mass_plugin_entry.diagnostics_size, sizeof(mass_diagnostics));
    cr_assert_eq(mass_plugin_entry.effects_size, sizeof(mass_effects));
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
                                       0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0};

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
