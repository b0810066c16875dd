// Preloaded into a process: simulates a system that can only rename and link.
#include <errno.h>

int renameat2(int from, const char *name, int to, const char *newName, unsigned int flags) {
  (void)from, (void)name, (void)to, (void)newName, (void)flags;
  errno = ENOSYS;
  return -1;
}
