import KeepsakeArchive

// Arrays and optionals are written as by their own `encode(to:)`, but without a container.

/// An array of values that encode themselves.
protocol ArrayOfValues {
  /// Writes the elements of an array that was begun, at the level below the array.
  func encodeElements(at level: EncodingLevel, to serial: Int) throws
}

extension Array: ArrayOfValues where Element: Encodable {
  func encodeElements(at level: EncodingLevel, to serial: Int) throws {
    if case .optional(let type) = level.session.type(Element.self).form {
      return try encode(type, at: level, to: serial)
    }
    try forEachInPlace { element in
      try element.encode(at: level)
      level.assembler.endElement()
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
          _ = level.assembler.append(kind.bits(of: value), kind.tag, to: serial)
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

  func encodeArray<Elements: ArrayOfValues, Value>(
    _ type: Elements.Type, _ value: Value, of serial: Int
  ) throws {
    guard assembler.isCurrent(serial), assembler.openUnkeyed() else { return accept(false, serial) }
    let next = next
    if next.key != nil { next.key = nil }
    try identical(value, as: type).encodeElements(at: next, to: serial)
  }

  /// Writes an array of texts as if its elements were written one by one.
  func encodeTexts<Value>(_ value: Value, of serial: Int) {
    accept(assembler.set(identical(value, as: [String].self), of: serial), serial)
  }

  /// Writes an array of numbers as if its elements were written one by one.
  func encodeScalars<Value>(_ kind: ScalarKind, _ value: Value, of serial: Int) {
    switch kind {
    case .int: setIntegers(identical(value, as: [Int].self).archivedBits, true, serial)
    case .uint: setIntegers(identical(value, as: [UInt].self).archivedBits, false, serial)
    case .bool: setRow(Bool.self, .bool, value, serial)
    case .double: setRow(Double.self, .double, value, serial)
    case .float: setRow(Float.self, .float, value, serial)
    case .int8: setRow(Int8.self, .int8, value, serial)
    case .int16: setRow(Int16.self, .int16, value, serial)
    case .int32: setRow(Int32.self, .int32, value, serial)
    case .int64: setRow(Int64.self, .int64, value, serial)
    case .uint8: setRow(UInt8.self, .uint8, value, serial)
    case .uint16: setRow(UInt16.self, .uint16, value, serial)
    case .uint32: setRow(UInt32.self, .uint32, value, serial)
    case .uint64: setRow(UInt64.self, .uint64, value, serial)
    }
  }

  private func setIntegers(_ bits: [Int64], _ isSigned: Bool, _ serial: Int) {
    accept(assembler.set(integers: bits, isSigned: isSigned, of: serial), serial)
  }

  @inline(__always)
  private func setRow<Scalar: BitwiseCopyable, Value>(
    _ type: Scalar.Type, _ tag: ArchiveTag, _ value: Value, _ serial: Int
  ) {
    accept(assembler.set(identical(value, as: [Scalar].self), tag, of: serial), serial)
  }
}
