#ifndef KEEPSAKE_BENCHMARKS_SINK_H
#define KEEPSAKE_BENCHMARKS_SINK_H

/// Makes the compiler believe that the bytes at a pointer are read and written here.
///
/// A function of Swift's own does not hold: it is looked through across files, and the measured work
/// is moved out of the loop.
void keepsake_benchmark_sink(const void *pointer);

#endif
