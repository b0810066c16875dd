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
  init?(_ entry: NumberedEntry, as form: JournalForm<Value>, in path: String) throws(JournalError) {
    let record = entry.stored.record
    let decoded: Value?
    do {
      decoded = try form.decode(record)
    } catch let error as JournalError {
      throw JournalError(
        error.code, path: path, entry: entry.number, detail: error.detail,
        sealError: error.sealError)
    } catch {
      throw JournalError(.entryUnreadable, path: path, entry: entry.number, detail: "\(error)")
    }
    guard let decoded else { return nil }
    number = entry.number
    date = Date(timeIntervalSince1970: Double(entry.stored.time) / 1_000)
    missingBefore = entry.missingBefore
    value = decoded
  }
}

extension Date {
  /// Milliseconds since 1970, rounded down.
  var milliseconds: Int64 {
    let exact = (timeIntervalSince1970 * 1_000).rounded(.down)
    return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
  }
}
