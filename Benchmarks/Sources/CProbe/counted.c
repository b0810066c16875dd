// The function that an instruction counter watches, and the conditions of its counts.

#include <stddef.h>

#include "probe.h"

#if defined(__linux__)
#include <features.h>
#endif
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

// Not inlined, so that valgrind finds it by its name, and without a tail call, so that it returns.
__attribute__((noinline)) void keepsake_benchmark_counted(
    void (*work)(void *), void *context) {
  work(context);
  __asm__ volatile("" : : : "memory");
}

const char *keepsake_benchmark_library(void) {
#if defined(__GLIBC__)
  return gnu_get_libc_version();
#else
  return NULL;
#endif
}
