import KeepsakeArchive

/// A collection that is read from a kind of the archive, and not by itself through a container
/// (Spec/archive.md, 5.5 to 5.7).
///
/// One that is stored as another kind decodes itself.
protocol StoredCollection {
  /// Whether values of a tag are such collections.
  static func holds(_ tag: ArchiveTag) -> Bool

  /// Reads a collection from a value of such a tag.
  static func decode(from decoder: NodeDecoder) throws -> Self
}

extension Array: StoredCollection where Element: Decodable {
  static func holds(_ tag: ArchiveTag) -> Bool { tag == .array }

  static func decode(from decoder: NodeDecoder) throws -> [Element] {
    let elements = try decoder.reader.opened { value throws(ArchiveError) in try value.elements() }
    var result: [Element] = []
    result.reserveCapacity(elements.initialCapacity(of: Element.self))
    for index in 0..<elements.count {
      result.append(try decoder.nested(elements[index], atIndex: index).decode(Element.self))
    }
    return result
  }
}

extension Dictionary: StoredCollection where Key: Decodable, Value: Decodable {
  static func holds(_ tag: ArchiveTag) -> Bool { tag == .dictionary }

  static func decode(from decoder: NodeDecoder) throws -> [Key: Value] {
    let entries = try decoder.reader.opened { value throws(ArchiveError) in try value.entries() }
    var result: [Key: Value] = [:]
    result.reserveCapacity(entries.keys.initialCapacity(of: (Key, Value).self))
    let (hasTextKeys, hasTexts) = (Key.self == String.self, Value.self == String.self)
    for index in 0..<entries.keys.count {
      let key = try decoder.element(entries.keys, index, isText: hasTextKeys, as: Key.self)
      let value: Value
      if hasTexts, let text = entries.values.text(at: index) {
        value = identical(text, as: Value.self)
      } else {
        let stored = entries.values[index]
        let path: any CodingKey =
          hasTextKeys
          ? PathKey.entry(identical(key, as: String.self))
          : (key as? any CodingKeyRepresentable)?.codingKey ?? PathKey(index)
        value = try decoder.nested(stored, at: path).decode(Value.self)
      }
      guard result.updateValue(value, forKey: key) == nil else {
        throw decoder.reader.corrupted("Two keys of a dictionary are equal.")
      }
    }
    return result
  }
}

extension Set: StoredCollection where Element: Decodable {
  static func holds(_ tag: ArchiveTag) -> Bool { tag == .set }

  static func decode(from decoder: NodeDecoder) throws -> Set<Element> {
    let members = try decoder.reader.opened { value throws(ArchiveError) in try value.members() }
    var result: Set<Element> = []
    result.reserveCapacity(members.initialCapacity(of: Element.self))
    let isText = Element.self == String.self
    for index in 0..<members.count {
      let member = try decoder.element(members, index, isText: isText, as: Element.self)
      guard result.insert(member).inserted else {
        throw decoder.reader.corrupted("Two members of a set are equal.")
      }
    }
    return result
  }
}

extension NodeDecoder {
  /// One of the keys or members in this decoder's value.
  fileprivate func element<Decoded: Decodable>(
    _ elements: StoredArray, _ index: Int, isText: Bool, as type: Decoded.Type
  ) throws -> Decoded {
    if isText, let text = elements.text(at: index) { return identical(text, as: type) }
    return try nested(elements[index], atIndex: index).decode(type)
  }
}
