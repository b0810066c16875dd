/// A run of bytes of any meaning, stored as one payload.
public struct ArchiveBytes: Hashable, Sendable {
  /// The bytes.
  public var bytes: [UInt8]

  /// Makes a run of bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension ArchiveBytes: ArchiveValue {
  /// The tag of a run of bytes.
  @inlinable public static var archiveTag: ArchiveTag { .bytes }

  /// Writes the bytes as they are.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodePayload(bytes.span, tag: .bytes, at: place)
  }

  /// Reads a run of bytes.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.value.require(.bytes, for: "a run of bytes")
    self.init(coder.value.view.copy(coder.value.range))
  }
}

/// A URL, kept as the string that spells it.
public struct ArchiveURL: Hashable, Sendable {
  /// The URL as text; not checked to be a valid URL.
  public var string: String

  /// Makes a URL of its spelling.
  public init(_ string: String) {
    self.string = string
  }
}

extension ArchiveURL: ArchiveValue {
  /// The tag of a URL.
  @inlinable public static var archiveTag: ArchiveTag { .url }

  /// Writes the text.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeText(string, tag: .url, at: place)
  }

  /// Reads a URL.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.value.require(.url, for: "a URL")
    self.init(try coder.text())
  }
}
