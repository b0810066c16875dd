#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The name of a session, such as a window or a scene, in its state directory; the same in every launch.
public struct SessionIdentifier: Hashable, Sendable {
  static let maximumLength = 64

  /// The name.
  package let text: String

  /// Makes a unique identifier.
  public init() {
    text = UUID().uuidString.lowercased()
  }

  /// Makes an identifier from the app's name for the session, such as `main`.
  ///
  /// Upper-case letters are refused, since some file systems do not distinguish them from lower-case ones.
  ///
  /// - Parameter text: Between 1 and 64 lower-case letters `a` to `z`, digits and hyphens, no hyphen
  ///   first.
  /// - Throws: ``KeepsakeError`` with `invalidIdentifier`.
  public init(_ text: String) throws(KeepsakeError) {
    guard Self.isValid(text) else {
      throw KeepsakeError(
        .invalidIdentifier,
        "\"\(text)\" cannot name a session; use between 1 and \(Self.maximumLength) lower-case "
          + "letters, digits and hyphens, no hyphen first.")
    }
    self.text = text
  }

  private static func isValid(_ text: String) -> Bool {
    let bytes = text.utf8
    return (1...maximumLength).contains(bytes.count) && bytes.first != UInt8(ascii: "-")
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

extension SessionIdentifier: Comparable {
  /// Orders identifiers by their text.
  public static func < (first: SessionIdentifier, second: SessionIdentifier) -> Bool {
    first.text < second.text
  }
}

extension SessionIdentifier: CustomStringConvertible {
  /// The name: between 1 and 64 lower-case letters, digits and hyphens, no hyphen first.
  public var description: String { text }
}
