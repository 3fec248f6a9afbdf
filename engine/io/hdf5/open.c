/* SPDX-License-Identifier: Apache-2.0 */
/* Opens HDF5 files and objects in them, and refuses what is not as open.h says.
 *
 * Functions that return hid_t return an object that the caller closes; on failure a negative number, with the library's
 * reason. */
#include "io/hdf5/open.h"

#include "io/hdf5/driver.h"
#include "io/hdf5/library.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_DESCRIPTOR = 5, NAME_MOST = 1000 }; /* a subprocess uses the descriptors below */
enum { LINK_MOST = 4096, LINKS_MOST = 16 }; /* most bytes of a soft link's path; most soft links to an object */

/* ---- the file ---- */

/* Sets MASS_BAD_INPUT: path, fault and, unless NULL, remedy. */
static mass_status refuse(const char *path, const char *what, const char *remedy, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_INPUT, "%s %s%s%s", path, what, remedy ? ": " : "", remedy ? remedy : "");
}

/* Sets the error for a file that the system could not read, MASS_BAD_INPUT unless the cause has its own status. */
static mass_status cannot_read(const char *path, int cause, mass_error *error)
{
    return mass_error_unread(error, MASS_BAD_INPUT, path, cause);
}

/* Reads as pread does, but returns fewer bytes only at the end of the file. */
static ssize_t read_at(int file, char *bytes, size_t size, uint64_t at)
{
    size_t done = 0;
    for (ssize_t got; done < size; done += (size_t)got) {
        got = pread(file, bytes + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR) got = 0;
        else if (got < 0) return -1;
        else if (got == 0) break;
    }
    return (ssize_t)done;
}

/* Returns true if the file has HDF5's signature: at the start, or after another program's block of 512 bytes, or of
 * twice, four times... as many. False with errno 0 if it has none, else the reason why it cannot be read. */
static bool has_signature(int file, uint64_t size, mass_hdf5_origin origin)
{
    static const char signature[8] = "\211HDF\r\n\032\n";
    char bytes[8];
    for (uint64_t at = 0; at < size; at = at ? 2 * at : 512) {
        const ssize_t got = read_at(file, bytes, sizeof bytes, at);
        if (got < 0) return false;
        if (got == sizeof bytes && memcmp(bytes, signature, sizeof bytes) == 0) return true;
        if (origin == MASS_HDF5_OURS) break;
    }
    errno = 0;
    return false;
}

mass_status mass_hdf5_adopt(int file, const char *path, mass_hdf5_origin origin, const char *remedy,
                            mass_hdf5_source *out, mass_error *error)
{
    struct stat facts;
    mass_status status = MASS_OK;
    *out = (mass_hdf5_source){0};
    if (fstat(file, &facts) != 0)
        status = cannot_read(path, errno, error);
    else if (!S_ISREG(facts.st_mode))
        status = mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: it is not a regular file", path);
    else if (!has_signature(file, (uint64_t)facts.st_size, origin))
        status = errno ? cannot_read(path, errno, error)
                       : refuse(path, "is not an HDF5 file that can be read", remedy, error);
    if (status == MASS_OK) *out = (mass_hdf5_source){path, file, (uint64_t)facts.st_size, origin, false};
    else if (file >= 0) close(file);
    return status;
}

mass_status mass_hdf5_find(const char *path, mass_hdf5_origin origin, const char *remedy, mass_hdf5_source *out,
                           mass_error *error)
{
    /* without O_NONBLOCK, opening a named pipe would wait for a writer */
    const int found = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int file = found < 0 ? -1 : fcntl(found, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR), cause = errno;
    if (found >= 0) close(found);
    *out = (mass_hdf5_source){0};
    if (file < 0) return cannot_read(path, cause, error);
    return mass_hdf5_adopt(file, path, origin, remedy, out, error);
}

void mass_hdf5_close_source(mass_hdf5_source *s)
{
    if (s->file > 0) close(s->file);
    *s = (mass_hdf5_source){0};
}

/* ---- objects ---- */

/* Fails with a reason, in the way of the library. Returns -1. */
static hid_t fail(const char *why)
{
    H5Eclear2(H5E_DEFAULT);
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_LINK, H5E_BADVALUE, "%s", why);
    return -1;
}

/* Fails with the library's last reason, and closes the object, which would clear that reason. */
static hid_t fail_and_close(hid_t object)
{
    char reason[200];
    const bool memory = mass_hdf5_lacks_memory();
    mass_hdf5_reason(reason);
    if (object >= 0) H5Idec_ref(object);
    fail(reason);
    if (memory)
        H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE, "no memory");
    return -1;
}

/* Returns true if nothing precedes the signature and objects share no messages, as in this program's files. */
static bool is_framed_as_ours(hid_t file)
{
    hsize_t before = 1;
    unsigned shared = 1;
    const hid_t list = H5Fget_create_plist(file);
    const bool same = list >= 0 && H5Pget_userblock(list, &before) >= 0 && before == 0 &&
                      H5Pget_shared_mesg_nindexes(list, &shared) >= 0 && shared == 0;
    if (list >= 0) H5Pclose(list);
    return same;
}

int64_t mass_hdf5_open(const mass_hdf5_source *s)
{
    mass_hdf5_start();
    mass_hdf5_begin_reading();
    const hid_t access = mass_hdf5_descriptor_access(s->file), file = H5Fopen(s->path, H5F_ACC_RDONLY, access);
    if (file < 0) return fail_and_close(access);
    H5Pclose(access);
    if (s->origin == MASS_HDF5_FOREIGN || is_framed_as_ours(file)) return file;
    H5Fclose(file);
    return fail("it is not laid out as it was written");
}

int64_t mass_hdf5_open_to_append(const char *path)
{
    mass_hdf5_start();
    const hid_t access = mass_hdf5_file_access(), file = H5Fopen(path, H5F_ACC_RDWR, access);
    if (file < 0) return fail_and_close(access);
    H5Pclose(access);
    return file;
}

#if H5_VERSION_GE(1, 12, 0)
typedef H5O_token_t place;
#define place_of_link u.token
#define place_of_object token
#define open_place H5Oopen_by_token
#else
typedef haddr_t place;
#define place_of_link u.address
#define place_of_object addr
#define open_place H5Oopen_by_addr
#endif
_Static_assert(sizeof(place) <= sizeof(mass_hdf5_place), "a place has room");

/* Opens an object of any kind at its place, unchecked. */
static hid_t open_at(hid_t file, const mass_hdf5_place *at)
{
    place p;
    memcpy(&p, at->bytes, sizeof p);
    return open_place(file, p);
}

bool mass_hdf5_find_place(int64_t object, mass_hdf5_place *out)
{
    H5O_info_t info;
#if H5_VERSION_GE(1, 12, 0)
    if (H5Oget_info(object, &info, H5O_INFO_BASIC) < 0) return false;
#else
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0) return false;
#endif
    *out = (mass_hdf5_place){{0}};
    memcpy(out->bytes, &info.place_of_object, sizeof(place));
    return true;
}

/* Opens the object of a path of names, one name after another. */
static hid_t walk_to(hid_t at, const char *path, mass_hdf5_origin origin, int *links);

/* Follows a soft link, from the file's root or from `at`. Takes one from *links. Returns a negative number if none
 * is left, or if the path leads nowhere. */
static hid_t follow(hid_t at, const char *name, size_t size, mass_hdf5_origin origin, int *links)
{
    char path[LINK_MOST] = "";
    if (--*links < 0) return fail("its soft links lead in a circle, or to too many others");
    if (size >= sizeof path || H5Lget_val(at, name, path, sizeof path, H5P_DEFAULT) < 0)
        return fail("the path of a soft link is too long");
    if (path[0] != '/') return walk_to(at, path, origin, links);
    const hid_t file = H5Iget_file_id(at), found = file < 0 ? -1 : walk_to(file, path, origin, links);
    if (found < 0) return fail_and_close(file);
    H5Idec_ref(file);
    return found;
}

/* Opens the object of one name. Follows a soft link in foreign files only, and no link to another file. Returns a
 * negative number if it cannot. */
static hid_t step_to(hid_t at, const char *name, mass_hdf5_origin origin, int *links)
{
    H5L_info_t info;
    if (H5Lget_info(at, name, &info, H5P_DEFAULT) < 0) return fail("there is no such object");
    if (info.type == H5L_TYPE_HARD) return open_place(at, info.place_of_link);
    if (info.type == H5L_TYPE_EXTERNAL) return fail("it is a link to another file");
    if (info.type != H5L_TYPE_SOFT) return fail("it is a link of an unknown kind");
    if (origin != MASS_HDF5_FOREIGN) return fail("it is a soft link, which this program does not write");
    return follow(at, name, info.u.val_size, origin, links);
}

/* Opens an object by its path from `at`, link by link, and returns its identifier, which the caller closes. Returns a
 * negative one if a link is missing or not allowed in a file of this origin. *links counts the links, so that circles
 * end. */
static hid_t walk_to(hid_t at, const char *path, mass_hdf5_origin origin, int *links)
{
    hid_t here = -1;
    for (const char *next = path + strspn(path, "/"); *next; next += strspn(next, "/")) {
        char name[NAME_MOST];
        const size_t length = strcspn(next, "/");
        if (length >= sizeof name) {
            if (here >= 0) H5Oclose(here);
            return fail("its name is too long");
        }
        memcpy(name, next, length);
        name[length] = '\0';
        next += length;
        if (strcmp(name, ".") == 0) continue;
        const hid_t found = step_to(here < 0 ? at : here, name, origin, links);
        if (found < 0) return fail_and_close(here);
        if (here >= 0) H5Oclose(here);
        here = found;
    }
    return here >= 0 ? here : H5Oopen(at, path[0] == '.' ? "." : "/", H5P_DEFAULT);
}

/* Opens an object of any kind by path, through at most LINKS_MOST soft links. Only FOREIGN files may have them. */
static hid_t walk(hid_t at, const char *path, mass_hdf5_origin origin)
{
    int links = LINKS_MOST;
    return walk_to(at, path, origin, &links);
}

/* Returns `found` if it is a group; else closes it and fails. */
static hid_t as_group(hid_t found)
{
    if (found < 0 || H5Iget_type(found) == H5I_GROUP) return found;
    H5Oclose(found);
    return fail("it is not a group");
}

int64_t mass_hdf5_group(int64_t at, const char *path) { return as_group(walk(at, path, MASS_HDF5_OURS)); }
int64_t mass_hdf5_group_at(int64_t file, const mass_hdf5_place *at) { return as_group(open_at(file, at)); }

/* Returns true if the creation list has chunks and one filter, checksums, that is not optional. */
static bool is_packed_by_ours(hid_t list)
{
    unsigned flags = 0, settings;
    size_t no_values = 0;
    return H5Pget_layout(list) == H5D_CHUNKED && H5Pget_nfilters(list) == 1 &&
           H5Pget_filter2(list, 0, &flags, &no_values, NULL, 0, NULL, &settings) == H5Z_FILTER_FLETCHER32 &&
           !(flags & H5Z_FLAG_OPTIONAL);
}

/* Returns true for the filters that are accepted. The library's other decoders are not trusted with hostile files. */
static bool is_read(H5Z_filter_t filter)
{
    return filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32;
}

static const char by_filter[] = "it is packed by the filter ";

bool mass_hdf5_is_by_filter(const char *reason) { return strncmp(reason, by_filter, sizeof by_filter - 1) == 0; }

/* Returns a message on the first filter that is not accepted; or NULL. The next call overwrites it. */
static const char *other_filter(hid_t list)
{
    static char text[200];
    const int filters = H5Pget_nfilters(list);
    if (filters < 0) return "it does not say by which filters it is packed";
    for (int i = 0; i < filters; i++) {
        unsigned flags, settings;
        size_t no_values = 0;
        char name[40] = "";
        const H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &no_values, NULL, sizeof name, name,
                                                   &settings);
        if (is_read(filter)) continue;
        if (filter < 0) return "it does not say by which filter it is packed";
        name[sizeof name - 1] = '\0';
        snprintf(text, sizeof text, "%s%d%s%s%s, and deflate, shuffle and fletcher32 are read: h5repack -f GZIP=4 OLD "
                 "NEW makes such a file", by_filter, (int)filter, name[0] ? " (" : "", name, name[0] ? ")" : "");
        return text;
    }
    return NULL;
}

/* Returns true if the data set's type is not shared with other objects. */
static bool has_own_type(hid_t set)
{
    const hid_t type = H5Dget_type(set);
    const bool own = type >= 0 && H5Tcommitted(type) == 0;
    if (type >= 0) H5Tclose(type);
    return own;
}

/* Returns true if a chunk is larger than a file of this size can pack. HDF5 holds whole chunks in memory. */
static bool has_huge_chunks(hid_t set, hid_t list)
{
    hsize_t chunk[H5S_MAX_RANK], file_bytes = 0;
    const hid_t type = H5Dget_type(set), file = H5Iget_file_id(set);
    const int rank = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
    hsize_t bytes = H5Tget_size(type);
    bool huge = rank < 0 || H5Fget_filesize(file, &file_bytes) < 0;
    for (int i = 0; !huge && i < rank; i++) huge = __builtin_mul_overflow(bytes, chunk[i], &bytes);
    H5Fclose(file);
    H5Tclose(type);
    return huge || bytes / MASS_HDF5_PACKED_MOST > file_bytes;
}

/* Returns true if no chunk is stored: the whole set then reads as the fill value, and nothing is unpacked. */
static bool is_unwritten(hid_t set, mass_hdf5_origin origin)
{
    return origin == MASS_HDF5_FOREIGN && H5Dget_storage_size(set) == 0;
}

/* Returns why a data set is refused, or NULL. Does not ask for extents: for a virtual set, that would open files. */
static const char *fault_of(hid_t set, mass_hdf5_origin origin)
{
    const hid_t list = H5Dget_create_plist(set);
    const char *fault = NULL;
    if (list < 0) return "it does not say how it is stored";
    const H5D_layout_t layout = H5Pget_layout(list);
    if (layout < 0 || layout == H5D_VIRTUAL || H5Pget_external_count(list) != 0) fault = "it is kept in another file";
    else if (origin == MASS_HDF5_OURS && !is_packed_by_ours(list)) fault = "it is not stored in chunks with checksums";
    else if ((fault = other_filter(list))) {}
    else if (layout == H5D_CHUNKED && !is_unwritten(set, origin) && has_huge_chunks(set, list))
        fault = "its chunks are larger than its file";
    H5Pclose(list);
    if (!fault && origin == MASS_HDF5_OURS && !has_own_type(set)) fault = "its type is not its own";
    return fault;
}

/* Returns `found` if it is a data set that is accepted; else closes it and fails. */
static hid_t as_set(hid_t found, mass_hdf5_origin origin)
{
    if (found < 0) return -1;
    const char *fault = H5Iget_type(found) == H5I_DATASET ? fault_of(found, origin) : "it is not a data set";
    if (!fault) return found;
    H5Oclose(found);
    return fail(fault);
}

int64_t mass_hdf5_set(int64_t at, const char *path, mass_hdf5_origin origin)
{
    return as_set(walk(at, path, origin), origin);
}

int64_t mass_hdf5_set_at(int64_t file, const mass_hdf5_place *at, mass_hdf5_origin origin)
{
    return as_set(open_at(file, at), origin);
}

int64_t mass_hdf5_virtual_set(int64_t at, const char *path)
{
    const hid_t found = walk(at, path, MASS_HDF5_OURS);
    if (found < 0) return -1;
    const hid_t list = H5Iget_type(found) == H5I_DATASET ? H5Dget_create_plist(found) : -1;
    const bool same = list >= 0 && H5Pget_layout(list) == H5D_VIRTUAL && has_own_type(found);
    if (list >= 0) H5Pclose(list);
    if (same) return found;
    H5Oclose(found);
    return fail("it is not a virtual data set");
}

/* ---- the library ---- */

/* Sets *lacks if an entry of the error stack is a lack of memory. Visits all entries. */
static herr_t look_for_memory(unsigned n, const H5E_error2_t *entry, void *lacks)
{
    (void)n;
    if (entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE) *(bool *)lacks = true;
    return 0;
}

bool mass_hdf5_lacks_memory(void)
{
    bool lacks = false;
    const int saved = errno;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_for_memory, &lacks);
    errno = saved;
    return lacks;
}

void mass_hdf5_begin_reading(void)
{
    mass_hdf5_take_read_error();
    errno = 0;
    H5Eclear2(H5E_DEFAULT);
}

/* If memory is short, the library often gives another reason, or only reports that an object is missing. But a failed
 * allocation sets errno, and the calls after it do not change that. */
bool mass_hdf5_is_hindered(const char *path, mass_error *error)
{
    const bool memory = errno == ENOMEM || mass_hdf5_lacks_memory() || mass_hdf5_start_failed();
    const int read = mass_hdf5_take_read_error();
    if (!memory && read == 0) return false;
    if (error->status != MASS_OK) return true;
    error->obstacle = read ? read : ENOMEM;
    if (read) mass_error_set(error, MASS_FAILED, "%s cannot be checked: %s", path, strerror(read));
    else mass_error_set(error, MASS_NO_DEVICE, "%s cannot be checked: there is not the memory to read it", path);
    return true;
}

bool mass_hdf5_doubts(const mass_hdf5_source *s, const char *what, mass_error *error)
{
    if (!s->whole) return false;
    mass_error_set(error, MASS_FAILED, "%s cannot be checked: it was whole a moment ago, and now %s: check that there "
                   "is enough memory, and that no other program writes to it", s->path, what);
    return true;
}

void mass_hdf5_version(char text[32])
{
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    snprintf(text, 32, "%u.%u.%u", major, minor, release);
}
