// The system calls of a durable replacement, as the lower limit of every durable save.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "peers.h"

static int write_whole(int file, const uint8_t *bytes, size_t size) {
  for (size_t offset = 0; offset < size;) {
    ssize_t written = pwrite(file, bytes + offset, size - offset, (off_t)offset);
    if (written <= 0) return 0;
    offset += (size_t)written;
  }
  return 1;
}

int keepsake_peer_replace_durably(
    const char *directory, const char *name, const uint8_t *bytes, size_t size) {
  static const char temporary[] = ".0123456789abcdef.sealtmp";
  int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  struct stat status;
  fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW);
  int file = openat(
      folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  int done = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0 &&
             fchmod(file, 0600) == 0 && write_whole(file, bytes, size) && fsync(file) == 0 &&
             renameat(folder, temporary, folder, name) == 0;
  if (file >= 0) close(file);
  done = done && fsync(folder) == 0;
  close(folder);
  return done;
}

int keepsake_peer_open_appending(const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

int keepsake_peer_append_durably(int file, const uint8_t *bytes, size_t size) {
  return write(file, bytes, size) == (ssize_t)size && fdatasync(file) == 0;
}

void keepsake_peer_close(int file) { close(file); }

int64_t keepsake_peer_read(const char *path, uint8_t *bytes, size_t capacity) {
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat status;
  int64_t total = -1;
  if (fstat(file, &status) == 0 && status.st_size <= (off_t)capacity) {
    total = 0;
    while (total < status.st_size) {
      ssize_t count = pread(file, bytes + total, capacity - (size_t)total, (off_t)total);
      if (count <= 0) break;
      total += count;
    }
  }
  close(file);
  return total;
}

int keepsake_peer_forget(const char *path) {
#ifdef __linux__
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  // Only synchronised pages can be dropped from the cache.
  int done = fsync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0;
  close(file);
  return done;
#else
  (void)path;
  return 0;
#endif
}
