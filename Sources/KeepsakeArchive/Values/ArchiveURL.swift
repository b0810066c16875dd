/// A URL, kept as the string that spells it.
public struct ArchiveURL: Hashable, Sendable {
  /// The URL as text; not checked to be a valid URL.
  public var string: String

  /// Makes a URL of its spelling.
  ///
  /// - Parameter string: The URL as text.
  public init(_ string: String) {
    self.string = string
  }
}

extension ArchiveURL: ArchiveValue {
  /// The tag of a URL.
  @inlinable public static var archiveTag: ArchiveTag { .url }

  /// Writes the text.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeText(string, tag: .url, at: place)
  }

  /// Reads a URL.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no URL, or is not UTF-8.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    try decoder.require(.url, for: "a URL")
    self.init(try decoder.text())
  }
}
