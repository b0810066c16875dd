#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// A `UUID` is stored as an ``/KeepsakeArchive/ArchiveUUID``: 16 bytes.
extension UUID: ArchiveValue {
  /// The tag of an identifier.
  public static var archiveTag: ArchiveTag { .uuid }

  /// Writes the 16 bytes.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    ArchiveUUID(self).encode(to: &coder, at: place)
  }

  /// Reads an identifier.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try ArchiveUUID(from: coder))
  }

  /// Reads an identifier from its slot.
  public init?(
    asWrittenIn coder: borrowing ObjectDecoder, at slot: ArchiveSlot
  ) throws(ArchiveError) {
    guard let stored = try ArchiveUUID(asWrittenIn: coder, at: slot) else { return nil }
    self.init(stored)
  }
}

extension UUID {
  init(_ stored: ArchiveUUID) {
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word &>> (8 &* index))
    }
    let (low, high) = (stored.low, stored.high)
    self.init(
      uuid: (
        byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
        byte(low, 6), byte(low, 7), byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
        byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7)
      ))
  }
}

extension ArchiveUUID {
  init(_ identifier: UUID) {
    func word(
      _ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ e: UInt8, _ f: UInt8, _ g: UInt8,
      _ h: UInt8
    ) -> UInt64 {
      let lower = UInt64(a) | UInt64(b) << 8 | UInt64(c) << 16 | UInt64(d) << 24
      let upper = UInt64(e) | UInt64(f) << 8 | UInt64(g) << 16 | UInt64(h) << 24
      return lower | upper << 32
    }
    let u = identifier.uuid
    self.init(
      low: word(u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7),
      high: word(u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15))
  }
}
