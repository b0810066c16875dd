#ifndef KEEPSAKE_BENCHMARKS_SINK_H
#define KEEPSAKE_BENCHMARKS_SINK_H

/// Makes the compiler assume that the bytes at a pointer are read and written here.
///
/// A function in Swift does not suffice: the compiler sees through it across files, and moves the measured
/// work out of the loop.
void keepsake_benchmark_sink(const void *pointer);

#endif
