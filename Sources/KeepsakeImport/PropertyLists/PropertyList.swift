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
    try node(of: bytes, withReferences: false).plainValue
  }

  /// Reads a property list, in XML or in the binary form.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - withReferences: True when the references of keyed archives are read; otherwise they are refused.
  /// - Returns: The value and those in it.
  /// - Throws: ``ImportError``.
  static func node(
    of bytes: [UInt8], withReferences: Bool
  ) throws(ImportError) -> PropertyListNode {
    if bytes.starts(with: BinaryPropertyList.signature) {
      return try BinaryPropertyList.parse(bytes, withReferences: withReferences)
    }
    return try XMLPropertyList.parse(bytes)
  }

  /// The end of the sentence that refuses a dictionary, if a name occurs twice in it.
  static func repetition(in members: [PropertyListNode.Member]) -> String? {
    guard let name = repeatedName(in: members) else { return nil }
    return "the name \"\(name.shortened)\" is there twice in a dictionary"
  }

  private static func repeatedName(in members: [PropertyListNode.Member]) -> String? {
    if members.count > 12 {
      var names: Set<ArchiveKey> = []
      return members.first { !names.insert(ArchiveKey($0.name)).inserted }?.name
    }
    for index in members.indices.dropFirst() {
      for other in 0..<index where members[index].name.hasSameBytes(as: members[other].name) {
        return members[index].name
      }
    }
    return nil
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
    let name: String
    let node: PropertyListNode
  }

  /// The value as JSON with its types would give it: records in place of dictionaries, real numbers of 64 bits.
  ///
  /// A reference becomes its number; the parsers refuse references where plain values are read.
  var plainValue: DynamicValue {
    switch self {
    // A real number of 32 bits is widened, which is exact, so that all are of one kind.
    case .value(.float(let value)): .double(Double(value))
    case .value(let value): value
    case .reference(let number): .unsigned(number, bitWidth: 64)
    case .array(let nodes): DynamicValue(elements: nodes.map(\.plainValue))
    case .dictionary(let members): .record(Self.record(of: members))
    }
  }

  /// The record of a dictionary, in an order of its own, since a property list has none.
  private static func record(of members: [Member]) -> DynamicRecord {
    let sorted = members.sorted { one, other in
      one.name == other.name ? one.name.bytesPrecede(other.name) : one.name < other.name
    }
    return DynamicRecord(
      fields: sorted.map {
        DynamicRecord.Field(key: ArchiveKey($0.name), value: $0.node.plainValue)
      })
  }
}
