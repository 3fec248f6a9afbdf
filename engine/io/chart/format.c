/* SPDX-License-Identifier: Apache-2.0 */
#include "io/chart/format.h"
#include "io/picture/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const mass_chart_format formats[] = {
    {".png", "PNG", "png", "truecolor size 1200,%.0f noenhanced", 1, NULL},
    {".svg", "SVG", "svg", "size 1200,%.0f noenhanced background rgb 'white'", 1,
     "<!-- Software: " MASS_IMAGE_SOFTWARE " -->\n"},
    {".pdf", "PDF", "pdfcairo", "size 12in,%.2fin noenhanced", 0.01, "% Software: " MASS_IMAGE_SOFTWARE "\n"}};
enum { FORMATS = sizeof formats / sizeof *formats };

const mass_chart_format *mass_chart_format_of(const char *path)
{
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end && i < FORMATS; i++)
        if (strcmp(end, formats[i].ending) == 0) return &formats[i];
    return NULL;
}

/* ---- complete files ---- */

/* Reads four bytes as a big-endian number. */
static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Computes the CRC-32 of a PNG chunk. */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    uint32_t rest = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (rest & 1 ? 0xedb88320u : 0);
    }
    return ~rest;
}

/* Returns true if a PNG has its signature, all chunks are valid, and the chunk IEND ends the file. */
static bool is_whole_png(const unsigned char *bytes, size_t size)
{
    static const size_t around = 12; /* bytes of a chunk without its contents */
    if (size <= MASS_PNG_FIRST || memcmp(bytes, "\211PNG\r\n\032\n", 8) != 0) return false;
    for (size_t at = 8; size - at >= around;) {
        const unsigned char *chunk = bytes + at;
        const size_t length = big_endian(chunk);
        if (length > size - at - around) return false;
        if (checksum(chunk + 4, length + 4) != big_endian(chunk + length + 8)) return false;
        at += length + around;
        if (memcmp(chunk + 4, "IEND", 4) == 0) return at == size;
    }
    return false;
}

/* Returns true if a file begins with one text and, apart from blanks, ends with another. */
static bool is_between(const unsigned char *bytes, size_t size, const char *first, const char *last)
{
    while (size > 0 && strchr(" \r\n", bytes[size - 1]) && bytes[size - 1]) size--;
    const size_t begin = strlen(first), end = strlen(last);
    return size >= begin + end && memcmp(bytes, first, begin) == 0 && memcmp(bytes + size - end, last, end) == 0;
}

bool mass_chart_is_whole(const mass_chart_format *format, const unsigned char *bytes, size_t size)
{
    if (!format->mark) return is_whole_png(bytes, size);
    return strcmp(format->ending, ".svg") == 0 ? is_between(bytes, size, "<?xml", "</svg>")
                                               : is_between(bytes, size, "%PDF-", "%%EOF");
}

/* ---- this program's files ---- */

/* Returns true if the file ends with a format's mark. Else errno has the reason: EEXIST if the file could be read. */
static bool is_ours(const char *path)
{
    char end[64];
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return false;
    bool ours = false;
    int cause = fstat(file, &about) == 0 ? EEXIST : errno;
    for (size_t i = 0; cause == EEXIST && S_ISREG(about.st_mode) && i < FORMATS; i++) {
        const size_t length = formats[i].mark ? strlen(formats[i].mark) : 0;
        if (length == 0 || about.st_size < (off_t)length) continue;
        const ssize_t got = pread(file, end, length, about.st_size - (off_t)length);
        if (got < 0) cause = errno;
        ours |= got == (ssize_t)length && memcmp(end, formats[i].mark, length) == 0;
    }
    close(file);
    errno = cause;
    return ours;
}

bool mass_chart_may_replace(const void *force, const char *path)
{
    return mass_image_may_replace(force, path) || (errno == EEXIST && is_ours(path));
}
