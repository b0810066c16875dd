import FoundationEssentials
import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Records of about 4,294,967,295 bytes, the most of the format (Spec/archive.md, 4.4).
///
/// They take 9 GiB of memory, so they run only where `KEEPSAKE_LARGE` is set.
@Suite(
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["KEEPSAKE_LARGE"] != nil,
    "KEEPSAKE_LARGE is not set; the test takes 9 GiB of memory"))
struct `A record of four gibibytes` {
  /// The bytes of the record without its two payloads: one end of four bytes.
  private static let overhead = 4
  private static let limit = 4_294_967_295
  private static let firstCount = 1 << 31

  private static var limits: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.recordByteCount = .max
    return limits
  }

  /// A run of equal bytes, which doubles while it is made, so that it is copied by the system.
  private static func run(of byte: UInt8, count: Int) -> ArchiveBytes {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    bytes.append(contentsOf: repeatElement(byte, count: min(count, 4_096)))
    while bytes.count < count {
      bytes.append(contentsOf: bytes[..<min(bytes.count, count - bytes.count)])
    }
    return ArchiveBytes(bytes)
  }

  @Test(arguments: [-1, 0, 1])
  func `A record has at most 4,294,967,295 bytes`(difference: Int) throws {
    let count = Self.limit - Self.overhead - Self.firstCount + difference
    var writer = ArchiveWriter(limits: Self.limits)
    let error = archiveError {
      try writer.writeObject(first, typeName: "Test") { coder in
        coder.encode(Self.run(of: 1, count: Self.firstCount), forKey: "a")
        coder.encode(Self.run(of: 2, count: count), forKey: "b")
      }
    }
    guard difference <= 0 else {
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.description.contains(
          "4294967296 bytes, and the format has no room for more than 4294967295") == true)
      // Nothing remains of the record that was refused.
      try writer.writeObject(first, typeName: "Test") { $0.encode(1, forKey: "a") }
      let small = try archiveBytes(limits: Self.limits) { $0.encode(1, forKey: "a") }
      #expect(try writer.finish(root: first) == small)
      return
    }
    #expect(error == nil)
    let archive = try Archive(writer.finish(root: first), limits: Self.limits)
    try archive.requireCanonical()
    let object = try archive.object(first)
    #expect(object.byteCount == Self.limit + difference)
    let last = try object.decode(ArchiveBytes.self, forKey: "b").bytes
    #expect(last.count == count && last.first == 2 && last.last == 2)
  }

  @Test(arguments: [-1, 0, 1])
  func `A payload has at most 4,294,967,295 bytes`(difference: Int) throws {
    let count = Self.limit + difference
    var bytes: [UInt8] = []
    let error = archiveError {
      bytes = try archiveBytes(limits: Self.limits) { coder in
        coder.encode(Self.run(of: 3, count: count), forKey: "a")
      }
    }
    #expect(error?.code == (difference > 0 ? .limitExceeded : nil))
    if error != nil { return }
    let object = try Archive(bytes, limits: Self.limits).object(first)
    bytes = []
    #expect(try object.decode(ArchiveBytes.self, forKey: "a").bytes.count == count)
  }
}
