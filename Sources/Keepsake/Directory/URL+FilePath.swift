public import KeepsakeFiles

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension URL: FilePathConvertible {
  /// The path of a file URL; empty for any other URL.
  public var filePath: String { isFileURL ? path(percentEncoded: false) : "" }
}
