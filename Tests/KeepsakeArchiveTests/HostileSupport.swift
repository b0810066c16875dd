import KeepsakeArchive

// Archives that a writer never makes. The tests name the hostile inputs that they are about by
// numbers: 1 to 10 are of the structure, 11 to 15 of depth and cycles, 16 to 23 of amplification,
// 24 to 28 of keys and tables, 29 to 38 of scalars, 39 to 46 of types, 47 to 50 of the environment.
//
// Some have no bytes in this format: it has no interned strings (20), no compression (22), no
// integers of variable length (29), no strings inside a slot (35) and no chains of type names (44).
// An archive is opened from bytes in memory, so errors of reading (47), files that change (48) and
// wrong keys (49) belong to the sealed file; a size that memory may refuse (50) is held against the
// bytes before anything is allocated (16).

/// What opening an archive throws.
func openError(_ bytes: [UInt8], limits: ArchiveLimits = .default) -> ArchiveError? {
  archiveError { _ = try Archive(bytes, limits: limits) }
}

/// What reading the one value of the first object throws.
func readError<Read: ArchiveValue>(_ bytes: [UInt8], _ type: Read.Type) -> ArchiveError? {
  archiveError { _ = try Archive(bytes).object(first).decode(type, forKey: "v") }
}

/// What a full check throws.
func verifyError(_ bytes: [UInt8]) -> ArchiveError? {
  archiveError { try Archive(bytes).verify() }
}

/// The bytes of an object with one key, where its slot lies and where its payload begins.
func single(_ value: some ArchiveValue) throws -> (bytes: [UInt8], slot: Int, payload: Int) {
  let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
  let map = ArchiveMap(bytes)
  return (bytes, map.slot("v"), map.payload("v"))
}

/// Opens bytes and reads all that they hold in every way; what is thrown is dropped.
func readEverything(_ bytes: [UInt8]) {
  guard let archive = try? Archive(bytes) else { return }
  _ = try? archive.verify()
  _ = try? archive.conditionalObjects
  _ = try? walk(archive)
  _ = try? archive.forEachObject { object in
    for key in object.keys {
      _ = try? object.decode(Int.self, forKey: key)
      _ = try? object.decode([Int].self, forKey: key)
      _ = try? object.decode(String?.self, forKey: key)
      _ = try? object.decode(ArchiveReference.self, forKey: key)
    }
  }
}
