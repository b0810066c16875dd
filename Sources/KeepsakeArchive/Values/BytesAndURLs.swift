/// A run of bytes of any meaning, stored as one payload.
public struct ArchiveBytes: Hashable, Sendable {
  /// The bytes.
  public var bytes: [UInt8]

  /// Makes a run of bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension ArchiveBytes: LibraryValue {
  @inlinable static var storedTag: ArchiveTag { .bytes }

  @usableFromInline
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodePayload(bytes.span, tag: .bytes, at: place)
  }

  @usableFromInline
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
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

extension ArchiveURL: LibraryValue {
  @inlinable static var storedTag: ArchiveTag { .url }

  @usableFromInline
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeText(string, tag: .url, at: place)
  }

  @usableFromInline
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.value.require(.url, for: "a URL")
    self.init(try coder.text())
  }
}
