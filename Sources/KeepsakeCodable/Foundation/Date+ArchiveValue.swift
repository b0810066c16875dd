#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Stored as an ``/KeepsakeArchive/ArchiveDate``: the seconds since 2001 with every bit kept.
extension Date: ArchiveValue {
  /// The tag of a date.
  public static var archiveTag: ArchiveTag { .date }

  /// Writes the seconds since 2001-01-01 00:00:00 UTC, bit by bit.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    ArchiveDate(self).encode(
      to: &coder, at: place)
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

extension ArchiveDate {
  /// Makes the date without Foundation for the same point in time.
  init(_ date: Date) {
    self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }
}
