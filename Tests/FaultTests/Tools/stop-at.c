// Stops one process at a system call while another one runs, then continues it.
//
//   stop-at NUMBER OUTPUT_A OUTPUT_B A... -- B...
//
// A is traced from the line "begin" that it writes. At its NUMBER-th system call from there that another
// process could notice, counted from 1, it waits until B has ended, or until B itself waits, for example for
// a lock that A holds: B sleeps between its attempts. Then both continue to their ends. Prints the call that
// A was stopped at and the two results: exit codes, or signals as negative numbers. If A ends earlier, NUMBER
// is too high: then B is not started, and the first word is "past".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Memory, signals, threads, clocks and random numbers concern only the process itself, as do the position and
// flags of a descriptor. Stopping before such a call is the same as stopping before the next other call.
static const char *noticeable(unsigned long long number) {
  switch (number) {
#define CALL(name)                                                                                 \
  case SYS_##name:                                                                                 \
    return #name;
    CALL(openat)
    CALL(close)
    CALL(read)
    CALL(write)
    CALL(pread64)
    CALL(pwrite64)
    CALL(newfstatat)
    CALL(statx)
    CALL(fstat)
    CALL(getdents64)
    CALL(flock)
    CALL(fchmod)
    CALL(fchmodat)
    CALL(fsync)
    CALL(fdatasync)
    CALL(ftruncate)
    CALL(renameat)
    CALL(renameat2)
    CALL(linkat)
    CALL(unlinkat)
    CALL(mkdirat)
    CALL(ioctl)
    CALL(sendfile)
    CALL(utimensat)
#ifdef SYS_open
    CALL(open)
    CALL(stat)
    CALL(lstat)
    CALL(rename)
    CALL(link)
    CALL(unlink)
    CALL(mkdir)
    CALL(rmdir)
#endif
  }
  return NULL;
}

static pid_t a, b;

// Neither process may take longer than a minute.
static void stuck(int signal) {
  (void)signal;
  if (a > 0) kill(a, SIGKILL);
  if (b > 0) kill(b, SIGKILL);
  static const char text[] = "stuck\n";
  if (write(1, text, sizeof text - 1) < 0) _exit(6);
  _exit(5);
}

static void fail(const char *what) {
  perror(what);
  exit(4);
}

static pid_t start(char **arguments, const char *output, int isTraced) {
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) return child;
  int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, 1) < 0) fail(output);
  if (isTraced && ptrace(PTRACE_TRACEME, 0, 0, 0) < 0) fail("ptrace");
  execv(arguments[0], arguments);
  fail(arguments[0]);
  return 0;
}

static int code(int status) {
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// True when the bytes that a call writes to standard output start with a word.
static int says(pid_t process, const struct __ptrace_syscall_info *call, const char *word) {
  if (call->entry.nr != SYS_write || call->entry.args[0] != 1) return 0;
  char bytes[16] = {0};
  struct iovec here = {bytes, strlen(word)};
  struct iovec there = {(void *)(unsigned long)call->entry.args[1], strlen(word)};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == (ssize_t)strlen(word) &&
         memcmp(bytes, word, strlen(word)) == 0;
}

// True when a process only lets time pass: it polls no file.
static int sleeps(pid_t process) {
  char path[64], line[64] = {0};
  long call;
  unsigned long files, fileCount;
  snprintf(path, sizeof path, "/proc/%d/syscall", process);
  int file = open(path, O_RDONLY);
  if (file < 0) return 0;
  ssize_t count = read(file, line, sizeof line - 1);
  close(file);
  if (count <= 0 || sscanf(line, "%ld %lx %lx", &call, &files, &fileCount) != 3) return 0;
  int isPoll = call == SYS_ppoll;
#ifdef SYS_poll
  isPoll = isPoll || call == SYS_poll;
#endif
  return isPoll && fileCount == 0;
}

int main(int count, char **arguments) {
  if (count < 7) return 4;
  long wanted = atol(arguments[1]), seen = 0;
  char **first = arguments + 4, **second = first;
  while (*second && strcmp(*second, "--")) second++;
  if (!*second) return 4;
  *second++ = NULL;

  signal(SIGALRM, stuck);
  alarm(60);
  a = start(first, arguments[2], 1);
  int status, hasBegun = 0, statusB = 0;
  const char *place = NULL;
  if (waitpid(a, &status, 0) < 0 || !WIFSTOPPED(status)) fail("waitpid");
  if (ptrace(PTRACE_SETOPTIONS, a, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) < 0)
    fail("options");
  int pending = 0;
  while (!place) {
    if (ptrace(PTRACE_SYSCALL, a, 0, pending) < 0) fail("syscall");
    if (waitpid(a, &status, 0) < 0) fail("waitpid");
    if (!WIFSTOPPED(status)) {
      printf("past %ld %d\n", seen, code(status));
      return 0;
    }
    pending = WSTOPSIG(status);
    if (pending != (SIGTRAP | 0x80)) continue;
    pending = 0;
    struct __ptrace_syscall_info call;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, a, sizeof call, &call) < 0) fail("information");
    if (call.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
    if (!hasBegun) {
      hasBegun = says(a, &call, "begin\n");
      continue;
    }
    const char *name = noticeable(call.entry.nr);
    if (name && ++seen == wanted) place = name;
  }

  b = start(second, arguments[3], 0);
  int sleeping = 0, isOver = 0;
  // Waits ten seconds at most: a process that waits that long without sleeping waits for A.
  for (int turn = 0; turn < 10000 && sleeping < 5 && !isOver; turn++) {
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
    sleeping = sleeps(b) ? sleeping + 1 : 0;
    isOver = waitpid(b, &statusB, WNOHANG) == b;
  }
  if (ptrace(PTRACE_DETACH, a, 0, 0) < 0) fail("detach");
  if (waitpid(a, &status, 0) < 0) fail("waitpid");
  if (!isOver && waitpid(b, &statusB, 0) < 0) fail("waitpid");
  printf("%s %d %d %s\n", place, code(status), code(statusB), isOver ? "ended" : "waited");
  return 0;
}
