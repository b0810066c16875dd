#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An entry of a journal, with its place.
public struct JournalEntry<Value: Sendable>: Sendable {
  /// The number of the entry; the first one of a journal is 0.
  public let number: UInt64
  /// The time at which the entry was appended, by the clock of its writer, in milliseconds.
  public let date: Date
  /// The number of entries that are missing right before this one: they are damaged, or their file was removed.
  public let missingBefore: UInt64
  /// The decoded entry.
  public let value: Value
}

extension JournalEntry: Equatable where Value: Equatable {}

extension JournalEntry {
  /// Decodes an entry; nil when the form skips it.
  @inlinable init?(
    _ entry: FoundEntry, as form: JournalForm<Value>, in path: String
  ) throws(JournalError) {
    let decoded: Value?
    do {
      decoded = try form.decode(entry.record)
    } catch {
      throw entry.unreadable(error, in: path)
    }
    guard let decoded else { return nil }
    number = entry.number
    date = entry.date
    missingBefore = entry.missingBefore
    value = decoded
  }
}

extension FoundEntry {
  @usableFromInline var date: Date { Date(timeIntervalSince1970: Double(time) / 1_000) }

  /// The error of an entry that a form cannot decode.
  @usableFromInline func unreadable(_ error: any Error, in path: String) -> JournalError {
    guard let error = error as? JournalError else {
      return JournalError(.entryUnreadable, path: path, entry: number, detail: "\(error)")
    }
    return JournalError(
      error.code, path: path, entry: number, detail: error.detail, sealError: error.sealError)
  }
}

extension Date {
  /// Milliseconds since 1970, rounded down.
  var milliseconds: Int64 {
    let exact = (timeIntervalSince1970 * 1_000).rounded(.down)
    return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
  }
}
