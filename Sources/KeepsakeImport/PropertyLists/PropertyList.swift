import KeepsakeArchive
package import KeepsakeDocuments

/// A property list, in XML or in the binary form.
///
/// Code of this module reads both forms, since Foundation's readers accept documents that are no property lists, limit
/// neither depth nor size, and hide the references of keyed archives.
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
  /// - Returns: The value and those in it.
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

/// A property list that was read.
struct PropertyListDocument {
  let names: PropertyListNames
  let top: PropertyListNode

  /// The value as it would be read from JSON: records in place of dictionaries, real numbers of 64 bits.
  var plainValue: DynamicValue {
    // A property list has no order, so the fields of a record are sorted by their names.
    let places = names.places { $0 == $1 ? $0.bytesPrecede($1) : $0 < $1 }
    return plainValue(of: top, places)
  }

  /// The value of a node.
  ///
  /// A reference becomes its number; the parsers refuse references where plain values are read.
  private func plainValue(of node: PropertyListNode, _ places: [UInt32]) -> DynamicValue {
    switch node {
    // A real number of 32 bits is widened, which is exact, so that all are of one kind.
    case .value(.float(let value)): .double(Double(value))
    case .value(let value): value
    case .reference(let number): .unsigned(number, bitWidth: 64)
    case .array(let nodes): DynamicValue(elements: nodes.map { plainValue(of: $0, places) })
    case .dictionary(let members):
      .record(
        DynamicRecord(
          fields: members.sorted { places[Int($0.name)] < places[Int($1.name)] }.map {
            DynamicRecord.Field(
              key: ArchiveKey(names[$0.name]), value: plainValue(of: $0.node, places))
          }))
    }
  }
}

/// A value of a property list and the values in it.
enum PropertyListNode {
  case value(DynamicValue)
  /// A number by which a keyed archive refers to another object.
  case reference(UInt64)
  case array([PropertyListNode])
  case dictionary([Member])

  struct Member {
    // The larger field is first, so that there is no gap between the two.
    let node: PropertyListNode
    /// The number of the name in ``PropertyListNames``.
    let name: UInt32
  }
}
