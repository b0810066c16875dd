#include "sink.h"

void keepsake_benchmark_sink(const void *pointer) {
  __asm__ volatile("" : : "r"(pointer) : "memory");
}
