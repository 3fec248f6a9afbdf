/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded before all others (LD_PRELOAD) and makes calls of the command fail. It counts the calls of
 * every kind, can make one fail, and can record all changes of files. Its environment:
 *
 *     MASS_FAULT_FOLDER   calls on files count if these are below this folder, or are this file
 *     MASS_FAULT_PROCESS  "main": the process itself; "child": the processes that it starts; "rank 1": that rank
 *     MASS_FAULT_COUNTS   a file that gets a record for each kind: its name, calls, and how many of them were chosen
 *     MASS_FAULT          "KIND N ERRNO HOW": the effect on call N, from 1. HOW is
 *                         once   it fails with that error
 *                         on     it and all later ones fail
 *                         short  it does half of its work
 *                         spoil  it returns a wrong byte: pread
 *                         kill   the process is killed there
 *                         crash  it crashes
 *                         hang   it never ends, as on a disk that hangs; only SIGKILL ends the process
 *                         doze   it never ends, as on a file system whose process has stopped
 *     MASS_FAULT_LOG      a file that gets all changes of files, in order; record.h
 *
 * It counts calls from the beginning of main on, and none between fork and exec. */
#ifndef MASS_TEST_FAULTS_SHIM_H
#define MASS_TEST_FAULTS_SHIM_H

#include <stdbool.h>
#include <sys/types.h>

/* `any` counts the calls of files, or of the CUDA driver, together, in their order.
 *
 * `malloc` and `mmap` count calls of the program itself, `library_malloc` those of its libraries. */
#define FILE_KINDS(X)                                                                                                  \
    X(any) X(write) X(pwrite) X(read) X(pread) X(open_to_write) X(open_to_read) X(close) X(fsync) X(ftruncate)         \
    X(fallocate) X(rename) X(link) X(unlink) X(mkdir) X(copy_file_range) X(lock)
#define PROCESS_KINDS(X) X(malloc) X(library_malloc) X(mmap) X(getrandom) X(pthread_create) X(fork)
#define CUDA_KINDS(X)                                                                                                  \
    X(cuDevicePrimaryCtxRetain) X(cuLibraryLoadData) X(cuLibraryGetKernel) X(cuModuleLoadData) X(cuMemAlloc)           \
    X(cuMemAllocHost) X(cuMemHostAlloc) X(cuMemcpy) X(cuMemcpyAsync) X(cuMemcpyHtoD) X(cuMemcpyDtoH)                   \
    X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuMemcpyDtoDAsync) X(cuMemsetD8Async) X(cuMemsetD32Async)              \
    X(cuStreamCreate) X(cuStreamBeginCapture) X(cuStreamEndCapture) X(cuStreamSynchronize) X(cuStreamWaitEvent)        \
    X(cuEventCreate) X(cuEventRecord) X(cuEventSynchronize) X(cuLaunchKernel) X(cuLaunchKernelEx)                      \
    X(cuLaunchCooperativeKernel) X(cuGraphInstantiate) X(cuGraphInstantiateWithFlags) X(cuGraphInstantiateWithParams)  \
    X(cuGraphLaunch)

#define NAME_IT(NAME) KIND_##NAME,
typedef enum kind {
    FILE_KINDS(NAME_IT) PROCESS_KINDS(NAME_IT) CUDA_KINDS(NAME_IT) KIND_COUNT,
    KIND_first_of_process = KIND_malloc,
    KIND_first_of_cuda = KIND_cuDevicePrimaryCtxRetain
} kind;
#undef NAME_IT

/* The name of a kind, as above. */
const char *name_of_kind(kind k);

typedef enum verdict { GO_ON, FAIL, SHORTEN, SPOIL } verdict;

/* Counts a call and returns what it must do. With FAIL, errno is set. Any thread. */
verdict judge(kind k);

/* Return true if a file is below the folder: an open one, or one by its path as openat takes it. */
bool is_ours(int file);
bool is_our_path(int folder, const char *path);
/* Discards the knowledge about this descriptor. */
void forget(int file);

/* Returns true if the caller, by its return address, is the program itself. */
bool is_program(const void *caller);

/* Stops counting; the child calls it between fork and exec. */
void stop_judging(void);

#define EXPORT __attribute__((visibility("default")))

#endif
