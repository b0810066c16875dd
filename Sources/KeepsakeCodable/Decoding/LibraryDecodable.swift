#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// A type of the standard library or of Foundation that this library decodes in place of its own `init(from:)`.
///
/// A value that is stored as another kind is left to that.
protocol LibraryDecodable: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> Self

  /// Decodes an element of the decoder's value; `nested` makes the decoder of one that is not read from its slot.
  static func decode(
    _ elements: ArrayView, _ index: Int, from decoder: NodeDecoder, nested: () -> NodeDecoder
  ) throws -> Self
}

extension LibraryDecodable {
  static func decode(
    _ elements: ArrayView, _ index: Int, from decoder: NodeDecoder, nested: () -> NodeDecoder
  ) throws -> Self {
    try decode(from: nested())
  }
}

extension Array: LibraryDecodable where Element: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> [Element] {
    guard decoder.tag == .array else { return try [Element](from: decoder) }
    let elements = try decoder.opened(try decoder.value.elements())
    var result: [Element] = []
    result.reserveCapacity(elements.initialCapacity(of: Element.self))
    let reading = decoder.reading(of: Element.self)
    for index in 0..<elements.count {
      result.append(try decoder.element(elements, index, reading, as: Element.self))
    }
    return result
  }
}

extension Dictionary: LibraryDecodable where Key: Decodable, Value: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> [Key: Value] {
    if decoder.tag == .dictionary {
      let (keys, values) = try decoder.opened(try decoder.value.entries())
      if let result = try decode(keys, values, every: 1, from: decoder) { return result }
    }
    // Keys that are strings or integers never alternate with their values.
    if decoder.tag == .array, Key.self != String.self, Key.self != Int.self {
      let elements = try decoder.opened(try decoder.value.elements())
      guard elements.count.isMultiple(of: 2) else {
        throw decoder.corrupted("The last key of a dictionary has no value.")
      }
      if let result = try decode(elements, elements, every: 2, from: decoder) { return result }
    }
    // The keys are names: the dictionary's own conformance reads them.
    let result = try [Key: Value](from: decoder)
    try checkCount(result.count, decoder)
    return result
  }

  /// Decodes keys and values: those of a dictionary, or every second element of an array in which they take turns.
  ///
  /// - Returns: nil for a dictionary whose keys are not stored as the type of the keys is, but as names of keys.
  private static func decode(
    _ keys: ArrayView, _ values: ArrayView, every step: Int, from decoder: NodeDecoder
  ) throws -> [Key: Value]? {
    let isDictionary = step == 1
    var result: [Key: Value] = [:]
    if isDictionary { result.reserveCapacity(keys.initialCapacity(of: (Key, Value).self)) }
    let keyReading = decoder.reading(of: Key.self)
    let valueReading = decoder.reading(of: Value.self)
    for index in stride(from: 0, to: keys.count, by: step) {
      let key: Key
      do {
        key = try decoder.element(keys, index, keyReading, as: Key.self)
      } catch let error as DecodingError {
        guard isDictionary, case .typeMismatch = error, index == 0,
          Key.self is any CodingKeyRepresentable.Type, try decoder.fields() != nil
        else { throw error }
        return nil
      }
      let valueIndex = index + step - 1
      let value = try decoder.element(values, valueIndex, valueReading, as: Value.self) {
        isDictionary
          ? decoder.nested(values[valueIndex], at: PathKey.entryKey(key, at: index))
          : decoder.nested(values[valueIndex], atIndex: valueIndex)
      }
      guard result.updateValue(value, forKey: key) == nil else {
        throw equalKeys(
          decoder, index / step + 1, name: { decoder.name(keys[step * $0], step * $0) }
        ) { try decoder.element(keys, step * $0, keyReading, as: Key.self) }
      }
    }
    return result
  }

  /// Checks that no value replaced another one because the type considers their keys equal.
  private static func checkCount(_ count: Int, _ decoder: NodeDecoder) throws {
    guard let fields = try decoder.fields(), fields.count != count else { return }
    var names: [String] = []
    fields.forEachKey { name, _ in names.append(name) }
    throw equalKeys(decoder, names.count, name: { names[$0].spelledOut }) { index in
      if Key.self == String.self { return identical(names[index], as: Key.self) }
      let type = Key.self as? any CodingKeyRepresentable.Type
      return type?.init(codingKey: PathKey.entry(names[index])) as? Key
    }
  }

  /// The error for two different stored keys that the type considers equal.
  private static func equalKeys(
    _ decoder: NodeDecoder, _ count: Int, name: (Int) -> String, key: (Int) throws -> Key?
  ) -> DecodingError {
    var found: [Key: Int] = [:]
    var names = "Two keys"
    for index in 0..<count {
      guard let key = try? key(index),
        let other = found.updateValue(index, forKey: key)
      else { continue }
      names = "The keys \(name(other)) and \(name(index))"
      break
    }
    return .typeMismatch(
      [Key: Value].self,
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "\(names) of the dictionary are the same \(Key.self), so that one of "
          + "their values would be lost. Read it with keys that stay apart, such as those of an enumeration with a case "
          + "unknown(String)."))
  }
}

extension NodeDecoder {
  /// A key as a person may be shown it.
  fileprivate func name(_ key: ValueView, _ index: Int) -> String {
    if let text = key.text { return text.spelledOut }
    return key.scalar?.integer(as: Int128.self).map { "\($0)" }
      ?? key.scalar?.double.map { "\($0)" } ?? "[\(index)]"
  }
}

extension Set: LibraryDecodable where Element: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> Set<Element> {
    guard decoder.tag == .set else { return try Set(from: decoder) }
    let members = try decoder.opened(try decoder.value.members())
    var result: Set<Element> = []
    result.reserveCapacity(members.initialCapacity(of: Element.self))
    let reading = decoder.reading(of: Element.self)
    for index in 0..<members.count {
      // Members that only the type considers equal become one (Spec/archive.md, 5.7).
      result.insert(try decoder.element(members, index, reading, as: Element.self))
    }
    return result
  }
}

/// An optional is read as its value unless a nil is stored.
extension Optional: LibraryDecodable where Wrapped: Decodable {
  static func decode(from decoder: NodeDecoder) throws -> Wrapped? {
    decoder.value.isNil ? nil : try decoder.decode(Wrapped.self)
  }

  static func decode(
    _ elements: ArrayView, _ index: Int, from decoder: NodeDecoder, nested: () -> NodeDecoder
  ) throws -> Wrapped? {
    if elements.isNil(at: index) { return nil }
    return try decoder.element(
      elements, index, decoder.reading(of: Wrapped.self), as: Wrapped.self, nested: nested)
  }
}

/// A decimal is read from an integer, or as Foundation stores it.
extension Decimal: LibraryDecodable {
  static func decode(from decoder: NodeDecoder) throws -> Decimal {
    if let scalar = decoder.value.scalar, scalar.isInteger {
      let digits =
        scalar.integer(as: Int128.self).map { "\($0)" }
        ?? scalar.integer(as: UInt128.self).map { "\($0)" }
      if let digits, let number = Decimal(string: digits), "\(number)" == digits { return number }
    }
    return try Decimal(from: decoder)
  }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  /// A number of 16 bits is read rounded to the nearest one, as the type itself would read a wider one.
  extension Float16: LibraryDecodable {
    static func decode(from decoder: NodeDecoder) throws -> Float16 {
      guard let scalar = decoder.value.scalar, Double.accepts(scalar) else {
        throw decoder.mismatch(Float16.self, Double.kindName)
      }
      return try decoder.read(Float16.self)
    }
  }
#endif

extension NodeDecoder {
  /// One of the elements, keys or members in this decoder's value.
  @inline(__always)
  func element<Decoded: Decodable>(
    _ elements: ArrayView, _ index: Int, _ reading: Reading, as type: Decoded.Type
  ) throws -> Decoded {
    try element(elements, index, reading, as: type) { nested(elements[index], atIndex: index) }
  }

  /// One of the elements; `nested` makes the decoder of one that is neither a number nor a text.
  @inline(__always)
  fileprivate func element<Decoded: Decodable>(
    _ elements: ArrayView, _ index: Int, _ reading: Reading, as type: Decoded.Type,
    nested: () -> NodeDecoder
  ) throws -> Decoded {
    switch reading {
    case .text: if let text = elements.text(at: index) { return identical(text, as: type) }
    case .scalar(let kind):
      if let scalar = elements.scalar(at: index) {
        return try kind.value(scalar, as: type) { try nested().decode(type, reading) }
      }
    case .kind(let kind): return try element(elements, index, kind, as: type, nested: nested)
    default: break
    }
    return try nested().decode(type, reading)
  }

  private func element<Kind: LibraryDecodable, Decoded>(
    _ elements: ArrayView, _ index: Int, _ kind: Kind.Type, as type: Decoded.Type,
    nested: () -> NodeDecoder
  ) throws -> Decoded {
    identical(try Kind.decode(elements, index, from: self, nested: nested), as: type)
  }
}
