internal import Foundation
internal import FuzzDriver
internal import KeepsakeArchive
internal import KeepsakeDocuments
internal import KeepsakeImport

/// Imports hostile files of `NSKeyedArchiver`, in the binary form and in XML.
///
/// A file is refused with a typed error, or it becomes an archive that is written, passes every check, has as many
/// objects as the document, and is the same when the file is imported again.
@main struct FuzzImport {
  static func main() throws {
    let target = FuzzTarget(
      seeds: {
        let seeds = Self.seeds()
        for seed in seeds where !isImported(seed) { broken("a seed is refused") }
        return seeds
      },
      repair: { input, choice in ImportedBytes.repaired(input, choice) },
      body: { input in _ = isImported(input) })
    try target.run()
  }

  private static func isImported(_ input: [UInt8]) -> Bool {
    var options = ImportOptions()
    options.typeNames = ["NSArray": "List"]
    do throws(ImportError) {
      let imported = try ImportedArchive(input, options: options)
      guard ImportedArchive.isKeyedArchive(input) else { broken("an archive is not recognised") }
      write(imported, again: try ImportedArchive(input, options: options))
      return true
    } catch {
      guard !error.description.isEmpty else { broken("no sentence") }
      return false
    }
  }

  private static func write(_ imported: ImportedArchive, again: ImportedArchive) {
    let counted = imported.classes.reduce(0) { $0 + $1.objectCount }
    let count = imported.document.objectIDs.count
    guard counted <= count else { broken("more objects than there are") }
    do throws(ArchiveError) {
      let bytes = try imported.document.encoded()
      let archive = try Archive(bytes)
      if case .notCanonical(let error) = try archive.verdict() { throw error }
      guard archive.objectCount == count else {
        broken("objects were lost")
      }
      guard try again.document.encoded() == bytes else { broken("another archive of one file") }
    } catch {
      // Names that are too long, and too many of them, are limits of the new archive.
      guard error.code == .limitExceeded else { broken("an import cannot be written: \(error)") }
    }
  }

  private static func seeds() -> [[UInt8]] {
    let roots: [Any] = [
      ["a", 1, 2.5, true, Data([1, 2]), Date(timeIntervalSinceReferenceDate: 1), NSNull()] as [Any],
      ["key": ["nested": NSSet(array: ["x", "y"])], "url": URL(fileURLWithPath: "/tmp")]
        as [String: Any],
      NSOrderedSet(array: [UUID(), "text"]), NSMutableString(string: "é"),
      [NSValue(point: NSPoint(x: 1, y: 2)), NSValue(range: NSRange(location: 1, length: 2))],
      [SeedObject(), SeedObject()],
    ]
    return roots.flatMap { root in
      [PropertyListSerialization.PropertyListFormat.binary, .xml].map { format in
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = format
        archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return Array(archiver.encodedData)
      }
    }
  }
}

/// An object that refers to itself; Foundation on Linux writes no name of a private class.
final class SeedObject: NSObject, NSCoding {
  override init() {}

  required init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(self, forKey: "self")
    coder.encode([self, self], forKey: "$list")
    coder.encode(nil as NSObject?, forKey: "none")
    coder.encode(Float(1), forKey: "float")
  }
}

/// Repairs the end of a binary property list, which says where its objects are.
private enum ImportedBytes {
  /// Makes the sizes of offsets and references plausible; the table stays as it was mutated.
  static func repaired(_ input: [UInt8], _ choice: UInt32) -> [UInt8] {
    let signature = Array("bplist00".utf8)
    guard input.starts(with: signature.prefix(4)), input.count > 48 else { return input }
    var bytes = signature + input.dropFirst(8)
    let trailer = bytes.count - 32
    for index in trailer..<trailer + 6 { bytes[index] = 0 }
    for index in [6, 7] where bytes[trailer + index] == 0 || bytes[trailer + index] > 4 {
      bytes[trailer + index] = choice % 2 == 0 ? 1 : 2
    }
    // The three numbers after the sizes: of objects, of the top, and of the byte where the table starts.
    for start in [8, 16, 24] {
      for index in start..<start + 5 { bytes[trailer + index] = 0 }
    }
    let width = Int(bytes[trailer + 6])
    let objectCount = Int(bytes[trailer + 14]) << 8 | Int(bytes[trailer + 15])
    let table = trailer - objectCount * width
    guard table >= 8 else { return bytes }
    bytes[trailer + 29] = UInt8(truncatingIfNeeded: table >> 16)
    bytes[trailer + 30] = UInt8(truncatingIfNeeded: table >> 8)
    bytes[trailer + 31] = UInt8(truncatingIfNeeded: table)
    return bytes
  }
}
