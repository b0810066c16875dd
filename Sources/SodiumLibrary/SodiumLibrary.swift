// The one place that chooses libsodium. KeepsakeSeal imports it from here, so a process has one copy of it.

#if BundledSodium
  // From the package swift-sodium.
  @_exported public import Clibsodium
#elseif os(Linux) || os(macOS)
  // From the system.
  @_exported public import CSodium
#else
  #error(
    "This system has no libsodium: build with the package trait BundledSodium, or depend on KeepsakeArchive, KeepsakeDocuments, KeepsakeCodable, KeepsakeFiles, KeepsakeMigration, KeepsakeRestoration, KeepsakeHeadless or KeepsakeImport alone."
  )
#endif
