import KeepsakeArchive
import KeepsakeFiles
import KeepsakeJournal
import KeepsakeMigration
import KeepsakeSeal

/// An error of the module Keepsake: of a state directory, a key store or a sealed value.
///
/// Errors are compared by code, message and path.
public struct KeepsakeError: Error, Hashable, Sendable {
  /// The kind of an error; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates a code from its stable name, for example `"keyUnavailable"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The key does not exist: it was never made here, or it was removed.
    public static let keyAbsent = Code(rawValue: "keyAbsent")
    /// The key exists, but the user has to unlock it first, for example with a passphrase.
    public static let keyLocked = Code(rawValue: "keyLocked")
    /// The passphrase does not open the key, or the key does not open the file.
    public static let keyWrong = Code(rawValue: "keyWrong")
    /// There is something at the place of the key, but it is not an intact key.
    public static let keyDamaged = Code(rawValue: "keyDamaged")
    /// The key is unavailable for another reason, such as the permissions of its file.
    public static let keyUnavailable = Code(rawValue: "keyUnavailable")
    /// Another process, or another part of this one, uses the state; it was neither read nor changed.
    public static let stateInUse = Code(rawValue: "stateInUse")
    /// Another process has saved the state since this one read it; that save was not overwritten.
    public static let stateChanged = Code(rawValue: "stateChanged")
    /// A text is not a valid identifier of a session.
    public static let invalidIdentifier = Code(rawValue: "invalidIdentifier")
    /// The session does not exist, or has no saved state.
    public static let stateAbsent = Code(rawValue: "stateAbsent")
    /// The session was discarded.
    public static let sessionDiscarded = Code(rawValue: "sessionDiscarded")
    /// A sealed file was altered or cut short.
    public static let damaged = Code(rawValue: "damaged")
    /// There is no file at the path of a value.
    public static let valueAbsent = Code(rawValue: "valueAbsent")
    /// A file is sound, but does not hold a value of the requested type, or holds one of another version.
    public static let valueUnreadable = Code(rawValue: "valueUnreadable")
    /// A value cannot be encoded; nothing was written.
    public static let valueNotStorable = Code(rawValue: "valueNotStorable")
    /// Another process has saved the value since this one read it, or this one never read it; the file was not
    /// overwritten.
    public static let valueChanged = Code(rawValue: "valueChanged")
    /// A file or a directory cannot be read or written.
    public static let storeUnavailable = Code(rawValue: "storeUnavailable")
    /// The state was saved for another application or session, or the value for another purpose; it was neither
    /// opened nor changed.
    public static let wrongPurpose = Code(rawValue: "wrongPurpose")
    /// The state is older than its pin: an earlier state has replaced it.
    public static let staleState = Code(rawValue: "staleState")
    /// The pin of a state cannot be read or stored, so it is unknown whether the state is the latest one.
    public static let freshnessUnavailable = Code(rawValue: "freshnessUnavailable")
    /// The state was saved, but its pin was not stored.
    public static let pinNotKept = Code(rawValue: "pinNotKept")
    /// The change is in place and visible, but a power cut may still undo it.
    public static let durabilityUnknown = Code(rawValue: "durabilityUnknown")
    /// The archive of a sealed file was refused, or a step of its migration failed.
    public static let migrationRefused = Code(rawValue: "migrationRefused")
    /// A key slot of a sealed file would be lost, because none of the keys opens it.
    public static let slotWouldBeLost = Code(rawValue: "slotWouldBeLost")
  }

  /// The kind of the error.
  public let code: Code
  package let message: String
  /// The file or directory that the error concerns, if there is one.
  public let path: String?
  /// The error that led to this one, if there is one: a `SealError` of a sealed file or of the files around it, a
  /// `MigrationError`, an `ArchiveError`, a `JournalError` of a journaled value, or an error of a closure of the
  /// caller.
  public var underlyingError: (any Error)? { underlying.error }

  private let underlying: UnderlyingError

  /// Creates an error; key stores of an app's own use this.
  ///
  /// - Parameters:
  ///   - code: The kind of the error.
  ///   - message: A full sentence: what happened, to which file or key, and what to do next.
  ///   - path: The file or directory that the error concerns, if there is one.
  ///   - underlyingError: The error that led to this one, if there is one.
  public init(
    _ code: Code, _ message: String, at path: String? = nil, underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.displayed
    self.path = path
    underlying = UnderlyingError(underlyingError)
  }

  init(_ code: Code, _ message: String, _ error: SealError) {
    self.init(code, message, at: error.path, underlyingError: error)
  }

  /// The underlying error is a `SealError` for every file, sealed or not.
  init(_ code: Code, _ error: FileError) { self.init(code, SealError(error)) }

  /// The error of an archive in a sealed file that could not be migrated.
  init(_ error: MigrationError, at path: String) {
    self.init(
      error.code == .unusableArchive ? .damaged : .migrationRefused,
      "\(path) was not migrated and is unchanged. \(error.description)", at: path,
      underlyingError: error)
  }

  init(_ code: Code, _ error: SealError) {
    let startingOver =
      code.isAboutKey && code != .keyLocked
      ? " To start over without it, reset the state: it is then set aside, not deleted." : ""
    self.init(code, error.description + startingOver, error)
  }

  /// The error of a change of files, with a code that says whether the change is in place.
  init(changing error: SealError) {
    self.init(
      error.code == .durabilityUnknown ? .durabilityUnknown : .storeUnavailable, error)
  }

  /// The error of a change of a file that is not sealed, with such a code.
  init(changing error: FileError) { self.init(changing: SealError(error)) }

  /// The error of a key file, with the code for the state of the key.
  init(readingKey error: SealError) {
    switch error.code {
    case .noMatchingKey:
      self.init(
        .keyWrong,
        "The passphrase does not open the key file at \(error.path ?? "the given path"); type it "
          + "again, and mind capital letters and the layout of the keyboard.", error)
    case .keychainLocked: self.init(.keyLocked, error)
    case .durabilityUnknown: self.init(.durabilityUnknown, error)
    case .keyFileAbsent: self.init(.keyAbsent, error)
    case .keyFileWrongLength, .notKeyFile, .keyFileDamaged: self.init(.keyDamaged, error)
    default: self.init(.keyUnavailable, error)
    }
  }

  /// The error of a sealed file, with the code for the state in it.
  init(opening error: SealError) {
    switch error.code {
    case .noMatchingKey:
      self.init(.keyWrong, error)
    case .contextMismatch:
      self.init(.keyUnavailable, error)
    case .staleFile:
      self.init(.staleState, error)
    case .missingRecipient:
      self.init(.slotWouldBeLost, error)
    case .durabilityUnknown:
      self.init(.durabilityUnknown, error)
    case .emptyFile, .notSealedFile, .truncated, .trailingBytes, .malformedHeader, .damagedHeader,
      .damagedChunk, .damagedSignature:
      self.init(.damaged, error)
    default:
      self.init(.storeUnavailable, error)
    }
  }
}

extension KeepsakeError {
  /// The error of the journal of a value, whose sentence names the place.
  init(_ error: JournalError) {
    let code: Code =
      switch error.code {
      case .journalInUse: .stateInUse
      case .noMatchingKey: .keyWrong
      case .contextMismatch: .wrongPurpose
      case .entryUnreadable: .valueUnreadable
      case .entryTooLarge, .entryNotStorable: .valueNotStorable
      case .durabilityUnknown: .durabilityUnknown
      case .damaged, .damagedHeader, .malformedHeader, .malformedEntry, .malformedRetention,
        .missingFile, .wrongFile, .brokenChain, .notJournal, .entryAbsent:
        .damaged
      default: .storeUnavailable
      }
    self.init(code, error.description, at: error.path, underlyingError: error)
  }
}

extension KeepsakeError.Code {
  /// True when only the key is unavailable, while the state itself may be sound.
  var isAboutKey: Bool {
    [.keyAbsent, .keyLocked, .keyWrong, .keyDamaged, .keyUnavailable].contains(self)
  }
}

extension KeepsakeError: CustomStringConvertible {
  /// A full sentence: what happened, to which file, and what to do next; control characters are escaped.
  public var description: String { message }
}
