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
  }

  /// What went wrong.
  public let code: Code
  /// A full sentence: what happened, to which file, and what to do next.
  public let message: String
  /// The error of the sealed file behind it, if that was the cause.
  public let underlyingError: SealError?

  /// Creates an error; key stores of an app's own use this.
  ///
  /// - Parameters:
  ///   - code: What went wrong.
  ///   - message: A full sentence: what happened, to which file or key, and what to do next.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
    underlyingError = nil
  }

  init(_ code: Code, _ error: SealError) {
    self.code = code
    let startingOver =
      code == .keyUnavailable
      ? " To start over without it, reset the state: it is then set aside, not deleted." : ""
    message = error.description + startingOver
    underlyingError = error
  }

  /// Sorts an error of opening a sealed file by what it means for the state.
  init(opening error: SealError) {
    switch error.code {
    case .noMatchingKey, .contextMismatch:
      self.init(.keyUnavailable, error)
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
