/* SPDX-License-Identifier: Apache-2.0 */
/* The same edges in files of every format give the same run, and nodes with names are those without. */
#include "run.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NODES = 30, EDGES = 70 };

/* Ends of the edges. Every node is an end, so that names are in the order of numbers: node 0 first. */
static void make_edges(int64_t ends[EDGES][2])
{
    for (int i = 0; i < EDGES; i++) {
        ends[i][0] = i < NODES ? i : linked_number(900, 2 * (uint32_t)i, 0, NODES - 1);
        ends[i][1] = i < NODES ? (i + 1) % NODES : linked_number(900, 2 * (uint32_t)i + 1, 0, NODES - 1);
    }
}

static FILE *create(const char *path)
{
    FILE *const f = fopen(path, "w");
    cr_assert(f, "%s", path);
    return f;
}

/* Writes the edges as text. name: what comes before a number; then there is a header. */
static const char *write_csv(const char *path, int64_t ends[EDGES][2], const char *name)
{
    FILE *const f = create(path);
    if (name[0]) fputs("source,target\n", f);
    for (int i = 0; i < EDGES; i++)
        fprintf(f, "%s%jd,%s%jd\n", name, (intmax_t)ends[i][0], name, (intmax_t)ends[i][1]);
    fclose(f);
    return path;
}

static const char *write_matrix(const char *path, int64_t ends[EDGES][2])
{
    FILE *const f = create(path);
    fprintf(f, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", NODES, NODES, EDGES);
    for (int i = 0; i < EDGES; i++) fprintf(f, "%jd %jd\n", (intmax_t)ends[i][0] + 1, (intmax_t)ends[i][1] + 1);
    fclose(f);
    return path;
}

static const char *write_npy(const char *path, int64_t ends[EDGES][2])
{
    FILE *const f = create(path);
    const char *header = text("{'descr': '<i8', 'fortran_order': False, 'shape': (%d, 2), }", EDGES);
    const char head[10] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)strlen(header), 0};
    fwrite(head, 1, sizeof head, f);
    fputs(header, f);
    fwrite(ends, sizeof *ends, EDGES, f);
    fclose(f);
    return path;
}

/* Writes the data sets /edges, /wide with another shape, and /truth with an enumeration, as h5py writes truth
 * values. */
static const char *write_hdf5(const char *path, int64_t ends[EDGES][2])
{
    static const char *const names[] = {"edges", "wide", "truth"};
    const int8_t values[] = {0, 1}, truth[EDGES][2] = {{1, 0}};
    const hsize_t shape[] = {EDGES, 2}, wide[] = {2, EDGES};
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t truths = H5Tenum_create(H5T_STD_I8LE);
    for (int i = 0; i < 2; i++) H5Tenum_insert(truths, i ? "TRUE" : "FALSE", &values[i]);
    for (int i = 0; i < 3; i++) {
        const hid_t space = H5Screate_simple(2, i == 1 ? wide : shape, NULL);
        const hid_t set = H5Dcreate2(file, names[i], i == 2 ? truths : H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT,
                                     H5P_DEFAULT);
        cr_assert(H5Dwrite(set, i == 2 ? truths : H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                           i == 2 ? (const void *)truth : ends) >= 0);
        H5Dclose(set);
        H5Sclose(space);
    }
    H5Tclose(truths);
    H5Fclose(file);
    return path;
}

/* Returns the options of a run with a file. */
static const char *with(const char *file)
{
    return linked_options(text("--steps 4 --set nodes=0 --set file=%s", file));
}

Test(linked_files, every_format_has_the_same_edges)
{
    int64_t ends[EDGES][2];
    const char *folder = folder_make();
    make_edges(ends);
    const char *expected = engine_result(with(write_csv(text("%s/edges.csv", folder), ends, "")));
    const char *set = text("%s:/edges", write_hdf5(text("%s/edges.h5", folder), ends));
    const char *const files[] = {write_matrix(text("%s/edges.mtx", folder), ends),
                                 write_npy(text("%s/edges.npy", folder), ends), set,
                                 write_csv(text("%s/names.csv", folder), ends, "node ")};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) { /* plain.c reads numbers alone */
        const char *options = text("%s --set compared=0", with(files[i]));
        cr_expect_str_eq(engine_result(options), expected, "%s", files[i]);
    }
    engine_refuse(with(text("%s/edges.h5:/wide", folder)), 4, "its shape is [2][70], and that of edges is [m][2]: save "
                                                              "array.T");
    engine_refuse(with(text("%s/edges.h5:/truth", folder)), 4, "edges.h5:/truth: it holds truth values, and edges ");
    engine_refuse(with(text("%s/edges.h5", folder)), 4, "edges.h5: name a data set in it, as in ");
}

static void expect_in(const char *path, const char *words)
{
    char content[100000] = "";
    FILE *const f = fopen(path, "r");
    cr_assert(f && fread(content, 1, sizeof content - 1, f) > 0, "%s", path);
    fclose(f);
    cr_expect(strstr(content, words), "%s: %s", words, content);
}

/* Runs as a user does, and expects words on standard error. */
static void expect_said(const char *options, const char *words)
{
    process p = engine_start(options);
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 0, "%s", o.errors);
    cr_expect(strstr(o.errors, words), "%s", o.errors);
    outcome_free(&o);
}

Test(linked_files, columns_that_are_no_attributes_are_said)
{
    const char *path = text("%s/kinds.csv", folder_make());
    FILE *f = create(path);
    fputs("source,target,weight,kind\n0,1,2,home\n1,2,3,work\n", f);
    fclose(f);
    const char *run = text("%s --set compared=0", with(path));
    expect_said(run, "kinds.csv: its column 'kind' is not used: the edges of town have no such attribute\n");
    f = create(path);
    fputs("source,target,weight,kind,pay,since\n0,1,2,home,1,\n1,2,3,work,2,3\n", f);
    fclose(f);
    expect_said(run, "kinds.csv: its columns 'kind', 'pay' and 'since' are not used: the edges of town have no such "
                     "attributes\n");
}

/* Writes so many edges between 100,000 nodes, of which each has a weight. */
static const char *write_many(const char *path, int edges)
{
    FILE *const f = create(path);
    fputs("source,target,weight\n", f);
    for (int i = 0; i < edges; i++) fprintf(f, "%d,%d,%d\n", i % 100000, i / 100000 * 7919 % 100000, i % 100);
    fclose(f);
    return path;
}

/* Returns the bytes that --info says of edges. Sets the most memory that any process of this test took. */
static double edges_bytes(const char *path, double *most)
{
    struct rusage used;
    const char *const sanitizer = getenv("ASAN_OPTIONS");
    /* the address sanitizer keeps freed memory otherwise */
    const char *const quarantine = "quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
    setenv("ASAN_OPTIONS", text("%s:%s", sanitizer ? sanitizer : "", quarantine), 1);
    process p = engine_start(linked_options(text("--info --set nodes=0 --set file=%s", path)));
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 0, "%s", o.errors);
    const double bytes = json_number_value(json_object_get(o.report, "edges_bytes"));
    outcome_free(&o);
    getrusage(RUSAGE_CHILDREN, &used);
    *most = (double)used.ru_maxrss * 1024;
    return bytes;
}

Test(linked_files, info_says_what_edges_take_while_they_are_made)
{
    double few, many;
    const char *path = text("%s/many.csv", folder_make());
    const double less = edges_bytes(write_many(path, 1000), &few);
    const double more = edges_bytes(write_many(path, 700000), &many) - less;
    cr_expect(more > 40e6 && fabs((many - few) / more - 1) < 0.25, "%g and %g", more, many - few);
}

Test(linked_files, a_long_read_is_shown_on_a_terminal)
{
    if (system("command -v script >/dev/null") != 0) cr_skip_test("there is no script(1) here");
    const char *folder = folder_make(), *pipe = text("%s/edges", folder), *log = text("%s/log", folder);
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    const char *line = text("{ for i in 1 2 3 4 5 6; do yes 0,1 | head -c 700000; sleep 0.1; done; echo 1,2; } > "
                            "%s & script -qec \"'%s' %s\" /dev/null > %s 2>&1", pipe, getenv("MASS_ENGINE"),
                            with(text("%s --set compared=0", pipe)), log);
    cr_assert_eq(system(line), 0, "%s", line);
    expect_in(log, " edges read, ");
    expect_in(log, "edges: 1.05 million edges are sorted");
}

Test(linked_files, a_signal_ends_a_read)
{
    const char *pipe = text("%s/edges", folder_make());
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        execlp("sh", "sh", "-c", text("exec yes 0,1 > '%s'", pipe), (char *)NULL);
        _exit(127);
    }
    process p = engine_start(with(pipe));
    usleep(300000);
    kill(p.pid, SIGINT);
    outcome o = engine_finish(&p);
    waitpid(writer, NULL, 0);
    cr_expect_eq(o.status, 130, "%d", o.status);
    cr_expect(strstr(o.errors, "interrupted"), "%s", o.errors);
    outcome_free(&o);
}

Test(linked_files, a_run_that_reads_edges_twice_takes_no_pipe)
{
    const char *folder = folder_make(), *path = text("%s/edges", folder), *rows = text("%s/rows.csv", folder);
    FILE *const f = create(rows);
    fputs("draws\n1\n2\n", f);
    fclose(f);
    cr_assert_eq(mkfifo(path, 0600), 0);
    engine_refuse(text("%s --sweep %s", with(path), rows), 4,
                  "edges is no file but a pipe or a device, and this run reads its edges more than once: copy it into "
                  "a file");
}

Test(linked_files, a_checkpoint_keeps_the_names_of_nodes)
{
    int64_t ends[EDGES][2];
    const char *folder = folder_make(), *checkpoints = folder_make();
    const char *plugin = text("--plugin '%s/linked.so'", MASS_TEST_PLUGINS);
    make_edges(ends);
    const char *file = write_csv(text("%s/names.csv", folder), ends, "n");
    engine_write(text("%s --set compared=0 --checkpoint %s", with(file), checkpoints));
    const char *path = text("%s/ckpt-000000000004.h5", checkpoints);
    dataset names = dataset_read(path, "/networks/town/names");
    cr_assert(names.rank == 1 && names.extents[0] == NODES && names.size == NODES * sizeof "n29");
    for (size_t i = 0; i < NODES; i++)
        cr_expect_str_eq((const char *)names.bytes + i * sizeof "n29", text("n%zu", i));
    free(names.bytes);
    engine_write(text("%s --resume %s --steps 6", plugin, checkpoints));
    write_csv(file, ends, "m");
    engine_refuse(text("%s --resume %s --steps 7", plugin, checkpoints), 4,
                  "network 'town' has other edges than when the checkpoint was written");
}

Test(linked_files, a_network_is_written_only_where_it_may_be)
{
    const char *folder = folder_make(), *path = text("%s/net.graphml", folder);
    engine_write(linked_options(text("--steps 1 --network %s", path)));
    engine_write(linked_options(text("--steps 2 --network %s", path)));
    fclose(create(path));
    engine_refuse(linked_options(text("--steps 2 --network %s", path)), 2,
                  "net.graphml exists, and is not a network that this version wrote");
    engine_refuse(linked_options(text("--steps 2 --network %s/net.xml", folder)), 2,
                  "expected a file name ending in .graphml");
    engine_refuse(text("--plugin '%s/world.so' --steps 2 --network %s", MASS_TEST_PLUGINS, path), 2,
                  "--network: plugin world has no network");
}
