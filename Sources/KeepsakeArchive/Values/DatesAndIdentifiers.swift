extension ArchiveDate: StoredWord {
  @inlinable static var storedTag: ArchiveTag { .date }

  @inlinable var archiveWord: UInt64 { secondsSinceReferenceDate.bitPattern }

  @inlinable
  init(archiveWord word: UInt64) {
    self.init(secondsSinceReferenceDate: Double(bitPattern: word))
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

  /// Makes an identifier of its bytes in the order in which it is spelled; nil unless there are exactly 16 of them.
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

extension ArchiveUUID: StoredWord {
  @inlinable static var storedTag: ArchiveTag { .uuid }

  @inlinable var archiveWord: UInt128 { UInt128(high) << 64 | UInt128(low) }

  @inlinable
  init(archiveWord word: UInt128) {
    self.init(
      low: UInt64(truncatingIfNeeded: word), high: UInt64(truncatingIfNeeded: word >> 64))
  }
}
