/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/memory_check.h"
#include "population/population.h"
#include "population/turn_memory.h"
#include "population/relink_there.h"
#include "population/turn_nodes.h"
#include "population/turn_window.h"
#include "process/available_memory.h"
#include "ranks/rpc.h"
#include "snapshot/create.h"
#include "snapshot/snapshot.h"
#include "state/edges.h"
#include "state/tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory needed ---- */

/* Returns the bytes of all tallies of these worlds. */
static double tally_bytes(const mass_model *m, int32_t worlds) { return (double)worlds * 8 * (double)m->tally_words; }

/* Returns how many partitions one rank has. */
static int32_t own_partitions(const mass_share *s)
{
    return mass_share_is_split(s) ? s->partitions / s->comm->size : s->partitions;
}

/* Returns the bytes of an array of places in this rank's partitions, twice if it is buffered; 2^63 if they overflow. */
static double bytes_of_array(const mass_model *m, const mass_share *share, uint32_t array)
{
    const mass_array_def *a = &m->arrays[array];
    const uint32_t space = m->attributes[a->attribute].space;
    const mass_space_def *s = &m->spaces[space];
    const int32_t worlds = mass_share_worlds_of(share, share->comm->rank);
    const int32_t begin = share->first_partition, end = begin + own_partitions(share);
    double bytes = 0;
    for (int32_t i = begin; i < end; i++) {
        const mass_gidx first = mass_share_row(share, s, i), rows = mass_share_row(share, s, i + 1) - first;
        mass_layout layout;
        if (!mass_layout_make(m, space, first, rows, worlds, &layout)) return 0x1p63;
        bytes += (double)mass_array_bytes(a, layout.elements);
    }
    return bytes * (a->buffered ? 2 : 1);
}

/* Returns the bytes that attributes of places take on this rank. *largest: those of the largest attribute. */
static double bytes_of_places(const mass_model *m, const mass_share *share, double *largest)
{
    double bytes = 0;
    *largest = 0;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        double own = 0;
        for (uint32_t k = 0; a->population < 0 && k < (a->layout == MASS_PLANES ? a->length : 1); k++)
            own += bytes_of_array(m, share, a->first_array + k);
        if (own > *largest) *largest = own;
        bytes += own;
    }
    return bytes;
}

/* Returns the fraction of a space's rows that this rank has. */
static double part_of(const mass_share *share, const mass_space_def *s)
{
    const int32_t first = share->first_partition, count = own_partitions(share);
    const mass_gidx rows = mass_share_row(share, s, first + count) - mass_share_row(share, s, first);
    return (double)rows / (double)s->size[mass_slab_axis(s)];
}

/* Returns the fraction of a space that this rank's window has at first, in phases in turn; 1 if ranks do not split the
 * space. */
static double part_in_turn(const mass_model *m, const mass_share *share, uint32_t space)
{
    if (!mass_share_is_split(share)) return 1;
    const mass_turn_window w = mass_turn_window_of(share, &m->spaces[space], share->comm->rank,
                                                   mass_turn_window_more(m, space));
    return (double)w.count / (double)w.size;
}

/* Returns whether a phase in turn acts on a copy of an array of places (population/turn_places.h). */
static bool acts_on_copy(const mass_model *m, const mass_share *share, const mass_phase_def *p, uint32_t array)
{
    bool names = false, copies = own_partitions(share) > 1 || mass_share_is_split(share) ||
                                 (mass_phase_turns_places(p) && p->turn_order == MASS_TURN_BY_VALUE);
    if (!mass_phase_is_in_turn(p)) return false;
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        if (mass_phase_class(p, i) != MASS_CLASS_PLACES) continue;
        names |= p->targets[i].index == array;
        copies |= m->arrays[p->targets[i].index].bits;
    }
    return names && copies;
}

/* Returns the bytes of the copies of places on which phases in turn act. */
static double bytes_of_copies(const mass_model *m, const mass_share *share)
{
    const int32_t worlds = mass_share_worlds_of(share, share->comm->rank);
    double bytes = 0;
    for (uint32_t a = 0; a < m->array_count; a++) {
        const mass_attribute_def *of = &m->attributes[m->arrays[a].attribute];
        bool copied = false;
        for (uint32_t i = 0; of->population < 0 && i < m->phase_count; i++)
            copied |= acts_on_copy(m, share, &m->phases[i], a);
        if (!copied) continue;
        bytes += (m->arrays[a].bits ? 1 : (double)m->arrays[a].element_size) * worlds *
                 (double)mass_space_places(&m->spaces[of->space]) * part_in_turn(m, share, of->space);
    }
    return bytes;
}

double mass_memory_of_share(const mass_model *m, const mass_share *share)
{
    const int32_t worlds = mass_share_worlds_of(share, share->comm->rank);
    double largest, bytes = (double)worlds * 8 * (1 + m->parameters.count + mass_model_reduction_values(m)) +
                            tally_bytes(m, worlds);
    if (mass_model_reads_totals(m)) bytes += (double)worlds * 8 * m->tally_count;
    if (share->comm->size > 1) bytes += (double)share->worlds * 8 * (double)mass_total_words(m);
    bytes += bytes_of_places(m, share, &largest) + bytes_of_copies(m, share) + mass_domain_edges_bytes(m, worlds);
    for (uint32_t s = 0; s < m->space_count; s++)
        bytes += (double)worlds * (double)mass_space_places(&m->spaces[s]) * mass_turn_bytes_of_actor(m, s) *
                 part_in_turn(m, share, s);
    for (uint32_t p = 0; p < m->population_count; p++) {
        const uint32_t space = m->populations[p].space;
        const bool window = m->populations[p].in_turn && mass_share_is_split(share);
        bytes += mass_population_bytes(m, p, worlds) *
                 (part_of(share, &m->spaces[space]) + (window ? part_in_turn(m, share, space) : 0));
    }
    return bytes;
}

double mass_domain_bytes(const mass_model *m, int32_t partitions, int32_t worlds)
{
    const mass_share alone = mass_share_make(mass_comm_self(), worlds, partitions, NULL);
    return mass_memory_of_share(m, &alone);
}

/* Returns the estimated bytes of a snapshot of all ranks. A run holds one in host memory for every checkpoint. */
static double snapshot_bytes(const mass_model *m, int32_t worlds)
{
    double bytes = tally_bytes(m, worlds);
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        if (a->streamed) continue;
        const double elements = a->population >= 0 ? mass_population_estimate(m, (uint32_t)a->population)
                                                   : (double)mass_space_places(&m->spaces[a->space]);
        bytes += elements * (double)mass_element_size(a) * worlds;
    }
    return bytes;
}

/* ---- memory available ---- */

/* Bytes that a rank needs, and the memory they are in. */
typedef struct need {
    char host[64];
    uint8_t device[16]; /* identity; all zero: the device uses host memory */
    double on_device, on_host;
    double agents_on_device, agents_on_host; /* parts that agents of the largest population take */
    double writer; /* part of on_host that writing a snapshot takes, whatever its size */
} need;

/* Returns the population that takes most, of those whose number alone decides how many agents there are and that
 * outnumber the places; -1: none. */
static int32_t find_largest(const mass_model *m)
{
    int32_t largest = -1;
    double most = 0;
    for (uint32_t p = 0; p < m->population_count; p++) {
        const mass_population_def *population = &m->populations[p];
        const double bytes = mass_population_estimate(m, p) * mass_population_bytes_of_agent(m, p);
        if (population->initial != MASS_RANDOM_PLACES || bytes <= most ||
            population->count <= mass_space_places(&m->spaces[population->space]))
            continue;
        most = bytes;
        largest = (int32_t)p;
    }
    return largest;
}

/* Adds the parts of a need that agents of the largest population take, if its number alone decides how many there
 * are. n->on_device is set before. snapshot: this rank's host holds one. */
static void add_agents(const mass_model *m, const mass_share *share, bool snapshot, need *n)
{
    const int32_t largest = find_largest(m);
    if (largest < 0) return;
    const double agents = mass_population_estimate(m, (uint32_t)largest);
    const double state = mass_share_worlds_of(share, share->comm->rank) * agents *
                         mass_population_bytes_of_agent(m, (uint32_t)largest) *
                         part_of(share, &m->spaces[m->populations[largest].space]);
    for (uint32_t i = 0; snapshot && i < m->attribute_count; i++)
        if (m->attributes[i].population == largest && !m->attributes[i].streamed)
            n->agents_on_host += agents * (double)mass_element_size(&m->attributes[i]) * share->worlds;
    if (n->on_device > 0) n->agents_on_device = state;
    else n->agents_on_host += state;
}

/* Returns what this rank needs, on its device and its host. Rank 0 also counts a snapshot and its writer.
 * Leaves need.device at zero. */
static need find_need(const mass_model *m, const mass_device *device, const mass_share *share)
{
    const mass_memory_operations *memory = device->table->memory;
    const mass_comm *comm = share->comm;
    const bool joins = device->table->agents && device->table->agents->turn && device->table->agents->turn->join;
    const double nodes = joins ? mass_turn_nodes_bytes(m, mass_share_worlds_of(share, comm->rank)) : 0;
    const bool relinks = device->table->agents && device->table->agents->relink;
    const double changes = relinks ? mass_relink_there_bytes(m, share) : 0;
    const double state = mass_memory_of_share(m, share) + nodes + changes;
    const double snapshot = comm->rank == 0 ? snapshot_bytes(m, share->worlds) : 0;
    const double writer = (double)mass_snapshot_writer_room(snapshot);
    need n = {.on_device = state, .on_host = snapshot + writer, .writer = writer};
    if (comm->host) snprintf(n.host, sizeof n.host, "%s", comm->host);
    if (memory->in_host_memory) n.on_host += state;
    if (memory->in_host_memory) n.on_device = 0;
    add_agents(m, share, comm->rank == 0, &n);
    return n;
}

double mass_memory_of_run(const mass_model *m, const mass_device *device, const mass_share *share)
{
    const need n = find_need(m, device, share);
    return device->table->memory->in_host_memory ? n.on_host : n.on_device;
}

/* Total need of the ranks that use one device or one host. */
typedef struct demand {
    double bytes, agents, writer;
    int32_t ranks;
} demand;

/* Returns the sum of the needs of all ranks that use the device of rank `own`, or its host. Ranks that need
 * nothing there are left out. */
static demand add_up(const need *list, int32_t ranks, int32_t own, bool of_device)
{
    demand sum = {0};
    for (int32_t r = 0; r < ranks; r++) {
        const double bytes = of_device ? list[r].on_device : list[r].on_host;
        if (strcmp(list[r].host, list[own].host) != 0 || bytes == 0) continue;
        if (of_device && memcmp(list[r].device, list[own].device, sizeof list[r].device) != 0) continue;
        sum.bytes += bytes;
        sum.agents += of_device ? list[r].agents_on_device : list[r].agents_on_host;
        if (!of_device) sum.writer += list[r].writer;
        sum.ranks++;
    }
    return sum;
}

/* Returns the bytes that are left for what is not writing a snapshot. Only one that is small takes none to write. */
static double left(demand needed, double available)
{
    const double large = available - needed.writer;
    const double small = available < MASS_SNAPSHOT_LITTLE ? available : MASS_SNAPSHOT_LITTLE;
    return large > small ? large : small;
}

/* Returns the fraction of the space that fits. */
static double fitting(demand needed, double available)
{
    return left(needed, available) / (needed.bytes - needed.writer);
}

/* Returns how many agents of the largest population fit in a world; 0: it is not what is too much. */
static double fitting_agents(const mass_model *m, int32_t largest, demand needed, double available)
{
    if (largest < 0 || needed.agents < needed.bytes / 4) return 0;
    const mass_population_def *p = &m->populations[largest];
    const double others = needed.bytes - needed.writer - needed.agents;
    const double seats = (double)p->capacity * (double)mass_space_places(&m->spaces[p->space]);
    const double fit = floor((double)p->count * (left(needed, available) - others) / needed.agents);
    return p->capacity && seats < fit ? seats : fit;
}

/* Refuses if the demand exceeds the available bytes. Says how small a space would fit, how few agents, or that tallies
 * take much of it. where: what has the memory. worlds: those whose state it has. */
static mass_status check_demand(const mass_model *m, int32_t worlds, const char *where, demand needed,
                                size_t available, mass_error *error)
{
    if (needed.bytes <= (double)available) return MASS_OK;
    char wants[32], has[32], together[48] = "", of_ranks[48] = "";
    mass_format_bytes(wants, needed.bytes);
    mass_format_bytes(has, (double)available);
    if (needed.ranks > 1) snprintf(of_ranks, sizeof of_ranks, " for %d of its ranks", needed.ranks);
    if (tally_bytes(m, worlds) > needed.bytes / needed.ranks / 4)
        return mass_error_set(error, MASS_NO_DEVICE, "%s needs %s%s, %s has %s free, and tallies take much of it: use "
                              "fewer bins%s", m->plugin, wants, of_ranks, where, has, worlds > 1 ? " or worlds" : "");
    const int32_t largest = find_largest(m);
    const double agents = fitting_agents(m, largest, needed, (double)available);
    if (agents >= 1)
        return mass_error_set(error, MASS_NO_DEVICE, "%s needs %s%s, %s has %s free: use at most %.0f agents in "
                              "population %s%s, which has %" PRId64 "%s", m->plugin, wants, of_ranks, where, has,
                              agents, m->populations[largest].name, worlds > 1 ? " of each world" : "",
                              m->populations[largest].count, worlds > 1 ? ", or fewer worlds" : "");
    double places = 0;
    for (uint32_t s = 0; s < m->space_count; s++) places += (double)mass_space_places(&m->spaces[s]);
    if (worlds > 1) snprintf(together, sizeof together, " over all %d worlds", worlds);
    return mass_error_set(error, MASS_NO_DEVICE, "%s needs %s%s, %s has %s free: use a space of at most %.0f places%s",
                          m->plugin, wants, of_ranks, where, has,
                          places * worlds * fitting(needed, (double)available), together);
}

/* Checks what all ranks need together on this rank's device and, if this rank needs host memory, on its host. Sets
 * share->neighbours to the ranks that use the device. */
static mass_status check_needs(const mass_model *m, mass_device *device, mass_share *share, const need *list,
                               size_t on_device, mass_error *error)
{
    const mass_device_table *t = device->table;
    const mass_comm *comm = share->comm;
    const int32_t worlds = mass_share_worlds_of(share, comm->rank);
    const bool in_host_memory = t->memory->in_host_memory;
    const demand of_device = add_up(list, comm->size, comm->rank, !in_host_memory);
    size_t on_host;
    share->neighbours = of_device.ranks;
    mass_status status = check_demand(m, worlds, t->name(device), of_device, on_device, error);
    if (status != MASS_OK || in_host_memory || list[comm->rank].on_host == 0) return status;
    status = mass_available_memory_left(&on_host, error);
    if (status != MASS_OK) return status;
    return check_demand(m, share->worlds, "this machine", add_up(list, comm->size, comm->rank, false), on_host, error);
}

mass_status mass_memory_check(const mass_model *m, mass_device *device, mass_share *share, mass_error *error)
{
    mass_comm *comm = share->comm;
    need own = find_need(m, device, share);
    const size_t bytes = (size_t)comm->size * sizeof own;
    size_t on_device = 0; /* read before any rank allocates */
    need *list = malloc(bytes);
    if (device->table->memory->identify) device->table->memory->identify(device, own.device);
    mass_status status = list ? MASS_OK : mass_error_memory(error, bytes, "ranks");
    if (status == MASS_OK) status = device->table->memory->available(device, &on_device, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_gather(comm, &own, sizeof own, list, error);
    if (status == MASS_OK) status = check_needs(m, device, share, list, on_device, error);
    free(list);
    return status;
}

/* Refuses a slab of another size if it needs more than the available bytes. where: what has the memory. */
static mass_status check_free(double needed, size_t available, const char *where, mass_error *error)
{
    char wants[32], has[32];
    if (needed <= (double)available) return MASS_OK;
    mass_format_bytes(wants, needed);
    mass_format_bytes(has, (double)available);
    return mass_error_set(error, MASS_NO_DEVICE, "another slab needs %s, and %s has %s free for it", wants, where, has);
}

mass_status mass_memory_check_repartition(const mass_domain *d, const mass_share *share, double agents,
                                        double columns, mass_error *error)
{
    const mass_device_table *t = d->device->table;
    double largest, smaller;
    const double after = bytes_of_places(d->model, share, &largest);
    const double more = after - bytes_of_places(d->model, &d->share, &smaller);
    const double needed = largest + (more > 0 ? more : 0) + agents;
    size_t available, on_host;
    mass_status status = t->memory->available(d->device, &available, error);
    if (status != MASS_OK) return status;
    available /= (size_t)d->share.neighbours;
    if (t->memory->in_host_memory) return check_free(needed + columns, available, t->name(d->device), error);
    status = check_free(needed, available, t->name(d->device), error);
    if (status == MASS_OK) status = mass_available_memory_left(&on_host, error);
    return status == MASS_OK ? check_free(columns, on_host, "this machine", error) : status;
}
