#ifndef KEEPSAKE_ALLOCATION_PROBE_H
#define KEEPSAKE_ALLOCATION_PROBE_H

#include <stdint.h>

/// Begins to count what this thread allocates and frees; 0 where that cannot be counted.
int keepsake_probe_begin(void);

/// The bytes of all allocations since it began, also of those that were freed.
int64_t keepsake_probe_total(void);

/// Ends it, and returns the most bytes that were allocated at one time since it began.
int64_t keepsake_probe_end(void);

#endif
