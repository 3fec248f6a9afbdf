/* SPDX-License-Identifier: Apache-2.0 */
/* MASS_SANITIZED is 1 in builds with a sanitizer, which maps address space and opens files of its own; else 0. */
#ifndef MASS_ENGINE_PROCESS_SANITIZED_H
#define MASS_ENGINE_PROCESS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MASS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MASS_SANITIZED 1
#endif
#endif
#ifndef MASS_SANITIZED
#define MASS_SANITIZED 0
#endif

#endif
