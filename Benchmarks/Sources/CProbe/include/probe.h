#ifndef KEEPSAKE_BENCHMARKS_PROBE_H
#define KEEPSAKE_BENCHMARKS_PROBE_H

#include <stdint.h>

#include "sink.h"

/// Starts counting the allocations of all threads.
///
/// Returns 0 when allocations cannot be counted.
int keepsake_benchmark_begin_counting(void);

/// Stops counting, and returns the number of allocations.
int64_t keepsake_benchmark_end_counting(void);

/// Returns unused memory to the system, and starts a new measurement of the peak.
///
/// Returns the current memory of the process in bytes, or -1 when the system cannot tell.
int64_t keepsake_benchmark_begin_memory(void);

/// The peak memory of the process since then in bytes, or -1 when the system cannot tell.
int64_t keepsake_benchmark_peak_memory(void);

/// Binds the process to the core that it runs on; returns 0 on failure.
int keepsake_benchmark_bind_to_one_core(void);

/// Calls `work` with `context`; a counter of instructions counts from its start to its end.
void keepsake_benchmark_counted(void (*work)(void *), void *context);

/// The version of the GNU C library, or null for another library.
const char *keepsake_benchmark_library(void);

#endif
