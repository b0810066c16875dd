import KeepsakeArchive

/// An error of the restoration layer.
public struct RestorationError: Error, Sendable {
  /// The kind of an error; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates a code from its stable name, for example `"invalidRegistration"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A name in a registry is empty, taken, or not the same in every process.
    public static let invalidRegistration = Code(rawValue: "invalidRegistration")
    /// No template is registered under the requested name.
    public static let unregisteredTemplate = Code(rawValue: "unregisteredTemplate")
    /// A reference leads to an object of another type than the requested one.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// The archive is sound, but does not hold a saved state.
    public static let malformedRecord = Code(rawValue: "malformedRecord")
    /// A save began before ``RestorationCoordinator/prepare()`` had finished.
    public static let notPrepared = Code(rawValue: "notPrepared")
    /// A save began while a restore or its extension was under way.
    public static let restorationInProgress = Code(rawValue: "restorationInProgress")
    /// The key of the saved state is unavailable; the state itself may be sound.
    public static let keyUnavailable = Code(rawValue: "keyUnavailable")
    /// The saved state was altered or cut short.
    public static let damaged = Code(rawValue: "damaged")
    /// The store cannot be read or written.
    public static let storeUnavailable = Code(rawValue: "storeUnavailable")
    /// A callback of the application threw an error.
    public static let callbackFailed = Code(rawValue: "callbackFailed")
    /// The application's own record could not be encoded.
    public static let encodingFailed = Code(rawValue: "encodingFailed")
    /// Saving is off for this launch, so that an unread state is not overwritten.
    public static let saveRefused = Code(rawValue: "saveRefused")
  }

  /// The kind of the error.
  public let code: Code
  package let message: String
  /// The object that the error concerns, if there is one.
  public let path: RestorationPath?
  /// The error that led to this one, if there is one.
  public let underlyingError: (any Error)?

  /// Creates an error; stores use this to say why they cannot load or save.
  ///
  /// The message is a full sentence: what happened, to which file or key, and what to do next. The path is that of the
  /// object which the error concerns, if there is one.
  public init(
    _ code: Code, _ message: String, at path: RestorationPath? = nil,
    underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.displayed
    self.path = path
    self.underlyingError = underlyingError
  }
}

extension RestorationError: Equatable, CustomStringConvertible {
  /// Returns whether two errors have the same code, message and path; underlying errors are not compared.
  public static func == (left: RestorationError, right: RestorationError) -> Bool {
    (left.code, left.message) == (right.code, right.message) && left.path == right.path
  }

  /// A full sentence: what happened, to which object, and what to do next; control characters in names are escaped.
  public var description: String { message }
}
