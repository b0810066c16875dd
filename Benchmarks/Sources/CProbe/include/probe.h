#ifndef KEEPSAKE_BENCHMARKS_PROBE_H
#define KEEPSAKE_BENCHMARKS_PROBE_H

#include <stdint.h>

#include "sink.h"

/// Begins to count the allocations of all threads.
///
/// Returns 0 where allocations cannot be counted.
int keepsake_benchmark_begin_counting(void);

/// Ends counting, and returns how many allocations there were.
int64_t keepsake_benchmark_end_counting(void);

/// Gives unused memory back to the system, and begins a new measurement of the peak.
///
/// Returns the memory of the process now in bytes, or -1 where the system does not say.
int64_t keepsake_benchmark_begin_memory(void);

/// The most memory that the process had since then in bytes, or -1 where the system does not say.
int64_t keepsake_benchmark_peak_memory(void);

/// Binds the process to the core that it runs on; returns 0 where that cannot be done.
int keepsake_benchmark_bind_to_one_core(void);

/// Calls `work` with `context`; a counter of instructions is told to count between its begin and end.
void keepsake_benchmark_counted(void (*work)(void *), void *context);

/// The version of the GNU C library, or null where it is another one.
const char *keepsake_benchmark_library(void);

#endif
