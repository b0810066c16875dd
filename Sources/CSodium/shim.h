#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if defined(__APPLE__) && TARGET_OS_IPHONE
#error "KeepsakeSeal and Keepsake do not link on this system, which has no libsodium (macOS is the only Apple system that does); depend on KeepsakeArchive, KeepsakeDocuments, KeepsakeCodable, KeepsakeFiles, KeepsakeMigration, KeepsakeRestoration, KeepsakeHeadless or KeepsakeImport alone. Nothing is tested on Apple's systems."
#elif !__has_include(<sodium.h>)
#error "KeepsakeSeal and Keepsake need libsodium 1.0.18 or later: apt-get install libsodium-dev, or brew install libsodium. KeepsakeArchive, KeepsakeDocuments, KeepsakeCodable, KeepsakeFiles, KeepsakeMigration, KeepsakeRestoration, KeepsakeHeadless and KeepsakeImport need nothing."
#else
#include <sodium.h>

// libsodium 1.0.18 (library version 10.3) and later have all functions that are used.
#if SODIUM_LIBRARY_VERSION_MAJOR < 10 || \
    (SODIUM_LIBRARY_VERSION_MAJOR == 10 && SODIUM_LIBRARY_VERSION_MINOR < 3)
#error "Keepsake needs libsodium 1.0.18 or later; install a newer libsodium-dev."
#endif
#endif
