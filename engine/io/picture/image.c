/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/image.h"

#include "io/folder/names.h"
#include "io/folder/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- palettes ---- */

/* The colour at `part` of `all` on the way from one colour to another, each channel rounded. */
static uint32_t blend(uint32_t from, uint32_t to, uint32_t part, uint32_t all)
{
    uint32_t colour = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        uint32_t a = from >> shift & 0xff, b = to >> shift & 0xff;
        colour |= (a * (all - part) + b * part + all / 2) / all << shift;
    }
    return colour;
}

/* The index of what lies at `part`, 0 to 1, of the way from low to high. */
static uint8_t level(double part, int last)
{
    return (uint8_t)(part < 1 ? part * last + 0.5 : last);
}

static mass_status check_palette(double low, double high, const uint32_t *colours, uint32_t count,
                                 mass_error *error)
{
    if (!(low < high) || !isfinite(high - low))
        return mass_error_set(error, MASS_BAD_PLUGIN,
                              "picture: low %g and high %g, low must be below high and both finite",
                              low, high);
    if (count < 2 || count > 256)
        return mass_error_set(error, MASS_BAD_PLUGIN,
                              "picture: the palette has %u colours, it needs 2 to 256", count);
    for (uint32_t i = 0; i < count; i++)
        if (colours[i] > 0xffffff)
            return mass_error_set(error, MASS_BAD_PLUGIN,
                                  "picture: colour %u of the palette is 0x%x, not 0xRRGGBB", i,
                                  colours[i]);
    return MASS_OK;
}

mass_status mass_palette_make(mass_palette *out, double low, double high, const uint32_t *colours,
                              uint32_t count, mass_error *error)
{
    return mass_palette_make_spotted(out, low, high, colours, count, NULL, 0, error);
}

mass_status mass_palette_make_spotted(mass_palette *out, double low, double high, const uint32_t *colours,
                                      uint32_t count, const uint32_t *spot_colours, uint32_t spots, mass_error *error)
{
    mass_status status = check_palette(low, high, colours, count, error);
    if (status != MASS_OK) return status;
    const uint32_t last = 255 - spots;
    out->low = low;
    out->high = high;
    out->last = (int)last;
    for (uint32_t i = 0; i < last; i++) {
        uint32_t position = i * (count - 1), colour = position / last;
        out->rgb[i] = blend(colours[colour], colours[colour + 1], position % last, last);
    }
    for (uint32_t k = 1; k + 1 < count && count - 1 <= last; k++)
        out->rgb[level((double)k / (count - 1), (int)last)] = colours[k];
    out->rgb[last] = colours[count - 1];
    for (uint32_t i = 0; i < spots; i++) out->rgb[last + 1 + i] = spot_colours[i];
    return MASS_OK;
}

/* ---- rasters ---- */

struct mass_drawing {
    int64_t width, height; /* of the space */
    int64_t row;           /* rows drawn so far */
    int64_t shrink;        /* places a block, along each side; 1 if grow is above 1 */
    int32_t grow;          /* pixels a block, along each side */
    int32_t columns;       /* blocks in a row */
    double low, high;
    int last; /* index of high */
    mass_raster raster;
    double *sum;    /* [columns] of the row of blocks under way */
    int64_t *count; /* [columns] */
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

static int32_t grow_factor(int64_t side, int32_t limit)
{
    int32_t most = limit < MASS_RASTER_SMALL ? limit : MASS_RASTER_SMALL;
    return side < most ? most / (int32_t)side : 1;
}

void mass_raster_size(int64_t width, int64_t height, int32_t limit, int32_t *out_width,
                      int32_t *out_height)
{
    int64_t side = larger(width, height), shrink = divide_up(side, limit);
    int32_t grow = grow_factor(side, limit);
    *out_width = (int32_t)divide_up(width, shrink) * grow;
    *out_height = (int32_t)divide_up(height, shrink) * grow;
}

int32_t mass_raster_limit(int64_t width, int64_t height, int32_t columns, int32_t rows)
{
    int32_t limit = columns > rows ? columns : rows, across, down;
    for (;; limit--) {
        mass_raster_size(width, height, limit, &across, &down);
        if (across <= columns && down <= rows) return limit;
    }
}

static mass_status allocate(mass_drawing *drawing, mass_error *error)
{
    mass_raster *raster = &drawing->raster;
    size_t pixels = (size_t)raster->width * (size_t)raster->height;
    size_t columns = (size_t)drawing->columns;
    raster->index = calloc(pixels, 1);
    drawing->sum = calloc(columns, sizeof *drawing->sum);
    drawing->count = calloc(columns, sizeof *drawing->count);
    if (raster->index && drawing->sum && drawing->count) return MASS_OK;
    size_t sums = columns * (sizeof *drawing->sum + sizeof *drawing->count);
    return mass_error_memory(error, pixels + sums, "the picture");
}

mass_status mass_raster_begin(mass_drawing **out, int64_t width, int64_t height, int32_t limit,
                              const mass_palette *palette, mass_error *error)
{
    if (width < 1 || height < 1 || limit < 1 || limit > MASS_RASTER_MAXIMUM)
        return mass_error_set(error, MASS_BAD_USAGE,
                              "a picture of %lld x %lld places with at most %d pixels a side: all "
                              "must be at least 1, and pixels at most %d",
                              (long long)width, (long long)height, limit, MASS_RASTER_MAXIMUM);
    mass_drawing *drawing = calloc(1, sizeof *drawing);
    if (!drawing) return mass_error_memory(error, sizeof *drawing, "the picture");
    mass_raster *raster = &drawing->raster;
    mass_raster_size(width, height, limit, &raster->width, &raster->height);
    drawing->width = width;
    drawing->height = height;
    drawing->low = palette->low;
    drawing->high = palette->high;
    drawing->last = palette->last;
    drawing->shrink = divide_up(larger(width, height), limit);
    drawing->grow = grow_factor(larger(width, height), limit);
    drawing->columns = raster->width / drawing->grow;
    raster->grow = drawing->shrink == 1 ? drawing->grow : 0;
    mass_status status = allocate(drawing, error);
    if (status == MASS_OK) *out = drawing;
    else mass_raster_end(drawing, NULL);
    return status;
}

static void add_row(mass_drawing *drawing, const double *values)
{
    int64_t x = 0;
    for (int32_t c = 0; c < drawing->columns; c++) {
        int64_t left = drawing->width - x;
        int64_t end = x + (left < drawing->shrink ? left : drawing->shrink);
        double sum = drawing->sum[c];
        int64_t count = drawing->count[c];
        for (; x < end; x++) {
            if (isnan(values[x])) continue;
            sum += values[x];
            count++;
        }
        drawing->sum[c] = sum;
        drawing->count[c] = count;
    }
}

static uint8_t palette_index(const mass_drawing *drawing, int32_t column)
{
    if (drawing->count[column] == 0) return 0;
    double mean = drawing->sum[column] / (double)drawing->count[column];
    double part = (mean - drawing->low) / (drawing->high - drawing->low);
    if (!(part > 0)) return 0;
    return level(part, drawing->last);
}

/* Turns the sums into the pixels of the row of blocks that the last row drawn belongs to. */
static void finish_blocks(mass_drawing *drawing)
{
    size_t width = (size_t)drawing->raster.width, grow = (size_t)drawing->grow;
    size_t block = (size_t)((drawing->row - 1) / drawing->shrink);
    uint8_t *pixels = drawing->raster.index + block * grow * width;
    for (int32_t c = 0; c < drawing->columns; c++)
        memset(pixels + (size_t)c * grow, palette_index(drawing, c), grow);
    for (size_t y = 1; y < grow; y++) memcpy(pixels + y * width, pixels, width);
    memset(drawing->sum, 0, (size_t)drawing->columns * sizeof *drawing->sum);
    memset(drawing->count, 0, (size_t)drawing->columns * sizeof *drawing->count);
}

void mass_raster_rows(mass_drawing *drawing, int64_t rows, const double *values)
{
    for (; rows > 0 && drawing->row < drawing->height; rows--) {
        add_row(drawing, values);
        values += drawing->width;
        drawing->row++;
        if (drawing->row % drawing->shrink == 0 || drawing->row == drawing->height) finish_blocks(drawing);
    }
}

void mass_raster_spot(mass_drawing *drawing, int64_t x, int64_t y, uint8_t index)
{
    const int32_t grow = drawing->grow, margin = grow / 4, width = drawing->raster.width;
    const size_t left = (size_t)(x / drawing->shrink * grow + margin), side = (size_t)(grow - 2 * margin);
    const size_t top = (size_t)(y / drawing->shrink * grow + margin);
    for (size_t row = top; row < top + side; row++)
        for (size_t column = left; column < left + side; column++) {
            uint8_t *pixel = &drawing->raster.index[row * (size_t)width + column];
            if (*pixel < index) *pixel = index;
        }
}

void mass_raster_end(mass_drawing *drawing, mass_raster *out)
{
    if (out) {
        if (drawing->row < drawing->height && drawing->row % drawing->shrink != 0) finish_blocks(drawing);
        *out = drawing->raster;
    } else {
        mass_raster_free(&drawing->raster);
    }
    free(drawing->sum);
    free(drawing->count);
    free(drawing);
}

void mass_raster_free(mass_raster *raster)
{
    free(raster->index);
    *raster = (mass_raster){0};
}

/* ---- where a picture may be written ---- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "." or the part of path before its last slash, slash included. The caller frees it. */
static char *folder_of(const char *path)
{
    size_t length = (size_t)(file_name(path) - path);
    return length == 0 ? strdup(".") : strndup(path, length);
}

static bool ends_in(const char *name, const char *extension)
{
    size_t length = strlen(name), end = strlen(extension);
    return length > end && strcasecmp(name + length - end, extension) == 0;
}

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
    return mass_error_set(error, MASS_BAD_USAGE, "%s %s is there, and not a picture that this version wrote: "
                          "give another name, or --force to replace it", kind, path);
}

mass_status mass_image_check(const char *path, bool force, mass_error *error)
{
    return mass_image_check_path(path, "image", ".png", force, error);
}

/* ---- whose a picture is ---- */

/* Length, "tEXt", "Software", a zero byte, the name, and the CRC of these. */
const unsigned char mass_png_mark[MASS_PNG_MARK_BYTES] = "\0\0\0\x14tEXtSoftware\0mass-engine\xc7\x11\x6e\xc2";

bool mass_image_is_ours(const char *path)
{
    static const char png[] = "\211PNG\r\n\032\n", gif[] = "GIF89a", comment[] = "\x21\xfe\x0b" MASS_IMAGE_SOFTWARE;
    char bytes[4096]; /* a palette, and what stands beside it */
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return false;
    ssize_t got = fstat(file, &about) == 0 ? S_ISREG(about.st_mode) : -1;
    if (got > 0) got = pread(file, bytes, sizeof bytes, 0);
    const int cause = errno;
    close(file);
    errno = got < 0 ? cause : EEXIST;
    const size_t size = got > 0 ? (size_t)got : 0;
    if (size > sizeof png && memcmp(bytes, png, sizeof png - 1) == 0)
        return memmem(bytes, size, mass_png_mark, sizeof mass_png_mark);
    return size > sizeof gif && memcmp(bytes, gif, sizeof gif - 1) == 0 &&
           memmem(bytes, size, comment, sizeof comment - 1);
}

bool mass_image_may_replace(const void *force, const char *path)
{
    return *(const bool *)force || mass_image_is_ours(path);
}

/* ---- files that appear whole ---- */

static void free_names(mass_image_file *file)
{
    free(file->path);
    *file = (mass_image_file){.temporary.file = -1};
}

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
    const int stream = fcntl(file->temporary.file, F_DUPFD_CLOEXEC, 0); /* the other one keeps the lock */
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

static mass_status commit_failed(const mass_image_file *file, mass_error *error)
{
    if (file->cause != EEXIST) return mass_image_file_failed(file, error);
    return mass_error_set(error, MASS_FAILED, "cannot write %s: another file has come there, and stays", file->path);
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

/* libpng's own would print. */
static void png_fail(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void png_warn(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void png_put(png_structp png, png_bytep bytes, size_t size)
{
    if (!mass_image_file_write(png_get_io_ptr(png), bytes, size)) png_error(png, "write");
}

static void png_flush_nothing(png_structp png)
{
    (void)png;
}

static void to_png_colours(const mass_palette *palette, png_color colours[256])
{
    for (int i = 0; i < 256; i++) {
        uint32_t rgb = palette->rgb[i];
        colours[i] = (png_color){(png_byte)(rgb >> 16), (png_byte)(rgb >> 8), (png_byte)rgb};
    }
}

/* False if libpng failed. It leaves by longjmp, hence a function that owns nothing. */
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
