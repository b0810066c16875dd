// Counts the bytes that one thread has allocated, by standing in front of the C library's allocator: the program's own
// symbols come first when the dynamic linker looks for malloc, so Swift's runtime is counted too. Other threads, such
// as those of tests that run at the same time, are not.

#include "AllocationProbe.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KEEPSAKE_IS_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(KEEPSAKE_IS_SANITIZED)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

static _Thread_local int counting;
static _Thread_local int64_t held;
static _Thread_local int64_t most;
static _Thread_local int64_t total;

static void *taken(void *pointer) {
  if (counting && pointer != NULL) {
    int64_t size = (int64_t)malloc_usable_size(pointer);
    held += size;
    total += size;
    if (held > most) most = held;
  }
  return pointer;
}

static void given(void *pointer) {
  if (counting && pointer != NULL) held -= (int64_t)malloc_usable_size(pointer);
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }

void *realloc(void *pointer, size_t size) {
  given(pointer);
  return taken(__libc_realloc(pointer, size));
}

void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) {
  return taken(__libc_memalign(alignment, size));
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *pointer = taken(__libc_memalign(alignment, size));
  if (pointer == NULL) return ENOMEM;
  *result = pointer;
  return 0;
}

void free(void *pointer) {
  given(pointer);
  __libc_free(pointer);
}

int keepsake_probe_begin(void) {
  held = 0;
  most = 0;
  total = 0;
  counting = 1;
  return 1;
}

int64_t keepsake_probe_total(void) { return total; }

int64_t keepsake_probe_end(void) {
  counting = 0;
  return most;
}

#else

int keepsake_probe_begin(void) { return 0; }

int64_t keepsake_probe_total(void) { return 0; }

int64_t keepsake_probe_end(void) { return 0; }

#endif
