// Runs a program from its start to its end, without the overhead of a runtime.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers.h"

extern char **environ;

int keepsake_peer_run(const char *const arguments[], int64_t *peak) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process;
  int failure = posix_spawn(
      &process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return -1;
  int status = 0;
  struct rusage usage;
  if (wait4(process, &status, 0, &usage) != process || !WIFEXITED(status)) return -1;
#if defined(__APPLE__)
  *peak = (int64_t)usage.ru_maxrss;
#else
  *peak = (int64_t)usage.ru_maxrss * 1024;
#endif
  return WEXITSTATUS(status);
}
