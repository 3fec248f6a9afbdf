/* SPDX-License-Identifier: Apache-2.0 */
#include "model/network.h"
#include "base/plural.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file may name nodes up to SPARE_NODES, and NODES_AN_EDGE more for each edge. Higher numbers are probably mistyped,
 * and are refused unless the user gives the number of nodes. */
enum { SPARE_NODES = 1000000, NODES_AN_EDGE = 64 };
enum { LINKS_MOST = 255 }; /* most requests of a node for edges; as .sprouts of a population */

/* ---- declarations ---- */

/* Makes the table of networks, if there is none. */
static mass_status begin(mass_model *m, mass_error *error)
{
    if (!m->networks) m->networks = calloc(1, sizeof *m->networks);
    return m->networks ? MASS_OK : mass_error_memory(error, sizeof *m->networks, "a declaration");
}

/* Makes the ring of a trial, of at least one node. */
static mass_status draw_trial(const mass_network *n, mass_gidx nodes, mass_edge_list *out, mass_error *error)
{
    const mass_network ring = {.name = n->name, .generator = nodes > 2 ? MASS_RING : MASS_COMPLETE, .degree = 2,
                               .directed = n->directed};
    return mass_edge_list_draw(&ring, nodes, out, error);
}

/* Turns the direction of all edges. */
static void turn(mass_edge_list *list)
{
    uint32_t *const from = list->from;
    list->from = list->to;
    list->to = from;
}

/* Reads or draws the edges, and sorts them by node: sets def->list, .edges and .ends. known: names of the nodes, or
 * NULL. most: in a trial, the most nodes; then no file is read. Refuses a file from which the number of nodes cannot
 * be taken. */
static mass_status make_edges(mass_network_def *def, const mass_network *n, mass_gidx nodes, mass_gidx most,
                              mass_edge_reader *read, const mass_node_names *known, mass_error *error)
{
    const bool file = n->file && n->file[0];
    mass_gidx wanted = nodes ? nodes : n->nodes;
    mass_status status;
    if (most) {
        wanted = wanted > 0 && wanted < most ? wanted : most;
        status = draw_trial(n, wanted, &def->list, error);
    } else if (file) status = read(n, wanted, known, &def->list, error);
    else status = mass_edge_list_draw(n, wanted, &def->list, error);
    if (status != MASS_OK) return status;
    if (n->turned) turn(&def->list);
    if (wanted == 0 && def->list.nodes > SPARE_NODES + NODES_AN_EDGE * (int64_t)def->list.count)
        return mass_error_set(error, MASS_BAD_INPUT, "%s names node %" PRId64 ", and has %" PRIu64 " edge%s: if there "
                              "are so many nodes, give their number by --size", n->file, def->list.nodes - 1,
                              def->list.count, mass_plural(def->list.count));
    if (wanted == 0) wanted = def->list.nodes;
    if (wanted == 0)
        return mass_error_set(error, MASS_BAD_INPUT, "%s has no edges, and network '%s' takes its nodes from there",
                              n->file, n->name);
    const mass_network sorted = {.name = n->name, .file = n->file, .directed = n->directed,
                                 .simple = most ? 0 : n->simple, .links = n->links};
    def->edges = def->list.count;
    return mass_edge_ends_take(&def->list, &sorted, wanted, &def->ends, error);
}

/* Frees what a network owns, and sets it to zeros. */
static void free_network(mass_network_def *def)
{
    mass_edge_list_free(&def->list);
    mass_edge_ends_free(&def->ends);
    mass_node_names_free(&def->names);
    free(def->file);
    *def = (mass_network_def){0};
}

/* Adds the population of edges that change, and sets def->population and .source. Does nothing if they do not: links is
 * 0. */
static mass_status add_population(mass_model *m, mass_network_def *def, uint32_t links, mass_error *error)
{
    const char *const network = m->spaces[def->space].name;
    char name[MASS_NAME_SIZE + 8], help[MASS_NAME_SIZE + 32];
    if (links == 0) return MASS_OK;
    snprintf(name, sizeof name, "%s_edges", network);
    snprintf(help, sizeof help, "edges of network %s", network);
    const mass_population edges = {.name = name, .space = network, .help = help, .sprouts = links};
    const mass_attribute source = {.population = name, .name = "source", .type = MASS_U32,
                                   .help = "the node at the other end",
                                   .most = (double)(m->spaces[def->space].size[0] - 1)};
    mass_status status = mass_model_add_population(m, &edges, error);
    if (status == MASS_OK) status = mass_model_add_attribute(m, &source, error);
    if (status != MASS_OK) return status;
    def->population = (int)m->population_count - 1;
    def->source = m->attribute_count - 1;
    return MASS_OK;
}

/* Finds a network or a set of edges by its name; NULL: there is none. */
static const mass_network_def *find_named(const mass_model *m, const char *name)
{
    for (uint32_t i = 0; name && m->networks && i < m->networks->count; i++)
        if (strcmp(m->networks->list[i].name, name) == 0) return &m->networks->list[i];
    return NULL;
}

/* Checks the declaration of a further set of edges. */
static mass_status check_set(const mass_model *m, const mass_network *n, mass_error *error)
{
    const mass_network_def *const base = find_named(m, n->of);
    if (!mass_name_valid(n->name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "set of edges '%s' is not named by letters, digits and '_' (at "
                              "most 63)", n->name ? n->name : "");
    if (!base || base->set)
        return mass_error_set(error, MASS_BAD_PLUGIN, "set of edges '%s' is of network '%s', which is not declared "
                              "before it", n->name, n->of);
    if (find_named(m, n->name) || mass_model_find_space(m, n->name) >= 0 || mass_model_find_population(m, n->name) >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "set of edges '%s' has the name of another set, space or "
                              "population", n->name);
    if (n->nodes || n->links || n->dies)
        return mass_error_set(error, MASS_BAD_PLUGIN, "set of edges '%s' has %s, which only its network may have",
                              n->name, n->nodes ? ".nodes" : n->links ? ".links" : ".dies");
    if (m->networks->count == MASS_SPACES_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "more than %d networks and sets of edges are declared",
                              MASS_SPACES_MAX);
    return MASS_OK;
}

/* Adds a further set of edges to a network. most, read: as for mass_model_add_network. Its file has the same names of
 * nodes as that of the network. */
static mass_status add_set(mass_model *m, const mass_network *n, mass_gidx most, mass_edge_reader *read,
                           mass_error *error)
{
    mass_status status = check_set(m, n, error);
    if (status != MASS_OK) return status;
    const mass_network_def *const base = find_named(m, n->of);
    mass_network_def *const def = &m->networks->list[m->networks->count];
    status = make_edges(def, n, base->ends.nodes, most, read, &base->list.names, error);
    if (status == MASS_OK && n->file && n->file[0] && !(def->file = strdup(n->file)))
        status = mass_error_memory(error, strlen(n->file), "a declaration");
    if (status != MASS_OK) {
        free_network(def);
        return status;
    }
    snprintf(def->name, sizeof def->name, "%s", n->name);
    def->space = base->space;
    def->set = true;
    def->directed = n->directed != 0;
    def->simple = n->simple != 0;
    def->population = def->dies = -1;
    m->networks->count++;
    return MASS_OK;
}

/* Refuses a network that has neither nodes nor a file. Names the texts that the user has not set: one is the file's.
 * Returns MASS_BAD_USAGE. */
static mass_status refuse_empty(const mass_model *m, const mass_network *n, mass_error *error)
{
    char names[300] = "";
    int count = 0;
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        const mass_parameter_slot *const slot = &m->parameters.slots[i];
        const size_t used = strlen(names);
        if (slot->type != MASS_TEXT || slot->constant || (slot->text && slot->text[0])) continue;
        snprintf(names + used, sizeof names - used, "%s%s", count++ ? ", " : "", slot->name);
    }
    return mass_error_set(error, MASS_BAD_USAGE, "network '%s': it has no nodes: set the parameter that names its file "
                          "of edges%s%s%s, or .nodes, below 2^31 - 4096", n->name,
                          count > 1 ? " (one of " : count ? " (" : "", names, count ? ")" : "");
}

mass_status mass_model_add_network(mass_model *m, const mass_network *n, mass_gidx nodes, mass_gidx most,
                                   mass_edge_reader *read, mass_error *error)
{
    if (n->of) return add_set(m, n, most, read, error);
    if (!mass_name_valid(n->name) || mass_model_find_space(m, n->name) >= 0 || m->space_count == MASS_SPACES_MAX ||
        n->nodes < 0 || n->nodes > MASS_NODES_MOST || nodes < 0 || nodes > MASS_NODES_MOST) {
        const mass_space same = {.name = n->name, .dimensions_min = 1, .dimensions_max = 1,
                                 .size = {nodes ? nodes : n->nodes}};
        return mass_model_add_space(m, &same, nodes ? same.size : NULL, 1, error);
    }
    if (n->links > LINKS_MOST)
        return mass_error_set(error, MASS_BAD_PLUGIN, "network '%s': a node may ask for %d edges at once, and its "
                              ".links is %" PRIu32, n->name, LINKS_MOST, n->links);
    if (n->dies && !n->links)
        return mass_error_set(error, MASS_BAD_PLUGIN, "network '%s' has .dies, and its edges do not change: give it "
                              ".links, of 1 or more", n->name);
    if (!nodes && !n->nodes && !most && !(n->file && n->file[0])) return refuse_empty(m, n, error);
    mass_status status = begin(m, error);
    if (status != MASS_OK) return status;
    mass_network_def *const def = &m->networks->list[m->networks->count];
    status = make_edges(def, n, nodes, most, read, NULL, error);
    if (status == MASS_OK && n->file && n->file[0] && !(def->file = strdup(n->file)))
        status = mass_error_memory(error, strlen(n->file), "a declaration");
    const mass_space space = {.name = n->name, .dimensions_min = 1, .dimensions_max = 1, .size = {def->ends.nodes}};
    if (status == MASS_OK) status = mass_model_add_space(m, &space, NULL, 1, error);
    if (status != MASS_OK) {
        free_network(def);
        return status;
    }
    snprintf(def->name, sizeof def->name, "%s", n->name);
    snprintf(def->dies_name, sizeof def->dies_name, "%s", n->dies ? n->dies : "");
    def->space = m->space_count - 1;
    def->directed = n->directed != 0;
    def->simple = n->simple != 0;
    def->population = def->dies = -1;
    m->networks->count++;
    return add_population(m, def, n->links, error);
}

mass_status mass_network_resolve_dies(mass_model *m, mass_error *error)
{
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) {
        mass_network_def *const n = &m->networks->list[i];
        if (!n->dies_name[0]) continue;
        n->dies = mass_model_find_population(m, n->dies_name);
        if (n->dies < 0 || n->dies == n->population || m->populations[n->dies].space != n->space)
            return mass_error_set(error, MASS_BAD_PLUGIN, "network '%s': its .dies '%s' is not a population on its "
                                  "nodes", n->name, n->dies_name);
    }
    return MASS_OK;
}

/* Stores a number as a type, of mass_type_size bytes. Returns false if the type does not have it; *to may be another
 * number then. */
static bool store(uint32_t type, double value, void *to)
{
#define STORE(CODE, TYPE, LEAST, END)                           \
    case CODE: {                                                \
        if (!(value >= (LEAST) && value < (END))) return false; \
        const TYPE number = (TYPE)value;                        \
        memcpy(to, &number, sizeof number);                     \
        return (double)number == value;                         \
    }
    const float narrow = value > -0x1p127 && value < 0x1p127 ? (float)value : 0;
    switch (type) {
        STORE(MASS_I8, int8_t, -0x1p7, 0x1p7)
        STORE(MASS_U8, uint8_t, 0, 0x1p8)
        STORE(MASS_I16, int16_t, -0x1p15, 0x1p15)
        STORE(MASS_U16, uint16_t, 0, 0x1p16)
        STORE(MASS_I32, int32_t, -0x1p31, 0x1p31)
        STORE(MASS_U32, uint32_t, 0, 0x1p32)
        STORE(MASS_I64, int64_t, -0x1p63, 0x1p63)
        STORE(MASS_U64, uint64_t, 0, 0x1p64)
    case MASS_F32:
        memcpy(to, &narrow, sizeof narrow);
        return value > -0x1p127 && value < 0x1p127;
    default:
        memcpy(to, &value, sizeof value);
        return true;
    }
#undef STORE
}

/* Adds an attribute of edges that change to those of their population. Does nothing for a network whose edges stay. */
static mass_status add_agent_attribute(mass_model *m, const mass_network_def *n, mass_edge_attribute_def *def,
                                       mass_error *error)
{
    uint64_t initial = 0; /* an .initial that the type does not have is refused when the networks are settled */
    if (n->population < 0) return MASS_OK;
    if (!store(def->type, def->initial, &initial)) initial = 0;
    const mass_attribute own = {.population = m->populations[n->population].name, .name = def->name, .type = def->type,
                                .help = def->help, .initial = &initial};
    def->attribute = m->attribute_count;
    return mass_model_add_attribute(m, &own, error);
}

/* Finds an attribute of a network or set by its name, or -1. */
static int find_attribute(const mass_model *m, uint32_t network, const char *name)
{
    for (uint32_t i = 0; i < m->networks->attribute_count; i++)
        if (m->networks->attributes[i].network == network && strcmp(m->networks->attributes[i].name, name) == 0)
            return (int)i;
    return -1;
}

mass_status mass_model_add_edge_attribute(mass_model *m, const mass_edge_attribute *a, mass_error *error)
{
    const mass_network_def *const network = find_named(m, a->network);
    if (!mass_name_valid(a->name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' of edges is not named by letters, digits and '_' "
                              "(at most 63)", a->name ? a->name : "");
    if (!network)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' of edges belongs to network '%s', which is not "
                              "declared before it", a->name, a->network ? a->network : "");
    if (find_attribute(m, (uint32_t)(network - m->networks->list), a->name) >= 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' of the edges of network '%s' is declared twice",
                              a->name, a->network);
    if (mass_type_size(a->type) == 0 || a->type == MASS_BIT)
        return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' of edges has none of the types int8_t to "
                              "uint64_t, float and double", a->name);
    if (m->networks->attribute_count == MASS_EDGE_ATTRIBUTES_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "more than %d attributes of edges are declared",
                              MASS_EDGE_ATTRIBUTES_MAX);
    mass_edge_attribute_def *const def = &m->networks->attributes[m->networks->attribute_count];
    *def = (mass_edge_attribute_def){.network = (uint32_t)(network - m->networks->list), .type = a->type,
                                     .size = mass_type_size(a->type), .initial = a->initial};
    snprintf(def->name, sizeof def->name, "%s", a->name);
    def->help = strdup(a->help ? a->help : "");
    if (!def->help) return mass_error_memory(error, 1, "a declaration");
    m->networks->attribute_count++;
    return add_agent_attribute(m, network, def, error);
}


/* ---- values of edges ---- */

/* Returns the column of an attribute, or NULL. */
static const mass_edge_column *column_of(const mass_network_def *n, const char *name)
{
    for (uint32_t i = 0; i < n->list.column_count; i++)
        if (strcmp(n->list.columns[i].name, name) == 0) return &n->list.columns[i];
    return NULL;
}

/* Gives an attribute its values: those of its column or, without one, its default, which is also behind them.
 * Sets .from_file. Refuses values that are no finite numbers or not of its type. */
static mass_status give_values(const mass_network_def *n, mass_edge_attribute_def *a, mass_error *error)
{
    const mass_edge_column *const column = column_of(n, a->name);
    if (column && column->other_line)
        return mass_error_set(error, MASS_BAD_INPUT, "%s, line %" PRIu64 ": '%s' in column '%s' is no finite number",
                              n->file, column->other_line, column->other, a->name);
    a->from_file = column != NULL;
    a->values = malloc(((size_t)n->ends.count + 1) * a->size);
    if (!a->values) return mass_error_memory(error, ((size_t)n->ends.count + 1) * a->size, "attributes of edges");
    for (uint64_t i = 0; i <= n->ends.count; i++) {
        const bool own = column && i < n->ends.count;
        const double value = own ? column->values[n->ends.edge[i]] : a->initial;
        if (store(a->type, value, a->values + i * a->size)) continue;
        if (!own)
            return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' of edges is of %s, which its .initial is not",
                                  a->name, mass_type_name(a->type));
        return mass_error_set(error, MASS_BAD_INPUT, "%s, line %" PRIu64 ": it has %.15g in column '%s', which is of "
                              "%s", n->file, n->list.line[n->ends.edge[i]], value, a->name, mass_type_name(a->type));
    }
    return MASS_OK;
}

/* Notes in .unused the columns that are no attributes: their names may be misspelt. */
static void find_unused(struct mass_networks *all, uint32_t network)
{
    mass_network_def *const n = &all->list[network];
    for (uint32_t i = 0; i < n->list.column_count; i++) {
        bool used = false;
        for (uint32_t k = 0; k < all->attribute_count; k++)
            used |= all->attributes[k].network == network &&
                    strcmp(all->attributes[k].name, n->list.columns[i].name) == 0;
        if (!used) memcpy(n->unused[n->unused_count++], n->list.columns[i].name, MASS_EDGE_NAME);
    }
}

/* Returns a hash to which a word was added. */
static uint64_t mix_word(uint64_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* Returns a hash to which bytes were added, in words of four. Zero bytes that fill the last word do not count. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    const size_t whole = count / 4 * 4;
    uint32_t word = 0;
    for (size_t i = 0; i < whole; i += 4) {
        memcpy(&word, at + i, 4);
        hash = mix_word(hash, word);
    }
    word = 0;
    memcpy(&word, at + whole, count - whole);
    return count > whole ? mix_word(hash, word) : hash;
}

/* Hashes the edges of a network, the values of their attributes, and the names of its nodes, once it has all. */
static uint64_t hash_of(const struct mass_networks *all, uint32_t network)
{
    const mass_network_def *const n = &all->list[network];
    const uint64_t counts[] = {(uint64_t)n->ends.nodes, n->ends.count, n->directed};
    uint64_t hash = mix(1, counts, sizeof counts);
    hash = mix(hash, n->ends.first, ((size_t)n->ends.nodes + 1) * sizeof *n->ends.first);
    hash = mix(hash, n->ends.source, (size_t)n->ends.count * sizeof *n->ends.source);
    for (uint32_t i = 0; i < all->attribute_count; i++)
        if (all->attributes[i].network == network)
            hash = mix(hash, all->attributes[i].values, (size_t)n->ends.count * all->attributes[i].size);
    return n->names.count ? mix(hash, n->names.bytes, (size_t)n->names.used) : hash;
}

/* Returns the most bytes that all edges have taken so far. The lists of all networks are there until the end. */
static double making_of(const struct mass_networks *all)
{
    double bytes = 0, more = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const mass_network_def *const n = &all->list[i];
        if (bytes + mass_edge_list_bytes(&n->list) + n->list.scratch > more)
            more = bytes + mass_edge_list_bytes(&n->list) + n->list.scratch;
        bytes += mass_edge_list_bytes(&n->list) + mass_edge_ends_bytes(&n->ends);
    }
    for (uint32_t i = 0; i < all->attribute_count; i++)
        if (all->attributes[i].values)
            bytes += ((double)all->list[all->attributes[i].network].ends.count + 1) * (double)all->attributes[i].size;
    return bytes > more ? bytes : more;
}

mass_status mass_model_settle_networks(mass_model *m, mass_error *error)
{
    struct mass_networks *const all = m->networks;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; all && status == MASS_OK && i < all->attribute_count; i++)
        status = give_values(&all->list[all->attributes[i].network], &all->attributes[i], error);
    if (all) all->making = making_of(all);
    for (uint32_t i = 0; all && status == MASS_OK && i < all->count; i++) {
        find_unused(all, i);
        all->list[i].names = all->list[i].list.names;
        all->list[i].list.names = (mass_node_names){0};
        all->list[i].hash = hash_of(all, i);
        mass_edge_list_free(&all->list[i].list);
        if (all->list[i].population >= 0) continue; /* the numbers of edges are their ids */
        free(all->list[i].ends.edge);
        all->list[i].ends.edge = NULL;
    }
    return status;
}

void mass_model_free_networks(mass_model *m)
{
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) free_network(&m->networks->list[i]);
    for (uint32_t i = 0; m->networks && i < m->networks->attribute_count; i++) {
        free(m->networks->attributes[i].values);
        free(m->networks->attributes[i].help);
    }
    free(m->networks);
    m->networks = NULL;
}

/* ---- callbacks over nodes ---- */

const mass_network_def *mass_model_network_of(const mass_model *m, uint32_t space)
{
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++)
        if (m->networks->list[i].space == space && !m->networks->list[i].set) return &m->networks->list[i];
    return NULL;
}

int mass_model_find_edge_attribute(const mass_model *m, uint32_t space, const char *name)
{
    const mass_network_def *const n = mass_model_network_of(m, space);
    return n ? find_attribute(m, (uint32_t)(n - m->networks->list), name) : -1;
}

int mass_phase_edges(const mass_model *m, const mass_phase_def *p, uint32_t set)
{
    if (set > p->callback->set_count) return -1;
    const mass_network_def *const n = set ? find_named(m, p->callback->sets[set - 1])
                                          : mass_model_network_of(m, p->space);
    return n && n->space == p->space ? (int)(n - m->networks->list) : -1;
}

int mass_model_edges_of(const mass_model *m, uint32_t space)
{
    const mass_network_def *const n = mass_model_network_of(m, space);
    return n ? n->population : -1;
}

bool mass_model_is_of_edges(const mass_model *m, uint32_t population)
{
    return mass_model_edges_of(m, m->populations[population].space) == (int)population;
}

const mass_network_def *mass_model_network_of_edges(const mass_model *m, uint32_t population)
{
    return mass_model_is_of_edges(m, population) ? mass_model_network_of(m, m->populations[population].space) : NULL;
}

int mass_phase_dies(const mass_model *m, const mass_phase_def *p)
{
    const bool manages = !p->callback && p->population >= 0;
    const mass_network_def *const n = manages ? mass_model_network_of_edges(m, (uint32_t)p->population) : NULL;
    return n ? n->dies : -1;
}

bool mass_model_would_be_edges(const mass_model *m, const char *population)
{
    char name[MASS_NAME_SIZE + 8];
    for (uint32_t i = 0; population && m->networks && i < m->networks->count; i++) {
        snprintf(name, sizeof name, "%s_edges", m->networks->list[i].name);
        if (strcmp(name, population) == 0) return true;
    }
    return false;
}

int mass_model_space_of(const mass_model *m, const mass_callback *c, const char *space)
{
    return mass_model_find_space(m, !space && mass_callback_is_of_nodes(c) ? c->network : space);
}

mass_status mass_network_resolve(const mass_model *m, const mass_phase_def *p, uint32_t i, mass_target *out,
                                 mass_error *error)
{
    const mass_field *const f = &p->callback->fields[i];
    const int edges = mass_phase_edges(m, p, f->population);
    const int found = edges < 0 ? -1 : find_attribute(m, (uint32_t)edges, f->target);
    if (found < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: the edges of %s '%s' have no attribute "
                              "'%s'", p->callback->name, f->name, f->population ? "set" : "network",
                              edges < 0 ? m->spaces[p->space].name : m->networks->list[edges].name, f->target);
    const mass_edge_attribute_def *const a = &m->networks->attributes[found];
    if (f->type != a->type || f->size != a->size)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: its type has to be that of attribute "
                              "'%s', %s of %zu bytes", p->callback->name, f->name, a->name, mass_type_name(a->type),
                              a->size);
    *out = (mass_target){f->access, (uint32_t)found};
    return MASS_OK;
}

bool mass_network_is_followed(const mass_phase_def *p)
{
    bool follows = mass_callback_is_of_nodes(p->callback) || mass_phase_turns_nodes(p);
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        follows |= mass_access_follows_edges(p->callback->fields[i].access, p->callback->over);
    return follows;
}

mass_status mass_network_check_phase(const mass_model *m, const mass_phase_def *p, mass_error *error)
{
    if (p->callback->set_count > MASS_EDGE_SETS || (p->callback->set_count && !p->callback->sets))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s walks %u sets of edges: it may walk %d",
                              p->callback->name, p->callback->set_count, MASS_EDGE_SETS);
    for (uint32_t k = 1; k <= p->callback->set_count; k++)
        if (mass_phase_edges(m, p, k) < 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s walks '%s', which is no set of edges of network "
                                  "'%s': declare it by MASS_EDGE_SET", p->callback->name,
                                  p->callback->sets[k - 1] ? p->callback->sets[k - 1] : "", m->spaces[p->space].name);
    if (!mass_network_is_followed(p) || mass_model_network_of(m, p->space)) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is over the nodes of a network, and '%s' is none: "
                          "declare it by MASS_NETWORK", p->callback->name, m->spaces[p->space].name);
}
