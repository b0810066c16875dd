/// An error of the restoration layer.
public struct RestorationError: Error, Sendable {
  /// What went wrong; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case invalidRegistration, typeMismatch, malformedRecord, notPrepared, restorationInProgress
      case keyUnavailable, damaged, storeUnavailable, callbackFailed, encodingFailed, saveRefused
    }

    private let value: Value

    /// A name in a registry is empty or taken.
    public static let invalidRegistration = Code(value: .invalidRegistration)
    /// A reference leads to an object of another type than was asked for.
    public static let typeMismatch = Code(value: .typeMismatch)
    /// The archive is sound, but what it holds is no saved state.
    public static let malformedRecord = Code(value: .malformedRecord)
    /// A save was asked for before ``RestorationCoordinator/prepare()`` had finished.
    public static let notPrepared = Code(value: .notPrepared)
    /// A save was asked for while a restore or its extension was under way.
    public static let restorationInProgress = Code(value: .restorationInProgress)
    /// The key of the saved state cannot be had; the state itself may be sound.
    public static let keyUnavailable = Code(value: .keyUnavailable)
    /// The saved state was altered or cut short.
    public static let damaged = Code(value: .damaged)
    /// The store cannot be read or written.
    public static let storeUnavailable = Code(value: .storeUnavailable)
    /// A callback of the application threw an error.
    public static let callbackFailed = Code(value: .callbackFailed)
    /// The application's own record could not be encoded.
    public static let encodingFailed = Code(value: .encodingFailed)
    /// Saving is off for this launch, so that what could not be read is not overwritten.
    public static let saveRefused = Code(value: .saveRefused)
  }

  /// What went wrong.
  public let code: Code
  /// A full sentence: what happened, to what, and what to do next.
  public let message: String

  /// Creates an error; stores use this to say why they cannot load or save.
  ///
  /// - Parameters:
  ///   - code: What went wrong.
  ///   - message: A full sentence: what happened, to which file or key, and what to do next.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension RestorationError: Equatable, CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
