import KeepsakeArchive

/// The reason why a property list or an archive of `NSKeyedArchiver` was refused, and the place of the fault.
///
/// Reading throws it for every malformed or unsupported input; no input ends the process. The input is never changed.
public struct ImportError: Error, Hashable, Sendable {
  /// The kind of the error.
  public let code: Code
  /// The fault, as a clause without a full stop.
  package let message: String
  /// The place of the fault; nil when it concerns the input as a whole.
  public let place: Place?

  package init(_ code: Code, _ message: String, at place: Place? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }
}

extension ImportError {
  /// The kind of an error; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Makes the code of a name.
    ///
    /// - Parameter rawValue: The stable name, for example `"damaged"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The input contradicts the format that it begins as.
    public static let damaged = Code(rawValue: "damaged")
    /// The input is a property list, but not an archive of `NSKeyedArchiver`.
    public static let notKeyedArchive = Code(rawValue: "notKeyedArchive")
    /// The archive names a version of its format that is not known.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// The text is in another encoding than UTF-8.
    public static let unsupportedEncoding = Code(rawValue: "unsupportedEncoding")
    /// The input is larger, more deeply nested or more repetitive than this module reads.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
  }

  /// A place in the input.
  public enum Place: Hashable, Sendable {
    /// A byte of a binary file.
    case byte(Int)
    /// A line and a column of a text, both from 1.
    case text(line: Int, column: Int)
    /// An object of a binary property list by its number, and the byte at which it starts if that is known.
    case object(Int, byte: Int?)
    /// An object of a keyed archive by its index in `$objects`.
    case archivedObject(Int)
  }
}

extension ImportError.Place: CustomStringConvertible {
  /// The place in words, such as `line 2, column 5`.
  public var description: String {
    switch self {
    case .byte(let offset): "byte \(offset)"
    case .text(let line, let column): "line \(line), column \(column)"
    case .object(let number, nil): "object \(number)"
    case .object(let number, let offset?): "object \(number), byte \(offset)"
    case .archivedObject(let index): "object \(index) of $objects"
    }
  }
}

extension ImportError: CustomStringConvertible {
  /// Full sentences: the fault, its place, and what to do next.
  public var description: String {
    "\(message.prefix(1).uppercased())\(message.dropFirst())\(placeInBrackets). \(advice)".displayed
  }

  /// The place after a blank, in brackets; empty without a place.
  package var placeInBrackets: String { place.map { " (\($0))" } ?? "" }

  private var advice: String {
    switch code {
    case .notKeyedArchive: "Check that this is a file that NSKeyedArchiver wrote."
    case .unsupportedVersion: "Unarchive it with the program that wrote it."
    case .unsupportedEncoding: "Convert it to UTF-8 first."
    case .limitExceeded:
      "If the data is legitimate, unarchive it with the program that wrote it, and save it in parts."
    default: "Use another copy of the file; this one is not as it was written."
    }
  }
}
