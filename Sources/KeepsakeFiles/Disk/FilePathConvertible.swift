#if canImport(System)
  public import System
#endif

/// A type that callers can give as the path of a file: `String`, `URL` or `FilePath`.
///
/// The module Keepsake adds the conformance of `URL`. `FilePath` conforms on platforms that have the module System.
public protocol FilePathConvertible {
  /// The path of the file; empty for a value that names no file.
  ///
  /// Every call refuses an empty path.
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
