// Preloaded into a process: reads and writes move at most KEEPSAKE_TRANSFER bytes at a time, and the clock
// always shows KEEPSAKE_CLOCK seconds. The first time each happens, a word is written to standard error.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static void say(int *done, const char *text, size_t length) {
  if (*done) return;
  *done = 1;
  ssize_t ignored = write(2, text, length);
  (void)ignored;
}

static size_t limited(size_t count) {
  const char *limit = getenv("KEEPSAKE_TRANSFER");
  static int done;
  if (!limit || count <= (size_t)atol(limit)) return count;
  say(&done, "shortened\n", 10);
  return (size_t)atol(limit);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  static ssize_t (*real)(int, void *, size_t, off_t);
  if (!real) real = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
  return real(file, bytes, limited(count), offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off_t offset) {
  return pread(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  return real(file, bytes, limited(count), offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite(file, bytes, count, offset);
}

static const char *stopped(void) {
  static int done;
  const char *clock = getenv("KEEPSAKE_CLOCK");
  if (clock) say(&done, "clock stopped\n", 14);
  return clock;
}

int clock_gettime(clockid_t kind, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(kind, time);
  const char *clock = kind == CLOCK_REALTIME ? stopped() : NULL;
  if (clock) time->tv_sec = atol(clock), time->tv_nsec = 0;
  return result;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}
