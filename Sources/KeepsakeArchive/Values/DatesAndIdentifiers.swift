extension ArchiveDate: ArchiveValue {
  /// The tag of a date.
  @inlinable public static var archiveTag: ArchiveTag { .date }

  /// Writes the seconds bit by bit.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeFixed(secondsSinceReferenceDate.bitPattern, tag: .date, at: place)
  }

  /// Reads a date.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.require(.date, for: "a date")
    self.init(secondsSinceReferenceDate: Double(bitPattern: coder.word()))
  }

  /// Reads a date out of its slot.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let bits: UInt64 = coder.fields.word(slot, tag: .date) else { return nil }
    self.init(secondsSinceReferenceDate: Double(bitPattern: bits))
  }
}

/// A universally unique identifier: 16 bytes.
public struct ArchiveUUID: Hashable, Sendable {
  /// The first eight bytes as a little-endian number.
  @usableFromInline package let low: UInt64
  /// The last eight bytes as a little-endian number.
  @usableFromInline package let high: UInt64

  @inlinable
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Makes an identifier of its bytes, or nil unless there are exactly 16 of them.
  ///
  /// - Parameter bytes: The bytes in the order in which the identifier is spelled.
  public init?(bytes: [UInt8]) {
    guard let low = bytes.load(UInt64.self, at: 0), let high = bytes.load(UInt64.self, at: 8),
      bytes.count == 16
    else { return nil }
    self.init(low: low, high: high)
  }

  /// The 16 bytes in the order in which the identifier is spelled.
  public var bytes: [UInt8] {
    [low, high].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
  }
}

extension ArchiveUUID: CustomStringConvertible {
  /// The usual spelling, in upper case.
  public var description: String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text += "-" }
      let digits = String(byte, radix: 16, uppercase: true)
      text += digits.count == 1 ? "0" + digits : digits
    }
    return text
  }
}

extension ArchiveUUID: ArchiveValue {
  /// The tag of an identifier.
  @inlinable public static var archiveTag: ArchiveTag { .uuid }

  /// Writes the 16 bytes.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeFixed(UInt128(high) << 64 | UInt128(low), tag: .uuid, at: place)
  }

  /// Reads an identifier.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.require(.uuid, for: "a UUID")
    let bits = coder.word(UInt128.self)
    self.init(
      low: UInt64(truncatingIfNeeded: bits), high: UInt64(truncatingIfNeeded: bits >> 64))
  }

  /// Reads an identifier out of its slot.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let bits: UInt128 = coder.fields.word(slot, tag: .uuid) else { return nil }
    self.init(
      low: UInt64(truncatingIfNeeded: bits), high: UInt64(truncatingIfNeeded: bits >> 64))
  }
}
