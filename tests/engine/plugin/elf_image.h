/* SPDX-License-Identifier: Apache-2.0 */
/* Shared objects of the real compiler, made once in a run, for changes byte by byte. */
#ifndef MASS_TESTS_ELF_IMAGE_H
#define MASS_TESTS_ELF_IMAGE_H

#include "plugin/elf.h"

#include <elf.h>
#include <stdint.h>

/* Returns the path of plugin.so, plugin.o, library.so, program or source.c, valid until the next call. */
const char *built(const char *name);

typedef struct image {
    uint8_t bytes[1 << 17];
    size_t size;
} image;

extern image plugin; /* each test changes its own process's copy */

/* Reads one of those files into `plugin`. */
void load(const char *name);
/* Loads the plugin as built; for a suite's .init. */
void load_plugin(void);

/* Return their addresses in the plugin. */
Elf64_Ehdr *header(void);
Elf64_Phdr *segments(void);
Elf64_Shdr *sections(void);
/* Finds the note without any table. */
uint8_t *note(void);

enum { MASS = 0x7373616d, GNU = 0x00554e47 }; /* names of notes, as little-endian words */
/* Replaces the plugin's notes with these, at its very end. */
void replace_notes(const uint32_t *words, size_t size, size_t alignment);

/* Bytes that end where readable memory ends. */
typedef struct guarded {
    uint8_t *end;
    size_t capacity;
} guarded;

/* Makes room for `capacity` bytes before a page that cannot be read; check reads bytes as the facts of a plugin
 * there. */
guarded guarded_create(size_t capacity);
mass_status check_guarded(const guarded *g, const uint8_t *bytes, size_t size, mass_elf_facts *facts,
                          mass_error *error);

/* Expects the engine to read the image as a plugin. */
void expect_accepted(void);
/* Expects a refusal: one line with the path and both words. */
void expect_refused(const char *word, const char *other);

#endif
