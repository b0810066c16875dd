#include <sodium.h>

// What is used is in libsodium 1.0.18 (library version 10.3) and later.
#if SODIUM_LIBRARY_VERSION_MAJOR < 10 || \
    (SODIUM_LIBRARY_VERSION_MAJOR == 10 && SODIUM_LIBRARY_VERSION_MINOR < 3)
#error "Keepsake needs libsodium 1.0.18 or later; install a newer libsodium-dev."
#endif
