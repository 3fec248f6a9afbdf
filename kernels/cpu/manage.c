/* Births, deaths and moves of a population (manage.h), on slabs of cells, one a thread.
 *
 * Who wants to stand on a cell is linked in a list of that cell: an item is 1 + the index of an agent that
 * claims it, or 1 + count + the number of a birth there. Births that come before the moves lie at the end
 * of a list, those after them at its beginning. When a cell is decided its claims are put worst first; one
 * that is taken back puts its agent back on its own cell, where the worst claim, now one too many, is
 * popped, and so on. Which thread pops first changes who pops whom, not who is popped. At last every cell
 * is the merge of the agents that stayed and its list.
 */
#include "cpu/kernels.h"

#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

/* Of an agent. Claims are granted until they lose; a birth is BORN or REFUSED. */
enum { KEPT, STANDS, REFUSED, GONE, CLAIMS, CLAIMS_FIRST, LOSES, BORN, BORN_FIRST };
enum { PARTS_MAX = 256, PART = 1 << 16, AGENT_WORK = 16, BLOCK = 64, AHEAD = 32 };

typedef struct manage_part {
    uint64_t cell;           /* the first */
    uint32_t agent;          /* the first, as they were */
    uint32_t births, gone;   /* births asked for before this part; deaths in it */
    uint32_t begin, arrived; /* new index of its first agent; agents afterwards */
} manage_part;

typedef struct manage_job {
    const mass_manage_work *w;
    uint64_t cells;
    uint32_t count, births, total;
    bool spawn_first, spawn_last; /* before KILL, after MIGRATE */
    bool moved;
    int parts;
    uint32_t *head;             /* [cells] */
    uint32_t *next;             /* [1 + count + births] by item */
    uint8_t *state;             /* [count + births] */
    uint32_t *seats;            /* [count] free seats of a cell, at its first agent */
    uint32_t *order;            /* [count + births] where an agent was; at first claims of other parts */
    uint64_t *child_id;         /* [births] */
    uint32_t *parent, *number, *where; /* [births] */
    uint32_t *first;            /* [worlds + 1] agents, as they were */
    uint32_t *asked, *born;     /* [worlds] births */
    manage_part part[PARTS_MAX + 1];
} manage_job;

typedef bool manage_before(const manage_job *j, uint32_t a, uint32_t b);

static void each_part(manage_job *j, void (*work)(manage_job *j, int p))
{
#pragma omp parallel for schedule(static, 1) num_threads(j->parts) if (j->parts > 1)
    for (int p = 0; p < j->parts; p++) work(j, p);
}

static bool is_closed(const mass_manage_work *w, uint64_t world) { return w->gates && w->gates[world]; }
static bool is_claim(const manage_job *j, uint32_t item) { return item - 1 < j->count; }
static bool is_birth(const manage_job *j, uint32_t item) { return item > j->count; }

/* The part's agents from `agent` on that are of one world; returns the end. */
static uint32_t world_end(const manage_job *j, int p, uint32_t agent, uint64_t *world)
{
    const uint32_t last = j->part[p + 1].agent;
    *world = j->w->cell[agent] / (uint64_t)j->w->places;
    const uint32_t end = j->w->start[(*world + 1) * (uint64_t)j->w->places];
    return end < last ? end : last;
}

/* Lists. */

static uint32_t merge(const manage_job *j, uint32_t a, uint32_t b, manage_before *before)
{
    uint32_t list, *end = &list;
    while (a && b) {
        uint32_t *const from = before(j, b, a) ? &b : &a;
        *end = *from;
        end = &j->next[*from];
        *from = *end;
    }
    *end = a ? a : b;
    return list;
}

/* The first n items of a list, in order. */
static uint32_t sort(const manage_job *j, uint32_t list, uint32_t n, manage_before *before)
{
    if (n == 0) return 0;
    if (n == 1) {
        j->next[list] = 0;
        return list;
    }
    uint32_t second = list;
    for (uint32_t i = 0; i < n / 2; i++) second = j->next[second];
    list = sort(j, list, n / 2, before);
    return merge(j, list, sort(j, second, n - n / 2, before), before);
}

/* Puts `rest` behind the first n items of a list. */
static void append(const manage_job *j, uint32_t *list, uint32_t n, uint32_t rest)
{
    while (n--) list = &j->next[*list];
    *list = rest;
}

/* Returns the list as it was. */
static uint32_t push(const manage_job *j, uint64_t cell, uint32_t item, bool shared)
{
    uint32_t old = j->head[cell];
    if (shared) old = __atomic_exchange_n(&j->head[cell], item, __ATOMIC_RELAXED);
    else j->head[cell] = item;
    j->next[item] = old;
    return old;
}

static uint32_t length(const manage_job *j, uint32_t list)
{
    uint32_t n = 0;
    for (; list; list = j->next[list]) n++;
    return n;
}

/* States. */

static uint8_t get_state(const manage_job *j, uint32_t i) { return __atomic_load_n(&j->state[i], __ATOMIC_RELAXED); }
static void set_state(const manage_job *j, uint32_t i, uint8_t s)
{
    __atomic_store_n(&j->state[i], s, __ATOMIC_RELAXED);
}

static bool is_lost(uint8_t state) { return state == REFUSED || state == LOSES; }
static bool is_moving(uint8_t state) { return state == CLAIMS || state == CLAIMS_FIRST; }
static bool is_staying(uint8_t state) { return state <= REFUSED || state == LOSES; }

static uint8_t state_of(const mass_manage_work *w, uint32_t i)
{
    if (w->asked[i] & MASS_ASKED_KILL) return GONE;
    if (w->move[i] == MASS_CELL_STAY || w->move[i] == w->cell[i]) return STANDS;
    return w->move[i] == MASS_CELL_NOWHERE ? REFUSED : CLAIMS;
}

static void mark(manage_job *j, int p)
{
    uint32_t gone = 0;
    uint64_t world;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        if (is_closed(j->w, world)) memset(j->state + i, KEPT, end - i);
        else
            for (uint32_t k = i; k < end; k++) gone += (j->state[k] = state_of(j->w, k)) == GONE;
    }
    j->part[p].gone = gone;
}

/* Agents that hold a seat of a cell: of those that stood there when manage began. */
static uint32_t standing(const manage_job *j, uint64_t cell)
{
    uint32_t n = 0;
    for (uint32_t i = j->w->start[cell]; i < j->w->start[cell + 1]; i++) {
        const uint8_t state = get_state(j, i);
        n += state <= REFUSED || (j->moved && state == LOSES);
    }
    return n;
}

static uint32_t alive(const manage_job *j, uint64_t cell)
{
    uint32_t n = 0;
    for (uint32_t i = j->w->start[cell]; i < j->w->start[cell + 1]; i++) n += j->state[i] != GONE;
    return n;
}

static uint32_t less(uint32_t a, uint64_t b) { return a > b ? (uint32_t)(a - b) : 0; }

/* Births. */

static bool birth_before(const manage_job *j, uint32_t a, uint32_t b)
{
    const uint32_t k = a - 1 - j->count, l = b - 1 - j->count;
    const uint64_t id_a = j->w->id[j->parent[k]], id_b = j->w->id[j->parent[l]];
    return id_a < id_b || (id_a == id_b && j->number[k] < j->number[l]);
}

static void ask_birth(manage_job *j, uint32_t k, uint32_t i, uint32_t b)
{
    const mass_manage_work *w = j->w;
    uint32_t cell = w->child_cell[(size_t)b * w->room + i];
    if (cell == MASS_CELL_STAY) cell = j->moved && is_moving(j->state[i]) ? w->move[i] : w->cell[i];
    j->parent[k] = i;
    j->number[k] = b;
    j->where[k] = cell;
    j->state[j->count + k] = REFUSED;
    if (cell == MASS_CELL_NOWHERE) return;
    const uint32_t old = push(j, cell, 1 + j->count + k, j->parts > 1);
    j->state[j->count + k] = is_birth(j, old) ? BORN : BORN_FIRST;
}

static void ask_births(manage_job *j, int p)
{
    uint32_t k = j->part[p].births;
    uint64_t world;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        if (is_closed(j->w, world)) continue;
        for (uint32_t a = i; a < end; a++) {
            const uint32_t births = j->w->asked[a] & ~MASS_ASKED_KILL;
            for (uint32_t b = 0; b < births; b++) ask_birth(j, k++, a, b);
        }
    }
}

static void seat_births_of_cell(manage_job *j, uint64_t cell)
{
    const mass_manage_work *w = j->w;
    uint32_t n = 0, rest = j->head[cell], there;
    for (; is_birth(j, rest); rest = j->next[rest]) n++;
    if (j->spawn_first) there = w->start[cell + 1] - w->start[cell];
    else there = j->spawn_last ? standing(j, cell) : alive(j, cell);
    uint32_t seats = less(w->capacity, (uint64_t)there + length(j, rest));
    if (seats > n) seats = n;
    uint32_t list = sort(j, j->head[cell], n, birth_before), out = list;
    for (uint32_t i = 0; i < seats; i++) out = j->next[out];
    for (; out; out = j->next[out]) {
        set_state(j, out - 1, REFUSED);
        j->where[out - 1 - j->count] = MASS_CELL_NOWHERE;
    }
    append(j, &list, seats, rest);
    j->head[cell] = list;
}

static void seat_births(manage_job *j, int p)
{
    for (uint32_t k = j->part[p].births; k < j->part[p + 1].births; k++)
        if (get_state(j, j->count + k) == BORN_FIRST) seat_births_of_cell(j, j->where[k]);
}

static void number_births(manage_job *j)
{
    uint32_t world = 0;
    for (uint32_t k = 0; k < j->births; k++) {
        while (j->parent[k] >= j->first[world + 1]) world++;
        j->asked[world]++;
        if (j->where[k] != MASS_CELL_NOWHERE) j->child_id[k] = j->w->next_id[world] + j->born[world]++;
    }
}

static void spawn(manage_job *j)
{
    if (j->births == 0) return;
    each_part(j, ask_births);
    if (j->w->capacity) each_part(j, seat_births);
    number_births(j);
}

/* Moves. */

static uint64_t above(int64_t value) { return (uint64_t)value ^ (uint64_t)1 << 63; }

/* A number as one that orders the same way. */
static uint64_t number_rank(double value)
{
    uint64_t bits;
    value += 0.0; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t priority(const mass_manage_work *w, uint32_t i)
{
    switch (w->priority_type) {
    case MASS_I32: return above(((const int32_t *)w->priority)[i]);
    case MASS_U32: return ((const uint32_t *)w->priority)[i];
    case MASS_I64: return above(((const int64_t *)w->priority)[i]);
    case MASS_U64: return ((const uint64_t *)w->priority)[i];
    case MASS_F32: return number_rank(((const float *)w->priority)[i]);
    default: return number_rank(((const double *)w->priority)[i]);
    }
}

static uint64_t lot(const mass_manage_work *w, uint32_t i)
{
    const uint64_t world = w->worlds == 1 ? 0 : w->cell[i] / (uint64_t)w->places;
    const uint64_t step = w->clock ? w->step + *w->clock : w->step;
    const mass_random4 r = mass_random_block(w->keys[world], w->id[i], step, w->phase, MASS_LOTTERY_DRAW);
    return (uint64_t)r.v[0] << 32 | r.v[1];
}

static bool worse(const manage_job *j, uint32_t a, uint32_t b)
{
    const mass_manage_work *w = j->w;
    const uint32_t i = a - 1, k = b - 1;
    if (w->conflict == MASS_HIGHEST_PRIORITY) {
        const uint64_t pi = priority(w, i), pk = priority(w, k);
        if (pi != pk) return pi < pk;
    } else if (w->conflict == MASS_LOTTERY) {
        const uint64_t li = lot(w, i), lk = lot(w, k);
        if (li != lk) return li > lk;
    }
    return w->id[i] > w->id[k];
}

/* Where a place holds one agent, only the best claim is linked. */
static void claim_alone(manage_job *j, uint32_t i, bool shared)
{
    const uint32_t item = 1 + i;
    uint32_t *const head = &j->head[j->w->move[i]], old = __atomic_load_n(head, __ATOMIC_RELAXED);
    j->next[item] = 0;
    for (;;) {
        if (old && (is_birth(j, old) || worse(j, item, old))) {
            set_state(j, i, LOSES);
            return;
        }
        if (!shared) *head = item;
        else if (!__atomic_compare_exchange_n(head, &old, item, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
        if (old) set_state(j, old - 1, LOSES);
        return;
    }
}

static void claim(manage_job *j, uint32_t i, bool shared)
{
    if (j->w->capacity == 1) claim_alone(j, i, shared);
    else if (!is_claim(j, push(j, j->w->move[i], 1 + i, shared))) j->state[i] = CLAIMS_FIRST;
}

/* Those to cells of other parts wait in `order`, until no part writes its own heads any more. */
static void claim_own(manage_job *j, int p)
{
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    uint32_t *later = j->order + j->part[p].agent;
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++) {
        if (i + AHEAD < j->part[p + 1].agent && j->state[i + AHEAD] == CLAIMS)
            __builtin_prefetch(&j->head[j->w->move[i + AHEAD]], 1);
        if (j->state[i] != CLAIMS) continue;
        if (j->w->move[i] - first < cells) claim(j, i, false);
        else *later++ = i;
    }
    j->part[p].arrived = (uint32_t)(later - j->order) - j->part[p].agent;
}

static void claim_others(manage_job *j, int p)
{
    const uint32_t *const later = j->order + j->part[p].agent;
    for (uint32_t i = 0; i < j->part[p].arrived; i++) claim(j, later[i], true);
}

/* Grants a cell's best claims as if every agent left that wants to. */
static void decide_cell(manage_job *j, uint64_t cell)
{
    const mass_manage_work *w = j->w;
    uint32_t claims = 0, list = j->head[cell], rest = list;
    for (; is_claim(j, rest); rest = j->next[rest]) claims++;
    const uint32_t seats = less(w->capacity, (uint64_t)standing(j, cell) + length(j, rest));
    list = sort(j, list, claims, worse);
    for (; claims > seats; claims--) {
        set_state(j, list - 1, LOSES);
        list = j->next[list];
    }
    append(j, &list, claims, rest);
    j->head[cell] = list;
    if (w->start[cell] < w->start[cell + 1]) j->seats[w->start[cell]] = seats - claims;
}

static void decide(manage_job *j, int p)
{
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++)
        if (get_state(j, i) == CLAIMS_FIRST) decide_cell(j, j->w->move[i]);
}

static bool take_seat(manage_job *j, uint32_t *seats)
{
    uint32_t n = __atomic_load_n(seats, __ATOMIC_RELAXED);
    if (j->parts == 1) return n > 0 ? (--*seats, true) : false;
    while (n && !__atomic_compare_exchange_n(seats, &n, n - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
    return n > 0;
}

/* The agent of a cell's worst claim, as an item; 0: none left. */
static uint32_t pop_claim(manage_job *j, uint64_t cell)
{
    uint32_t *const head = &j->head[cell], item = __atomic_load_n(head, __ATOMIC_RELAXED);
    while (is_claim(j, item)) {
        const uint32_t next = j->next[item];
        if (__atomic_compare_exchange_n(head, &item, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return item;
    }
    return 0;
}

/* Agent i stays where it is; whom that drives back stays too. */
static void follow_chain(manage_job *j, uint32_t i)
{
    for (;;) {
        const uint64_t cell = j->w->cell[i];
        if (!is_claim(j, __atomic_load_n(&j->head[cell], __ATOMIC_RELAXED))) return;
        if (j->w->capacity > 1 && take_seat(j, &j->seats[j->w->start[cell]])) return;
        const uint32_t item = pop_claim(j, cell);
        if (!item) return;
        i = item - 1;
        set_state(j, i, REFUSED);
    }
}

/* With one seat a place, undecided until now, those that stay drive others back too. */
static void follow_chains(manage_job *j, int p)
{
    const bool all = j->w->capacity == 1;
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++) {
        const uint8_t state = get_state(j, i);
        if (state == LOSES || (all && is_staying(state))) follow_chain(j, i);
    }
}

static void migrate(manage_job *j)
{
    each_part(j, claim_own);
    if (j->parts > 1) each_part(j, claim_others);
    if (j->w->capacity) {
        if (j->w->capacity > 1) each_part(j, decide);
        each_part(j, follow_chains);
    }
    j->moved = true;
}

/* The new order. */

static int part_of(const manage_job *j, uint64_t cell)
{
    int low = 0, high = j->parts;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (j->part[middle].cell <= cell) low = middle;
        else high = middle;
    }
    return low;
}

static void count_arrivals(manage_job *j, int p)
{
    uint32_t arrived[PARTS_MAX] = {0};
    const uint64_t first = j->part[p].cell, cells = j->part[p + 1].cell - first;
    for (uint32_t i = j->part[p].agent; i < j->part[p + 1].agent; i++) {
        const bool own = !is_moving(j->state[i]) || j->w->move[i] - first < cells;
        arrived[own ? p : part_of(j, j->w->move[i])] += j->state[i] != GONE;
    }
    for (uint32_t k = j->part[p].births; k < j->part[p + 1].births; k++)
        if (j->where[k] != MASS_CELL_NOWHERE) arrived[part_of(j, j->where[k])]++;
    for (int q = 0; q < j->parts; q++) __atomic_fetch_add(&j->part[q].arrived, arrived[q], __ATOMIC_RELAXED);
}

static void find_begins(manage_job *j)
{
    if (j->parts > 1) {
        for (int p = 0; p < j->parts; p++) j->part[p].arrived = 0;
        each_part(j, count_arrivals);
    }
    j->part[0].begin = 0;
    for (int p = 1; p < j->parts; p++) j->part[p].begin = j->part[p - 1].begin + j->part[p - 1].arrived;
}

static uint64_t item_id(const manage_job *j, uint32_t item)
{
    return is_claim(j, item) ? j->w->id[item - 1] : j->child_id[item - 1 - j->count];
}

static bool id_before(const manage_job *j, uint32_t a, uint32_t b) { return item_id(j, a) < item_id(j, b); }

/* What becomes of a block of cells. */
typedef struct manage_block {
    uint64_t first;            /* cell */
    uint32_t cells, end;       /* end: of its agents, as they were */
    uint32_t placed[BLOCK];    /* agents of each cell; all 0 between blocks */
    uint32_t count, item[BLOCK], cell[BLOCK]; /* not yet put */
} manage_block;

static inline void put(const manage_job *j, uint32_t at, uint32_t cell, uint32_t item)
{
    const uint8_t state = j->state[item - 1];
    j->order[at] = item - 1;
    j->w->id_to[at] = item_id(j, item);
    j->w->cell_to[at] = cell;
    j->w->lost_to[at] = state == KEPT ? j->w->lost[item - 1] : is_lost(state);
}

static uint32_t put_block(const manage_job *j, uint32_t at, manage_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) put(j, at++, block->cell[i], block->item[i]);
    block->count = 0;
    return at;
}

/* The agents from i to before end that stay on a cell, merged with a list; returns the index after them. */
static uint32_t put_cell(const manage_job *j, uint32_t at, uint32_t cell, uint32_t i, uint32_t end, uint32_t list)
{
    if (j->next[list]) list = sort(j, list, length(j, list), id_before);
    for (; i < end; i++) {
        if (!is_staying(j->state[i])) continue;
        for (; list && id_before(j, list, 1 + i); list = j->next[list]) put(j, at++, cell, list);
        put(j, at++, cell, 1 + i);
    }
    for (; list; list = j->next[list]) put(j, at++, cell, list);
    return at;
}

/* Cells that get one agent at most, which are the most, wait in the block: no branch depends on them. */
static inline uint32_t arrange_cell(const manage_job *j, uint32_t at, uint32_t k, manage_block *block)
{
    const uint32_t cell = (uint32_t)block->first + k, list = j->head[cell];
    const uint32_t i = j->w->start[cell], end = k + 1 < block->cells ? j->w->start[cell + 1] : block->end;
    const bool stays = (end > i) & is_staying(j->state[i]);
    j->head[cell] = 0;
    if ((end - i > 1) | (stays & (list > 0)) | (j->next[list] > 0)) {
        at = put_block(j, at, block);
        const uint32_t after = put_cell(j, at, cell, i, end, list);
        block->placed[k] = after - at;
        return after;
    }
    const uint32_t item = stays ? 1 + i : list;
    block->item[block->count] = item;
    block->cell[block->count] = cell;
    block->placed[k] = item > 0;
    block->count += item > 0;
    return at;
}

/* The cells of a block that have or get agents, as bits. */
static inline uint64_t occupied(const manage_job *j, const manage_block *block)
{
    const uint32_t *const start = j->w->start + block->first, *const head = j->head + block->first;
    const uint32_t last = block->cells - 1;
    uint8_t flags[BLOCK] = {0};
    uint64_t set = 0;
    for (uint32_t k = 0; k < last; k++) flags[k] = (head[k] | (start[k] ^ start[k + 1])) != 0;
    flags[last] = head[last] || start[last] != block->end;
    for (int k = BLOCK / 8 - 1; k >= 0; k--) {
        uint64_t eight;
        memcpy(&eight, flags + 8 * k, sizeof eight);
        set = set << 8 | (eight * 0x0102040810204080) >> 56;
    }
    return set;
}

static uint32_t arrange_block(const manage_job *j, uint32_t at, manage_block *block)
{
    uint32_t *const start = j->w->start + block->first, n = at;
    const uint64_t all = occupied(j, block);
    for (uint64_t set = all; set; set &= set - 1)
        __builtin_prefetch(&j->next[j->head[block->first + (uint64_t)__builtin_ctzll(set)]]);
    for (uint64_t set = all; set; set &= set - 1)
        at = arrange_cell(j, at, (uint32_t)__builtin_ctzll(set), block);
    for (uint32_t k = 0; k < block->cells; k++) {
        start[k] = n;
        n += block->placed[k];
        block->placed[k] = 0;
    }
    return put_block(j, at, block);
}

static void arrange(manage_job *j, int p)
{
    const uint64_t last = j->part[p + 1].cell;
    uint32_t at = j->part[p].begin;
    manage_block block = {.first = j->part[p].cell};
    for (; block.first < last; block.first += BLOCK) {
        const uint64_t left = last - block.first;
        block.cells = left < BLOCK ? (uint32_t)left : BLOCK;
        block.end = left > BLOCK ? j->w->start[block.first + BLOCK] : j->part[p + 1].agent;
        at = arrange_block(j, at, &block);
    }
}

/* Attributes. */

static const void *value_of(const manage_job *j, const mass_agent_array *a, uint32_t was)
{
    if (was < j->count) return (const char *)a->from + was * a->size;
    const uint32_t k = was - j->count;
    if (!a->child) return a->initial;
    return (const char *)a->child + ((size_t)j->number[k] * j->w->room + j->parent[k]) * a->size;
}

#define COPY_VALUES(SIZE) \
    for (uint32_t i = first; i < last; i++) memcpy((char *)a->to + i * a->size, value_of(j, a, j->order[i]), SIZE)

static void copy_values(const manage_job *j, const mass_agent_array *a, uint32_t first, uint32_t last)
{
    switch (a->size) {
    case 1: COPY_VALUES(1); break;
    case 2: COPY_VALUES(2); break;
    case 4: COPY_VALUES(4); break;
    case 8: COPY_VALUES(8); break;
    case 16: COPY_VALUES(16); break;
    default: COPY_VALUES(a->size);
    }
}

static void copy_attributes(manage_job *j, int p)
{
    const uint64_t total = j->total;
    const uint32_t first = (uint32_t)(total * p / j->parts), last = (uint32_t)(total * (p + 1) / j->parts);
    for (uint32_t i = 0; i < j->w->array_count; i++) copy_values(j, &j->w->arrays[i], first, last);
}

/* Requests. */

static void move_within(void *array, size_t size, uint32_t to, uint32_t from, uint32_t n)
{
    memmove((char *)array + to * size, (char *)array + from * size, n * size);
}

/* The requests of a closed world follow its agents. */
static void keep_requests(const manage_job *j, int32_t world)
{
    const mass_manage_work *w = j->w;
    const uint32_t from = j->first[world], n = j->first[world + 1] - from;
    const uint32_t to = w->start[world * w->places];
    move_within(w->move, sizeof *w->move, to, from, n);
    move_within(w->asked, sizeof *w->asked, to, from, n);
    for (uint32_t b = 0; b < w->children; b++) {
        const size_t row = (size_t)b * w->room;
        move_within(w->child_cell + row, sizeof *w->child_cell, to, from, n);
        for (uint32_t i = 0; i < w->array_count; i++) {
            const mass_agent_array *const a = &w->arrays[i];
            if (a->child) move_within((char *)a->child + row * a->size, a->size, to, from, n);
        }
    }
}

/* Worlds that go down first, from the lowest on, then those that go up, from the highest: none is
 * written over before it was moved. */
static void keep_closed(const manage_job *j)
{
    const mass_manage_work *w = j->w;
    for (int32_t i = 0; i < w->worlds; i++)
        if (is_closed(w, i) && w->start[i * w->places] < j->first[i]) keep_requests(j, i);
    for (int32_t i = w->worlds - 1; i >= 0; i--)
        if (is_closed(w, i) && w->start[i * w->places] > j->first[i]) keep_requests(j, i);
}

static void reset_requests(const manage_job *j)
{
    static const uint32_t stay = MASS_CELL_STAY, none = 0;
    const mass_manage_work *w = j->w;
    if (w->gates) keep_closed(j);
    for (int32_t i = 0, end; i < w->worlds; i = end + 1) { /* from one closed world to the next */
        for (end = i; end < w->worlds && !is_closed(w, end); end++) continue;
        const uint32_t first = w->start[i * w->places], n = w->start[end * w->places] - first;
        mass_cpu_fill(w->move + first, &stay, sizeof stay, n, j->parts);
        mass_cpu_fill(w->asked + first, &none, sizeof none, n, j->parts);
    }
}

static void tally(const manage_job *j)
{
    const mass_manage_work *w = j->w;
    for (int32_t i = 0; i < w->worlds; i++) {
        if (is_closed(w, i)) continue;
        const int64_t before = j->first[i + 1] - j->first[i], born = j->births ? j->born[i] : 0;
        const int64_t after = w->start[(i + 1) * w->places] - w->start[i * w->places];
        w->next_id[i] += (uint64_t)born;
        if (w->born) w->born[i] += born;
        if (w->died) w->died[i] += before + born - after;
        if (w->refused && j->births) w->refused[i] += j->asked[i] - born;
    }
}

/* The whole. */

/* The first cell that leaves at least `work` before it. */
static uint64_t cell_after(const manage_job *j, uint64_t work)
{
    uint64_t low = 0, high = j->cells;
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (middle + (uint64_t)AGENT_WORK * j->w->start[middle] < work) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void divide(manage_job *j, uint64_t least, int threads)
{
    const uint64_t work = j->cells + (uint64_t)AGENT_WORK * j->count, worth = work / (least ? least : PART);
    if (threads > PARTS_MAX) threads = PARTS_MAX;
    j->parts = threads < 1 || worth < 1 ? 1 : worth < (uint64_t)threads ? (int)worth : threads;
    for (int p = 0; p <= j->parts; p++) {
        const uint64_t cell = p < j->parts ? cell_after(j, work / (uint64_t)j->parts * (uint64_t)p) : j->cells;
        j->part[p] = (manage_part){.cell = cell, .agent = p < j->parts ? j->w->start[cell] : j->count};
    }
}

/* Counted in 64 bits: many may ask for what few get. */
static uint64_t births_of_part(const manage_job *j, int p)
{
    uint64_t world, births = 0;
    for (uint32_t i = j->part[p].agent, end; i < j->part[p + 1].agent; i = end) {
        end = world_end(j, p, i, &world);
        if (is_closed(j->w, world)) continue;
        for (uint32_t a = i; a < end; a++) births += j->w->asked[a] & ~MASS_ASKED_KILL;
    }
    return births;
}

static bool count_births(manage_job *j)
{
    uint64_t births[PARTS_MAX], total = 0;
    if (j->w->children == 0) return true;
#pragma omp parallel for schedule(static, 1) num_threads(j->parts) if (j->parts > 1)
    for (int p = 0; p < j->parts; p++) births[p] = births_of_part(j, p);
    for (int p = 0; p < j->parts; p++) {
        total += births[p];
        if (total + j->count >= UINT32_MAX) return false;
        j->part[p + 1].births = (uint32_t)total;
    }
    j->births = (uint32_t)total;
    return true;
}

/* Takes n elements from the memory, or only counts them where there is none yet. */
static void *take(char *memory, size_t *used, uint64_t n, size_t size)
{
    void *const at = memory ? memory + *used : NULL;
    *used += (n * size + 63) / 64 * 64;
    return at;
}

static size_t lay_out(manage_job *j, char *memory)
{
    const uint64_t worlds = (uint64_t)j->w->worlds, items = (uint64_t)j->count + j->births;
    size_t used = 0;
    j->head = take(memory, &used, j->cells, sizeof *j->head);
    j->next = take(memory, &used, items + 1, sizeof *j->next);
    j->seats = take(memory, &used, j->count, sizeof *j->seats);
    j->order = take(memory, &used, items, sizeof *j->order);
    j->child_id = take(memory, &used, j->births, sizeof *j->child_id);
    j->parent = take(memory, &used, j->births, sizeof *j->parent);
    j->number = take(memory, &used, j->births, sizeof *j->number);
    j->where = take(memory, &used, j->births, sizeof *j->where);
    j->first = take(memory, &used, worlds + 1, sizeof *j->first);
    j->asked = take(memory, &used, worlds, sizeof *j->asked);
    j->born = take(memory, &used, worlds, sizeof *j->born);
    j->state = take(memory, &used, items + 1, sizeof *j->state);
    return used;
}

static bool reserve(manage_job *j, mass_cpu_manage_scratch *scratch)
{
    const size_t size = lay_out(j, NULL);
    if (size > scratch->size) {
        mass_cpu_manage_free(scratch);
        scratch->memory = aligned_alloc(64, size + size / 4 / 64 * 64);
        if (!scratch->memory) return false;
        scratch->size = size + size / 4 / 64 * 64;
    }
    lay_out(j, scratch->memory);
    if (scratch->clean < j->cells) {
        static const uint32_t none = 0;
        mass_cpu_fill(j->head, &none, sizeof none, j->cells, j->parts);
    }
    scratch->clean = 0;
    j->next[0] = 0;
    for (int32_t i = 0; i <= j->w->worlds; i++) j->first[i] = j->w->start[i * j->w->places];
    memset(j->asked, 0, (size_t)j->w->worlds * sizeof *j->asked);
    memset(j->born, 0, (size_t)j->w->worlds * sizeof *j->born);
    return true;
}

static uint64_t count_after(const manage_job *j)
{
    uint64_t total = j->count;
    for (int p = 0; p < j->parts; p++) total -= j->part[p].gone;
    for (int32_t i = 0; i < j->w->worlds; i++) total += j->born[i];
    return total;
}

static void carry_out(manage_job *j)
{
    find_begins(j);
    each_part(j, arrange);
    j->w->start[j->cells] = j->total;
    each_part(j, copy_attributes);
    reset_requests(j);
    tally(j);
    *j->w->count = j->total;
}

uint64_t mass_cpu_manage(const mass_manage_work *w, mass_cpu_manage_scratch *scratch, int threads)
{
    manage_job j = {.w = w, .cells = (uint64_t)w->worlds * (uint64_t)w->places, .count = *w->count,
                    .spawn_first = w->order[0] == MASS_SPAWN, .spawn_last = w->order[2] == MASS_SPAWN};
    divide(&j, scratch->part, threads);
    if (!count_births(&j) || !reserve(&j, scratch)) return UINT64_MAX;
    each_part(&j, mark);
    if (!j.spawn_last) spawn(&j);
    migrate(&j);
    if (j.spawn_last) spawn(&j);
    const uint64_t total = count_after(&j);
    if (total > w->room) return total;
    j.total = (uint32_t)total;
    carry_out(&j);
    scratch->clean = j.cells;
    return total;
}

void mass_cpu_manage_free(mass_cpu_manage_scratch *scratch)
{
    free(scratch->memory);
    *scratch = (mass_cpu_manage_scratch){.part = scratch->part};
}
