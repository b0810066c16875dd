// The kernel's figures for this process's memory.

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

#if defined(__linux__)

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <unistd.h>

static int64_t status_field(const char *name) {
  FILE *file = fopen("/proc/self/status", "r");
  if (file == NULL) return -1;
  char line[256];
  long long kibibytes = -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, name, strlen(name)) == 0) {
      sscanf(line + strlen(name), ": %lld", &kibibytes);
      break;
    }
  }
  fclose(file);
  return kibibytes < 0 ? -1 : (int64_t)kibibytes * 1024;
}

int64_t keepsake_benchmark_begin_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
  int file = open("/proc/self/clear_refs", O_WRONLY);
  if (file < 0) return -1;
  // 5 resets the peak to the current memory.
  ssize_t written = write(file, "5", 1);
  close(file);
  return written == 1 ? status_field("VmRSS") : -1;
}

int64_t keepsake_benchmark_peak_memory(void) { return status_field("VmHWM"); }

int keepsake_benchmark_bind_to_one_core(void) {
  int core = sched_getcpu();
  if (core < 0) return 0;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return sched_setaffinity(0, sizeof cores, &cores) == 0;
}

#else

int64_t keepsake_benchmark_begin_memory(void) { return -1; }

int64_t keepsake_benchmark_peak_memory(void) { return -1; }

int keepsake_benchmark_bind_to_one_core(void) { return 0; }

#endif
