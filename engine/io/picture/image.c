/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/image.h"

#include "io/folder/names.h"
#include "io/folder/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- checks of a path ---- */

/* Returns the part of a path after the last slash. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Returns the folder of a path, with its slash; or ".". The caller frees it. */
static char *folder_of(const char *path)
{
    size_t length = (size_t)(file_name(path) - path);
    return length == 0 ? strdup(".") : strndup(path, length);
}

/* Returns true if the name has this extension, in upper or lower case, and a stem. */
static bool ends_in(const char *name, const char *extension)
{
    size_t length = strlen(name), end = strlen(extension);
    return length > end && strcasecmp(name + length - end, extension) == 0;
}

/* Refuses a folder that is missing, is no folder or cannot be written to. Makes nothing. */
static mass_status check_folder(const char *path, const char *kind, const char *folder,
                                mass_error *error)
{
    struct stat about;
    int cause = stat(folder, &about) == 0 ? 0 : errno;
    char why[MASS_WHY_NOT_MADE];
    if (cause == ENOENT)
        return mass_error_set(error, MASS_BAD_USAGE, "cannot write %s %s: %s", kind, path,
                              mass_folder_why_not_made(path, cause, why));
    if (cause != 0 || !S_ISDIR(about.st_mode))
        return mass_error_set(error, MASS_BAD_USAGE, "%s %s: folder %s: %s", kind, path, folder,
                              strerror(cause ? cause : ENOTDIR));
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "%s %s: folder %s cannot be written to: %s",
                              kind, path, folder, strerror(errno));
    return MASS_OK;
}

mass_status mass_image_check_path(const char *path, const char *kind, const char *extension, bool force,
                                  mass_error *error)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;
    int cause = exists ? 0 : errno;
    if (exists && S_ISDIR(about.st_mode))
        return mass_error_set(error, MASS_BAD_USAGE,
                              "%s %s is a folder: name a file in it that ends in %s", kind, path,
                              extension);
    if (!ends_in(file_name(path), extension))
        return mass_error_set(error, MASS_BAD_USAGE, "%s '%s': expected a file name ending in %s",
                              kind, path, extension);
    char *folder = folder_of(path);
    if (!folder) return mass_error_memory(error, strlen(path), "the name of a folder");
    mass_status status = check_folder(path, kind, folder, error);
    free(folder);
    if (status == MASS_OK && cause != 0 && cause != ENOENT)
        status = mass_error_set(error, MASS_BAD_USAGE, "%s %s: %s", kind, path, strerror(cause));
    if (status != MASS_OK || lstat(path, &about) != 0 || mass_image_may_replace(&force, path)) return status;
    if (errno != EEXIST) return mass_error_unread(error, MASS_BAD_USAGE, path, errno);
    return mass_error_set(error, MASS_BAD_USAGE, "%s %s exists, and is not a %s that this version wrote: give another "
                          "name, or --force to replace it", kind, path,
                          strcmp(kind, "network") == 0 ? kind : "picture");
}

mass_status mass_image_check(const char *path, bool force, mass_error *error)
{
    return mass_image_check_path(path, "image", ".png", force, error);
}

/* ---- pictures of this program ---- */

/* Length, "tEXt", "Software", a zero byte, the program's name, and a CRC. */
const unsigned char mass_png_mark[MASS_PNG_MARK_BYTES] = "\0\0\0\x14tEXtSoftware\0mass-engine\xc7\x11\x6e\xc2";

bool mass_image_is_ours(const char *path)
{
    static const char png[] = "\211PNG\r\n\032\n", gif[] = "GIF89a", comment[] = "\x21\xfe\x0b" MASS_IMAGE_SOFTWARE;
    static const char graphml[] = MASS_GRAPHML_HEAD;
    char bytes[4096]; /* enough for a palette and what precedes the mark */
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return false;
    ssize_t got = fstat(file, &about) == 0 ? S_ISREG(about.st_mode) : -1;
    if (got > 0) got = pread(file, bytes, sizeof bytes, 0);
    const int cause = errno;
    close(file);
    errno = got < 0 ? cause : EEXIST;
    const size_t size = got > 0 ? (size_t)got : 0;
    if (size > strlen(graphml) && memcmp(bytes, graphml, strlen(graphml)) == 0) return true;
    if (size > sizeof png && memcmp(bytes, png, sizeof png - 1) == 0)
        return memmem(bytes, size, mass_png_mark, sizeof mass_png_mark);
    return size > sizeof gif && memcmp(bytes, gif, sizeof gif - 1) == 0 &&
           memmem(bytes, size, comment, sizeof comment - 1);
}

bool mass_image_may_replace(const void *force, const char *path)
{
    return *(const bool *)force || mass_image_is_ours(path);
}

/* ---- files that appear complete or not at all ---- */

/* Frees the path and empties the struct; closes nothing. */
static void free_names(mass_image_file *file)
{
    free(file->path);
    *file = (mass_image_file){.temporary.file = -1};
}

/* Sets the error of a failed opening and frees the names: MASS_BAD_USAGE if the folder is missing. */
static mass_status open_failed(mass_image_file *file, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    bool folder_missing = file->cause == ENOENT || file->cause == ENOTDIR;
    mass_status status = folder_missing
        ? mass_error_set(error, MASS_BAD_USAGE, "cannot write %s: %s", file->path,
                         mass_folder_why_not_made(file->path, file->cause, why))
        : mass_image_file_failed(file, error);
    free_names(file);
    return status;
}

mass_status mass_image_file_open(mass_image_file *file, const char *path, bool force, mass_error *error)
{
    if (*file_name(path) == '\0')
        return mass_error_set(error, MASS_BAD_USAGE, "cannot write '%s': it names no file", path);
    *file = (mass_image_file){.path = strdup(path), .force = force, .temporary.file = -1};
    if (!file->path) return mass_error_memory(error, strlen(path), "the name of a picture");
    if (!mass_temporary_make(path, &file->temporary)) {
        file->cause = errno;
        return open_failed(file, error);
    }
    const int stream = fcntl(file->temporary.file, F_DUPFD_CLOEXEC, 0); /* the original keeps the lock */
    file->stream = stream >= 0 ? fdopen(stream, "wb") : NULL;
    if (file->stream) return MASS_OK;
    file->cause = errno;
    if (stream >= 0) close(stream);
    mass_temporary_end(&file->temporary);
    return open_failed(file, error);
}

bool mass_image_file_write(mass_image_file *file, const void *bytes, size_t size)
{
    if (file->cause == 0 && fwrite(bytes, 1, size, file->stream) != size)
        file->cause = errno ? errno : EIO;
    return file->cause == 0;
}

mass_status mass_image_file_failed(const mass_image_file *file, mass_error *error)
{
    return mass_error_set(error, MASS_FAILED, "cannot write %s: %s", file->path,
                          strerror(file->cause ? file->cause : ENOMEM));
}

/* Sets the error of a failed commit; a file that appeared meanwhile stays. */
static mass_status commit_failed(const mass_image_file *file, mass_error *error)
{
    if (file->cause != EEXIST) return mass_image_file_failed(file, error);
    return mass_error_set(error, MASS_FAILED, "cannot write %s: another program made a file there, which stays",
                          file->path);
}

mass_status mass_image_file_commit(mass_image_file *file, mass_error *error)
{
    if (file->cause == 0 && (fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0))
        file->cause = errno;
    if (fclose(file->stream) != 0 && file->cause == 0) file->cause = errno;
    if (file->cause == 0 && !mass_publish(file->temporary.path, file->path, mass_image_may_replace, &file->force))
        file->cause = errno;
    const mass_status status = file->cause ? commit_failed(file, error) : MASS_OK;
    mass_temporary_end(&file->temporary);
    free_names(file);
    return status;
}

void mass_image_file_abandon(mass_image_file *file)
{
    fclose(file->stream);
    mass_temporary_end(&file->temporary);
    free_names(file);
}

/* ---- PNG ---- */

/* Jumps out of libpng on an error, without a message: libpng's own function would print. */
static void png_fail(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

/* Discards a warning of libpng. */
static void png_warn(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* Writes bytes for libpng; on failure jumps out of libpng. */
static void png_put(png_structp png, png_bytep bytes, size_t size)
{
    if (!mass_image_file_write(png_get_io_ptr(png), bytes, size)) png_error(png, "write");
}

/* Does nothing: the commit flushes. */
static void png_flush_nothing(png_structp png)
{
    (void)png;
}

/* Converts all colours of the palette for libpng. */
static void to_png_colours(const mass_palette *palette, png_color colours[256])
{
    for (int i = 0; i < 256; i++) {
        uint32_t rgb = palette->rgb[i];
        colours[i] = (png_color){(png_byte)(rgb >> 16), (png_byte)(rgb >> 8), (png_byte)rgb};
    }
}

/* Encodes the raster; false if libpng failed. libpng then leaves by longjmp, so this function owns nothing. */
static bool png_encode(png_structp png, png_infop info, const mass_raster *raster,
                       const png_color *colours)
{
    if (setjmp(png_jmpbuf(png))) return false;
    uint32_t width = (uint32_t)raster->width, height = (uint32_t)raster->height;
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, colours, 256);
    char pixels[16], key[] = MASS_PNG_PLACES;
    snprintf(pixels, sizeof pixels, "%d", (int)raster->grow);
    png_set_text(png, info, &(png_text){.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = pixels}, 1);
    png_write_info_before_PLTE(png, info);
    png_write_chunk(png, mass_png_mark + 4, mass_png_mark + 8, MASS_PNG_MARK_BYTES - 12);
    png_write_info(png, info);
    for (uint32_t y = 0; y < height; y++)
        png_write_row(png, raster->index + (size_t)y * width);
    png_write_end(png, info);
    return true;
}

/* Writes the raster as a PNG with a palette; false on any failure. Does not commit the file. */
static bool png_write(mass_image_file *file, const mass_raster *raster,
                      const mass_palette *palette)
{
    png_color colours[256];
    to_png_colours(palette, colours);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_fail, png_warn);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info) png_set_write_fn(png, file, png_put, png_flush_nothing);
    bool written = info && png_encode(png, info, raster, colours);
    png_destroy_write_struct(&png, &info);
    return written;
}

mass_status mass_image_write_png(const char *path, const mass_raster *raster,
                                 const mass_palette *palette, bool force, mass_error *error)
{
    if (raster->width < 1 || raster->height < 1 || raster->width > MASS_RASTER_MAXIMUM ||
        raster->height > MASS_RASTER_MAXIMUM)
        return mass_error_set(error, MASS_BAD_USAGE,
                              "cannot write %s: %d x %d pixels, sides are 1 to %d", path,
                              raster->width, raster->height, MASS_RASTER_MAXIMUM);
    mass_image_file file;
    mass_status status = mass_image_file_open(&file, path, force, error);
    if (status != MASS_OK) return status;
    if (png_write(&file, raster, palette)) return mass_image_file_commit(&file, error);
    status = mass_image_file_failed(&file, error);
    mass_image_file_abandon(&file);
    return status;
}
