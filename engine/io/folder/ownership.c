/* SPDX-License-Identifier: Apache-2.0 */
/* A file's identity, run and plugin are HDF5 attributes in its first 64 KiB; what the run is made of is in the first
 * 128 KiB. This code finds them in the stored messages, without the HDF5 library: a folder may have many files, and
 * HDF5 is not trusted with files of unknown origin. Only the file's owner is taken from these bytes. A file that is not
 * recognised has no owner, and stays. */
#include "io/folder/ownership.h"

#include "io/folder/made.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD_BYTES = 1 << 16,             /* contain the file's owner, which is written first */
    MADE_BYTES = 2 * HEAD_BYTES       /* contain what its run is made of, which is written next */
};

/* ---- stored HDF5 attributes: messages of version 3, or 1 in files for older readers ---- */

typedef struct head {
    const uint8_t *bytes;
    size_t size;
} head;

/* Reads a little-endian number. */
static size_t number_at(const uint8_t *at, int bytes)
{
    size_t number = 0;
    for (int i = bytes; i-- > 0;) number = number << 8 | at[i];
    return number;
}

/* Rounds a size up to a multiple of 8. */
static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

/* Finds the value of the message whose name is at `at`. Returns its offset, and its length; 0 if there is no
 * message. */
static size_t value_of(const head *h, size_t at, size_t name_size, size_t *length)
{
    const uint8_t *name = h->bytes + at;
    size_t type = 0, start = 0;
    if (at >= 9 && name[-9] == 3 && number_at(name - 7, 2) == name_size) {
        type = at + name_size;
        start = type + number_at(name - 5, 2) + number_at(name - 3, 2);
    } else if (at >= 8 && name[-8] == 1 && number_at(name - 6, 2) == name_size) {
        type = at + padded(name_size);
        start = type + padded(number_at(name - 4, 2)) + padded(number_at(name - 2, 2));
    }
    if (start == 0 || type + 8 > h->size || start > h->size) return 0;
    *length = number_at(h->bytes + type + 4, 4);
    return *length <= h->size - start ? start : 0;
}

/* Finds an HDF5 attribute's value in the file's first bytes, without the library; NULL if it is not there. */
static const uint8_t *find(const head *h, const char *name, size_t *length)
{
    const size_t name_size = strlen(name) + 1;
    const uint8_t *end = h->bytes + h->size, *at = h->bytes;
    while ((at = memmem(at, (size_t)(end - at), name, name_size))) {
        const size_t start = value_of(h, (size_t)(at - h->bytes), name_size, length);
        if (start > 0) return h->bytes + start;
        at++;
    }
    return NULL;
}

/* Copies a text attribute; false and "" if it is missing, too long or without its end. */
static bool find_text(const head *h, const char *name, char *out, size_t room)
{
    size_t length;
    const uint8_t *value = find(h, name, &length);
    out[0] = '\0';
    if (!value || length == 0 || length > room || value[length - 1] != '\0') return false;
    memcpy(out, value, length);
    return true;
}

/* Copies a hash of 32 hexadecimal digits, else "". */
static void find_hash(const head *h, const char *name, char out[33])
{
    if (!find_text(h, name, out, 33) || strlen(out) != 32 || !mass_is_hex(out, 32)) out[0] = '\0';
}

/* Copies a number of 8 bytes; false if it is not there. */
static bool find_number(const head *h, const char *name, uint64_t *out)
{
    size_t length;
    const uint8_t *value = find(h, name, &length);
    if (!value || length != sizeof *out) return false;
    memcpy(out, value, sizeof *out);
    return true;
}

/* Fills the facts from the file's first bytes, and returns its kind by its format; foreign if it is unknown. */
static mass_file_kind read_hdf5(const head *h, mass_run_facts *out)
{
    static const char *const formats[] = {MASS_CHECKPOINT_FORMAT_NAME, MASS_SERIES_FORMAT_NAME,
                                          MASS_EXPORT_FORMAT_NAME, MASS_PART_FORMAT_NAME};
    char format[64];
    uint32_t kind = 0;
    find_text(h, "format", format, sizeof format);
    while (kind < 4 && strcmp(format, formats[kind]) != 0) kind++;
    if (kind == 4) return MASS_FILE_FOREIGN;
    find_hash(h, "identity", out->identity);
    find_hash(h, "run", out->run);
    find_hash(h, "plugin_hash", out->plugin_hash);
    find_hash(h, "schema", out->schema);
    find_hash(h, "parts", out->parts);
    out->known = find_text(h, "plugin", out->plugin, sizeof out->plugin) && find_number(h, "seed", &out->seed) &&
                 find_number(h, "worlds", &out->worlds) && find_number(h, "first_world", &out->first_world);
    return MASS_FILE_CHECKPOINT + (int)kind;
}

/* ---- the index of fields ---- */

/* Copies a hash from the index; leaves `out` as it is if it is not there. */
static void find_information(const head *h, const char *name, char out[33])
{
    char start[80];
    const int size = snprintf(start, sizeof start, "<Information Name=\"%s\" Value=\"", name);
    const uint8_t *at = memmem(h->bytes, h->size, start, (size_t)size);
    if (!at || (size_t)(h->bytes + h->size - at) < (size_t)size + 33) return;
    if (!mass_is_hex((const char *)at + size, 32)) return;
    memcpy(out, at + size, 32);
    out[32] = '\0';
}

/* Fills the facts from an export's index; foreign if its format is another. */
static mass_file_kind read_index(const head *h, mass_run_facts *out)
{
    static const char says[] = "<Information Name=\"format\" Value=\"" MASS_EXPORT_FORMAT_NAME;
    if (!memmem(h->bytes, h->size, says, sizeof says - 1)) return MASS_FILE_FOREIGN;
    find_information(h, "identity", out->identity);
    find_information(h, "run", out->run);
    find_information(h, "plugin_hash", out->plugin_hash);
    return MASS_FILE_INDEX;
}

/* ---- files ---- */

/* Reads a file's first bytes. Returns how many, at most `most`, or -1 with errno; 0 if there is no regular file. */
static ssize_t read_head(const char *path, uint8_t *bytes, ssize_t most)
{
    struct stat facts;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO ? 0 : -1;
    ssize_t size = 0, got = fstat(file, &facts) == 0 ? S_ISREG(facts.st_mode) : -1;
    while ((got > 0 || (got < 0 && errno == EINTR)) && size < most) {
        got = pread(file, bytes + size, (size_t)(most - size), (off_t)size);
        if (got > 0) size += got;
    }
    const int cause = errno;
    close(file);
    errno = cause;
    return got < 0 ? -1 : size;
}

mass_file_kind mass_bytes_facts(const uint8_t *bytes, size_t size, mass_run_facts *out)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    mass_file_kind kind = MASS_FILE_FOREIGN;
    const head h = {bytes, size};
    *out = (mass_run_facts){0};
    if (size > 8 && memcmp(bytes, signature, 8) == 0) kind = read_hdf5(&h, out);
    else if (size > 8 && memcmp(bytes, "<?xml ", 6) == 0) kind = read_index(&h, out);
    if (kind == MASS_FILE_FOREIGN) *out = (mass_run_facts){0};
    return kind;
}

mass_file_kind mass_file_facts(const char *path, mass_run_facts *out)
{
    uint8_t bytes[HEAD_BYTES]; /* on the stack: a lack of memory must not make a file foreign */
    *out = (mass_run_facts){0};
    const ssize_t size = read_head(path, bytes, HEAD_BYTES);
    return size < 0 ? MASS_FILE_UNREAD : mass_bytes_facts(bytes, (size_t)size, out);
}

const char *mass_bytes_made(const uint8_t *bytes, size_t size)
{
    size_t length;
    const head h = {bytes, size};
    const uint8_t *value = find(&h, MASS_MADE_NAME, &length);
    return value && length > 0 && length <= MASS_MADE_BYTES && value[length - 1] == '\0' ? (const char *)value : NULL;
}

char *mass_file_made(const char *path)
{
    uint8_t *bytes = malloc(MADE_BYTES);
    const ssize_t size = bytes ? read_head(path, bytes, MADE_BYTES) : -1;
    const char *made = size > 0 ? mass_bytes_made(bytes, (size_t)size) : NULL;
    char *text = made ? strdup(made) : NULL;
    free(bytes);
    return text;
}

/* ---- runs ---- */

/* Describes the first difference between a run and another run's file, among what both say; NULL: none. */
static const char *difference(const mass_run_facts *run, const mass_run_facts *file, char why[300])
{
    const bool known = run->known && file->known;
    if (known && strcmp(file->plugin, run->plugin) != 0)
        snprintf(why, 300, "of plugin %s, and this is of %s", file->plugin, run->plugin);
    else if (known && file->seed != run->seed)
        snprintf(why, 300, "with seed %" PRIu64 ", and this has %" PRIu64, file->seed, run->seed);
    else if (file->schema[0] && run->schema[0] && strcmp(file->schema, run->schema) != 0)
        snprintf(why, 300, "with other parameters, attributes or tallies");
    else if ((known && (file->worlds != run->worlds || file->first_world != run->first_world)) ||
             (file->run[0] && run->run[0] && strcmp(file->run, run->run) != 0))
        snprintf(why, 300, "with other parameters, sizes, worlds or loaded files");
    else if (file->plugin_hash[0] && run->plugin_hash[0] && strcmp(file->plugin_hash, run->plugin_hash) != 0)
        snprintf(why, 300, "of another build of its plugin: the plugin's file differs");
    else return NULL;
    return why;
}

bool mass_facts_agree(const mass_run_facts *a, const mass_run_facts *b)
{
    char why[300];
    if (a->identity[0] && b->identity[0]) return strcmp(a->identity, b->identity) == 0;
    mass_run_facts other = *b;
    other.plugin_hash[0] = '\0'; /* a resumed run may use another build of its plugin */
    return !difference(a, &other, why);
}

bool mass_ownership_has(const mass_ownership *owner, const mass_run_facts *file, char why[300])
{
    if (!owner->resumed) return !difference(&owner->facts, file, why);
    if (mass_facts_agree(&owner->facts, file)) return true;
    if (!difference(&owner->facts, file, why)) snprintf(why, 300, "which this one does not go on from");
    return false;
}

bool mass_ownership_may_replace(const void *context, const char *path)
{
    const mass_ownership *owner = context;
    mass_run_facts facts;
    char why[300];
    if (!owner || owner->force) return true;
    const mass_file_kind kind = mass_file_facts(path, &facts);
    if (kind == MASS_FILE_UNREAD) return false;
    if (kind != MASS_FILE_FOREIGN && mass_ownership_has(owner, &facts, why)) return true;
    errno = EEXIST;
    return false;
}

mass_status mass_ownership_refuse(const char *path, const char *kind, const char *why, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "%s belongs to another run, %s: give another --%s folder, or --force "
                          "to replace what is there", path, why, kind);
}
