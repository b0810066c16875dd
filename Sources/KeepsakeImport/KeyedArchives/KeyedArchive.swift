import KeepsakeArchive
import KeepsakeDocuments

/// The parts of an archive of `NSKeyedArchiver`: a list of objects, and the values at its top.
struct KeyedArchive {
  /// The only version of the format that there has been.
  private static let knownVersion: Int64 = 100_000
  /// The index of the object that stands for nil.
  static let nullIndex: UInt64 = 0

  let archiverName: String
  let objects: [PropertyListNode]
  let top: [PropertyListNode.Member]

  init(_ list: PropertyListNode) throws(ImportError) {
    guard case .dictionary(let members) = list,
      case .value(.string(let archiver))? = members["$archiver"],
      case .array(let objects)? = members["$objects"],
      case .dictionary(let top)? = members["$top"]
    else {
      throw ImportError(
        .notKeyedArchive,
        "the property list is no archive of NSKeyedArchiver, which has the keys "
          + "$archiver, $objects and $top at its top")
    }
    if let version = members["$version"] {
      guard case .value(.signed(Self.knownVersion, _)) = version else {
        throw ImportError(
          .unsupportedVersion,
          "the archive is not of version \(Self.knownVersion), the only one that is known")
      }
    }
    (archiverName, self.objects, self.top) = (archiver, objects, top)
  }
}

extension [PropertyListNode.Member] {
  /// The value under a name.
  subscript(name: String) -> PropertyListNode? {
    for index in indices where self[index].name.hasSameBytes(as: name) { return self[index].node }
    return nil
  }
}

extension PropertyListNode {
  /// The index of the object that the node refers to; nil for a node that is no reference.
  ///
  /// In XML, a reference is a dictionary of one number under `CF$UID`.
  var referencedIndex: UInt64? {
    switch self {
    case .reference(let index): return index
    case .dictionary(let members):
      guard members.count == 1, members[0].name.hasSameBytes(as: "CF$UID"),
        case .value(.signed(let number, _)) = members[0].node
      else { return nil }
      return UInt64(exactly: number)
    default: return nil
    }
  }

  /// The string, if the node is one.
  var string: String? {
    if case .value(.string(let text)) = self { text } else { nil }
  }

  /// The nodes of an array, if the node is one.
  var elements: [PropertyListNode]? {
    if case .array(let nodes) = self { nodes } else { nil }
  }
}
