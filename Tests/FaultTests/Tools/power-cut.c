// Cuts a file system off from its device, as a power cut does: power-cut DIRECTORY MODE
//
// MODE is the argument of EXT4_IOC_SHUTDOWN: 0 writes everything first, 1 writes the journal only, 2 writes
// nothing.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

int main(int count, char **arguments) {
  if (count != 3) return 64;
  uint32_t mode = (uint32_t)atoi(arguments[2]);
  int directory = open(arguments[1], O_RDONLY);
  if (directory < 0 || ioctl(directory, _IOR('X', 125, uint32_t), &mode) != 0) {
    perror("power-cut");
    return 1;
  }
  return 0;
}
