// The functions of libFuzzer that a program with its own `main` calls.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum);
