// Counts allocations by replacing the C library's allocator. The program's own symbols come first when the
// dynamic linker looks for malloc, so Swift's runtime and Foundation are counted too. When it does not count,
// it costs one predicted branch.

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "probe.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Atomic int counting;
static _Atomic int64_t allocations;

static inline void count(void) {
  if (__builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), 0)) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
  count();
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  count();
  void *pointer = __libc_memalign(alignment, size);
  if (pointer == NULL) return ENOMEM;
  *result = pointer;
  return 0;
}

int keepsake_benchmark_begin_counting(void) {
  atomic_store(&allocations, 0);
  atomic_store(&counting, 1);
  return 1;
}

int64_t keepsake_benchmark_end_counting(void) {
  atomic_store(&counting, 0);
  return atomic_load(&allocations);
}

#else

int keepsake_benchmark_begin_counting(void) { return 0; }

int64_t keepsake_benchmark_end_counting(void) { return 0; }

#endif
