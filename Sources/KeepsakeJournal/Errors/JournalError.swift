import KeepsakeArchive
import KeepsakeFiles
public import KeepsakeSeal

/// An error of a journal: of opening, appending or reading.
///
/// A program decides by ``code``; ``description`` tells a person what happened, where, and what to do next.
public struct JournalError: Error, Hashable, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The file or directory that the error concerns, if there is one.
  public internal(set) var path: String?
  /// The offset in the file at which the journal is damaged, in bytes, if the error concerns one.
  public internal(set) var offset: UInt64?
  /// The number of the first entry that cannot be read, if the error concerns one.
  public internal(set) var entry: UInt64?
  /// The error of a file or of its keys that led to this one, if there is one.
  public let sealError: SealError?
  /// More about the failure, as part of a sentence; empty when ``code`` says everything.
  let detail: String

  init(
    _ code: Code, path: String? = nil, offset: UInt64? = nil, entry: UInt64? = nil,
    detail: String = "", sealError: SealError? = nil
  ) {
    self.code = code
    self.path = path
    self.offset = offset
    self.entry = entry
    self.detail = detail
    self.sealError = sealError
  }

  /// Makes the error from one of the module KeepsakeSeal, whose code has the same name.
  package init(_ error: SealError, path: String? = nil) {
    let code: Code = error.code == .fileLocked ? .journalInUse : Code(rawValue: error.code.rawValue)
    self.init(code, path: error.path ?? path, sealError: error)
  }

  init(_ error: FileError) { self.init(SealError(error)) }

  /// The error of an entry that a form cannot encode.
  @usableFromInline init(notStorable error: any Error, path: String) {
    self.init(.entryNotStorable, path: path, detail: "\(error)")
  }

  /// The same error with this path, unless it has one.
  func at(_ path: String) -> JournalError {
    var error = self
    error.path = error.path ?? path
    return error
  }

  /// The same error with a place in a file.
  func at(_ path: String, offset: UInt64) -> JournalError {
    var error = at(path)
    error.offset = error.offset ?? offset
    return error
  }
}

extension JournalError {
  /// The kind of failure that an error reports.
  ///
  /// The list is open: a later version may add codes, so a `switch` needs a `default`. Failures of files and keys
  /// have the names of `SealError` codes.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates the code with a stable name, for example `"damaged"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name of the code.
    public var description: String { rawValue }

    /// Another writer has the journal open, in this process or another one.
    public static let journalInUse = Code(rawValue: "journalInUse")
    /// There is no journal in the directory.
    public static let journalAbsent = Code(rawValue: "journalAbsent")
    /// The journal was closed by this program.
    public static let closed = Code(rawValue: "closed")
    /// The process was forked since the journal was opened; the parent process goes on writing it.
    public static let forked = Code(rawValue: "forked")
    /// The journal has no numbers left for files, segments or entries.
    public static let journalFull = Code(rawValue: "journalFull")
    /// An entry is larger than the format allows; nothing was written.
    public static let entryTooLarge = Code(rawValue: "entryTooLarge")
    /// An entry cannot be encoded; nothing was written.
    public static let entryNotStorable = Code(rawValue: "entryNotStorable")
    /// An entry is sound, but has another type than the requested one, or a later version.
    public static let entryUnreadable = Code(rawValue: "entryUnreadable")
    /// There is no entry with the number: it was not appended yet, or its file was removed.
    public static let entryAbsent = Code(rawValue: "entryAbsent")
    /// The entries may or may not be in the journal after a power cut.
    public static let durabilityUnknown = Code(rawValue: "durabilityUnknown")
    /// A file does not begin with the bytes of a journal.
    public static let notJournal = Code(rawValue: "notJournal")
    /// A format version that this reader does not know.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// A cipher suite that this reader does not know.
    public static let unsupportedSuite = Code(rawValue: "unsupportedSuite")
    /// A flag that this reader does not know.
    public static let unsupportedFlags = Code(rawValue: "unsupportedFlags")
    /// A header that breaks a rule of the format.
    public static let malformedHeader = Code(rawValue: "malformedHeader")
    /// A header whose bytes were changed after it was written.
    public static let damagedHeader = Code(rawValue: "damagedHeader")
    /// A holder of a key wrote an entry that breaks a rule of the format.
    public static let malformedEntry = Code(rawValue: "malformedEntry")
    /// None of the given keys opens a segment.
    public static let noMatchingKey = Code(rawValue: "noMatchingKey")
    /// The key fits, but the journal was written under another context.
    public static let contextMismatch = Code(rawValue: "contextMismatch")
    /// A file belongs to another journal, or has another number than its name.
    public static let wrongFile = Code(rawValue: "wrongFile")
    /// A file is missing whose removal was not recorded.
    public static let missingFile = Code(rawValue: "missingFile")
    /// A segment does not continue the previous one.
    public static let brokenChain = Code(rawValue: "brokenChain")
    /// Bytes that had been written were changed or are missing.
    public static let damaged = Code(rawValue: "damaged")
    /// The record of removed files breaks a rule of the format.
    public static let malformedRetention = Code(rawValue: "malformedRetention")
    /// The journal is genuine, but does not continue the one of the pin.
    public static let stalePin = Code(rawValue: "stalePin")
    /// Bytes that are not a pin of a journal.
    public static let invalidPin = Code(rawValue: "invalidPin")
    /// Options that a journal cannot have.
    public static let invalidOptions = Code(rawValue: "invalidOptions")
  }
}

extension JournalError: CustomStringConvertible {
  /// The failure, its place, and what to do next, in full sentences.
  public var description: String {
    if let sealError, code.rawValue == sealError.code.rawValue, code != .durabilityUnknown {
      return path == nil || sealError.path != nil
        ? sealError.description : sealError.description + " The journal is at \(shownPath)."
    }
    return summary + (detail.isEmpty ? "" : " (\(detail))") + ". " + advice
  }

  private var shownPath: String { (path.map { "\"\($0)\"" } ?? "the given place").displayed }

  /// The file, the offset and the entry, as far as they are known.
  private var place: String {
    shownPath + (offset.map { " at byte \($0)" } ?? "")
      + (entry.map { ", from entry \($0) on" } ?? "")
  }

  private var summary: String {
    switch code {
    case .journalInUse: "Another writer has the journal at \(shownPath) open"
    case .journalAbsent: "There is no journal in \(shownPath)"
    case .closed: "The journal at \(shownPath) was closed"
    case .forked: "The process was forked after it had opened the journal at \(shownPath)"
    case .journalFull: "The journal at \(shownPath) has no numbers left"
    case .entryTooLarge: "An entry is larger than a journal can hold, and was not appended"
    case .entryNotStorable: "An entry cannot be stored, and was not appended"
    case .entryUnreadable:
      "Entry \(entry ?? 0) of the journal at \(shownPath) is sound, but this program cannot read it"
    case .entryAbsent: "The journal at \(shownPath) has no entry \(entry ?? 0)"
    case .durabilityUnknown:
      "The system could not confirm that entries of \(shownPath) are durable"
    case .notJournal: "The file at \(shownPath) is not a journal"
    case .unsupportedVersion: "The format version of \(shownPath) is unknown"
    case .unsupportedSuite: "The cipher suite of \(shownPath) is unknown"
    case .unsupportedFlags: "The journal at \(shownPath) uses a feature that is unknown"
    case .malformedHeader: "A header of the journal at \(place) breaks the format"
    case .damagedHeader: "A header of the journal at \(place) is damaged"
    case .malformedEntry: "The journal at \(place) has an entry that breaks the format"
    case .wrongFile: "The file at \(shownPath) does not belong to this place of the journal"
    case .missingFile: "The file at \(shownPath) is missing"
    case .brokenChain: "The journal at \(place) does not continue the part before it"
    case .damaged: "The journal is damaged in \(place)"
    case .malformedRetention: "The record of removed files at \(shownPath) is damaged"
    case .stalePin: "The journal at \(shownPath) does not continue the one of the pin"
    case .invalidPin: "The pin cannot be read"
    case .invalidOptions: "The given options cannot be used for the journal at \(shownPath)"
    default: "The journal at \(shownPath) cannot be used: \(code.rawValue)"
    }
  }

  private var advice: String {
    switch code {
    case .journalInUse: "Close it there, or wait for it with the option patience."
    case .journalAbsent: "Check the path; a journal is made when it is opened for appending."
    case .closed: "Open it again to append to it."
    case .forked: "Open the journal in the new process after the other one has closed it."
    case .journalFull: "Begin a journal in another directory."
    case .entryTooLarge: "Split it; an entry has at most 16 MiB."
    case .entryNotStorable: "Change its type, and append it again."
    case .entryUnreadable: "Read it as a JournalRecord, or pass a form that migrates or skips it."
    case .entryAbsent: "Ask for the number of entries first."
    case .durabilityUnknown:
      "Check whether the last entries are there before you append them again."
    case .unsupportedVersion, .unsupportedSuite, .unsupportedFlags:
      "Open it with a newer version of this software."
    case .stalePin: "An older copy was put in its place, or the pin is of another journal."
    case .invalidPin: "Pass the 64 bytes of a pin, as they were kept."
    case .invalidOptions: "Pass at least one recipient, and no passphrase."
    case .damaged, .brokenChain, .missingFile, .damagedHeader, .malformedHeader, .malformedEntry:
      "Keep a copy of the directory; reading can continue after the damage if a program requests it."
    default: "Keep a copy of the directory, and compare it with a backup."
    }
  }
}

/// Calls a closure that uses files and keys, and throws its errors as errors of this module.
func asJournal<Result>(
  _ path: String? = nil, _ body: () throws(SealError) -> Result
) throws(JournalError) -> Result {
  do throws(SealError) {
    return try body()
  } catch {
    throw JournalError(error, path: path)
  }
}

/// Calls a closure that uses files, and throws its errors as errors of this module.
func withJournalErrors<Result>(
  _ body: () throws(FileError) -> Result
) throws(JournalError) -> Result {
  do throws(FileError) {
    return try body()
  } catch {
    throw JournalError(error)
  }
}

/// Calls a closure that uses the file at a path, and throws its errors as errors of this module.
func withJournalErrors<Result>(
  _ path: String, _ body: () throws(SystemFailure) -> Result
) throws(JournalError) -> Result {
  do throws(SystemFailure) {
    return try body()
  } catch {
    throw JournalError(FileError(error, path: path))
  }
}
