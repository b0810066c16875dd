#if !__has_include(<sodium.h>)
#error "KeepsakeSeal and Keepsake need libsodium 1.0.18 or later: apt-get install libsodium-dev, or brew install libsodium. KeepsakeArchive, KeepsakeDocuments, KeepsakeCodable, KeepsakeFiles, KeepsakeMigration, KeepsakeRestoration, KeepsakeHeadless and KeepsakeImport need nothing."
#else
#include <sodium.h>

// libsodium 1.0.18 (library version 10.3) and later have all functions that are used.
#if SODIUM_LIBRARY_VERSION_MAJOR < 10 || \
    (SODIUM_LIBRARY_VERSION_MAJOR == 10 && SODIUM_LIBRARY_VERSION_MINOR < 3)
#error "Keepsake needs libsodium 1.0.18 or later; install a newer libsodium-dev."
#endif
#endif
