#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Stored as ``/KeepsakeArchive/ArchiveBytes``: one run of bytes.
extension Data: ArchiveValue {
  /// The tag of a run of bytes.
  public static var archiveTag: ArchiveTag { .bytes }

  /// Writes the bytes as they are.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeBytes(span, at: place)
  }

  /// Reads a run of bytes.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.withLentBytes { Data($0) }
  }
}

extension Archive {
  /// Opens an archive, all of which is in a `Data`.
  ///
  /// - Throws: `ArchiveError` when the bytes are no archive, are cut short, or contradict the format where
  ///   opening looks (Spec/archive.md, section 7).
  /// - Complexity: In proportion to the size, as the bytes are copied.
  public init(_ data: Data, limits: ArchiveLimits = .init()) throws(ArchiveError) {
    try self.init(Array(data), limits: limits)
  }
}

/// Stored as an ``/KeepsakeArchive/ArchiveDate``: the seconds since 2001 with every bit kept.
extension Date: ArchiveValue {
  /// The tag of a date.
  public static var archiveTag: ArchiveTag { .date }

  /// Writes the seconds since 2001-01-01 00:00:00 UTC, bit by bit.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    ArchiveDate(secondsSinceReferenceDate: timeIntervalSinceReferenceDate)
      .encode(to: &coder, at: place)
  }

  /// Reads a date.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let date = try ArchiveDate(from: coder)
    self.init(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
  }

  /// Reads a date out of its slot.
  public init?(
    asWrittenIn coder: borrowing ObjectDecoder, at slot: ArchiveSlot
  ) throws(ArchiveError) {
    guard let date = try ArchiveDate(asWrittenIn: coder, at: slot) else { return nil }
    self.init(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
  }
}

/// A `URL` is stored as an ``/KeepsakeArchive/ArchiveURL``: its absolute string, which includes the base URL.
extension URL: ArchiveValue {
  /// The tag of a URL.
  public static var archiveTag: ArchiveTag { .url }

  /// Writes the absolute string.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    ArchiveURL(absoluteString).encode(to: &coder, at: place)
  }

  /// Reads a URL.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let stored = try ArchiveURL(from: coder)
    guard let url = URL(string: stored.string) else {
      throw ArchiveError(.invalidValue, "the stored text is not a URL that Foundation accepts")
    }
    self = url
  }
}

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
    func byte(_ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (index < 8 ? stored.low : stored.high) &>> (8 &* (index & 7)))
    }
    self.init(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9),
        byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
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
