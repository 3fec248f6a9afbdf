/* SPDX-License-Identifier: Apache-2.0 */
/* The index of an export in XDMF 3: a temporal collection of steps, each a spatial collection of grids. Spaces are
 * regular grids whose cells are places, centred on the point (x, y, z), or in continuous space in its units of length.
 * Populations and the nodes of networks are vertices, and edges are lines between the nodes. Readers disagree on meshes
 * of fewer than three axes, and on data whose rank differs from the declared one. So everything has three axes.
 * Each step begins with a line by which a resumed run finds it. */
#include "io/export/format.h"
#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char head_start[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
                                 "<Information Name=\"format\" Value=\"" MASS_EXPORT_FORMAT_NAME " 1\"/>\n"
                                 "<Information Name=\"run\" Value=\"";
static const char identity_start[] = "\"/>\n<Information Name=\"identity\" Value=\"";
static const char plugin_start[] = "\"/>\n<Information Name=\"plugin_hash\" Value=\"";
static const char head_end[] = "\"/>\n<Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
static const char step_start[] = "<!-- step ", step_end[] = " -->\n";
const char mass_export_index_tail[] = "<!-- end -->\n</Grid>\n</Domain>\n</Xdmf>\n";

_Static_assert(MASS_EXPORT_FORMAT == 1, "the index says so, too");

/* ---- writing ---- */

void mass_export_index_head(FILE *to, const mass_run_facts *run)
{
    fprintf(to, "%s%s", head_start, run->run);
    if (run->identity[0]) fprintf(to, "%s%s%s%s", identity_start, run->identity, plugin_start, run->plugin_hash);
    fputs(head_end, to);
}

/* Returns XDMF's type. Readers have no unsigned 64-bit type; ids are small enough for the signed one. */
static const char *number_type(uint32_t type)
{
    static const char *const names[] = {[MASS_I8] = "Char", [MASS_U8] = "UChar", [MASS_I16] = "Short",
        [MASS_U16] = "UShort", [MASS_I32] = "Int", [MASS_U32] = "UInt", [MASS_I64] = "Int", [MASS_U64] = "Int",
        [MASS_F32] = "Float", [MASS_F64] = "Float", [MASS_BIT] = "UChar"};
    return names[type];
}

/* Prints the reference to a data set in the HDF5 file of this step. */
static void put_item(FILE *to, uint64_t step, const char *path, uint32_t type, int rank, const uint64_t *extent)
{
    fprintf(to, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%zu\" Dimensions=\"", number_type(type),
            mass_type_size(type));
    for (int i = 0; i < rank; i++) fprintf(to, "%s%" PRIu64, i ? " " : "", extent[i]);
    fprintf(to, "\">fields-%012" PRIu64 ".h5:%s</DataItem>", step, path);
}

/* Prints one attribute's columns, one for each member. centre: XDMF's word for what has a value, "Node" or "Cell". */
static void put_columns(FILE *to, const mass_export_world *w, uint32_t attribute, const char *centre)
{
    mass_export_column c;
    for (uint32_t member = 0; mass_export_column_of(w, attribute, member, &c); member++) {
        fprintf(to, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", c.name,
                c.components == 1 ? "Scalar" : c.components == 3 ? "Vector" : "Matrix", centre);
        put_item(to, w->snapshot->step, c.path, c.type, c.rank, c.extent);
        fputs("</Attribute>\n", to);
    }
}

/* Prints an attribute of agents that readers get as a vector. */
static void put_vector(FILE *to, const mass_export_world *w, uint32_t attribute)
{
    const mass_attribute_def *a = &w->snapshot->model->attributes[attribute];
    const uint64_t extent[2] = {w->agents[a->population], 3};
    char path[MASS_EXPORT_PATH];
    fprintf(to, "<Attribute Name=\"%s\" AttributeType=\"Vector\" Center=\"Node\">", a->name);
    mass_export_points_path(w, (uint32_t)a->population, a->name, path);
    put_item(to, w->snapshot->step, path, a->type, 2, extent);
    fputs("</Attribute>\n", to);
}

/* Begins a grid named "grid" or "world_3 grid", which the caller ends. */
static void put_grid(FILE *to, const mass_export_world *w, const char *name)
{
    fprintf(to, "<Grid Name=\"%s%s%s\" GridType=\"Uniform\">\n", w->prefix[0] ? w->prefix + 1 : "",
            w->prefix[0] ? " " : "", name);
}

/* Prints all attributes of a space. */
static void put_places(FILE *to, const mass_export_world *w, uint32_t space, const char *centre)
{
    const mass_model *m = w->snapshot->model;
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population < 0 && m->attributes[i].space == space) put_columns(to, w, i, centre);
}

/* Prints where a network's nodes are, and their attributes. */
static void put_nodes(FILE *to, const mass_export_world *w, const mass_network_def *n)
{
    const mass_network_def *const base = mass_model_network_of(w->snapshot->model, n->space);
    const uint64_t extent[2] = {(uint64_t)base->ends.nodes, 3};
    char path[MASS_EXPORT_PATH];
    snprintf(path, sizeof path, "/networks/%s/position", base->name);
    fputs("<Geometry GeometryType=\"XYZ\">", to);
    put_item(to, w->snapshot->step, path, MASS_F64, 2, extent);
    fputs("</Geometry>\n", to);
    put_places(to, w, n->space, "Node");
}

/* Prints a network's nodes as vertices. */
static void put_network(FILE *to, const mass_export_world *w, const mass_network_def *n)
{
    const uint64_t extent[1] = {(uint64_t)n->ends.nodes};
    char path[MASS_EXPORT_PATH];
    put_grid(to, w, n->name);
    fprintf(to, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRIu64 "\" NodesPerElement=\"1\">",
            extent[0]);
    snprintf(path, sizeof path, "/networks/%s/vertex", n->name);
    put_item(to, w->snapshot->step, path, MASS_U32, 1, extent);
    fputs("</Topology>\n", to);
    put_nodes(to, w, n);
    fputs("</Grid>\n", to);
}

/* Begins the grid of edges, as lines between nodes whose numbers are at a path, and prints the nodes. The caller ends
 * it. */
static void begin_edges(FILE *to, const mass_export_world *w, const mass_network_def *n, const char *name,
                        uint64_t count, const char *path)
{
    const uint64_t extent[2] = {count, 2};
    put_grid(to, w, name);
    fprintf(to, "<Topology TopologyType=\"Polyline\" NumberOfElements=\"%" PRIu64 "\" NodesPerElement=\"2\">", count);
    put_item(to, w->snapshot->step, path, MASS_U32, 2, extent);
    fputs("</Topology>\n", to);
    put_nodes(to, w, n);
}

/* Prints the edges of a network or set, which do not change, with their attributes; nothing if it has none of its
 * own. */
static void put_edges(FILE *to, const mass_export_world *w, uint32_t network)
{
    const struct mass_networks *const all = w->snapshot->model->networks;
    const mass_network_def *const n = &all->list[network];
    char name[2 * MASS_NAME_SIZE], path[MASS_EXPORT_PATH];
    if (!mass_export_has_edges(n)) return;
    mass_export_edges_name(n, name);
    snprintf(path, sizeof path, "/networks/%s/ends", n->name);
    begin_edges(to, w, n, name, n->edges, path);
    for (uint32_t i = 0; i < all->attribute_count; i++) {
        if (all->attributes[i].network != network) continue;
        fprintf(to, "<Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Cell\">", all->attributes[i].name);
        snprintf(path, sizeof path, "/edges/%s/%s", n->name, all->attributes[i].name);
        put_item(to, w->snapshot->step, path, all->attributes[i].type, 1, &n->edges);
        fputs("</Attribute>\n", to);
    }
    fputs("</Grid>\n", to);
}

/* Prints edges that change, which are agents, with the attributes of these. */
static void put_changing_edges(FILE *to, const mass_export_world *w, const mass_network_def *n)
{
    const mass_model *m = w->snapshot->model;
    char path[MASS_EXPORT_PATH];
    mass_export_points_path(w, (uint32_t)n->population, "ends", path);
    begin_edges(to, w, n, m->populations[n->population].name, w->agents[n->population], path);
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population == n->population) put_columns(to, w, i, "Cell");
    fputs("</Grid>\n", to);
}

#define TRIPLE(FORMAT)                                                                    \
    "<DataItem Dimensions=\"3\" Format=\"XML\" NumberType=\"Float\" Precision=\"8\">" FORMAT \
    " " FORMAT " " FORMAT "</DataItem>"

/* Prints a space's grid with all its attributes as cells; of a network, what put_network prints. */
static void put_space(FILE *to, const mass_export_world *w, uint32_t space)
{
    const mass_model *m = w->snapshot->model;
    const mass_space_def *s = &m->spaces[space];
    const mass_network_def *const network = mass_model_network_of(m, space);
    if (network) {
        put_network(to, w, network);
        return;
    }
    put_grid(to, w, s->name);
    fprintf(to, "<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%lld %lld %lld\"/>\n", (long long)s->size[2] + 1,
            (long long)s->size[1] + 1, (long long)s->size[0] + 1);
    const bool continuous = mass_export_is_continuous(m, space);
    const double origin = continuous ? 0 : -0.5, unit = continuous ? s->cell : 1;
    fprintf(to, "<Geometry GeometryType=\"ORIGIN_DXDYDZ\">" TRIPLE("%g") TRIPLE("%.17g") "</Geometry>\n", origin,
            origin, origin, unit, unit, unit);
    put_places(to, w, space, "Cell");
    fputs("</Grid>\n", to);
}

/* Prints a population, unless it is empty: readers refuse a grid without points. */
static void put_population(FILE *to, const mass_export_world *w, uint32_t population)
{
    const mass_model *m = w->snapshot->model;
    const uint64_t count = w->agents[population], extent[2] = {count, 3};
    char path[MASS_EXPORT_PATH];
    if (count == 0) return;
    if (mass_model_is_of_edges(m, population)) {
        put_changing_edges(to, w, mass_model_network_of_edges(m, population));
        return;
    }
    put_grid(to, w, m->populations[population].name);
    fprintf(to, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRIu64 "\" NodesPerElement=\"1\">", count);
    mass_export_points_path(w, population, "vertex", path);
    put_item(to, w->snapshot->step, path, MASS_U32, 1, extent);
    fputs("</Topology>\n<Geometry GeometryType=\"XYZ\">", to);
    mass_export_points_path(w, population, "position", path);
    put_item(to, w->snapshot->step, path, MASS_F64, 2, extent);
    fputs("</Geometry>\n", to);
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population != (int32_t)population) continue;
        else if (mass_export_is_vector(m, i)) put_vector(to, w, i);
        else put_columns(to, w, i, "Node");
    fputs("</Grid>\n", to);
}

/* Prints the grids of a world's spaces and populations; `context` is the FILE. */
static mass_status put_world(void *context, const mass_export_world *w, mass_error *error)
{
    (void)error;
    for (uint32_t i = 0; i < w->snapshot->model->space_count; i++) put_space(context, w, i);
    for (uint32_t i = 0; w->snapshot->model->networks && i < w->snapshot->model->networks->count; i++)
        put_edges(context, w, i);
    for (uint32_t i = 0; i < w->snapshot->model->population_count; i++) put_population(context, w, i);
    return MASS_OK;
}

mass_status mass_export_index_step(FILE *to, const mass_snapshot *s, mass_error *error)
{
    fprintf(to, "%s%" PRIu64 "%s", step_start, s->step, step_end);
    fprintf(to, "<Grid Name=\"step %" PRIu64 "\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
            "<Time Value=\"%" PRIu64 "\"/>\n", s->step, s->step);
    const mass_status status = mass_export_worlds(s, put_world, to, error);
    fputs("</Grid>\n", to);
    return status;
}

/* ---- reading ---- */

typedef struct cursor {
    const char *path;
    const uint8_t *start, *next, *end;
} cursor;

/* Takes a text; false if another follows. */
static bool take(cursor *c, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(c->end - c->next) < length || memcmp(c->next, text, length) != 0) return false;
    c->next += length;
    return true;
}

/* Takes a number; false if there is none or it exceeds 64 bits. */
static bool take_number(cursor *c, uint64_t *out)
{
    const uint8_t *first = c->next;
    for (*out = 0; c->next < c->end && *c->next >= '0' && *c->next <= '9'; c->next++)
        if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, (uint64_t)(*c->next - '0'), out))
            return false;
    return c->next > first;
}

/* Refuses the index at the cursor's line. */
static mass_status refuse(const cursor *c, mass_error *error)
{
    size_t line = 1;
    for (const uint8_t *at = c->start; at < c->next; at++) line += *at == '\n';
    return mass_error_set(error, MASS_BAD_INPUT, "%s, line %zu: it is not an index of fields that this mass-engine "
                          "wrote: give another --fields folder, or move it away", c->path, line);
}

/* Takes 32 hexadecimal digits. Returns false, and takes nothing, if others follow. */
static bool take_hash(cursor *c, char out[33])
{
    if (c->end - c->next < 32 || !mass_is_hex((const char *)c->next, 32)) return false;
    memcpy(out, c->next, 32);
    out[32] = '\0';
    c->next += 32;
    return true;
}

/* Reads the head. Earlier versions had neither identity nor plugin_hash. Returns false if there is no head. */
static bool take_head(cursor *c, mass_run_facts *out)
{
    if (!take(c, head_start) || !take_hash(c, out->run)) return false;
    if (take(c, identity_start) &&
        (!take_hash(c, out->identity) || !take(c, plugin_start) || !take_hash(c, out->plugin_hash)))
        return false;
    return take(c, head_end);
}

/* Skips to the next line that begins with a comment. Returns false, at the end of the text, if there is none. */
static bool skip_step(cursor *c)
{
    const uint8_t *found = memmem(c->next, (size_t)(c->end - c->next), "\n<!-- ", 6);
    c->next = found ? found + 1 : c->end;
    return found != NULL;
}

/* Takes one step's entry and appends its position. Steps have to ascend. */
static mass_status take_step(cursor *c, mass_export_index *out, mass_error *error)
{
    const uint8_t *start = c->next;
    uint64_t step;
    if (!take(c, step_start) || !take_number(c, &step) || !take(c, step_end) ||
        (out->count > 0 && step <= out->entries[out->count - 1].step) || !skip_step(c))
        return refuse(c, error);
    mass_export_entry *larger = realloc(out->entries, (out->count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, "an index");
    out->entries = larger;
    larger[out->count++] = (mass_export_entry){step, (size_t)(start - c->start), (size_t)(c->next - start)};
    return MASS_OK;
}

mass_status mass_export_index_parse(const char *path, const uint8_t *bytes, size_t size, mass_export_index *out,
                                    mass_error *error)
{
    cursor c = {path, bytes, bytes, bytes + size};
    *out = (mass_export_index){0};
    if (!take_head(&c, &out->facts)) return refuse(&c, error);
    while (!take(&c, mass_export_index_tail)) {
        const mass_status status = take_step(&c, out, error);
        if (status != MASS_OK) return status;
    }
    return c.next == c.end ? MASS_OK : refuse(&c, error);
}
