import KeepsakeArchive

/// An optional or a collection of the standard library, which this library encodes in place of its own `encode(to:)`.
protocol LibraryEncodable: Encodable {
  /// True for arrays.
  static var isArray: Bool { get }

  func encode(by encoder: ValueEncoder) throws

  /// Writes the elements of an array that was begun, at the level below the array.
  static func encodeElements(_ elements: [Self], at level: EncodingLevel, to serial: Int) throws
}

extension LibraryEncodable {
  static var isArray: Bool { false }

  static func encodeElements(_ elements: [Self], at level: EncodingLevel, to serial: Int) throws {
    try elements.encodeElements(at: level)
  }
}

extension ValueEncoder {
  /// Encodes a value, whose type generic code knows by another name.
  func encode<Kind: LibraryEncodable, Value>(_ value: Value, as kind: Kind.Type) throws {
    try identical(value, as: kind).encode(by: self)
  }
}

// Arrays and optionals are written as by their own `encode(to:)`, but without a container.

extension Array: LibraryEncodable where Element: Encodable {
  static var isArray: Bool { true }

  func encode(by encoder: ValueEncoder) throws {
    if encoder.tree != nil { return try encode(to: encoder) }
    let (level, serial) = (encoder.level, encoder.serial)
    guard level.assembler.value.isCurrent(serial), level.assembler.value.openUnkeyed() else {
      return encoder.outOfTurn()
    }
    let next = level.next
    if next.key != nil { next.key = nil }
    if case .kind(let kind) = level.session.type(Element.self).form {
      return try encodeElements(as: kind, at: next, to: serial)
    }
    try encodeElements(at: next)
  }

  private func encodeElements<Kind: LibraryEncodable>(
    as kind: Kind.Type, at level: EncodingLevel, to serial: Int
  ) throws {
    try Kind.encodeElements(identical(self, as: [Kind].self), at: level, to: serial)
  }

  fileprivate func encodeElements(at level: EncodingLevel) throws {
    try forEachInPlace { element in
      try element.encode(at: level)
      level.assembler.value.endElement()
    }
  }
}

extension BorrowedElement where Value: Encodable {
  @inline(__always)
  fileprivate borrowing func encode(at level: EncodingLevel) throws {
    try level.encodeInside(value)
  }
}

extension Optional: LibraryEncodable where Wrapped: Encodable {
  func encode(by encoder: ValueEncoder) throws {
    if encoder.tree != nil { return try encode(to: encoder) }
    let (level, serial) = (encoder.level, encoder.serial)
    guard let value = self else {
      return level.accept(level.assembler.value.set(0, 0, .null, of: serial), serial)
    }
    try level.encode(value, inPlaceOf: encoder)
  }

  static func encodeElements(_ elements: [Self], at level: EncodingLevel, to serial: Int) throws {
    let session = level.session
    let form = session.type(Wrapped.self).form
    var isTagKnown = session.knowsTag(session.type(Self.self))
    for element in elements {
      if isTagKnown {
        guard let value = element else {
          _ = level.assembler.value.append(0, .null, to: serial)
          continue
        }
        if level.append(value, form, to: serial) { continue }
      }
      // The tag of such optionals becomes known with the next value that is not nil.
      try level.encodeInside(element)
      level.assembler.value.endElement()
      isTagKnown = session.knowsTag(session.type(Self.self))
    }
  }
}

extension EncodingLevel {
  /// Appends a text or a number to the array of a serial number; false for a value of another form.
  @inline(__always)
  func append<Value>(_ value: Value, _ form: EncodedType.Form, to serial: Int) -> Bool {
    switch form {
    case .text:
      assembler.value.append(identical(value, as: String.self), .string, to: serial)
    case .scalar(let kind):
      assembler.value.append(kind.bits(of: value), kind.archiveTag, to: serial)
    default: false
    }
  }
}
