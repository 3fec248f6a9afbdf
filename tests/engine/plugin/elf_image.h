/* SPDX-License-Identifier: Apache-2.0 */
/* Shared objects of the real compiler, made once a run, to take apart byte by byte. */
#ifndef MASS_TESTS_ELF_IMAGE_H
#define MASS_TESTS_ELF_IMAGE_H

#include "plugin/elf.h"

#include <elf.h>
#include <stdint.h>

/* The path of plugin.so, plugin.o, library.so, program or source.c; it lives until the next call. */
const char *built(const char *name);

typedef struct image {
    uint8_t bytes[1 << 17];
    size_t size;
} image;

extern image plugin; /* each test changes its own process's copy */

void load(const char *name);
/* As built; for a suite's .init. */
void load_plugin(void);

/* Where they are in the plugin. */
Elf64_Ehdr *header(void);
Elf64_Phdr *segments(void);
Elf64_Shdr *sections(void);
/* Found without the help of any table. */
uint8_t *note(void);

enum { MASS = 0x7373616d, GNU = 0x00554e47 }; /* names of notes, as little-endian words */
/* Leaves the plugin with these notes alone, at its very end. */
void replace_notes(const uint32_t *words, size_t size, size_t alignment);

/* Bytes whose end is the end of the memory that may be read. */
typedef struct guarded {
    uint8_t *end;
    size_t capacity;
} guarded;

guarded guarded_create(size_t capacity);
mass_status check_guarded(const guarded *g, const uint8_t *bytes, size_t size, mass_elf_facts *facts,
                          mass_error *error);

void expect_accepted(void);
/* Expects one line with the path and both words, and no facts. */
void expect_refused(const char *word, const char *other);

#endif
