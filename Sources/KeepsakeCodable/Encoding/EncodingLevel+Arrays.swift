import KeepsakeArchive

// Arrays and optionals are written as by their own `encode(to:)`, but without a container.

protocol EncodedArray {
  /// Writes an array at a level, for which it was begun.
  func encode(at level: EncodingLevel, of serial: Int) throws
}

extension Array: EncodedArray where Element: Encodable {
  func encode(at level: EncodingLevel, of serial: Int) throws {
    guard level.assembler.isCurrent(serial), level.assembler.openUnkeyed() else {
      return level.accept(false, serial)
    }
    let next = level.next
    if next.key != nil { next.key = nil }
    if case .optional(let type) = level.session.type(Element.self).form {
      return try encode(type, at: next, to: serial)
    }
    try forEachInPlace { element in
      try element.encode(at: next)
      next.assembler.endElement()
    }
  }

  private func encode<Optional: EncodedOptional>(
    _ type: Optional.Type, at level: EncodingLevel, to serial: Int
  ) throws {
    try Optional.encodeElements(identical(self, as: [Optional].self), at: level, to: serial)
  }
}

extension BorrowedElement where Value: Encodable {
  @inline(__always)
  fileprivate borrowing func encode(at level: EncodingLevel) throws {
    try level.encodeInside(value)
  }
}

/// An optional, which is written as its value or as nil.
protocol EncodedOptional {
  /// Writes an optional that was begun at a level.
  func encode(at level: EncodingLevel, of serial: Int) throws

  /// Writes the elements of an array that was begun, at the level below the array.
  static func encodeElements(_ elements: [Self], at level: EncodingLevel, to serial: Int) throws
}

extension Optional: EncodedOptional where Wrapped: Encodable {
  func encode(at level: EncodingLevel, of serial: Int) throws {
    guard let value = self else {
      return level.accept(level.assembler.set(0, 0, .null, of: serial), serial)
    }
    try level.encode(value, inPlaceOf: ValueEncoder(level: level, serial: serial, tree: nil))
  }

  static func encodeElements(_ elements: [Self], at level: EncodingLevel, to serial: Int) throws {
    let session = level.session
    let isText = Wrapped.self == String.self
    let form = session.type(Wrapped.self).form
    var isTagKnown = session.knowsTag(session.type(Self.self))
    for element in elements {
      if isTagKnown {
        guard let value = element else {
          _ = level.assembler.append(0, .null, to: serial)
          continue
        }
        if isText {
          _ = level.assembler.append(identical(value, as: String.self), .string, to: serial)
          continue
        }
        if case .scalar(let kind) = form {
          _ = level.assembler.append(kind.bits(of: value), kind.archiveTag, to: serial)
          continue
        }
      }
      // The tag of such optionals becomes known with the next value that is not nil.
      try level.encodeInside(element)
      level.assembler.endElement()
      isTagKnown = session.knowsTag(session.type(Self.self))
    }
  }
}

extension EncodingLevel {
  func encodeOptional<Optional: EncodedOptional, Value>(
    _ type: Optional.Type, _ value: Value, of serial: Int
  ) throws {
    try identical(value, as: type).encode(at: self, of: serial)
  }

  func encodeArray<Elements: EncodedArray, Value>(
    _ type: Elements.Type, _ value: Value, of serial: Int
  ) throws {
    try identical(value, as: type).encode(at: self, of: serial)
  }
}
