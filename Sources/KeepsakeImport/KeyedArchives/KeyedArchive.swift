import KeepsakeArchive
import KeepsakeDocuments

/// The parts of an archive of `NSKeyedArchiver`: a list of objects, and the values at its top.
///
/// It is a class, because a structure with so many fields would be copied at each use.
final class KeyedArchive {
  /// The only version of the format that exists.
  private static let knownVersion: Int64 = 100_000
  /// The index of the object that means nil.
  static let nullIndex: UInt64 = 0

  let archiverName: String
  let list: PropertyListDocument
  /// The number of the program's name for the number of each stored name that begins with two dollar signs.
  ///
  /// The archiver puts a dollar sign before each name that begins with one.
  let unescaped: [UInt32: UInt32]
  /// The number of the name `$class`, under which an object has its class; nil when no object has a class.
  let className: UInt32?
  /// The range of `$objects` among the elements of the list.
  private let objects: Range<Int>
  /// The range of `$top` among the members of the list.
  let top: Range<Int>

  init(_ bytes: [UInt8]) throws(ImportError) {
    var list = try PropertyList.document(of: bytes, withReferences: true)
    className = list.names.number(of: "$class")
    var unescaped: [UInt32: UInt32] = [:]
    for number in list.names.allNumbers where list.names[number].hasPrefix("$$") {
      unescaped[number] = list.names.add(String(list.names[number].dropFirst()))
    }
    (self.list, self.unescaped) = (list, unescaped)
    guard case .dictionary(let members) = list.top,
      let archiver = list.string(list.node("$archiver", in: members)),
      case .array(let objects)? = list.node("$objects", in: members),
      case .dictionary(let top)? = list.node("$top", in: members)
    else {
      throw ImportError(
        .notKeyedArchive,
        "the property list does not have the keys $archiver, $objects and $top at its top, so it is not an archive "
          + "of NSKeyedArchiver")
    }
    if let version = list.node("$version", in: members) {
      guard case .scalar(let index) = version,
        case .signed(Self.knownVersion, _) = list.scalars[index]
      else {
        throw ImportError(
          .unsupportedVersion,
          "the archive is not of version \(Self.knownVersion), the only one that is known")
      }
    }
    (archiverName, self.objects, self.top) = (archiver, objects, top)
  }
}

extension KeyedArchive {
  var objectCount: Int { objects.count }

  /// The object of an index below ``objectCount``.
  func object(_ index: Int) -> PropertyListNode { list.elements[objects.lowerBound + index] }

  /// The index of an object's class; nil without a class.
  func classReference(in members: Range<Int>) -> UInt64? {
    for index in members where list.members[index].name == className {
      return list.members[index].node.referencedIndex
    }
    return nil
  }
}
