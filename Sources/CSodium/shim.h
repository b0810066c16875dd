#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if defined(__APPLE__) && TARGET_OS_IPHONE
#error "Of Apple's systems, KeepsakeSeal and Keepsake link on macOS only, since this one has no libsodium; depend on KeepsakeArchive, KeepsakeCodable, KeepsakeMigration or KeepsakeRestoration alone. Nothing is tested on Apple's systems."
#elif !__has_include(<sodium.h>)
#error "KeepsakeSeal and Keepsake need libsodium 1.0.18 or later: apt-get install libsodium-dev, or brew install libsodium. KeepsakeArchive, KeepsakeCodable, KeepsakeMigration and KeepsakeRestoration need nothing."
#else
#include <sodium.h>

// What is used is in libsodium 1.0.18 (library version 10.3) and later.
#if SODIUM_LIBRARY_VERSION_MAJOR < 10 || \
    (SODIUM_LIBRARY_VERSION_MAJOR == 10 && SODIUM_LIBRARY_VERSION_MINOR < 3)
#error "Keepsake needs libsodium 1.0.18 or later; install a newer libsodium-dev."
#endif
#endif
