public import KeepsakeMigration
public import KeepsakeSeal

/// An error of the front door: of a state directory or of a key store.
public struct KeepsakeError: Error, Equatable, Sendable {
  /// What went wrong; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates the code of a name.
    ///
    /// - Parameter rawValue: The stable name, for example `"keyUnavailable"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The key is missing, unusable, or not the one that sealed the file.
    public static let keyUnavailable = Code(rawValue: "keyUnavailable")
    /// A sealed file was altered or cut short.
    public static let damaged = Code(rawValue: "damaged")
    /// A file or a directory cannot be read or written.
    public static let storeUnavailable = Code(rawValue: "storeUnavailable")
    /// The archive of a sealed file was refused, or a step of its migration failed.
    public static let migrationRefused = Code(rawValue: "migrationRefused")
    /// A key slot of a sealed file would be lost, because none of the keys opens it.
    public static let slotWouldBeLost = Code(rawValue: "slotWouldBeLost")
  }

  /// What went wrong.
  public let code: Code
  /// A full sentence: what happened, to which file, and what to do next.
  public let message: String
  /// The error of the sealed file behind it, if that was the cause.
  public let underlyingError: SealError?
  /// The error of the migration behind it, if that was the cause.
  public let migrationError: MigrationError?

  /// Creates an error; key stores of an app's own use this.
  ///
  /// - Parameters:
  ///   - code: What went wrong.
  ///   - message: A full sentence: what happened, to which file or key, and what to do next.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
    underlyingError = nil
    migrationError = nil
  }

  /// The archive of a sealed file could not be migrated.
  init(_ error: MigrationError, at path: String) {
    code = error.code == .unusableArchive ? .damaged : .migrationRefused
    message = "\(path) was not migrated and is as it was. \(error.description)"
    underlyingError = nil
    migrationError = error
  }

  init(_ code: Code, _ error: SealError) {
    self.code = code
    let startingOver =
      code == .keyUnavailable
      ? " To start over without it, reset the state: it is then set aside, not deleted." : ""
    message = error.description + startingOver
    underlyingError = error
    migrationError = nil
  }

  /// Sorts an error of opening a sealed file by what it means for the state.
  init(opening error: SealError) {
    switch error.code {
    case .noMatchingKey, .contextMismatch:
      self.init(.keyUnavailable, error)
    case .missingRecipient:
      self.init(.slotWouldBeLost, error)
    case .emptyFile, .notSealedFile, .truncated, .trailingBytes, .malformedHeader, .damagedHeader,
      .damagedChunk:
      self.init(.damaged, error)
    default:
      self.init(.storeUnavailable, error)
    }
  }
}

extension KeepsakeError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
