/// A point in time, exactly as Foundation's `Date` holds it.
public struct ArchiveDate: Hashable, Sendable {
  /// Seconds since 2001-01-01 00:00:00 UTC; negative before.
  public var secondsSinceReferenceDate: Double

  /// Makes a point in time.
  ///
  /// - Parameter secondsSinceReferenceDate: Seconds since 2001-01-01 00:00:00 UTC.
  public init(secondsSinceReferenceDate: Double) {
    self.secondsSinceReferenceDate = secondsSinceReferenceDate
  }
}

extension ArchiveDate: Comparable {
  /// Whether the left point in time is earlier.
  public static func < (left: ArchiveDate, right: ArchiveDate) -> Bool {
    left.secondsSinceReferenceDate < right.secondsSinceReferenceDate
  }
}

extension ArchiveDate: ArchiveValue {
  /// The tag of a date.
  @inlinable public static var archiveTag: ArchiveTag { .date }

  /// Writes the seconds bit by bit.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeFixed(secondsSinceReferenceDate.bitPattern, tag: .date, at: place)
  }

  /// Reads a date.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no date.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    try decoder.require(.date, for: "a date")
    self.init(secondsSinceReferenceDate: Double(bitPattern: decoder.word()))
  }
}
