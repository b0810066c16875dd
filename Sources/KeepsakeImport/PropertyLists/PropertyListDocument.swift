import KeepsakeArchive
import KeepsakeDocuments

/// A property list that was read.
///
/// Its values are in flat lists, and an array or a dictionary is a range of one of them: a file has so many members
/// that an allocation for each dictionary would take longer than reading it.
struct PropertyListDocument {
  var names = PropertyListNames()
  /// The values that contain no others.
  private(set) var scalars: [DynamicValue] = []
  /// The elements of all arrays; those of one array are next to each other.
  var elements: [PropertyListNode] = []
  /// The members of all dictionaries; those of one dictionary are next to each other.
  var members: [PropertyListNode.Member] = []
  var top = PropertyListNode.empty

  /// Reserves memory for `count` values of each kind.
  mutating func reserveCapacity(_ count: Int) {
    scalars.reserveCapacity(count)
    elements.reserveCapacity(count)
    members.reserveCapacity(count)
  }

  /// Adds a value that contains no others.
  mutating func add(_ scalar: DynamicValue) -> PropertyListNode {
    scalars.append(scalar)
    return .scalar(scalars.count - 1)
  }

  mutating func add(_ array: [PropertyListNode]) -> PropertyListNode {
    let start = elements.count
    elements += array
    return .array(start..<elements.count)
  }

  mutating func add(_ dictionary: [PropertyListNode.Member]) -> PropertyListNode {
    let start = members.count
    members += dictionary
    return .dictionary(start..<members.count)
  }
}

extension PropertyListDocument {
  /// The value under a name in a dictionary.
  func node(_ name: String, in dictionary: Range<Int>) -> PropertyListNode? {
    let span = members.span
    for index in dictionary where names[span[index].name].hasSameBytes(as: name) {
      return span[index].node
    }
    return nil
  }

  /// The string, if the node is one.
  func string(_ node: PropertyListNode?) -> String? {
    guard case .scalar(let index)? = node, case .string(let text) = scalars[index] else {
      return nil
    }
    return text
  }
}

extension PropertyListDocument {
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
    case .scalar(let index):
      // A real number of 32 bits is widened, which is exact, so that all are of one kind.
      if case .float(let value) = scalars[index] { .double(Double(value)) } else { scalars[index] }
    case .reference(let number): .unsigned(number, bitWidth: 64)
    case .array(let range):
      DynamicValue(elements: elements[range].map { plainValue(of: $0, places) })
    case .dictionary(let range):
      .record(
        DynamicRecord(
          fields: members[range].sorted { places[Int($0.name)] < places[Int($1.name)] }.map {
            DynamicRecord.Field(
              key: ArchiveKey(names[$0.name]), value: plainValue(of: $0.node, places))
          }))
    }
  }
}

/// A value of a property list, whose content is in a ``PropertyListDocument``.
enum PropertyListNode {
  /// An index in the list of scalars.
  case scalar(Int)
  /// A number by which a keyed archive refers to another object.
  case reference(UInt64)
  /// A range of the list of elements.
  case array(Range<Int>)
  /// A range of the list of members.
  case dictionary(Range<Int>)

  /// An empty array, in places that are filled later.
  static let empty = PropertyListNode.array(0..<0)

  struct Member {
    // The larger field is first, so that there is no gap between the two.
    var node: PropertyListNode
    /// The number of the name in ``PropertyListNames``.
    var name: UInt32
  }
}

extension PropertyListNode {
  /// The index of the object that the node refers to; nil for a node that is not a reference.
  var referencedIndex: UInt64? {
    if case .reference(let index) = self { index } else { nil }
  }

  /// The range of the elements, if the node is an array.
  var elements: Range<Int>? {
    if case .array(let range) = self { range } else { nil }
  }
}

extension DynamicValue {
  /// The number of bytes of a text or of bytes; 0 for other values.
  var contentByteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    default: 0
    }
  }
}
