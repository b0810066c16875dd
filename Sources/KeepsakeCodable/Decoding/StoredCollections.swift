import KeepsakeArchive

/// A collection that the archive has a kind of its own for (Spec/archive.md, 5.6 and 5.7).
///
/// One that is stored as a record or as an array decodes itself.
protocol StoredCollection {
  /// Reads a collection that is stored as its own kind; nil for any other value.
  static func decode(from decoder: NodeDecoder) throws -> Self?
}

extension Dictionary: StoredCollection where Key: Decodable, Value: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> [Key: Value]? {
    guard decoder.value.tag == .dictionary, !decoder.value.isNil else { return nil }
    let entries = try decoder.reader.opened { value throws(ArchiveError) in try value.entries() }
    var result: [Key: Value] = [:]
    result.reserveCapacity(Swift.min(entries.keys.count, 1 << 16))
    for index in 0..<entries.keys.count {
      let key = try decoder.nested(entries.keys[index], atIndex: index).decode(Key.self)
      let path = (key as? any CodingKeyRepresentable)?.codingKey ?? PathKey(index)
      let value = try decoder.nested(entries.values[index], at: path).decode(Value.self)
      guard result.updateValue(value, forKey: key) == nil else {
        throw decoder.reader.corrupted("Two keys of a dictionary are equal.")
      }
    }
    return result
  }
}

extension Set: StoredCollection where Element: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> Set<Element>? {
    guard decoder.value.tag == .set, !decoder.value.isNil else { return nil }
    let members = try decoder.reader.opened { value throws(ArchiveError) in try value.members() }
    var result: Set<Element> = []
    result.reserveCapacity(Swift.min(members.count, 1 << 16))
    for index in 0..<members.count {
      let member = try decoder.nested(members[index], atIndex: index).decode(Element.self)
      guard result.insert(member).inserted else {
        throw decoder.reader.corrupted("Two members of a set are equal.")
      }
    }
    return result
  }
}
