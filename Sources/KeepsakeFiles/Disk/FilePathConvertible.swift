#if canImport(System)
  public import System
#endif

/// A place of a file as callers have it: a `String` or a literal of one, a `URL`, or a `FilePath`.
///
/// The module Keepsake makes it of a `URL`. A `FilePath` is one where the platform has the module System.
public protocol FilePathConvertible {
  /// The path of the file; empty for what names no file, which every call refuses.
  var filePath: String { get }
}

extension String: FilePathConvertible {
  /// The string itself.
  public var filePath: String { self }
}

#if canImport(System)
  extension FilePath: FilePathConvertible {
    /// The path as text; a path whose bytes are not UTF-8 is refused where it is used.
    public var filePath: String { string }
  }
#endif
