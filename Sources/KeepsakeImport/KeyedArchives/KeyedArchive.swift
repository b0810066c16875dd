import KeepsakeArchive
import KeepsakeDocuments

/// The parts of an archive of `NSKeyedArchiver`: a list of objects, and the values at its top.
struct KeyedArchive {
  /// The only version of the format that there has been.
  private static let knownVersion: Int64 = 100_000
  /// The index of the object that stands for nil.
  static let nullIndex: UInt64 = 0

  let archiverName: String
  let names: PropertyListNames
  /// The numbers of the program's names that begin with a dollar sign, by those of the stored names: the archiver
  /// puts one more dollar sign before them.
  let unescaped: [UInt32: UInt32]
  /// The number of the name `$class`, under which an object has its class; nil when no object has a class.
  let className: UInt32?
  let objects: [PropertyListNode]
  let top: [PropertyListNode.Member]

  init(_ bytes: [UInt8]) throws(ImportError) {
    let list = try PropertyList.document(of: bytes, withReferences: true)
    var names = list.names
    className = names.number(of: "$class")
    var unescaped: [UInt32: UInt32] = [:]
    for number in names.allNumbers where names[number].hasPrefix("$$") {
      unescaped[number] = names.add(String(names[number].dropFirst()))
    }
    (self.names, self.unescaped) = (names, unescaped)
    guard case .dictionary(let members) = list.top,
      case .value(.string(let archiver))? = names.node("$archiver", in: members),
      case .array(let objects)? = names.node("$objects", in: members),
      case .dictionary(let top)? = names.node("$top", in: members)
    else {
      throw ImportError(
        .notKeyedArchive,
        "the property list is no archive of NSKeyedArchiver, which has the keys "
          + "$archiver, $objects and $top at its top")
    }
    if let version = names.node("$version", in: members) {
      guard case .value(.signed(Self.knownVersion, _)) = version else {
        throw ImportError(
          .unsupportedVersion,
          "the archive is not of version \(Self.knownVersion), the only one that is known")
      }
    }
    (archiverName, self.objects, self.top) = (archiver, objects, top)
  }
}

extension KeyedArchive {
  /// The index of an object's class; nil without a class.
  func classReference(in members: [PropertyListNode.Member]) -> UInt64? {
    let span = members.span
    for index in span.indices where span[index].name == className {
      return span[index].node.referencedIndex
    }
    return nil
  }
}

extension PropertyListNames {
  /// The value under a name in a dictionary.
  func node(_ name: String, in members: [PropertyListNode.Member]) -> PropertyListNode? {
    let span = members.span
    for index in span.indices where self[span[index].name].hasSameBytes(as: name) {
      return span[index].node
    }
    return nil
  }
}

extension PropertyListNode {
  /// The index of the object that the node refers to; nil for a node that is no reference.
  var referencedIndex: UInt64? {
    if case .reference(let index) = self { index } else { nil }
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
