import KeepsakeArchive
package import KeepsakeDocuments

/// A property list, in XML or in the binary form.
///
/// This module has a reader of its own for each form, since Foundation's readers accept documents that are no property
/// lists, limit neither depth nor size, and hide the references of keyed archives.
package enum PropertyList {
  /// The maximum depth of nesting.
  static let depthLimit = 128

  /// Reads a property list of plain values, in XML or in the binary form.
  ///
  /// - Parameter bytes: The file.
  /// - Returns: The value, with records in place of dictionaries, whose fields are sorted by name.
  /// - Throws: ``ImportError``.
  package static func value(of bytes: [UInt8]) throws(ImportError) -> DynamicValue {
    try document(of: bytes, withReferences: false).plainValue
  }

  /// Reads a property list, in XML or in the binary form.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - withReferences: True when the references of keyed archives are read. Otherwise those of the binary form are
  ///     refused, and those of XML are dictionaries.
  /// - Returns: The document with all its values.
  /// - Throws: ``ImportError``.
  static func document(
    of bytes: [UInt8], withReferences: Bool
  ) throws(ImportError) -> PropertyListDocument {
    if bytes.starts(with: BinaryPropertyList.signature) {
      return try BinaryPropertyList.parse(bytes, withReferences: withReferences)
    }
    return try XMLPropertyList.parse(bytes, withReferences: withReferences)
  }
}
