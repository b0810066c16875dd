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
    let reading = decoder.reading(of: Element.self)
    for index in 0..<elements.count {
      result.append(try decoder.element(elements, index, reading, as: Element.self))
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
    let keyReading = decoder.reading(of: Key.self)
    let valueReading = decoder.reading(of: Value.self)
    for index in 0..<entries.keys.count {
      let key = try decoder.element(entries.keys, index, keyReading, as: Key.self)
      let value = try decoder.element(entries.values, index, valueReading, as: Value.self) {
        decoder.nested(entries.values[index], at: path(of: key, at: index))
      }
      guard result.updateValue(value, forKey: key) == nil else {
        throw decoder.reader.corrupted("Two keys of a dictionary are equal.")
      }
    }
    return result
  }

  private static func path(of key: Key, at index: Int) -> any CodingKey {
    if Key.self == String.self { return PathKey.entry(identical(key, as: String.self)) }
    return (key as? any CodingKeyRepresentable)?.codingKey ?? PathKey(index)
  }
}

extension Set: StoredCollection where Element: Decodable {
  static func holds(_ tag: ArchiveTag) -> Bool { tag == .set }

  static func decode(from decoder: NodeDecoder) throws -> Set<Element> {
    let members = try decoder.reader.opened { value throws(ArchiveError) in try value.members() }
    var result: Set<Element> = []
    result.reserveCapacity(members.initialCapacity(of: Element.self))
    let reading = decoder.reading(of: Element.self)
    for index in 0..<members.count {
      let member = try decoder.element(members, index, reading, as: Element.self)
      guard result.insert(member).inserted else {
        throw decoder.reader.corrupted("Two members of a set are equal.")
      }
    }
    return result
  }
}

/// An optional, which is read as its value unless a nil is stored.
protocol StoredOptional {
  /// Reads an optional from a value.
  static func decode(from decoder: NodeDecoder) throws -> Self

  /// Reads an optional from an element of the decoder's value; by another decoder unless it is a nil, a number or a
  /// text.
  static func decode(
    _ elements: StoredArray, _ index: Int, from decoder: NodeDecoder, nested: () -> NodeDecoder
  ) throws -> Self
}

extension Optional: StoredOptional where Wrapped: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> Wrapped? {
    decoder.value.isNil ? nil : try decoder.decode(Wrapped.self)
  }

  static func decode(
    _ elements: StoredArray, _ index: Int, from decoder: NodeDecoder, nested: () -> NodeDecoder
  ) throws -> Wrapped? {
    if elements.isNil(at: index) { return nil }
    return try decoder.element(
      elements, index, decoder.reading(of: Wrapped.self), as: Wrapped.self, nested: nested)
  }
}

extension NodeDecoder {
  /// One of the elements, keys or members in this decoder's value.
  @inline(__always)
  func element<Decoded: Decodable>(
    _ elements: StoredArray, _ index: Int, _ reading: Reading, as type: Decoded.Type
  ) throws -> Decoded {
    try element(elements, index, reading, as: type) { nested(elements[index], atIndex: index) }
  }

  /// The same by another decoder, unless it is a number or a text.
  @inline(__always)
  fileprivate func element<Decoded: Decodable>(
    _ elements: StoredArray, _ index: Int, _ reading: Reading, as type: Decoded.Type,
    nested: () -> NodeDecoder
  ) throws -> Decoded {
    switch reading {
    case .text: if let text = elements.text(at: index) { return identical(text, as: type) }
    case .scalar(let kind):
      if let scalar = elements.scalar(at: index), scalar.fits(kind) {
        return scalar.value(of: kind, as: type)
      }
    case .optional(let optional):
      return try element(elements, index, optional, as: type, nested: nested)
    default: break
    }
    return try nested().decode(type, reading)
  }

  private func element<Optional: StoredOptional, Decoded>(
    _ elements: StoredArray, _ index: Int, _ optional: Optional.Type, as type: Decoded.Type,
    nested: () -> NodeDecoder
  ) throws -> Decoded {
    identical(try Optional.decode(elements, index, from: self, nested: nested), as: type)
  }
}
