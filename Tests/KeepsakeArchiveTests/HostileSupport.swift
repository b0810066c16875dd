import KeepsakeArchive
import KeepsakeDocuments
import TestSupport

// Archives that a writer never makes: hostile structure, depth, cycles, amplification, keys, tables, scalars and
// types.
// The tests name the rules of Spec/archive.md that such bytes break, as A-42.
//
// Some attacks on other formats are not possible in this one: it has no interned strings, no compression, no integers
// of variable length, no strings inside a slot and no chains of type names. These tests open archives from bytes in
// memory; the tests of sealed files cover read errors, files that change and wrong keys. A reader compares each size
// with the number of bytes before it allocates memory.

/// The error of opening an archive.
func openError(_ bytes: [UInt8], limits: ArchiveLimits = .init()) -> ArchiveError? {
  archiveError { _ = try Archive(bytes, limits: limits) }
}

/// The error of reading the one value of the first object.
func readError<Read: ArchiveValue>(_ bytes: [UInt8], _ type: Read.Type) -> ArchiveError? {
  archiveError { _ = try Archive(bytes).object(first).decode(type, forKey: "v") }
}

/// The error of a full check.
func verifyError(_ bytes: [UInt8]) -> ArchiveError? {
  archiveError { try Archive(bytes).requireCanonical() }
}

/// The bytes of an object with one key, and the offsets of its slot and of its payload.
func single(_ value: some ArchiveValue) throws -> (bytes: [UInt8], slot: Int, payload: Int) {
  let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
  let map = ArchiveMap(bytes)
  return (bytes, map.slot("v"), map.payload("v"))
}

/// Opens an archive and reads all its values in every way; ignores errors.
func readEverything(_ bytes: [UInt8]) {
  guard let archive = try? Archive(bytes) else { return }
  _ = try? archive.requireCanonical()
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
