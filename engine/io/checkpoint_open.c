/* Opening what may be damaged or hostile: every type, rank, extent and size is compared with what a
 * checkpoint has to have before memory is asked for or data is read. */
#include "io/checkpoint_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OBJECTS_MAX = 4096, MEMBERS_MAX = 1024, TEXT_OF_CHOICE_MAX = 4096 };

/* ---- refusals: all return false ---- */

bool mass_reader_damaged(mass_reader *r, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    mass_error_set(r->error, MASS_BAD_INPUT, "%s is damaged: %s: take an older checkpoint",
                   r->c->path, what);
    return false;
}

bool mass_reader_unreadable(mass_reader *r, const char *what)
{
    char reason[200];
    return mass_reader_damaged(r, "%s cannot be read (%s)", what, mass_checkpoint_reason(reason));
}

/* A declaration that the model's own checks refuse. */
static bool refused(mass_reader *r, const mass_error *why) { return mass_reader_damaged(r, "%s", why->text); }

bool mass_reader_no_memory(mass_reader *r, size_t bytes)
{
    mass_error_memory(r->error, bytes, "a checkpoint");
    return false;
}

/* ---- HDF5 attributes ---- */

/* Reads one value (extent 0) or a row of them, stored in exactly this type. */
static bool read_values(mass_reader *r, hid_t at, const char *name, hid_t type, hsize_t extent,
                        void *out)
{
    hsize_t stored_extent = 0;
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return mass_reader_damaged(r, "it has no '%s'", name);
    const hid_t stored = H5Aget_type(a), space = H5Aget_space(a);
    bool fits = H5Tequal(stored, type) > 0;
    if (extent == 0)
        fits = fits && H5Sget_simple_extent_type(space) == H5S_SCALAR;
    else
        fits = fits && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
               H5Sget_simple_extent_ndims(space) == 1 &&
               H5Sget_simple_extent_dims(space, &stored_extent, NULL) == 1 &&
               stored_extent == extent;
    if (fits && H5Aread(a, type, out) < 0)
        fits = mass_reader_unreadable(r, name);
    else if (!fits)
        mass_reader_damaged(r, "'%s' has another type or extent", name);
    H5Sclose(space);
    H5Tclose(stored);
    H5Aclose(a);
    return fits;
}

static bool read_u64(mass_reader *r, hid_t at, const char *name, uint64_t most, uint64_t *out)
{
    if (!read_values(r, at, name, H5T_STD_U64LE, 0, out)) return false;
    return *out <= most || mass_reader_damaged(r, "'%s' is %" PRIu64 ", beyond %" PRIu64, name, *out, most);
}

/* Reads a fixed-length text of at most room - 1 bytes. */
static bool read_text(mass_reader *r, hid_t at, const char *name, char *out, size_t room)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return mass_reader_damaged(r, "it has no '%s'", name);
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    const size_t size =
        H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
    bool fits = size >= 1 && size <= room && H5Tget_strpad(type) == H5T_STR_NULLTERM &&
                H5Sget_simple_extent_type(space) == H5S_SCALAR;
    if (fits && H5Aread(a, type, out) < 0)
        fits = mass_reader_unreadable(r, name);
    else if (!fits || out[size - 1] != '\0')
        fits = mass_reader_damaged(r, "'%s' is no text of this length", name);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    return fits;
}

static bool read_hash(mass_reader *r, hid_t at, const char *name, char hex[33])
{
    if (!read_text(r, at, name, hex, 33)) return false;
    return strspn(hex, "0123456789abcdef") == 32 || mass_reader_damaged(r, "'%s' is no hash", name);
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* ---- names ---- */

/* A group's links, or a group's HDF5 attributes, in the order of their names. */
typedef struct name_list {
    char (*names)[MASS_NAME_SIZE + 8];
    uint32_t count;
    const char *fault;
} name_list;

static bool add_name(name_list *list, const char *name)
{
    if (list->count == OBJECTS_MAX)
        list->fault = "it holds too many objects";
    else if (strlen(name) >= sizeof *list->names)
        list->fault = "the name of an object is too long";
    if (list->fault) return false;
    void *larger = realloc(list->names, (list->count + 1) * sizeof *list->names);
    if (!larger) {
        list->fault = "there is no memory for its names";
        return false;
    }
    list->names = larger;
    snprintf(list->names[list->count++], sizeof *list->names, "%s", name);
    return true;
}

static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *list)
{
    (void)group;
    name_list *names = list;
    if (info->type != H5L_TYPE_HARD) names->fault = "it holds a link out of its place";
    return !names->fault && add_name(names, name) ? 0 : -1;
}

static herr_t take_attribute(hid_t group, const char *name, const H5A_info_t *info, void *list)
{
    (void)group, (void)info;
    return add_name(list, name) ? 0 : -1;
}

static bool list_links(mass_reader *r, hid_t group, name_list *out)
{
    *out = (name_list){0};
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_link, out) >= 0) return true;
    return out->fault ? mass_reader_damaged(r, "%s", out->fault) : mass_reader_unreadable(r, "a group");
}

static bool list_attributes(mass_reader *r, hid_t group, name_list *out)
{
    *out = (name_list){0};
    if (H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_attribute, out) >= 0) return true;
    return out->fault ? mass_reader_damaged(r, "%s", out->fault) : mass_reader_unreadable(r, "a group");
}

/* Does `each` to every link of a group of the root, or of a group in it. */
static bool walk(mass_reader *r, hid_t at, const char *name, bool (*each)(mass_reader *, hid_t, const char *))
{
    const hid_t group = H5Gopen2(at, name, H5P_DEFAULT);
    if (group < 0) return mass_reader_damaged(r, "it has no group '%s'", name);
    name_list list;
    bool good = list_links(r, group, &list);
    for (uint32_t i = 0; good && i < list.count; i++) good = each(r, group, list.names[i]);
    free(list.names);
    H5Gclose(group);
    return good;
}

/* ---- data sets ---- */

/* All chunks are there, no larger than what they hold with its checksum, and inside the file. A set without
 * elements has a chunk size all the same, and no chunks. */
static bool check_storage(mass_reader *r, hid_t set, hid_t list, const mass_checkpoint_shape *s,
                          size_t component_size, const char *name)
{
    hsize_t chunk[H5S_MAX_RANK];
    uint64_t bytes = component_size, chunk_bytes = component_size, chunks = 1, stored;
    bool good = H5Pget_chunk(list, H5S_MAX_RANK, chunk) == s->rank;
    for (int i = 0; good && i < s->rank; i++) {
        good = chunk[i] > 0 && (chunk[i] <= s->extent[i] || s->extent[i] == 0) &&
               !__builtin_mul_overflow(chunk_bytes, chunk[i], &chunk_bytes) &&
               chunk_bytes <= MASS_READER_BOX_BYTES && !__builtin_mul_overflow(bytes, s->extent[i], &bytes) &&
               bytes <= r->c->file_size;
        if (good) chunks *= (s->extent[i] + chunk[i] - 1) / chunk[i];
    }
    good = good && !__builtin_mul_overflow(chunks, chunk_bytes + sizeof(uint32_t), &stored) &&
           stored <= r->c->file_size && H5Dget_storage_size(set) == stored;
    return good || mass_reader_damaged(r, "'%s' is not stored whole", name);
}

static bool check_layout(mass_reader *r, hid_t set, const mass_checkpoint_shape *s,
                         size_t component_size, const char *name)
{
    const hid_t list = H5Dget_create_plist(set);
    unsigned flags = 0, settings = 0;
    size_t no_values = 0;
    bool good = H5Pget_layout(list) == H5D_CHUNKED && H5Pget_external_count(list) == 0 &&
                H5Pget_nfilters(list) == 1 &&
                H5Pget_filter2(list, 0, &flags, &no_values, NULL, 0, NULL, &settings) ==
                    H5Z_FILTER_FLETCHER32 &&
                !(flags & H5Z_FLAG_OPTIONAL);
    if (!good)
        mass_reader_damaged(r, "'%s' is not stored in chunks with checksums", name);
    else
        good = check_storage(r, set, list, s, component_size, name);
    H5Pclose(list);
    return good;
}

static bool check_extents(mass_reader *r, hid_t set, const mass_checkpoint_shape *s, const char *name)
{
    hsize_t extent[H5S_MAX_RANK], most[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(set);
    bool good = H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                H5Sget_simple_extent_ndims(space) == s->rank &&
                H5Sget_simple_extent_dims(space, extent, most) == s->rank;
    for (int i = 0; good && i < s->rank; i++)
        good = extent[i] == s->extent[i] && most[i] == extent[i];
    H5Sclose(space);
    return good || mass_reader_damaged(r, "'%s' has other extents than its space or population", name);
}

static bool check_type(mass_reader *r, hid_t set, hid_t type, const char *name)
{
    const hid_t stored = H5Dget_type(set);
    const bool good = H5Tequal(stored, type) > 0;
    H5Tclose(stored);
    return good || mass_reader_damaged(r, "'%s' has another type than it says", name);
}

static bool check_attribute(mass_reader *r, hid_t set, const mass_attribute_def *a)
{
    const mass_checkpoint_shape shape =
        mass_checkpoint_attribute_shape(&r->c->model, a, r->c->worlds, r->c->agents);
    const hid_t type = mass_checkpoint_component_type(a);
    const bool good = check_type(r, set, type, a->name) && check_extents(r, set, &shape, a->name) &&
                      check_layout(r, set, &shape, a->component_size, a->name);
    H5Tclose(type);
    return good;
}

/* ---- what is declared ---- */

static uint32_t number_of(hid_t type)
{
    for (uint32_t t = MASS_I8; t <= MASS_F64; t++)
        if (H5Tequal(type, mass_checkpoint_number_type(t)) > 0) return t;
    return MASS_TYPE_NONE;
}

/* Reads the members of a compound type; their names are the caller's to free with H5free_memory. */
static int read_members(hid_t type, mass_member members[MEMBERS_MAX])
{
    const int count = H5Tget_nmembers(type);
    if (count < 1 || count > MEMBERS_MAX) return 0;
    for (int i = 0; i < count; i++) {
        const hid_t member = H5Tget_member_type(type, (unsigned)i);
        members[i].name = H5Tget_member_name(type, (unsigned)i);
        members[i].type = number_of(member);
        members[i].offset = (uint32_t)H5Tget_member_offset(type, (unsigned)i);
        H5Tclose(member);
    }
    return count;
}

/* Adds to the model an attribute of the data set's own type, of the newest space or of a population;
 * check_attribute then holds the set to all of what the model says. */
static bool declare_attribute(mass_reader *r, hid_t set, const char *name, int population, uint32_t length)
{
    mass_model *m = &r->c->model;
    mass_error why = {0};
    mass_member *members = calloc(MEMBERS_MAX, sizeof *members);
    if (!members) return mass_reader_no_memory(r, MEMBERS_MAX * sizeof *members);
    const hid_t type = H5Dget_type(set);
    mass_attribute a = {.struct_size = sizeof a,
                        .name = name,
                        .space = m->spaces[m->space_count - 1].name,
                        .population = population < 0 ? NULL : m->populations[population].name,
                        .length = length,
                        .type = number_of(type)};
    if (H5Tget_class(type) == H5T_COMPOUND && H5Tget_size(type) <= MEMBERS_MAX * sizeof(uint64_t)) {
        a.type = MASS_STRUCT;
        a.element_size = (uint32_t)H5Tget_size(type);
        a.member_count = (uint32_t)read_members(type, members);
        a.members = members;
    }
    const bool good = mass_model_add_attribute(m, &a, &why) == MASS_OK || refused(r, &why);
    for (uint32_t i = 0; i < a.member_count; i++) H5free_memory((void *)members[i].name);
    free(members);
    H5Tclose(type);
    return good;
}

static bool keep_hash(mass_reader *r, hid_t set, uint32_t attribute)
{
    const size_t count = r->c->model.attribute_count;
    uint8_t(*hashes)[16] = realloc(r->c->hashes, count * sizeof *hashes);
    char hex[33];
    if (!hashes) return mass_reader_no_memory(r, count * sizeof *hashes);
    r->c->hashes = hashes;
    if (!read_hash(r, set, "hash", hex)) return false;
    for (int i = 0; i < 16; i++)
        hashes[attribute][i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return true;
}

/* Holds a data set to an attribute that is declared. */
static bool accept_attribute(mass_reader *r, hid_t set, uint32_t attribute, const char *mass_type, uint64_t length)
{
    const mass_attribute_def *a = &r->c->model.attributes[attribute];
    if (strcmp(mass_type, mass_type_name(a->type)) != 0)
        return mass_reader_damaged(r, "'%s' is not of type %s", a->name, mass_type);
    if (length != a->length)
        return mass_reader_damaged(r, "'%s' has %" PRIu64 " components", a->name, length);
    return check_attribute(r, set, a) && keep_hash(r, set, attribute);
}

/* Of the newest space, or of a population, which has some attributes before they are found. */
static bool open_owned(mass_reader *r, hid_t group, const char *name, int population)
{
    const mass_model *m = &r->c->model;
    uint64_t length = 0;
    char type[16];
    if (m->attribute_count >= OBJECTS_MAX)
        return mass_reader_damaged(r, "it holds too many attributes");
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return mass_reader_unreadable(r, name);
    bool good = read_u64(r, set, "length", MASS_LENGTH_MAX, &length) &&
                read_text(r, set, "mass_type", type, 16);
    if (good && length == 0) good = mass_reader_damaged(r, "'%s' has no components", name);
    int known = population < 0 ? -1 : mass_model_find_agent_attribute(m, (uint32_t)population, name);
    if (good && known < 0) {
        good = declare_attribute(r, set, name, population, (uint32_t)length);
        known = (int)m->attribute_count - 1;
    }
    good = good && accept_attribute(r, set, (uint32_t)known, type, length);
    H5Dclose(set);
    return good;
}

static bool open_attribute(mass_reader *r, hid_t group, const char *name) { return open_owned(r, group, name, -1); }

static bool open_agent_attribute(mass_reader *r, hid_t group, const char *name)
{
    return open_owned(r, group, name, (int)r->c->model.population_count - 1);
}

static bool declare_space(mass_reader *r, hid_t group, const char *name)
{
    uint64_t dimensions, torus;
    mass_space s = {.struct_size = sizeof s, .name = name};
    mass_error why = {0};
    if (!read_u64(r, group, "dimensions", 3, &dimensions)) return false;
    if (dimensions == 0) return mass_reader_damaged(r, "space '%s' has no dimensions", name);
    if (!read_values(r, group, "size", H5T_STD_I64LE, dimensions, s.size)) return false;
    if (!read_u64(r, group, "torus", (1u << dimensions) - 1, &torus)) return false;
    s.dimensions_min = s.dimensions_max = (uint32_t)dimensions;
    s.torus = (uint32_t)torus;
    return mass_model_add_space(&r->c->model, &s, s.size, s.dimensions_min, &why) == MASS_OK ||
           refused(r, &why);
}

static bool open_space(mass_reader *r, hid_t places, const char *name)
{
    const hid_t group = H5Gopen2(places, name, H5P_DEFAULT);
    if (group < 0) return mass_reader_unreadable(r, name);
    const bool good = declare_space(r, group, name);
    H5Gclose(group);
    return good && walk(r, places, name, open_attribute);
}

/* A population brings along the attributes that every one has, and the tally of its next ids. */
static bool declare_population(mass_reader *r, hid_t group, const char *name)
{
    mass_model *m = &r->c->model;
    uint64_t capacity, agents;
    char space[MASS_NAME_SIZE];
    mass_error why = {0};
    if (!read_text(r, group, "space", space, sizeof space) ||
        !read_u64(r, group, "capacity", UINT32_MAX, &capacity) ||
        !read_u64(r, group, "agents", INT64_MAX / MASS_LENGTH_MAX, &agents))
        return false;
    const mass_population p = {
        .struct_size = sizeof p, .name = name, .space = space, .capacity = (uint32_t)capacity};
    if (mass_model_add_population(m, &p, &why) != MASS_OK) return refused(r, &why);
    r->c->agents[m->population_count - 1] = agents;
    return true;
}

static bool has_all_columns(mass_reader *r, hid_t group)
{
    const mass_model *m = &r->c->model;
    const mass_population_def *p = &m->populations[m->population_count - 1];
    for (uint32_t i = 0; i < MASS_AGENT_COLUMNS; i++)
        if (H5Lexists(group, m->attributes[p->first_attribute + i].name, H5P_DEFAULT) <= 0)
            return mass_reader_damaged(r, "population '%s' has no '%s'", p->name,
                                       m->attributes[p->first_attribute + i].name);
    return true;
}

static bool open_population(mass_reader *r, hid_t agents, const char *name)
{
    const hid_t group = H5Gopen2(agents, name, H5P_DEFAULT);
    if (group < 0) return mass_reader_unreadable(r, name);
    const bool good = declare_population(r, group, name) && walk(r, agents, name, open_agent_attribute) &&
                      has_all_columns(r, group);
    H5Gclose(group);
    return good;
}

static bool open_populations(mass_reader *r)
{
    if (H5Lexists(r->c->file, "agents", H5P_DEFAULT) <= 0) return true;
    return walk(r, r->c->file, "agents", open_population) &&
           (r->c->model.population_count > 0 || mass_reader_damaged(r, "it holds '/agents' and no population"));
}

static bool find_word(const char *word, const char *const *list, uint32_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0) return *out = i, true;
    return false;
}

static bool declare_tally(mass_reader *r, hid_t group, const char *name)
{
    static const char *const ops[] = {"sum", "min", "max"};
    char kind[16], op[16];
    uint64_t fraction_bits, cumulative;
    uint32_t operation = 0;
    mass_tally t = {.struct_size = sizeof t, .name = name};
    mass_error why = {0};
    if (!read_text(r, group, "kind", kind, sizeof kind) ||
        !read_text(r, group, "op", op, sizeof op) ||
        !read_u64(r, group, "fraction_bits", 62, &fraction_bits) ||
        !read_u64(r, group, "cumulative", 1, &cumulative))
        return false;
    if (!find_word(kind, mass_checkpoint_tally_kinds, 3, &t.kind) ||
        !find_word(op, ops, 3, &operation))
        return mass_reader_damaged(r, "tally '%s' is of unknown kind '%s' and '%s'", name, kind, op);
    t.access = MASS_SUM + operation;
    t.fraction_bits = (uint32_t)fraction_bits;
    t.cumulative = (uint32_t)cumulative;
    const int known = mass_model_find_tally(&r->c->model, name);
    if (known >= 0 && r->c->model.tallies[known].hidden)
        return (t.access == MASS_SUM && t.kind == MASS_TALLY_INTEGER && cumulative && !fraction_bits) ||
               mass_reader_damaged(r, "tally '%s' does not count ids", name);
    return mass_model_add_tally(&r->c->model, &t, &why) == MASS_OK || refused(r, &why);
}

static bool check_numbers(mass_reader *r, hid_t group, const char *name, hid_t type)
{
    const mass_checkpoint_shape shape = mass_checkpoint_tally_shape(r->c->worlds);
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return mass_reader_unreadable(r, name);
    const bool good = check_type(r, set, type, name) && check_extents(r, set, &shape, name) &&
                      check_layout(r, set, &shape, sizeof(int64_t), name);
    H5Dclose(set);
    return good;
}

static bool check_tally_part(mass_reader *r, hid_t group, const char *name)
{
    if (strcmp(name, "accumulator") == 0) return check_numbers(r, group, name, H5T_STD_I64LE);
    if (strcmp(name, "value") == 0) return check_numbers(r, group, name, H5T_IEEE_F64LE);
    return mass_reader_damaged(r, "it holds an unknown '%s' of a tally", name);
}

static bool open_tally(mass_reader *r, hid_t tallies, const char *name)
{
    const hid_t group = H5Gopen2(tallies, name, H5P_DEFAULT);
    if (group < 0) return mass_reader_unreadable(r, name);
    bool good = declare_tally(r, group, name);
    good = good && walk(r, tallies, name, check_tally_part);
    if (good && (H5Lexists(group, "value", H5P_DEFAULT) <= 0 ||
                 H5Lexists(group, "accumulator", H5P_DEFAULT) <= 0))
        good = mass_reader_damaged(r, "tally '%s' is not whole", name);
    H5Gclose(group);
    return good;
}

static bool open_tallies(mass_reader *r)
{
    const mass_model *m = &r->c->model;
    if (!walk(r, r->c->file, "tallies", open_tally)) return false;
    for (uint32_t i = 0; i < m->population_count; i++) {
        char name[MASS_NAME_SIZE + 16];
        snprintf(name, sizeof name, "tallies/%s", m->tallies[m->populations[i].next_id].name);
        if (H5Lexists(r->c->file, name, H5P_DEFAULT) <= 0)
            return mass_reader_damaged(r, "it has no '/%s'", name);
    }
    return true;
}

/* ---- parameters ---- */

static bool declare_parameter(mass_reader *r, hid_t group, const char *name, uint32_t type,
                              bool constant)
{
    mass_parameters *list = &r->c->model.parameters;
    mass_parameter p = {
        .struct_size = sizeof p, .name = name, .type = type == MASS_CHOICE ? MASS_TEXT : type};
    mass_error why = {0};
    char *text = NULL;
    bool good;
    if (type == MASS_INTEGER) {
        good = read_values(r, group, name, H5T_STD_I64LE, 0, &p.integer);
    } else if (type == MASS_REAL) {
        good = read_values(r, group, name, H5T_IEEE_F64LE, 0, &p.real);
        if (good && !constant && !isfinite(p.real))
            good = mass_reader_damaged(r, "parameter '%s' is not finite", name);
    } else {
        p.text = text = malloc(MASS_CHECKPOINT_TEXT_MAX + 1);
        good = text ? read_text(r, group, name, text, MASS_CHECKPOINT_TEXT_MAX + 1)
                    : mass_reader_no_memory(r, MASS_CHECKPOINT_TEXT_MAX + 1);
    }
    const mass_constant c = {
        .struct_size = sizeof c, .name = name, .type = type, .integer = p.integer, .real = p.real};
    if (good)
        good = (constant ? mass_parameters_add_constant(list, &c, &why)
                         : mass_parameters_add(list, &p, &why)) == MASS_OK ||
               refused(r, &why);
    free(text);
    return good;
}

/* The number of a choice among those that were met. */
static bool meet_choice(mass_reader *r, mass_parameter_slot *slot, const char *text, uint64_t *out)
{
    for (*out = 0; slot->choices && slot->choices[*out]; ++*out)
        if (strcmp(slot->choices[*out], text) == 0) return true;
    if (*out == MEMBERS_MAX) return mass_reader_damaged(r, "parameter '%s' has too many choices", slot->name);
    char **larger = realloc(slot->choices, (*out + 2) * sizeof *larger);
    if (!larger) return mass_reader_no_memory(r, sizeof *larger);
    slot->choices = larger;
    slot->choices[*out + 1] = NULL;
    slot->choices[*out] = strdup(text);
    return slot->choices[*out] || mass_reader_no_memory(r, strlen(text));
}

static bool take_swept(mass_reader *r, mass_parameter_slot *slot, const char *values, size_t size)
{
    bool good = true;
    for (int32_t w = 0; good && w < r->c->worlds; w++) {
        const char *value = values + (size_t)w * size;
        double real;
        if (slot->type == MASS_CHOICE) {
            good = memchr(value, '\0', size) ? meet_choice(r, slot, value, &slot->swept[w])
                                             : mass_reader_damaged(r, "a choice of '%s' has no end", slot->name);
            continue;
        }
        memcpy(&slot->swept[w], value, sizeof *slot->swept);
        memcpy(&real, value, sizeof real);
        if (slot->type == MASS_REAL && !isfinite(real))
            good = mass_reader_damaged(r, "parameter '%s' is not finite", slot->name);
    }
    return good;
}

/* The values of a set that was checked, in `size` bytes each. */
static bool read_swept_values(mass_reader *r, hid_t set, hid_t type, mass_parameter_slot *slot, size_t size)
{
    const size_t worlds = (size_t)r->c->worlds;
    char hex[33], stored[33], *values = malloc(worlds * size);
    slot->swept = calloc(worlds, sizeof *slot->swept);
    bool good = values && slot->swept ? read_hash(r, set, "hash", stored) : mass_reader_no_memory(r, worlds * size);
    if (good && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        good = mass_reader_unreadable(r, slot->name);
    if (good) mass_checkpoint_hash_bytes(values, worlds * size, hex);
    if (good && strcmp(hex, stored) != 0)
        good = mass_reader_damaged(r, "the values of '%s' are not those written", slot->name);
    good = good && take_swept(r, slot, values, size);
    free(values);
    return good;
}

/* What the worlds have of a parameter, or of a constant. */
static bool open_swept(mass_reader *r, hid_t group, mass_parameter_slot *slot)
{
    if (slot->type == MASS_TEXT) return mass_reader_damaged(r, "'%s' is a text that differs by world", slot->name);
    const hid_t set = H5Dopen2(group, slot->name, H5P_DEFAULT);
    if (set < 0) return mass_reader_damaged(r, "it has no values of '%s' by world", slot->name);
    const hid_t stored = H5Dget_type(set);
    const size_t size = H5Tget_size(stored);
    H5Tclose(stored);
    bool good = (size >= 1 && size <= TEXT_OF_CHOICE_MAX) ||
                mass_reader_damaged(r, "'%s' has another type than it says", slot->name);
    const hid_t type = good ? mass_checkpoint_swept_type(slot->type, size) : -1;
    const mass_checkpoint_shape shape = mass_checkpoint_tally_shape(r->c->worlds);
    good = good && check_type(r, set, type, slot->name) && check_extents(r, set, &shape, slot->name) &&
           check_layout(r, set, &shape, size, slot->name) && read_swept_values(r, set, type, slot, size);
    if (type >= 0) H5Tclose(type);
    H5Dclose(set);
    r->c->model.parameters.worlds = r->c->worlds;
    return good;
}

static bool check_parameter_link(mass_reader *r, hid_t group, const char *name)
{
    (void)group;
    const mass_parameter_slot *slot = mass_parameters_find(&r->c->model.parameters, name);
    return (slot && slot->swept) || mass_reader_damaged(r, "it holds '/parameters/%s', which is not swept", name);
}

/* Takes a last word off a text. */
static bool take_word(char *text, const char *word)
{
    char *last = strrchr(text, ' ');
    if (!last || strcmp(last + 1, word) != 0) return false;
    *last = '\0';
    return true;
}

/* "choice given swept": the type, whether it was given or is a constant, and whether it differs by world. */
static bool open_parameter(mass_reader *r, hid_t group, const char *name)
{
    char key[MASS_NAME_SIZE + 8], kind[32];
    uint32_t type = 0;
    if (!mass_name_valid(name)) return mass_reader_damaged(r, "it holds a parameter of no valid name");
    snprintf(key, sizeof key, "%s.kind", name);
    if (!read_text(r, group, key, kind, sizeof kind)) return false;
    const bool swept = take_word(kind, "swept"), constant = take_word(kind, "constant"),
               given = !constant && take_word(kind, "given");
    if (!find_word(kind, mass_checkpoint_parameter_kinds, 5, &type) || type == 0)
        return mass_reader_damaged(r, "parameter '%s' is of unknown kind", name);
    if (!declare_parameter(r, group, name, type, constant)) return false;
    mass_parameter_slot *slot = &r->c->model.parameters.slots[r->c->model.parameters.count - 1];
    slot->type = type;
    slot->given = given;
    return !swept || open_swept(r, group, slot);
}

static bool open_parameters(mass_reader *r)
{
    const hid_t group = H5Gopen2(r->c->file, "parameters", H5P_DEFAULT);
    if (group < 0) return mass_reader_damaged(r, "it has no group 'parameters'");
    name_list list;
    bool good = list_attributes(r, group, &list);
    for (uint32_t i = 0; good && i < list.count; i++)
        if (!strchr(list.names[i], '.')) good = open_parameter(r, group, list.names[i]);
    free(list.names);
    H5Gclose(group);
    return good && walk(r, r->c->file, "parameters", check_parameter_link);
}

/* ---- the file ---- */

/* A regular file that begins as HDF5 does, before the library sees it. */
static bool check_start(mass_reader *r)
{
    static const char signature[8] = "\211HDF\r\n\032\n";
    const char *path = r->c->path;
    char bytes[8] = "";
    struct stat facts;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &facts) != 0) {
        mass_error_set(r->error, MASS_BAD_INPUT, "cannot read checkpoint %s: %s", path,
                       strerror(errno));
        if (file >= 0) close(file);
        return false;
    }
    const bool regular = S_ISREG(facts.st_mode);
    const bool starts = regular && pread(file, bytes, sizeof bytes, 0) == sizeof bytes &&
                        memcmp(bytes, signature, sizeof bytes) == 0;
    close(file);
    r->c->file_size = (uint64_t)facts.st_size;
    if (!starts)
        mass_error_set(r->error, MASS_BAD_INPUT,
                       "%s is not a checkpoint%s: give a file that --checkpoint wrote", path,
                       regular ? "" : ", nor a file");
    return starts;
}

static bool open_file(mass_reader *r)
{
    const hid_t access = mass_checkpoint_file_access();
    r->c->file = H5Fopen(r->c->path, H5F_ACC_RDONLY, access);
    const bool good = r->c->file >= 0 || mass_reader_unreadable(r, "its frame");
    H5Pclose(access);
    return good;
}

static bool check_format(mass_reader *r)
{
    char format[64];
    uint64_t version;
    if (H5Aexists(r->c->file, "format") <= 0) {
        mass_error_set(r->error, MASS_BAD_INPUT,
                       "%s is an HDF5 file but not a checkpoint: give a file that "
                       "--checkpoint wrote",
                       r->c->path);
        return false;
    }
    if (!read_text(r, r->c->file, "format", format, sizeof format)) return false;
    if (strcmp(format, MASS_CHECKPOINT_FORMAT_NAME) != 0)
        return mass_reader_damaged(r, "its format is '%s'", format);
    if (!read_u64(r, r->c->file, "format_version", UINT64_MAX, &version)) return false;
    if (version == MASS_CHECKPOINT_FORMAT) return true;
    mass_error_set(r->error, MASS_BAD_INPUT,
                   "%s has checkpoint format %" PRIu64 ", and this mass-engine reads "
                   "format %d: use the version that wrote it",
                   r->c->path, version, MASS_CHECKPOINT_FORMAT);
    return false;
}

/* Of [a-z][a-z0-9_-]*, at most 31: a plugin is looked up by it, so that it must not be a path. */
static bool is_plugin_name(const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length >= 1 && length <= 31 && name[length] == '\0' && name[0] >= 'a' && name[0] <= 'z';
}

static bool read_facts(mass_reader *r)
{
    mass_checkpoint *c = r->c;
    uint64_t major, minor, worlds, first_world, keep;
    if (!read_text(r, c->file, "plugin", c->model.plugin, sizeof c->model.plugin) ||
        !read_text(r, c->file, "plugin_version", c->model.version, sizeof c->model.version) ||
        !read_text(r, c->file, "engine_version", c->engine_version, sizeof c->engine_version) ||
        !read_u64(r, c->file, "abi_major", UINT16_MAX, &major) ||
        !read_u64(r, c->file, "abi_minor", UINT16_MAX, &minor) ||
        !read_hash(r, c->file, "schema", c->schema) ||
        !read_hash(r, c->file, "state_hash", c->state_hash) ||
        !read_u64(r, c->file, "seed", UINT64_MAX, &c->seed) ||
        !read_u64(r, c->file, "step", UINT64_MAX, &c->step) ||
        !read_u64(r, c->file, "worlds", INT32_MAX, &worlds) ||
        !read_u64(r, c->file, "first_world", INT32_MAX, &first_world) ||
        !read_u64(r, c->file, "checkpoint_every", UINT64_MAX, &c->every) ||
        !read_u64(r, c->file, "last_step", UINT64_MAX, &c->last_step) ||
        !read_u64(r, c->file, "keep", UINT32_MAX, &keep))
        return false;
    if (!is_plugin_name(c->model.plugin)) return mass_reader_damaged(r, "its plugin's name is none");
    if (worlds == 0) return mass_reader_damaged(r, "it has no worlds");
    c->abi_major = (uint32_t)major;
    c->abi_minor = (uint32_t)minor;
    c->worlds = (int32_t)worlds;
    c->first_world = (int32_t)first_world;
    c->keep = (uint32_t)keep;
    return true;
}

static bool check_root_link(mass_reader *r, hid_t root, const char *name)
{
    (void)root;
    return strcmp(name, "places") == 0 || strcmp(name, "agents") == 0 ||
           strcmp(name, "tallies") == 0 || strcmp(name, "parameters") == 0 ||
           mass_reader_damaged(r, "it holds '/%s', which this format does not have", name);
}

static bool check_schema(mass_reader *r)
{
    char schema[33];
    mass_checkpoint_schema(&r->c->model, schema);
    return strcmp(schema, r->c->schema) == 0 || mass_reader_damaged(r, "its schema is not the one it was "
                                                           "written with");
}

static void free_checkpoint(mass_checkpoint *c)
{
    if (c->file >= 0) H5Fclose(c->file);
    mass_model_free(&c->model);
    free(c->hashes);
    free(c->path);
    free(c);
}

mass_status mass_checkpoint_open(const char *path, mass_checkpoint **out, mass_error *error)
{
    mass_checkpoint_start_hdf5();
    *out = NULL;
    mass_checkpoint *c = calloc(1, sizeof *c);
    if (c) c->path = strdup(path);
    if (!c || !c->path) {
        free(c);
        return mass_error_memory(error, sizeof *c, "a checkpoint");
    }
    c->file = -1;
    mass_reader r = {.c = c, .error = error};
    if (check_start(&r) && open_file(&r) && check_format(&r) && read_facts(&r) &&
        walk(&r, c->file, "/", check_root_link) && open_parameters(&r) &&
        walk(&r, c->file, "places", open_space) && open_populations(&r) && open_tallies(&r) &&
        check_schema(&r)) {
        *out = c;
        return MASS_OK;
    }
    free_checkpoint(c);
    return error->status;
}

void mass_checkpoint_close(mass_checkpoint *c)
{
    if (c) free_checkpoint(c);
}
