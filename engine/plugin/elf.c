/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/elf.h"

#include "base/file.h"

#include <elf.h>
#include <inttypes.h>
#include <mass/plugin.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#define THIS_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define THIS_MACHINE EM_AARCH64
#else
#error "mass-engine runs on x86-64 and aarch64"
#endif

#define LARGEST_PLUGIN ((size_t)1 << 30)
#define NOTE_SECTION ".note.mass"

_Static_assert(sizeof(mass_abi) == sizeof(mass_abi_note) - offsetof(mass_abi_note, major),
               "mass_abi is the value of the note");

/* A file under examination. `header` is valid after check_header. After check_ranges, all ranges in the tables of
 * segments and sections are inside the file. */
typedef struct object {
    const uint8_t *bytes;
    uint64_t size;
    const char *path;
    mass_error *error;
    Elf64_Ehdr header;
} object;

/* Returns a program header. The caller has checked that the table is in the file. */
static Elf64_Phdr segment(const object *o, size_t number)
{
    Elf64_Phdr s;
    memcpy(&s, o->bytes + o->header.e_phoff + number * sizeof s, sizeof s);
    return s;
}

/* Returns a section header. The caller has checked that the table is in the file. */
static Elf64_Shdr section(const object *o, size_t number)
{
    Elf64_Shdr s;
    memcpy(&s, o->bytes + o->header.e_shoff + number * sizeof s, sizeof s);
    return s;
}

/* Returns the end of `count` items of `each` bytes from `offset` on, or UINT64_MAX if no file is that long. */
static uint64_t end_of(uint64_t offset, uint64_t count, uint64_t each)
{
    uint64_t length, end;
    if (__builtin_mul_overflow(count, each, &length)) return UINT64_MAX;
    return __builtin_add_overflow(offset, length, &end) ? UINT64_MAX : end;
}

/* Returns the greater number. */
static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Reports a damaged file. Returns MASS_BAD_PLUGIN. */
static mass_status refuse_damaged(const object *o, const char *how)
{
    return mass_error_set(o->error, MASS_BAD_PLUGIN, "%s is damaged: %s: copy or build it again",
                          o->path, how);
}

/* Checks that the file has at least `needed` bytes. A file that is too short is truncated, UINT64_MAX damaged. */
static mass_status check_length(const object *o, uint64_t needed)
{
    if (needed <= o->size) return MASS_OK;
    if (needed == UINT64_MAX) return refuse_damaged(o, "a part of it would be outside any file");
    return mass_error_set(o->error, MASS_BAD_PLUGIN, "%s is truncated: it needs %" PRIu64
                          " bytes and has %" PRIu64 ": copy or build it again",
                          o->path, needed, o->size);
}

/* Refuses an empty file and one that is not ELF. */
static mass_status check_magic(const object *o)
{
    if (o->size == 0)
        return mass_error_set(o->error, MASS_BAD_PLUGIN, "%s is empty: copy or build it again",
                              o->path);
    if (o->size < SELFMAG || memcmp(o->bytes, ELFMAG, SELFMAG) != 0)
        return mass_error_set(o->error, MASS_BAD_PLUGIN, "%s is not a shared object: "
                              "name the .so file that the plugin was built to", o->path);
    return MASS_OK;
}

/* Returns the name of a machine of ELF, or NULL for an unknown one. */
static const char *machine_name(unsigned machine)
{
    switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "aarch64";
    case EM_386: return "i386";
    case EM_ARM: return "arm";
    case EM_RISCV: return "riscv";
    case EM_PPC64: return "ppc64";
    case EM_S390: return "s390";
    default: return NULL;
    }
}

/* Writes a machine's description: "aarch64 (64-bit, little endian)". Returns buffer. */
static const char *describe_machine(char buffer[64], unsigned machine, unsigned class,
                                    unsigned data)
{
    char number[32];
    snprintf(number, sizeof number, "machine number %u", machine);
    const char *name = machine_name(machine);
    snprintf(buffer, 64, "%s (%s, %s endian)", name ? name : number,
             class == ELFCLASS64 ? "64-bit" : "32-bit", data == ELFDATA2LSB ? "little" : "big");
    return buffer;
}

/* Refuses a file for another machine, word size or byte order. If its first bytes name none, it is damaged. */
static mass_status check_machine(const object *o)
{
    const unsigned class = o->header.e_ident[EI_CLASS], data = o->header.e_ident[EI_DATA];
    if ((class != ELFCLASS32 && class != ELFCLASS64) ||
        (data != ELFDATA2LSB && data != ELFDATA2MSB) || o->header.e_ident[EI_VERSION] != EV_CURRENT)
        return refuse_damaged(o, "its first bytes are those of no machine's files");
    const uint16_t stored = o->header.e_machine;
    const unsigned machine = data == ELFDATA2LSB ? stored : __builtin_bswap16(stored);
    if (machine == THIS_MACHINE && class == ELFCLASS64 && data == ELFDATA2LSB) return MASS_OK;
    char theirs[64], ours[64];
    return mass_error_set(o->error, MASS_BAD_PLUGIN,
                          "%s was built for %s and this machine is %s: build it for this machine",
                          o->path, describe_machine(theirs, machine, class, data),
                          describe_machine(ours, THIS_MACHINE, ELFCLASS64, ELFDATA2LSB));
}

/* Checks that the file is a shared object, not a program or an object file. */
static mass_status check_kind(const object *o)
{
    const char *kind = "another kind of file";
    switch (o->header.e_type) {
    case ET_DYN: return MASS_OK;
    case ET_REL: kind = "an object file"; break;
    case ET_EXEC: kind = "a program"; break;
    case ET_CORE: kind = "a core dump"; break;
    }
    return mass_error_set(o->error, MASS_BAD_PLUGIN,
                          "%s is %s and not a shared object: link the plugin with -shared",
                          o->path, kind);
}

/* Reads the header into the object, and checks magic, machine and kind. */
static mass_status check_header(object *o)
{
    mass_status status = check_magic(o);
    if (status == MASS_OK) status = check_length(o, sizeof o->header);
    if (status != MASS_OK) return status;
    memcpy(&o->header, o->bytes, sizeof o->header);
    status = check_machine(o);
    return status == MASS_OK ? check_kind(o) : status;
}

/* Refuses a file whose header tables have a wrong size or are not in it. */
static mass_status check_tables(const object *o)
{
    const Elf64_Ehdr *h = &o->header;
    if (h->e_phnum != 0 && h->e_phentsize != sizeof(Elf64_Phdr))
        return refuse_damaged(o, "its program headers have a wrong size");
    if (h->e_shnum != 0 && h->e_shentsize != sizeof(Elf64_Shdr))
        return refuse_damaged(o, "its section headers have a wrong size");
    return check_length(o, greater(end_of(h->e_phoff, h->e_phnum, sizeof(Elf64_Phdr)),
                                   end_of(h->e_shoff, h->e_shnum, sizeof(Elf64_Shdr))));
}

/* Checks that the file contains all its segments and sections. The loader does not need sections, but a file that lacks
 * part of one was truncated. */
static mass_status check_ranges(const object *o)
{
    uint64_t needed = 0;
    for (size_t i = 0; i < o->header.e_phnum; i++) {
        const Elf64_Phdr s = segment(o, i);
        if (s.p_type != PT_NULL) needed = greater(needed, end_of(s.p_offset, s.p_filesz, 1));
    }
    for (size_t i = 0; i < o->header.e_shnum; i++) {
        const Elf64_Shdr s = section(o, i);
        if (s.sh_type != SHT_NULL && s.sh_type != SHT_NOBITS)
            needed = greater(needed, end_of(s.sh_offset, s.sh_size, 1));
    }
    return check_length(o, needed);
}

/* Returns whether a note is the plugin's ABI. Reads the name only if the note's sizes fit. */
static bool is_abi_note(const Elf64_Nhdr *note, const uint8_t *name)
{
    return note->n_type == MASS_NOTE_TYPE && note->n_namesz >= sizeof MASS_NOTE_NAME &&
           note->n_descsz >= sizeof(mass_abi) &&
           memcmp(name, MASS_NOTE_NAME, sizeof MASS_NOTE_NAME) == 0;
}

/* Returns the smallest multiple of the alignment that is not below the value. */
static uint64_t round_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/* Searches `left` bytes of notes for the ABI note. alignment: of a note's parts, in bytes. Sizes in notes are 32-bit
 * numbers, whose sums fit 64 bits. Sets *out; returns false if there is none. */
static bool find_abi(const uint8_t *at, uint64_t left, uint64_t alignment, mass_abi *out)
{
    Elf64_Nhdr note;
    while (left >= sizeof note) {
        memcpy(&note, at, sizeof note);
        const uint64_t value = round_up(sizeof note + (uint64_t)note.n_namesz, alignment);
        const uint64_t end = value + note.n_descsz, next = round_up(end, alignment);
        if (end > left) return false;
        if (is_abi_note(&note, at + sizeof note)) {
            memcpy(out, at + value, sizeof *out);
            return true;
        }
        if (next > left) return false;
        at += next;
        left -= next;
    }
    return false;
}

/* Returns whether a section has the name. False if the names are not in the file. */
static bool is_named(const object *o, const Elf64_Shdr *s, const char *name)
{
    if (o->header.e_shstrndx >= o->header.e_shnum) return false;
    const Elf64_Shdr names = section(o, o->header.e_shstrndx);
    const size_t size = strlen(name) + 1;
    return names.sh_type == SHT_STRTAB && end_of(s->sh_name, size, 1) <= names.sh_size &&
           memcmp(o->bytes + names.sh_offset + s->sh_name, name, size) == 0;
}

/* Finds the ABI note by its section. Returns false, *out unchanged, if there is none. */
static bool find_abi_in_sections(const object *o, mass_abi *out)
{
    for (size_t i = 0; i < o->header.e_shnum; i++) {
        const Elf64_Shdr s = section(o, i);
        if ((s.sh_type == SHT_NOTE || s.sh_type == SHT_PROGBITS) && is_named(o, &s, NOTE_SECTION) &&
            find_abi(o->bytes + s.sh_offset, s.sh_size, 4, out))
            return true;
    }
    return false;
}

/* Searches the segments, for a plugin whose section headers were stripped. Sets *out; returns false if there is
 * none. */
static bool find_abi_in_segments(const object *o, mass_abi *out)
{
    for (size_t i = 0; i < o->header.e_phnum; i++) {
        const Elf64_Phdr s = segment(o, i);
        if (s.p_type == PT_NOTE &&
            find_abi(o->bytes + s.p_offset, s.p_filesz, s.p_align == 8 ? 8 : 4, out))
            return true;
    }
    return false;
}

/* Finds the plugin's ABI and checks that this engine accepts it. */
static mass_status check_abi(const object *o, mass_abi *out)
{
    const mass_abi engine = {MASS_ABI_MAJOR, MASS_ABI_MINOR};
    if (!find_abi_in_sections(o, out) && !find_abi_in_segments(o, out))
        return mass_error_set(o->error, MASS_BAD_PLUGIN, "%s is not a mass-engine plugin: "
                              "it has no ABI note; define it with MASS_PLUGIN", o->path);
    if (mass_abi_accepts(engine, *out)) return MASS_OK;
    return mass_error_set(o->error, MASS_BAD_PLUGIN, "%s was built for ABI %" PRIu32 ".%" PRIu32
                          " and this engine has %" PRIu32 ".%" PRIu32 ": rebuild it with this engine's SDK (while "
                          "the major number is 0 both numbers must be equal; from 1.0 on the major numbers, and the "
                          "minor number no higher)", o->path, out->major, out->minor, engine.major,
                          engine.minor);
}

bool mass_abi_accepts(mass_abi engine, mass_abi plugin)
{
    if (engine.major != plugin.major) return false;
    return engine.major == 0 ? plugin.minor == engine.minor : plugin.minor <= engine.minor;
}

mass_status mass_elf_check(const uint8_t *bytes, size_t size, const char *path, mass_elf_facts *out,
                           mass_error *error)
{
    object o = {.bytes = bytes, .size = size, .path = path, .error = error};
    mass_elf_facts facts;
    mass_status status = check_header(&o);
    if (status == MASS_OK) status = check_tables(&o);
    if (status == MASS_OK) status = check_ranges(&o);
    if (status == MASS_OK) status = check_abi(&o, &facts.abi);
    if (status == MASS_OK) *out = facts;
    return status;
}

mass_status mass_elf_check_file(const char *path, mass_elf_facts *out, mass_error *error)
{
    mass_file file;
    mass_status status = mass_file_read(path, LARGEST_PLUGIN, MASS_BAD_PLUGIN, &file, error);
    if (status != MASS_OK) return status;
    status = mass_elf_check(file.bytes, file.size, path, out, error);
    mass_file_free(&file);
    return status;
}
