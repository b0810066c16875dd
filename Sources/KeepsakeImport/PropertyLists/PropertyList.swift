import KeepsakeArchive
package import KeepsakeDocuments

/// A property list, in XML or in the binary form.
///
/// This module has a reader of its own for each form, since Foundation's readers accept documents that are not
/// property lists, limit neither depth nor size, and hide the references of keyed archives.
package enum PropertyList {
  /// The maximum depth of nesting.
  static let depthLimit = 128

  /// Reads a property list of plain values, in XML or in the binary form.
  ///
  /// The value has records in place of dictionaries, whose fields are sorted by name.
  package static func value(of bytes: [UInt8]) throws(ImportError) -> DynamicValue {
    try document(of: bytes, withReferences: false).plainValue
  }

  /// Reads a property list, in XML or in the binary form.
  ///
  /// Without `withReferences`, a binary list that has references is refused, and a reference in XML is a dictionary.
  static func document(
    of bytes: [UInt8], withReferences: Bool
  ) throws(ImportError) -> PropertyListDocument {
    if bytes.starts(with: BinaryPropertyList.signature) {
      return try BinaryPropertyList.parse(bytes, withReferences: withReferences)
    }
    return try XMLPropertyList.parse(bytes, withReferences: withReferences)
  }
}
